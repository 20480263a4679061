"""The scanner and the grammar say the same of every text, and so do the expressions made from its rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from parsimonious.exceptions import ParseError
from parsimonious.nodes import Node

from spvls.grammar import tables
from spvls.syntax.peg import explain, grammar, pattern, rules
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from tests.corpus import TEXTS, name_of, text_of
from tests.strategies import texts

#: An entry of a module: the opcode it is headed by, if any, and where its words stand in the text.
Entry = tuple[str | None, list[tuple[int, int]]]


def by_grammar(text: str) -> list[Entry]:
    """The entries as parsimonious parses them."""
    found: list[Entry] = []
    pending = [grammar()["module"].parse(text)]
    while pending:
        node = pending.pop()
        if node.expr_name in ("instruction", "stray"):
            found.append(_entry(node))
        else:
            pending.extend(reversed(node.children))
    return found


def _entry(node: Node) -> Entry:
    opcode: str | None = None
    words: list[tuple[int, int]] = []
    pending = [node]
    while pending:
        inner = pending.pop()
        if inner.expr_name in ("word", "equals"):
            words.append((inner.start, inner.end))
        elif inner.expr_name == "opcode" and opcode is None:
            opcode = inner.text
            words.append((inner.start, inner.end))
        else:
            pending.extend(reversed(inner.children))
    return opcode, words


def by_scanner(text: str) -> list[Entry]:
    """The same from the scanner, which makes an entry of its own of words given as they are behind an instruction."""
    lines = split_lines(text)
    found: list[Entry] = []
    offset = line_of_offset = 0
    for line, record in scan(lines):
        offset += sum(map(len, lines[line_of_offset:line]))
        line_of_offset = line
        words = [(offset + start, offset + end) for start, end in record.words()]
        head = 2 if len(words) > 2 and _text(text, words[1]) == "=" and _text(text, words[0]).startswith("%") else 0
        opcode = _text(text, words[head])
        is_headed = opcode[:2] == "Op" and opcode[2:3].isascii() and opcode[2:3].isupper()
        if is_headed:
            known = tables.opcode(opcode)
            assert known is None or record.opcode is known or record.raw
        if not is_headed and found and found[-1][0] is not None and opcode.startswith("!"):
            found[-1][1].extend(words)
        else:
            found.append((opcode if is_headed else None, words))
    return found


def _text(text: str, span: tuple[int, int]) -> str:
    return text[span[0] : span[1]]


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_fixture(path: Path) -> None:
    text = text_of(path)
    assert by_scanner(text) == by_grammar(text)


@given(texts())
@example("%v = OpTypeVoid !65536\n!7")
@example('OpName %a "x\ny"OpNop')
@example("%a = ; c\nOp ;\n OpNop")
@example("OpNop\x00OpNop")
@example("OpNop\\\nOpName %a")
@example('%x = OpVoid"a\nOpNop\n')
@example("%\\\n= OpNop")
def test_any_text(text: str) -> None:
    assert by_scanner(text) == by_grammar(text)


WORDS = ["id", "string", "raw", "integer", "float", "mask", "word", "plain", "gap", "rest"]
ALPHABET = "%_aOp09xXeEpPfF.+-!\"\\|=;,() \t\n\r\x00é\u2028"


@given(st.sampled_from(WORDS), st.text(ALPHABET, max_size=10))
def test_an_expression_takes_what_its_rule_takes(rule: str, text: str) -> None:
    try:
        end = grammar()[rule].match(text).end
    except ParseError:
        end = None
    match = pattern(rule).match(text)
    assert (match.end() if match else None) == end


@given(st.sampled_from(WORDS), st.text(ALPHABET, max_size=10))
def test_an_explanation_is_a_place_in_the_word_just_where_it_is_refused(rule: str, text: str) -> None:
    at = explain(rule, text)
    assert (at is None) == (pattern(rule).fullmatch(text) is not None)
    assert at is None or 0 <= at <= len(text)


def test_the_whole_grammar_is_read_by_both() -> None:
    assert set(rules()) == set(grammar())
    for rule in rules():
        pattern(rule)
