"""Decorations of ids that very many instructions name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from tests.bench.worst_cases import decorations_of_one_id, equal_decorations, groups_of_one_target


@pytest.mark.parametrize("make", [decorations_of_one_id, equal_decorations, groups_of_one_target])
def test_those_found_in_steps_are_those_found_at_once(make: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(make(9000))
    at_once, in_steps = (Module(document.chunks, environment("vulkan1.3")) for _ in range(2))
    expected = at_once.decorations("seen")
    assert len(expected) == 9000
    taken = sum(1 for _ in in_steps.annotation_steps())
    assert taken > 8

    def fails(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr("spvls.module.module.decorations_of", fails)
    assert in_steps.decorations("seen") == expected
