"""How much Hypothesis tries: SPVLS_EXAMPLES examples of each property, 40 where it is not set."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "spvls",
    max_examples=int(os.environ.get("SPVLS_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("spvls")
