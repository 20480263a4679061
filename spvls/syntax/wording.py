"""What messages call the words of a text, and what is wrong with one."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from spvls.grammar import tables
from spvls.grammar.records import Operand as Declared
from spvls.syntax.nearest import Spelling
from spvls.syntax.peg import explain

_KIND_PHRASES = {
    "IdRef": "an id",
    "IdScope": "the id of a scope",
    "IdMemorySemantics": "the id of memory semantics",
    "IdResultType": "the id of the result type",
    "LiteralInteger": "an unsigned 32-bit number",
    "LiteralFloat": "a 32-bit float",
    "LiteralString": "a quoted string",
    "LiteralContextDependentNumber": "a number",
    "LiteralExtInstInteger": "the name of an extended instruction",
    "LiteralSpecConstantOpInteger": "an opcode without its Op",
}


def shown_word(word: str) -> str:
    """A word as messages show it: one line, of bearable length."""
    word = word.replace("\n", "⏎").replace("\r", "")
    return word if len(word) <= 60 else word[:57] + "…"


@lru_cache(maxsize=1)
def opcode_spelling() -> Spelling:
    return Spelling(opcode.name for opcode in tables.opcodes())


@cache
def enumerant_spelling(kind: str) -> Spelling:
    return Spelling(enumerant.name for enumerant in tables.kind(kind).all)


def described(wanted: Declared) -> str:
    phrase = _KIND_PHRASES.get(wanted.kind)
    if phrase is None:
        article = "an" if wanted.kind[:1] in "AEIOU" else "a"
        phrase = f"{article} {wanted.kind}"
    name = wanted.name
    return f"{phrase} ({name})" if name and name not in (wanted.kind, "Result Type") else phrase


def bad_id(word: str) -> str:
    at = explain("id", word)
    if at is None or at >= len(word):
        return f"`{shown_word(word)}` is no id; a name follows the %"
    return f"`{shown_word(word)}` is no id: `{word[at]}` cannot stand in one, only ASCII letters, digits and underscores"


def bad_string(word: str) -> str:
    quotes = len(re.findall(r'(?<!\\)(?:\\\\)*"', word))
    if quotes % 2:
        return "this string has no closing quote"
    return f"`{shown_word(word)}` goes on after its closing quote"
