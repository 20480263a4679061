"""Rules of `id/definition`: ids: defined once, before they are used, and where the definition dominates the use."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.control_flow import control_flow_module


def test_value_of_another_function() -> None:
    more = (
        "%f = OpFunction %int None %int_fn\n%l = OpLabel\nOpReturnValue %y ; error: id/stays-in-its-function `%y`\n"
        "OpFunctionEnd\n"
    )
    check(control_flow_module("%y = OpIAdd %int %one %one\nOpReturn", more), env="spv1.6")


def test_types_made_of_themselves_are_not_followed() -> None:
    check(
        """
OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
%m = OpTypeMatrix %m 2 ; error: type/is-not-recursive
%null = OpConstantNull %m
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%main = OpFunction %void None %main_type
%entry = OpLabel
%r = OpExtInst %m %set MatrixInverse %null
OpReturn
OpFunctionEnd
"""
    )
