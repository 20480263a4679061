"""Types on cycles, as edits make and end them."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document


@pytest.mark.parametrize("depth", [2, 700], ids=["few types", "many types"])
def test_an_edit_closes_and_opens_a_cycle(depth: int) -> None:
    chain = [f"%S_{at} = OpTypeStruct %S_{at + 1}" for at in range(depth)]
    document = Document("\n".join(["%int = OpTypeInt 32 0", *chain, f"%S_{depth} = OpTypeStruct %int", ""]))
    module = Module(document.chunks, environment("vulkan1.3"))
    assert not module.has_recursive_types
    start = len(f"%S_{depth} = OpTypeStruct ")

    def named(old: str, new: str) -> bool:
        where = Range(Position(depth + 1, start), Position(depth + 1, start + len(old)))
        module.update(document.edit([(where, new)]))
        fresh = Module(Document(document.text).chunks, environment("vulkan1.3"))
        assert module.has_recursive_types is fresh.has_recursive_types
        return module.has_recursive_types

    assert not named("%int", "%missing")
    assert named("%missing", "%S_0")
    assert named("%S_0", f"%S_{depth}")
    assert not named(f"%S_{depth}", "%int")
