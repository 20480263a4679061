"""Rules of `execution_model/geometry`: vertices and primitives of geometry shaders."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

GEOMETRY = """
    OpExecutionMode %main InputPoints
    OpExecutionMode %main OutputPoints
    OpExecutionMode %main OutputVertices 1
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpEmitStreamVertex %one",
        "OpEmitStreamVertex %u ; error: execution-model/stream-is-constant-integer `%u`",
        "OpEndStreamPrimitive %f ; error: execution-model/stream-is-constant-integer `%f`",
    ],
)
def test_streams(line: str) -> None:
    check(shader(line, capabilities="Geometry GeometryStreams", model="Geometry", modes=GEOMETRY))
