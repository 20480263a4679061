"""Comments that keep the numbers of ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.preserved_ids import Preserved, preserved_lines, read_preserved
from spvls.binary.words import Header

HEADER = Header(0x00010300, 0x0008000B, 27, 0, "little")


def test_lines() -> None:
    assert preserved_lines(HEADER, {"4": "main", "5": "5", "6": "float"}) == [
        "; spvls: header generator=0x0008000b bound=27 schema=0",
        "; spvls: ids main=4 float=6",
    ]


def test_long_lists_of_ids_are_broken_into_lines() -> None:
    lines = preserved_lines(HEADER, {str(number): f"name_{number}" for number in range(1, 100)})
    assert len(lines) > 5
    assert max(map(len, lines)) < 120


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", Preserved(None, None, None, {})),
        ("; spvls: ids a=1 b=0x10", Preserved(None, None, None, {"a": 1, "b": 16})),
        ("\n ; SPIR-V\n\n;spvls:  header  bound=7 \n; spvls: ids a=1\n", Preserved(None, 7, None, {"a": 1})),
        ("; spvls: ids a=1\n; spvls: ids a=2 b=3", Preserved(None, None, None, {"a": 1, "b": 3})),
        ("; spvls: ids a=4294967296 b=9999999999 c=x d=4294967295", Preserved(None, None, None, {"d": 0xFFFFFFFF})),
        ("; spvls: ids a", Preserved(None, None, None, {})),
        ("; spvls: target-env=vulkan1.2", Preserved(None, None, None, {})),
        ("OpNop\n; spvls: ids a=1", Preserved(None, None, None, {})),
    ],
)
def test_reading(text: str, kept: Preserved) -> None:
    assert read_preserved(text.split("\n")) == kept


NAMES = st.dictionaries(st.integers(1, 0xFFFFFFFF), st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,40}", fullmatch=True))


@given(NAMES)
def test_what_is_kept_is_read_again(names: dict[int, str]) -> None:
    by_name = {name: number for number, name in names.items()}
    lines = preserved_lines(HEADER, {str(number): name for name, number in by_name.items()})
    assert read_preserved(lines) == (HEADER.generator, HEADER.bound, HEADER.schema, by_name)
