"""Rules of `id/result`: results that nothing uses."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.advice import ADVICE, advice_function


def test_a_value_that_nothing_uses() -> None:
    body = "%sum = OpFAdd %float %one %one{found}"
    (found,) = check(advice_function(body.format(found=" ; hint: id/result-is-used `%sum`")), options=ADVICE)
    assert found.tags == ("unnecessary",)
    check(advice_function(body.format(found=" ; hint: id/result-is-used `%sum`"), names='OpName %sum "sum"'), options=ADVICE)
    check(advice_function("%v = OpVariable %pointer Function\n%read = OpLoad %float %v Volatile"), options=ADVICE)
    check(
        advice_function("%v = OpVariable %pointer Function\n%read = OpLoad %float %v ; hint: id/result-is-used `%read`"),
        options=ADVICE,
    )
