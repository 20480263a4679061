"""Explicit layout: offsets and strides where a storage class wants them, and none where it does not."""

from __future__ import annotations

from collections.abc import Generator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.recursion import REST, Steps, evaluation_steps
from spvls.module.storage_class import storage_name
from spvls.module.type_walks import parts_and_pointees
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.layout_rules import Layouts, Matrices, Member, Mode, aligned, needs_layout, refuses_layout, straddles
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace, pausing
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.block_layout.block import unmarked
from spvls.validate.rules.block_layout.relayout import relayout

_ARRAYED = frozenset({StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.UniformConstant})
_PHYSICAL = StorageClass.PhysicalStorageBuffer
_WORKGROUP = StorageClass.Workgroup
_HEAPS = frozenset({BuiltIn.SamplerHeapEXT, BuiltIn.ResourceHeapEXT})
_UNTYPED = {
    spv.OpUntypedVariableKHR: 1, spv.OpUntypedAccessChainKHR: 0, spv.OpUntypedInBoundsAccessChainKHR: 0,
    spv.OpUntypedPtrAccessChainKHR: 0, spv.OpUntypedInBoundsPtrAccessChainKHR: 0, spv.OpUntypedArrayLengthKHR: 0,
}  # fmt: skip
"""Where instructions on untyped pointers name the type of the data."""

_REFERENCES = (spv.OpVariable, spv.OpTypePointer, spv.OpBufferPointerEXT, spv.OpLoad, spv.OpStore, *_UNTYPED)
_EXPLICIT = frozenset(
    {
        Decoration.Block, Decoration.BufferBlock, Decoration.Offset, Decoration.OffsetIdEXT, Decoration.ArrayStride,
        Decoration.ArrayStrideIdEXT, Decoration.MatrixStride, Decoration.RowMajor, Decoration.ColMajor,
    }
)  # fmt: skip


class _Reference(NamedTuple):
    """Data in memory: its type, the array of descriptors that it is in, and what its storage class says of layouts."""

    type: Type
    descriptors: Type | None
    storage: int
    mode: Mode
    needs: bool
    refuses: bool


def _is_block(type_: Type | None, module: Module, *decorations: int) -> bool:
    return type_ is not None and type_.is_struct and any(module.has_decoration(type_.id, decoration) for decoration in decorations)


def _reference(inst: Instruction, module: Module, layouts: Layouts) -> _Reference | None:
    opcode = inst.opcode.value
    if opcode == spv.OpVariable:
        pointer = module.type(inst.type)
        data = pointer.pointee if pointer is not None else None
        if pointer is None or data is None:
            return None
        is_heap = inst.result is not None and any(
            found.value == Decoration.BuiltIn and found.params and found.params[0] in _HEAPS
            for found in module.decorations(inst.result)
        )
        is_block = _is_block(data, module, Decoration.Block)
        needs = needs_layout(pointer.storage, is_block=is_block, is_heap=is_heap)
        refuses = refuses_layout(pointer.storage, module, is_block=is_block, is_heap=is_heap)
        descriptors = data if data.is_array and pointer.storage in _ARRAYED else None
        element = data.element if descriptors is not None else data
        if element is None or not (needs or refuses):
            return None
        mode = layouts.mode(pointer.storage, is_buffer_block=_is_block(element, module, Decoration.BufferBlock))
        return _Reference(element, descriptors, pointer.storage, mode, needs, refuses)
    if opcode in (spv.OpTypePointer, spv.OpBufferPointerEXT):
        pointer = module.type(inst.result if opcode == spv.OpTypePointer else inst.type)
        if pointer is None or (
            opcode == spv.OpTypePointer and (pointer.storage != _PHYSICAL or not module.has_values(pointer.id))
        ):
            return None
        return _required(pointer.pointee, None, pointer.storage, module, layouts)
    if not module.has_capability(Capability.UntypedPointersKHR):
        return None
    pointer, data = _untyped(inst, module)
    if pointer is None or data is None or pointer.kind != spv.OpTypeUntypedPointerKHR:
        return None
    array = data if data.is_array and _is_block(data.element, module, Decoration.Block, Decoration.BufferBlock) else None
    return _required(data if array is None else array.element, array, pointer.storage, module, layouts)


def _required(
    data: Type | None, descriptors: Type | None, storage_class: int, module: Module, layouts: Layouts
) -> _Reference | None:
    if data is None:
        return None
    mode = layouts.mode(storage_class, is_buffer_block=_is_block(data, module, Decoration.BufferBlock))
    return _Reference(data, descriptors, storage_class, mode, needs=True, refuses=False)


def _untyped(inst: Instruction, module: Module) -> tuple[Type | None, Type | None]:
    """The type of the pointer and of the data of an instruction that may be on an untyped pointer."""
    match inst.opcode.value:
        case spv.OpLoad:
            return module.type_of(id_at(inst, 0)), module.type(inst.type)
        case spv.OpStore:
            return module.type_of(id_at(inst, 0)), module.type_of(id_at(inst, 1))
        case spv.OpUntypedArrayLengthKHR:
            return module.type_of(id_at(inst, 1)), module.type(id_at(inst, 0))
        case opcode:
            return module.type(inst.type), module.type(id_at(inst, _UNTYPED[opcode]))


@instruction_rule("block-layout/layout-follows-storage-class", *_REFERENCES, section=sections.TYPES, apis="vulkan")
def layout_follows_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, data in buffers and push constants must have the layout that its storage class requires.

    The application and the shader access the same bytes, and the layout says where each value is. Hardware may load a vector or a
    matrix column only from aligned addresses. If values overlap or are not aligned, a device may read other values or return
    zeros.

    Each structure member must have an Offset, each array an ArrayStride, and each member with matrices a MatrixStride and RowMajor
    or ColMajor. Uniform blocks follow the rules of std140; other buffers, push constants and blocks in Workgroup follow those of
    std430. A vector must not extend across a multiple of 16 bytes. Options relax these rules. A run-time array must have the
    largest offset.

    In PhysicalStorageBuffer, which has no variables, the rule checks the pointer types of values.
    """
    opcode = inst.opcode.value
    if opcode in (spv.OpLoad, spv.OpStore):
        if not context.module.has_capability(Capability.UntypedPointersKHR):
            return
    elif opcode == spv.OpTypePointer:
        if inst.operands[:1] != (_PHYSICAL,):
            return
    elif opcode in VARIABLES and unmarked(inst, context.module) is not None:
        return  # said of the block
    if context.options.skip_block_layout:
        return
    checks = context.chunk_state("explicit layout", lambda: _Checks(context.module, context.options))
    reference = _reference(inst, context.module, checks.layouts)
    if reference is not None and reference.needs:
        finding = yield from pausing(checks.run(inst, reference))
        if finding is not None and not (context.is_in_function and _said_globally(reference.type, context.module)):
            yield finding


@instruction_rule(
    "block-layout/layout-is-absent-outside-buffers",
    spv.OpVariable,
    *_UNTYPED,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-None-10684",
    apis="vulkan",
)
def layout_is_absent_outside_buffers(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, data outside of buffers must not have Block, offsets or strides.

    A device places these objects in registers or in memory of its own layout. A driver may either ignore the decorations or follow
    them, which gives two layouts of one type and copies with wrong values.

    The rule applies to UniformConstant, to Workgroup except for blocks, and after SPIR-V 1.4 also to Function and Private. Arrays
    of descriptors must not have a stride either.
    """
    module = context.module
    layouts = context.chunk_state("explicit layout", lambda: _Checks(module, context.options)).layouts
    reference = _reference(inst, module, layouts)
    if reference is None:
        return
    operand_index = TYPE if inst.opcode.value == spv.OpVariable else OPCODE
    descriptors = reference.descriptors
    stride = layouts.stride(descriptors) if descriptors is not None else None
    if descriptors is not None and stride is not None:
        message = f"%{descriptors.id} is an array of descriptors and must not be decorated {stride.name}"
        yield Finding(inst, operand_index, message, (_note(stride),))
    elif reference.refuses:
        found = _laid_out(reference.type, module)
        if found is not None:
            where = storage_name(reference.storage)
            message = (
                f"the variable is in {where}, which does not permit a layout, and the type that it holds is decorated {found.name}"
            )
            yield Finding(inst, operand_index, message, (_note(found),))


def _note(decoration: AppliedDecoration) -> Note:
    return Note(decoration.record, OPCODE, f"{decoration.name} is set here")


def _laid_out(outer: Type, module: Module) -> AppliedDecoration | None:
    """A decoration of layout on a type, or on one of its parts or, by a pointer without layout, on what it leads to."""

    def may_be(type_: Type) -> bool:
        if type_.kind == spv.OpTypePointer:
            return refuses_layout(type_.storage, module, is_block=True, is_heap=False)
        return type_.is_struct or type_.is_array

    for type_ in parts_and_pointees(outer, may_be):
        if type_.kind != spv.OpTypePointer or may_be(type_):
            own = [found for found in module.decorations(type_.id) if found.value in _EXPLICIT]
            if own:
                return module.in_order(own)[0]
    return None


def _said_globally(type_: Type, module: Module) -> bool:
    """Whether a global untyped variable holds the type, so that its layout is looked at there."""
    return any(
        id_at(record, 1) == type_.id for record in module.declarations.records(spv.OpUntypedVariableKHR)
    )


class _Place(NamedTuple):
    """A type by the rules that it is laid out by, where it begins, and how its matrices are laid out."""

    type: Type | None
    mode: Mode
    start: int
    matrices: Matrices


class _Checks:
    """The layouts of one chunk's references; each is looked at once, each type blamed once."""

    def __init__(self, module: Module, options: Options) -> None:
        self.layouts = Layouts(module, options)
        self._repeats = self.layouts.largest_align()
        self._module = module
        self._known: dict[_Place, Finding | None] = {}
        self._starts: dict[_Place, int] = {}
        self._blamed: set[str] = set()
        self._mode = Mode.STANDARD
        self._storage = -1

    def run(self, inst: Instruction, reference: _Reference) -> Generator[None, None, Finding | None]:
        """The finding on a reference, in short steps."""
        self._mode, self._storage = reference.mode, reference.storage
        yield from self.layouts.align_steps(reference.type, reference.mode)
        yield from self.layouts.size_steps(reference.type)
        found = yield from evaluation_steps(self._check, self._at(reference.type, 0, Matrices()), self._known, None)
        if found is not None:  # said once, of all that holds the part at fault
            self._known = dict.fromkeys(self._known)
        if found is None or found.record.result is None or found.record.result in self._blamed:
            return None
        self._blamed.add(found.record.result)
        where = f"laid out for {storage_name(reference.storage)} here, by the {reference.mode.value} rules"
        operand_index = RESULT if inst.result is not None else OPCODE
        fixes = (*found.fixes, *(yield from relayout(reference.type, reference.mode, self.layouts, self._module)))
        return found._replace(notes=(*found.notes, Note(inst, operand_index, where)), fixes=fixes)

    def _at(self, type_: Type | None, start: int, matrices: Matrices) -> _Place:
        """A type that begins at a byte of what holds it, of which only the remainder matters."""
        place = _Place(type_, self._mode, start % self._repeats, matrices)
        self._starts.setdefault(place, start)
        return place

    def _check(self, place: _Place) -> Steps[_Place, Finding | None]:
        type_, matrices = place.type, place.matrices
        if type_ is None:
            return None
        if type_.is_struct:
            return (yield from self._struct(type_, self._starts[place], matrices))
        if type_.is_array:
            return (yield from self._array(type_, self._starts[place], matrices))
        return self._matrix(type_, matrices) if type_.is_matrix else None

    def _struct(self, type_: Type, start: int, matrices: Matrices) -> Steps[_Place, Finding | None]:
        members = yield from self.layouts.member_steps(type_)
        for at, member in enumerate(members):
            if not at % PORTION:
                yield REST
            shown = self._shown(type_, member)
            if member.placed is None:
                return Finding(type_.record, member.number, f"{shown} has no Offset, which {self._where()} requires")
            if _holds_matrix(member.type, self._module) and not member.major:
                return Finding(type_.record, member.number, f"{shown} contains matrices and is neither RowMajor nor ColMajor")
            if _holds_matrix(member.type, self._module) and not member.matrices.stride:
                return Finding(type_.record, member.number, f"{shown} contains matrices and has no MatrixStride greater than 0")
        end = 0
        before: Member | None = None
        for member in members:
            if member.offset is None or member.type is None:
                continue
            if member.type.kind == spv.OpTypeRuntimeArray and member is not members[-1]:
                shown = self._shown(type_, member)
                message = f"{shown} is a run-time array at offset {member.offset}, and member {members[-1].number} is after it"
                return self._moved(type_, member, message, None)
            own = member.matrices if member.major else matrices
            found = self._placed(type_, member, start, own, end, before)
            if found is None:
                found = yield self._at(member.type, start + member.offset, own)
            if found is not None:
                return found
            end = member.offset + self.layouts.size(member.type, own)
            if self._mode is not Mode.SCALAR and member.type.kind in (spv.OpTypeArray, spv.OpTypeStruct):
                end = aligned(end, self.layouts.align(member.type, self._mode, own))
            before = member
        return None

    def _placed(
        self, type_: Type, member: Member, start: int, own: Matrices, end: int, before: Member | None
    ) -> Finding | None:
        """What is wrong with the place of a member, whose matrices are its `own`; `end` is where the member `before` it ends."""
        offset = member.offset or 0
        shown = self._shown(type_, member)
        align = self.layouts.align(member.type, self._mode, own)
        held = self._module.spell(member.type)
        at = f"{shown} is at offset {offset}"
        if offset % align:
            return self._moved(type_, member, f"{at}, and {held} requires a multiple of {align}", aligned(offset, align))
        if (offset + start) % align:
            within = f"{at} of a structure at offset {start}, and {held} requires a multiple of {align} in total"
            return self._moved(type_, member, within, None)
        if offset < end and before is not None:
            message = f"{at} and overlaps member {before.number} of %{type_.id}, which ends at {end - 1}"
            return self._moved(type_, member, message, aligned(end, align))
        vector = member.type is not None and member.type.is_vector
        relaxed = self._mode is not Mode.SCALAR and self.layouts.relaxed
        if vector and relaxed and straddles(start + offset, self.layouts.size(member.type)):
            message = f"{at}, where {held} extends across a multiple of 16 bytes"
            return self._moved(type_, member, message, aligned(offset, 16))
        return None

    def _moved(self, type_: Type, member: Member, message: str, better: int | None) -> Finding:
        placed = member.placed
        assert placed is not None
        notes = (_note(placed),)
        fixes: tuple[FindingFix, ...] = ()
        in_a_word = better is not None and better <= 0xFFFFFFFF
        if in_a_word and placed.record.opcode.value == spv.OpMemberDecorate and placed.value == Decoration.Offset:
            fixes = (FindingFix(f"Place the member at {better}", (Replace(placed.record, 3, str(better)),), preferred=False),)
        return Finding(type_.record, member.number, message, notes, fixes)

    def _array(self, type_: Type, start: int, matrices: Matrices) -> Steps[_Place, Finding | None]:
        found = self.layouts.stride(type_)
        shown = f"%{type_.id} is {self._module.spell(type_)}"
        if found is None:
            return Finding(type_.record, RESULT, f"{shown} without an ArrayStride, which {self._where()} requires")
        stride = self.layouts.value(found)
        if stride is None:
            return None
        align = self.layouts.align(type_, self._mode, matrices)
        size = self.layouts.size(type_.element, matrices)
        message = None
        if stride == 0:
            message = f"{shown} with a stride of 0, expected at least the size of an element"
        elif stride % align:
            message = f"{shown} with a stride of {stride}, expected a multiple of {align}"
        elif stride < size:
            message = f"{shown} with a stride of {stride}, and an element occupies {size} bytes"
        if message is not None:
            fixes: tuple[FindingFix, ...] = ()
            if found.record.opcode.value == spv.OpDecorate and found.group is None and found.value == Decoration.ArrayStride:
                better = str(aligned(max(stride, size, 1), align))
                fixes = (FindingFix(f"Make the stride {better}", (Replace(found.record, 2, better),), preferred=False),)
            return Finding(type_.record, RESULT, message, (_note(found),), fixes)
        seen: set[int] = set()
        for index in range(max(1, (self.layouts.length(type_) or 1) if type_.kind == spv.OpTypeArray else 1)):
            at = index * stride + start
            if at % 16 in seen:
                break
            seen.add(at % 16)
            inside = yield self._at(type_.element, at, matrices)
            if inside is not None:
                return inside
        return None

    def _matrix(self, type_: Type, matrices: Matrices) -> Finding | None:
        if not matrices.stride:
            return None
        align = self.layouts.align(type_, self._mode, matrices)
        shown = f"%{type_.id} is {self._module.spell(type_)} with a MatrixStride of {matrices.stride}"
        if matrices.stride % align:
            return Finding(type_.record, RESULT, f"{shown}, and {self._where()} requires a multiple of {align}")
        if matrices.by_columns:
            size, what = self.layouts.size(type_.element), "column"
        else:
            size, what = self.layouts.size(type_.scalar) * type_.count, "row"
        if matrices.stride < size:
            return Finding(type_.record, RESULT, f"{shown}, and a {what} occupies {size} bytes")
        return None

    def _shown(self, type_: Type, member: Member) -> str:
        return f"member {member.number} of %{type_.id}"

    def _where(self) -> str:
        return storage_name(self._storage)


def _holds_matrix(type_: Type | None, module: Module) -> bool:
    type_ = module.without_arrays(type_)
    return type_ is not None and type_.is_matrix
