"""Structures (SPIR-V 2.2.2, 2.17, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability
from spvls.module.operand_at import id_operands
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

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
def struct_members_are_not_void(inst: Instruction, context: RuleContext) -> Findings:
    """A structure has no member of type void."""
    for operand_index, name in id_operands(inst):
        if context.module.opcode_of(name) == spv.OpTypeVoid:
            yield Finding(inst, operand_index, "a structure cannot have a member of type void")
            return


@instruction_rule("type/is-not-recursive", where=lambda opcode: opcode.is_type, section=sections.UNIVERSAL_VALIDATION_RULES)
def is_not_recursive(inst: Instruction, context: RuleContext) -> Findings:
    """No type contains itself, as a member, as an element, or through other types.

    It would have no size. A structure may hold a pointer to itself, whose type OpTypeForwardPointer announces. The finding is
    on the first type of the cycle; what uses the types on it is not checked any further.
    """
    module = context.module
    cycle = module.cycle_without_pointer(inst.result) if inst.result is not None else ()
    if not cycle or context.record is not module.definition(str(inst.result)) or not context.defined_ids.isdisjoint(cycle):
        return
    operand_index, part = next((operand_index, name) for operand_index, name in id_operands(inst) if name in cycle)
    if part == inst.result:
        yield Finding(inst, operand_index, f"%{part} contains itself")
        return
    others = (module.definition(name) for name in cycle if name != inst.result)
    notes = tuple(Note(other, RESULT, f"%{other.result} is declared here") for other in others if other is not None)
    yield Finding(inst, operand_index, f"%{inst.result} contains itself through %{part}", notes)


@instruction_rule("type/struct-members-are-declared-first", spv.OpTypeStruct, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def struct_members_are_declared_first(inst: Instruction, context: RuleContext) -> Findings:
    """The types of a structure's members are declared before it, pointers at least by OpTypeForwardPointer.

    That is how a structure holds a pointer to itself.
    """
    module = context.module
    for operand_index, name in id_operands(inst):
        if name in context.defined_ids or module.is_forward_pointer(name):
            continue
        definition = module.definition(name)
        if definition is None or (inst.result is not None and name in module.cycle_without_pointer(inst.result)):
            continue
        note = Note(definition, RESULT, f"%{name} is declared here")
        yield Finding(inst, operand_index, f"%{name} is not declared before the structure", (note,))
        return


@instruction_rule(
    "type/struct-holds-no-opaque-types",
    spv.OpTypeStruct,
    section=sections.TYPES,
    vuid="VUID-StandaloneSpirv-None-04667",
    apis="vulkan",
)
def struct_holds_no_opaque_types(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan a structure contains no images, samplers or other opaque types.

    With the capability DescriptorHeapEXT it may contain descriptors, and no other opaque types.
    """
    if context.options.before_hlsl_legalization:
        return
    module = context.module
    heap = module.has_capability(Capability.DescriptorHeapEXT)
    for operand_index, name in id_operands(inst):
        found = module.contents(name) & _OPAQUE
        if heap:
            found -= _DESCRIPTORS
        if found:
            vuid = "VUID-StandaloneSpirv-DescriptorHeapEXT-11482" if heap else None
            names = [tables.opcode_name(opcode) for opcode in found if isinstance(opcode, int)]
            message = f"%{name} is or contains {min(names)}, which a structure cannot hold in Vulkan"
            yield Finding(inst, operand_index, message, vuid=vuid)
            return


@instruction_rule("type/struct-members-are-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_members_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """A structure has at most 16383 members, or as many as the option `max_struct_members` says."""
    limit = context.options.max_struct_members
    if len(inst.operands) > limit:
        yield Finding(inst, RESULT, f"a structure has at most {limit} members, and %{inst.result} has {len(inst.operands)}")


@instruction_rule("type/struct-nesting-is-within-limit", spv.OpTypeStruct, section=sections.UNIVERSAL_LIMITS)
def struct_nesting_is_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """Structures in structures go at most 255 deep, or as deep as the option `max_struct_depth` says."""
    limit = context.options.max_struct_depth
    type_ = context.module.type(inst.result)
    if type_ is not None and context.module.nesting(type_.id) == limit + 1:
        yield Finding(inst, RESULT, f"structures nest at most {limit} deep, and %{inst.result} is one level deeper")

