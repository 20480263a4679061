"""Texts that say themselves what is to be found in them.

`‸` is the cursor; it is taken out. A comment line with carets speaks of the line above it, and stays in the text:

    %sum = OpFAdd %float %‸a %b
    ;                    ^^ use
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from spvls.diagnostic import Edit, Position, Range
from spvls.ide.source.source_module import SourceModule

_CARETS = re.compile(r"(\^+)(?: (\w+))?")

Found = Iterable[tuple[str, Range]]


class Marked(NamedTuple):
    """A text without its cursor, where that was, and the labels with the ranges above their carets."""

    source: SourceModule
    cursor: Position
    expected: list[tuple[str, Range]]


def marked(text: str) -> Marked:
    """Read the marks of a text."""
    lines = text.split("\n")
    cursor = Position(0, 0)
    for number, line in enumerate(lines):
        if "‸" in line:
            cursor = Position(number, line.index("‸"))
            lines[number] = line.replace("‸", "")
    expected: list[tuple[str, Range]] = []
    subject = 0
    for number, line in enumerate(lines):
        if not (line.startswith(";") and "^" in line):
            subject = number
            continue
        for carets, label in _CARETS.findall(line):
            start = line.index(carets, expected[-1][1].end.column if expected and expected[-1][1].end.line == subject else 0)
            expected.append((label, Range(Position(subject, start), Position(subject, start + len(carets)))))
    return Marked(SourceModule("\n".join(lines)), cursor, expected)


def check(text: str, feature: Callable[[SourceModule, Position], Found]) -> None:
    """Hold what a feature finds at the cursor against the carets: all of it, and nothing else."""
    source, cursor, expected = marked(text)
    found = sorted(feature(source, cursor), key=lambda item: item[1])
    assert found == expected


def applied(source: SourceModule, edits: Iterable[Edit]) -> str:
    """The text after edits that are all meant for it as it is."""
    ordered = sorted(edits, key=lambda edit: edit.range)
    after = SourceModule(source.text)
    for edit in reversed(ordered):  # so that of insertions at one place the first comes first
        after.edit([(edit.range, edit.text)])
    return after.text
