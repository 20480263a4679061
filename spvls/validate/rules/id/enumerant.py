"""Constants in the place of enumerants (SPIR-V 3.2)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables, traits
from spvls.grammar.enumerants import MemorySemantics, RayFlags, Scope
from spvls.grammar.records import Opcode
from spvls.module.availability import CAPABILITY
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.capability.requirement import shown

_KINDS = {"IdScope": "Scope", "IdMemorySemantics": "MemorySemantics"}

_INTERSECTION = {1: "RayQueryIntersection"}

#: By opcode: the places of operands whose kind their names alone tell.
_NAMED: dict[int, dict[int, str]] = {
    spv.OpRayQueryInitializeKHR: {2: "RayFlags"},
    spv.OpTraceRayKHR: {1: "RayFlags"},
    spv.OpTypeCooperativeMatrixKHR: {4: "CooperativeMatrixUse"},
    spv.OpCooperativeMatrixLoadKHR: {1: "CooperativeMatrixLayout"},
    spv.OpCooperativeMatrixStoreKHR: {2: "CooperativeMatrixLayout"},
    **dict.fromkeys(
        traits.opcodes(
            "Type T InstanceCustomIndex InstanceId InstanceShaderBindingTableRecordOffset GeometryIndex PrimitiveIndex "
            "Barycentrics FrontFace ObjectRayDirection ObjectRayOrigin ObjectToWorld WorldToObject TriangleVertexPositions",
            "OpRayQueryGetIntersection", "KHR",
        ),
        _INTERSECTION,
    ),
}  # fmt: skip


@cache
def _places(opcode: Opcode) -> tuple[tuple[int, str], ...]:
    """The places of operands that are ids of enumerants, as far as these places do not move; with the kinds."""
    found = [
        (operand_index, _KINDS[operand.kind]) for operand_index, operand in enumerate(opcode.arguments) if operand.kind in _KINDS
    ]
    return (*found, *_NAMED.get(opcode.value, {}).items())


@instruction_rule(
    "id/constant-is-enumerant", section=sections.ENUMERANTS, severity=Severity.WARNING, where=lambda op: bool(_places(op))
)
def constant_is_enumerant(inst: Instruction, context: RuleContext) -> Findings:
    """A constant in the place of an enumerant must have a value that is defined and enabled.

    These operands are ids, so the grammar does not restrict their values. A driver may ignore a value that it does not know, or
    select an arbitrary behavior, such as a scope that is too small for the synchronization.

    The rule checks constants that cannot be specialized: scopes and memory semantics, but not scopes in memory or image operands or
    decorations; the ray flags of OpRayQueryInitializeKHR and OpTraceRayKHR; the Intersection of instructions named
    OpRayQueryGetIntersection…KHR; the Use of OpTypeCooperativeMatrixKHR and the layouts of OpCooperativeMatrixLoadKHR and
    OpCooperativeMatrixStoreKHR. Not reported here are unknown scopes, combinations of defined bits, and the capabilities of some
    values, such as UniformMemory. In Vulkan, AtomicCounterMemory is accepted without its capability.

    A warning, because spirv-val accepts most of these constants.
    """
    module = context.module
    for operand_index, kind in _places(inst.opcode):
        number = module.integer(id_at(inst, operand_index))
        if number is None:
            continue
        number &= 0xFFFFFFFF
        known = enumerants(kind, number)
        covered = 0
        for enumerant in known:
            covered |= enumerant.value
        if (not known or covered != number) and not (number == 0 and tables.kind(kind).category == "mask"):
            if kind == "Scope":
                continue  # an error of another rule
            of = tables.kind(kind)
            if of.category == "mask":
                unknown = number & ~covered
                bits = "bits" if unknown & (unknown - 1) else "bit"
                what = f"{number:#x}, but {of.name} does not define the {bits} {unknown:#x}"
            else:
                what = f"{number}, expected {listed([f'{each.value} ({each.name})' for each in of.all])}"
            yield Finding(inst, operand_index, f"{operand(inst, operand_index)} is {what}")
            return
        for enumerant in known:
            lack = module.availability.of(enumerant)
            of_other_rule = (kind, enumerant.value) in _ELSEWHERE
            ignored = (kind, enumerant.value) == _ATOMIC_COUNTER and module.environment.api == "vulkan"
            if lack is not None and lack.kind is CAPABILITY and not of_other_rule and not ignored:
                what = f"{'has' if len(known) > 1 else 'is'} {shown(enumerant)}, which requires the capability {listed(lack.names)}"
                yield Finding(inst, operand_index, f"{operand(inst, operand_index)} {what}")
                return


#: Enumerants that other rules ask the capability of.
_ELSEWHERE = frozenset(
    {
        ("Scope", Scope.QueueFamily), ("MemorySemantics", MemorySemantics.OutputMemory),
        ("MemorySemantics", MemorySemantics.MakeAvailable), ("MemorySemantics", MemorySemantics.MakeVisible),
        ("MemorySemantics", MemorySemantics.Volatile), ("MemorySemantics", MemorySemantics.UniformMemory),
        ("RayFlags", RayFlags.ForceOpacityMicromap2StateKHR),
    }
)  # fmt: skip
_ATOMIC_COUNTER = ("MemorySemantics", MemorySemantics.AtomicCounterMemory)
