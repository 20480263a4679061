"""Rules of `function/structure`: parameters, blocks, end; order of functions."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.layout import LAYOUT_FUNCTION, LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_TYPES


def test_an_instruction_is_moved_to_its_section() -> None:
    text = LAYOUT_HEAD + LAYOUT_MODEL + '%void = OpTypeVoid\nOpName %void "v"\n'
    (diagnostic,) = spvls.validate(text)
    (fix,) = diagnostic.fixes
    assert [(edit.range.start.line, edit.text) for edit in fix.edits] == [(3, 'OpName %void "v"\n'), (4, "")]


@pytest.mark.parametrize(
    "text",
    [
        LAYOUT_FUNCTION,
        "%f = OpFunction %void None %fn\nOpReturn ; error: function/body-is-made-of-blocks\n%l = OpLabel\nOpReturn\n"
        "OpFunctionEnd",
        "%f = OpFunction %void None %fn\n%l = OpLabel\nOpFunctionEnd ; error: function/body-is-made-of-blocks",
        "%f = OpFunction %void None %fn\n%l = OpLabel\n%m = OpLabel ; error: function/body-is-made-of-blocks\nOpReturn\n"
        "OpFunctionEnd",
        LAYOUT_FUNCTION + "OpReturn ; error: function/body-is-made-of-blocks",
        LAYOUT_FUNCTION + "%int = OpTypeInt 32 0 ; error: function/body-is-made-of-blocks",
        LAYOUT_FUNCTION + "OpFunctionEnd ; error: function/body-is-made-of-blocks",
        LAYOUT_FUNCTION + "%l = OpLabel ; error: function/body-is-made-of-blocks\nOpReturn",
    ],
)
def test_a_function_is_made_of_blocks(text: str) -> None:
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + text)


def test_parameters_stand_before_the_first_block() -> None:
    declared = "%int = OpTypeInt 32 0\n%fi = OpTypeFunction %void %int\n%f = OpFunction %void None %fi\n"
    parameter, label = "%p = OpFunctionParameter %int", "%l = OpLabel\n"
    end = "OpReturn\nOpFunctionEnd"
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + declared + parameter + "\n" + label + end)
    late = f"{declared}{label}{parameter} ; error: function/body-is-made-of-blocks\n{end}"
    found = {(d.rule, d.range.start.line) for d in spvls.validate(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + late) if d.range}
    assert ("function/body-is-made-of-blocks", 11) in found


def test_functions_are_closed() -> None:
    open_function = "%f = OpFunction %void None %fn{}\n%l = OpLabel\nOpReturn\n"
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + open_function.format(" ; error: function/ends-with-function-end"))
    other = "%g = OpFunction %void None %fn ; error: function/ends-with-function-end\n%m = OpLabel\nOpReturn\nOpFunctionEnd"
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + open_function.format("") + other)


def test_declarations_stand_before_definitions() -> None:
    imported = 'OpDecorate %g LinkageAttributes "g" Import\n'
    declaration = "%g = OpFunction %void None %fn\nOpFunctionEnd"
    check(LAYOUT_HEAD + LAYOUT_MODEL + imported + LAYOUT_TYPES + declaration + "\n" + LAYOUT_FUNCTION)
    check(LAYOUT_HEAD + LAYOUT_MODEL + imported + LAYOUT_TYPES + LAYOUT_FUNCTION + declaration + " ; error: function/declarations-precede-definitions")
