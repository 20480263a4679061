"""Words to operands where nothing is unusual: for each opcode a *fast path*, one converter for each word.

It is made of the declarations that the walk over the operands starts with. Nearly every instruction of a module takes its
opcode's fast path. What that refuses (`!N`, anything malformed, parameters of enumerants that come before other operands or may
be absent) is read operand by operand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from itertools import chain, cycle, islice, repeat
from operator import or_

from spvls.grammar import tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl, decls_of, enumerants, text_decls
from spvls.grammar.records import Enumerant, Opcode, OperandKind
from spvls.steps import PORTION, Steps
from spvls.syntax import instruction, number
from spvls.syntax.instruction import ContextDependent, Instruction, Operand
from spvls.syntax.peg import pattern
from spvls.text.pattern import pattern as lazy

Converter = Callable[[str], Operand]

ID = pattern("id")
_STRING = pattern("string")
_ARGUMENT = pattern("argument")
_ESCAPE = lazy(r"(?s)\\(.)")


_ODD = frozenset('"\\\0')
"""Characters that are not what they are in a string, and the one that ends a text."""

MARKS = frozenset({"%", '"', "!", ""})
"""What words begin with whose meaning depends on nothing else."""

_MANY = 1 << 12
"""Words of an instruction from which on it is quicker to convert those of a sort together."""

_MOST_WORDS = 1 << 13
"""Words that are remembered; then all are forgotten, as those of past edits and texts are among them."""


class _Ids(dict[str, str]):
    """Names of ids by their words; each spelling is checked once."""

    def __missing__(self, word: str) -> str:
        name = word[1:]
        # What Python calls an identifier is a name, and letters and digits are: quicker to know, if they are ASCII.
        if not ((name.isidentifier() or name.isalnum()) and word[0] == "%" and word.isascii()) and ID.fullmatch(word) is None:
            raise KeyError(word)
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = name
        return name


class _ContextDependent(dict[str, ContextDependent]):
    """Operands by their words; KeyError for a word that is no argument or that has a meaning of its own."""

    def __missing__(self, word: str) -> ContextDependent:
        # Letters and digits with at most a point are an argument, and quicker to know.
        is_plain = (word.isalnum() or word.replace(".", "", 1).isalnum()) and word.isascii() and not word.startswith("Op")
        if not is_plain and (word[:1] in MARKS or _ARGUMENT.fullmatch(word) is None):
            raise KeyError(word)
        if len(self) >= _MOST_WORDS:
            self.clear()
        operand = self[word] = ContextDependent(word)
        return operand


ids = _Ids()
context_dependent = _ContextDependent()
id_name: Converter = ids.__getitem__
_context_dependent: Converter = context_dependent.__getitem__


class _Integers(dict[str, int]):
    """Numbers of 32 bits by their words; NumberError for a word that is none."""

    def __missing__(self, word: str) -> int:
        bits = number.words_of_number(word, number.UINT32)
        assert isinstance(bits, int)
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = bits
        return bits


_integers = _Integers()
integer: Converter = _integers.__getitem__


def floating(word: str) -> Operand:
    return number.words_of_number(word, number.FLOAT32)


def string_value(word: str) -> bytes:
    """The bytes of a quoted word, escapes undone; ValueError where it is not one."""
    inner = word[1:-1]
    # What has nothing but the two quotation marks is a string, and quicker to know.
    if f'"{inner}"' == word and _ODD.isdisjoint(inner):
        return inner.encode("utf-8", "surrogateescape")
    if _STRING.fullmatch(word) is None:
        raise ValueError(word)
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


def _named(kind: OperandKind, word: str) -> list[Enumerant]:
    """The enumerants that a word names, several where it is of a mask; KeyError where there is none of a name."""
    names = word.split("|") if kind.category == "mask" else (word,)
    found = [enumerant for enumerant in map(kind.get, names) if enumerant is not None]
    if len(found) < len(names):
        raise KeyError(word)
    return found


def _value(named: list[Enumerant]) -> int:
    return reduce(or_, [enumerant.value for enumerant in named])


class _Enumerants(dict[str, int]):
    """Values by words: enumerants of a kind, or masks of them, without parameters."""

    __slots__ = ("_kind",)

    def __init__(self, kind: OperandKind) -> None:
        self._kind = kind

    def __missing__(self, word: str) -> int:
        named = _named(self._kind, word)
        if any(enumerant.parameters for enumerant in named):
            raise KeyError(word)
        value = self[word] = _value(named)
        return value


_enumerants: dict[str, _Enumerants] = {}

_LITERALS: dict[str, Converter] = {"LiteralInteger": integer, "LiteralFloat": floating, "LiteralString": string_value}


class _WithParameters(dict[str, tuple[Converter, ...]]):
    """The converters of an enumerant, or of a mask of them, and of its parameters, by its word; KeyError for a word that has none,
    or whose parameters may be absent."""

    __slots__ = ("_kind",)

    def __init__(self, kind: OperandKind) -> None:
        self._kind = kind

    def __missing__(self, word: str) -> tuple[Converter, ...]:
        value = _value(_named(self._kind, word))
        parameters = [decl for enumerant in enumerants(self._kind, value) for decl in decls_of(enumerant)]
        if not parameters or not all(decl.required and not decl.parts for decl in parameters):
            raise KeyError(word)
        made = self[word] = ({word: value}.__getitem__, *map(_converter, parameters))
        return made


_with_parameters: dict[str, _WithParameters] = {}


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


def _with_parameters_of(kind: OperandKind) -> _WithParameters:
    if kind.name not in _with_parameters:
        _with_parameters[kind.name] = _WithParameters(kind)
    return _with_parameters[kind.name]


class FastPath:
    """How the words of one opcode are read when nothing about them is unusual.

    `ids` says that all operands are ids, however many there are. Of each number of operands the *converters* are kept: one
    for each word, or none where all of them are ids. The parameters of an enumerant that is the last operand may follow.
    """

    __slots__ = (
        "_by_count", "_fixed", "_head", "_last", "_least", "_most", "_tail", "_whole", "has_result", "has_type", "ids", "opcode",
    )  # fmt: skip

    def __init__(self, opcode: Opcode) -> None:
        self.opcode = opcode
        self.has_type = opcode.has_type
        self.has_result = opcode.has_result
        fixed: list[Converter] = []
        tail: tuple[Converter, ...] = ()
        least = 0
        #: What an enumerant in the place of the last operand asks for.
        self._last: _WithParameters | None = None
        #: How many words make a round of the tail.
        self._whole = 1
        for decl in text_decls(opcode)[opcode.has_type :]:
            parts = decl.parts or (decl,)
            converters = [_converter(part) for part in parts]
            if decl.repeats:
                tail = tuple(converters)
                # The last round may end early where its parts are not required.
                self._whole = len(parts) if parts[-1].required else 1
                break
            fixed.extend(converters)
            self._last = _with_parameters_of(decl.kind) if decl.has_enumerants else None
            if decl.required:
                least += len(parts)
            if decl.kind.name == EXTENDED_INSTRUCTION:
                tail = (any_word,)
                break
            if decl.kind.name == INNER_OPCODE:
                least = _NEVER
        self._fixed, self._tail = tuple(fixed), tail
        if tail:
            self._last = None
        self._head = (3 if opcode.has_result else 1) + opcode.has_type
        self._least = self._head + least
        self._most = _NEVER - 1 if tail else self._head + len(fixed)
        self.ids = self._whole == 1 and all(converter is id_name for converter in chain(fixed, tail))
        self._by_count: dict[int, tuple[Converter, ...]] = {}

    def instruction(
        self, text: str, start: int, end: int, words: list[str], read: tuple[Operand, ...] | None = None
    ) -> Instruction | None:
        """The instruction of `words`, all that stand in `text[start:end]`, from the result or else the opcode on; None where they
        need a closer look. `read` are its operands, where they have been read already."""
        count = len(words)
        if count < self._least or (count > self._most and self._last is None):
            return None
        record = _new(Instruction)
        record.opcode = self.opcode
        operands = words[self._head :]
        try:
            record.result = ids[words[0]] if self.has_result else None
            record.type = ids[words[3]] if self.has_type else None
            if count > self._most:
                converters = self._converters_with_parameters(operands)
            else:
                converters = () if self.ids else self._by_count[count] if count in self._by_count else self.converters(count)
            if converters is None:
                return None
            if read is not None:
                record.operands = read
            elif count > _MANY and len(self._tail) > 1:
                record.operands = self._many(operands)
            elif converters:
                record.operands = tuple([convert(word) for convert, word in zip(converters, operands)])  # noqa: B905
            else:
                record.operands = tuple([ids[word] for word in operands])
        except (KeyError, ValueError):
            return None
        record.text = text
        record.start = start
        record.end = end
        record.faults = ()
        record.raw = False
        return record

    def _converters_with_parameters(self, operands: list[str]) -> tuple[Converter, ...] | None:
        """The converters of operands that end with the parameters of the last enumerant; None where there are more or fewer."""
        assert self._last is not None
        before = len(self._fixed) - 1
        asked = self._last[operands[before]]
        return (*self._fixed[:before], *asked) if len(operands) == before + len(asked) else None

    def operand_steps(self, words: list[str]) -> Steps[tuple[Operand, ...] | None]:
        """The operands of very many words, as `instruction` reads them, in short steps; None where they need a closer look."""
        converters = () if self.ids else self.converters(len(words))
        if converters is None:
            return None
        found: list[Operand] = []
        pairs = zip(converters or repeat(id_name), words[self._head :])  # noqa: B905 there are as many
        try:
            while portion := [convert(word) for convert, word in islice(pairs, 8 * PORTION)]:
                found += portion
                yield
        except (KeyError, ValueError):
            return None
        return tuple(found)

    def _many(self, words: list[str]) -> tuple[Operand, ...]:
        """The operands of very many words, as the converters make them: sort by sort."""
        fixed, step = len(self._fixed), len(self._tail)
        found: list[Operand] = [convert(word) for convert, word in zip(self._fixed, words)]  # noqa: B905
        found += words[fixed:]
        for at, convert in enumerate(self._tail, fixed):
            found[at::step] = map(convert, words[at::step])
        return tuple(found)

    def converters(self, count: int) -> tuple[Converter, ...] | None:
        """The converters of the operands where an instruction has `count` words in all, none where all of them are ids; None
        where the fast path takes no such instruction."""
        operands = count - self._head
        if not self._least <= count <= self._most:
            return None
        beyond = operands - len(self._fixed)
        if beyond > 0 and beyond % self._whole:
            return None
        found = tuple(islice(chain(self._fixed, cycle(self._tail)), operands))
        if all(converter is id_name for converter in found):
            found = ()
        if operands <= _FEW:
            self._by_count[count] = found
        return found


_new = object.__new__

_NEVER = 1 << 62
"""More words than any text has."""

_FEW = 16
"""So many operands, and fewer, have their converters kept."""

fast_paths: dict[str, FastPath] = {}
"""The fast paths that are made so far, by the names of opcodes and aliases of these."""


def fast_path(name: str) -> FastPath | None:
    """The fast path of an opcode by its name or an alias of it; None where the grammar has no such opcode."""
    path = fast_paths.get(name)
    return path if path is not None else _made(name)


@lru_cache(maxsize=1024)
def _made(name: str) -> FastPath | None:
    opcode = tables.opcode(name)
    if opcode is None:
        return None
    path = fast_paths[name] = FastPath(opcode)
    return path


def forget_words() -> None:
    """Forget the words of texts that were read; they are remembered so that equal ones are the same objects."""
    ids.clear()
    context_dependent.clear()
    _integers.clear()
    for words in _enumerants.values():
        words.clear()
    for asked in _with_parameters.values():
        asked.clear()
    instruction.forget_words()


def _forget() -> None:
    fast_paths.clear()
    _made.cache_clear()
    _enumerants.clear()
    _with_parameters.clear()


tables.on_replace(_forget)
