"""Names may change and findings do not: code compares opcodes and enumerants by value."""

from __future__ import annotations

import json
import subprocess
import sys

from spvls.grammar.tables import shipped_source
from tests.corpus import ROOT
from tests.validate.promoted import promotion

_COMMAND = [sys.executable, "-m", "tests.validate.promoted"]


def _difference(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, set[str]]:
    return {name: {*found} ^ {*one[name]} for name, found in other.items() if found != one[name]}


def test_a_promotion_of_vendor_names_changes_no_finding() -> None:
    """All cases are validated by the shipped grammar, and in another process by one whose vendor names are promoted."""
    arguments = ([], ["--promoted"])
    runs = [subprocess.Popen([*_COMMAND, *more], cwd=ROOT, stdout=subprocess.PIPE) for more in arguments]
    (shipped,), (promoted, respelled) = (json.loads(run.communicate()[0]) for run in runs)
    assert promoted.keys() == shipped.keys()
    assert len(respelled) > 500
    assert _difference(shipped, promoted) == {}
    assert _difference(shipped, respelled) == {}


def test_hundreds_of_names_are_promoted() -> None:
    promoted = promotion(shipped_source)
    assert len(promoted.opcodes) > 300
    assert sum(map(len, promoted.kinds.values())) > 300
    assert promoted.spell('%x = OpTypeRayQueryKHR "OpTypeRayQueryKHR"') == '%x = OpTypeRayQuery "OpTypeRayQueryKHR"'
