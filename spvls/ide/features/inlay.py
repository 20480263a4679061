"""Inlay hints: what the text leaves to be looked up elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum

from spvls.binary.friendly_names import type_name
from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.ide.documentation.id_markdown import Encoded
from spvls.ide.documentation.value_text import plain_constant
from spvls.ide.features.decoration_hints import decorates_type, decoration_labels
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import id_of, texts
from spvls.module.constants import CONSTANT_OPCODES, Constant
from spvls.module.decorations import MEMBER_DECORATES
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import RESULT, Instruction, Span
from spvls.syntax.report import range_in
from spvls.typed import Literal

Spaced = Literal["left", "right", ""]

LONGEST = 40
"""Characters of a hint at most."""


class HintKind(Enum):
    """What a hint shows."""

    TYPE = "type"
    VALUE = "value"
    MEMBER = "member"
    NAME = "name"
    OFFSET = "offset"
    DECORATION = "decoration"
    MEMBER_DECORATION = "member decoration"
    TYPE_DECORATION = "type decoration"


class Hint(NamedTuple):
    """`label` is shown at `position`: after a word, or after an instruction, but an offset before it. `spaced` is where
    there is to be room between it and the text."""

    position: Position
    label: str
    kind: HintKind
    spaced: Spaced = "left"


def hints(
    source: SourceModule,
    span: Range,
    kinds: frozenset[HintKind],
    encoded: Encoded | None = None,
    constants: Mapping[str, Constant] | None = None,
) -> Iterator[Hint]:
    """The hints of the instructions that begin in a range; `constants` have other values than those of the module."""
    last = min(span.end.line, len(source.document.lines) - 1)
    reader = _Reader(source, kinds, constants)
    with_types, with_decorations = HintKind.TYPE in kinds, not kinds.isdisjoint(_DECORATIONS)
    offsets = encoded if HintKind.OFFSET in kinds else None
    for line in range(max(span.start.line, 0), last + 1):
        for record in source.document.records_on(line):
            if not record.faults:
                yield from reader.of_operands(record, line)
                if with_types:
                    yield from reader.of_type(record, line)
                if with_decorations:
                    yield from _of_decorations(source.module, record, line, kinds)
            offset = offsets.offset(record) if offsets is not None else None
            if offset is not None:
                start = range_in(record, line, record.start, record.end).start
                yield Hint(start, f"{4 * offset:#x}", HintKind.OFFSET, "right")


class _Reader:
    """Reads the hints of instructions for one answer, in which it spells each type and each constant once."""

    def __init__(
        self, source: SourceModule, kinds: frozenset[HintKind], constants: Mapping[str, Constant] | None
    ) -> None:
        self._source = source
        self._module = source.module
        self._constants = constants
        self._with_members = HintKind.MEMBER in kinds
        self._with_names = HintKind.NAME in kinds
        self._with_values = HintKind.VALUE in kinds
        self._values: dict[str, str | None] = {}
        self._types: dict[str, str | None] = {}

    def of_operands(self, record: Instruction, line: int) -> Iterator[Hint]:
        spans = record.words()
        words = texts(record, spans)
        members = _member_names(self._module, record) if self._with_members else {}
        first = record.first_operand_word()
        for at, (span, word) in enumerate(zip(spans, words, strict=True)):
            if at - first in members:
                yield _hint(record, line, span, f".{members[at - first]}", HintKind.MEMBER)
            if not word.startswith("%"):
                continue
            if self._with_names and word[1:].isdecimal() and record.opcode.value != spv.OpName:
                called = self._module.declarations.names.get(word[1:])
                if called is not None and called != word[1:]:
                    yield _hint(record, line, span, called, HintKind.NAME)
            if self._with_values and at >= first and at - first not in members:
                value = self._value(word)
                if value is not None:
                    yield _hint(record, line, span, value, HintKind.VALUE)

    def _value(self, word: str) -> str | None:
        """The hint for an id; None where it is no constant, or its name says the value."""
        if word not in self._values:
            name = id_of(word)
            self._values[word] = value_hint(name, self._constant(name)) if name is not None else None
        return self._values[word]

    def _constant(self, name: str) -> Constant | None:
        if self._constants is not None:
            return self._constants.get(name)
        definition = self._module.ids.definition(name)
        is_constant = definition is not None and definition.opcode.value in CONSTANT_OPCODES
        return self._module.constant(name) if is_constant else None

    def of_type(self, record: Instruction, line: int) -> Iterator[Hint]:
        """The type of a result, unless the id of the type says it: after the result, or after the instruction where the text is
        aligned, which a hint within the line would undo."""
        if record.result is None or record.type is None:
            return
        label = self._type(record.type)
        if label is None:
            return
        if _is_aligned(self._source, line):
            yield _hint(record, line, Span(record.start, record.end), label, HintKind.TYPE)
        else:
            yield _hint(record, line, record.span(RESULT), label, HintKind.TYPE, "")

    def _type(self, name: str) -> str | None:
        """The hint for values of a type; None where its id says it."""
        if name not in self._types:
            module = self._module
            self._types[name] = None if _says_its_type(module, name) else f": {module.spell(module.type(name), brief=True)}"
        return self._types[name]


_DECORATIONS = frozenset({HintKind.DECORATION, HintKind.MEMBER_DECORATION, HintKind.TYPE_DECORATION})


def _of_decorations(module: Module, record: Instruction, line: int, kinds: frozenset[HintKind]) -> Iterator[Hint]:
    own = HintKind.TYPE_DECORATION if decorates_type(record) else HintKind.DECORATION
    for label, span, member in decoration_labels(module, record):
        kind = HintKind.MEMBER_DECORATION if member else own
        if kind in kinds:
            yield _hint(record, line, span, label, kind)


def _says_its_type(module: Module, name: str) -> bool:
    """Whether the id of a type is what the type is called, in a listing or as messages spell it."""
    type_ = module.type(name)
    if type_ is None:
        return False
    if type_.is_struct:
        return not name.isdecimal()
    if type_.kind in _OPAQUE:
        return _letters(module.spell(type_)) in _letters(name)
    return name == type_name(type_.record) or _letters(name) == _letters(module.spell(type_))


_OPAQUE = frozenset({spv.OpTypeSampler, spv.OpTypeAccelerationStructureKHR, spv.OpTypeRayQueryKHR})


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).lower()


_NO_LETTER = re.compile(r" \(Op\w+\)|[^A-Za-z0-9]+")
_RESULT = re.compile(r"\s*%\S+\s*=")
_NEAR = 3


def _is_aligned(source: SourceModule, line: int) -> bool:
    """Whether the equals sign of a line is below or above another one, although the results differ in length."""
    lines = source.document.lines
    mine = _RESULT.match(lines[line])
    if mine is None:
        return False
    around = (*range(line - 1, line - _NEAR - 1, -1), *range(line + 1, line + _NEAR + 1))
    others = (_RESULT.match(lines[at]) for at in around if 0 <= at < len(lines))
    return any(other is not None and other.end() == mine.end() and _spaces(other) != _spaces(mine) for other in others)


def _spaces(match: re.Match[str]) -> int:
    return match[0].count(" ")


def value_hint(name: str, constant: Constant | None) -> str | None:
    """The value of the constant of an id, unless its name says it already."""
    if constant is None or constant.value is None:
        return None
    value = plain_constant(constant)
    said = value.replace("-", "n").replace(".", "_")
    if name == said or name.endswith((f"_{said}", f"_{value}")):
        return None
    return f"= {value}{' (default)' if constant.specialized else ''}"


def _hint(
    record: Instruction, line: int, span: Span, label: str, kind: HintKind, spaced: Spaced = "left"
) -> Hint:
    label = label.replace("\n", "⏎")
    if len(label) > LONGEST:
        label = label[: LONGEST - 1] + "…"
    return Hint(range_in(record, line, *span).end, label, kind, spaced)


_CHAINS = {
    spv.OpAccessChain: 1,
    spv.OpInBoundsAccessChain: 1,
    spv.OpPtrAccessChain: 2,
    spv.OpInBoundsPtrAccessChain: 2,
    spv.OpCompositeExtract: 1,
    spv.OpCompositeInsert: 2,
    spv.OpMemberName: 1,
    spv.OpMemberDecorate: 1,
    spv.OpMemberDecorateString: 1,
}
"""Opcodes with indexes into structures, and the operand that is the first of these."""


def _member_names(module: Module, record: Instruction) -> dict[int, str]:
    """The names of the members that operands select, by the index of the operand."""
    opcode = record.opcode.value
    start = _CHAINS.get(opcode)
    if start is None or len(record.operands) <= start or opcode == spv.OpMemberName:
        return {}
    if opcode in MEMBER_DECORATES:
        member = record.operands[1]
        called = module.declarations.member_names.get((str(record.operands[0]), member if isinstance(member, int) else -1))
        return {1: called} if called else {}
    base = record.operands[start - 1] if opcode != spv.OpPtrAccessChain else record.operands[0]
    if opcode == spv.OpInBoundsPtrAccessChain:
        base = record.operands[0]
    type_: Type | None = module.type_of(base)
    if type_ is not None and type_.is_pointer:
        type_ = type_.pointee
    found: dict[int, str] = {}
    for at in range(start, len(record.operands)):
        if type_ is None:
            break
        operand = record.operands[at]
        index = operand if isinstance(operand, int) else module.integer(operand)
        if type_.is_struct:
            if index is None or not 0 <= index < len(type_.member_ids):
                break
            called = module.declarations.member_names.get((type_.id, index))
            if called:
                found[at] = called
            type_ = module.type(type_.member_ids[index])
        else:
            type_ = type_.element
    return found
