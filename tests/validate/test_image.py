"""Rules of image types, and of access to images."""

from __future__ import annotations

import pytest

from tests.validate.check import check

_HEAD = """OpCapability Shader
OpCapability ImageQuery
OpCapability StorageImageReadWithoutFormat
OpCapability StorageImageWriteWithoutFormat
OpCapability InputAttachment
OpCapability ImageGatherExtended
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %tex %smp %msv %sto %cubev %buf
OpExecutionMode %main OriginUpperLeft
OpDecorate %tex DescriptorSet 0
OpDecorate %tex Binding 0
OpDecorate %smp DescriptorSet 0
OpDecorate %smp Binding 1
OpDecorate %msv DescriptorSet 0
OpDecorate %msv Binding 2
OpDecorate %sto DescriptorSet 0
OpDecorate %sto Binding 3
OpDecorate %cubev DescriptorSet 0
OpDecorate %cubev Binding 4
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 5
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%yes = OpConstantTrue %bool
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%i2 = OpTypeVector %int 2
%u4 = OpTypeVector %uint 4
%f0 = OpConstant %float 0
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%xy = OpConstantComposite %v2 %f0 %f0
%xyz = OpConstantComposite %v3 %f0 %f0 %f0
%ij = OpConstantComposite %i2 %i0 %i0
%white = OpConstantComposite %v4 %f0 %f0 %f0 %f0
%img = OpTypeImage %float 2D 0 0 0 1 Unknown
%ms = OpTypeImage %float 2D 0 0 1 1 Unknown
%cube = OpTypeImage %float Cube 0 0 0 1 Unknown
%buffer = OpTypeImage %float 2D 0 0 0 1 Rgba32f
%storage = OpTypeImage %float 2D 0 0 0 2 Rgba32f
%sampler = OpTypeSampler
%simg = OpTypeSampledImage %img
%scube = OpTypeSampledImage %cube
%sms = OpTypeSampledImage %ms
%pimg = OpTypePointer UniformConstant %img
%psmp = OpTypePointer UniformConstant %sampler
%pms = OpTypePointer UniformConstant %ms
%psto = OpTypePointer UniformConstant %storage
%pcube = OpTypePointer UniformConstant %cube
%pbuf = OpTypePointer UniformConstant %buffer
%texel = OpTypePointer Image %float
%itexel = OpTypePointer Image %int
%tex = OpVariable %pimg UniformConstant
%smp = OpVariable %psmp UniformConstant
%msv = OpVariable %pms UniformConstant
%sto = OpVariable %psto UniformConstant
%cubev = OpVariable %pcube UniformConstant
%buf = OpVariable %pbuf UniformConstant
"""

_BODY = """%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %img %tex
%s = OpLoad %sampler %smp
%m = OpLoad %ms %msv
%st = OpLoad %storage %sto
%cu = OpLoad %cube %cubev
%si = OpSampledImage %simg %i %s
%sc = OpSampledImage %scube %cu %s
%sm = OpSampledImage %sms %m %s
"""


def _module(body: str, types: str = "") -> str:
    return f"{_HEAD}{types}{_BODY}{body}\nOpReturn\nOpFunctionEnd\n"


GOOD = [
    "%r = OpImageSampleImplicitLod %v4 %si %xy",
    "%r = OpImageSampleImplicitLod %v4 %si %xy Bias|ConstOffset %f0 %ij",
    "%r = OpImageSampleExplicitLod %v4 %si %xy Grad %xy %xy",
    "%r = OpImageSampleProjImplicitLod %v4 %si %xyz",
    "%r = OpImageSampleDrefExplicitLod %float %si %xy %f0 Lod %f0",
    "%r = OpImageSampleImplicitLod %v4 %sc %xyz",
    "%r = OpImageGather %v4 %si %xy %i0",
    "%r = OpImageFetch %v4 %i %ij Lod %i0",
    "%r = OpImageFetch %v4 %m %ij Sample %i0",
    "%r = OpImageRead %v4 %st %ij",
    "OpImageWrite %st %ij %white",
    "%r = OpImageQuerySizeLod %i2 %i %i0",
    "%r = OpImageQuerySize %i2 %st",
    "%r = OpImageQuerySamples %int %m",
    "%r = OpImageQueryLevels %int %i",
    "%r = OpImageQueryLod %v2 %si %xy",
    "%r = OpImage %img %si",
    "%r = OpImageTexelPointer %texel %sto %ij %i0",
]

BAD = [
    ("%r = OpImageSampleImplicitLod %v4 %si %f0", "image/access", "%f0"),
    ("%r = OpImageSampleImplicitLod %v3 %si %xy", "image/access", "%v3"),
    ("%r = OpImageSampleImplicitLod %u4 %si %xy", "image/access", "%u4"),
    ("%r = OpImageSampleImplicitLod %v4 %i %xy", "image/access", "%i"),
    ("%r = OpImageSampleImplicitLod %v4 %si %ij", "image/access", "%ij"),
    ("%r = OpImageSampleImplicitLod %v4 %sm %xy", "image/access", "%sm"),
    ("%r = OpImageSampleImplicitLod %v4 %si %xy Lod %f0", "image/access", "Lod"),
    ("%r = OpImageSampleExplicitLod %v4 %si %xy Lod|Grad %f0 %xy %xy", "image/access", "Lod|Grad"),
    ("%r = OpImageSampleExplicitLod %v4 %si %xy Grad %xy %xyz", "image/access", "%xyz"),
    ("%r = OpImageSampleImplicitLod %v4 %si %xy Offset|ConstOffset %ij %ij", "image/access", "Offset|ConstOffset"),
    ("%r = OpImageSampleImplicitLod %v4 %sc %xyz ConstOffset %ij", "image/access", "ConstOffset"),
    ("%r = OpImageSampleDrefImplicitLod %float %si %xy %i0", "image/access", "%i0"),
    ("%r = OpImageGather %v4 %si %xy %f0", "image/access", "%f0"),
    ("%r = OpImageFetch %v4 %cu %ij", "image/access", "%cu"),
    ("%r = OpImageFetch %v4 %m %ij", "image/access", "%ij"),
    ("%r = OpImageRead %v4 %i %ij", "image/access", "%i"),
    ("OpImageWrite %st %ij %ij", "image/access", "%ij"),
    ("%r = OpImageQuerySizeLod %int %i %i0", "image/query", "%int"),
    ("%r = OpImageQuerySize %i2 %i", "image/query", "%i"),
    ("%r = OpImageQuerySamples %int %i", "image/query", "%i"),
    ("%r = OpImageQueryLevels %float %i", "image/query", "%float"),
    ("%r = OpImageQueryLod %v4 %si %xy", "image/query", "%v4"),
    ("%r = OpImage %storage %si", "image/image-of-sampled", "%storage"),
    ("%r = OpImageTexelPointer %itexel %sto %ij %i0", "image/texel-pointer", "%itexel"),
    ("%r = OpImageTexelPointer %texel %sto %ij %i1", "image/texel-pointer", "%i1"),
    ("%r = OpSampledImage %scube %i %s", "image/sampled-image", "%i"),
    ("%r = OpSampledImage %simg %i %i", "image/sampled-image", None),
]


@pytest.mark.parametrize("line", GOOD)
def test_good(line: str) -> None:
    check(_module(line), env="spv1.5")


@pytest.mark.parametrize(("line", "rule", "part"), BAD)
def test_bad(line: str, rule: str, part: str | None) -> None:
    mark = f" ; error: {rule}" + (f" `{part}`" if part else "")
    check(_module(line + mark), env="spv1.5")


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("%t = OpTypeImage %float SubpassData 0 0 0 1 Unknown", "image/type"),
        ("%t = OpTypeImage %float 2D 3 0 0 1 Unknown", "image/type"),
        ("%t = OpTypeImage %bool 2D 0 0 0 1 Unknown", "image/type"),
        ("%t = OpTypeSampledImage %storage", "image/sampled-image-type"),
        ("%t = OpTypeSampledImage %float", "image/sampled-image-type"),
    ],
)
def test_types(line: str, rule: str) -> None:
    check(_module("", f"{line} ; error: {rule}\n"), env="spv1.5")


def test_sampled_images_are_used_in_their_block() -> None:
    body = (
        "%late = OpSampledImage %simg %i %s ; error: image/sampled-image-use\nOpBranch %next\n%next = OpLabel\n"
        "%r = OpImageSampleImplicitLod %v4 %late %xy"
    )
    check(_module(body), env="spv1.5")


_TILE = """OpCapability Shader
OpCapability TileImageColorReadAccessEXT
OpCapability TileImageDepthReadAccessEXT
OpExtension "SPV_EXT_shader_tile_image"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%main = OpFunction %void None %fn
%entry = OpLabel
"""


def test_tile_reads() -> None:
    check(f"{_TILE}%d = OpDepthAttachmentReadEXT %float\nOpReturn\nOpFunctionEnd\n", env="spv1.5")
    bad = "%d = OpDepthAttachmentReadEXT %uint ; error: image/tile-read `%uint`"
    check(f"{_TILE}{bad}\nOpReturn\nOpFunctionEnd\n", env="spv1.5")


_QCOM = """OpCapability Shader
OpCapability TextureBlockMatchQCOM
OpCapability ImageGatherLinearQCOM
OpExtension "SPV_QCOM_image_processing"
OpExtension "SPV_QCOM_image_processing3"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
{marks}%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%f0 = OpConstant %float 0
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%u2 = OpTypeVector %uint 2
%ij = OpConstantComposite %u2 %zero %zero
%xy = OpConstantComposite %v2 %f0 %f0
%img = OpTypeImage %float 2D 0 0 0 1 Unknown
%simg = OpTypeSampledImage %img
%p = OpTypePointer UniformConstant %simg
%t = OpVariable %p UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpLoad %simg %t{first}
{use}
OpReturn
OpFunctionEnd
"""

_MATCH = "%r = OpImageBlockMatchSADQCOM %v4 %a %ij %a %ij %ij"
_MARK = "OpDecorate %t BlockMatchTextureQCOM\n"


@pytest.mark.parametrize(
    ("marks", "first", "use"),
    [
        (_MARK, "", _MATCH),
        ("", " ; error: image/qcom-textures", _MATCH),
        (_MARK, "", "%r = OpImageSampleImplicitLod %v4 %a %xy ; error: image/qcom-misuse"),
        ("", "", "%r = OpImageGatherQCOM %v4 %a %xy %zero %zero"),
        ("", "", "%r = OpImageGatherQCOM %float %a %xy %zero %zero ; error: image/qcom-gather `%float`"),
    ],
)
def test_image_processing(marks: str, first: str, use: str) -> None:
    check(_QCOM.format(marks=marks, first=first, use=use), env="spv1.3")
