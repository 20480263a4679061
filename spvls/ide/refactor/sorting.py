"""Sorting declarations whose order does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv
from spvls.ide.refactor.refactoring import ORGANIZE, Refactoring
from spvls.ide.refactor.site import Site
from spvls.ide.source.sections import Section, sections
from spvls.ide.source.source_module import SourceModule
from spvls.syntax.instruction import Instruction

Placed = tuple[int, Instruction]
"""An instruction with the line that it starts on."""

_SORTED = frozenset({"Capabilities", "Extensions"})


def sorting_refactorings(site: Site) -> Iterator[Refactoring]:
    """Sorting the sections whose order does not matter."""
    source = site.source
    if all(map(_is_sorted, map(site.module.declarations.records, _OPCODES))):
        return
    placed = list(source.placed(source.document.chunks[0]))
    found = [section for section in sections(placed) if section.title in _SORTED]
    unsorted = [section for section in found if _sortable(source, section) and _order(section) != section.records]
    if unsorted:
        title = "Sort " + " and ".join(dict.fromkeys(section.title.lower() for section in unsorted))
        yield Refactoring("sort-sections", title, ORGANIZE, lambda: [e for s in unsorted for e in _sorted(s)])


_OPCODES = (spv.OpCapability, spv.OpConditionalCapabilityINTEL, spv.OpExtension, spv.OpConditionalExtensionINTEL)


def _is_sorted(records: list[Instruction]) -> bool:
    """Whether instructions of an opcode are in order as they stand: a quick answer for most modules."""
    written = [record.text[record.start : record.end] for record in records]
    return all(one <= other for one, other in pairwise(written))


def _sortable(source: SourceModule, section: Section) -> bool:
    """Whether each instruction has one line, and its line holds no other."""
    return all(
        len(source.document.records_on(line)) == 1 and not record.faults and "\n" not in record.text[: record.end]
        for line, record in section.records
    )


def _order(section: Section) -> list[Placed]:
    return sorted(section.records, key=lambda placed: placed[1].text[placed[1].start : placed[1].end])


def _sorted(section: Section) -> list[Edit]:
    return in_places(section.records, [record for _, record in _order(section)])


def in_places(placed: list[Placed], order: list[Instruction]) -> list[Edit]:
    """The edits that put instructions in order in the places that they have, each with the comment after it."""
    edits = []
    for (line, old), new in zip(placed, order, strict=True):
        if old is new:
            continue
        start = Position(line, old.start)
        end = Position(line, len(old.text.rstrip("\r\n")))
        edits.append(Edit(Range(start, end), new.text[new.start :].rstrip("\r\n")))
    return edits
