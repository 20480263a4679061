"""Rules of `control_flow/nesting`: the limit of nesting."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.layout import LAYOUT_FUNCTION, LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_TYPES


def test_the_limit_on_nesting() -> None:
    nested = (
        "OpSelectionMerge %end1 None\nOpBranchConditional %true %in1 %end1\n%in1 = OpLabel{}\nOpBranch %end1\n%end1 = OpLabel"
    )
    text = LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + LAYOUT_FUNCTION.replace("OpReturn", nested + "\nOpReturn")
    check(text.format(""), options={"max_control_flow_nesting_depth": 1})
    check(text.format(" ; error: control-flow/nesting-is-within-limit"), options={"max_control_flow_nesting_depth": 0})
