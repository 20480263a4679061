"""Rules of `synchronization/atomic`: atomics."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader
from tests.validate.sources.atomic import ATOMIC_DECLARATIONS


def test_capabilities_are_offered() -> None:
    line = "%r = OpAtomicIAdd %ulong %pl %device %relaxed %l"
    found = spvls.validate(shader(line, ATOMIC_DECLARATIONS), target_env="spv1.3")
    assert "OpCapability Int64Atomics" in found[0].fixes[0].edits[0].text
