"""Parts of modules for the tests of several subjects: function."""

from __future__ import annotations

FUNCTION_DECLARATIONS = """
    %takes = OpTypeFunction %float %uint %float
    %c = OpConstant %float 1
"""
FUNCTION_HELPER = """
    %helper = OpFunction %float None %takes
    %p = OpFunctionParameter %uint
    %q = OpFunctionParameter %float
    %begin = OpLabel
    OpReturnValue %q
    OpFunctionEnd
"""
