"""OpSpecConstantOp: what may be computed when a module is specialized (SPIR-V 2.12, 3.3.7)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables, traits
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import OpSpecConstantOp_Opcode
from spvls.grammar.records import Opcode
from spvls.grammar.traits import VARIABLES
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.operation import Operation
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, Rule, RuleContext, instruction_rule

_KERNEL_ONLY = frozenset(
    {
        spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertFToU, spv.OpConvertUToF, spv.OpConvertPtrToU,
        spv.OpConvertUToPtr, spv.OpGenericCastToPtr, spv.OpPtrCastToGeneric, spv.OpBitcast, spv.OpFNegate, spv.OpFAdd,
        spv.OpFSub, spv.OpFMul, spv.OpFDiv, spv.OpFRem, spv.OpFMod, spv.OpAccessChain, spv.OpInBoundsAccessChain,
        spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain, spv.OpUntypedAccessChainKHR,
        spv.OpUntypedInBoundsAccessChainKHR, spv.OpUntypedPtrAccessChainKHR, spv.OpUntypedInBoundsPtrAccessChainKHR,
    }
)  # fmt: skip
_CHAINS = traits.ACCESS_CHAINS | traits.UNTYPED_ACCESS_CHAINS
_VALUES = CONSTANT_OPCODES | {spv.OpPoisonKHR, spv.OpGraphConstantARM}


def _operation(inst: Instruction) -> Opcode | None:
    number = word_at(inst, OpSpecConstantOp_Opcode)
    return tables.opcode_by_value(number) if number is not None else None


@instruction_rule("constant/spec-operation-is-allowed", spv.OpSpecConstantOp, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def spec_operation_is_allowed(inst: Instruction, context: RuleContext) -> Findings:
    """OpSpecConstantOp may only compute operations that the capabilities of the module allow.

    The consumer evaluates the operation when it creates the pipeline or builds the program. A driver for shaders may not implement
    each operation in constants: it may then fail to create the pipeline.

    The capability Kernel is required by OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem and OpFMod; by OpConvertFToS,
    OpConvertSToF, OpConvertFToU, OpConvertUToF and OpBitcast; by OpConvertPtrToU, OpConvertUToPtr, OpGenericCastToPtr and
    OpPtrCastToGeneric; and by access chains, typed or untyped (SPV_KHR_untyped_pointers). OpQuantizeToF16 requires the capability
    Shader. Before SPIR-V 1.4, OpUConvert requires the capability Kernel or the extension SPV_AMD_gpu_shader_int16. An operation
    that no capability permits is reported by `syntax/specialized-opcode`.
    """
    opcode = _operation(inst)
    module = context.module
    if opcode is None:
        return
    name = opcode.value
    if name in _KERNEL_ONLY:
        if not module.has_capability(Capability.Kernel):
            yield Finding(
                inst, OpSpecConstantOp_Opcode, f"OpSpecConstantOp {opcode.name[2:]} requires the capability Kernel"
            )
    elif name == spv.OpQuantizeToF16 and module.has_capability(Capability.Shader):
        return
    elif name == spv.OpQuantizeToF16:
        yield Finding(inst, OpSpecConstantOp_Opcode, "OpSpecConstantOp QuantizeToF16 requires the capability Shader")
    elif name == spv.OpUConvert and module.version < (1, 4):
        allowed = module.has_capability(Capability.Kernel) or module.has_extension("SPV_AMD_gpu_shader_int16")
        if not allowed:
            needed = "SPIR-V 1.4, the capability Kernel or the extension SPV_AMD_gpu_shader_int16"
            message = f"OpSpecConstantOp UConvert requires {needed}"
            yield Finding(inst, OpSpecConstantOp_Opcode, message)


@instruction_rule("constant/spec-operands-are-constant", spv.OpSpecConstantOp, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def spec_operands_are_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of OpSpecConstantOp must be constants or undefined values.

    The consumer evaluates the operation when it creates the pipeline or builds the program, before any instruction of a function
    has run. Results of such instructions have no value yet. Variables are not constants either, but the rule accepts them in access
    chains, where the specification permits a global variable as Base. The rule accepts OpUndef and OpPoisonKHR in each operation,
    while the specification only permits OpUndef where the operation allows it. Operands that are types, such as that of
    OpCooperativeMatrixLengthNV (SPV_NV_cooperative_matrix), are not checked here. spirv-val does not check that the operands are
    constants. Of each instruction, only the first fault is reported.
    """
    opcode = _operation(inst)
    if opcode is None:
        return
    allowed = _VALUES | VARIABLES if opcode.value in _CHAINS else _VALUES
    for operand_index, operand in enumerate(inst.operands[1:], 1):
        if isinstance(operand, str):
            maker = context.module.definition(operand)
            if maker is not None and maker.type is not None and maker.opcode.value not in allowed:
                subject = Operation(inst, context).subject(operand_index - 1)
                message = f"{subject} is {made_by(maker)}, expected a constant"
                yield Finding(inst, operand_index, message)
                return


def _is_delegated(rule: Rule, opcode: int) -> bool:
    """Whether a rule on an operation does not look at OpSpecConstantOp itself, or leaves this operation out there."""
    return rule.severity is Severity.ERROR and (opcode == spv.OpQuantizeToF16 or spv.OpSpecConstantOp not in (rule.opcodes or ()))


@instruction_rule(
    "constant/spec-operation-is-valid",
    spv.OpSpecConstantOp,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
    after=(spec_operation_is_allowed,),
)
def spec_operation_is_valid(inst: Instruction, context: RuleContext) -> Findings:
    """The operands and result type of OpSpecConstantOp must be valid for the operation.

    OpSpecConstantOp computes what the instruction in a function would compute, so the rules about the types of that instruction
    hold. A driver that evaluates the operation without a check of its own may read operands of the wrong size, and the specialized
    value is then arbitrary. The first error that another rule finds in the operation is reported here; warnings are not. Rules that
    check OpSpecConstantOp themselves usually report by their own names instead. This rule does not check an operation that
    `constant/spec-operation-is-allowed` reports.
    """
    opcode = _operation(inst)
    if opcode is None:
        return
    inner = Instruction(opcode, inst.type, inst.result, inst.operands[1:])
    for rule, finding in context.selection.findings_of(lambda rule: _is_delegated(rule, opcode.value), inner, context):
        operand_index = finding.operand_index + 1 if finding.operand_index >= 0 else finding.operand_index
        yield Finding(inst, operand_index, finding.message, finding.notes, (), finding.vuid or rule.vuid)
        return
