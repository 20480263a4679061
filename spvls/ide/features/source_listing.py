"""What a module says of its sources: a list of them, and remarks between its instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spvls.diagnostic import SourceLine
from spvls.ide.source.source_module import SourceModule
from spvls.module.source_place import Cover, Covers, source_line
from spvls.record import NamedTuple
from spvls.text.escaping import visible


class Source(NamedTuple):
    """A source: its name, its language ("" where that is not known), its text where the module carries it, and how many
    instructions come from it."""

    name: str
    language: str
    text: bytes | None
    instructions: int


class Remark(NamedTuple):
    """A comment that belongs before a line, from 0, of a listing."""

    line: int
    text: str


def sources_of(source: SourceModule) -> list[Source]:
    """The sources that a module names, those whose text it carries first."""
    counts = Counter(found.number for _, found in _lines(source) if found is not None)
    files = source.module.source_files.files
    return [
        Source(file.name.decode("utf-8", "replace"), file.language, file.text, counts[number])
        for number, file in enumerate(files)
    ]


def remarks(source: SourceModule) -> Iterator[Remark]:
    """A comment before the first of the instructions, one after the other, that come from a line of a source."""
    before: tuple[int, int] | None = None
    for line, found in _lines(source):
        place = (found.number, found.row) if found is not None else None
        if found is not None and place != before:
            said = f": {found.text.strip()}" if found.text is not None else ""
            text = source.document.lines[line]
            # A comment that began with the name of a file could say something to spvls.
            yield Remark(line, f"{text[: len(text) - len(text.lstrip())]}; at {visible(found.place + said)}")
        before = place


def _lines(source: SourceModule) -> Iterator[tuple[int, SourceLine | None]]:
    """The line of each instruction in the text, and the line of the source that it comes from."""
    module = source.module
    if not module.source_files.has_names:
        return
    covers = Covers(module)
    for chunk in module.chunks:
        known: dict[Cover, SourceLine | None] = {}
        for (line, _), cover in zip(source.placed(chunk), covers.of_chunk(chunk), strict=True):
            if cover not in known:
                known[cover] = source_line(module, cover)
            yield line, known[cover]
