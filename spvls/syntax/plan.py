"""Words to operands where nothing is unusual: for each opcode a *plan* of one converter a word.

Nearly every instruction of a module goes through its opcode's plan. What a plan refuses (parameters of enumerants, `!N`,
anything malformed) is left to those who read operand by operand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, cycle

from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.syntax import number
from spvls.syntax.instruction import Late, Operand
from spvls.syntax.peg import pattern

Converter = Callable[[str], Operand]

ID = pattern("id").fullmatch
_STRING = pattern("string").fullmatch
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

#: Kinds whose words are read in the light of another instruction.
_LATE_KINDS = frozenset({"LiteralContextDependentNumber", "LiteralExtInstInteger"})


class _Ids(dict[str, str]):
    """Words to id names; each spelling is checked once."""

    def __missing__(self, word: str) -> str:
        if ID(word) is None:
            raise KeyError(word)
        name = self[word] = word[1:]
        return name


class _Lates(dict[str, Late]):
    def __missing__(self, word: str) -> Late:
        if word[:1] in ("%", '"', "!", ""):
            raise KeyError(word)
        late = self[word] = Late(word)
        return late


ids = _Ids()
lates = _Lates()
id_name: Converter = ids.__getitem__
_late: Converter = lates.__getitem__


def integer(word: str) -> int:
    if word.isdecimal() and word[0] != "0" and len(word) < 10 and word.isascii():
        return int(word)
    bits = number.words_of_number(word, number.UINT32)
    assert isinstance(bits, int)
    return bits


def floating(word: str) -> Operand:
    return number.words_of_number(word, number.FLOAT32)


def string_value(word: str) -> bytes:
    """The octets of a quoted word, escapes undone; ValueError where it is none."""
    if _STRING(word) is None:
        raise ValueError(word)
    inner = word[1:-1]
    if "\\" in inner:
        inner = _ESCAPE.sub(r"\1", inner)
    return inner.encode("utf-8", "surrogateescape")


def any_word(word: str) -> Operand:
    """An operand of an extended instruction, whose set is named elsewhere."""
    if word.startswith("%"):
        return ids[word]
    if word.startswith('"'):
        return string_value(word)
    return lates[word]


def _enumerant(kind_name: str) -> Converter:
    kind = tables.kind(kind_name)
    if kind.category == "mask":

        def mask(word: str) -> int:
            value = 0
            for name in word.split("|"):
                enumerant = kind.get(name)
                if enumerant is None or enumerant.parameters:
                    raise KeyError(word)
                value |= enumerant.value
            return value

        return mask

    def value(word: str) -> int:
        enumerant = kind.get(word)
        if enumerant is None or enumerant.parameters:
            raise KeyError(word)
        return enumerant.value

    return value


def _converters(kind_name: str) -> tuple[Converter, ...]:
    """The converters of the words that one operand of this kind takes."""
    kind = tables.kind(kind_name)
    match kind.category:
        case "composite" if kind_name == "PairLiteralIntegerIdRef":
            return (_late, id_name)
        case "composite":
            return tuple(converter for base in kind.bases for converter in _converters(base))
        case "id":
            return (id_name,)
        case "literal":
            return ({"LiteralInteger": integer, "LiteralFloat": floating, "LiteralString": string_value}.get(kind_name, _late),)
        case _:
            return (_enumerant(kind_name),)


class Plan:
    """How the words of one opcode are read when nothing about them is unusual."""

    __slots__ = ("fixed", "has_result", "has_type", "ids", "least", "most", "opcode", "tail")

    def __init__(self, opcode: Opcode) -> None:
        self.opcode = opcode
        self.has_type = opcode.has_type
        self.has_result = opcode.has_result
        fixed: list[Converter] = []
        self.tail: tuple[Converter, ...] = ()
        required = 0
        for operand in opcode.arguments:
            converters = _converters(operand.kind)
            if operand.quantifier == "*" or operand.kind == "LiteralExtInstInteger":
                if operand.kind == "LiteralExtInstInteger":
                    fixed.extend(converters)
                    required += 1
                    self.tail = (any_word,)
                else:
                    self.tail = converters
                break
            fixed.extend(converters)
            if not operand.quantifier:
                required += len(converters)
        if any(operand.kind == "LiteralSpecConstantOpInteger" for operand in opcode.arguments):
            required = 1 << 30
        self.fixed = tuple(fixed)
        self.least = required + self.has_type
        self.most = (1 << 29) if self.tail else len(fixed) + self.has_type
        if opcode.name == "OpPhi":
            self.tail = (id_name,)  # an id without its pair assembles
        self.ids = all(c is id_name for c in chain(fixed, self.tail)) and len(self.tail) < 2

    def read(self, words: list[str]) -> tuple[Operand, ...] | None:
        """The operands, the result type first where there is one; None where the words need a closer look."""
        if not self.least <= len(words) <= self.most:
            return None
        try:
            if self.ids:
                return tuple(map(id_name, words))
            converters = chain((id_name,), self.fixed) if self.has_type else iter(self.fixed)
            if self.tail:
                beyond = len(words) - self.has_type - len(self.fixed)
                if beyond > 0 and beyond % len(self.tail):
                    return None
                converters = chain(converters, cycle(self.tail))
            return tuple([convert(word) for convert, word in zip(converters, words)])  # noqa: B905
        except (KeyError, ValueError):
            return None


_plans: dict[str, Plan | None] = {}


def plan_of(name: str) -> Plan | None:
    """The plan of an opcode by its name or an alias of it; None where the grammar has no such opcode."""
    try:
        return _plans[name]
    except KeyError:
        opcode = tables.opcode(name)
        plan = _plans[name] = Plan(opcode) if opcode is not None else None
        return plan
