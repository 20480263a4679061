"""Rounding and fast math modes (SPIR-V 2.16.2, 3.2.19)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, FPFastMathMode, FPRoundingMode, StorageClass
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.variable import the_class
from spvls.syntax.instruction import RESULT, Instruction, shown
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.applied import decoration_of
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.rules.entry_point.mode_operand import BELOW_TRANSFORM

_CLASSES = frozenset(
    {
        StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.PushConstant, StorageClass.Input,
        StorageClass.Output, StorageClass.PhysicalStorageBuffer,
    }
)  # fmt: skip
_VULKAN_MODES = frozenset({FPRoundingMode.RTE, FPRoundingMode.RTZ})


@function_rule("decoration/rounded-value-is-only-stored", section=sections.SHADER_VALIDATION_RULES)
def rounded_value_is_only_stored(function: Function, context: RuleContext) -> Findings:
    """With the capability Shader, a value with FPRoundingMode may only be stored, as 16-bit floats.

    The mode says how a number is rounded when it is converted for memory that the application or another stage reads. A device may
    round in the store instruction, so another use of the value may see a number that is not rounded.

    Only results of OpFConvert are checked; on others, `decoration/fits-target-object` reports the decoration. The value must be the
    Object of an OpStore. The pointer of the OpStore must be in StorageBuffer, Uniform, Output or
    PhysicalStorageBuffer; PushConstant and Input are left to `memory/stored-class-is-writable`. What is stored must be a 16-bit
    float or a vector of these. As in spirv-val, uses in OpFConvert, names, decorations and non-semantic instructions are not
    reported.
    """
    module = context.module
    decorated = module.decorated_with(Decoration.FPRoundingMode)
    if not decorated or not module.has_capability(Capability.Shader):
        return
    made = {record.result: record for record in function.records if record.result in decorated}
    reported: set[str] = set()
    for record in function.records if made else ():
        for operand_index, operand in enumerate(record.operands):
            if isinstance(operand, str) and operand in made and operand not in reported:
                if made[operand].opcode.value != spv.OpFConvert:
                    continue  # which is a finding already
                message = _fault(record, operand_index, operand, module)
                if message is not None:
                    reported.add(operand)
                    note = Note(record, operand_index, f"{record.opcode.name} uses %{operand} here")
                    yield Finding(made[operand], RESULT, message, (note,))


def _fault(use: Instruction, operand_index: int, name: str, module: Module) -> str | None:
    opcode = use.opcode.value
    if opcode == spv.OpFConvert or use.opcode.class_ in ("Debug", "Annotation"):
        return None
    if module.is_of_non_semantic_set(use):
        return None
    if opcode != spv.OpStore or operand_index != 1:
        return f"%{name} is decorated with FPRoundingMode and may only be stored, but {use.opcode.name} uses %{name}"
    pointer = module.type_of(id_at(use, 0))
    if pointer is None or not pointer.is_pointer:
        return None
    stored = pointer.pointee if pointer.kind == spv.OpTypePointer else module.type_of(name)
    scalar = stored.scalar if stored is not None else None
    if stored is None:
        return None
    if scalar is None or not scalar.is_float or scalar.width != 16 or stored.is_matrix:
        return f"%{name} is decorated with FPRoundingMode and stored as {module.spell(stored)}, expected f16 or a vector of f16"
    if pointer.storage not in _CLASSES:
        found = f"%{name} is decorated with FPRoundingMode and stored in {the_class(pointer.storage)}"
        return f"{found}, expected Output, Uniform, StorageBuffer or PhysicalStorageBuffer"
    return None


@instruction_rule(
    "decoration/rounding-mode-exists-in-vulkan",
    spv.OpDecorate,
    section=sections.FP_ROUNDING_MODE,
    vuid="VUID-StandaloneSpirv-FPRoundingMode-04675",
    apis="vulkan",
)
def rounding_mode_exists_in_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the decoration FPRoundingMode must be RTE or RTZ.

    RTE rounds to the nearest number, and from the middle between two to the even one; RTZ rounds towards zero. A Vulkan driver need
    not implement the other modes, and may round in another way without a message.
    """
    decoration = decoration_of(inst)
    if decoration is None or decoration.value != Decoration.FPRoundingMode:
        return
    mode = inst.operands[2] if len(inst.operands) > 2 else None
    if mode not in _VULKAN_MODES:
        given = enumerant_name("FPRoundingMode", mode) if isinstance(mode, int) else str(mode)
        yield Finding(inst, 2, f"the FPRoundingMode of {shown(inst.operands[0])} is {given}, expected RTE or RTZ in Vulkan")


@instruction_rule("decoration/allow-transform-is-complete", spv.OpDecorate, section=sections.FP_FAST_MATH_MODE)
def allow_transform_is_complete(inst: Instruction, context: RuleContext) -> Findings:
    """The decoration FPFastMathMode must have AllowContract and AllowReassoc if it has AllowTransform.

    AllowTransform, of SPV_KHR_float_controls2, permits what the other two bits permit, and more. A consumer may read each bit on
    its own and take a transformation whose bit is not set as forbidden. `entry-point/mode-ids-are-constant` checks the same in
    FPFastMathDefault.
    """
    if inst.operands[1:2] != (_FAST_MATH_MODE,):
        return
    bits = inst.operands[2] if len(inst.operands) > 2 else 0
    if isinstance(bits, int) and bits & FPFastMathMode.AllowTransform:
        lacking = [name for name, bit in BELOW_TRANSFORM.items() if not bits & bit]
        if lacking:
            has = f"the FPFastMathMode of {shown(inst.operands[0])} has AllowTransform"
            yield Finding(inst, 2, f"{has}, which also requires {' and '.join(lacking)}")


_FAST_MATH_MODE = Decoration.FPFastMathMode
