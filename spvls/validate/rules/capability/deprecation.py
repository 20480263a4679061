"""What SPIR-V itself deprecates and warns of (SPIR-V 2.21)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Decoration, MemoryModel
from spvls.grammar.records import Version
from spvls.grammar.traits import VARIABLES
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

#: By opcode: the version from which on it is deprecated, and what stands in its place.
_OPCODES: dict[int, tuple[Version, str]] = {
    spv.OpDecorationGroup: ((1, 0), "decorate each target directly"),
    spv.OpGroupDecorate: ((1, 0), "decorate each target directly"),
    spv.OpGroupMemberDecorate: ((1, 0), "decorate each member directly"),
    spv.OpKill: ((1, 6), "use OpTerminateInvocation, or OpDemoteToHelperInvocation if derivatives are computed afterward"),
    spv.OpAtomicCompareExchangeWeak: ((1, 0), "use OpAtomicCompareExchange, which does the same"),
}
_SIMPLE = MemoryModel.Simple
_WORKGROUP_SIZE = (Decoration.BuiltIn, BuiltIn.WorkgroupSize)


WARNED = (*_OPCODES, spv.OpMemoryModel, spv.OpDecorate)
"""The opcodes whose deprecation is a warning."""


@instruction_rule(
    "capability/core-use-is-not-deprecated",
    *WARNED,
    section=sections.DEPRECATION,
    severity=Severity.WARNING,
    tags="deprecated",
)
def core_use_is_not_deprecated(inst: Instruction, context: RuleContext) -> Findings:
    """A module must not use decoration groups or certain other things that SPIR-V deprecates.

    A later version of SPIR-V may remove them, and tools that process modules may not support them.

    Checked are OpDecorationGroup, OpGroupDecorate, OpGroupMemberDecorate and the memory model Simple; OpAtomicCompareExchangeWeak
    up to SPIR-V 1.3, after which `capability/uses-are-not-removed` reports it; since SPIR-V 1.6 also OpKill and each OpDecorate
    with the built-in WorkgroupSize, except on variables, which kernels have. The finding names the replacement.

    With advice, `capability/opcode-is-not-deprecated` and `capability/enumerant-is-not-deprecated` report some other things that
    are deprecated.

    A warning, because the module is valid.
    """
    version = context.module.version
    opcode = inst.opcode.value
    if opcode == spv.OpMemoryModel:
        if inst.operands[1:2] == (_SIMPLE,):
            yield Finding(inst, 1, "the memory model Simple is deprecated; use GLSL450 instead")
    elif opcode == spv.OpDecorate:
        if version < (1, 6) or inst.operands[1:2] != _WORKGROUP_SIZE[:1] or inst.operands[1:3] != _WORKGROUP_SIZE:
            return
        if context.module.opcode_of(id_at(inst, 0)) not in VARIABLES:
            message = "the built-in WorkgroupSize on a constant has been deprecated since SPIR-V 1.6"
            yield Finding(inst, 2, f"{message}; use the execution mode LocalSizeId")
    else:
        since, instead = _OPCODES[opcode]
        if version >= since and (inst.opcode.last_version is None or version <= inst.opcode.last_version):
            yield Finding(inst, OPCODE, f"{inst.opcode.name} is deprecated; {instead}")
