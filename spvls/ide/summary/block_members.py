"""How structures lie in memory: their members with offsets and sizes, in bytes (SPIR-V 3.2.18, Offset and its like)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.validate.checks.layout_rules import Layouts, Member, array_stride
from spvls.validate.engine.options import Options

_DEEPEST = 6
_MOST = 2000
"""This many members are listed at most, those of inner structures included."""


class BlockMember(NamedTuple):
    """A member of a structure.

    `offset` counts from the start of the structure that it is a member of, None where the module does not say it or where it can
    be specialized; `size` is None where it is not known, as for an array without a length, whose elements are `stride` apart.
    `members` are those of the structure that it is, or is an array of.
    """

    place: int
    name: str
    type: str
    offset: int | None
    size: int | None
    stride: int | None
    matrix_stride: int | None
    row_major: bool
    decorations: tuple[str, ...]
    members: tuple[BlockMember, ...]


class BlockLayout(NamedTuple):
    """A structure by its name; `size` is that of all before `unbounded`, an array without a length at its end."""

    id: str
    name: str
    size: int
    unbounded: bool
    members: tuple[BlockMember, ...]


class BlockReader:
    """Reads the layouts of the structures of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._layouts = Layouts(module, Options())
        self._left = _MOST

    def block(self, type_: Type | None) -> BlockLayout | None:
        """The layout of a structure, or of the structures that an array is of; None for other types."""
        structure = _inner(type_)
        if structure is None:
            return None
        self._left = _MOST
        members = self._members(structure, 0)
        last = max(members, key=lambda member: -1 if member.offset is None else member.offset, default=None)
        unbounded = last is not None and last.size is None
        name = self._module.declarations.names.get(structure.id, f"%{structure.id}")
        return BlockLayout(structure.id, name, self._layouts.size(structure), unbounded, members)

    def _members(self, structure: Type, depth: int) -> tuple[BlockMember, ...]:
        if depth > _DEEPEST or self._left <= 0:
            return ()
        known = sorted(self._layouts.members(structure), key=lambda member: member.number)[: self._left]
        self._left -= len(known)
        return tuple(self._member(structure, member, depth) for member in known)

    def _member(self, structure: Type, member: Member, depth: int) -> BlockMember:
        type_ = member.type
        inner = _inner(type_)
        array = type_ if type_ is not None and type_.is_array else None
        stride = array_stride(array, self._module) if array is not None else None
        own = [found for found in self._module.decorations(structure.id) if found.member == member.number]
        size = self._layouts.size(type_, member.matrices)
        return BlockMember(
            member.number,
            self._module.declarations.member_names.get((structure.id, member.number), ""),
            self._module.spell(type_),
            member.offset,
            size if size and not _is_unbounded(type_) else None,
            self._layouts.value(stride) if stride is not None else None,
            member.matrices.stride or None,
            not member.matrices.by_columns,
            tuple(found.name for found in own if found.value not in _LAYOUT),
            self._members(inner, depth + 1) if inner is not None else (),
        )


_LAYOUT = frozenset({Decoration.Offset, Decoration.OffsetIdEXT, Decoration.MatrixStride, Decoration.RowMajor, Decoration.ColMajor})


def _inner(type_: Type | None) -> Type | None:
    """The structure at the bottom of arrays."""
    for _ in range(_DEEPEST):
        if type_ is None or not type_.is_array:
            break
        type_ = type_.element
    return type_ if type_ is not None and type_.is_struct else None


def _is_unbounded(type_: Type | None) -> bool:
    return type_ is not None and type_.kind == spv.OpTypeRuntimeArray
