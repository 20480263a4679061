"""Rules of `computation/derivative`: derivatives."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%d = OpDPdx %vec2 %v2",
        "%d = OpFwidthFine %float %f",
        "%d = OpDPdx %int %i ; error: computation/derivative-matches-operand `%int`",
        "%d = OpDPdy %float %v2 ; error: computation/derivative-matches-operand `%v2`",
        "%d = OpDPdx %double %dd ; error: computation/derivative-matches-operand `%double`",
    ],
)
def test_derivatives(line: str) -> None:
    declarations = "%double = OpTypeFloat 64\n%dd = OpUndef %double"
    check(shader(line, declarations, capabilities="Float64 DerivativeControl", model="Fragment"))
