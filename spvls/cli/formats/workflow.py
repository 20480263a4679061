"""Findings as workflow commands of GitHub Actions, which shows them beside the lines."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.cli.outcome import Format, Listing, Outcome, Totals, in_module, numbered
from spvls.diagnostic import Diagnostic, Severity
from spvls.text.escaping import workflow_data, workflow_property

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def as_command(listing: Listing, finding: Diagnostic) -> str:
    """A finding as a command."""
    properties = {"file": listing.path, "title": finding.rule}
    if finding.range is not None:
        start, end = finding.range
        properties |= {"line": str(start.line + 1), "endLine": str(end.line + 1)}
        if start.line == end.line:
            properties |= {"col": str(start.column + 1), "endColumn": str(max(end.column, start.column + 1))}
    given = ",".join(f"{name}={workflow_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS.get(finding.severity, 'notice')} {given}::{workflow_data(numbered(finding))}{in_module(listing, finding)}"


def document(outcomes: Iterator[Outcome], _totals: Totals) -> Iterator[str]:
    """The commands, one a line."""
    return (entry.text for outcome in outcomes for entry in outcome.entries)


FORMAT = Format(lambda listing, finding, _: as_command(listing, finding), document)
