"""Refactorings of names: OpName added or followed, all ids named after what they are or numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from spvls.binary.decode import decode
from spvls.binary.friendly_names import friendly_names
from spvls.binary.words import DecodeError, little_endian
from spvls.diagnostic import Edit
from spvls.ide.refactor.refactoring import REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.ide.source.global_part import of_globals
from spvls.ide.source.occurrences import occurrences
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import id_of, texts
from spvls.ide.words.encoding import LiveEncoding
from spvls.syntax.instruction import Instruction
from spvls.syntax.report import range_in


def naming_refactorings(site: Site) -> Iterator[Refactoring]:
    """What can be done with the name of the id at the cursor."""
    source, name = site.source, site.name
    if name is None or source.module.ids.definition(name) is None:
        return
    called = source.module.declarations.names.get(name)
    if called is None:
        title = f"Add an OpName for %{name}"
        yield Refactoring("add-opname", title, REWRITE, lambda: _opname(source, name))
        return
    wanted = _as_id(called)
    if wanted != name and source.module.ids.definition(wanted) is None and not source.module.ids.uses(wanted):
        title = f"Rename %{name} to %{wanted}, as OpName says"
        yield Refactoring("name-after-opname", title, REWRITE, lambda: renaming(source, {name: wanted}))


def _as_id(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"


def renaming(source: SourceModule, names: Mapping[str, str]) -> list[Edit]:
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


def _opname(source: SourceModule, name: str) -> list[Edit]:
    rewrite = Rewrite(source)
    rewrite.name(name, name)
    return rewrite.edits()


# All ids


def whole_naming(site: Site) -> Iterator[Refactoring]:
    """What can be done with all ids."""
    source = site.source
    if _has_numbers(site):
        yield Refactoring("friendly-names", "Give ids speaking names", REWRITE, lambda: _friendly(source), True)
    yield Refactoring("renumber", "Number ids as in the binary", REWRITE, lambda: _renumbered(source), True)


def _has_numbers(site: Site) -> bool:
    """Whether some id, global or of the function at the cursor, is a number."""
    return of_globals(site.module, "has numbers as ids", _define_numbers) or _define_numbers(site.chunk.records)


def _define_numbers(records: Sequence[Instruction]) -> bool:
    return any(record.result is not None and record.result.isdecimal() for record in records)


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
    return renaming(source, names)


def _renumbered(source: SourceModule) -> list[Edit]:
    """The edits that call ids by the numbers that the assembler gives them."""
    live = LiveEncoding(source)
    live.refresh()
    numbers = {name: str(number) for name, number in live.numbering.items()}
    beyond = len(numbers)
    for name in sorted(set(source.module.ids.names()) - numbers.keys()):
        beyond += 1
        numbers[name] = str(beyond)
    return renaming(source, {old: new for old, new in numbers.items() if old != new})
