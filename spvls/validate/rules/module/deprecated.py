"""What SPIR-V has put out of use, and still takes (SPIR-V 2.21)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar.records import Version
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding
from spvls.validate.rule import Findings, Scene, instruction_rule

#: By opcode: the version from which on it is deprecated, and what stands in its place.
_OPCODES: dict[str, tuple[Version, str]] = {
    "OpDecorationGroup": ((1, 0), "decorate each target by itself"),
    "OpGroupDecorate": ((1, 0), "decorate each target by itself"),
    "OpGroupMemberDecorate": ((1, 0), "decorate each member by itself"),
    "OpKill": ((1, 6), "use OpTerminateInvocation, or OpDemoteToHelperInvocation where derivatives follow"),
    "OpAtomicCompareExchangeWeak": ((1, 0), "use OpAtomicCompareExchange, which does the same"),
}
_SIMPLE = value("MemoryModel", "Simple")
_WORKGROUP_SIZE = (value("Decoration", "BuiltIn"), value("BuiltIn", "WorkgroupSize"))


@instruction_rule(
    "version/deprecated",
    *_OPCODES,
    "OpMemoryModel",
    "OpDecorate",
    section="2.21",
    severity=Severity.WARNING,
    tags="deprecated",
)
def deprecated(inst: Instruction, scene: Scene) -> Findings:
    """What SPIR-V has deprecated is not used: it may be gone from the next version.

    These are decoration groups, OpAtomicCompareExchangeWeak and the memory model Simple, and from SPIR-V 1.6 on OpKill and
    constants that are decorated WorkgroupSize.

    Bad:  `OpMemoryModel Logical Simple`
    Good: `OpMemoryModel Logical GLSL450`
    """
    version = scene.module.version
    opcode = inst.opcode.name
    if opcode == "OpMemoryModel":
        if inst.operands[1:2] == (_SIMPLE,):
            yield Finding(inst, 1, "the memory model Simple is deprecated: use GLSL450, which contains it")
    elif opcode == "OpDecorate":
        if version >= (1, 6) and inst.operands[1:3] == _WORKGROUP_SIZE:
            yield Finding(inst, 2, "from SPIR-V 1.6 on, WorkgroupSize is deprecated: use the execution mode LocalSizeId")
    else:
        since, instead = _OPCODES[opcode]
        if version >= since and (inst.opcode.last_version is None or version <= inst.opcode.last_version):
            yield Finding(inst, OPCODE, f"{opcode} is deprecated: {instead}")
