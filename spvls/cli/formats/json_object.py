"""Findings as one JSON object; lines and columns count from 0, columns in code points."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.cli.outcome import Format, Listing, Outcome, Totals
from spvls.diagnostic import Diagnostic, Range, SourceLine
from spvls.text.escaping import json_text
from spvls.typed import Any


def as_json(listing: Listing, finding: Diagnostic, fingerprint: str) -> str:
    """A finding as an object."""
    entry: dict[str, Any] = {
        "path": listing.path,
        "module": listing.module_of(finding),
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "range": _range(finding.range),
        "instruction": finding.instruction,
        "vuid": finding.vuid,
        "related": [{"range": _range(r.range), "message": r.message} for r in finding.related],
        "fixes": [
            {
                "title": fix.title,
                "preferred": fix.preferred,
                "edits": [{"range": _range(edit.range), "text": edit.text} for edit in fix.edits],
            }
            for fix in finding.fixes
        ],
        "source": _source(finding.source),
        "tags": list(finding.tags),
        "fingerprint": fingerprint,
    }
    return json_text(entry)


def document(outcomes: Iterator[Outcome], totals: Totals) -> Iterator[str]:
    """`findings`, one a line, then counts and failures."""
    yield '{"findings": ['
    yield from separated(entry.text for outcome in outcomes for entry in outcome.entries)
    yield f"], {json_text(totals.as_object())[1:]}"


def counts(totals: Totals) -> Iterator[str]:
    """Counts and failures alone."""
    yield json_text(totals.as_object(), indent=1)


def separated(entries: Iterator[str]) -> Iterator[str]:
    """Elements of an array with commas between them."""
    waiting: str | None = None
    for entry in entries:
        if waiting is not None:
            yield waiting + ","
        waiting = entry
    if waiting is not None:
        yield waiting


def _range(place: Range | None) -> dict[str, dict[str, int]] | None:
    return {"start": place.start._asdict(), "end": place.end._asdict()} if place is not None else None


def _source(source: SourceLine | None) -> dict[str, Any] | None:
    """Where an instruction comes from; its line and column count from 1, as in debug information."""
    if source is None:
        return None
    return {"file": source.file, "line": source.line, "column": source.column or None, "text": source.text}


FORMAT = Format(as_json, document, counts, fingerprints=True)
