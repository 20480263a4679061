"""Rules of `function/structure`: parameters, blocks, end; order of functions."""

from __future__ import annotations

import spvls
from tests.validate.sources.layout import LAYOUT_HEAD, LAYOUT_MODEL


def test_an_instruction_is_moved_to_its_section() -> None:
    text = LAYOUT_HEAD + LAYOUT_MODEL + '%void = OpTypeVoid\nOpName %void "v"\n'
    (diagnostic,) = spvls.validate(text)
    (fix,) = diagnostic.fixes
    assert [(edit.range.start.line, edit.text) for edit in fix.edits] == [(3, 'OpName %void "v"\n'), (4, "")]
