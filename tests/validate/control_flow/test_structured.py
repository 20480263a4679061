"""Rules of `control_flow/structured`: structured control flow: loops, selections, and the ways into and out of them."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.control_flow import CONTROL_FLOW_GOOD, control_flow_module


@pytest.mark.parametrize("name", CONTROL_FLOW_GOOD)
def test_good(name: str) -> None:
    check(control_flow_module(CONTROL_FLOW_GOOD[name]), env="spv1.6")
