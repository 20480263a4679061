"""What extensions deprecate, and what a later entry of the grammar replaces, as advice (SPIR-V 2.21)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import tables
from spvls.grammar.deprecation import Deprecation, deprecations
from spvls.grammar.keys import resolve
from spvls.grammar.records import Entity, Enumerant, Opcode
from spvls.module.availability import CAPABILITY
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import declared_operands, enumerants
from spvls.validate.extended import RUNS
from spvls.validate.finding import Finding, Mend, Replace
from spvls.validate.rule import Findings, Scene, instruction_rule, rules


@cache
def _values() -> dict[tuple[str, int], Deprecation]:
    """Deprecated enumerants by kind and value."""
    found: dict[tuple[str, int], Deprecation] = {}
    for key, known in deprecations().items():
        subject = resolve(key)
        if subject is not None and isinstance(subject.record, Enumerant):
            found[subject.record.kind, subject.record.value] = known
    return found


@cache
def _numbers() -> frozenset[int]:
    return frozenset(value for _, value in _values())


def _is_deprecated(opcode: Opcode) -> bool:
    """Whether an opcode is deprecated, unless that is a warning anyway."""
    return opcode.name in deprecations() and opcode.name not in (rules()["version/deprecated"].opcodes or ())


@instruction_rule(
    "deprecation/opcode", where=_is_deprecated, section="2.21", severity=Severity.HINT, tags="deprecated"
)
def opcode(inst: Instruction, scene: Scene) -> Findings:
    """No instruction is used that a declared extension deprecates, or that another instruction replaces.

    Told only to those who want advice, as editors do, and where the module may use what takes its place.

    Bad:  `%p = OpUndef %float` in a module that declares SPV_KHR_poison_freeze.
    Good: `%p = OpPoisonKHR %float` and `%f = OpFreezeKHR %float %p`
    """
    known = deprecations()[inst.opcode.name]
    if _counts(known, scene):
        yield _finding(inst, OPCODE, inst.opcode, known)


@instruction_rule(
    "deprecation/enumerant",
    "OpExecutionMode",
    "OpDecorate",
    "OpMemberDecorate",
    section="2.21",
    severity=Severity.HINT,
    tags="deprecated",
)
def enumerant(inst: Instruction, scene: Scene) -> Findings:
    """No execution mode and no decoration is used that a declared extension deprecates, or that others replace.

    Told only to those who want advice, as editors do, and where the module may use what takes its place.

    Bad:  `OpDecorate %block BufferBlock` in a module of SPIR-V 1.3.
    Good: `OpDecorate %block Block`, and variables of it in the storage class StorageBuffer.
    """
    if _numbers().isdisjoint(operand for operand in inst.operands if isinstance(operand, int)):
        return
    for at, (declared, operand) in enumerate(declared_operands(inst)):
        for entity in enumerants(declared.kind, operand) if isinstance(operand, int) else ():
            known = _values().get((entity.kind, entity.value))
            if known is not None and _counts(known, scene):
                yield _finding(inst, at, entity, known)


@instruction_rule(
    "deprecation/extended-instruction", *RUNS, section="2.21", severity=Severity.HINT, tags="deprecated"
)
def extended_instruction(inst: Instruction, scene: Scene) -> Findings:
    """No extended instruction is used that a declared extension deprecates. Told only to those who want advice.

    Bad:  `%r = OpExtInst %float %opencl fma %a %b %c` in a module that declares SPV_KHR_fma.
    Good: `%r = OpFmaKHR %float %a %b %c`
    """
    found = scene.module.extended_instruction(inst) if scene.options.advice else None
    key = ".".join(found) if found is not None else ""
    known = deprecations().get(key)
    subject = resolve(key) if known is not None and _counts(known, scene) else None
    if known is not None and subject is not None:
        yield _finding(inst, 1, subject.record, known)


def _counts(known: Deprecation, scene: Scene) -> bool:
    """Whether a deprecation holds in the module, which could use one of the replacements as it is or with a capability more."""
    if not scene.options.advice:
        return False
    if known.extension is not None:
        return scene.module.has_extension(known.extension)
    return any(all(_usable(entity, scene) for entity in way) for way in known.entities())


def _usable(entity: Entity, scene: Scene) -> bool:
    availability = scene.module.availability
    lack = availability.of(entity)
    if lack is None or lack.kind is not CAPABILITY:
        return lack is None
    capabilities = map(tables.kind("Capability").get, lack.names)
    return any(known is not None and availability.of(known) is None for known in capabilities)


def _finding(inst: Instruction, place: int, entity: Entity, known: Deprecation) -> Finding:
    ways = known.entities()
    instead = " or ".join(" with ".join(other.name for other in way) for way in ways)
    by = f" by {known.extension}" if known.extension is not None else ""
    first = ways[0][0]
    mends = (Mend(f"Change to {first.name}", (Replace(inst, place, first.name),)),) if known.same else ()
    return Finding(inst, place, f"{entity.name} is deprecated{by}; use {instead}", mends=mends)
