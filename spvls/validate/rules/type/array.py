"""Arrays (SPIR-V 2.16.1, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration
from spvls.grammar.operand_index import OpTypeArray_ElementType, OpTypeArray_Length
from spvls.module.operand_at import id_at, id_operands
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_ARRAYS = (spv.OpTypeArray, spv.OpTypeRuntimeArray)


@instruction_rule("type/array-element-is-not-void", *_ARRAYS, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def array_element_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """The elements of an array have a value: their type is not void."""
    element = context.module.type(id_at(inst, OpTypeArray_ElementType))
    if element is not None and element.kind == spv.OpTypeVoid:
        yield Finding(inst, OpTypeArray_ElementType, "an array cannot be made of void")


@instruction_rule(
    "type/runtime-array-is-outermost",
    *_ARRAYS,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_is_outermost(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan a run-time array is no element of another array.

    Only the outermost dimension may be open: the last member of a block, or an array of descriptors.
    """
    element = context.module.type(id_at(inst, OpTypeArray_ElementType))
    if element is not None and element.kind == spv.OpTypeRuntimeArray:
        yield Finding(
            inst, OpTypeArray_ElementType, f"%{element.id} is {context.module.spell(element)}, which cannot be an element in Vulkan"
        )


@instruction_rule("type/array-length-is-constant", spv.OpTypeArray, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def array_length_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The length of an array is an integer constant, specialization constants among them."""
    name = id_at(inst, OpTypeArray_Length)
    module = context.module
    if name is None or module.definition(name) is None or module.is_type(name):
        return
    constant = module.constant(name)
    if constant is None or module.opcode_of(name) == spv.OpUndef:
        yield Finding(inst, OpTypeArray_Length, f"the length of an array is a constant, and %{name} is none")
    elif constant.type is not None and not constant.type.is_int:
        yield Finding(
            inst, OpTypeArray_Length, f"the length of an array is an integer, and %{name} is {module.spell(constant.type)}"
        )


@instruction_rule("type/array-length-is-positive", spv.OpTypeArray, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def array_length_is_positive(inst: Instruction, context: RuleContext) -> Findings:
    """The length of an array is at least 1; that of a specialization constant by its default."""
    name = id_at(inst, OpTypeArray_Length)
    constant = context.module.constant(name)
    if constant is None or constant.type is None or not constant.type.is_int:
        return
    if constant.record.opcode.value not in (spv.OpConstant, spv.OpSpecConstant, spv.OpConstantNull):
        return
    if isinstance(constant.value, int) and constant.value < 1:
        yield Finding(inst, OpTypeArray_Length, f"an array has at least one element, and %{name} is {constant.value}")


@instruction_rule(
    "type/runtime-array-is-last-member",
    spv.OpTypeStruct,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_is_last_member(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan a run-time array is the last member of a structure that is decorated Block or BufferBlock."""
    module = context.module
    members = id_operands(inst)
    for operand_index, name in members:
        if module.opcode_of(name) != spv.OpTypeRuntimeArray or inst.result is None:
            continue
        if operand_index != members[-1][0]:
            yield Finding(inst, operand_index, "a run-time array is the last member of its structure, and of that only")
        elif not any(module.has_decoration(inst.result, wanted) for wanted in (Decoration.Block, Decoration.BufferBlock)):
            message = f"%{inst.result} holds a run-time array, and is not decorated Block or BufferBlock"
            yield Finding(inst, operand_index, message)
        return
