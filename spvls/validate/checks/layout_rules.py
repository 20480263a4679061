"""Offsets, sizes and alignments of explicitly laid out types (SPIR-V 2.2.2; Vulkan "Offset and Stride Assignment")."""

from __future__ import annotations

from collections.abc import Generator

from spvls.grammar import spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.recursion import REST, Steps, evaluate, evaluation_steps
from spvls.module.types import Type
from spvls.record import Enum, NamedTuple
from spvls.steps import PORTION, completed
from spvls.typed import Any
from spvls.validate.engine.options import Options


class Mode(Enum):
    """The rules of alignment: none, of scalars alone, of std430, of std140."""

    UNALIGNED = "unaligned"
    SCALAR = "scalar"
    STANDARD = "standard (std430)"
    EXTENDED = "extended (std140)"


class Matrices(NamedTuple):
    """How the matrices of a member are laid out: bytes from column to column or, by rows, from row to row; 0 where not said."""

    stride: int = 0
    by_columns: bool = True


class _Aligned(NamedTuple):
    """A type whose alignment is asked for; see `Layouts.align`."""

    type: Type | None
    mode: Mode
    matrices: Matrices = Matrices()
    relaxed: bool = True


_Sized = tuple[Type | None, Matrices]


class Member(NamedTuple):
    """A member of a structure, by its `place` among them.

    `placed` is its Offset, of which `offset` is the value, None where that is specialized; `major` says whether RowMajor or
    ColMajor is there.
    """

    number: int
    type: Type | None
    placed: AppliedDecoration | None
    offset: int | None
    major: bool
    matrices: Matrices


_STANDARD_OR_SCALAR = frozenset(
    {StorageClass.StorageBuffer, StorageClass.PushConstant, StorageClass.UniformConstant, StorageClass.PhysicalStorageBuffer}
)
_LAID_OUT = frozenset(
    {StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.PushConstant, StorageClass.PhysicalStorageBuffer}
)
_UNIFORM, _WORKGROUP, _UNIFORM_CONSTANT = StorageClass.Uniform, StorageClass.Workgroup, StorageClass.UniformConstant
_LOCAL = frozenset({StorageClass.Function, StorageClass.Private})
WITH_RULES = _LAID_OUT | _LOCAL | {_WORKGROUP, _UNIFORM_CONSTANT}
"""The storage classes whose data may need a layout, or refuse one."""

_UNKNOWN_OFFSET = 1 << 32
_MANY = 8 * PORTION
_UNSAID = Matrices()
_SAME = {Decoration.OffsetIdEXT: Decoration.Offset, Decoration.ColMajor: Decoration.RowMajor}
_PLACING = (Decoration.Offset, Decoration.RowMajor, Decoration.MatrixStride)
_OPAQUE = frozenset({spv.OpTypeSampledImage, spv.OpTypeSampler, spv.OpTypeImage})


def needs_layout(storage_class: int, *, is_block: bool, is_heap: bool) -> bool:
    """Whether what a storage class holds has offsets and strides: blocks in Workgroup have, and descriptor heaps."""
    if storage_class == _WORKGROUP:
        return is_block
    return storage_class in _LAID_OUT or (is_heap and storage_class == _UNIFORM_CONSTANT)


def refuses_layout(storage_class: int, module: Module, *, is_block: bool, is_heap: bool) -> bool:
    """Whether what a storage class holds must have neither; Function and Private refuse them after SPIR-V 1.4."""
    if storage_class in (_WORKGROUP, _UNIFORM_CONSTANT):
        return not needs_layout(storage_class, is_block=is_block, is_heap=is_heap)
    return storage_class in _LOCAL and module.version > (1, 4)


class Layouts:
    """Sizes and alignments of the types of a module, as its options ask for; what is asked is kept."""

    def __init__(self, module: Module, options: Options) -> None:
        self._module = module
        self._options = options
        environment = module.environment
        self.relaxed = options.relax_block_layout or (environment.api == "vulkan" and environment.api_version >= (1, 1))
        self._members: dict[str, tuple[Member, ...]] = {}
        self._kinds: dict[str, frozenset[_Sized]] = {}
        self._aligns: dict[_Aligned, int] = {}
        self._sizes: dict[_Sized, int] = {}

    def strict(self) -> Layouts:
        """The same without what relaxes the alignment of vectors."""
        other = Layouts(self._module, self._options)
        other.relaxed = False
        other._members, other._kinds = self._members, self._kinds
        return other

    def mode(self, storage_class: int, *, is_buffer_block: bool) -> Mode:
        """The rules that a storage class follows."""
        options = self._options
        if storage_class == _WORKGROUP:
            return Mode.SCALAR if options.workgroup_scalar_block_layout else Mode.STANDARD
        if storage_class == _UNIFORM or storage_class in _STANDARD_OR_SCALAR:
            if options.scalar_block_layout:
                return Mode.SCALAR
            if storage_class == _UNIFORM and not is_buffer_block and not options.uniform_buffer_standard_layout:
                return Mode.EXTENDED
        return Mode.STANDARD

    # Parts

    def members(self, type_: Type) -> tuple[Member, ...]:
        """The members of a structure in the order of their offsets; those without one come last."""
        return completed(self.member_steps(type_))

    def member_steps(self, type_: Type) -> Generator[Any, Any, tuple[Member, ...]]:
        """The same, in short steps, which are `REST` for a definition."""
        known = self._members.get(type_.id)
        if known is None:
            own: dict[tuple[int, int], list[AppliedDecoration]] = {}
            for found in self._module.decorations(type_.id):
                if found.member is not None:
                    own.setdefault((found.member, _SAME.get(found.value, found.value)), []).append(found)
            decorated = {number for number, _ in own}
            parts: list[Member] = []
            for index, member in enumerate(type_.members):
                if not (index + 1) % PORTION:
                    yield REST
                parts.append(
                    self._member(index, member, own) if index in decorated else Member(index, member, None, None, False, _UNSAID)
                )
            if own:
                parts.sort(key=lambda part: _UNKNOWN_OFFSET if part.offset is None else part.offset)
            known = self._members[type_.id] = tuple(parts)
        return known

    def _member_kinds(self, type_: Type) -> Generator[Any, Any, frozenset[_Sized]]:
        """In short steps, the types of members with how their matrices are laid out, each once."""
        known = self._kinds.get(type_.id)
        if known is None:
            members = yield from self.member_steps(type_)
            found: set[_Sized] = set()
            for at in range(0, len(members), _MANY):
                if at:
                    yield REST
                found.update([(member.type, member.matrices) for member in members[at : at + _MANY]])
            known = self._kinds[type_.id] = frozenset(found)
        return known

    def _member(self, index: int, member: Type | None, own: dict[tuple[int, int], list[AppliedDecoration]]) -> Member:
        placed, major, stride = (_last(own.get((index, decoration)), self._module) for decoration in _PLACING)
        offset = self.value(placed) if placed is not None else None
        bytes_ = (self.value(stride) or 0) if stride is not None else 0
        by_columns = major is None or major.value == Decoration.ColMajor
        return Member(index, member, placed, offset, major is not None, Matrices(bytes_, by_columns))

    def value(self, decoration: AppliedDecoration) -> int | None:
        """The number that a decoration gives; None where it can be specialized."""
        given = decoration.params[0] if decoration.params else None
        if isinstance(given, int):
            return given
        constant = self._module.constant(given)
        if constant is not None and constant.record.opcode.value == spv.OpConstantSizeOfEXT:
            sized = constant.record.operands[0] if constant.record.operands else None
            type_ = self._module.type(sized if isinstance(sized, str) else None)
            opaque = self._opaque(type_) if type_ is not None else None
            return opaque[0] if opaque is not None else None
        return self._module.integer(given)

    def length(self, type_: Type) -> int | None:
        """The elements of an Array, the components of a vector; None where they can be specialized."""
        return type_.count if type_.kind == spv.OpTypeVector else self._module.integer(type_.length_id)

    # Alignment and size, in bytes

    def align(self, type_: Type | None, mode: Mode, matrices: Matrices = Matrices(), relaxed: bool = True) -> int:  # noqa: B008
        """What the offset of a type is a multiple of. Vectors that are not in arrays or matrices may be `relaxed`."""
        return evaluate(self._align, _Aligned(type_, mode, matrices, relaxed), self._aligns, 1)

    def align_steps(self, type_: Type | None, mode: Mode) -> Generator[None, None, int]:
        """The alignment of a type, in short steps."""
        return (yield from evaluation_steps(self._align, _Aligned(type_, mode), self._aligns, 1))

    def _align(self, part: _Aligned) -> Steps[_Aligned, int]:
        type_, mode, matrices, relaxed = part
        if type_ is None or mode is Mode.UNALIGNED:
            return 1
        if type_.is_numeric:
            return type_.width // 8 or 1
        if type_.is_vector:
            scalar = yield _Aligned(type_.element, mode)
            if mode is Mode.SCALAR or (relaxed and self.relaxed):
                return scalar
            return scalar * _padded(self.length(type_) or 1)
        if type_.is_matrix:
            if mode is Mode.SCALAR:
                return (yield _Aligned(type_.scalar, mode))
            if matrices.by_columns:
                found = yield _Aligned(type_.element, mode, relaxed=False)
            else:
                found = (yield _Aligned(type_.scalar, mode)) * _padded(type_.count)
            return _rounded(found, mode)
        if type_.is_array:
            return _rounded((yield _Aligned(type_.element, mode, matrices, relaxed=False)), mode)
        if type_.is_struct:
            most = 1
            for member, own in (yield from self._member_kinds(type_)):
                most = max(most, (yield _Aligned(member, mode, own)))
            return _rounded(most, mode) if type_.member_ids else 1
        if type_.is_pointer:
            return self._pointer()
        opaque = self._opaque(type_)
        return max(opaque[1], 1) if opaque is not None else 1

    def largest_align(self) -> int:
        """A number that is a multiple of every alignment there is, and of 16."""
        options = self._options
        given = (options.sampler_descriptor_layout, options.image_descriptor_layout, options.buffer_descriptor_layout)
        aligns = [int(align) for _, _, align in (text.partition(":") for text in given) if align.isdigit()]
        if not any(aligns):
            return 64
        from math import lcm

        return lcm(64, *filter(None, aligns))

    def size(self, type_: Type | None, matrices: Matrices = Matrices()) -> int:  # noqa: B008
        """The bytes from the beginning of a type to the end of its last part; 0 where they are not known."""
        return evaluate(self._size, (type_, matrices), self._sizes, 0)

    def size_steps(self, type_: Type | None) -> Generator[None, None, int]:
        """The size of a type, in short steps."""
        return (yield from evaluation_steps(self._size, (type_, _UNSAID), self._sizes, 0))

    def _size(self, part: _Sized) -> Steps[_Sized, int]:
        type_, matrices = part
        if type_ is None:
            return 0
        if type_.is_numeric:
            return type_.width // 8
        if type_.is_vector:
            return (yield type_.element, matrices) * (self.length(type_) or 0)
        if type_.kind == spv.OpTypeArray:
            length = self.length(type_)
            if length is None:
                return 0
            element = yield type_.element, matrices
            found = array_stride(type_, self._module)
            stride = self.value(found) if found is not None else None
            return element if stride is None else (length - 1) * stride + element
        if type_.is_matrix:
            if matrices.by_columns:
                return type_.count * matrices.stride
            rows = type_.element.count if type_.element is not None else 1
            return (rows - 1) * matrices.stride + type_.count * (yield type_.scalar, matrices)
        if type_.is_struct:
            members = yield from self.member_steps(type_)
            if not members or members[-1].offset is None:
                return 0
            return members[-1].offset + (yield members[-1].type, members[-1].matrices)
        if type_.is_pointer:
            return self._pointer()
        opaque = self._opaque(type_)
        return opaque[0] if opaque is not None else 0

    def _pointer(self) -> int:
        return 4 if self._module.addressing_model == 1 else 8

    def _opaque(self, type_: Type) -> tuple[int, int] | None:
        """The size and the alignment of a descriptor, as the options say."""
        if type_.kind in _OPAQUE and self._module.has_capability(Capability.BindlessTextureNV):
            for record in self._module.declarations.records(spv.OpSamplerImageAddressingModeNV):
                if record.operands and isinstance(record.operands[0], int):
                    return record.operands[0] // 8, record.operands[0] // 8
        options = self._options
        given = {
            spv.OpTypeSampler: options.sampler_descriptor_layout,
            spv.OpTypeImage: options.image_descriptor_layout,
            spv.OpTypeBufferEXT: options.buffer_descriptor_layout,
            spv.OpTypeAccelerationStructureKHR: options.buffer_descriptor_layout,
        }.get(type_.kind, "")
        size, _, align = given.partition(":")
        return (int(size), int(align)) if size.isdigit() and align.isdigit() else None


def array_stride(type_: Type, module: Module) -> AppliedDecoration | None:
    """The ArrayStride of an array, as a literal or as an id."""
    strides = (Decoration.ArrayStride, Decoration.ArrayStrideIdEXT)
    return _last([found for found in module.decorations(type_.id) if found.value in strides and found.member is None], module)


def holds_blocks(array: Type, module: Module) -> bool:
    """Whether an array is one of blocks, which has no stride (SPIR-V 2.2.2)."""
    element = module.without_arrays(array)
    blocks = (Decoration.Block, Decoration.BufferBlock)
    return element is not None and any(module.has_decoration(element.id, block) for block in blocks)


def aligned(number: int, align: int) -> int:
    """The first multiple of `align` from a number on."""
    return -(-number // align) * align if align else number


def straddles(offset: int, size: int) -> bool:
    """Whether a vector lies across a boundary of 16 bytes that it would not have to cross; an unknown size of 0 does not."""
    if size > 16:
        return offset % 16 != 0
    return size > 0 and offset >> 4 != (offset + size - 1) >> 4


def _last(decorations: list[AppliedDecoration] | None, module: Module) -> AppliedDecoration | None:
    return module.in_order(decorations)[-1] if decorations else None


def _padded(count: int) -> int:
    return 4 if count == 3 or count > 4 else max(count, 1)


def _rounded(align: int, mode: Mode) -> int:
    return aligned(align, 16) if mode is Mode.EXTENDED else align
