"""Wording of messages about the words of a text. Each error has one wording, whoever reports it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from spvls.grammar import tables
from spvls.grammar.records import ExtendedSet, OperandKind
from spvls.grammar.records import Operand as Declared
from spvls.syntax.number import is_integer
from spvls.syntax.peg import explain
from spvls.text.pattern import pattern
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from spvls.syntax.nearest import Spelling

_QUOTE = pattern(r'(?<!\\)(?:\\\\)*"')

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
    "LiteralSpecConstantOpInteger": "an opcode without the prefix `Op`",
}


def shown_word(word: str) -> str:
    """A word as messages show it: one line, at most 60 characters."""
    word = word.replace("\n", "⏎").replace("\r", "")
    return word if len(word) <= 60 else word[:57] + "…"


@lru_cache(maxsize=1)
def opcode_spelling() -> Spelling:
    from spvls.grammar.history import OPCODES

    return _spelling((opcode.name for opcode in tables.opcodes()), OPCODES)


@cache
def enumerant_spelling(kind: OperandKind) -> Spelling:
    return _spelling((enumerant.name for enumerant in kind.all), kind.name)


@cache
def extended_spelling(known: ExtendedSet) -> Spelling:
    return _spelling(known.entries)


def _spelling(names: Iterable[str], family: str = "") -> Spelling:
    from spvls.grammar.history import former_names
    from spvls.syntax.nearest import Spelling

    return Spelling(names, former_names(family))


def lacks(name: str, wanted: Declared) -> str:
    """That an instruction ends before an operand that it requires."""
    return f"{name} requires {described(wanted)}, which is missing"


def surplus(name: str, word: str) -> str:
    """That an instruction takes no operand where a word stands."""
    return f"`{shown_word(word)}` is one operand too many for {name}"


def expected(wanted: Declared, word: str) -> str:
    """That a word is not what its place takes."""
    return f"expected {described(wanted)}, found `{shown_word(word)}`"


def no_enumerant(kind: OperandKind, name: str) -> tuple[str, str | None]:
    """That a kind has no enumerant of that name, and the name that may be meant."""
    near = None
    hint = ""
    if is_integer(name):
        hint = f"; write the name of an enumerant, or the raw word !{shown_word(name.lstrip('+'))}"
    else:
        near = enumerant_spelling(kind).nearest(name)
        hint = did_you_mean(near)
    return f"{kind.name} has no enumerant `{shown_word(name)}`{hint}", near


def did_you_mean(near: str | None) -> str:
    return f"; did you mean {near}?" if near else ""


def described(wanted: Declared) -> str:
    """An operand as messages say it, with its purpose."""
    phrase = _KIND_PHRASES.get(wanted.kind)
    if phrase is None:
        article = "an" if wanted.kind.startswith((*"AEIOU", "FP")) else "a"
        phrase = f"{'an enumerant of' if wanted.kind.endswith(('Operands', 'Modes')) else article} {wanted.kind}"
    name = wanted.name
    return f"{phrase} ({name})" if name and name not in (wanted.kind, "Result Type") else phrase


def bad_id(word: str) -> str:
    at = explain("id", word)
    if at is None or at >= len(word):
        return f"`{shown_word(word)}` is not an id; a name follows the %"
    return f"`{shown_word(word)}` is not a valid id: an id may contain only ASCII letters, digits and underscores, not `{word[at]}`"


def bad_string(word: str) -> str:
    quotes = len(_QUOTE.findall(word))
    if quotes % 2:
        return "this string has no closing quote"
    return f"`{shown_word(word)}` has text after its closing quote; white space must follow the quote"
