"""Rules of `control_flow/merge`: merge instructions."""

from __future__ import annotations

import spvls
from tests.validate.check import check
from tests.validate.sources.layout import LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_SELECTION, LAYOUT_TYPES


def test_a_merge_stands_directly_before_its_branch() -> None:
    text = LAYOUT_SELECTION.format("")
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + text)
    late = text.replace("%end None\n", "%end None\nOpNop\n", 1)
    assert "control-flow/merge-precedes-branch" in {d.rule for d in spvls.validate(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + late)}
