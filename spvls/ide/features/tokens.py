"""Semantic tokens: what each word of the text names.

The tokens of a chunk are kept until its text changes, or one of the ids that it speaks of comes to name something else.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache

from spvls.grammar import spv, tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl
from spvls.grammar.records import Entity, Opcode
from spvls.ide.documentation.availability import is_deprecated
from spvls.ide.documentation.docs_markdown import key_of
from spvls.ide.source.operand_decls import entity_at, word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import opcode_index, texts
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.syntax.report import range_in
from spvls.text.lines import position_in
from spvls.typed import Final

TYPES: Final = (
    "type", "struct", "variable", "parameter", "function", "label", "namespace", "keyword", "enumMember", "string", "number",
    "method", "operator",
)  # fmt: skip
"""Names of token types, all of them standard ones of the protocol; a token has an index into these."""

MODIFIERS: Final = ("definition", "readonly", "static", "deprecated", "defaultLibrary")
"""Names of modifiers; a token has a bit for each of its own."""

_TYPE = {name: at for at, name in enumerate(TYPES)}
_DEFINITION, _READONLY, _STATIC, _DEPRECATED, _LIBRARY = (1 << at for at in range(len(MODIFIERS)))

WIDTH = 5
"""Integers of one token: lines and columns from the one before it, length, type, modifiers."""

_BREAK = re.compile(r"\r\n|\n|\r")

Units = Callable[[int, int], int]
"""The client's column of a code point: line, column."""


class Token(NamedTuple):
    """A word on one line; `column` and `length` are in the client's units."""

    line: int
    column: int
    length: int
    type: int
    modifiers: int


class _Kept(NamedTuple):
    chunk: Chunk
    lines: list[str]
    records: list[Instruction]
    named: dict[str, tuple[int, int]]
    data: array[int]
    tail: str  # all of `data` but the first line and column, which hang on what stands before
    last: tuple[int, int]  # line and column of the last token


class SemanticTokens:
    """The tokens of a text, kept up to date by chunks."""

    def __init__(self, source: SourceModule, units: Units) -> None:
        self._source = source
        self._units = units
        self._known: dict[int, _Kept] = {}
        #: The chunks that have tokens, with the line and column of the first one relative to the token before.
        self._placed: list[tuple[_Kept, int, int]] = []
        self._revision = -1

    def steps(self) -> Iterator[None]:
        """Bring all chunks up to date, one a step."""
        document = self._source.document
        revision = self._source.revision
        if revision == self._revision:
            return
        known: dict[int, _Kept] = {}
        placed: list[tuple[_Kept, int, int]] = []
        line, column = 0, 0
        naming = Naming(self._source.module)
        redefined = self._source.redefined_since(self._revision)
        ends = [following.first + 1 for following in document.chunks[1:]] + [len(document.lines)]
        for chunk, end in zip(document.chunks, ends, strict=True):
            lines = document.lines[chunk.first : end]
            kept = self._known.get(id(chunk))
            if kept is None or not self._holds(kept, chunk, lines, naming, redefined):
                kept = self._known[id(chunk)] = self._read(chunk, lines)
            known[id(chunk)] = kept
            if kept.data:
                below = kept.data[0] + chunk.first - line
                placed.append((kept, below, kept.data[1] - (column if below == 0 else 0)))  # two functions may share a line
                line, column = chunk.first + kept.last[0], kept.last[1]
            yield
        self._known = known
        self._placed = placed
        self._revision = revision

    def data(self) -> array[int]:
        """All tokens, each relative to the one before it."""
        data = array("I")
        for kept, line, column in self._placed:
            at = len(data)
            data.extend(kept.data)
            data[at], data[at + 1] = line, column
        return data

    def text(self) -> str:
        """`data` as the text of a JSON array, put together of what was made of each chunk."""
        return f"[{','.join([f'{line},{column}{kept.tail}' for kept, line, column in self._placed])}]"

    def _holds(self, kept: _Kept, chunk: Chunk, lines: list[str], naming: Naming, redefined: set[str] | None) -> bool:
        if kept.chunk is not chunk or kept.records != chunk.records or kept.lines != lines:
            return False
        named = kept.named
        if redefined is not None and named.keys().isdisjoint(redefined):
            return True
        return all(naming.of(name) == shown for name, shown in named.items() if redefined is None or name in redefined)

    def _read(self, chunk: Chunk, lines: list[str]) -> _Kept:
        module = self._source.module
        naming = Naming(module)
        data: list[int] = []
        line, column = 0, 0
        for at, record in self._source.placed(chunk):
            below = at - chunk.first
            if lines[below].isascii() and _is_on_one_line(record):
                # All of it stands on one line, whose columns are the same in any units.
                starts, words = record.worded()
                for start, word, (type_, modifiers) in zip(starts, words, _shown(record, words, module, naming), strict=True):
                    if type_ >= 0:
                        data += below - line, start - column if below == line else start, len(word), type_, modifiers
                        line, column = below, start
                continue
            for token in tokens_of(record, at, self._source, naming, self._units):
                below = token.line - chunk.first
                data += below - line, token.column - (column if below == line else 0), *token[2:]
                line, column = below, token.column
        tail = "," + str(data[2:])[1:-1].replace(" ", "") if data else ""
        return _Kept(chunk, lines, list(chunk.records), naming.asked, array("I", data), tail, (line, column))


def _is_on_one_line(record: Instruction) -> bool:
    return not position_in(record.text, record.end).line


def tokens_in_lines(source: SourceModule, first: int, last: int, units: Units) -> array[int]:
    """The tokens of some lines, each relative to the one before it."""
    naming = Naming(source.module)
    data = array("I")
    before, column = 0, 0
    line = min(first, len(source.document.lines) - 1)
    while line > 0:  # the instruction before may reach into these lines
        line -= 1
        if source.document.records_on(line):
            break
    while line <= min(last, len(source.document.lines) - 1):
        for record in source.document.records_on(line):
            for token in tokens_of(record, line, source, naming, units):
                if first <= token.line <= last:
                    data.extend((token.line - before, token.column - (column if token.line == before else 0), *token[2:]))
                    before, column = token.line, token.column
        line += 1
    return data


def tokens_of(record: Instruction, line: int, source: SourceModule, naming: Naming, units: Units) -> Iterator[Token]:
    """The tokens of one instruction that starts on `line`."""
    spans = record.words()
    words = texts(record, spans)
    shown = _shown(record, words, source.module, naming)
    plain = _is_on_one_line(record)
    for span, word, (type_, modifiers) in zip(spans, words, shown, strict=True):
        if type_ < 0:
            continue
        if plain:
            start = units(line, span.start)
            yield Token(line, start, units(line, span.end) - start, type_, modifiers)
            continue
        (at, column), _ = range_in(record, line, *span)
        for part in _BREAK.split(word):  # a token lies on one line
            length = len(part)
            start = units(at, column)
            if length:
                yield Token(at, start, units(at, column + length) - start, type_, modifiers)
            at, column = at + 1, 0


Shown = tuple[int, int]
_NOTHING: Shown = (-1, 0)
_OPCODE: Shown = (_TYPE["keyword"], 0)
_OLD_OPCODE: Shown = (_TYPE["keyword"], _DEPRECATED)
_NUMBER: Shown = (_TYPE["number"], 0)
_STRING: Shown = (_TYPE["string"], 0)
_ENUMERANT: Shown = (_TYPE["enumMember"], _LIBRARY)
_OLD_ENUMERANT: Shown = (_TYPE["enumMember"], _LIBRARY | _DEPRECATED)
_EXTENDED: Shown = (_TYPE["method"], _LIBRARY)
_UNDEFINED: Shown = (_TYPE["variable"], 0)


def _shown(record: Instruction, words: list[str], module: Module, naming: Naming) -> list[Shown]:
    """Type and modifiers of each word."""
    asked = naming.asked
    opcode_at = opcode_index(words)
    shown: list[Shown] = []
    following = words
    if opcode_at is not None:
        if opcode_at == 2:
            type_, modifiers = naming.of(words[0][1:])
            shown = [(type_, modifiers | _DEFINITION), _NOTHING]
        shown.append(_OLD_OPCODE if record.opcode.value in _old_opcodes() else _OPCODE)
        following = words[opcode_at + 1 :]
    decls: Sequence[OperandDecl | None] | None = None
    for at, word in enumerate(following):
        first = word[0]
        if first == "%":
            name = word[1:]
            shown.append(asked.get(name) or naming.of(name))
        elif first == '"':
            shown.append(_STRING)
        elif first in "=(),":
            shown.append(_NOTHING)
        elif first in "!-+." or first.isdecimal():
            shown.append(_NUMBER)
        else:
            if decls is None:
                decls = _decls(words[opcode_at], following, module) if opcode_at is not None else []
            shown.append(_named(decls[at] if at < len(decls) else None, word))
    return shown


def _decls(opcode_name: str, words: list[str], module: Module) -> Sequence[OperandDecl | None]:
    """The declarations of the words after an opcode."""
    opcode = tables.opcode(opcode_name)
    if opcode is None:
        return ()
    if any(operand.kind == EXTENDED_INSTRUCTION for operand in opcode.arguments[:2]):
        return word_decls(opcode, words, module).words
    return _decls_alike(opcode, tuple([word[0] if word[0] in '%"' else word for word in words]))


@lru_cache(maxsize=1024)
def _decls_alike(opcode: Opcode, words: tuple[str, ...]) -> tuple[OperandDecl | None, ...]:
    """The declarations of words among which ids and strings may be any, since none of them names a set."""
    return tuple(word_decls(opcode, words, _NoImports()).words)


forget_words = _decls_alike.cache_clear


class _NoImports:
    def import_name(self, name: str) -> None:
        """No id names a set."""


def _named(decl: OperandDecl | None, word: str) -> Shown:
    if decl is None:
        return _NOTHING
    if decl.is_mask:
        entities: list[Entity | None] = [decl.kind.get(name) for name in word.split("|")]
        return _OLD_ENUMERANT if any(e is not None and _is_old(e) for e in entities) else _ENUMERANT
    entity = entity_at(decl, word)
    if decl.kind.name in (EXTENDED_INSTRUCTION, INNER_OPCODE):
        return _EXTENDED if entity is not None else _NOTHING
    if entity is None:
        return _NOTHING
    return _OLD_ENUMERANT if _is_old(entity) else _ENUMERANT


@cache
def _old_opcodes() -> frozenset[int]:
    return frozenset(opcode.value for opcode in tables.opcodes() if _is_old(opcode))


def _is_old(entity: Entity) -> bool:
    """Whether an entry is gone from some version, or deprecated, be there any extension or not."""
    return entity.last_version is not None or is_deprecated(key_of(entity), None)


class Naming:
    """What ids name. `asked` are the answers given so far."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.asked: dict[str, Shown] = {}

    def of(self, name: str) -> Shown:
        """Type and modifiers of an id."""
        shown = self.asked.get(name)
        if shown is None:
            shown = self.asked[name] = _id_shown(self._module.ids.definition(name))
        return shown


def _id_shown(definition: Instruction | None) -> Shown:
    if definition is None:
        return _UNDEFINED
    opcode = definition.opcode.value
    known = _BY_OPCODE.get(opcode)
    if known is not None:
        return known
    if definition.opcode.is_type:
        return _TYPE["type"], 0
    if opcode in CONSTANT_OPCODES:
        return _TYPE["variable"], _READONLY | _STATIC
    return _TYPE["variable"], _READONLY


_BY_OPCODE: dict[int, Shown] = {
    spv.OpTypeStruct: (_TYPE["struct"], 0),
    spv.OpVariable: (_TYPE["variable"], 0),
    spv.OpUntypedVariableKHR: (_TYPE["variable"], 0),
    spv.OpFunction: (_TYPE["function"], 0),
    spv.OpFunctionParameter: (_TYPE["parameter"], 0),
    spv.OpLabel: (_TYPE["label"], 0),
    spv.OpExtInstImport: (_TYPE["namespace"], 0),
    spv.OpString: (_TYPE["string"], _READONLY),
    spv.OpDecorationGroup: (_TYPE["namespace"], 0),
}


def delta(old: array[int], new: array[int]) -> list[tuple[int, int, array[int]]]:
    """The edits, at most one, that make `new` of `old`: first integer, how many go, those that come."""
    shorter = min(len(old), len(new))
    head = _common(old, new, shorter)
    head -= head % WIDTH
    tail = _common(old[head:][::-1], new[head:][::-1], shorter - head)
    tail -= tail % WIDTH
    if head == len(old) == len(new):
        return []
    return [(head, len(old) - head - tail, new[head : len(new) - tail])]


def _common(old: array[int], new: array[int], limit: int) -> int:
    """How many integers both begin with, by halving: comparing slices is quick."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
