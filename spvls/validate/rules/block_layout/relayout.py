"""Laying out a type in memory anew: the decorations that the rules of its storage class ask for (SPIR-V 2.2.2)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from operator import itemgetter

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.module.module import Module
from spvls.module.recursion import REST, Steps, evaluation_steps
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.steps import PORTION
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.layout_rules import Layouts, Matrices, Member, Mode, aligned, array_stride, holds_blocks, straddles
from spvls.validate.engine.finding import FindingFix, Replace, Step
from spvls.validate.fixes.common import decorating


def relayout(type_: Type, mode: Mode, layouts: Layouts, module: Module) -> Generator[None, None, tuple[FindingFix, ...]]:
    """The quick fix that lays a type, and all that it is made of, out by the rules, in short steps; none where that cannot be.

    Offsets and strides that are good stay; the fix is preferred where nothing that is said has to change.
    """
    plan = _Plan(mode, layouts, module)
    try:
        yield from plan.prepare(type_)
        yield from plan.size(type_, Matrices())
    except _UnknownError:
        return ()
    steps = tuple(plan.steps())
    if not steps:
        return ()
    sure = not any(isinstance(step, Replace) for step in steps)
    return (FindingFix(f"Lay %{type_.id} out by the {mode.value} rules", steps, sure),)


_Part = tuple[Type | None, Matrices]


class _Shape(NamedTuple):
    """What the offset of a part is a multiple of, by the strict rules and by those of the module, and whether it is padded."""

    align: int
    relaxed: int
    is_padded: bool


class _UnknownError(Exception):
    """A part is not known, or laid out in a way that is not to be written anew."""


class _Plan:
    """What is to be written; each type once. What is new is aligned by the strict rules, what is there has to meet those that
    the module is held to."""

    def __init__(self, mode: Mode, layouts: Layouts, module: Module) -> None:
        self._mode = mode
        self._layouts = layouts
        self._strict = layouts.strict()
        self._module = module
        self._replaced: list[Replace] = []
        self._added: dict[str, list[str]] = {}
        self._known: dict[_Part, int] = {}

    def steps(self) -> Iterator[Step]:
        yield from self._replaced
        for target, lines in self._added.items():
            yield from decorating(target, lines, self._module)

    def prepare(self, type_: Type) -> Generator[None, None, None]:
        """In short steps, compute alignments that are asked for later."""
        yield from self._strict.align_steps(type_, self._mode)
        yield from self._layouts.align_steps(type_, self._mode)

    def size(self, type_: Type | None, matrices: Matrices) -> Generator[None, None, int]:
        """In short steps, the bytes that a type takes as planned, whole strides included. Raises _UnknownError."""
        return (yield from evaluation_steps(self._planned, (type_, matrices), self._known, 0))

    def _planned(self, part: _Part) -> Steps[_Part, int]:
        type_, matrices = part
        if type_ is None:
            raise _UnknownError
        if type_.is_struct:
            return (yield from self._struct(type_))
        if type_.is_array:
            return (yield from self._array(type_, matrices))
        if type_.is_matrix:
            return matrices.stride * (type_.count if matrices.by_columns else _rows(type_))
        size = self._layouts.size(type_)
        if size == 0:
            raise _UnknownError
        return size

    def _array(self, type_: Type, matrices: Matrices) -> Steps[_Part, int]:
        align = self._strict.align(type_, self._mode, matrices)
        before = len(self._replaced), sum(map(len, self._added.values()))
        least = aligned((yield type_.element, matrices), align)
        stays = before == (len(self._replaced), sum(map(len, self._added.values())))
        found = array_stride(type_, self._module)
        stride = least
        if found is None and holds_blocks(type_, self._module):
            raise _UnknownError
        if found is None:
            self._add(type_.id, f"OpDecorate %{type_.id} ArrayStride {least}")
        else:
            given = self._layouts.value(found)
            if given is None or found.group is not None or found.value != Decoration.ArrayStride:
                raise _UnknownError
            relaxed = self._layouts.align(type_, self._mode, matrices)
            size = self._layouts.size(type_.element, matrices) if stays else least
            stride = given if given >= size and given % relaxed == 0 else least
            self._put(found.record, 2, given, stride)
        if type_.kind == spv.OpTypeRuntimeArray:
            return 0
        length = self._layouts.length(type_)
        if length is None:
            raise _UnknownError
        return stride * length

    def _struct(self, type_: Type) -> Steps[_Part, int]:
        end = 0
        align = 1
        members = yield from self._layouts.member_steps(type_)
        shapes: dict[_Part, _Shape] = {}
        matrices: dict[Type | None, Type | None] = {}
        for at, member in enumerate(sorted(members, key=itemgetter(0)), 1):  # by number
            if not at % PORTION:
                yield REST
            if member.type not in matrices:
                inner = self._module.without_arrays(member.type)
                matrices[member.type] = inner if inner is not None and inner.is_matrix else None
            matrix = matrices[member.type]
            own = member.matrices if matrix is None else self._matrices(type_, member, matrix)
            shape = shapes.get((member.type, own))
            if shape is None:
                shape = shapes[member.type, own] = self._shape(member.type, own)
                align = max(align, shape.align)
            offset = self._offset(type_, member, shape, end)
            size = self._known.get((member.type, own))
            end = offset + ((yield member.type, own) if size is None else size)
            if shape.is_padded:
                end = aligned(end, shape.align)
        return aligned(end, max(align, self._strict.align(type_, self._mode)))

    def _shape(self, type_: Type | None, matrices: Matrices) -> _Shape:
        is_padded = self._mode is not Mode.SCALAR and type_ is not None and not _is_plain(type_)
        strict, relaxed = (layouts.align(type_, self._mode, matrices) for layouts in (self._strict, self._layouts))
        return _Shape(strict, relaxed, is_padded)

    def _offset(self, type_: Type, member: Member, shape: _Shape, end: int) -> int:
        """The offset of a member behind the `end` of the one before: its own where that will do."""
        placed = member.placed
        least = aligned(end, shape.align)
        if placed is None:
            self._add(type_.id, f"OpMemberDecorate %{type_.id} {member.number} Offset {least}")
            return least
        if placed.group is not None or placed.record.opcode.value != spv.OpMemberDecorate or member.offset is None:
            raise _UnknownError
        good = member.offset >= end and member.offset % shape.relaxed == 0
        if good and member.type is not None and member.type.is_vector and self._mode is not Mode.SCALAR:
            good = not straddles(member.offset, self._layouts.size(member.type))
        offset = member.offset if good else least
        self._put(placed.record, 3, member.offset, offset)
        return offset

    def _matrices(self, type_: Type, member: Member, matrix: Type) -> Matrices:
        """How the matrices of a member are to be laid out."""
        if not member.major:
            self._add(type_.id, f"OpMemberDecorate %{type_.id} {member.number} ColMajor")
        by_columns = member.matrices.by_columns
        align = self._layouts.align(matrix, self._mode, member.matrices)
        part = self._layouts.size(matrix.element) if by_columns else self._layouts.size(matrix.scalar) * matrix.count
        least = aligned(part, align)
        given = member.matrices.stride
        decoration = self._module.decoration(type_.id, Decoration.MatrixStride, member.number)
        if decoration is None:
            self._add(type_.id, f"OpMemberDecorate %{type_.id} {member.number} MatrixStride {least}")
            return Matrices(least, by_columns)
        if decoration.group is not None:
            raise _UnknownError
        stride = given if given >= least and given % align == 0 else least
        self._put(decoration.record, 3, given, stride)
        return Matrices(stride, by_columns)

    def _add(self, target: str, line: str) -> None:
        self._added.setdefault(target, []).append(line)

    def _put(self, record: Instruction, operand_index: int, old: int, new: int) -> None:
        if new != old:
            self._replaced.append(Replace(record, operand_index, str(new)))


def _is_plain(type_: Type) -> bool:
    return type_.is_scalar or type_.is_vector or type_.is_pointer


def _rows(matrix: Type) -> int:
    return matrix.element.count if matrix.element is not None else 0
