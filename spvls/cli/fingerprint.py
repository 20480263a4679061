"""Fingerprints: which finding is which, in another version of a file.

A fingerprint is made of the rule, of the text of the line without its white space, of the part of it at fault, and of how many
findings before have the same of all these. It stays when lines around the finding come, go or move.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache

from spvls.cli.outcome import Listing
from spvls.diagnostic import Diagnostic

NAME = "spvls/v1"
"""What is counted up when fingerprints are made in another way."""

_DIGITS = 32


def fingerprints(listing: Listing, findings: list[Diagnostic]) -> list[str]:
    """The fingerprints of all findings of a file, in order."""
    seen: Counter[tuple[str, ...]] = Counter()
    made = []
    for finding in findings:
        parts = (finding.rule, *_place(listing, finding))
        seen[parts] += 1
        data = "\0".join((*parts, str(seen[parts]))).encode("utf-8", "surrogatepass")
        made.append(hashlib.sha256(data).hexdigest()[:_DIGITS])
    return made


def _place(listing: Listing, finding: Diagnostic) -> tuple[str, str]:
    """The line of a finding, and the part at fault; for a finding of a whole module what it says."""
    row = listing.line_of(finding)
    if row is None:
        return "", finding.message
    line = listing.lines[row]
    if finding.range is None:
        return _plain(line), ""
    start, end = finding.range
    return _plain(line), _plain(line[start.column : end.column if end.line == row else None])


@lru_cache(maxsize=8)
def _plain(text: str) -> str:
    """Kept, for the many findings of one long line."""
    return " ".join(text.split())
