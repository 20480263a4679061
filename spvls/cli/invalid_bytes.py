"""Octets that a file holds and that a text should not: what is not UTF-8, and NUL."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.syntax.scanner import scan
from spvls.text.lines import position_in
from spvls.text.pattern import pattern

_LONE = pattern("[\udc80-\udcff]+")
_SHOWN = 8


def findings(lines: list[str]) -> list[Diagnostic]:
    """What is to be said of the bytes of a text, in order; `lines` hold those that are not UTF-8 as lone surrogates."""
    found = list(_not_utf8(lines)) if any(not line.isascii() and _LONE.search(line) for line in lines) else []
    for row, line in enumerate(lines):
        column = line.find("\0")
        if column >= 0:
            place = Range(Position(row, column), Position(row, column + 1))
            message = "a NUL ends the text here, and nothing after it is read"
            found.append(Diagnostic("text/nul", Severity.WARNING, message, place))
            break
    return found


def _not_utf8(lines: list[str]) -> Iterator[Diagnostic]:
    """A finding for each run: an error in an instruction, whose strings are UTF-8 (SPIR-V 2.2.1), elsewhere a warning."""
    instructions: list[tuple[int, Range]] = []
    for number, (line, record) in enumerate(scan(lines), 1):
        start = position_in(record.text, record.start, line)
        instructions.append((number, Range(start, position_in(record.text, record.end, line))))
    instructions.reverse()
    for row, text in enumerate(lines):
        for run in _LONE.finditer(text):
            place = Range(Position(row, run.start()), Position(row, run.end()))
            while instructions and instructions[-1][1].end <= place.start:
                instructions.pop()
            inside = bool(instructions) and instructions[-1][1].start <= place.start
            shown = " ".join(f"0x{ord(character) - 0xDC00:02X}" for character in run.group()[:_SHOWN])
            more = " …" if len(run.group()) > _SHOWN else ""
            yield Diagnostic(
                "text/not-utf-8",
                Severity.ERROR if inside else Severity.WARNING,
                f"{shown}{more} is not UTF-8; save the file in that encoding",
                place,
                instructions[-1][0] if inside else None,
            )
