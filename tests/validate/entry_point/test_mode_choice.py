"""Rules of `entry_point/mode_choice`: modes that exclude or require each other."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.entry_point import ENTRY_POINT_ORIGIN, entry_point_module

TRIANGLES = "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3"


@pytest.mark.parametrize(
    ("model", "modes", "capabilities", "fits"),
    [
        ("Fragment", ENTRY_POINT_ORIGIN, "Shader", True),
        ("Fragment", "", "Shader", False),
        ("Fragment", f"{ENTRY_POINT_ORIGIN}\nOpExecutionMode %main OriginLowerLeft", "Shader", False),
        ("Fragment", f"{ENTRY_POINT_ORIGIN}\nOpExecutionMode %main DepthLess", "Shader", True),
        ("Fragment", f"{ENTRY_POINT_ORIGIN}\nOpExecutionMode %main DepthLess\nOpExecutionMode %main DepthGreater", "Shader", False),
        ("TessellationControl", "OpExecutionMode %main SpacingEqual", "Tessellation", True),
        ("TessellationControl", "OpExecutionMode %main Quads\nOpExecutionMode %main Isolines", "Tessellation", False),
        (
            "TessellationEvaluation",
            "OpExecutionMode %main VertexOrderCw\nOpExecutionMode %main VertexOrderCcw",
            "Tessellation",
            False,
        ),
        ("Geometry", TRIANGLES, "Geometry", True),
        ("Geometry", "OpExecutionMode %main InputPoints", "Geometry", False),
        ("Geometry", f"{TRIANGLES}\nOpExecutionMode %main InputPoints", "Geometry", False),
    ],
)
def test_modes_that_exclude_each_other(model: str, modes: str, capabilities: str, fits: bool) -> None:
    check(entry_point_module(model, modes, capabilities=capabilities, at_entry="" if fits else " ; error: entry-point/one-exclusive-mode-is-set `%main`"))
