"""Structures (SPIR-V 2.2.2, 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability
from spvls.module.operand_at import distinct_ids
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_STRUCTS = (spv.OpTypeStruct, spv.OpTypeStructContinuedINTEL)
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
_BINDLESS = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage})


@instruction_rule("type/struct-members-are-not-void", *_STRUCTS, section=sections.TYPES)
def struct_members_are_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """A member of a structure must not have the type void.

    Void has no values and no size, so a consumer cannot compute the offset of the next member. Members that
    OpTypeStructContinuedINTEL (SPV_INTEL_long_composites) adds are checked too. Only the first void member of an instruction is
    reported.
    """
    for operand_index, name in distinct_ids(inst):
        if context.module.opcode_of(name) == spv.OpTypeVoid:
            subject = f"member {operand_index} of structure %{inst.result}"
            if inst.result is None:
                subject = f"a member that {inst.opcode.name} adds"
            message = f"{subject} must not have the type void (%{name})"
            yield Finding(inst, operand_index, message)
            return


@instruction_rule("type/is-not-recursive", where=lambda opcode: opcode.is_type, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def is_not_recursive(inst: Instruction, context: RuleContext) -> Findings:
    """A type must not contain itself.

    Such a type has no finite size, and a consumer that walks through its parts may not end. A structure may contain a pointer to
    itself, which OpTypeForwardPointer declares first. This rule does not report cycles through an OpTypePointer, and does not
    follow members that OpTypeStructContinuedINTEL (SPV_INTEL_long_composites) adds.

    The finding is on the first type of the cycle. Most other rules do not check the instructions that use the types in it.
    """
    module = context.module
    cycle = module.cycle_without_pointer(inst.result) if inst.result is not None else ()
    if not cycle or context.record is not module.definition(str(inst.result)) or not context.defined_ids.isdisjoint(cycle):
        return
    context.has_undefined_operand = True
    operand_index, part = next((operand_index, name) for operand_index, name in distinct_ids(inst) if name in cycle)
    if part == inst.result:
        yield Finding(inst, operand_index, f"%{part} must not contain itself")
        return
    others = (module.definition(name) for name in cycle if name != inst.result)
    notes = tuple(Note(other, RESULT, f"%{other.result} is declared here") for other in others if other is not None)
    yield Finding(inst, operand_index, f"%{inst.result} must not contain itself through %{part}", notes)


@instruction_rule(
    "type/struct-members-are-declared-first",
    where=lambda opcode: opcode.value in _STRUCTS,
    section=sections.TYPE_DECLARATION_INSTRUCTIONS,
)
def struct_members_are_declared_first(inst: Instruction, context: RuleContext) -> Findings:
    """The type of a structure member must be declared before the structure.

    A consumer may read the module once and compute the size of a structure from its members. A pointer type may be declared later
    if an OpTypeForwardPointer names it before. The members that OpTypeStructContinuedINTEL (SPV_INTEL_long_composites) adds must be
    declared before that instruction.

    In each instruction, only the first member that is declared too late is reported. `id/is-defined-before-use` reports a member
    that is not declared at all, and `type/is-not-recursive` one on a cycle without pointers.
    """
    module = context.module
    for operand_index, name in distinct_ids(inst):
        if name in context.defined_ids or (module.is_forward_pointer(name) and name in context.announced_ids):
            continue
        definition = module.definition(name)
        if definition is None or (inst.result is not None and name in module.cycle_without_pointer(inst.result)):
            continue
        note = Note(definition, RESULT, f"%{name} is declared here")
        what = f"the structure %{inst.result}" if inst.result is not None else f"this {inst.opcode.name}"
        yield Finding(inst, operand_index, f"%{name} must be declared before {what}", (note,))
        return


@instruction_rule(
    "type/struct-holds-no-opaque-types",
    spv.OpTypeStruct,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-None-04667",
    apis="vulkan",
)
def struct_holds_no_opaque_types(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a structure must not contain opaque types, unless a capability permits them.

    A driver binds images and samplers as descriptors. Without DescriptorHeapEXT it cannot bind a descriptor to a member, which is
    memory. Declare a variable for each image or sampler instead.

    The rule checks images, samplers, OpTypeSampledImage, OpTypeOpaque and the types of events, queues, reservations, pipes and
    named barriers. Types of extensions, such as acceleration structures, ray queries, tensors and OpTypeBufferEXT, are not
    checked. Like spirv-val, the rule follows pointers unless OpTypeForwardPointer declares them. Untyped pointers are permitted.

    With the capability DescriptorHeapEXT of SPV_EXT_descriptor_heap, images and samplers are permitted; OpTypeSampledImage is
    still reported unless the module also declares BindlessTextureNV. With BindlessTextureNV of SPV_NV_bindless_texture, the rule
    accepts images, samplers and OpTypeSampledImage, as spirv-val does; `capability/extension-is-known-to-vulkan` warns that Vulkan
    does not support the extension. Only the first faulty member is reported.

    Legalization can split such structures, so the rule does not apply with the option `before-hlsl-legalization`.
    """
    if context.options.before_hlsl_legalization:
        return
    module = context.module
    heap = module.has_capability(Capability.DescriptorHeapEXT)
    for operand_index, name in distinct_ids(inst):
        found = module.contents(name) & _OPAQUE
        if heap:
            found -= _DESCRIPTORS
        if found and module.has_capability(Capability.BindlessTextureNV):
            found -= _BINDLESS
        if found:
            vuid = "VUID-StandaloneSpirv-DescriptorHeapEXT-11482" if heap else None
            kind = module.opcode_name_of(name)
            names = [tables.opcode_name(opcode) for opcode in found if isinstance(opcode, int)]
            how = f"is an {kind}" if kind in names else f"contains or points to an {min(names)}"
            what = f"member {operand_index} (%{name}) of %{inst.result} {how}"
            unless = " without the capability DescriptorHeapEXT" if not heap and found <= _DESCRIPTORS else ""
            message = f"{what}; in Vulkan, a structure must not contain one{unless}"
            yield Finding(inst, operand_index, message, vuid=vuid)
            return


@instruction_rule("type/struct-members-are-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_members_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A structure must not have more members than the limit, which is 16,383 by default.

    Every consumer must support that number of members; with more, a driver may reject the module or exhaust its tables. The option
    `max-struct-members` sets another limit. Members of an OpTypeStructContinuedINTEL (SPV_INTEL_long_composites) are not counted.
    """
    limit = context.options.max_struct_members
    if len(inst.operands) > limit:
        yield Finding(inst, RESULT, f"structure %{inst.result} has {len(inst.operands)} members, but the limit is {limit}")


@instruction_rule("type/struct-nesting-is-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_nesting_is_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """Structures must not be nested deeper than the limit, which is 255 by default.

    Every consumer must support that depth; with more, one that walks through the members by recursion may overflow its stack. The
    option `max-struct-depth` sets another limit. As in spirv-val, structures in arrays, and those that pointers point to, do not
    count; neither do those that OpTypeStructContinuedINTEL (SPV_INTEL_long_composites) adds. Only structures that are one level
    too deep are reported, not those that contain them.
    """
    limit = context.options.max_struct_depth
    type_ = context.module.type(inst.result)
    if type_ is not None and context.module.nesting(type_.id) == limit + 1:
        yield Finding(inst, RESULT, f"structure %{inst.result} nests {limit + 1} levels of structures, but the limit is {limit}")

