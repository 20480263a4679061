"""Structures (SPIR-V 2.2.2, 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.module.operand_at import id_operands
from spvls.module.types import Type
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, Scene, instruction_rule

_OPAQUE = frozenset(
    {
        spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeOpaque, spv.OpTypeEvent,
        spv.OpTypeDeviceEvent, spv.OpTypeReserveId, spv.OpTypeQueue, spv.OpTypePipe, spv.OpTypePipeStorage,
        spv.OpTypeNamedBarrier,
    }
)  # fmt: skip
_DESCRIPTORS = frozenset(
    {spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeAccelerationStructureKHR, spv.OpTypeTensorARM, spv.OpTypeBufferEXT}
)


@instruction_rule("type/struct-members-are-not-void", spv.OpTypeStruct, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def struct_members_are_not_void(inst: Instruction, scene: Scene) -> Findings:
    """A structure has no member of type void.

    Bad:  `%s = OpTypeStruct %float %void`
    Good: `%s = OpTypeStruct %float`
    """
    for place, name in id_operands(inst):
        if scene.module.opcode_of(name) == spv.OpTypeVoid:
            yield Finding(inst, place, "a structure cannot have a member of type void")
            return


@instruction_rule("type/struct-members-are-declared-first", spv.OpTypeStruct, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def struct_members_are_declared_first(inst: Instruction, scene: Scene) -> Findings:
    """The types of a structure's members are declared before it, pointers at least by OpTypeForwardPointer.

    That is how a structure holds a pointer to itself; it can never hold itself.

    Bad:  `%node = OpTypeStruct %int %node`
    Good: `OpTypeForwardPointer %next PhysicalStorageBuffer`, then `%node = OpTypeStruct %int %next` and
          `%next = OpTypePointer PhysicalStorageBuffer %node`
    """
    module = scene.module
    for place, name in id_operands(inst):
        if name in scene.seen or module.is_forward_pointer(name):
            continue
        definition = module.definition(name)
        if definition is None:
            continue
        if name == inst.result:
            yield Finding(inst, place, f"the structure %{name} cannot contain itself")
        else:
            note = Note(definition, RESULT, f"%{name} is declared here")
            yield Finding(inst, place, f"%{name} is not declared before the structure", (note,))
        return


@instruction_rule(
    "type/struct-holds-no-opaque-types",
    spv.OpTypeStruct,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-None-04667",
    apis="vulkan",
)
def struct_holds_no_opaque_types(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a structure contains no images, samplers or other opaque types.

    With the capability DescriptorHeapEXT it may contain descriptors, and no other opaque types.

    Bad:  `%s = OpTypeStruct %sampled_image`
    Good: a variable of its own for the image.
    """
    if scene.options.before_hlsl_legalization:
        return
    module = scene.module
    heap = module.has_capability("DescriptorHeapEXT")
    for place, name in id_operands(inst):
        found = module.contents(name) & _OPAQUE
        if heap:
            found -= _DESCRIPTORS
        if found:
            vuid = "VUID-StandaloneSpirv-DescriptorHeapEXT-11482" if heap else None
            names = [tables.opcode_name(opcode) for opcode in found if isinstance(opcode, int)]
            message = f"%{name} is or contains {min(names)}, which a structure cannot hold in Vulkan"
            yield Finding(inst, place, message, vuid=vuid)
            return


@instruction_rule("type/struct-members-are-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_members_are_within_limit(inst: Instruction, scene: Scene) -> Findings:
    """A structure has at most 16383 members, or as many as the option `max_struct_members` says.

    Bad:  a structure of 20000 members.
    Good: an array, or several structures.
    """
    limit = scene.options.max_struct_members
    if len(inst.operands) > limit:
        yield Finding(inst, RESULT, f"a structure has at most {limit} members, and %{inst.result} has {len(inst.operands)}")


@instruction_rule("type/struct-nesting-is-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_nesting_is_within_limit(inst: Instruction, scene: Scene) -> Findings:
    """Structures in structures go at most 255 deep, or as deep as the option `max_struct_depth` says.

    Bad:  300 structures, each a member of the next.
    Good: fewer levels.
    """
    limit = scene.options.max_struct_depth
    type_ = scene.module.type(inst.result)
    if type_ is not None and _nesting(type_) == limit + 1:
        yield Finding(inst, RESULT, f"structures nest at most {limit} deep, and %{inst.result} is one level deeper")


def _nesting(type_: Type) -> int:
    """How many structures stand in each other, members of arrays not followed."""
    level = {type_.id: type_}
    depth = 0
    while level:
        depth += 1
        level = {m.id: m for t in level.values() for m in t.members if m is not None and m.is_struct}
        if type_.id in level:
            return 0
    return depth
