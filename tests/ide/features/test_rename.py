"""Renaming reaches every place of an id, and spoils no other name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.ide.features.rename import RenameError, prepare_rename, rename
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import applied, marked
from tests.strategies import texts


def renamed(text: str, name: str) -> str:
    source, cursor, _ = marked(text)
    return applied(source, rename(source, cursor, name))


def test_every_place_is_renamed() -> None:
    assert renamed("%x = OpPhi %t %x‸ %l %xx %l\nOpStore %xx %x ; %x\n", "%y") == (
        "%y = OpPhi %t %y %l %xx %l\nOpStore %xx %y ; %x\n"
    )


def test_an_opname_that_says_the_name_follows() -> None:
    text = 'OpName %ma‸in "main"\nOpName %other "main"\nOpEntryPoint Vertex %main "main"\n'
    assert renamed(text, "start") == 'OpName %start "start"\nOpName %other "main"\nOpEntryPoint Vertex %start "main"\n'


def test_another_opname_stays() -> None:
    assert renamed('OpName %4‸ "main"\n', "start") == 'OpName %start "main"\n'


@pytest.mark.parametrize("name", ["", "%", "a b", "a-b", "é", "%%a", '"'])
def test_names_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(RenameError, match="is not an id"):
        renamed("%x‸ = OpTypeVoid\n", name)


def test_a_name_that_is_taken_is_refused() -> None:
    for text in ("%x‸ = OpTypeVoid\n%y = OpTypeBool\n", "%x‸ = OpTypeVoid\nOpStore %y %y\n"):
        with pytest.raises(RenameError, match="already"):
            renamed(text, "y")


def test_only_ids_can_be_renamed() -> None:
    with pytest.raises(RenameError):
        renamed("OpCapa‸bility Shader\n", "x")
    assert prepare_rename(SourceModule("OpNop\n"), Position(0, 1)) is None


def test_what_is_to_be_renamed() -> None:
    source, cursor, _ = marked("%main‸ = OpTypeVoid\n")
    assert prepare_rename(source, cursor) == (Range(Position(0, 0), Position(0, 5)), "%main")


def test_the_same_name_changes_nothing() -> None:
    assert renamed("%x‸ = OpTypeVoid\n", "%x") == "%x = OpTypeVoid\n"


@given(texts(), st.data())
def test_renaming_there_and_back_gives_the_text_again(text: str, data: st.DataObject) -> None:
    source = SourceModule(text)
    names = sorted(source.module.ids.names())
    if not names:
        return
    name = data.draw(st.sampled_from(names))
    place = next(
        position
        for line in range(len(source.document.lines))
        for column in range(len(source.document.lines[line]))
        if source.document.lines[line].startswith(f"%{name}", column)
        and (found := prepare_rename(source, position := Position(line, column))) is not None
        and found[1] == f"%{name}"
    )
    there = SourceModule(applied(source, rename(source, place, "fresh_name")))
    assert not there.module.ids.uses(name)
    assert applied(there, rename(there, place, name)) == source.text
