"""Rules of `type/vector`: vectors and matrices."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%t = OpTypeVectorIdEXT %float %four",
        "%t = OpTypeVectorIdEXT %float %true ; error: type/vector-length-id-is-constant `%true`",
        "%t = OpTypeVectorIdEXT %float %zero ; error: type/vector-length-id-is-constant `%zero`",
        "%t = OpTypeVector %float 7",
    ],
)
def test_long_vectors(line: str) -> None:
    check(shader("", line, capabilities="LongVectorEXT", extensions="SPV_EXT_long_vector"))
