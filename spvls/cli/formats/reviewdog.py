"""Findings in the Reviewdog Diagnostic Format, whose lines count from 1, and columns from 1 in bytes of UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.cli.formats.json_object import separated
from spvls.cli.outcome import Format, Listing, Outcome, Totals, numbered
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Severity
from spvls.ide.documentation.rule_page import page_of_rule
from spvls.text.edits import BYTE_ORDER_MARK, edited
from spvls.text.escaping import json_text, sentence
from spvls.typed import Any

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING"}

_LONGEST = 20
"""Lines that a suggestion has at most; of edits far from each other none is made."""


def as_diagnostic(listing: Listing, finding: Diagnostic, _fingerprint: str) -> str:
    """A finding as a diagnostic. Its messages become comments, in which Markdown has a meaning."""
    code = {"value": finding.rule}
    page = page_of_rule(finding.rule)
    if page is not None:
        code["url"] = page
    suggestions = [made for fix in finding.fixes if fix.preferred and (made := _suggestion(listing, fix)) is not None]
    notes = [f"Line {related.range.start.line + 1}: {sentence(related.message)}" for related in finding.related]
    entry: dict[str, Any] = {
        "message": "\n".join([sentence(numbered(finding)), *notes]),
        "location": _location(listing, finding.range),
        "severity": _SEVERITIES.get(finding.severity, "INFO"),
        "code": code,
    }
    if suggestions:
        entry["suggestions"] = suggestions
    return json_text(entry)


def document(outcomes: Iterator[Outcome], _totals: Totals) -> Iterator[str]:
    """A result with all diagnostics, one a line."""
    yield '{"source": {"name": "spvls"}, "diagnostics": ['
    yield from separated(entry.text for outcome in outcomes for entry in outcome.entries)
    yield "]}"


def _suggestion(listing: Listing, fix: Fix) -> dict[str, Any] | None:
    """The edits of a fix as one, with what stands between them."""
    start = min(edit.range.start for edit in fix.edits)
    end = max(edit.range.end for edit in fix.edits)
    lines = listing.lines[start.line : end.line + 1]
    if len(lines) > _LONGEST or lines[0].startswith(BYTE_ORDER_MARK):
        return None
    moved = [Edit(Range(_above(edit.range.start, start), _above(edit.range.end, start)), edit.text) for edit in fix.edits]
    text = edited("".join(lines), moved)
    text = text[start.column : len(text) - len(lines[-1][end.column :])]
    return {"range": _range(listing, Range(start, end)), "text": text}


def _above(place: Position, start: Position) -> Position:
    return Position(place.line - start.line, place.column)


def _location(listing: Listing, place: Range | None) -> dict[str, Any]:
    return {"path": listing.path} if place is None else {"path": listing.path, "range": _range(listing, place)}


def _range(listing: Listing, place: Range) -> dict[str, Any]:
    return {"start": _position(listing, place.start), "end": _position(listing, place.end)}


def _position(listing: Listing, place: Position) -> dict[str, int]:
    before = listing.lines[place.line][: place.column] if place.line < len(listing.lines) else ""
    return {"line": place.line + 1, "column": 1 + len(before.encode("utf-8", "surrogateescape"))}


FORMAT = Format(as_diagnostic, document)
