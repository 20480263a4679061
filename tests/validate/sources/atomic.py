"""Parts of modules for the tests of several subjects: atomic."""

from __future__ import annotations

ATOMIC_DECLARATIONS = """
    %shared_uint = OpTypePointer Workgroup %uint
    %shared_ulong = OpTypePointer Workgroup %ulong
    %shared_float = OpTypePointer Workgroup %float
    %shared_vec2 = OpTypePointer Workgroup %vec2
    %private_uint = OpTypePointer Private %uint
    %p = OpVariable %shared_uint Workgroup
    %pl = OpVariable %shared_ulong Workgroup
    %pf = OpVariable %shared_float Workgroup
    %pv = OpVariable %shared_vec2 Workgroup
    %private = OpVariable %private_uint Private
    %cross_device = OpConstant %uint 0
    %device = OpConstant %uint 1
    %workgroup = OpConstant %uint 2
    %invocation = OpConstant %uint 4
    %queue_family = OpConstant %uint 5
    %nowhere = OpConstant %uint 9
    %relaxed = OpConstant %uint 0
    %acquire = OpConstant %uint 2
    %release = OpConstant %uint 4
    %both = OpConstant %uint 6
    %acquire_release = OpConstant %uint 8
    %sequential = OpConstant %uint 16
    %workgroup_memory = OpConstant %uint 256
    %acquire_workgroup = OpConstant %uint 258
    %release_workgroup = OpConstant %uint 260
    %acquire_release_workgroup = OpConstant %uint 264
    %wide = OpConstant %ulong 1
    %specialized = OpSpecConstant %uint 1
"""
