"""What a version of SPIR-V has, and what extensions add to it (SPIR-V 2.22)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration
from spvls.grammar.records import Enumerant, Version
from spvls.module.availability import EXTENSION, REMOVED, RESERVED, TOO_EARLY, may_be_removed, may_lack_version
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import BumpVersion, Finding, FindingFix
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import extension_fixes, is_reported, missing_requirement
from spvls.validate.rules.capability.requirement import shown


@instruction_rule("capability/uses-exist-in-version", section=sections.UNIFIED_SPECIFICATION, where=may_lack_version)
def uses_exist_in_version(inst: Instruction, context: RuleContext) -> Findings:
    """Enumerants, and opcodes without a capability, must be in the SPIR-V version or a declared extension.

    A consumer of an older version does not know what is newer, such as SubgroupDispatch of SPIR-V 1.1, and may reject the module.
    Much of it was part of an extension first, and can also be used in older versions by declaring that extension. As in spirv-val,
    an opcode that a capability enables requires only the capability, except OpTerminateInvocation; so OpSizeOf, which SPIR-V 1.1
    added, is not reported in 1.0. The reserved OpImageSparseSampleProj instructions must not be used in any version. Of uses that
    lack the same extension, only the first in a function, or outside of functions, is reported, and if a declared capability lacks
    it too, only the capability. Uses that no extension permits are all reported, but only the first in an instruction. Enumerants
    that only a capability brings, such as MeshEXT, are not checked. What a version removed is reported by
    `capability/uses-are-not-removed`.
    """
    lack = missing_requirement(inst, context)
    if lack is None or lack.kind not in (EXTENSION, TOO_EARLY, RESERVED) or is_reported(lack, context):
        return
    entity = lack.entity
    subject = shown(entity, inst)
    since = f"SPIR-V {_spelled(entity.version)}" if entity.version is not None else ""
    own = f"this module is SPIR-V {_spelled(context.module.version)}"
    match lack.kind:
        case "extension":
            named = listed(lack.names)
            either = f"{since} or the extension {named}; {own}" if since else f"the extension {named}"
            message = f"{subject} requires {either}"
        case "too early":
            message = f"{subject} requires {since}; {own}"
        case _:
            message = f"{subject} is reserved and must not be used"
    fixes = extension_fixes(context.module, lack.names)
    if entity.version is not None:
        title = f"Raise the version to {since}"
        fixes = (*fixes, FindingFix(title, (BumpVersion(inst, entity.version),), preferred=not fixes))
    yield Finding(inst, lack.operand_index, message, fixes=fixes)


@instruction_rule("capability/uses-are-not-removed", section=sections.UNIFIED_SPECIFICATION, where=may_be_removed)
def uses_are_not_removed(inst: Instruction, context: RuleContext) -> Findings:
    """A module must not use an instruction or enumerant that its version of SPIR-V has removed.

    A consumer of this version need not know it, and may reject the module. BufferBlock and OpAtomicCompareExchangeWeak were removed
    after SPIR-V 1.3, OpLessOrGreater after 1.5; the finding names the replacement. An opcode whose capability is not declared is
    left to `capability/uses-are-enabled`. What is only deprecated may be reported by `capability/core-use-is-not-deprecated` or,
    with advice, `capability/opcode-is-not-deprecated` and `capability/enumerant-is-not-deprecated`.
    """
    lack = missing_requirement(inst, context)
    if lack is None or lack.kind is not REMOVED:
        return
    last = _spelled(lack.entity.last_version)
    kind = lack.entity.kind if isinstance(lack.entity, Enumerant) else ""
    successor = _SUCCESSORS.get((kind, lack.entity.value))
    instead = f"; use {successor}" if successor is not None else ""
    yield Finding(inst, lack.operand_index, f"{shown(lack.entity, inst)} was removed after SPIR-V {last}{instead}")


_SUCCESSORS = {
    ("Decoration", Decoration.BufferBlock): "the decoration Block with the storage class StorageBuffer",
    ("", spv.OpLessOrGreater): "OpFOrdNotEqual",
    ("", spv.OpAtomicCompareExchangeWeak): "OpAtomicCompareExchange",
}
"""What stands in place of a removed enumerant, by operand kind and value, or of a removed opcode."""


def _spelled(version: Version | None) -> str:
    return ".".join(map(str, version or ()))
