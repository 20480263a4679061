"""The Element operand (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.module.operand_at import id_at
from spvls.module.variable import storage_name
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.pointer.access_chain import access_chain_reaches_result_type
from spvls.validate.rules.pointer.chain import CHAINS, UNTYPED_CHAINS, chain, is_block

_PTR_CHAINS = tuple(
    opcode for opcode in CHAINS if opcode in traits.POINTER_ACCESS_CHAINS and opcode != spv.OpInBoundsPtrAccessChain
)

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_STORAGE_BUFFER = StorageClass.StorageBuffer
_WORKGROUP = StorageClass.Workgroup
_LAID_OUT = frozenset(
    {StorageClass.Uniform, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer, StorageClass.PushConstant}
)


@instruction_rule(
    "pointer/element-index-fits-base", *_PTR_CHAINS, section=sections.MEMORY_INSTRUCTIONS, after=(access_chain_reaches_result_type,)
)
def element_index_fits_base(inst: Instruction, context: RuleContext) -> Findings:
    """The Element of OpPtrAccessChain must be an integer, and 0 if Base points to a block.

    Element counts objects of the type that Base points to, as if they were elements of an array. A structure with Block or
    BufferBlock is a whole buffer, so with another Element the behavior is undefined. Only an Element that is a constant, and cannot
    be specialized, is compared with 0.

    The rule also checks OpUntypedPtrAccessChainKHR and OpUntypedInBoundsPtrAccessChainKHR (SPV_KHR_untyped_pointers), where Base
    Type stands for what Base points to. As in spirv-val, OpInBoundsPtrAccessChain is not checked.
    """
    module = context.module
    found = chain(inst, module)
    if found.element_place is None:
        return
    name = id_at(inst, found.element_place)
    type_ = module.type_of(name)
    if type_ is None:
        return
    subject = operand(inst, found.element_place)
    if not type_.is_int:
        yield Finding(inst, found.element_place, f"{subject} is {module.spell(type_)}, expected an integer")
    elif module.integer(name) not in (None, 0) and is_block(module, found.into):
        message = f"{subject} is {module.integer(name)}, expected 0 because {operand(inst, found.base_place)} points to a block"
        yield Finding(inst, found.element_place, message)


@instruction_rule(
    "pointer/element-step-has-stride", *_PTR_CHAINS, section=sections.MEMORY_INSTRUCTIONS, after=(element_index_fits_base,)
)
def element_step_has_stride(inst: Instruction, context: RuleContext) -> Findings:
    """The Base of OpPtrAccessChain must have a type with an ArrayStride where the layout is explicit.

    The distance to another element is the stride of the pointer type. Without it a consumer may assume a stride that differs from
    the array's, and access the wrong element.

    The rule applies with the capability Shader, and also to OpUntypedPtrAccessChainKHR and OpUntypedInBoundsPtrAccessChainKHR
    (SPV_KHR_untyped_pointers), but as in spirv-val not to OpInBoundsPtrAccessChain. Like spirv-val, it checks Uniform,
    StorageBuffer, PhysicalStorageBuffer and PushConstant, but not ShaderRecordBufferKHR, where SPV_KHR_ray_tracing requires an
    explicit layout too. Workgroup is checked with the capability WorkgroupMemoryExplicitLayoutKHR
    (SPV_KHR_workgroup_memory_explicit_layout), also where its variables hold no blocks. Vulkan does not permit ArrayStride on the
    arrays of such variables: use OpAccessChain on the array instead, or hold the array in a block. SPIR-V does not permit
    ArrayStride on a type that points to a block: where Base has such a type, use OpAccessChain.
    """
    module = context.module
    found = chain(inst, module)
    base = found.base
    if base is None or not base.is_pointer or found.into is None or not module.has_capability(Capability.Shader):
        return
    shared = base.storage == _WORKGROUP and module.has_capability(Capability.WorkgroupMemoryExplicitLayoutKHR)
    if base.storage not in _LAID_OUT and not shared:
        return
    if not (module.has_decoration(base.id, Decoration.ArrayStride) or module.has_decoration(base.id, Decoration.ArrayStrideIdEXT)):
        place = operand(inst, found.base_place)
        message = f"%{base.id}, the type of {place}, must be decorated with ArrayStride for {inst.opcode.name}"
        yield Finding(inst, OPCODE, message)


@instruction_rule(
    "pointer/element-step-fits-storage-class",
    *_PTR_CHAINS,
    section=sections.MEMORY_INSTRUCTIONS,
    apis="vulkan",
    after=(element_step_has_stride,),
)
def element_step_fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the Base of OpPtrAccessChain must be in a storage class that the capabilities permit.

    Vulkan permits this instruction only on pointers to Workgroup, StorageBuffer and PhysicalStorageBuffer; a device may keep other
    objects, such as those in Private, in registers. Workgroup requires the capability VariablePointers, and StorageBuffer requires
    VariablePointersStorageBuffer, which VariablePointers declares too (SPV_KHR_variable_pointers). Vulkan requires the same for
    OpUntypedPtrAccessChainKHR, which `pointer/logical-operand-is-permitted` checks. What `pointer/element-step-has-stride` reports
    is not checked here.
    """
    module = context.module
    found = chain(inst, module)
    base = found.base
    if base is None or not base.is_pointer or inst.opcode.value in UNTYPED_CHAINS:
        return
    subject = f"{operand(inst, found.base_place)} points to"
    needs = f"for which {inst.opcode.name} requires the capability"
    if base.storage == _WORKGROUP:
        if not module.has_capability(Capability.VariablePointers):
            message = f"{subject} Workgroup, {needs} VariablePointers"
            yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07651")
    elif base.storage == _STORAGE_BUFFER:
        if not module.has_capability(Capability.VariablePointersStorageBuffer):
            message = f"{subject} StorageBuffer, {needs} VariablePointersStorageBuffer"
            yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07652")
    elif base.storage != _PHYSICAL_STORAGE_BUFFER:
        class_ = storage_name(base.storage)
        message = f"{subject} the storage class {class_}, expected Workgroup, StorageBuffer or PhysicalStorageBuffer"
        yield Finding(inst, found.base_place, message, vuid="VUID-StandaloneSpirv-Base-07650")
