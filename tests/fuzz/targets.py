"""What is fuzzed: what is drawn, and what has to hold of it."""

from __future__ import annotations

import random
import re
import sys
from array import array
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from spvls.binary.assemble import AssembleError, assemble
from spvls.binary.decode import DecodeError, decode
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.encode import encode
from spvls.binary.recover import recover
from spvls.binary.words import read_words
from spvls.diagnostic import Position, Range
from spvls.grammar import tables
from spvls.grammar.environments import environment
from spvls.ide.features.document_links import document_links
from spvls.ide.features.formatting import Style, formatted, same_words
from spvls.ide.features.hover import hover
from spvls.ide.features.inlay import HintKind, hints
from spvls.ide.features.lens import lenses, title
from spvls.ide.features.symbols import document_symbols
from spvls.ide.flow.graph import flow_graphs
from spvls.ide.flow.text import text as flow_text
from spvls.ide.source.source_module import SourceModule
from spvls.ide.summary.reflection import summarize
from spvls.ide.summary.summary import ModuleHeader
from spvls.ide.summary.text import summary_lines
from spvls.ide.to_json import to_json
from spvls.ide.words.encoding import LiveEncoding
from spvls.ide.words.listing import words_lines
from spvls.module.module import Module
from spvls.server.handlers.views import DRAWINGS
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics
from spvls.validate.requirements import needs
from spvls.validate.validator import validate
from tests.bench.modules import module_text
from tests.corpus import RULES, TEXTS, text_of
from tests.fuzz.edits import Editor
from tests.fuzz.limits import held
from tests.fuzz.mutation import mutate
from tests.fuzz.words import Words
from tests.hostile import MARK, live_markdown, sound_module
from tests.module.test_ids import table_of
from tests.strategies import Edit, damaged_modules, edit_batches, modules, odd_texts, texts
from tests.syntax.test_document import rows, state

STYLES: tuple[Style, ...] = ("aligned", "nested")
MEGABYTE = 1 << 20
_SHORT = 1 << 11
"""Bytes of binaries that are words without sense, and quick to try."""

ENVIRONMENTS = ("spv1.6", "vulkan1.2", "opencl2.2", "spv1.0")

SECONDS = 1.0
"""Time of the processor that a call may take on a binary of up to a megabyte, be it to read, to list or to recover it."""

VALIDATION_SECONDS = 6.0
VALIDATION_GROWTH = 320 << 20
"""What validation may take for as much: every rule looks at every instruction, and each of these may have findings."""

EVERYTHING: dict[str, Any] = dict.fromkeys(
    ("color", "offsets", "comment", "nested_indent", "reorder_blocks", "handle_unknown_opcodes"), True
)


@dataclass(frozen=True, slots=True)
class Target:
    """Something to fuzz.

    `inputs` draws, `check` raises where something does not hold, and `bytes` is a file with all that was drawn.
    """

    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]
    contents: Callable[[Any], bytes]
    suffix: str


# Binaries


@cache
def _long_module() -> bytes:
    return assemble(module_text(lines=52_000))


def _words(words: Iterable[int]) -> bytes:
    found = array("I", words)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def _known(chance: random.Random, count: int) -> list[int]:
    """Numbers of opcodes."""
    return chance.choices([opcode.value for opcode in tables.opcodes()], k=count)


def _framed(chance: random.Random, count: int, fill: Callable[[], int]) -> list[int]:
    """Instructions whose word counts are true, with operands of any sort."""
    words: list[int] = []
    few = _known(chance, chance.randrange(1, 8))
    while len(words) < count:
        length = chance.randrange(1, 8)
        words.append(length << 16 | chance.choice(few))
        words.extend([fill() for _ in range(length - 1)])
    return words[:count]


def _damaged(chance: random.Random, count: int) -> bytes:
    """A long module in which one word in a hundred is another one."""
    words = read_words(_long_module()[: 20 + 4 * count]).words
    for at in range(5, len(words)):
        if chance.random() < 0.01:
            words[at] = chance.choice((chance.randrange(400), chance.randrange(2**32)))
    return _words(words[5:])


def _miscounted(chance: random.Random, count: int) -> bytes:
    """A long module in which every word count is wrong."""
    words = read_words(_long_module()[: 20 + 4 * count]).words
    at = 5
    while at < len(words):
        length = words[at] >> 16
        words[at] = words[at] & 0xFFFF | (length + chance.choice((-1, 1, 2))) << 16
        at += length
    return _words(words[5:])


#: Bodies of modules of so many words, or somewhat less.
_BODIES: dict[str, Callable[[random.Random, int], bytes]] = {
    "noise": lambda chance, count: chance.randbytes(4 * count),
    "one octet": lambda chance, count: bytes([chance.choice((0, 0xFF, chance.randrange(256)))]) * (4 * count),
    "one word": lambda chance, count: _words([1 << 16 | chance.choice(_known(chance, 1))]) * count,
    "words": lambda chance, count: _words([1 << 16 | value for value in _known(chance, count)]),
    "opcodes": lambda chance, count: _words([chance.randrange(6) << 16 | value for value in _known(chance, count)]),
    "unknown": lambda chance, count: _words([chance.randrange(1, 3) << 16 | 0xFFF0 for _ in range(count)]),
    "small": lambda chance, count: _words(_framed(chance, count, lambda: chance.randrange(100))),
    "large": lambda chance, count: _words(_framed(chance, count, lambda: chance.randrange(2**32))),
    "numbered": lambda chance, count: _words(_framed(chance, count, iter(range(1, 2**32)).__next__)),
    "damaged": _damaged,
    "miscounted": _miscounted,
    "reversed": lambda chance, count: _long_module()[20 : 20 + 4 * count][::-1],
    "long": lambda chance, count: _long_module()[20 : 20 + 4 * count],
}


@st.composite
def made_binaries(draw: st.DrawFn, most: int) -> bytes:
    """Up to so many bytes, half of them nearly: words without sense, opcodes in a row, or a long module with damage."""
    count = most // 4 - 5
    if draw(st.booleans()):
        count = draw(st.integers(0, count))
    chance = random.Random(draw(st.integers(0, 2**32)))
    data = draw(modules())
    body = draw(st.sampled_from(["repeated", *_BODIES]))
    if body != "repeated":
        return in_little_endian(data[:20]) + _BODIES[body](chance, count)
    piece = data[20 : 20 + 4 * draw(st.integers(1, 60))]
    return data[:20] + (piece * (4 * count // len(piece) + 1))[: 4 * count]


def noise() -> st.SearchStrategy[bytes]:
    """Octets of any sort, with a magic number now and then."""
    begins = st.sampled_from([b"", b"\x03\x02\x23\x07", b"\x07\x23\x02\x03", b"0x07230203 ", b"03 02 23 07 ", b"7230203"])
    return st.builds(bytes.__add__, begins, st.binary(max_size=400))


_SORTS: tuple[st.SearchStrategy[bytes], ...] = (made_binaries(MEGABYTE), noise(), made_binaries(_SHORT))


def binaries() -> st.SearchStrategy[bytes]:
    """Binaries of every sort: one in two thousand is long, since it takes as much time as five hundred others."""
    return st.integers(0, 2047).flatmap(lambda n: _SORTS[0 if not n else 1 + n // 128] if n < 256 else damaged_modules())


def in_little_endian(data: bytes) -> bytes:
    if not data.startswith(b"\x07\x23\x02\x03"):
        return data
    return b"".join([data[at : at + 4][::-1] for at in range(0, len(data) & ~3, 4)])


def check_decode(data: bytes) -> None:
    """A binary is read, or refused with the errors that are documented; what is recovered assembles to the same words."""
    with held(SECONDS):
        try:
            decode(data)
        except DecodeError as error:
            assert 0 <= error.word <= max(len(data) // 4, len(data.split()))
    for flags in ({}, EVERYTHING):
        with held(SECONDS), suppress(DisassembleError):
            disassemble(data, **flags)
    with held(VALIDATION_SECONDS, VALIDATION_GROWTH):
        validate(data)
    with held(SECONDS):
        try:
            text = recover(data)
        except DisassembleError:
            return
    if data[:4] in (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03"):  # else it is a dump in digits
        words = in_little_endian(data)
        assert assemble(text, preserve_numeric_ids=True)[20:] == words[20 : len(words) & ~3]


# Texts


def whole_texts() -> st.SearchStrategy[str]:
    """Fixtures as they are."""
    return st.sampled_from(TEXTS).map(text_of)


def edited_texts() -> st.SearchStrategy[tuple[str, list[list[Edit]], str]]:
    """A text, the edits that an editor makes to it, and the environment that it is for."""
    return st.tuples(st.one_of(texts(), whole_texts()), edit_batches(), st.sampled_from(ENVIRONMENTS))


def check_document(drawn: tuple[str, list[list[Edit]], str]) -> None:
    """Under edits, instructions, ids, words and findings are those of the text read afresh."""
    text, batches, name = drawn
    target = environment(name)
    document = Document(text)
    checker = Checker(Module(document.chunks, target))
    diagnostics(checker, document)
    for batch in batches:
        checker.update(document.edit(batch))
        found = diagnostics(checker, document)
        fresh = Document(document.text)
        module = Module(fresh.chunks, target)
        assert state(document) == state(fresh), "instructions"
        assert rows(document) == rows(fresh), "lines"
        assert table_of(document, checker.module.ids) == table_of(fresh, module.ids), "ids"
        edited, again = (encode(list(each.records()), target.version) for each in (document, fresh))
        assert (edited.words, edited.offsets, edited.numbering) == (again.words, again.offsets, again.numbering), "words"
        assert edited.faults == again.faults, "faults of words"
        assert found == diagnostics(Checker(module), fresh), "findings"


def mutated() -> st.SearchStrategy[tuple[str | bytes, str]]:
    """A text or a binary that was a module before something happened to it, and the environment that it is for."""
    return st.tuples(st.one_of(_mutated_texts(), _mutated_texts(), damaged_modules()), st.sampled_from(ENVIRONMENTS))


@st.composite
def _mutated_texts(draw: st.DrawFn) -> str:
    document = Document(draw(st.one_of(whole_texts(), whole_texts(), texts())))
    for batch in draw(edit_batches()):
        document.edit(batch)
    return document.text


def check_validate(drawn: tuple[str | bytes, str]) -> None:
    """Validation says what is wrong, and never raises; what it says has a place, and a fix of it is an edit."""
    module, name = drawn
    found = validate(module, target_env=name)
    document = Document(module) if isinstance(module, str) else None
    for finding in found:
        assert finding.message
        assert finding.rule
        if document is not None and finding.range is not None:
            assert finding.range.start <= finding.range.end
            assert finding.range.end.line < len(document.lines) + 1
        for fix in finding.fixes:
            assert document is not None
            edited = Document(document.text)
            edited.edit([(edit.range, edit.text) for edit in fix.edits])


def _octets_of_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _octets_of_edits(drawn: tuple[str, list[list[Edit]], str]) -> bytes:
    text, batches, name = drawn
    document = Document(text)
    shown = [f"environment: {name}\n", f"text: {text!r}\n"]
    for batch in batches:
        document.edit(batch)
        shown.append(f"edits: {batch!r}\n")
    return "".join([*shown, f"text in the end: {document.text!r}\n"]).encode()


def _octets_of_module(drawn: tuple[str | bytes, str]) -> bytes:
    module, _ = drawn
    return module if isinstance(module, bytes) else _octets_of_text(module)


# Formatting


def check_format(text: str) -> None:
    """Formatting changes no word, in any style, and a second time nothing at all."""
    for style in STYLES:
        once = formatted(text, style)
        assert same_words(once, text), f"{style}: other words"
        assert formatted(once, style) == once, f"{style}: not the same a second time"


# What is shown of modules

VIEW_SECONDS = 4.0
"""Time of the processor that one view of a short module may take."""


@cache
def _parsed_modules() -> tuple[Words, ...]:
    texts = [text_of(path) for path in sorted([*TEXTS, *RULES.rglob("*.clean.spvasm")])]
    found = []
    for text in [*texts, sound_module()]:
        with suppress(AssembleError):
            found.append(Words.parse(assemble(text)))
    return tuple(found)


@st.composite
def mutated_modules(draw: st.DrawFn) -> str:
    """The listing of a module that is sound but for a few mutations of its binary and a few words of the text."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    module = chance.choice(_parsed_modules()).copy()
    mutate(module, chance, chance.randrange(5))
    text = recover(module.data())
    document = Document(text)
    editor = Editor(chance)
    for _ in range(chance.choice((0, 0, 1, 3))):
        document.edit(editor.batch(document))
    return document.text


def check_views(text: str) -> None:
    """Whatever the module, its summary, its flow in all forms, its requirements, its words, symbols, hints and hovers are made."""
    source = SourceModule(text)
    live = LiveEncoding(source)
    live.refresh()
    header = live.header
    said = ModuleHeader(header.version, header.generator, header.bound, header.schema, len(live.all_words()))
    views: list[Callable[[], Any]] = [
        lambda: (summary_lines(summarize(source, said)), to_json(summarize(source, said))),
        *[lambda draw=draw: [draw(graph) for graph in flow_graphs(source)] for draw in DRAWINGS.values()],
        lambda: [flow_text(graph) for graph in flow_graphs(source)],
        lambda: list(needs(source.module)),
        lambda: words_lines(source, live),
        lambda: list(document_symbols(source)),
        lambda: list(hints(source, Range(Position(0, 0), Position(len(source.document.lines), 0)), frozenset(HintKind), live)),
        lambda: [title(source, lens.kind, lens.name) for lens in lenses(source)],
        lambda: document_links(source),
    ]
    for view in views:
        with held(VIEW_SECONDS):
            view()
    for place in _places_of_words(text):
        with held(VIEW_SECONDS):
            shown = hover(source, place, lambda: live)
            if MARK in text:
                assert shown is None or not live_markdown(shown.markdown), shown


def _places_of_words(text: str) -> list[Position]:
    """Some places of words, not more than a few of each line."""
    places = []
    for number, line in enumerate(Document(text).lines):
        starts = [match.start() for match in re.finditer(r"\S+", line)]
        places += [Position(number, column) for column in starts[:: max(1, len(starts) // 3)]]
    return places[:: max(1, len(places) // 60)]


TARGETS = {
    "decode": Target(binaries(), check_decode, bytes, "spv"),
    "document": Target(edited_texts(), check_document, _octets_of_edits, "txt"),
    "format": Target(st.one_of(odd_texts(), texts()), check_format, _octets_of_text, "spvasm"),
    "views": Target(mutated_modules(), check_views, _octets_of_text, "spvasm"),
    "validate": Target(mutated(), check_validate, _octets_of_module, "spvasm"),
}
