"""Rules of `memory/predicated`: predicated loads and stores."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpPredicatedLoadINTEL %float %x %b %f",
        "%r = OpPredicatedLoadINTEL %float %x %b %u ; error: memory/predicated-load-types-match `%u`",
        "%r = OpPredicatedLoadINTEL %uint %x %b %u ; error: memory/predicated-load-types-match `%uint`",
        "%r = OpPredicatedLoadINTEL %float %f %b %f ; error: memory/predicated-access-takes-pointer `%f`",
        "%r = OpPredicatedLoadINTEL %float %x %u %f ; error: memory/predicated-access-takes-pointer `%u`",
        "%r = OpPredicatedLoadINTEL %float %x %b %f Volatile ; error: memory/predicated-access-is-not-volatile `Volatile`",
        "OpPredicatedStoreINTEL %x %f %b",
        "OpPredicatedStoreINTEL %x %u %b ; error: memory/predicated-store-types-match `%u`",
    ],
)
def test_predicated_access(line: str) -> None:
    declarations = "%p = OpTypePointer Private %float\n%x = OpVariable %p Private"
    check(shader(line, declarations, capabilities="PredicatedIOINTEL", extensions="SPV_INTEL_predicated_io"), env="spv1.3")
