"""Parts of modules for the tests of several subjects: constant."""

from __future__ import annotations

CONSTANT_DECLARATIONS = """
    %c = OpConstant %float 1
    %ci = OpConstant %int 1
    %c2 = OpConstantComposite %vec2 %c %c
    %c3 = OpConstantComposite %vec3 %c %c %c
    %array = OpTypeArray %float %two
    %struct = OpTypeStruct %float %vec2
    %open = OpTypeRuntimeArray %float
    %spec = OpSpecConstant %uint 3
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %ptr = OpTypePointer Private %float
    %variable = OpVariable %ptr Private
    %holder = OpTypeStruct %image
"""
