"""Completeness, by SPIR-V itself (SPIR-V 2.2.2, 3.3.6)."""

from __future__ import annotations

from itertools import pairwise

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.module.decorations import AppliedDecoration
from spvls.module.module import Module
from spvls.module.operand_at import distinct_ids, id_operands
from spvls.module.recursion import Steps, evaluate
from spvls.module.storage_class import storage_name
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.type.array import runtime_array_is_last_member

_LAID_OUT = frozenset({StorageClass.Uniform, StorageClass.PushConstant, StorageClass.StorageBuffer})
_PHYSICAL = StorageClass.PhysicalStorageBuffer
_OWN_LAYOUT = (Decoration.GLSLShared, Decoration.GLSLPacked, Decoration.CPacked)


@instruction_rule(
    "block-layout/layout-is-complete",
    spv.OpVariable,
    spv.OpTypePointer,
    section=sections.TYPES,
    severity=Severity.WARNING,
    apis="!vulkan",
)
def layout_is_complete(inst: Instruction, context: RuleContext) -> Findings:
    """Data in buffers and push constants must have a complete layout.

    The application and the shader access the same bytes. Where an offset or a stride is missing, consumers may assume different
    layouts, and each reads values that the other has not written there.

    Members must have offsets that do not overlap, arrays an ArrayStride greater than 0, and members with matrices a MatrixStride
    greater than 0 and RowMajor or ColMajor. The rule does not check alignment, which the client API defines. In Vulkan, another
    rule checks the layout.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or context.is_in_function:
        return
    pointer = module.type(inst.type if inst.opcode.value == spv.OpVariable else inst.result)
    if pointer is None or pointer.kind != spv.OpTypePointer:
        return
    if inst.opcode.value == spv.OpTypePointer:
        if pointer.storage != _PHYSICAL or not module.has_values(pointer.id):
            return
    elif pointer.storage not in _LAID_OUT:
        return
    data = pointer.pointee
    if inst.opcode.value == spv.OpVariable:
        data = module.without_arrays(data)
    if data is None or not data.is_composite or any(module.has_decoration(data.id, name) for name in _OWN_LAYOUT):
        return
    fault = _Layout(module).fault(data)
    if fault is not None:
        operand_index = TYPE if inst.opcode.value == spv.OpVariable else OPCODE
        yield Finding(inst, operand_index, f"data in {storage_name(pointer.storage)} must have a layout, and {fault}")


_Part = tuple[Type | None, tuple[int, bool]]
"""A type, and how its matrices are laid out: their stride, and whether by columns."""


class _Layout:
    """What lacks to the layout of a type and of its parts; each part is looked at once."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._faults: dict[Type | None, str | None] = {}
        self._sizes: dict[_Part, int | None] = {}

    def fault(self, type_: Type | None) -> str | None:
        return evaluate(self._fault, type_, self._faults, None)

    def _fault(self, type_: Type | None) -> Steps[Type | None, str | None]:
        if type_ is None:
            return None
        if type_.is_struct:
            return (yield from self._struct(type_))
        if type_.is_array:
            stride = self._word(self._module.decoration(type_.id, Decoration.ArrayStride))
            if stride is None and not self._module.has_decoration(type_.id, Decoration.ArrayStrideIdEXT):
                return f"the array %{type_.id} has no ArrayStride"
            return f"the ArrayStride of %{type_.id} is 0" if stride == 0 else (yield type_.element)
        return None

    def _struct(self, struct: Type) -> Steps[Type | None, str | None]:
        places: list[tuple[int, int, int]] = []
        for member, type_ in enumerate(struct.members):
            offset = self._module.decoration(struct.id, Decoration.Offset, member)
            if offset is None and self._module.decoration(struct.id, Decoration.OffsetIdEXT, member) is None:
                return f"member {member} of %{struct.id} has no Offset"
            fault = self._matrices(struct, member, type_) or (yield type_)
            if fault is not None:
                return fault
            start, size = self._word(offset), self._size(type_, self._stride(struct, member))
            if start is not None and size:
                places.append((start, size, member))
        places.sort()
        for (start, size, member), (after, _, other) in pairwise(places):
            if after < start + size:
                return f"members {member} and {other} of %{struct.id} overlap at byte {after}"
        return None

    def _matrices(self, struct: Type, member: int, type_: Type | None) -> str | None:
        type_ = self._module.without_arrays(type_)
        if type_ is None or not type_.is_matrix:
            return None
        stride = self._word(self._module.decoration(struct.id, Decoration.MatrixStride, member))
        if not stride:
            return f"the MatrixStride of member {member} of %{struct.id} is {'missing' if stride is None else 0}"
        if not any(self._module.decoration(struct.id, major, member) for major in (Decoration.RowMajor, Decoration.ColMajor)):
            return f"member {member} of %{struct.id} is a matrix and neither RowMajor nor ColMajor"
        return None

    def _stride(self, struct: Type, member: int) -> tuple[int, bool]:
        stride = self._word(self._module.decoration(struct.id, Decoration.MatrixStride, member)) or 0
        return stride, self._module.decoration(struct.id, Decoration.RowMajor, member) is None

    @staticmethod
    def _word(decoration: AppliedDecoration | None) -> int | None:
        word = decoration.params[0] if decoration is not None and decoration.params else None
        return word if isinstance(word, int) else None

    def _size(self, type_: Type | None, matrices: tuple[int, bool]) -> int | None:
        """Bytes that a type takes up to the end of its last part; None where that is not known."""
        return evaluate(self._sized, (type_, matrices), self._sizes, None)

    def _sized(self, part: _Part) -> Steps[_Part, int | None]:
        type_, matrices = part
        if type_ is None:
            return None
        if type_.is_numeric:
            return type_.width // 8
        if type_.is_vector:
            component = yield type_.element, matrices
            return component * type_.count if component is not None and type_.count else None
        if type_.is_matrix and type_.element is not None:
            stride, by_columns = matrices
            column = yield type_.element, matrices
            rows = type_.element.count
            if column is None or not rows:
                return None
            scalar = column // rows
            return (
                stride * (type_.count - 1) + column if by_columns else stride * (rows - 1) + scalar * type_.count
            )
        if type_.kind == spv.OpTypeArray:
            step = self._word(self._module.decoration(type_.id, Decoration.ArrayStride))
            count = self._module.integer(type_.length_id)
            element = yield type_.element, matrices
            return None if step is None or count is None or element is None else step * (count - 1) + element
        if type_.is_struct:
            ends = []
            for member, inner in enumerate(type_.members):
                offset = self._word(self._module.decoration(type_.id, Decoration.Offset, member))
                size = yield inner, self._stride(type_, member)
                if offset is None or size is None:
                    return None
                ends.append(offset + size)
            return max(ends, default=0)
        return None


@instruction_rule(
    "block-layout/runtime-array-has-largest-offset",
    spv.OpTypeStruct,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(runtime_array_is_last_member,),
)
def runtime_array_has_largest_offset(inst: Instruction, context: RuleContext) -> Findings:
    """A run-time array must have the largest Offset in its structure.

    The array extends to the end of the buffer. A member with a larger offset would be inside of the array, so that writing an
    element changes the member.

    A warning, because spirv-val only checks this in Vulkan, where another rule reports it as an error.
    """
    module = context.module
    if module.environment.api == "vulkan":
        return
    names = {name for _, name in distinct_ids(inst) if module.opcode_of(name) == spv.OpTypeRuntimeArray}
    if not names or inst.result is None:
        return
    arrays = [operand_index for operand_index, name in id_operands(inst) if name in names]
    offsets = {
        found.member: found.params[0]
        for found in module.decorations(inst.result)
        if found.value == Decoration.Offset and found.member is not None and found.params and isinstance(found.params[0], int)
    }
    for operand_index in arrays:
        own = offsets.get(operand_index)
        behind = next((member for member, offset in sorted(offsets.items()) if own is not None and offset > own), None)
        if behind is not None:
            message = (
                f"the run-time array is at offset {own} and must be after member {behind}, which is at offset {offsets[behind]}"
            )
            yield Finding(inst, operand_index, message)
            return
