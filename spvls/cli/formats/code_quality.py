"""Findings as a code quality report of GitLab, which shows them in a merge request."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from spvls.cli.formats.json_object import separated
from spvls.cli.outcome import Format, Listing, Outcome, Totals, local_path, numbered
from spvls.diagnostic import Diagnostic, Severity
from spvls.text.escaping import json_text, visible

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFORMATION: "info", Severity.HINT: "info"}


def as_issue(listing: Listing, finding: Diagnostic, fingerprint: str) -> str:
    """A finding as an issue; a finding of a binary is on its first line, as each must be on one."""
    path = local_path(listing.path).replace(os.sep, "/")
    lines = {"begin": 1}
    if finding.range is not None:
        lines = {"begin": finding.range.start.line + 1, "end": finding.range.end.line + 1}
    # That of a finding is unique in its file only.
    unique = hashlib.sha256(os.fsencode(path) + b"\0" + fingerprint.encode()).hexdigest()
    return json_text(
        {
            "type": "issue",
            "check_name": finding.rule,
            "description": visible(numbered(finding)),
            "severity": _SEVERITIES[finding.severity],
            "fingerprint": unique[: len(fingerprint)],
            "location": {"path": path, "lines": lines},
        }
    )


def document(outcomes: Iterator[Outcome], _totals: Totals) -> Iterator[str]:
    """An array of the issues, one a line."""
    yield "["
    yield from separated(entry.text for outcome in outcomes for entry in outcome.entries)
    yield "]"


FORMAT = Format(as_issue, document, fingerprints=True)
