"""Refactorings: edits that a reader may want, and that leave the module meaning what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from spvls.binary.decode import decode
from spvls.binary.friendly_names import friendly_names
from spvls.binary.words import DecodeError, little_endian
from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv
from spvls.ide.features.constants import constant_refactorings
from spvls.ide.features.refactoring import ORGANIZE, REWRITE, Refactoring, indent, line_after, removal
from spvls.ide.source.occurrences import id_at, occurrences
from spvls.ide.source.sections import Section, section_title, sections
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import id_of, texts
from spvls.ide.transform.actions import transformations
from spvls.ide.words.encoding import LiveEncoding
from spvls.module.decorations import ANNOTATIONS
from spvls.module.purity import is_pure
from spvls.syntax.instruction import UNKNOWN, Instruction
from spvls.syntax.report import range_in


def refactorings(source: SourceModule, position: Position) -> Iterator[Refactoring]:
    """What can be done at a position."""
    yield from _on_id(source, position)
    unused = _unused(source, position)
    if unused is not None:
        name, doomed = unused
        yield Refactoring("remove-unused", f"Remove %{name}, which nothing uses", REWRITE, lambda: removal(source, doomed))
    yield from constant_refactorings(source, position)
    yield from _sorting(source, position)
    if _has_numbers(source, position):
        yield Refactoring("friendly-names", "Give ids speaking names", REWRITE, lambda: _friendly(source), True)
    yield Refactoring("renumber", "Number ids as in the binary", REWRITE, lambda: _renumbered(source), True)
    yield from transformations(source)


def _has_numbers(source: SourceModule, position: Position) -> bool:
    """Whether some id, global or of the function at a position, is a number."""
    here = source.document.chunk_at(source.clamp(position).line)
    chunks = {id(chunk): chunk for chunk in (source.document.chunks[0], here)}.values()
    return any(record.result is not None and record.result.isdecimal() for chunk in chunks for record in chunk.records)


def edits_of(source: SourceModule, position: Position, key: str) -> list[Edit] | None:
    """The edits of the refactoring of that name; None where it is not to be had any more."""
    return next((found.edits() for found in refactorings(source, position) if found.key == key), None)


# The id at the cursor


def _on_id(source: SourceModule, position: Position) -> Iterator[Refactoring]:
    found = id_at(source, position)
    if found is None or source.module.ids.definition(found[0]) is None:
        return
    name = found[0]
    called = source.module.declarations.names.get(name)
    if called is None:
        title = f"Add an OpName for %{name}"
        yield Refactoring("add-opname", title, REWRITE, lambda: [_opname(source, name)])
        return
    wanted = _as_id(called)
    if wanted != name and source.module.ids.definition(wanted) is None and not source.module.ids.uses(wanted):
        title = f"Rename %{name} to %{wanted}, as OpName says"
        yield Refactoring("name-after-opname", title, REWRITE, lambda: _renaming(source, {name: wanted}))


def _as_id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"


def _renaming(source: SourceModule, names: Mapping[str, str]) -> list[Edit]:
    """The edits that give ids other names."""
    if len(names) < 20:
        edits = [Edit(place.range, f"%{new}") for old, new in names.items() for place in occurrences(source, old)]
        return sorted(edits)
    edits = []
    for chunk in source.document.chunks:
        for line, record in source.placed(chunk):
            spans = record.words()
            for span, word in zip(spans, texts(record, spans), strict=True):
                new = names.get(id_of(word) or "")
                if new is not None:
                    edits.append(Edit(range_in(record, line, *span), f"%{new}"))
    return edits


def _opname(source: SourceModule, name: str) -> Edit:
    """An OpName after the last one, or where the first one would stand."""
    text = f'OpName %{name} "{name}"'
    placed = list(source.placed(source.document.chunks[0]))
    names = [(line, record) for line, record in placed if record.opcode.value in (spv.OpName, spv.OpMemberName)]
    if names:
        return line_after(source, *names[-1], text)
    late = next(
        ((line, record) for line, record in placed if section_title(record) not in _BEFORE_NAMES and record.opcode is not UNKNOWN),
        None,
    )
    if late is not None:
        line, record = late
        start = range_in(record, line, record.start, record.end).start
        return Edit(Range(start, start), f"{text}\n{indent(record)}")
    lines = source.document.lines
    end = Position(len(lines) - 1, len(lines[-1]))
    return Edit(Range(end, end), f"\n{text}\n")


_BEFORE_NAMES = frozenset(
    {"Capabilities", "Extensions", "Imports", "Memory model", "Entry points", "Execution modes", "Debug"}
)


# What nothing uses

_ABOUT = ANNOTATIONS - {spv.OpGroupDecorate, spv.OpGroupMemberDecorate} | {spv.OpName, spv.OpMemberName}


def _unused(source: SourceModule, position: Position) -> tuple[str, list[Instruction]] | None:
    """The id that the instruction at a position makes for nothing, and what goes with it."""
    found = source.document.record_at(source.clamp(position))
    if found is None:
        return None
    record = found[1]
    name = record.result
    if name is None or record.faults or not is_pure(record):
        return None
    uses = dict.fromkeys(use for _, use in source.module.ids.uses(name))
    if any(use.opcode.value not in _ABOUT for use in uses):
        return None
    return name, [*uses, record]


# Sections

_SORTED = frozenset({"Capabilities", "Extensions"})


def _sorting(source: SourceModule, position: Position) -> Iterator[Refactoring]:
    """Sorting the section at a position, and for the whole module the sections whose order does not matter."""
    placed = list(source.placed(source.document.chunks[0]))
    found = [section for section in sections(placed) if section.title in _SORTED]
    unsorted = [section for section in found if _sortable(source, section) and _order(section) != section.records]
    if unsorted:
        title = "Sort " + " and ".join(dict.fromkeys(section.title.lower() for section in unsorted))
        yield Refactoring("sort-sections", title, ORGANIZE, lambda: [e for s in unsorted for e in _sorted(source, s)])


def _sortable(source: SourceModule, section: Section) -> bool:
    """Whether each instruction has one line, and its line holds no other."""
    return all(
        len(source.document.records_on(line)) == 1 and not record.faults and "\n" not in record.text[: record.end]
        for line, record in section.records
    )


def _order(section: Section) -> list[tuple[int, Instruction]]:
    return sorted(section.records, key=lambda placed: placed[1].text[placed[1].start : placed[1].end])


def _sorted(source: SourceModule, section: Section) -> list[Edit]:
    """The edits that put the instructions in order, each with the comment after it."""
    edits = []
    for (line, old), (_, new) in zip(section.records, _order(section), strict=True):
        if old is new:
            continue
        start = Position(line, old.start)
        end = Position(line, len(old.text.rstrip("\r\n")))
        edits.append(Edit(Range(start, end), new.text[new.start :].rstrip("\r\n")))
    return edits


# All ids


def _friendly(source: SourceModule) -> list[Edit]:
    """The edits that name ids that are numbers after what they are; none for a text that does not assemble."""
    live = LiveEncoding(source)
    live.refresh()
    if not live.is_whole:
        return []
    try:
        module = decode(little_endian(live.all_words()))
    except DecodeError:
        return []
    speaking = friendly_names(module.instructions)
    taken = {name for name in source.module.ids.names() if not name.isdecimal()}
    names: dict[str, str] = {}
    for old, number in live.numbering.items():
        new = speaking.get(str(number), "")
        if old.isdecimal() and new and not new.isdecimal() and new not in taken:
            taken.add(new)
            names[old] = new
    return _renaming(source, names)


def _renumbered(source: SourceModule) -> list[Edit]:
    """The edits that call ids by the numbers that the assembler gives them."""
    live = LiveEncoding(source)
    live.refresh()
    numbers = {name: str(number) for name, number in live.numbering.items()}
    beyond = len(numbers)
    for name in sorted(set(source.module.ids.names()) - numbers.keys()):
        beyond += 1
        numbers[name] = str(beyond)
    return _renaming(source, {old: new for old, new in numbers.items() if old != new})
