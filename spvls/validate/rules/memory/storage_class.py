"""What a storage class may hold (SPIR-V 2.16.1, 3.2.6, 3.3.6)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, Dim, StorageClass
from spvls.grammar.operand_index import OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.type_walks import behind_pointers, parts, parts_and_pointees
from spvls.module.types import Type
from spvls.module.variable import held_by, storage_name, the_class
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.pointers import LOGICAL_MODELS
from spvls.validate.engine.finding import Finding, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_FUNCTION_OR_PRIVATE = frozenset({StorageClass.Function, StorageClass.Private})
_KNOWN_CLASSES = frozenset(
    {
        StorageClass.UniformConstant, StorageClass.Input, StorageClass.Uniform, StorageClass.Output,
        StorageClass.Workgroup, StorageClass.Private, StorageClass.Function, StorageClass.PushConstant,
        StorageClass.Image, StorageClass.StorageBuffer, StorageClass.RayPayloadKHR, StorageClass.IncomingRayPayloadKHR,
        StorageClass.HitAttributeKHR, StorageClass.CallableDataKHR, StorageClass.IncomingCallableDataKHR,
        StorageClass.ShaderRecordBufferKHR, StorageClass.PhysicalStorageBuffer, StorageClass.TaskPayloadWorkgroupEXT,
        StorageClass.HitObjectAttributeNV, StorageClass.HitObjectAttributeEXT, StorageClass.TileImageEXT,
        StorageClass.TileAttachmentQCOM, StorageClass.NodePayloadAMDX, StorageClass.Generic,
    }
)  # fmt: skip
_TINY = {"Float4E2M1EXT": "4", "Float6E2M3EXT": "6", "Float6E3M2EXT": "6"}
_HOLD_TINY = frozenset({StorageClass.Function, StorageClass.Private})


@instruction_rule("memory/microscaling-variable-is-local", *VARIABLES, section=sections.UNIVERSAL_VALIDATION_RULES)
def microscaling_variable_is_local(inst: Instruction, context: RuleContext) -> Findings:
    """With Shader, a variable that holds floats of 4 or 6 bits must be in Function or Private.

    These numbers of SPV_EXT_ocp_microscaling_types do not fill a byte, the unit in which memory is laid out, so another stage,
    another invocation or the application may not be able to read them. Convert them, or use packed integers in shared memory.

    SPV_EXT_ocp_microscaling_types does not limit this to modules with the capability Shader, but the rule does, like spirv-val. As
    in spirv-val, if the variable holds a pointer, the storage class that this pointer leads to decides instead. What pointers in a
    structure or array lead to counts as held by the variable itself. Pointers that OpTypeForwardPointer declares are not followed
    in either case.
    """
    module = context.module
    held = held_by(inst, module)
    own = word_at(inst, OpVariable_StorageClass)
    if held is None or own is None or not module.has_capability(Capability.Shader):
        return
    names = _TINY.keys() & module.contents(held.id)
    if names and held.kind == spv.OpTypePointer:
        _, own = behind_pointers(held)
    for name in names if own not in _HOLD_TINY else ():
        leads = "points to" if held.kind == spv.OpTypePointer else "holds"
        message = f"%{inst.result} {leads} {_TINY[name]}-bit floats in {the_class(own)}, expected Function or Private"
        yield Finding(inst, OpVariable_StorageClass, message)
        return


@instruction_rule("memory/tile-image-variable-holds-images", spv.OpVariable, section=sections.STORAGE_CLASS)
def tile_image_variable_holds_images(inst: Instruction, context: RuleContext) -> Findings:
    """A variable in TileImageEXT must hold an image of Dim TileImageDataEXT, or an array of such images.

    The storage class gives a fragment shader the color attachments at its own pixel, which are read as tile images. Objects of
    other types have no data there. The rule, like spirv-val, permits arrays of arrays, but not run-time arrays. Untyped variables
    are not checked. In Vulkan, the variable must also have a Location (`interface/tile-image-has-location`).
    """
    module = context.module
    held = held_by(inst, module)
    if held is None or word_at(inst, OpVariable_StorageClass) != StorageClass.TileImageEXT:
        return
    *_, image = parts(held, lambda found: found.kind == spv.OpTypeArray)
    if not (image.kind == spv.OpTypeImage and image.word(1) == Dim.TileImageDataEXT):
        expected = "TileImageEXT may only hold images of Dim TileImageDataEXT, or arrays of these"
        message = f"%{inst.result} holds {module.spell(held)}, but {expected}"
        yield Finding(inst, TYPE, message)


_HOLDS_LONG_VECTORS = frozenset(
    {
        StorageClass.Function, StorageClass.Private, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer,
        StorageClass.Workgroup, StorageClass.Uniform, StorageClass.PushConstant, StorageClass.ShaderRecordBufferKHR,
    }
)  # fmt: skip
_LONGEST_VECTOR = 4


@instruction_rule(
    "memory/long-vector-is-in-memory",
    *VARIABLES,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    vuid="VUID-StandaloneSpirv-Type-12297",
    apis="vulkan",
)
def long_vector_is_in_memory(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a variable may only hold a vector of more than 4 components in certain storage classes.

    A location of an interface between stages has 4 components, so a longer vector has no place there. Vulkan permits pointers to
    such vectors in Function, Private, Uniform, Workgroup, StorageBuffer, PhysicalStorageBuffer, PushConstant and
    ShaderRecordBufferKHR; SPV_EXT_long_vector permits CrossWorkgroup and Generic too. The rule, like spirv-val, checks variables.
    Vectors in structures and arrays count, and as in spirv-val vectors that a pointer in the variable leads to, unless
    OpTypeForwardPointer declares the type of the pointer.

    The rule applies to modules with the capability LongVectorEXT, which the example does not show. Vectors whose number of
    components can be specialized are not checked.
    """
    module = context.module
    held = held_by(inst, module)
    own = word_at(inst, OpVariable_StorageClass)
    if held is None or own is None or own in _HOLDS_LONG_VECTORS or not module.has_capability(Capability.LongVectorEXT):
        return
    every = parts_and_pointees(held, lambda type_: not module.is_forward_pointer(type_.id))
    long = next((type_ for type_ in every if type_.is_vector and type_.length > _LONGEST_VECTOR), None)
    if long is not None:
        leads = "holds" if long in parts(held) else "leads to"
        message = (
            f"%{inst.result} {leads} {module.spell(long)}, but vectors of more than 4 components must not be in {the_class(own)}"
        )
        yield Finding(inst, OpVariable_StorageClass, message)


_HOLDS_BOOL = frozenset(
    {
        StorageClass.Workgroup, StorageClass.CrossWorkgroup, StorageClass.Private, StorageClass.Function,
        StorageClass.UniformConstant, StorageClass.RayPayloadKHR, StorageClass.IncomingRayPayloadKHR,
        StorageClass.HitAttributeKHR, StorageClass.CallableDataKHR, StorageClass.IncomingCallableDataKHR,
        StorageClass.TaskPayloadWorkgroupEXT, StorageClass.HitObjectAttributeNV, StorageClass.HitObjectAttributeEXT,
        StorageClass.NodePayloadAMDX,
    }
)  # fmt: skip
_INPUT_OR_OUTPUT = frozenset({StorageClass.Input, StorageClass.Output})


@instruction_rule(
    "memory/bool-is-not-addressed", *VARIABLES, section=sections.TYPE_DECLARATION_INSTRUCTIONS, severity=Severity.INFORMATION
)
def bool_is_not_addressed(inst: Instruction, context: RuleContext) -> Findings:
    """With the addressing model Physical32 or Physical64, a variable must not hold Booleans.

    A Boolean has no size and no bit pattern. Code that reaches it through an address, for example after a cast to an integer
    pointer, reads bits that may differ between devices. Use an integer in memory instead. Booleans in vectors, structures and
    arrays count, in all storage classes. Modules with PhysicalStorageBuffer64 are not checked.

    Information only, because spirv-val permits this where `memory/bool-is-not-external` does not report it, and implementations
    may store a Boolean in one byte.
    """
    module = context.module
    held = held_by(inst, module)
    if held is None or module.addressing_model in LOGICAL_MODELS or module.addressing_model < 0:
        return
    yield from pausing(module.contents_steps(held.id, behind_pointers=False))
    if spv.OpTypeBool in module.contents(held.id, behind_pointers=False):
        message = f"%{inst.result} holds {module.spell(held)}, but with physical addressing, Booleans must not be in memory"
        yield Finding(inst, TYPE, message)


@instruction_rule("memory/bool-is-not-external", *VARIABLES, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def bool_is_not_external(inst: Instruction, context: RuleContext) -> Findings:
    """Except for built-ins, a variable visible outside of the shader must not hold a Boolean.

    A Boolean has no size and no bit pattern. The application or another stage would not know which bits mean true, and a driver
    cannot place the members after it. Use an integer, which is 0 for false; in Vulkan, an input of a fragment shader then requires
    Flat. Booleans in vectors, arrays and structures count.

    An input or output must be decorated with BuiltIn, such as FrontFacing, or have its Booleans in structures with built-ins.
    SPIR-V itself permits other Booleans there; Vulkan does not, and the rule, like spirv-val, reports them in each environment.
    SPIR-V also permits Booleans in Function, Private, Workgroup, CrossWorkgroup and UniformConstant. As in spirv-val, payloads,
    attributes of hits and hit objects, and callable data are not reported either, nor blocks in Workgroup, where
    SPV_KHR_workgroup_memory_explicit_layout forbids Booleans.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = held_by(inst, module)
    if own is None or own in _HOLDS_BOOL or held is None or inst.result is None:
        return
    interface = own in _INPUT_OR_OUTPUT
    yield from pausing(module.contents_steps(held.id, behind_pointers=False))
    if spv.OpTypeBool not in module.contents(held.id, behind_pointers=False):
        return
    if (interface and module.has_decoration(inst.result, Decoration.BuiltIn)) or not _has_bool(held, module, interface):
        return
    shown, where = f"%{inst.result} holds {module.spell(held)}, but", storage_name(own)
    if interface:
        vuid = "VUID-StandaloneSpirv-Input-07290" if module.environment.api == "vulkan" else None
        yield Finding(inst, TYPE, f"{shown} a Boolean in {where} must be decorated with BuiltIn", vuid=vuid)
    else:
        yield Finding(inst, TYPE, f"{shown} Booleans must not be in {where}")


def _has_bool(outer: Type, module: Module, skip_built_in: bool) -> bool:
    """Whether a Boolean is in a type; structures of built-ins may be passed over."""

    def enters(type_: Type) -> bool:
        return not (skip_built_in and any(found.value == Decoration.BuiltIn for found in module.decorations(type_.id)))

    return any(type_.is_bool for type_ in parts(outer, enters))


_COOPERATIVE = frozenset({spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV})


@instruction_rule("memory/cooperative-variable-is-local", *VARIABLES, section=sections.UNIVERSAL_VALIDATION_RULES)
def cooperative_variable_is_local(inst: Instruction, context: RuleContext) -> Findings:
    """A variable that holds a cooperative matrix or a cooperative vector must be in Function or Private.

    In SPV_KHR_cooperative_matrix and SPV_NV_cooperative_matrix, the components of a matrix are distributed over invocations in a
    way that each device chooses. In SPV_NV_cooperative_vector, a vector belongs to one invocation, but the device chooses how to
    hold it. Neither has a layout in memory that a buffer, another stage or the application could use.

    As in spirv-val, a variable with pointers that lead to such a type counts too, unless OpTypeForwardPointer declares the
    pointers. With CooperativeVectorNV, OpTypeVectorIdEXT counts as a cooperative vector unless LongVectorEXT is declared too;
    spirv-val checks vectors only in Vulkan.
    """
    module = context.module
    held = held_by(inst, module)
    own = word_at(inst, OpVariable_StorageClass)
    if held is None or own in _FUNCTION_OR_PRIVATE or own is None:
        return
    yield from pausing(module.contents_steps(held.id))
    found = module.contents(held.id)
    vectors = (
        spv.OpTypeVectorIdEXT in found
        and module.has_capability(Capability.CooperativeVectorNV)
        and not module.has_capability(Capability.LongVectorEXT)
    )
    if vectors or not _COOPERATIVE.isdisjoint(found):
        what = "a cooperative vector" if vectors else "a cooperative matrix"
        yield Finding(
            inst,
            OpVariable_StorageClass,
            f"%{inst.result} holds {what} and is in {the_class(own)}, expected Function or Private",
        )


@instruction_rule(
    "memory/storage-class-exists-in-vulkan",
    *VARIABLES,
    spv.OpTypePointer,
    section=sections.STORAGE_CLASS,
    vuid="VUID-StandaloneSpirv-None-04643",
    apis="vulkan",
)
def storage_class_exists_in_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, variables and pointers must be in a storage class that Vulkan supports.

    A Vulkan driver has no memory for the storage classes of other client APIs, such as CrossWorkgroup of OpenCL and AtomicCounter
    of OpenGL. It may reject the module or fail to compile it. The rule checks OpTypePointer, and variables whose storage class is
    not that of their type. `type/untyped-pointer-has-explicit-layout` checks OpTypeUntypedPointerKHR. Generic is left to the checks
    of its capability, GenericPointer, which Vulkan does not support. As in spirv-val, some storage classes of extensions are
    accepted that the VUID does not list, for example TaskPayloadWorkgroupEXT.
    """
    own = word_at(inst, OpVariable_StorageClass)
    if own is None or own in _KNOWN_CLASSES:
        return
    if inst.opcode.value != spv.OpTypePointer:
        type_ = context.module.type(inst.type)
        if type_ is None or type_.storage == own:
            return  # said of the pointer type
    leads = "points to" if inst.opcode.value == spv.OpTypePointer else "is in"
    message = f"%{inst.result} {leads} {the_class(own)}, which Vulkan does not support"
    yield Finding(inst, OpVariable_StorageClass, message)
