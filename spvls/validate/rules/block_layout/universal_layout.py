"""Completeness, by SPIR-V itself (SPIR-V 2.2.2, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.module.operand_at import distinct_ids, id_operands
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.layout_rules import Mode
from spvls.validate.engine.finding import Finding, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.block_layout.layout_faults import LayoutFaults

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
    layouts, and the shader may read bytes that the application wrote for another value.

    Members must have offsets and not overlap, arrays, except those of blocks, an ArrayStride of at least an element, and members
    with matrices RowMajor or ColMajor and a MatrixStride of at least a column or row. The rule does not check alignment, which the
    client API defines. In Vulkan, `block-layout/layout-follows-storage-class` checks the layout.

    The rule checks structures that OpVariable holds in Uniform, StorageBuffer and PushConstant, also in outer arrays, whose strides
    are not checked, and the pointer types of values in PhysicalStorageBuffer. Untyped variables, outermost structures decorated
    with GLSLShared, GLSLPacked or CPacked, and modules without Shader are not checked, nor are offsets and strides of unknown
    value, such as specialization constants. The option `skip-block-layout` turns the rule off; except for the sizes of descriptors,
    the others change at most the fix.

    A warning, because spirv-val only checks this in Vulkan.
    """
    module = context.module
    if context.options.skip_block_layout or not module.has_capability(Capability.Shader) or context.is_in_function:
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
    faults = context.chunk_state("universal layout", lambda: LayoutFaults(module, context.options))
    yield from (yield from pausing(faults.of(inst, data, pointer.storage, Mode.UNALIGNED)))


@instruction_rule(
    "block-layout/runtime-array-has-largest-offset",
    spv.OpTypeStruct,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=("type/runtime-array-is-last-member",),
)
def runtime_array_has_largest_offset(inst: Instruction, context: RuleContext) -> Findings:
    """A run-time array must have the largest Offset in its structure.

    The array extends to the end of the buffer. A member with a larger offset would be inside of the array, so that writing an
    element may change the member. Offsets by OffsetIdEXT are not compared, and equal offsets not reported.

    In Vulkan, other rules take the place of this one: `block-layout/layout-follows-storage-class` compares the offsets in the data
    that it checks, and `type/runtime-array-is-last-member` reports an array that is not the last member.

    A warning, because spirv-val only checks this in Vulkan.
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
        behind = max(sorted(offsets), key=lambda member: offsets[member], default=operand_index)
        if own is not None and offsets[behind] > own:
            array = f"member {operand_index} of %{inst.result} is a run-time array at offset {own}"
            message = f"{array}, expected an offset greater than {offsets[behind]}, the offset of member {behind}"
            yield Finding(inst, operand_index, message)
            return
