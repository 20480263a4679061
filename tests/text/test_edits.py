"""Edits applied to a text all at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Edit, Position, Range
from spvls.text.edits import edited, touch
from spvls.text.lines import split_lines


def span(row: int, column: int, end_row: int, end_column: int) -> Range:
    return Range(Position(row, column), Position(end_row, end_column))


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        ("ab\ncd\n", [], "ab\ncd\n"),
        ("ab\ncd\n", [Edit(span(1, 0, 1, 1), "X"), Edit(span(0, 1, 0, 2), "")], "a\nXd\n"),
        ("ab\ncd\n", [Edit(span(0, 0, 1, 0), "")], "cd\n"),
        ("ab", [Edit(span(0, 2, 0, 2), "1"), Edit(span(0, 2, 0, 2), "2")], "ab12"),
        ("ab\r\ncd", [Edit(span(1, 0, 1, 0), "x\ny\n")], "ab\r\nx\r\ny\r\ncd"),
        ("\ufeffab", [Edit(span(0, 0, 0, 0), "x\n")], "\ufeffx\nab"),
    ],
)
def test_edits(text: str, edits: list[Edit], expected: str) -> None:
    assert edited(text, edits) == expected


@given(st.text("ab\n", max_size=20), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.text("xy", max_size=2)), max_size=4))
def test_edits_are_as_one_after_the_other_from_the_last(text: str, given_: list[tuple[int, int, str]]) -> None:
    lines = split_lines(text)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines))]

    def position(offset: int) -> Position:
        row = max(row for row, start in enumerate(starts) if start <= offset)
        return Position(row, offset - starts[row])

    chosen: list[tuple[int, int, str]] = []
    for start, end, new in given_:
        start, end = sorted((min(start, len(text)), min(end, len(text))))
        if all(end < other or last < start for other, last, _ in chosen):
            chosen.append((start, end, new))
    expected = text
    for start, end, new in sorted(chosen, reverse=True):
        expected = expected[:start] + new + expected[end:]
    assert edited(text, [Edit(Range(position(start), position(end)), new) for start, end, new in chosen]) == expected


def test_ranges_that_meet_touch() -> None:
    assert touch(span(0, 0, 0, 2), span(0, 2, 0, 3)) and touch(span(0, 2, 0, 2), span(0, 0, 1, 0))
    assert not touch(span(0, 0, 0, 2), span(0, 3, 0, 4))
