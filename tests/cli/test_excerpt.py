"""The marked line under a finding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.cli.excerpt import WIDTH, excerpt, place_of
from spvls.diagnostic import Position, Range
from spvls.text.lines import content_length, split_lines
from tests.strategies import any_text


def marked(text: str, start: tuple[int, int], end: tuple[int, int]) -> tuple[str, str]:
    found = excerpt(split_lines(text), Range(Position(*start), Position(*end)))
    return found.source, found.mark


@pytest.mark.parametrize(
    ("text", "start", "end", "source", "mark"),
    [
        ("OpStore %a %b", (0, 8), (0, 10), "OpStore %a %b", "        ^^"),
        ("\tOpStore\t%a", (0, 9), (0, 11), "    OpStore %a", "            ^^"),
        ("a\tb", (0, 2), (0, 3), "a   b", "    ^"),
        ('"日本" x', (0, 5), (0, 6), '"日本" x', "       ^"),
        ('"日本" x', (0, 1), (0, 3), '"日本" x', " ^^^^"),
        ("e\u0301 x", (0, 3), (0, 4), "e\u0301 x", "  ^"),
        ("ab", (0, 2), (0, 2), "ab", "  ^"),
        ("ab\ncd", (0, 1), (1, 2), "ab", " ^"),
        ("ab\r\n", (0, 0), (0, 2), "ab", "^^"),
        ("\x1b[31m x", (0, 6), (0, 7), r"\x1b[31m x", "         ^"),
        ("a\x00\x7f\u2028b", (0, 4), (0, 5), r"a\x00\x7f\u2028b", "               ^"),
        ("\udcff x", (0, 2), (0, 3), r"\xff x", "     ^"),
    ],
)
def test_excerpts(text: str, start: tuple[int, int], end: tuple[int, int], source: str, mark: str) -> None:
    assert marked(text, start, end) == (source, mark)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    text = "a" * 1000 + "HERE" + "b" * 1000
    source, mark = marked(text, (0, 1000), (0, 1004))
    assert source.startswith("…aaa") and source.endswith("bbb…")
    assert source[mark.index("^") : mark.index("^") + 4] == "HERE"
    assert len(source) <= WIDTH + 2


def test_a_place_longer_than_an_excerpt_is_marked_as_far_as_it_is_shown() -> None:
    source, mark = marked("x" * 10_000_000, (0, 5), (0, 9_999_999))
    assert len(source) == WIDTH + 1
    assert mark == " " * 5 + "^" * (WIDTH - 5)


@given(any_text(), st.data())
def test_an_excerpt_is_one_line_that_leaves_the_terminal_alone(text: str, data: st.DataObject) -> None:
    lines = split_lines(text)
    row = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, content_length(lines[row])))
    found = excerpt(lines, Range(Position(row, column), Position(row, content_length(lines[row]))))
    assert found.line == row
    assert all(character.isprintable() or character.isspace() for character in found.source)
    assert len(found.source.splitlines()) <= 1
    assert found.mark.strip(" ").strip("^") == ""
    assert "^" in found.mark


def test_people_count_from_one() -> None:
    assert place_of(Position(0, 0)) == "1:1"
