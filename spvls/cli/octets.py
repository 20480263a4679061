"""Octets of a text file that are not UTF-8."""

from __future__ import annotations

import re

from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.syntax.scanner import scan
from spvls.text.lines import position_in

_LONE = re.compile("[\udc80-\udcff]+")


def undecodable(lines: list[str]) -> list[Diagnostic]:
    """A finding for each run of octets, which the lines hold as lone surrogates: an error in an instruction, whose strings
    are UTF-8 (SPIR-V 2.2.1), and a warning elsewhere."""
    if all(line.isascii() or not _LONE.search(line) for line in lines):
        return []
    covered: list[tuple[Range, int]] = []
    for number, (line, record) in enumerate(scan(lines), 1):
        start = position_in(record.text, record.start, line)
        covered.append((Range(start, position_in(record.text, record.end, line)), number))
    covered.reverse()
    found: list[Diagnostic] = []
    for row, line in enumerate(lines):
        for run in _LONE.finditer(line):
            place = Range(Position(row, run.start()), Position(row, run.end()))
            while covered and covered[-1][0].end <= place.start:
                covered.pop()
            inside = bool(covered) and covered[-1][0].start <= place.start
            octets = " ".join(f"0x{ord(character) - 0xDC00:02X}" for character in run.group()[:8])
            found.append(
                Diagnostic(
                    "text/not-utf-8",
                    Severity.ERROR if inside else Severity.WARNING,
                    f"{octets}{' …' if len(run.group()) > 8 else ''} is not UTF-8; save the file in that encoding",
                    place,
                    covered[-1][1] if inside else None,
                )
            )
    return found
