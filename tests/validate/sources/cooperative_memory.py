"""Parts of modules for the tests of several subjects: cooperative memory."""

from __future__ import annotations

COOPERATIVE_MEMORY_LAYOUT = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %floats ArrayStride 4
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
"""
COOPERATIVE_MEMORY_POINTERS = """
    %all = OpAccessChain %to_floats %buffer %zero
    %p = OpAccessChain %to_float %buffer %zero %zero
"""
