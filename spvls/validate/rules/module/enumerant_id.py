"""Enumerants that come as ids: what a constant of a kind can be (SPIR-V 3.2.24, 3.2.26, 3.2.31 and following)."""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.module.availability import CAPABILITY
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants, value
from spvls.validate.finding import Finding
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.rules.module.capability import shown
from spvls.validate.wording import listed

_KINDS = {"IdScope": "Scope", "IdMemorySemantics": "MemorySemantics"}

#: By opcode: the places of operands whose kind their names alone tell.
_NAMED: dict[str, dict[int, str]] = {
    "OpRayQueryInitializeKHR": {2: "RayFlags"},
    "OpTraceRayKHR": {1: "RayFlags"},
    "OpTypeCooperativeMatrixKHR": {4: "CooperativeMatrixUse"},
    "OpCooperativeMatrixLoadKHR": {1: "CooperativeMatrixLayout"},
    "OpCooperativeMatrixStoreKHR": {2: "CooperativeMatrixLayout"},
    **{
        f"OpRayQueryGetIntersection{what}KHR": {1: "RayQueryIntersection"}
        for what in (
            "Type", "T", "InstanceCustomIndex", "InstanceId", "InstanceShaderBindingTableRecordOffset", "GeometryIndex",
            "PrimitiveIndex", "Barycentrics", "FrontFace", "ObjectRayDirection", "ObjectRayOrigin", "ObjectToWorld",
            "WorldToObject", "TriangleVertexPositions",
        )
    },
}  # fmt: skip


@cache
def _places(opcode: Opcode) -> tuple[tuple[int, str], ...]:
    """The places of operands that are ids of enumerants, as far as these places do not move; with the kinds."""
    found = [
        (place, _KINDS[operand.kind]) for place, operand in enumerate(opcode.arguments) if operand.kind in _KINDS
    ]
    return (*found, *_NAMED.get(opcode.name, {}).items())


@instruction_rule("enum/constant-value", section="3.2", severity=Severity.WARNING, where=lambda op: bool(_places(op)))
def constant_value(inst: Instruction, scene: Scene) -> Findings:
    """A constant in the place of an enumerant is one, and the module may use it.

    Scopes, memory semantics, ray flags and the like are ids, so that no reader of the text or of the binary sees to that. What
    the reference validator refuses among scopes and semantics is an error of other rules.

    Bad:  `%t = OpRayQueryGetIntersectionTypeKHR %uint %query %uint_4`
    Good: `%uint_1`, which is RayQueryCommittedIntersectionKHR
    """
    module = scene.module
    for place, kind in _places(inst.opcode):
        number = module.integer(id_at(inst, place))
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
            yield Finding(inst, place, f"%{inst.operands[place]!s} is {number}, which is no {kind}")
            return
        for enumerant in known:
            lack = module.availability.of(enumerant)
            ignored = enumerant.name == "AtomicCounterMemory" and module.environment.api == "vulkan"
            if lack is not None and lack.kind is CAPABILITY and enumerant.name not in _ELSEWHERE and not ignored:
                needed = f"the capability {listed(lack.names)}"
                yield Finding(inst, place, f"%{inst.operands[place]!s} is {shown(enumerant)}, which takes {needed}")
                return


#: Enumerants that other rules ask the capability of.
_ELSEWHERE = frozenset(
    {
        "QueueFamily", "OutputMemory", "MakeAvailable", "MakeVisible", "Volatile", "UniformMemory",
        "ForceOpacityMicromap2StateKHR", "OutputMemoryKHR", "MakeAvailableKHR", "MakeVisibleKHR", "QueueFamilyKHR",
    }
)  # fmt: skip

_REPEATING = frozenset(value("SamplerAddressingMode", name) for name in ("Repeat", "RepeatMirrored"))


@instruction_rule("enum/sampler-repeat-normalized", "OpConstantSampler", section="3.2.8", severity=Severity.WARNING)
def repeat_normalized(inst: Instruction, scene: Scene) -> Findings:
    """A sampler that repeats an image takes normalized coordinates.

    Bad:  `%s = OpConstantSampler %sampler Repeat 0 Nearest`
    Good: `%s = OpConstantSampler %sampler Repeat 1 Nearest`
    """
    if word_at(inst, 0) in _REPEATING and word_at(inst, 1) == 0:
        yield Finding(inst, 0, "repeating goes with normalized coordinates, and this sampler's are not")
