"""Parts of modules for the tests of several subjects: image."""

from __future__ import annotations

IMAGE_HEAD = """OpCapability Shader
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

IMAGE_BODY = """%main = OpFunction %void None %fn
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


def image_module(body: str, types: str = "") -> str:
    return f"{IMAGE_HEAD}{types}{IMAGE_BODY}{body}\nOpReturn\nOpFunctionEnd\n"
