"""How much Hypothesis tries: SPVLS_EXAMPLES examples of each property, 40 where it is not set."""

from __future__ import annotations

import os

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
