"""Structures: what their members may be, and how deep they may go (SPIR-V 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_operands
from spvls.validate.rule import Findings, Scene, instruction_rule

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


@instruction_rule("opcode/OpTypeStruct/members-not-void", spv.OpTypeStruct, section="3.3.6")
def struct_members(inst: Instruction, scene: Scene) -> Findings:
    """A structure has no member of type void.

    Bad:  `%s = OpTypeStruct %float %void`
    Good: `%s = OpTypeStruct %float`
    """
    for place, name in id_operands(inst):
        if scene.module.opcode_of(name) == spv.OpTypeVoid:
            yield Finding(inst, place, "a structure cannot have a member of type void")
            return


@instruction_rule("opcode/OpTypeStruct/forward-operand-pointer", spv.OpTypeStruct, section="3.3.6")
def struct_forward_member(inst: Instruction, scene: Scene) -> Findings:
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


@instruction_rule("opcode/OpTypeStruct/builtin-members", spv.OpTypeStruct, section="3.2.19")
def builtin_members(inst: Instruction, scene: Scene) -> Findings:
    """Either all members of a structure are decorated BuiltIn or none is, and such a structure is no member itself.

    Bad:  `OpMemberDecorate %s 0 BuiltIn Position` alone for `%s = OpTypeStruct %v4float %float`
    Good: both members are built-ins, or the other one moves to a structure of its own.
    """
    module = scene.module
    for place, name in id_operands(inst):
        if module.opcode_of(name) == spv.OpTypeStruct and _builtins(module, name):
            message = f"%{name} has members that are decorated BuiltIn, and cannot be a member of a structure"
            yield Finding(inst, place, message)
            return
    if inst.result is not None:
        built_in = _builtins(module, inst.result)
        if built_in and len(built_in) != len(inst.operands):
            plain = next((at for at in range(len(inst.operands)) if at not in built_in), None)
            if plain is None:
                return
            message = f"member {plain} of %{inst.result} is not decorated BuiltIn, and other members are"
            yield Finding(inst, plain, message)


def _builtins(module: Module, name: str) -> set[int]:
    return {d.member for d in module.decorations(name) if d.name == "BuiltIn" and d.member is not None}


@instruction_rule(
    "vulkan/runtime-array-last-member",
    spv.OpTypeStruct,
    section="2.16.1",
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array_last(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a run-time array is the last member of a structure that is decorated Block or BufferBlock.

    Bad:  `%block = OpTypeStruct %floats %uint` with `%floats = OpTypeRuntimeArray %float`
    Good: `%block = OpTypeStruct %uint %floats` and `OpDecorate %block Block`
    """
    module = scene.module
    members = id_operands(inst)
    for place, name in members:
        if module.opcode_of(name) != spv.OpTypeRuntimeArray or inst.result is None:
            continue
        if place != members[-1][0]:
            yield Finding(inst, place, "a run-time array is the last member of its structure, and of that only")
        elif not any(module.has_decoration(inst.result, wanted) for wanted in ("Block", "BufferBlock")):
            message = f"%{inst.result} holds a run-time array, and is not decorated Block or BufferBlock"
            yield Finding(inst, place, message)
        return


@instruction_rule("opcode/OpTypeRuntimeArray/largest-offset", spv.OpTypeStruct, section="3.3.6", severity=Severity.WARNING)
def runtime_array_offset(inst: Instruction, scene: Scene) -> Findings:
    """A run-time array lies behind all other members of its structure: it has the largest Offset.

    The reference validator asks this of Vulkan modules alone, by the order of the members.

    Bad:  `OpMemberDecorate %block 0 Offset 0` and `OpMemberDecorate %block 1 Offset 4`, and member 0 is a run-time array.
    Good: the run-time array is at the larger offset.
    """
    module = scene.module
    arrays = [place for place, name in id_operands(inst) if module.opcode_of(name) == spv.OpTypeRuntimeArray]
    told = module.environment.api == "vulkan" and any(runtime_array_last(inst, scene))
    if not arrays or inst.result is None or told:
        return
    offsets = {
        found.member: found.params[0]
        for found in module.decorations(inst.result)
        if found.name == "Offset" and found.member is not None and found.params and isinstance(found.params[0], int)
    }
    for place in arrays:
        own = offsets.get(place)
        behind = next((member for member, offset in sorted(offsets.items()) if own is not None and offset > own), None)
        if behind is not None:
            message = f"the run-time array is at the offset {own}, and member {behind} behind it at {offsets[behind]}"
            yield Finding(inst, place, message)
            return


@instruction_rule(
    "vulkan/struct-no-opaque", spv.OpTypeStruct, section="2.2.2", vuid="VUID-StandaloneSpirv-None-04667", apis="vulkan"
)
def struct_opaque(inst: Instruction, scene: Scene) -> Findings:
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


@instruction_rule("limit/struct-members", spv.OpTypeStruct, section="2.17")
def struct_size(inst: Instruction, scene: Scene) -> Findings:
    """A structure has at most 16383 members, or as many as the option `max_struct_members` says.

    Bad:  a structure of 20000 members.
    Good: an array, or several structures.
    """
    limit = scene.options.max_struct_members
    if len(inst.operands) > limit:
        yield Finding(inst, RESULT, f"a structure has at most {limit} members, and %{inst.result} has {len(inst.operands)}")


@instruction_rule("limit/struct-nesting", spv.OpTypeStruct, section="2.17")
def struct_depth(inst: Instruction, scene: Scene) -> Findings:
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
