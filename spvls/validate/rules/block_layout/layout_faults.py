"""What is wrong with the explicit layout of a type and of all that it is made of (SPIR-V 2.2.2; Vulkan "Offset and Stride
Assignment")."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.recursion import REST, Steps, evaluation_steps, resting
from spvls.module.types import Type
from spvls.module.variable import the_class
from spvls.record import NamedTuple
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.layout_rules import Layouts, Matrices, Member, Mode, aligned, array_stride, holds_blocks, straddles
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.options import Options
from spvls.validate.rules.block_layout.overlaps import Extent, Room, overlaps

_LARGEST_WORD = 0xFFFFFFFF
_MOST_STEPS = 10_000  # of the fixes that lay out a type anew, over all findings, so that these do not grow with its square
_LITERAL = {spv.OpDecorate: 2, spv.OpMemberDecorate: 3}
_TYPED = frozenset({spv.OpVariable, spv.OpTypePointer, spv.OpBufferPointerEXT})
_TYPED_TOO = frozenset(
    {StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.PushConstant, StorageClass.PhysicalStorageBuffer}
)
"""The storage classes that require a layout of what typed pointers point to as well."""

_LITERALS = frozenset({Decoration.Offset, Decoration.ArrayStride, Decoration.MatrixStride})


class _Place(NamedTuple):
    """A type by the rules that it is laid out by, where it begins, and how its matrices are laid out.

    `start` is None where what holds the type is at a wrong place: what depends on it is not checked.
    """

    type: Type | None
    mode: Mode
    start: int | None
    matrices: Matrices


class _Shape(NamedTuple):
    """What members of one type whose matrices are laid out alike share: what an offset must be a multiple of, bytes, those of them
    that another member may begin in, the matrix in it, and whether it is padded and has parts."""

    align: int
    size: int
    free: int
    matrix: Type | None
    is_padded: bool
    has_parts: bool


class _Part(NamedTuple):
    """A member, how its matrices are laid out, what its offset must be a multiple of, and the bytes that it occupies."""

    member: Member
    matrices: Matrices
    align: int
    extent: Extent


class _Misplaced(NamedTuple):
    """A member whose offset is wrong, why, and whether only because of where its structure is."""

    part: _Part
    message: str
    is_by_start: bool


class LayoutFaults:
    """The faults in what one chunk lays out. Each type is looked at once by the same rules, and each fault reported once.

    A fault is reported at the member, or at the array or matrix whose stride is wrong. What follows from it alone is not: a member
    that is at fault, or contains one that is, is not compared with others, and what it contains is checked as if it were at a good
    place.
    """

    def __init__(self, module: Module, options: Options) -> None:
        self.layouts = Layouts(module, options)
        self._repeats = self.layouts.largest_align()
        self._module = module
        self._known: dict[_Place, bool] = {}
        self._starts: dict[_Place, int] = {}
        self._reported: set[tuple[str, int, str | None]] = set()
        self._found: list[Finding] = []
        self._mode = Mode.STANDARD
        self._storage = -1
        self._whole = ""
        self._is_untyped = False

    def of(self, inst: Instruction, type_: Type, storage_class: int, mode: Mode) -> Generator[None, None, list[Finding]]:
        """The faults in the layout of a type that an instruction brings into memory, in short steps."""
        self._mode, self._storage, self._whole, self._found = mode, storage_class, type_.id, []
        self._is_untyped = inst.opcode.value not in _TYPED
        yield from self.layouts.align_steps(type_, mode)
        yield from self.layouts.size_steps(type_)
        yield from evaluation_steps(self._check, self._at(type_, 0, Matrices()), self._known, False)
        if not self._found:
            return []
        from spvls.validate.rules.block_layout.relayout import relayout  # few modules need it

        rules, by = mode, f", by the {mode.value} rules"
        if mode is Mode.UNALIGNED:
            by = ""
            rules = self.layouts.mode(storage_class, is_buffer_block=self._module.has_decoration(type_.id, Decoration.BufferBlock))
        note = Note(inst, RESULT if inst.result is not None else OPCODE, f"%{type_.id} is laid out for {self._where()} here{by}")
        anew = yield from relayout(type_, rules, self.layouts, self._module)
        if mode is Mode.UNALIGNED:
            anew = tuple(fix._replace(preferred=False) for fix in anew)  # what is missing is certain, the rules are not
        offered = max(1, _MOST_STEPS // max(1, sum(len(fix.steps) for fix in anew)))
        reported = []
        for at, found in enumerate(self._found):
            if not (at + 1) % PORTION:
                yield
            reported.append(
                found._replace(notes=(*found.notes, note), fixes=(*found.fixes, *anew) if at < offered else found.fixes)
            )
        return reported

    def _at(self, type_: Type | None, start: int | None, matrices: Matrices) -> _Place:
        """A type that begins at a byte of what holds it, of which only the remainder matters."""
        place = _Place(type_, self._mode, start % self._repeats if start is not None else None, matrices)
        self._starts.setdefault(place, start or 0)
        return place

    def _report(self, finding: Finding, type_: Type, number: int = RESULT) -> None:
        """Report a fault of a type, or of a member of it, unless one was reported there before."""
        key = (type_.id, number, finding.record.result)
        if key not in self._reported:
            self._reported.add(key)
            self._found.append(finding)

    # Whether anything is wrong with a part

    def _check(self, place: _Place) -> Steps[_Place, bool]:
        type_, matrices = place.type, place.matrices
        start = self._starts[place] if place.start is not None else None
        if type_ is not None and type_.is_struct:
            return (yield from self._struct(type_, start, matrices))
        if type_ is not None and type_.is_array:
            return (yield from self._array(type_, start, matrices))
        return False

    def _struct(self, type_: Type, start: int | None, matrices: Matrices) -> Steps[_Place, bool]:
        members = yield from self.layouts.member_steps(type_)
        is_bare = len(members) > 1 and all(member.placed is None for member in members)
        if is_bare:
            lack = f"no member of %{type_.id} has an Offset{self._or_by_id(type_)}"
            message = f"{lack}, but {self._where()} requires one for each member"
            self._report(Finding(type_.record, RESULT, message), type_)
        is_faulty, reach = is_bare, 0
        sound: list[_Part] = []
        misplaced: list[_Misplaced] = []
        shapes: dict[tuple[Type | None, Matrices], _Shape] = {}
        for at, member in enumerate(members):
            if not (at + 1) % PORTION:
                yield REST
            own = member.matrices if member.major else matrices
            shape = shapes.get((member.type, own))
            if shape is None:
                shape = shapes[member.type, own] = self._shape(member.type, own)
            elif is_bare and shape.matrix is None:
                continue  # what there is to say of one without an offset was said
            part = self._part(member, own, shape, reach)
            reach = max(reach, part.extent.end)
            fault = self._undecorated(type_, part, shape.matrix, is_bare=is_bare)
            wrong = self._misplaced(type_, part, start, members) if fault is None else None
            if wrong is not None:
                misplaced.append(wrong)
            if fault is None and shape.matrix is not None:
                fault = self._badly_strided(type_, part, shape.matrix)
            if fault is not None:
                self._report(fault, type_, member.number)
            stands = fault is None and wrong is None
            if shape.has_parts and (member.offset is not None or member.placed is None):
                inside = start + part.extent.start if stands and start is not None else None
                stands = not (yield self._at(member.type, inside, part.matrices)) and stands
            is_faulty = is_faulty or not stands
            if stands and member.type is not None and member.offset is not None:
                sound.append(part)
        if len(sound) < 2 and not misplaced:
            return is_faulty
        by_number = {part.member.number: part for part in sound}
        if len(sound) >= PORTION:
            yield REST
        kept, found = yield from resting(overlaps([part.extent for part in sound]))
        for at, overlap in enumerate(found, 1):
            if not at % PORTION:
                yield REST
            other = by_number[overlap.other.number]
            misplaced.append(self._overlapping(type_, by_number[overlap.misplaced.number], other))
        yield from resting(self._report_misplaced(type_, misplaced, Room(kept)))
        return is_faulty or bool(found)

    def _shape(self, type_: Type | None, matrices: Matrices) -> _Shape:
        size, matrix, free = self.layouts.size(type_, matrices), self._matrix_in(type_), 0
        if self._mode is Mode.UNALIGNED and matrix is not None and matrices.by_columns:
            free = max(0, matrices.stride - self.layouts.size(matrix.element))
        kind = type_.kind if type_ is not None else None
        is_padded = self._is_padded() and kind in (spv.OpTypeArray, spv.OpTypeStruct)
        has_parts = type_ is not None and (type_.is_struct or type_.is_array)
        return _Shape(self.layouts.align(type_, self._mode, matrices), size, free, matrix, is_padded, has_parts)

    def _part(self, member: Member, matrices: Matrices, shape: _Shape, reach: int) -> _Part:
        """A member and the bytes that it occupies, after others that reach up to `reach`."""
        start = member.offset or 0
        end = start + shape.size
        if end == start and start < reach:
            end += 1  # nothing may begin within another member, whatever its size
        end -= shape.free
        if shape.is_padded:
            end = aligned(end, shape.align)
        return _Part(member, matrices, shape.align, Extent(member.number, start, end))

    def _is_padded(self) -> bool:
        return self._mode not in (Mode.SCALAR, Mode.UNALIGNED)

    def _matrix_in(self, type_: Type | None) -> Type | None:
        found = self._module.without_arrays(type_)
        return found if found is not None and found.is_matrix else None

    # Faults of members

    def _undecorated(self, type_: Type, part: _Part, matrix: Type | None, *, is_bare: bool) -> Finding | None:
        """What a member lacks for its place and that of its columns or rows to be known."""
        member = part.member
        if matrix is None and (member.placed is not None or is_bare):
            return None
        shown = _shown(type_, member.number)
        message = None
        if member.placed is None and not is_bare:
            message = f"{shown} has no Offset{self._or_by_id(type_)}, but {self._where()} requires one"
        if message is None and matrix is not None:
            if not member.major:
                message = f"{shown} contains matrices and must be decorated with RowMajor or ColMajor"
            elif not member.matrices.stride:
                found = self._module.decoration(type_.id, Decoration.MatrixStride, member.number)
                message = f"{shown} contains matrices and must be decorated with MatrixStride"
                if found is not None:
                    message = f"{shown} contains matrices, but its MatrixStride is 0; it must be greater than 0"
        return Finding(type_.record, member.number, message) if message is not None else None

    def _badly_strided(self, type_: Type, part: _Part, matrix: Type) -> Finding | None:
        stride = part.matrices.stride
        align = self.layouts.align(matrix, self._mode, part.matrices)
        if part.matrices.by_columns:
            size, what = self.layouts.size(matrix.element), "column"
        else:
            size, what = self.layouts.size(matrix.scalar) * matrix.count, "row"
        if stride % align == 0 and stride >= size:
            return None
        where = _shown(type_, part.member.number)
        shown = f"%{matrix.id} is {self._module.spell(matrix)} with a MatrixStride of {stride} in {where}"
        why = f"the stride must be at least {size}, the size of a {what}"
        if stride % align:
            why = f"{self._where()} requires a multiple of {align}"
        found = self._module.decoration(type_.id, Decoration.MatrixStride, part.member.number)
        notes = (_note(found),) if found is not None else ()
        fixes = _rewritten(found, "Make the stride", aligned(max(stride, size), align)) if found is not None else ()
        return Finding(matrix.record, RESULT, f"{shown}, but {why}", notes, fixes)

    def _misplaced(self, type_: Type, part: _Part, start: int | None, members: Sequence[Member]) -> _Misplaced | None:
        """What is wrong with the offset of a member by itself, in a structure that begins at `start`."""
        member, offset, align = part.member, part.extent.start, part.align
        if member.type is None or member.offset is None:
            return None
        if member.type.kind == spv.OpTypeRuntimeArray and self._mode is not Mode.UNALIGNED:
            last = next((other for other in reversed(members) if other.offset is not None), member)
            if last is not member:
                found = f"{_shown(type_, member.number)} is a run-time array at offset {offset}"
                more = f"expected an offset greater than {last.offset}, the offset of member {last.number}"
                return _Misplaced(part, f"{found}, {more}", False)
        is_straight = start is None or not ((offset + start) % align or self._straddles(part, start + offset))
        if not offset % align and is_straight:
            return None
        within = f"{offset + start} in %{self._whole} ({offset} in %{type_.id})" if start and not offset % align else offset
        at = f"{_shown(type_, member.number)} is at offset {within}"
        held = self._module.spell(member.type)
        if offset % align or start is None:
            return _Misplaced(part, f"{at}, but {held} requires a multiple of {align}", False)
        if (offset + start) % align:
            return _Misplaced(part, f"{at}, but {held} requires a multiple of {align}", True)
        where = "not cross" if self.layouts.size(member.type) <= 16 else "begin at"
        return _Misplaced(part, f"{at}, but {held} must {where} a 16-byte boundary", start % 16 != 0)

    def _straddles(self, part: _Part, offset: int) -> bool:
        """Whether a member at an offset is a vector that lies across a boundary that it must not lie across."""
        type_ = part.member.type
        if type_ is None or not type_.is_vector or not self._is_padded() or not self.layouts.relaxed:
            return False
        return straddles(offset, self.layouts.size(type_))

    def _overlapping(self, type_: Type, part: _Part, met: _Part) -> _Misplaced:
        other, (_, start, end) = met.extent, part.extent
        at = f"{_shown(type_, part.member.number)} is at offset {start}"
        overlapped = f"overlaps member {other.number}, which"
        if other.start <= start:
            is_padded = other.end - other.start > max(1, self.layouts.size(met.member.type, met.matrices))
            message = f"{at} and {overlapped} ends at byte {other.end - 1}{' with its padding' if is_padded else ''}"
        else:
            message = f"{at}, ends at byte {end - 1} and {overlapped} is at offset {other.start}"
        return _Misplaced(part, message, False)

    def _report_misplaced(self, type_: Type, misplaced: Sequence[_Misplaced], room: Room) -> Generator[None, None, None]:
        has_by_start = False
        is_open = any(member.kind == spv.OpTypeRuntimeArray for member in type_.member_types) if misplaced else False
        for at, (part, message, is_by_start) in enumerate(misplaced, 1):
            if not at % PORTION:
                yield
            if is_by_start and has_by_start:
                continue  # the place of the structure is at fault, and that is one fault
            has_by_start = has_by_start or is_by_start
            placed = part.member.placed
            assert placed is not None
            better = self._better_offset(part, room, is_open=is_open) if not is_by_start else None
            fixes = _rewritten(placed, "Place the member at", better) if better is not None else ()
            self._report(Finding(type_.record, part.member.number, message, (_note(placed),), fixes), type_, part.member.number)

    def _better_offset(self, part: _Part, room: Room, *, is_open: bool) -> int | None:
        """An offset where a member overlaps nothing: the next one, the one after the member that is declared before it, or the one
        after all others; None where there is none. An `is_open` structure has a run-time array, which alone may be there."""
        number, start, end = part.extent
        held = part.member.type
        offered = [start, room.end_of(number - 1), room.end]
        if is_open:
            offered = offered[2:] if held is not None and held.kind == spv.OpTypeRuntimeArray else offered[:2]
        for least in offered:
            nearest = aligned(least, part.align)
            offset = aligned(nearest, 16) if self._straddles(part, nearest) else nearest
            if offset != start and room.is_free(offset, offset + end - start):
                return offset
        return None

    # Faults of arrays

    def _array(self, type_: Type, start: int | None, matrices: Matrices) -> Steps[_Place, bool]:
        found = array_stride(type_, self._module)
        stride = self.layouts.value(found) if found is not None else None
        if found is not None and stride is None:
            return False
        fault = self._badly_spaced(type_, found, stride or 0, matrices)
        if fault is not None:
            self._report(fault, type_)
        if fault is not None or start is None or stride is None:
            return (yield self._at(type_.element, None, matrices)) or fault is not None
        is_faulty = False
        seen: set[int] = set()
        for index in range(max(1, (self.layouts.length(type_) or 1) if type_.kind == spv.OpTypeArray else 1)):
            at = index * stride + start
            if at % 16 in seen:
                break
            seen.add(at % 16)
            is_faulty = (yield self._at(type_.element, at, matrices)) or is_faulty
        return is_faulty

    def _badly_spaced(self, type_: Type, found: AppliedDecoration | None, stride: int, matrices: Matrices) -> Finding | None:
        shown = f"%{type_.id} is {self._module.spell(type_)}"
        if found is None and self._mode is Mode.UNALIGNED and holds_blocks(type_, self._module):
            return None
        if found is None:
            lack = f"without an ArrayStride{self._or_by_id(type_)}"
            return Finding(type_.record, RESULT, f"{shown} {lack}, but {self._where()} requires one")
        align = self.layouts.align(type_, self._mode, matrices)
        size = self.layouts.size(type_.element, matrices)
        if stride and stride % align:
            why = f"{self._where()} requires a multiple of {align}"
        elif stride < max(size, 1):
            why = "the stride must be " + (f"at least {size}, the size of an element" if size else "greater than 0")
        else:
            return None
        message = f"{shown} with an {found.name} of {stride}, but {why}"
        better = aligned(max(stride, size, 1), align)
        return Finding(type_.record, RESULT, message, (_note(found),), _rewritten(found, "Make the stride", better))

    def _where(self) -> str:
        if self._is_untyped and self._storage not in _TYPED_TOO:
            return f"an untyped pointer to {the_class(self._storage)}"
        return f"{'a block in ' if self._storage == StorageClass.Workgroup else ''}{the_class(self._storage)}"

    def _or_by_id(self, type_: Type) -> str:
        """The decoration that may be there instead, if the type holds descriptors and the module may have it."""
        module = self._module
        if not module.has_capability(Capability.DescriptorHeapEXT) or traits.DESCRIPTORS.isdisjoint(module.contents(type_.id)):
            return ""
        return " or ArrayStrideIdEXT" if type_.is_array else " or OffsetIdEXT"


def _shown(type_: Type, number: int) -> str:
    return f"member {number} of %{type_.id}"


def _note(decoration: AppliedDecoration) -> Note:
    return Note(decoration.record, OPCODE, f"{decoration.name} is set here")


def _rewritten(decoration: AppliedDecoration, title: str, number: int) -> tuple[FindingFix, ...]:
    """The quick fix that gives a decoration another literal; none where it has none of its own."""
    index = _LITERAL.get(decoration.record.opcode.value)
    if index is None or decoration.value not in _LITERALS or decoration.group is not None or number > _LARGEST_WORD:
        return ()
    return (FindingFix(f"{title} {number}", (Replace(decoration.record, index, str(number)),), preferred=False),)
