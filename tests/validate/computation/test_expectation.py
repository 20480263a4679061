"""Rules of `computation/expectation`: hints to optimizers (SPV_KHR_expect_assume)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "OpAssumeTrueKHR %b",
        "OpAssumeTrueKHR %u ; error: computation/expected-value-matches-result `%u`",
        "%e = OpExpectKHR %int %i %int_1",
        "%e = OpExpectKHR %float %f %f ; error: computation/expected-value-matches-result `%float`",
        "%e = OpExpectKHR %uint %i %one ; error: computation/expected-value-matches-result `%i`",
        "%e = OpExpectKHR %int %i %one ; error: computation/expected-value-matches-result `%one`",
    ],
)
def test_hints(line: str) -> None:
    text = shader(line, "%int_1 = OpConstant %int 1", capabilities="ExpectAssumeKHR", extensions="SPV_KHR_expect_assume")
    check(text, env="spv1.3")
