"""Rules of `function/declaration`: functions and their parameters."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.function import FUNCTION_DECLARATIONS, FUNCTION_HELPER


def test_functions_are_of_their_type() -> None:
    check(shader("", FUNCTION_DECLARATIONS, functions=FUNCTION_HELPER))
    wrong = FUNCTION_HELPER.replace("%uint", "%int ; error: function/parameters-match-function-type `%int`")
    [found] = check(shader("", FUNCTION_DECLARATIONS, functions=wrong))
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%uint"]
    wrong = FUNCTION_HELPER.replace("%takes", "%float ; error: function/has-function-type `%float`")
    check(shader("", FUNCTION_DECLARATIONS, functions=wrong))
    wrong = FUNCTION_HELPER.replace("OpFunction %float None %takes", "OpFunction %uint None %takes").replace("%q\n", "%p\n")
    wrong = wrong.replace("None %takes", "None %takes ; error: function/result-matches-function-type `%uint`")
    check(shader("", FUNCTION_DECLARATIONS, functions=wrong))


def test_functions_have_no_parameters_beyond_their_type() -> None:
    more = "%r = OpFunctionParameter %float ; error: function/parameters-match-function-type `%r`\n    %begin"
    found = check(shader("", FUNCTION_DECLARATIONS, functions=FUNCTION_HELPER.replace("%begin", more)))
    assert "2 parameters" in found[0].message
