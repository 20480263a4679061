"""Capabilities that the use of a thing takes, where no entry of the grammar says so (SPIR-V 3.2.7, 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.syntax.instruction import RESULT, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.declare import capability_mends
from spvls.validate.descriptors import DESCRIPTOR_CLASSES, descriptor_index
from spvls.validate.finding import Finding, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.pointers import bases
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.wording import listed

_SUBPASS = value("Dim", "SubpassData")
_BUFFER = value("Dim", "Buffer")
_READ_WRITE = value("AccessQualifier", "ReadWrite")
_SAMPLED_FORMS = (0, 1)

#: By dimension and whether the image is arrayed: the capabilities of sampled images, and of storage images.
_IMAGES: dict[tuple[int, bool], tuple[str, str]] = {
    **{(value("Dim", "1D"), arrayed): ("Sampled1D", "Image1D") for arrayed in (False, True)},
    **{(value("Dim", "Rect"), arrayed): ("SampledRect", "ImageRect") for arrayed in (False, True)},
    **{(_BUFFER, arrayed): ("SampledBuffer", "ImageBuffer") for arrayed in (False, True)},
    (value("Dim", "Cube"), True): ("SampledCubeArray", "ImageCubeArray"),
}


@instruction_rule("capability/image-type", spv.OpTypeImage, section="3.2.7", severity=Severity.WARNING)
def image_type(inst: Instruction, scene: Scene) -> Findings:
    """An image of one dimension, of cubes in arrays, a buffer or a rectangle takes the capability for its way of use.

    There is one for sampled images and one for storage images; the dimension alone is content with either. Storage images of
    several samples in arrays take ImageMSArray.

    Bad:  `OpTypeImage %float Cube 0 1 0 1 Unknown` without `OpCapability SampledCubeArray`
    Good: the capability at the top.
    """
    module = scene.module
    if not module.has_capability("Shader"):
        return
    dim, arrayed, samples, sampled = (word_at(inst, place) for place in (1, 3, 4, 5))
    if dim is None or sampled is None:
        return
    names = _IMAGES.get((dim, arrayed == 1))
    wanted = names[sampled not in _SAMPLED_FORMS] if names is not None else None
    if wanted is None and (samples, arrayed, sampled) == (1, 1, 2) and dim != _SUBPASS:
        wanted = "ImageMSArray"
        if not module.has_capability("StorageImageMultisample"):
            return  # said of the type already
    if wanted is None or module.has_capability(wanted):
        return
    if names is not None and not arrayed and not any(module.has_capability(name) for name in names):
        return  # the dimension lacks a capability as such
    use = "sampled" if sampled in _SAMPLED_FORMS else "storage"
    message = f"a {use} image of this kind takes the capability {wanted}"
    yield Finding(inst, 1, message, mends=capability_mends(module, (wanted,)))


@instruction_rule("capability/kernel-images", spv.OpTypeImage, spv.OpTypeSampler, section="3.2.30", severity=Severity.WARNING)
def kernel_images(inst: Instruction, scene: Scene) -> Findings:
    """A kernel that has images or samplers declares ImageBasic, and ImageReadWrite for images that it reads and writes.

    Bad:  `OpTypeSampler` in a module with `OpCapability Kernel` alone.
    Good: `OpCapability ImageBasic`
    """
    module = scene.module
    if not module.has_capability("Kernel") or module.has_capability("Shader"):
        return
    if not module.has_capability("ImageBasic"):
        what = "images" if inst.opcode.value == spv.OpTypeImage else "samplers"
        mends = capability_mends(module, ("ImageBasic",))
        yield Finding(inst, RESULT, f"{what} in a kernel take the capability ImageBasic", mends=mends)
    elif word_at(inst, 7) == _READ_WRITE and not module.has_capability("ImageReadWrite"):
        mends = capability_mends(module, ("ImageReadWrite",))
        yield Finding(inst, 7, "an image that a kernel reads and writes takes the capability ImageReadWrite", mends=mends)


_LOD = value("ImageOperands", "Lod")


@instruction_rule(
    "capability/kernel-mipmap", spv.OpImageSampleExplicitLod, spv.OpImageFetch, spv.OpImageRead, section="3.2.30",
    severity=Severity.WARNING,
)  # fmt: skip
def kernel_mipmap(inst: Instruction, scene: Scene) -> Findings:
    """A kernel that samples another level of detail than 0 declares ImageMipmap.

    Bad:  `Lod %float_1` in a kernel without `OpCapability ImageMipmap`
    Good: `Lod %float_0`
    """
    module = scene.module
    place = 3 if inst.opcode.value == spv.OpImageRead else 2
    mask = word_at(inst, place)
    if mask is None or not mask & _LOD or not module.has_capability("Kernel") or module.has_capability("ImageMipmap"):
        return
    at = place + 1 + (mask & 1)
    level = module.constant(id_at(inst, at))
    if level is not None and level.value != 0 and not module.has_capability("Shader"):
        mends = capability_mends(module, ("ImageMipmap",))
        yield Finding(inst, at, "a level of detail other than 0 takes the capability ImageMipmap in a kernel", mends=mends)


@instruction_rule("capability/float16-buffer", section="3.2.30", severity=Severity.WARNING, where=lambda op: op.has_type)
def float16_buffer(inst: Instruction, scene: Scene) -> Findings:
    """With Float16Buffer alone, 16-bit floats are what pointers point to, and no values.

    They are read and written by instructions that convert, such as `vload_half`.

    Bad:  `%x = OpLoad %half %p`
    Good: `%x = OpExtInst %float %opencl vload_half %offset %p`
    """
    module = scene.module
    if not module.has_capability("Float16Buffer") or module.has_capability("Float16"):
        return
    type_ = module.type(inst.type)
    scalar = type_.scalar if type_ is not None else None
    if scalar is not None and scalar.is_float and scalar.width == 16 and scalar.encoding is None:
        yield Finding(inst, TYPE, f"the result is {module.spell(type_)}: values of 16-bit floats take the capability Float16")


# Arrays of descriptors

_CHAINS = (spv.OpAccessChain, spv.OpInBoundsAccessChain)


@instruction_rule(
    "capability/descriptor-indexing", spv.OpAccessChain, spv.OpInBoundsAccessChain, section="3.2.30", severity=Severity.INFORMATION
)
def descriptor_indexing(inst: Instruction, scene: Scene) -> Findings:
    """Who indexes an array of descriptors by what is no constant declares the capability for that.

    There is one for each kind of descriptor, `UniformBufferArrayDynamicIndexing` and its kin, and another one for indexes
    that are decorated NonUniform. Without it the module is valid, and what the index does is undefined.

    Bad:  `%p = OpAccessChain %ptr %images %index` without `OpCapability SampledImageArrayDynamicIndexing`
    Good: the capability at the top, or a constant index.
    """
    module = scene.module
    for place, kind in descriptor_index(inst, module):
        index = id_at(inst, place)
        if index is None or module.constant(index) is not None:
            continue
        uniform = not module.has_decoration(index, "NonUniform")
        wanted = f"{kind}Array{'Dynamic' if uniform else 'NonUniform'}Indexing"
        names = [wanted, f"{kind}ArrayNonUniformIndexing"] if uniform else [wanted]
        if not any(module.has_capability(name) for name in names):
            message = f"%{index} is no constant, and indexing these descriptors by it takes the capability {wanted}"
            yield Finding(inst, place, message, mends=capability_mends(module, (wanted,)))


@instruction_rule(
    "vulkan/nonuniform-descriptor", spv.OpLoad, spv.OpStore, section="2.23", severity=Severity.WARNING, apis="vulkan"
)
def nonuniform_descriptor(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a descriptor that is chosen by an index decorated NonUniform is accessed by operands with that decoration.

    What counts is the decoration of the pointer into a buffer, or of the image that is loaded; that of the index is not
    enough.

    Bad:  `OpDecorate %index NonUniform`, `%p = OpAccessChain %ptr %buffers %index %zero`, `%x = OpLoad %float %p`
    Good: `OpDecorate %p NonUniform` as well.
    """
    module = scene.module
    pointer = id_at(inst, 0)
    if pointer is None or not module.has_capability("ShaderNonUniform"):
        return
    type_ = module.type_of(pointer)
    if type_ is None or type_.storage not in DESCRIPTOR_CLASSES:
        return
    if any(module.has_decoration(name, "NonUniform") for name in (pointer, inst.result) if name is not None):
        return
    for link in bases(module, pointer):
        for place, _ in descriptor_index(link, module) if link.opcode.value in _CHAINS else ():
            index = id_at(link, place)
            if index is not None and module.has_decoration(index, "NonUniform"):
                note = Note(link, place, "the descriptor is chosen here")
                message = f"%{index} is decorated NonUniform, and what accesses the descriptor that it chooses is not"
                yield Finding(inst, 0, message, (note,))


@instruction_rule("capability/runtime-descriptor-array", spv.OpVariable, section="3.2.30", severity=Severity.WARNING)
def runtime_descriptor_array(inst: Instruction, scene: Scene) -> Findings:
    """A run-time array of descriptors takes the capability RuntimeDescriptorArray. In Vulkan that is an error of another rule.

    Bad:  a variable in UniformConstant that is a run-time array of images, without the capability.
    Good: `OpCapability RuntimeDescriptorArray`
    """
    module = scene.module
    pointer = module.type(inst.type)
    held = pointer.pointee if pointer is not None and pointer.storage in DESCRIPTOR_CLASSES else None
    if pointer is None or held is None or held.kind != spv.OpTypeRuntimeArray or module.environment.api == "vulkan":
        return
    if module.has_capability("Shader") and not module.has_capability("RuntimeDescriptorArray"):
        names = ("RuntimeDescriptorArray",)
        message = f"a run-time array of descriptors takes the capability {listed(names)}"
        yield Finding(inst, TYPE, message, mends=capability_mends(module, names))
