"""Rules of `function/declaration`: functions and their parameters."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader
from tests.validate.sources.function import FUNCTION_DECLARATIONS, FUNCTION_HELPER


def test_functions_are_of_their_type() -> None:
    wrong = FUNCTION_HELPER.replace("%uint", "%int")
    [found] = spvls.validate(shader("", FUNCTION_DECLARATIONS, functions=wrong))
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%uint"]


def test_functions_have_no_parameters_beyond_their_type() -> None:
    more = "%r = OpFunctionParameter %float\n    %begin"
    found = spvls.validate(shader("", FUNCTION_DECLARATIONS, functions=FUNCTION_HELPER.replace("%begin", more)))
    assert "has 3 parameters, expected 2" in found[0].message
