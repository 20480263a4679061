"""Rules of `ext_inst/graph_debug_info`: NonSemantic.Graph.DebugInfo: what graphs, operations and tensors were called; the reference validator looks at none of it."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.graph import GRAPH_MODULE


@pytest.mark.parametrize("number", ["0", "2", "x"])
def test_revisions_of_the_debug_information_of_graphs(number: str) -> None:
    text = GRAPH_MODULE.replace('DebugInfo.1"', f'DebugInfo.{number}" ; warning: ext-inst/graph-debug-revision-is-known')
    check(text.format(body=""), env="spv1.5")
