"""Loads and stores (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, Decoration, ExecutionModel, StorageClass
from spvls.grammar.operand_index import OpLoad_Pointer, OpStore_Object, OpStore_Pointer
from spvls.grammar.tables import NO_OPCODE
from spvls.grammar.traits import ACCESS_CHAINS, POINTER_ACCESS_CHAINS, VARIABLES
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.type_walks import alike
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.syntax.instruction import TYPE, Instruction, Operand
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.limits import Limit, limits, never
from spvls.validate.checks.pointers import BASE_PLACES, bases
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import converted
from spvls.validate.rules.function.declaration import spelled_apart
from spvls.validate.rules.id.operand import operand_is_value

_VARIABLE_POINTERS = Capability.VariablePointersStorageBuffer
_READ_ONLY = frozenset(
    {StorageClass.UniformConstant, StorageClass.Input, StorageClass.PushConstant, StorageClass.ShaderRecordBufferKHR}
)
_ACCESSES = (
    spv.OpLoad, spv.OpStore, spv.OpCooperativeMatrixLoadNV, spv.OpCooperativeMatrixStoreNV, spv.OpCooperativeMatrixLoadKHR,
    spv.OpCooperativeMatrixStoreKHR, spv.OpCooperativeMatrixLoadTensorNV, spv.OpCooperativeMatrixStoreTensorNV,
    spv.OpCooperativeVectorLoadNV, spv.OpCooperativeVectorStoreNV, spv.OpPredicatedLoadINTEL, spv.OpPredicatedStoreINTEL,
)  # fmt: skip
_GIVES_LOGICAL = VARIABLES | (BASE_PLACES.keys() - POINTER_ACCESS_CHAINS)
_GIVES_LOGICAL |= {spv.OpBufferPointerEXT, spv.OpFunctionParameter, spv.OpAllocateNodePayloadsAMDX}
_GIVES_VARIABLE = frozenset(
    {
        spv.OpSelect, spv.OpPhi, spv.OpFunctionCall, spv.OpPtrAccessChain, spv.OpUntypedPtrAccessChainKHR, spv.OpLoad,
        spv.OpConstantNull,
    }
)  # fmt: skip

_POINTER_MAKERS = VARIABLES | ACCESS_CHAINS
"""Instructions whose result must be a pointer, so that another result type is their fault."""

_TRACED = ACCESS_CHAINS | {spv.OpCopyObject}
_UNIFORM = StorageClass.Uniform
_HIT_ATTRIBUTE = StorageClass.HitAttributeKHR


def pointer_type(module: Module, name: Operand | None) -> Type | None:
    """The type of an operand, where that is a pointer."""
    type_ = module.type_of(name)
    return type_ if type_ is not None and type_.is_pointer else None


@instruction_rule("memory/access-takes-pointer", *_ACCESSES, section=sections.UNIVERSAL_VALIDATION_RULES)
def access_takes_pointer(inst: Instruction, context: RuleContext) -> Findings:
    """The Pointer of a load or store must be a pointer that the addressing model permits.

    The operand says which memory is read or written. A value of another type has no storage class, so a consumer does not know
    which kind of memory instruction to generate for the access. The pointer may be untyped. The type is checked in OpLoad and
    OpStore; if Pointer is a variable or an access chain, another rule reports its result type.

    With the addressing model Logical, a pointer from OpSelect, OpPhi, OpFunctionCall, OpLoad, OpConstantNull, OpPtrAccessChain or
    OpUntypedPtrAccessChainKHR requires VariablePointersStorageBuffer, which VariablePointers declares too; for its storage class
    see `pointer/logical-result-is-permitted`. A pointer from such instructions as OpUndef and OpBitcast is an error with this
    model. The instruction that gives the pointer is checked for OpLoad, OpStore, cooperative and predicated accesses.
    """
    module = context.module
    name = id_at(inst, OpLoad_Pointer)
    type_ = module.type_of(name)
    if type_ is None or name is None:
        return
    opcode = module.opcode_of(name)
    if not type_.is_pointer:
        if opcode not in _POINTER_MAKERS and inst.opcode.value in (spv.OpLoad, spv.OpStore):
            yield Finding(inst, OpLoad_Pointer, f"{operand(inst, OpLoad_Pointer)} is {module.spell(type_)}, expected a pointer")
    elif module.addressing_model == AddressingModel.Logical and opcode not in _GIVES_LOGICAL and opcode != NO_OPCODE:
        if opcode in _GIVES_VARIABLE and module.has_capability(_VARIABLE_POINTERS):
            return
        lack = f"requires the capability {capability_name(_VARIABLE_POINTERS)}" if opcode in _GIVES_VARIABLE else "is not permitted"
        message = (
            f"{operand(inst, OpLoad_Pointer)} is the result of {module.opcode_name_of(name)}; with logical addressing this {lack}"
        )
        yield Finding(inst, OpLoad_Pointer, message)


@instruction_rule("memory/load-matches-pointee", spv.OpLoad, section=sections.MEMORY_INSTRUCTIONS)
def load_matches_pointee(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpLoad must be the type that Pointer points to.

    A load copies the bits of the object without conversion. With another type the bits may be read as another value, and a load
    that is larger than the object may also read the memory after it. Untyped pointers are not checked.
    """
    module = context.module
    type_ = pointer_type(module, id_at(inst, OpLoad_Pointer))
    result = module.type(inst.type)
    wanted = type_.pointee if type_ is not None else None
    if result is None or wanted is None or wanted.id == result.id:
        return
    fix = FindingFix(f"Load %{wanted.id}", (Replace(inst, TYPE, f"%{wanted.id}"),))
    have, need = spelled_apart(module, result.id, wanted.id)
    expected = f"{need}, which {operand(inst, OpLoad_Pointer)} points to"
    yield Finding(inst, TYPE, f"the result type of OpLoad is {have}, expected {expected}", (), (fix,))


@instruction_rule("memory/load-has-fixed-size", spv.OpLoad, section=sections.MEMORY_INSTRUCTIONS)
def load_has_fixed_size(inst: Instruction, context: RuleContext) -> Findings:
    """OpLoad must not load a run-time array or a type that contains one.

    The length of a run-time array is known only when the shader runs, so a compiler can neither reserve registers for the value nor
    copy it. Load single elements instead, through an access chain, or give the array a length. A run-time array that a pointer
    leads to does not count.

    Legalization can remove such loads, so the rule does not apply with the option `before-hlsl-legalization`.
    """
    if context.options.before_hlsl_legalization:
        return
    if spv.OpTypeRuntimeArray in context.module.contents(inst.type, behind_pointers=False):
        type_ = context.module.type(inst.type)
        what = "is" if type_ is not None and type_.kind == spv.OpTypeRuntimeArray else "contains"
        shown = context.module.spell(type_)
        yield Finding(inst, TYPE, f"the result type of OpLoad, {shown}, {what} a run-time array, expected a type of fixed size")


@instruction_rule("memory/stored-class-is-writable", spv.OpStore, section=sections.STORAGE_CLASS)
def stored_class_is_writable(inst: Instruction, context: RuleContext) -> Findings:
    """OpStore must not write to UniformConstant, Input, PushConstant or ShaderRecordBufferKHR.

    Variables in these storage classes are read-only, in ShaderRecordBufferKHR by SPV_KHR_ray_tracing. A device may keep them in
    constant memory or in read-only registers, so a driver may have no instruction for the store. As in spirv-val, stores to
    ShaderRecordBufferKHR are reported also in modules with SPV_NV_ray_tracing, which permits them. Copies, atomic instructions and
    other writes are not checked here. For HitAttributeKHR, which only some shaders may write to, see
    `execution-model/supports-reached-instructions`. As in spirv-val, TaskPayloadWorkgroupEXT, which is read-only in MeshEXT shaders
    (SPV_EXT_mesh_shader), is not checked.
    """
    type_ = pointer_type(context.module, id_at(inst, OpStore_Pointer))
    if type_ is not None and type_.storage in _READ_ONLY:
        yield Finding(
            inst,
            OpStore_Pointer,
            f"{operand(inst, OpStore_Pointer)} points to {the_class(type_.storage)}, which is read-only",
        )


@limits(spv.OpStore)
def _hit_attribute(inst: Instruction, module: Module) -> tuple[Limit, ...]:
    if module.declarations.models.isdisjoint(_HITS):
        return ()
    type_ = pointer_type(module, id_at(inst, 0))
    return (_HIT_ATTRIBUTE_LIMIT,) if type_ is not None and type_.storage == _HIT_ATTRIBUTE else ()


_HITS = (ExecutionModel.AnyHitKHR, ExecutionModel.ClosestHitKHR)

_HIT_ATTRIBUTE_LIMIT = never(
    _HITS,
    "HitAttributeKHR is read-only in AnyHitKHR and ClosestHitKHR shaders",
    "VUID-StandaloneSpirv-HitAttributeKHR-04703",
)


@instruction_rule("memory/store-matches-pointee", spv.OpStore, section=sections.MEMORY_INSTRUCTIONS, after=(operand_is_value,))
def store_matches_pointee(inst: Instruction, context: RuleContext) -> Findings:
    """The object that OpStore writes must have the type that Pointer points to.

    A store copies the bits of the object without conversion. With another type the memory may hold another value afterwards, and an
    object that is larger than the memory may overwrite what follows. Neither of the two types may be void. With an untyped pointer,
    only an object of type void is reported.

    With the option `relax-struct-store`, a structure may be stored to another structure type if their members match and no Offset
    differs where both members have one. Members match if they have the same type, or are structures to which the same applies.
    Unlike in spirv-val, the last members are compared as well.
    """
    module = context.module
    type_ = pointer_type(module, id_at(inst, OpStore_Pointer))
    given = module.type_of(id_at(inst, OpStore_Object))
    if type_ is None or given is None:
        return
    wanted = type_.pointee
    if given.kind == spv.OpTypeVoid or (wanted is not None and wanted.kind == spv.OpTypeVoid):
        at = 1 if given.kind == spv.OpTypeVoid else 0
        spelled = module.spell(module.type_of(inst.operands[at]))
        yield Finding(inst, at, f"{operand(inst, at)} is {spelled}, but void has no values to store")
        return
    if wanted is None or wanted.id == given.id:
        return
    have, need = spelled_apart(module, given.id, wanted.id)
    message = f"{operand(inst, OpStore_Object)} is {have}, expected {need}, which {operand(inst, OpStore_Pointer)} points to"
    if not (context.options.relax_struct_store and wanted.is_struct and given.is_struct):
        yield Finding(inst, OpStore_Object, message, fixes=converted(inst, 1, wanted, module))
    elif not alike(wanted, given, lambda one, other: _same_offsets(module, one, other)):
        yield Finding(inst, OpStore_Object, f"{message}; the two types differ in members or offsets")


def _same_offsets(module: Module, one: Type, other: Type) -> bool | None:
    """Whether two types are the same; None where they are structures with the same offsets, and it is for members to match."""
    if one.id == other.id:
        return True
    if not (one.is_struct and other.is_struct):
        return False
    offsets = {d.member: d.params for d in module.decorations(one.id) if d.value == Decoration.Offset}
    differ = any(
        found.value == Decoration.Offset and offsets.get(found.member, found.params) != found.params
        for found in module.decorations(other.id)
    )
    return False if differ else None


@instruction_rule(
    "memory/uniform-block-is-not-stored",
    spv.OpStore,
    section=sections.STORAGE_CLASS,
    vuid="VUID-StandaloneSpirv-Uniform-06925",
    apis="vulkan",
)
def uniform_block_is_not_stored(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, OpStore must not write to a structure in Uniform that is decorated with Block.

    Such a structure is a uniform buffer, which is read-only: a device may read it through a cache for constants that is not updated
    by writes. Arrays of such structures are included, but not arrays of arrays. Only OpStore is checked, and only where access
    chains and copies of the pointer lead to an OpVariable; untyped pointers and OpRawAccessChainNV are not checked. To write to a
    buffer, use a Block in StorageBuffer.
    """
    module = context.module
    name = id_at(inst, OpStore_Pointer)
    type_ = pointer_type(module, name)
    if type_ is None or type_.storage != _UNIFORM:
        return
    chain = list(bases(module, name))
    if not chain or any(record.opcode.value not in _TRACED for record in chain[:-1]) or chain[-1].opcode.value != spv.OpVariable:
        return
    held = held_by(chain[-1], module)
    base = held.element if held is not None and held.is_array else held
    if base is not None and module.has_decoration(base.id, Decoration.Block):
        into = f"points into %{base.id}, a Block in Uniform"
        message = f"{operand(inst, OpStore_Pointer)} {into}, which OpStore must not write to in Vulkan"
        yield Finding(inst, OpStore_Pointer, message)


_OPAQUE = {
    spv.OpTypeImage: "an image",
    spv.OpTypeSampler: "a sampler",
    spv.OpTypeSampledImage: "a sampled image",
    spv.OpTypeAccelerationStructureKHR: "an acceleration structure",
    spv.OpTypeTensorARM: "a tensor",
}


@instruction_rule(
    "memory/opaque-object-is-not-stored",
    spv.OpStore,
    section=sections.MEMORY_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpTypeImage-06924",
    apis="vulkan",
)
def opaque_object_is_not_stored(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, OpStore must not store (sampled) images, samplers, acceleration structures or tensors.

    Such an object is a reference to a descriptor, whose size and encoding the module does not know. A compiler may have to trace
    each use to its variable, which a copy in memory hides. Vulkan also forbids storing arrays of such objects.
    As in spirv-val, structures that contain such objects and pointers that lead to some are reported too, unless
    OpTypeForwardPointer declares the pointer. spirv-val does not check tensors.

    Legalization can remove such stores, so the rule does not apply with the option `before-hlsl-legalization`.
    """
    if context.options.before_hlsl_legalization:
        return
    module = context.module
    given = module.type_of(id_at(inst, OpStore_Object))
    found = _OPAQUE.keys() & module.contents(given.id) if given is not None else None
    if given is not None and found:
        leads = "" if given.kind in _OPAQUE else f", which {'leads to' if given.is_pointer else 'holds'} {_OPAQUE[min(found)]}"
        message = f"{operand(inst, OpStore_Object)} is {module.spell(given)}{leads}; in Vulkan, it must not be stored"
        yield Finding(inst, OpStore_Object, message)
