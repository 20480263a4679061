"""The capabilities that client APIs take."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from spvls.grammar import tables
from spvls.grammar.client import client_capabilities
from spvls.grammar.data_text import data_folder
from spvls.grammar.enumerants import Capability
from spvls.grammar.environments import environments


@pytest.mark.parametrize("name", environments())
def test_every_capability_is_one_of_the_grammar(name: str) -> None:
    entry = json.loads(Path(data_folder(), "client_capabilities.json").read_text()).get(name, {})
    named = [*entry.get("capabilities", ())]
    for enabling, enabled in entry.get("enabled_by", {}).items():
        named += [enabling, *enabled]
    assert len(tables.capability_values(named)) == len(named)
    taken = client_capabilities(name)
    assert taken is None or taken.capabilities >= {*tables.capability_values(entry.get("capabilities", ()))}


def test_later_versions_take_what_earlier_ones_take() -> None:
    versions = [client_capabilities(f"vulkan1.{minor}") for minor in range(5)]
    sets = [taken.capabilities for taken in versions if taken is not None]
    assert len(sets) == 5
    assert all(earlier < later for earlier, later in pairwise(sets))


def test_some_environments_take_all() -> None:
    assert client_capabilities("spv1.6") is None
    assert client_capabilities("opengl4.5") is None


def test_a_capability_brings_others() -> None:
    taken = client_capabilities("opencl2.0")
    assert taken is not None
    assert not taken.allows(Capability.ImageReadWrite, frozenset({Capability.Kernel}))
    assert taken.allows(Capability.ImageReadWrite, frozenset({Capability.Kernel, Capability.ImageBasic}))
    [pipes] = tables.capability_values(["Pipes"])
    assert taken.allows(pipes, frozenset())
