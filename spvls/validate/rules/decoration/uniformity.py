"""UniformId, NonUniform (SPIR-V 2.23, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration
from spvls.grammar.operand_index import OpLoad_Pointer
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.checks.applied import Applied, applied
from spvls.validate.checks.descriptors import DESCRIPTOR_CLASSES, descriptor_index
from spvls.validate.checks.entry import entry_shown
from spvls.validate.checks.pointers import bases
from spvls.validate.checks.scopes import execution_scope_fault, execution_scope_limits, role
from spvls.validate.checks.wording import made_by, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.execution_model.reachability import first_refused, refusal


def uniformity_fault(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None:
        return None
    if target.type is None:
        return f"%{item.target} is {made_by(target)}, but the decoration {item.name} requires a value"
    type_ = module.type(target.type)
    if type_ is not None and type_.kind == spv.OpTypeVoid:
        return f"%{item.target} has the result type void, but the decoration {item.name} requires a result type other than void"
    return None


@instruction_rule("decoration/uniform-id-names-scope", spv.OpDecorateId, section=sections.DECORATION)
def uniform_id_names_scope(inst: Instruction, context: RuleContext) -> Findings:
    """The operand of UniformId must be the id of an execution scope.

    The decoration says that all invocations in the scope that compute a value together get the same one, which lets a device keep
    it once for all of them. With an operand that is not a scope, a consumer does not know which invocations share the value.
    `decoration/has-meaning-for-target` reports the scope Invocation.

    The operand must be a 32-bit integer with the number of a scope. With the capability Shader it must be a constant that cannot be
    specialized, or with CooperativeMatrixNV any constant; as in spirv-val, not with CooperativeMatrixKHR, though
    SPV_KHR_cooperative_matrix permits that too. In Vulkan it must be Subgroup or, where only compute, tessellation control, task
    and mesh shaders reach the target, Workgroup. On the results of most non-uniform group operations, the rule, like spirv-val,
    only accepts Subgroup, also outside of Vulkan.
    """
    module = context.module
    for item in applied(inst, module):
        definition = module.definition(item.target)
        if item.value == Decoration.UniformId and definition is not None and uniformity_fault(item, definition, module) is None:
            fault = execution_scope_fault(module, inst, 2, definition) or _no_value(inst, module)
            if fault is not None:
                yield Finding(
                    definition, RESULT, fault.message, (*fault.notes, Note(inst, 2, "the scope is set here")), vuid=fault.vuid
                )
            else:
                yield from _refused_by_model(inst, item.target, module)


def _refused_by_model(inst: Instruction, target: str, module: Module) -> Findings:
    """The execution scope is none of those that the entry points may have which reach the function of the target."""
    chunk = module.ids.defining_chunk(target)
    if chunk is None or not chunk.is_function:
        return
    function = module.function(chunk)
    for limit in execution_scope_limits(module, inst, 2):
        entry = first_refused(limit, function, module)
        if entry is not None:
            reached = f"{entry_shown(entry)} reaches %{target}, which is decorated with UniformId"
            message = f"{reached}, but {limit.why}{limit.found(entry, module)}"
            yield refusal(function, inst, entry, limit, module)._replace(message=message)


def _no_value(inst: Instruction, module: Module) -> Finding | None:
    name = id_at(inst, 2)
    maker = module.defining_instruction(name) if name is not None else None
    if maker is None or maker.type is not None:
        return None
    return Finding(inst, 2, f"{role(inst, 2)} is {made_by(maker)}, expected a constant")


_OBJECTS = frozenset({spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage})
_CHAINS = (spv.OpAccessChain, spv.OpInBoundsAccessChain)


@instruction_rule(
    "decoration/nonuniform-access-is-decorated",
    spv.OpLoad,
    spv.OpStore,
    section=sections.UNIFORMITY,
    severity=Severity.WARNING,
    apis="vulkan",
)
def nonuniform_access_is_decorated(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, an access to a descriptor with a NonUniform index must be decorated with NonUniform.

    Without the decoration a driver may read the descriptor once for all invocations of a subgroup, so that some of them access the
    wrong resource. The decoration of the index is not enough: it must be on the operand that names the resource where it is
    accessed. That is, for example, the pointer to a buffer, a loaded image, or the result of OpSampledImage. An image or sampler
    that is only combined by OpSampledImage need not be decorated if the results of these are.

    The rule checks OpLoad and OpStore in modules with ShaderNonUniform (SPV_EXT_descriptor_indexing). With DescriptorHeapEXT,
    Vulkan does not require the decoration, and nothing is reported. The rule accepts the decoration on the pointer or on the loaded
    value. It only finds an OpAccessChain or OpInBoundsAccessChain whose Base is an OpVariable with a one-dimensional array of
    buffers, images, samplers or sampled images, and whose first index itself is decorated; a value that is computed from a
    decorated one is not followed.
    """
    module = context.module
    if not module.has_capability(Capability.ShaderNonUniform) or module.has_capability(Capability.DescriptorHeapEXT):
        return
    pointer = id_at(inst, OpLoad_Pointer)
    if pointer is None:
        return
    type_ = module.type_of(pointer)
    if type_ is None or type_.storage not in DESCRIPTOR_CLASSES:
        return
    if _is_nonuniform(pointer, module) or _is_nonuniform(inst.result, module):
        return
    for link in bases(module, pointer):
        for operand_index, _ in descriptor_index(link, module) if link.opcode.value in _CHAINS else ():
            index = id_at(link, operand_index)
            if _is_nonuniform(index, module) and not _is_combined(inst.result, module):
                note = Note(link, operand_index, "the descriptor is selected here")
                loaded = module.type(inst.type)
                is_object = loaded is not None and loaded.kind in _OBJECTS
                which = f"the result %{inst.result} of OpLoad" if is_object else f"%{pointer}"
                message = f"{operand(inst, OpLoad_Pointer)} leads to a descriptor whose index %{index} is decorated with NonUniform"
                yield Finding(inst, OpLoad_Pointer, f"{message}, so {which} must be decorated with NonUniform, too", (note,))


def _is_nonuniform(name: str | None, module: Module) -> bool:
    return name is not None and module.has_decoration(name, Decoration.NonUniform)


def _is_combined(loaded: str | None, module: Module) -> bool:
    """Whether all that uses a loaded image or sampler is OpSampledImage with a decorated result, which is what is accessed."""
    users = [user for user in module.users(loaded) if user.opcode.class_ not in ("Debug", "Annotation")] if loaded else []
    combined = [user for user in users if user.opcode.value == spv.OpSampledImage and _is_nonuniform(user.result, module)]
    return bool(users) and len(combined) == len(users)
