"""The example of what the cursor is at."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.diagnostic import Position
from spvls.ide.documentation.example_at import example_at
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import marked
from tests.strategies import positions, texts


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("%x = OpFA‸dd %t %a %b", "OpFAdd"),
        ("%x = OpFAdd %t %‸a %b", "OpFAdd"),
        ("OpDecorate %x Loca‸tion 0", "Decoration.Location"),
        ("OpDecorate %x BuiltIn Frag‸Coord", "BuiltIn.FragCoord"),
        ("%x = OpExtInst %t %glsl Sq‸rt %a", "GLSL.std.450.Sqrt"),
        ("%x = OpLoad %t %p Volatile|Ali‸gned 4", "MemoryAccess.Aligned"),
        ("%i = OpTypeImage %t 2‸D 0 0 0 1 Unknown", "OpTypeImage"),
    ],
)
def test_the_example_is_of_the_nearest_entry_that_has_one(line: str, key: str) -> None:
    assembly, cursor, _ = marked(f'%glsl = OpExtInstImport "GLSL.std.450"\n{line}\n')
    found = example_at(assembly, cursor)
    assert found is not None and found.key == key
    assert key.rpartition(".")[2] in found.text and found.text.startswith("; spvls: target-env=")


def test_nothing_at_the_cursor_has_no_example() -> None:
    assert example_at(SourceModule("; a comment\n"), Position(0, 4)) is None


@given(texts(), positions())
def test_any_text(text: str, position: Position) -> None:
    example_at(SourceModule(text), position)
