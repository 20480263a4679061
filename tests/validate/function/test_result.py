"""Rules of `function/result`: returns."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.control_flow import control_flow_module


def test_return_without_a_value_where_one_is_due() -> None:
    more = "%f = OpFunction %int None %int_fn\n%l = OpLabel\nOpReturn ; error: function/non-void-function-returns-value\nOpFunctionEnd\n"
    check(control_flow_module("OpReturn", more), env="spv1.6")
