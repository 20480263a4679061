"""The capabilities that client APIs take."""

from __future__ import annotations

from itertools import pairwise

import pytest

from spvls.grammar import tables
from spvls.grammar.client import client_capabilities
from spvls.grammar.environments import environments


@pytest.mark.parametrize("name", environments())
def test_every_capability_is_one_of_the_grammar(name: str) -> None:
    taken = client_capabilities(name)
    known = {capability.name for capability in tables.kind("Capability").all}
    if taken is not None:
        assert taken.capabilities <= known
        assert known.issuperset(taken.enabled_by)
        assert all(known.issuperset(enabled) for enabled in taken.enabled_by.values())


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
    assert not taken.allows("ImageReadWrite", frozenset({"Kernel"}))
    assert taken.allows("ImageReadWrite", frozenset({"Kernel", "ImageBasic"}))
    assert taken.allows("Pipes", frozenset())
