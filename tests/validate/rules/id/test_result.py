"""Rules of `id/result`: results that nothing uses."""

from __future__ import annotations

import spvls
from tests.validate.sources.advice import ADVICE, advice_function


def test_a_value_that_nothing_uses() -> None:
    (found,) = spvls.validate(advice_function("%sum = OpFAdd %float %one %one"), options=ADVICE)
    assert found.tags == ("unnecessary",)
