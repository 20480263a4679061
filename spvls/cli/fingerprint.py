"""Fingerprints: which finding is which, in another version of a file.

A fingerprint is made of the rule, of the text of the line without its white space, of the part of it at fault, and of how many
earlier findings have the same of all these. It stays when lines around the finding come, go or move.
"""

from __future__ import annotations

import hashlib
from collections import Counter

from spvls.cli.outcome import Listing
from spvls.diagnostic import Diagnostic

NAME = "spvls/v1"
"""What is counted up when fingerprints are made in another way."""

_DIGITS = 32
_LONGEST_PART = 200
"""Characters of the part at fault that count; a finding may be about a line of megabytes."""


def fingerprints(listing: Listing, findings: list[Diagnostic]) -> list[str]:
    """The fingerprints of all findings of a file, in order."""
    seen: Counter[tuple[str, ...]] = Counter()
    lines: dict[int, str] = {}
    made = []
    for finding in findings:
        parts = (finding.rule, *_place(listing, finding, lines))
        seen[parts] += 1
        made.append(_digest("\0".join((*parts, str(seen[parts])))))
    return made


def _place(listing: Listing, finding: Diagnostic, lines: dict[int, str]) -> tuple[str, str]:
    """What stands for the line of a finding, and the part at fault; for a finding of a whole module what it says.

    `lines` keeps what stands for each line, so that a line is read once, whatever the number of its findings.
    """
    row = listing.line_of(finding)
    if row is None:
        return "", finding.message
    line = listing.lines[row]
    if row not in lines:
        lines[row] = _digest(_plain(line))
    if finding.range is None:
        return lines[row], ""
    start, end = finding.range
    last = min(start.column + _LONGEST_PART, end.column if end.line == row else len(line))
    return lines[row], _plain(line[start.column : last])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _plain(text: str) -> str:
    return " ".join(text.split())
