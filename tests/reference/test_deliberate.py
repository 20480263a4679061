"""Which instruction a pin is about."""

from __future__ import annotations

import pytest

import spvls
from spvls.grammar import spv
from tests.reference.deliberate import UNKNOWN, Pin, about

_TEXT = """\
OpCapability Shader
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%known = OpExtInst %void %debug 0
%unknown = OpExtInst %void %debug NUMBER
"""


@pytest.mark.parametrize("number", [64, 65, 4711])
def test_instructions_that_no_table_has_are_one(number: int) -> None:
    words = spvls.assemble(_TEXT.replace("NUMBER", str(number)))
    assert about(words, 6) == (spv.OpExtInst, UNKNOWN)
    assert about(words, 5) == (spv.OpExtInst, 0)
    assert about(words, 4) == (spv.OpTypeVoid,)
    assert about(words, None) == about(words, 7) == ()


def test_a_pin_without_a_number_covers_all_numbers() -> None:
    one, any_, none = (Pin("site", instruction, frozenset()) for instruction in [(12, 3), (12,), ()])
    assert one.covers((12, 3), frozenset()) and not one.covers((12, 4), frozenset())
    assert any_.covers((12, 4), frozenset()) and not any_.covers((13,), frozenset())
    assert none.covers((), frozenset()) and not none.covers((12, 3), frozenset())
