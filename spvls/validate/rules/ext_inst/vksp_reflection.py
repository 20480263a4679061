"""NonSemantic.VkspReflection: how a dispatch was set up; spirv-val checks none of its operands."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.tables import NO_OPCODE
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.operation import is_constant_id
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, operation_of

_SET = "NonSemantic.VkspReflection"

_STRINGS = frozenset({"enabledExtensionNames", "specializationInfoData", "shaderName", "EntryPoint", "name", "pValues"})

#: Floats, which may stand as the integer of the same bits.
_OF_32_BITS = frozenset({"mipLodBias", "maxAnisotropy", "minLod", "maxLod"})


@instruction_rule(
    "ext-inst/vksp-operands-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=(_SET,)
)
def vksp_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """Text operands of NonSemantic.VkspReflection must be OpString, and numbers 32-bit constants.

    A tool reads them to repeat a recorded dispatch. If an operand is something else, the tool may fail or set up another pipeline.

    Text is in the operands enabledExtensionNames, specializationInfoData, shaderName, EntryPoint, name and pValues. A counter that
    is stopped must be the result of StartCounter. Numbers must be constants or specialization constants of type u32; mipLodBias,
    maxAnisotropy, minLod and maxLod may be of any 32-bit integer or float type.

    A warning, because spirv-val does not check the set.
    """
    op = operation_of(inst, context, _SET)
    if op is None:
        return
    for at in range(len(op.instruction.operands)):
        name = op.id(at)
        opcode = op.module.opcode_of(name)
        if name is None or opcode == NO_OPCODE:
            continue
        role, type_ = op.role(at), op.type(at)
        if role in _STRINGS:
            expected = "" if opcode == spv.OpString else "an OpString"
        elif role == "counter":
            definition = op.module.definition(name)
            ran = op.module.extended_instruction(definition) if definition is not None else None
            expected = "" if ran is not None and ran[1] == "StartCounter" else "a StartCounter"
        elif role in _OF_32_BITS:
            is_right = type_ is not None and type_.is_numeric and type_.width == 32
            expected = "" if is_right and is_constant_id(op.module, name) else "a constant of a 32-bit integer or float type"
        else:
            is_right = type_ is not None and type_.is_int and type_.width == 32 and not type_.signed
            expected = "" if is_right and is_constant_id(op.module, name) else "a constant of type u32"
        if expected:
            shown = f"an {op.module.opcode_name_of(name)}" + ("" if type_ is None else f" of type {op.spell(type_)}")
            yield op.fault(at, f"{op.subject(at)} is {shown}, expected {expected}")
            return
