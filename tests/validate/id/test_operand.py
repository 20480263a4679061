"""Rules of `id/operand`: what an id must stand for where it is used: a type, or a value."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpIAdd %uint %u %uint ; error: id/operand-is-value `%uint`",
        "%r = OpIAdd %uint %u %entry ; error: id/operand-is-value `%entry`",
        "%r = OpIAdd %uint %u %main ; error: id/operand-is-value `%main` ; error: computation/integer-operands-match-result `%main`",
        "%r = OpIAdd %uint %u %u",
    ],
)
def test_values(line: str) -> None:
    check(shader(line))
