"""Rules of `image/processing`: QCOM image processing."""

from __future__ import annotations

import pytest

from tests.validate.check import check

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
        ("", " ; error: image/processed-texture-is-decorated", _MATCH),
        (_MARK, "", "%r = OpImageSampleImplicitLod %v4 %a %xy ; error: image/decorated-texture-is-not-sampled"),
        ("", "", "%r = OpImageGatherQCOM %v4 %a %xy %zero %zero"),
        ("", "", "%r = OpImageGatherQCOM %float %a %xy %zero %zero ; error: image/gather-mode-is-enabled `%float`"),
    ],
)
def test_image_processing(marks: str, first: str, use: str) -> None:
    check(_QCOM.format(marks=marks, first=first, use=use), env="spv1.3")
