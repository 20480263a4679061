"""What versions and extensions deprecate where the module could use what replaces it (SPIR-V 2.21)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.deprecation import Deprecation, deprecations, in_words
from spvls.grammar.enumerants import Decoration, ExecutionMode
from spvls.grammar.keys import resolve
from spvls.grammar.records import Entity, Enumerant, Opcode
from spvls.module.availability import CAPABILITY
from spvls.module.context_dependent import EXTENDED
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import declared_words, enumerants, plain_decoration
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.capability.deprecation import WARNED
from spvls.validate.rules.capability.requirement import shown


@cache
def _values() -> dict[tuple[str, int], Deprecation]:
    """Deprecated enumerants by kind and value."""
    found: dict[tuple[str, int], Deprecation] = {}
    for key, known in deprecations().items():
        subject = resolve(key) if key.count(".") == 1 else None  # else an opcode, or of an extended set
        if subject is not None and isinstance(subject.record, Enumerant):
            found[subject.record.kind, subject.record.value] = known
    return found


@cache
def _numbers() -> frozenset[int]:
    """The values of deprecated enumerants, and of those that may have one as a parameter."""
    kinds = {kind for kind, _ in _values()}
    holders = (entry for name in ("Decoration", "ExecutionMode") for entry in tables.kind(name).all)
    return frozenset(value for _, value in _values()).union(
        entry.value for entry in holders if any(parameter.kind in kinds for parameter in entry.parameters)
    )


def _is_deprecated(opcode: Opcode) -> bool:
    """Whether an opcode is deprecated, unless that is a warning anyway."""
    return opcode.name in deprecations() and opcode.value not in WARNED


@instruction_rule(
    "capability/opcode-is-not-deprecated",
    where=_is_deprecated,
    section=sections.DEPRECATION,
    severity=Severity.HINT,
    tags="deprecated",
)
def opcode_is_not_deprecated(inst: Instruction, context: RuleContext) -> Findings:
    """OpUndef and OpLessOrGreater must not be used where their replacement is available.

    A later version of SPIR-V may remove what is deprecated, as SPIR-V 1.6 removed OpLessOrGreater. OpFOrdNotEqual does the same and
    can take its place. OpUndef may give another value at each use. OpFreezeKHR of OpPoisonKHR gives the same value at each use, but
    only functions may contain OpFreezeKHR. So OpUndef is only reported in functions, and only where the module declares
    SPV_KHR_poison_freeze, which deprecates it. Both OpFreezeKHR and OpPoisonKHR require the capability PoisonFreezeKHR, with which
    each entry point must have the execution mode ArithmeticPoisonKHR.

    Other deprecated opcodes, such as OpGroupDecorate, are reported by `capability/core-use-is-not-deprecated`. Reported only with
    advice, as in editors.

    A hint, because what is deprecated is valid. `capability/uses-are-not-removed` reports what was removed as an error.
    """
    if not context.options.advice:
        return
    known = deprecations()[inst.opcode.name]
    if inst.opcode.value == spv.OpUndef and not context.is_in_function:
        return  # OpFreezeKHR cannot take its place
    if _counts(known, inst.opcode, context):
        yield _finding(inst, OPCODE, inst.opcode, known)


@instruction_rule(
    "capability/enumerant-is-not-deprecated",
    spv.OpExecutionMode,
    spv.OpDecorate,
    spv.OpMemberDecorate,
    section=sections.DEPRECATION,
    severity=Severity.HINT,
    tags="deprecated",
)
def enumerant_is_not_deprecated(inst: Instruction, context: RuleContext) -> Findings:
    """A deprecated execution mode, decoration or fast math bit must not be used where it can be replaced.

    A later version may remove what is deprecated, and tools may support only the replacement.

    Where SPV_KHR_float_controls2 is declared, the rule reports the execution modes SignedZeroInfNanPreserve and ContractionOff, the
    decoration NoContraction and the fast math bit Fast of the decoration FPFastMathMode. The decoration BufferBlock is reported
    where the module may use the storage class StorageBuffer: in SPIR-V 1.3, or with SPV_KHR_storage_buffer_storage_class or
    SPV_KHR_variable_pointers. Only OpExecutionMode, OpDecorate and OpMemberDecorate are checked. Reported only with advice, as in
    editors.

    A hint, because what is deprecated is valid. `capability/uses-are-not-removed` reports what was removed as an error.
    """
    if not context.options.advice:
        return
    if not plain_decoration(inst) and _numbers().isdisjoint(operand for operand in inst.operands if isinstance(operand, int)):
        return
    for at, kind, operand in declared_words(inst):
        for entity in enumerants(kind, operand):
            known = _values().get((entity.kind, entity.value))
            if known is not None and _counts(known, entity, context):
                yield _finding(inst, at, entity, known)


@instruction_rule(
    "capability/extended-instruction-is-not-deprecated",
    *sorted(EXTENDED),
    section=sections.DEPRECATION,
    severity=Severity.HINT,
    tags="deprecated",
)
def extended_instruction_is_not_deprecated(inst: Instruction, context: RuleContext) -> Findings:
    """An extended instruction must not be used where a declared extension deprecates it.

    The extension names another way to write the same operation; later versions may remove the old one.

    Checked are three instructions of OpenCL.std: SPV_KHR_fma replaces fma by OpFmaKHR, and SPV_KHR_float_controls2 replaces
    fmin_common and fmax_common by fmin and fmax with the fast math flags NotNaN and NotInf. Reported only with advice, as in
    editors.
    """
    if not context.options.advice:
        return
    found = context.module.extended_instruction(inst)
    key = ".".join(found) if found is not None else ""
    known = deprecations().get(key)
    subject = resolve(key) if known is not None else None
    if known is not None and subject is not None and _counts(known, subject.record, context):
        yield _finding(inst, 1, subject.record, known)


def _counts(known: Deprecation, entity: Entity, context: RuleContext) -> bool:
    """Whether a deprecation holds in the module, which has the entity and could use one of the replacements as it is or with a
    capability more."""
    if context.module.availability.of(entity) is not None:
        return False
    if known.extension is not None:
        return context.module.has_extension(known.extension)
    return any(all(_usable(entity, context) for entity in way) for way in known.entities())


def _usable(entity: Entity, context: RuleContext) -> bool:
    availability = context.module.availability
    lack = availability.of(entity)
    if lack is None or lack.kind is not CAPABILITY:
        return lack is None
    capabilities = map(tables.kind("Capability").get, lack.names)
    return any(known is not None and availability.of(known) is None for known in capabilities)


_FLAGS = {
    ("Decoration", Decoration.NoContraction): " without AllowContract",
    ("ExecutionMode", ExecutionMode.ContractionOff): " without AllowContract",
    ("ExecutionMode", ExecutionMode.SignedZeroInfNanPreserve): " without NotNaN, NotInf and NSZ",
}
"""The flags of the replacement that keep what the deprecated enumerant asks for."""


def _finding(inst: Instruction, operand_index: int, entity: Entity, known: Deprecation) -> Finding:
    ways = known.entities()
    instead = in_words([[shown(other) for other in way] for way in ways])
    if isinstance(entity, Enumerant):
        instead += _FLAGS.get((entity.kind, entity.value), "")
        if entity.kind == "FPFastMathMode":
            instead = f"the fast math modes {listed([other.name for other in ways[0]], 'and')}"
    by = f" by {known.extension}" if known.extension is not None else ""
    what = "the extended instruction " if inst.opcode.value in EXTENDED else ""
    first = ways[0][0]
    fixes = (FindingFix(f"Change to {first.name}", (Replace(inst, operand_index, first.name),)),) if known.same else ()
    return Finding(inst, operand_index, f"{what}{shown(entity)} is deprecated{by}; use {instead}", fixes=fixes)
