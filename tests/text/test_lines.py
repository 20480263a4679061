"""Lines as editors cut them, and edits to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.text.lines import clamp, content_length, position_in, splice, split_lines
from tests.strategies import any_text, edits, texts


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a\n", ["a\n", ""]),
        ("a\r\nb\rc\n\n", ["a\r\n", "b\r", "c\n", "\n", ""]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g", ["a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g"]),
        ("a\u2028\nb", ["a\u2028\n", "b"]),
    ],
)
def test_only_the_line_breaks_of_editors_cut(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(any_text())
def test_lines_joined_are_the_text_and_each_but_the_last_ends_in_one_break(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line.endswith(("\n", "\r")) for line in lines[:-1])
    assert not lines[-1].endswith(("\n", "\r"))
    assert position_in(text, len(text)).line == len(lines) - 1
    for line in lines:
        assert not set("\r\n") & set(line[: content_length(line)])


@given(any_text(), st.data())
def test_a_position_leads_back_to_its_offset(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        offset += 1  # between the two characters of a break there is no position
    lines = split_lines(text)
    position = position_in(text, offset)
    assert sum(map(len, lines[: position.line])) + position.column == offset
    assert position_in(text, offset, first_line=7) == Position(position.line + 7, position.column)


@pytest.mark.parametrize(
    ("given_position", "nearest"),
    [
        (Position(-1, 5), Position(0, 0)),
        (Position(0, 99), Position(0, 2)),
        (Position(0, -3), Position(0, 0)),
        (Position(1, 1), Position(1, 0)),
        (Position(99, 99), Position(2, 1)),
    ],
)
def test_positions_beyond_the_text_are_drawn_into_it(given_position: Position, nearest: Position) -> None:
    assert clamp(["ab\r\n", "\n", "c"], given_position) == nearest


def _replaced(text: str, span: Range, new: str) -> str:
    lines = split_lines(text)
    start, end = sorted((clamp(lines, span.start), clamp(lines, span.end)))
    offsets = [sum(map(len, lines[: place.line])) + place.column for place in (start, end)]
    return text[: offsets[0]] + new + text[offsets[1] :]


@given(st.one_of(texts(), any_text()), st.lists(edits(), max_size=6))
def test_splicing_lines_is_replacing_in_the_text(text: str, changes: list[tuple[Range, str]]) -> None:
    lines = split_lines(text)
    for span, new in changes:
        before = list(lines)
        text = _replaced(text, span, new)
        first, old, fresh = splice(lines, span, new)
        assert lines == split_lines(text)
        assert before[:first] == lines[:first]
        assert before[first + old :] == lines[first + fresh :]


@pytest.mark.parametrize(
    ("text", "span", "new", "lines"),
    [
        ("a\rb", Range(Position(1, 0), Position(1, 0)), "\n", ["a\r\n", "b"]),
        ("a\nb", Range(Position(0, 1), Position(0, 1)), "\r", ["a\r\n", "b"]),
        ("a\r\nb", Range(Position(0, 1), Position(1, 0)), "\r", ["a\r", "b"]),
    ],
)
def test_breaks_that_an_edit_joins_count_as_one(text: str, span: Range, new: str, lines: list[str]) -> None:
    held = split_lines(text)
    splice(held, span, new)
    assert held == lines
