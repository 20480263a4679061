"""JSON is read as Python's own module reads it."""

from __future__ import annotations

import json

import pytest

from spvls.grammar import data_text
from spvls.grammar.data_text import loads

TEXTS = ["{}", " [1, -2.5e3, null, true]\n", '{"a": {"b": "\\u00e9\\n"}}', "NaN", '"x"', "\t0 ", "[Infinity]"]
WRONG = ["", " ", "{", "[1,]", "[1] 2", "\xa01", '{"a" 1}', '"\n"', "nul"]


def test_the_reader_is_there() -> None:
    assert data_text._scan is not None


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_read_as_json_reads_it(text: str) -> None:
    assert repr(loads(text)) == repr(json.loads(text))


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_as_json_has_it(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as theirs:
        json.loads(text)
    with pytest.raises(json.JSONDecodeError) as ours:
        loads(text)
    assert str(ours.value) == str(theirs.value)


def test_a_python_without_the_reader_reads_by_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_text, "_scan", None)
    assert loads("[1]") == [1]
