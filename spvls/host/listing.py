"""Assembly texts: one module, several that follow each other, or listings in the log of a tool.

A module begins at the first line of a text. A further one begins

1. at a header comment `; SPIR-V`, or at a line that a tool writes between listings, where an instruction stands between it
   and the beginning of the module before;
2. at an OpCapability after an OpFunctionEnd where no other instruction stands between them, the module before has an
   OpMemoryModel, and from the OpCapability on nothing but OpCapability, OpExtension, OpExtInstImport, comments and foreign
   lines come before another OpMemoryModel.

It has the comments and empty lines before it. Foreign lines, which are not nearly SPIR-V, belong to no module where an empty
line, a header comment or a tool's line separates them from its first instruction, and after an OpFunctionEnd that is its last
instruction; all that stands in between is its own. A text with nothing but one word is a module that is being begun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spvls.host.line_class import (
    BANNER,
    BLANK,
    CAPABILITY,
    COMMENT,
    FOREIGN,
    FUNCTION_END,
    HEADER,
    INSTRUCTIONS,
    MEMORY_MODEL,
    OTHER,
    RUN,
    STRING,
    WORD,
    ordinary_run,
    read_listing,
)
from spvls.host.reader import run_environment
from spvls.host.span import ModuleSpan
from spvls.text.pattern import pattern

_CANDIDATE = pattern(f"[{HEADER}{BANNER}]|(?<!{CAPABILITY}){CAPABILITY}")
_OPENING = pattern("[CXbcrt]*M")

# Lines that are a module's own, wherever they stand, under one letter.
_OWN = dict.fromkeys(map(ord, INSTRUCTIONS + STRING), "I")

# What may stand beside the one word that a module begins with.
_BESIDES_WORD = dict.fromkeys(map(ord, BLANK + COMMENT), None)


class Listing:
    """The reader of assembly texts."""

    borders = frozenset(HEADER + BANNER + RUN)
    passive: frozenset[str] = frozenset()  # what stands around modules decides where they begin and end

    def read(self, state: str, line: str) -> tuple[str, str]:
        return read_listing(state, line)

    def ordinary(self, text: str, at: int) -> int:
        return ordinary_run(text, at)

    def cut(self, lines: Sequence[str], classes: str, states: Sequence[str]) -> list[ModuleSpan]:
        if not classes.translate(_BESIDES_WORD).strip(WORD) and classes.count(WORD) == 1:
            return [ModuleSpan(0, len(classes))]
        classes = classes.replace(WORD, FOREIGN)
        run = classes.find(RUN)
        environment = next(filter(None, map(run_environment, _run_lines(lines, classes, run))), None) if run >= 0 else None
        borders = [0, *_beginnings(classes), len(classes)]
        whole = len(borders) == 2
        own = classes.translate(_OWN)
        spans = []
        for first, end in pairwise(borders):
            found = _trimmed(classes, own, first, end, whole)
            if found is not None:
                spans.append(ModuleSpan(*found, environment=environment))
        return spans


def _run_lines(lines: Sequence[str], classes: str, at: int) -> Iterator[str]:
    while at >= 0:
        yield lines[at]
        at = classes.find(RUN, at + 1)


def _beginnings(classes: str) -> Iterator[int]:
    """The lines where a module other than the first one begins, the comments in front of it included."""
    own = classes.translate(_OWN)
    rest = classes[own.find(OTHER) :].lstrip(CAPABILITY)
    if not any(name in rest for name in CAPABILITY + HEADER + BANNER):
        return
    first = 0
    for match in _CANDIDATE.finditer(classes):
        at = match.start()
        last = own.rfind(OTHER, first, at)
        if last < 0:
            continue
        if classes[at] == CAPABILITY and not (
            classes[last] == FUNCTION_END
            and classes.find(MEMORY_MODEL, first, last) >= 0
            and _OPENING.match(classes, at) is not None
        ):
            continue
        first = last + 1
        yield first


def _trimmed(classes: str, own: str, first: int, end: int, whole: bool) -> tuple[int, int] | None:
    """The lines of the module between two borders, without foreign ones around it; None where there is no module."""
    begin = own.find(OTHER, first, end)
    if begin < 0:
        foreign = classes.rfind(FOREIGN, first, end)
        header = classes.find(HEADER, max(first, foreign), end)
        return (max(first, foreign + 1), end) if header >= 0 or (whole and foreign < 0) else None
    border = max(classes.rfind(name, first, begin) for name in BLANK + HEADER + BANNER)
    start = max(first, classes.rfind(FOREIGN, first, max(first, border)) + 1)
    last = own.rfind(OTHER, first, end)
    if classes[last] == FUNCTION_END:
        foreign = classes.find(FOREIGN, last + 1, end)
        if foreign >= 0:
            end = foreign
    return start, end


LISTING = Listing()
