"""Settings of all tests: `--update`, and SPVLS_EXAMPLES, the number of examples of each property, 40 if it is not set."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# Without SPVLS_EXAMPLES a run tries the same examples every time, so that it says something about the change at hand;
# with it, other ones each time.
settings.register_profile(
    "spvls",
    max_examples=int(os.environ.get("SPVLS_EXAMPLES", "40")),
    derandomize="SPVLS_EXAMPLES" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("spvls")

# What the command line kept in another run, or would keep of modules that rules were changed for, is no part of a test.
os.environ["XDG_CACHE_HOME"] = "/dev/null"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the marks of cases from what the validator finds")
