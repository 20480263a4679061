"""Rules of `decoration/annotation`: forms of annotation instructions."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module


@pytest.mark.parametrize(
    "line",
    [
        "OpDecorateId %in UniformId %spec3",
        "OpDecorate %in UniformId %spec3 ; error: decoration/id-form-matches-decoration `OpDecorate`",
        "OpDecorateId %in Flat ; error: decoration/id-form-matches-decoration `OpDecorateId`",
        "OpDecorateId %four UniformId %spec3 ; error: decoration/id-operands-precede-target `%spec3`",
        "OpDecorateId %group UniformId %spec3 ; error: decoration/id-operands-precede-target `%group`\n%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated",
    ],
)
def test_decorations_that_take_ids(line: str) -> None:
    check(annotation_module(line), env="spv1.6")
