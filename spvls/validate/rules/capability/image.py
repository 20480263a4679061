"""Capabilities of image types and kernels' images (SPIR-V 3.2.7, 3.2.30)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AccessQualifier, Capability, Dim, ImageOperands
from spvls.grammar.operand_index import OpImageFetch_ImageOperands, OpTypeImage_Dim
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import capability_fixes

_SUBPASS = Dim.SubpassData
_BUFFER = Dim.Buffer
_READ_WRITE = AccessQualifier.ReadWrite
_SAMPLED_FORMS = (0, 1)

#: By dimension and whether the image is arrayed: the capabilities of sampled images, and of storage images.
_IMAGES: dict[tuple[int, bool], tuple[int, int]] = {
    **{(Dim.Dim1D, arrayed): (Capability.Sampled1D, Capability.Image1D) for arrayed in (False, True)},
    **{(Dim.Rect, arrayed): (Capability.SampledRect, Capability.ImageRect) for arrayed in (False, True)},
    **{(_BUFFER, arrayed): (Capability.SampledBuffer, Capability.ImageBuffer) for arrayed in (False, True)},
    (Dim.Cube, True): (Capability.SampledCubeArray, Capability.ImageCubeArray),
}


@instruction_rule("capability/image-type-is-enabled", spv.OpTypeImage, section=sections.CAPABILITY, severity=Severity.WARNING)
def image_type_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """Images of Dim 1D, Buffer or Rect, cube arrays and multisampled storage arrays must be enabled.

    For Dim 1D, Buffer and Rect and for cube arrays, there is one capability for sampled images (Sampled 0 or 1), such as Sampled1D,
    and one for storage images (Sampled 2), such as Image1D, which implies the former. Without the right capability, creation of the
    pipeline may fail. An arrayed storage image of Dim 2D or 3D with several samples requires ImageMSArray; the rule checks this
    where StorageImageMultisample is declared (otherwise `image/image-type-is-consistent` reports the image). Only modules with
    Shader are checked.

    If the module declares neither capability of Dim 1D, Buffer or Rect, `capability/uses-are-enabled` reports the Dim; this rule
    then reports the image as well only if it is arrayed.

    A warning, because spirv-val checks these capabilities only for the Dim as such, and at reads and writes of storage images.
    """
    module = context.module
    if not module.has_capability(Capability.Shader):
        return
    dim, arrayed, samples, sampled = (word_at(inst, operand_index) for operand_index in (1, 3, 4, 5))
    if dim is None or sampled is None:
        return
    either = _IMAGES.get((dim, arrayed == 1))
    wanted = either[sampled not in _SAMPLED_FORMS] if either is not None else None
    if wanted is None and (samples, arrayed, sampled) == (1, 1, 2) and dim != _SUBPASS:
        wanted = Capability.ImageMSArray
        if not module.has_capability(Capability.StorageImageMultisample):
            return  # said of the type already
    if wanted is None or module.has_capability(wanted):
        return
    if either is not None and not arrayed and not any(map(module.has_capability, either)):
        return  # the dimension lacks a capability as such
    message = f"{module.spell(module.type(inst.result))} requires the capability {capability_name(wanted)}"
    yield Finding(inst, OpTypeImage_Dim, message, fixes=capability_fixes(module, (wanted,)))


@instruction_rule(
    "capability/kernel-images-are-enabled",
    spv.OpTypeImage,
    spv.OpTypeSampler,
    section=sections.CAPABILITY,
    severity=Severity.WARNING,
)
def kernel_images_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A kernel that has images or samplers must declare ImageBasic.

    Devices of OpenCL need not support images. With the capability, a runtime can reject the program on a device without them;
    without it, the build may fail. OpTypeImage and OpTypeSampler are checked. An image with the access qualifier ReadWrite also
    requires ImageReadWrite, which is checked where ImageBasic is there. A kernel is here a module with the capability Kernel, but
    not Shader.
    """
    module = context.module
    if not module.has_capability(Capability.Kernel) or module.has_capability(Capability.Shader):
        return
    if not module.has_capability(Capability.ImageBasic):
        what = "images" if inst.opcode.value == spv.OpTypeImage else "samplers"
        fixes = capability_fixes(module, (Capability.ImageBasic,))
        yield Finding(inst, RESULT, f"{what} in a kernel require the capability ImageBasic", fixes=fixes)
    elif word_at(inst, 7) == _READ_WRITE and not module.has_capability(Capability.ImageReadWrite):
        fixes = capability_fixes(module, (Capability.ImageReadWrite,))
        yield Finding(inst, 7, "an image with the access qualifier ReadWrite requires the capability ImageReadWrite", fixes=fixes)


_LOD = ImageOperands.Lod


@instruction_rule(
    "capability/kernel-mipmaps-are-enabled", spv.OpImageSampleExplicitLod, spv.OpImageFetch, spv.OpImageRead,
    section=sections.CAPABILITY,
    severity=Severity.WARNING,
)  # fmt: skip
def kernel_mipmaps_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A kernel that accesses a level of detail other than 0 must declare ImageMipmap.

    Mipmapped images are optional in OpenCL, and a device without the capability may reject the kernel. With only
    cl_khr_mipmap_image, an OpenCL device accepts such an Lod in OpImageSampleExplicitLod and OpImageRead; the rule does not know
    this. In the environments of OpenCL, `capability/is-supported-by-environment` reports ImageMipmap, which
    cl_khr_mipmap_image_writes brings. As in spirv-val, an Lod of OpImageRead in a kernel is an error of `image/access-fits-image`
    too, with ImageMipmap as without.

    Only a constant Lod of OpImageSampleExplicitLod, OpImageFetch or OpImageRead is checked, in modules with Kernel and without
    Shader; of a constant that can be specialized, the default value. OpUndef, and a result of OpSpecConstantOp that is not
    computed, count as other than 0.
    """
    module = context.module
    mask = word_at(inst, OpImageFetch_ImageOperands)
    if (
        mask is None
        or not mask & _LOD
        or not module.has_capability(Capability.Kernel)
        or module.has_capability(Capability.ImageMipmap)
    ):
        return
    at = OpImageFetch_ImageOperands + 1 + (mask & 1)
    level = module.constant(id_at(inst, at))
    if level is not None and level.value != 0 and not module.has_capability(Capability.Shader):
        fixes = capability_fixes(module, (Capability.ImageMipmap,))
        message = f"the image operand Lod (%{id_at(inst, at)}) is not 0; in a kernel, this requires the capability ImageMipmap"
        yield Finding(inst, at, message, fixes=fixes)
