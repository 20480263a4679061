"""Arrays (SPIR-V 2.16.1, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration
from spvls.grammar.operand_index import OpTypeArray_ElementType, OpTypeArray_Length
from spvls.module.operand_at import distinct_ids, id_at, id_operands
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_ARRAYS = (spv.OpTypeArray, spv.OpTypeRuntimeArray)


@instruction_rule("type/array-element-is-not-void", *_ARRAYS, section=sections.TYPES)
def array_element_is_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """The element type of an array must not be void.

    Void has no size, so the elements have no positions in memory, and a consumer that multiplies by the size may compute wrong
    addresses. OpTypeArray and OpTypeRuntimeArray are checked.
    """
    element = context.module.type(id_at(inst, OpTypeArray_ElementType))
    if element is not None and element.kind == spv.OpTypeVoid:
        yield Finding(inst, OpTypeArray_ElementType, f"{operand(inst, 0)} is void, which must not be an array element")


@instruction_rule(
    "type/runtime-array-is-outermost",
    *_ARRAYS,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_is_outermost(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a run-time array must not be the element of another array.

    If the elements have no fixed size, a driver cannot compute the address of the second one. The rule applies to elements of
    OpTypeArray and of OpTypeRuntimeArray. Vulkan restricts the types of variables; like spirv-val, the rule reports the array even
    if no variable has its type. Elements that are blocks with a run-time array as the last member are not reported.
    """
    element = context.module.type(id_at(inst, OpTypeArray_ElementType))
    if element is not None and element.kind == spv.OpTypeRuntimeArray:
        message = f"{operand(inst, 0)} is a run-time array, which must not be an array element in Vulkan"
        yield Finding(inst, OpTypeArray_ElementType, message)


@instruction_rule("type/array-length-is-constant", spv.OpTypeArray, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def array_length_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The length of an array must be an integer constant.

    The size must be known when the pipeline or the kernel is created. Specialization constants have their values at that time.
    OpUndef is not a constant here. In shaders, the last member of a storage buffer may be an OpTypeRuntimeArray instead, whose
    length is known only later.
    """
    name = id_at(inst, OpTypeArray_Length)
    module = context.module
    if name is None or module.definition(name) is None or module.is_type(name):
        return
    constant = module.constant(name)
    if constant is None or module.opcode_of(name) == spv.OpUndef:
        message = f"{operand(inst, 1)} is the result of {module.opcode_name_of(name)}, expected an integer constant"
        yield Finding(inst, OpTypeArray_Length, message)
    elif constant.type is not None and not constant.type.is_int:
        what = module.spell(constant.type)
        yield Finding(inst, OpTypeArray_Length, f"{operand(inst, 1)} is {what}, expected an integer constant")


@instruction_rule("type/array-length-is-positive", spv.OpTypeArray, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def array_length_is_positive(inst: Instruction, context: RuleContext) -> Findings:
    """The length of an array must be at least 1.

    Each access to an array without elements is out of bounds. A negative length that a consumer reads as an unsigned number may
    request gigabytes of memory. OpConstant and OpConstantNull are checked here. For the defaults of specialization constants, see
    `type/default-array-length-is-positive`.
    """
    name = id_at(inst, OpTypeArray_Length)
    constant = context.module.constant(name)
    if constant is None or constant.type is None or not constant.type.is_int:
        return
    if constant.record.opcode.value not in (spv.OpConstant, spv.OpConstantNull):
        return
    if isinstance(constant.value, int) and constant.value < 1:
        yield Finding(inst, OpTypeArray_Length, f"{operand(inst, 1)} is {constant.value}, expected at least 1")


@instruction_rule(
    "type/default-array-length-is-positive", spv.OpTypeArray, section=sections.SPECIALIZATION, severity=Severity.WARNING
)
def default_array_length_is_positive(inst: Instruction, context: RuleContext) -> Findings:
    """The default of a specialization constant that is the length of an array must be at least 1.

    If the application does not set the constant, a driver may fail to create the pipeline or the kernel. A result of
    OpSpecConstantOp is checked too, where it can be computed, even if no specialization constant is an operand of it.

    A warning, because by the specification the default values of specialization constants do not make a module invalid. spirv-val
    does not check them.
    """
    name = id_at(inst, OpTypeArray_Length)
    constant = context.module.constant(name)
    if constant is None or constant.type is None or not constant.type.is_int:
        return
    if constant.specialized and isinstance(constant.value, int) and constant.value < 1:
        yield Finding(inst, OpTypeArray_Length, f"{operand(inst, 1)} is {constant.value} by default, expected at least 1")


@instruction_rule(
    "type/runtime-array-is-last-member",
    spv.OpTypeStruct,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_is_last_member(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a run-time array in a structure must be the last member of a Block or BufferBlock.

    The array extends to the end of the buffer, so a member after it has no position. The size of the buffer is known only for
    structures that describe a whole buffer, which the decorations Block and BufferBlock say. SPIR-V itself requires
    the largest Offset, not the last place; outside of Vulkan, `block-layout/runtime-array-has-largest-offset` checks this.

    As in spirv-val, each OpTypeStruct is checked, even if no variable has its type, while Vulkan only speaks of variables. Only
    members that are run-time arrays themselves are checked, not structures or arrays that end in one.
    """
    module = context.module
    arrays = {name for _, name in distinct_ids(inst) if module.opcode_of(name) == spv.OpTypeRuntimeArray}
    members = id_operands(inst) if arrays else []
    for operand_index, name in members:
        if name not in arrays or inst.result is None:
            continue
        if operand_index != members[-1][0]:
            message = f"member {operand_index} of %{inst.result} is a run-time array, which must be the last member"
            yield Finding(inst, operand_index, message)
        elif not any(module.has_decoration(inst.result, wanted) for wanted in (Decoration.Block, Decoration.BufferBlock)):
            needed = "Block" if module.version > (1, 3) else "Block, or BufferBlock for the storage class Uniform"
            message = f"%{inst.result} has the run-time array %{name} and must be decorated with {needed}"
            yield Finding(inst, operand_index, message)
        return
