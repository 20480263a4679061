"""Columns of editors and code points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.text.encoding import ColumnCodec

BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.mark.parametrize("encoding", BYTES)
@given(line=st.text(max_size=20), data=st.data())
def test_columns_count_the_units_before_them(encoding: str, line: str, data: st.DataObject) -> None:
    codec = ColumnCodec(encoding)
    column = data.draw(st.integers(0, len(line)))
    name, size = BYTES[encoding]
    units = codec.to_units(line, column)
    assert units == len(line[:column].encode(name, "surrogatepass")) // size
    assert codec.to_points(line, units) == column


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", (1, 2, 3)), ("utf-16", (1,))])
def test_a_column_inside_a_character_is_before_it(encoding: str, units: tuple[int, ...]) -> None:
    for inside in units:
        assert ColumnCodec(encoding).to_points("\U0001f600x", inside) == 0


@pytest.mark.parametrize("encoding", BYTES)
def test_columns_past_the_end_are_the_end(encoding: str) -> None:
    assert ColumnCodec(encoding).to_points("é", 99) == 1


@pytest.mark.parametrize("encoding", BYTES)
@given(line=st.text("aé中\U0001f600", max_size=9), data=st.data())
def test_edits_of_a_line_at_once_are_those_made_one_by_one(encoding: str, line: str, data: st.DataObject) -> None:
    codec = ColumnCodec(encoding)
    columns = st.integers(0, 30)
    edits = data.draw(st.lists(st.tuples(columns, columns, st.text("xé\U0001f600", max_size=3)), max_size=9))
    expected = line
    for start, end, text in edits:
        first, last = sorted(min(codec.to_points(expected, column), len(expected)) for column in (start, end))
        expected = expected[:first] + text + expected[last:]
    assert codec.edited(line, edits) == expected
