"""Parts of modules for the tests of several subjects: ray."""

from __future__ import annotations

RAY_TYPES = """
    %structure = OpTypeAccelerationStructureKHR
    %as = OpUndef %structure
    %committed = OpConstant %uint 1
    %i_zero = OpConstant %int 0
    %micromap = OpConstant %uint 1024
"""


RAY_TRACING = RAY_TYPES + """
    %payload_uint = OpTypePointer RayPayloadKHR %uint
    %callable_uint = OpTypePointer CallableDataKHR %uint
    %private_uint = OpTypePointer Private %uint
    %payload = OpVariable %payload_uint RayPayloadKHR
    %callable = OpVariable %callable_uint CallableDataKHR
    %private = OpVariable %private_uint Private
"""
