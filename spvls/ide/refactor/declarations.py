"""Declarations in order: one moved next to what it uses, all sorted, and those that repeat others removed."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.traits import VARIABLES
from spvls.ide.refactor.constants import duplicates, merged
from spvls.ide.refactor.refactoring import ORGANIZE, REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.ide.refactor.sorting import Placed, in_places
from spvls.module.decorations import DECORATES, GROUP_DECORATES, MEMBER_DECORATES
from spvls.module.dependencies import GLOBALS
from spvls.module.module import Module
from spvls.module.sections import Section, section_of
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import InsertAfter

_NAMES = frozenset({spv.OpName, spv.OpMemberName})
_GROUPS = GROUP_DECORATES | {spv.OpDecorationGroup}


def declaration_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the declaration at the cursor, and of all of them where the cursor is among them."""
    if not site.is_global:
        return
    yield from _moving(site)
    module, source = site.module, site.source
    if module.derive("sorted declarations", lambda: _reordered(module), note=False) and _can_be_sorted(site):
        title = "Sort names, decorations and declarations"
        yield Refactoring("sort-declarations", title, ORGANIZE, lambda: _sorted(site), True)
    again = duplicates(module)
    if again:
        one = "Remove the declaration that repeats another"
        title = f"Remove {len(again)} declarations that repeat others" if len(again) > 1 else one
        yield Refactoring("merge-all-duplicates", title, ORGANIZE, lambda: merged(source, again), True)


# Moving


def _moving(site: Site) -> Iterator[Refactoring]:
    """Of a declaration that stands farther from what it uses than it has to."""
    record, module = site.record, site.module
    if record is None or not record.text or not _is_plain(record):
        return
    before = {used for used in _needs(record, module) if module.is_global(used) and not module.is_forward_pointer(used)}
    needed = [found for name in before if (found := module.definition(name)) is not None]
    if not needed or not record.stands_alone:
        return
    last = max(needed, key=module.global_place)
    if section_of(last.opcode) is Section.TYPES and module.global_place(last) < module.global_place(record) - 1:
        title = f"Move %{record.result} after %{last.result}, the last that it uses"
        yield Refactoring("move-declaration", title, REWRITE, lambda: _moved(site, record, last))


def _moved(site: Site, record: Instruction, last: Instruction) -> list[Edit]:
    rewrite = Rewrite(site.source, site.chunk)
    text = record.text[record.start :].rstrip()
    rewrite.do(InsertAfter(last, text))
    rewrite.cut(*rewrite.extent([record]))
    return rewrite.edits()


def _needs(record: Instruction, module: Module) -> set[str]:
    """The ids that must be defined before a declaration: those that it uses, and those that its decorations use."""
    decorations = module.decorations(record.result or "")
    return {*record.uses(), *(used for found in decorations for used in found.params if isinstance(used, str))}


# Sorting


def _orders(module: Module) -> list[tuple[list[Instruction], list[Instruction]]]:
    """For names, decorations and declarations: these as they stand, and in order."""
    records = module.chunks[0].records
    place = {record.result: at for at, record in enumerate(records) if record.result is not None}

    def by_target(record: Instruction) -> int:
        target = record.operands[0] if record.operands else None
        return place.get(target, len(place)) if isinstance(target, str) else len(place)

    found = [[record for record in records if record.opcode.value in _NAMES]]
    if not any(record.opcode.value in _GROUPS for record in records):
        found.append([record for record in records if record.opcode.value in DECORATES | MEMBER_DECORATES])
    orders = [(group, sorted(group, key=by_target)) for group in found]
    declared = [record for record in records if section_of(record.opcode) is Section.TYPES]
    if all(_is_plain(record) for record in declared):
        orders.append((declared, _by_kind(declared, module)))
    return [(group, order) for group, order in orders if group != order]


def _is_plain(record: Instruction) -> bool:
    if record.result is None or record.faults:
        return False
    return record.opcode.is_type or record.opcode.is_constant or record.opcode.value in VARIABLES | {spv.OpUndef}


def _by_kind(records: list[Instruction], module: Module) -> list[Instruction]:
    """Types, then constants, then variables, each after what it uses, else as they stand."""
    at = {record.result: number for number, record in enumerate(records)}
    needed = [{at[used] for used in _needs(record, module) if used in at} for record in records]
    waiting = [len(numbers) for numbers in needed]
    users: dict[int, list[int]] = {}
    for number, numbers in enumerate(needed):
        for used in numbers:
            users.setdefault(used, []).append(number)
    ready = [(_kind(record), number) for number, record in enumerate(records) if not waiting[number]]
    heapq.heapify(ready)
    order: list[Instruction] = []
    while ready:
        _, number = heapq.heappop(ready)
        order.append(records[number])
        for user in users.get(number, ()):
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, (_kind(records[user]), user))
    return order if len(order) == len(records) else records


def _kind(record: Instruction) -> int:
    return 0 if record.opcode.is_type else 2 if record.opcode.value in VARIABLES else 1


def _reordered(module: Module) -> bool:
    module.reads.module.add(GLOBALS)
    return bool(_orders(module))


def _can_be_sorted(site: Site) -> bool:
    """Whether each declaration has a line, and no line between them is a comment, which may be about those after it."""
    lines, document = site.source.document.lines, site.source.document
    placed = [
        (line, record) for line, record in site.source.placed(site.module.chunks[0]) if section_of(record.opcode) >= Section.NAMES
    ]
    if any(len(document.records_on(line)) > 1 or "\n" in record.text[: record.end] for line, record in placed):
        return False
    return not placed or not any(lines[line].lstrip().startswith(";") for line in range(placed[0][0], placed[-1][0]))


def _sorted(site: Site) -> list[Edit]:
    lines = site.source.document.lines_of(site.module.chunks[0])
    edits: list[Edit] = []
    for group, order in _orders(site.module):
        placed: list[Placed] = [(lines[id(record)], record) for record in group]
        edits += in_places(placed, order)
    return sorted(edits)
