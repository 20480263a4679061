"""Variables as Vulkan wants them: their types, decorations and initializers by storage class."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.tables import NO_OPCODE
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Mend
from spvls.validate.mends import decorating
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages
from spvls.validate.variable import VARIABLES, held_by, initializer, initializer_place

_WORKGROUP = storage("Workgroup")
_UNIFORM = storage("Uniform")
_STORAGE_BUFFER = storage("StorageBuffer")
_UNIFORM_CONSTANT = storage("UniformConstant")
_PUSH_CONSTANT = storage("PushConstant")
_TILE_ATTACHMENT = storage("TileAttachmentQCOM")
_INITIALIZED = storages("Output Private Function")
_RESOURCES = storages("UniformConstant Uniform StorageBuffer")
_INPUT_OR_OUTPUT = storages("Input Output")

_KNOWN_CLASSES = storages(
    "UniformConstant Input Uniform Output Workgroup Private Function PushConstant Image StorageBuffer RayPayloadKHR "
    "IncomingRayPayloadKHR HitAttributeKHR CallableDataKHR IncomingCallableDataKHR ShaderRecordBufferKHR "
    "PhysicalStorageBuffer TaskPayloadWorkgroupEXT HitObjectAttributeNV HitObjectAttributeEXT TileImageEXT "
    "TileAttachmentQCOM NodePayloadAMDX Generic"
)


@instruction_rule(
    "vulkan/storage-class-limited",
    *VARIABLES,
    spv.OpTypePointer,
    section="3.2.6",
    vuid="VUID-StandaloneSpirv-None-04643",
    apis="vulkan",
)
def known_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan pointers and variables are in one of its storage classes.

    Those of kernels and of OpenGL (CrossWorkgroup, AtomicCounter and the like) do not exist there.

    Bad:  `%x = OpVariable %ptr CrossWorkgroup`
    Good: `%x = OpVariable %ptr Workgroup`
    """
    own = word_at(inst, 0)
    if own is None or own in _KNOWN_CLASSES:
        return
    if inst.opcode.value != spv.OpTypePointer:
        type_ = scene.module.type(inst.type)
        if type_ is None or type_.storage == own:
            return  # said of the pointer type
    yield Finding(inst, 0, f"Vulkan has no storage class {storage_name(own)}")


def _base(type_: Type) -> Type | None:
    """A type, or what it is an array of."""
    return type_.element if type_.is_array else type_


_OPAQUE = frozenset(
    {spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeSampledImage, spv.OpTypeTensorARM, spv.OpTypeAccelerationStructureKHR}
)


@instruction_rule("vulkan/variable-type", *VARIABLES, section="2.16.1", apis="vulkan")
def variable_type(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan buffers are structures, and UniformConstant holds images, samplers and the like; arrays of these as well.

    Push constants are one structure, never an array of them.

    Bad:  `%ptr = OpTypePointer Uniform %float` and `%x = OpVariable %ptr Uniform`
    Good: `%block = OpTypeStruct %float` and `%ptr = OpTypePointer Uniform %block`
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    base = _base(held) if held is not None else None
    if held is None or base is None or base.kind == spv.OpTypeRuntimeArray:
        return
    shown = f"the variable holds {module.spell(held)}, and {storage_name(own)} holds"
    if own in (_UNIFORM, _STORAGE_BUFFER):
        if not base.is_struct and base.kind != spv.OpTypeBufferEXT:
            message = f"{shown} structures, or arrays of structures"
            yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-Uniform-06807")
    elif own == _PUSH_CONSTANT:
        if not held.is_struct:
            yield Finding(inst, TYPE, f"{shown} a structure", vuid="VUID-StandaloneSpirv-PushConstant-06808")
    elif own == _UNIFORM_CONSTANT and base.kind not in _OPAQUE and not _in_heap(inst, module):
        message = f"{shown} images, samplers, acceleration structures or tensors, or arrays of these"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-UniformConstant-04655")


_HEAPS = frozenset(value("BuiltIn", name) for name in ("SamplerHeapEXT", "ResourceHeapEXT"))


def _in_heap(inst: Instruction, module: Module) -> bool:
    """Whether a variable stands for a descriptor heap."""
    return inst.result is not None and any(
        found.name == "BuiltIn" and found.params and found.params[0] in _HEAPS
        for found in module.decorations(inst.result)
    )


@instruction_rule(
    "vulkan/initializer-classes",
    *VARIABLES,
    section="3.3.8",
    vuid="VUID-StandaloneSpirv-OpVariable-04651",
    apis="vulkan",
)
def initializer_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan variables in Output, Private and Function have initializers; those in Workgroup may begin with null.

    Bad:  `%x = OpVariable %ptr Uniform %zero`
    Good: `%x = OpVariable %ptr Private %zero`
    """
    name = initializer(inst)
    own = word_at(inst, 0)
    if name is None or own is None or own in _INITIALIZED:
        return
    if own != _WORKGROUP:
        message = f"in Vulkan a variable in {storage_name(own)} has no initializer"
        yield Finding(inst, initializer_place(inst), message)
    elif scene.module.opcode_of(name) not in (spv.OpConstantNull, NO_OPCODE):
        message = f"in Vulkan a variable in Workgroup begins with an OpConstantNull, which %{name} is not"
        yield Finding(inst, initializer_place(inst), message, vuid="VUID-StandaloneSpirv-OpVariable-04734")


@instruction_rule(
    "vulkan/invariant-class",
    *VARIABLES,
    section="3.2.19",
    vuid="VUID-StandaloneSpirv-Invariant-04677",
    apis="vulkan",
)
def invariant(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan only variables in Input and Output, and their members, are decorated Invariant.

    Bad:  `OpDecorate %x Invariant` where `%x` is in Private.
    Good: `OpDecorate %position Invariant` where `%position` is in Output.
    """
    module = scene.module
    own = word_at(inst, 0)
    if own is None or own in _INPUT_OR_OUTPUT or inst.result is None:
        return
    held = held_by(inst, module)
    if module.has_decoration(inst.result, "Invariant"):
        yield Finding(inst, 0, f"%{inst.result} is decorated Invariant, and in {storage_name(own)}, not Input or Output")
    elif held is not None and held.is_struct and any(d.name == "Invariant" for d in module.decorations(held.id)):
        message = f"%{held.id} is decorated Invariant, and the variable is in {storage_name(own)}, not Input or Output"
        yield Finding(inst, 0, message)


@instruction_rule(
    "vulkan/runtime-array-variable",
    *VARIABLES,
    section="2.16.1",
    vuid="VUID-StandaloneSpirv-OpTypeRuntimeArray-04680",
    apis="vulkan",
)
def runtime_array(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a run-time array is the end of a storage buffer, or an array of descriptors.

    A structure with a run-time array is a Block in StorageBuffer, or a Block or BufferBlock in Uniform. An array of
    descriptors needs the capability RuntimeDescriptorArray.

    Bad:  `%ptr = OpTypePointer Workgroup %struct_with_open_array`
    Good: `%ptr = OpTypePointer StorageBuffer %struct_with_open_array`
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    if held is None:
        return
    if held.kind == spv.OpTypeRuntimeArray:
        if not module.has_capability("RuntimeDescriptorArray"):
            message = f"the variable holds {module.spell(held)}, which needs the capability RuntimeDescriptorArray"
            yield Finding(inst, TYPE, message)
        elif own not in _RESOURCES:
            message = f"a run-time array of descriptors is in UniformConstant, Uniform or StorageBuffer, not {storage_name(own)}"
            yield Finding(inst, 0, message)
    elif held.is_struct and any(member is not None and member.kind == spv.OpTypeRuntimeArray for member in held.members):
        if own not in (_UNIFORM, _STORAGE_BUFFER, storage("PhysicalStorageBuffer")):
            message = f"%{held.id} holds a run-time array, and is in StorageBuffer or Uniform, not {storage_name(own)}"
            yield Finding(inst, 0, message)
        elif own != _UNIFORM and module.has_decoration(held.id, "BufferBlock"):
            message = f"%{held.id} holds a run-time array, and is decorated BufferBlock, which is for Uniform, not Block"
            yield Finding(inst, TYPE, message)


@instruction_rule(
    "vulkan/descriptor-set-and-binding",
    *VARIABLES,
    section="3.2.19",
    vuid="VUID-StandaloneSpirv-UniformConstant-06677",
    apis="vulkan",
)
def set_and_binding(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a resource is decorated DescriptorSet and Binding, unless it is a built-in descriptor heap.

    Resources are the variables in UniformConstant, Uniform and StorageBuffer.

    Bad:  `%x = OpVariable %ptr_image UniformConstant` without decorations.
    Good: `OpDecorate %x DescriptorSet 0` and `OpDecorate %x Binding 1`
    """
    own = word_at(inst, 0)
    name = inst.result
    if own not in _RESOURCES or name is None or scene.options.before_hlsl_legalization:
        return
    module = scene.module
    if module.has_decoration(name, "BuiltIn") or any(variable_type(inst, scene)):
        return
    missing = [wanted for wanted in ("DescriptorSet", "Binding") if not module.has_decoration(name, wanted)]
    if missing:
        what = " and ".join(missing)
        message = f"%{name} is in {storage_name(own)}, and not decorated {what}"
        yield Finding(inst, OPCODE, message, mends=_bound(name, missing, module))


def _bound(name: str, missing: list[str], module: Module) -> tuple[Mend, ...]:
    """The quick fix that gives a resource the first binding that its descriptor set has free, by default in the set 0."""
    set_ = _number(name, "DescriptorSet", module) or 0
    others = [other for other in module.decorated_with("Binding") if (_number(other, "DescriptorSet", module) or 0) == set_]
    taken = {_number(other, "Binding", module) for other in others}
    free = next(number for number in range(len(taken) + 1) if number not in taken)
    given = {"DescriptorSet": set_, "Binding": free}
    steps = decorating(name, [f"OpDecorate %{name} {decoration} {given[decoration]}" for decoration in missing], module)
    title = f"Decorate %{name} {' and '.join(f'{decoration} {given[decoration]}' for decoration in missing)}"
    return (Mend(title, steps, preferred=False),) if steps else ()


def _number(name: str, decoration: str, module: Module) -> int | None:
    found = module.decoration(name, decoration)
    number = found.params[0] if found is not None and found.params else None
    return number if isinstance(number, int) else None


_DIM_2D = value("Dim", "2D")


@instruction_rule("vulkan/tile-attachment", spv.OpVariable, section="3.2.6", apis="vulkan")
def tile_attachment(inst: Instruction, scene: Scene) -> Findings:
    """An image in TileAttachmentQCOM is 2D, sampled or storage, and decorated DescriptorSet and Binding.

    Bad:  `%ptr = OpTypePointer TileAttachmentQCOM %image_3d`
    Good: `%ptr = OpTypePointer TileAttachmentQCOM %image_2d`
    """
    name = inst.result
    module = scene.module
    if word_at(inst, 0) != _TILE_ATTACHMENT or name is None:
        return
    held = held_by(inst, module)
    if held is not None and held.kind == spv.OpTypeImage:
        if held.word(1) != _DIM_2D:
            message = f"the variable holds {module.spell(held)}, and TileAttachmentQCOM holds 2D images"
            yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-OpTypeImage-10693")
            return
        if held.word(5) not in (1, 2):
            return  # said of the image type
    if not (module.has_decoration(name, "DescriptorSet") and module.has_decoration(name, "Binding")):
        message = f"%{name} is in TileAttachmentQCOM, and not decorated DescriptorSet and Binding"
        missing = [wanted for wanted in ("DescriptorSet", "Binding") if not module.has_decoration(name, wanted)]
        mends = _bound(name, missing, module)
        yield Finding(inst, OPCODE, message, mends=mends, vuid="VUID-StandaloneSpirv-TileAttachmentQCOM-10695")
