"""Words to operands where nothing is unusual: for each opcode a *fast path*, one converter for each word.

It is made of the declarations that the walk over the operands starts with. Nearly every instruction of a module takes its
opcode's fast path. What that refuses (parameters of enumerants, `!N`, anything malformed) is read operand by operand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, cycle

from spvls.grammar import tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl, text_decls
from spvls.grammar.records import Opcode, OperandKind
from spvls.syntax import instruction, number
from spvls.syntax.instruction import ContextDependent, Operand
from spvls.syntax.peg import pattern

Converter = Callable[[str], Operand]

ID = pattern("id").fullmatch
_STRING = pattern("string").fullmatch
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


_MOST_WORDS = 1 << 16
"""Words that are remembered; then all are forgotten, as those of past edits and texts are among them."""


class _Ids(dict[str, str]):
    """Names of ids by their words; each spelling is checked once."""

    def __missing__(self, word: str) -> str:
        if ID(word) is None:
            raise KeyError(word)
        if len(self) >= _MOST_WORDS:
            self.clear()
        name = self[word] = word[1:]
        return name


class _ContextDependent(dict[str, ContextDependent]):
    def __missing__(self, word: str) -> ContextDependent:
        if word[:1] in ("%", '"', "!", ""):
            raise KeyError(word)
        if len(self) >= _MOST_WORDS:
            self.clear()
        operand = self[word] = ContextDependent(word)
        return operand


ids = _Ids()
context_dependent = _ContextDependent()
id_name: Converter = ids.__getitem__
_context_dependent: Converter = context_dependent.__getitem__


def integer(word: str) -> int:
    if word.isdecimal() and word[0] != "0" and len(word) < 10 and word.isascii():
        return int(word)
    bits = number.words_of_number(word, number.UINT32)
    assert isinstance(bits, int)
    return bits


def floating(word: str) -> Operand:
    return number.words_of_number(word, number.FLOAT32)


def string_value(word: str) -> bytes:
    """The bytes of a quoted word, escapes undone; ValueError where it is not one."""
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
    return context_dependent[word]


class _Enumerants(dict[str, int]):
    """Values by words: enumerants of a kind, or masks of them, without parameters."""

    __slots__ = ("_kind",)

    def __init__(self, kind: OperandKind) -> None:
        self._kind = kind

    def __missing__(self, word: str) -> int:
        value = 0
        for name in word.split("|") if self._kind.category == "mask" else (word,):
            enumerant = self._kind.get(name)
            if enumerant is None or enumerant.parameters:
                raise KeyError(word)
            value |= enumerant.value
        self[word] = value
        return value


_enumerants: dict[str, _Enumerants] = {}

_LITERALS: dict[str, Converter] = {"LiteralInteger": integer, "LiteralFloat": floating, "LiteralString": string_value}


def _converter(decl: OperandDecl) -> Converter:
    """The function that makes an operand of a word."""
    kind = decl.kind
    if kind.category == "id":
        return id_name
    if kind.category == "literal":
        return _LITERALS.get(kind.name, _context_dependent)
    if kind.name not in _enumerants:
        _enumerants[kind.name] = _Enumerants(kind)
    return _enumerants[kind.name].__getitem__


class FastPath:
    """How the words of one opcode are read when nothing about them is unusual.

    Each word has a converter: those of `fixed` come first, then those of `tail`, repeatedly. `ids` says that all operands
    are ids.
    """

    __slots__ = ("_whole", "fixed", "has_result", "has_type", "ids", "least", "most", "opcode", "tail")

    def __init__(self, opcode: Opcode) -> None:
        self.opcode = opcode
        self.has_type = opcode.has_type
        self.has_result = opcode.has_result
        fixed: list[Converter] = []
        self.tail: tuple[Converter, ...] = ()
        self.least = 0
        self._whole = 1
        for decl in text_decls(opcode):
            parts = decl.parts or (decl,)
            converters = [_converter(part) for part in parts]
            if decl.repeats:
                self.tail = tuple(converters)
                # The last round may end early where its parts are not required.
                self._whole = len(parts) if parts[-1].required else 1
                break
            fixed.extend(converters)
            if decl.required:
                self.least += len(parts)
            if decl.kind.name == EXTENDED_INSTRUCTION:
                self.tail = (any_word,)
                break
            if decl.kind.name == INNER_OPCODE:
                self.least = _NEVER
        self.fixed = tuple(fixed)
        self.most = _NEVER - 1 if self.tail else len(fixed)
        self.ids = self._whole == 1 and all(converter is id_name for converter in chain(fixed, self.tail))

    def read(self, words: list[str]) -> tuple[Operand, ...] | None:
        """The operands, the result type first where there is one; None where the words need a closer look."""
        if not self.least <= len(words) <= self.most:
            return None
        try:
            if self.ids:
                return tuple(map(id_name, words))
            converters: Iterable[Converter] = self.fixed
            if self.tail:
                beyond = len(words) - len(self.fixed)
                if beyond > 0 and beyond % self._whole:
                    return None
                converters = chain(self.fixed, cycle(self.tail))
            return tuple([convert(word) for convert, word in zip(converters, words)])  # noqa: B905
        except (KeyError, ValueError):
            return None


#: More words than any text has.
_NEVER = 1 << 62

_fast_paths: dict[str, FastPath | None] = {}


def fast_path(name: str) -> FastPath | None:
    """The fast path of an opcode by its name or an alias of it; None where the grammar has no such opcode."""
    try:
        return _fast_paths[name]
    except KeyError:
        opcode = tables.opcode(name)
        path = _fast_paths[name] = FastPath(opcode) if opcode is not None else None
        return path


def forget_words() -> None:
    """Forget the words of texts that were read; they are remembered so that equal ones are the same objects."""
    ids.clear()
    context_dependent.clear()
    for words in _enumerants.values():
        words.clear()
    instruction.forget_words()


def _forget() -> None:
    _fast_paths.clear()
    _enumerants.clear()


tables.on_replace(_forget)
