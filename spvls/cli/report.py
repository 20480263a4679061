"""Findings as people, programs and GitHub read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from spvls.cli.excerpt import excerpt, place_of
from spvls.diagnostic import Diagnostic, Position, Range, Severity
from spvls.text.escaping import json_text, visible, workflow_data, workflow_property

Format = Callable[["Listing", Diagnostic], str]

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFORMATION: "34", Severity.HINT: "36"}
_GITHUB_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


class Listing(NamedTuple):
    """What findings are about: `path` as it is shown, and the lines of the text, or of a binary's listing, in which
    instruction `n` starts on line `starts[n - 1]`. Without colours where `colour` is false."""

    path: str
    lines: list[str]
    starts: list[int] | None = None
    colour: bool = False


class Tally(NamedTuple):
    """How many findings there are: errors, warnings, and what is less grave than these."""

    errors: int = 0
    warnings: int = 0
    hints: int = 0

    @classmethod
    def of(cls, findings: Iterable[Diagnostic]) -> Tally:
        severities = [finding.severity for finding in findings]
        errors, warnings = severities.count(Severity.ERROR), severities.count(Severity.WARNING)
        return cls(errors, warnings, len(severities) - errors - warnings)

    def plus(self, other: Tally) -> Tally:
        return Tally(self.errors + other.errors, self.warnings + other.warnings, self.hints + other.hints)

    def __str__(self) -> str:
        parts = [counted(number, noun) for number, noun in zip(self, ("error", "warning", "hint"), strict=True) if number]
        return ", ".join(parts) or "no findings"


def as_text(listing: Listing, finding: Diagnostic) -> str:
    """A finding over several lines: the place, the message, the rule, the line itself; then what belongs to it."""
    paint = _painter(listing.colour)
    severity = paint(f"{finding.severity.value}:", "1;" + _COLOURS[finding.severity])
    origin = ", ".join(name for name in (finding.rule, finding.vuid) if name)
    out = [f"{paint(_where(listing, finding), '1')}: {severity} {visible(finding.message)} [{origin}]"]
    out.extend(_source(listing, _shown_range(listing, finding), paint, _COLOURS[finding.severity]))
    for related in finding.related:
        place = paint(f"{visible(listing.path)}:{place_of(related.range.start)}", "1")
        out.append(f"{place}: {paint('note:', '1;36')} {visible(related.message)}")
        out.extend(_source(listing, related.range, paint, "36"))
    out.extend(f"      {paint('fix:', '1;32')} {visible(fix.title)}" for fix in finding.fixes)
    return "\n".join(out)


def as_json(listing: Listing, finding: Diagnostic) -> str:
    """A finding as an object; lines and columns count from 0, columns in code points."""
    entry: dict[str, Any] = {
        "path": listing.path,
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
        "tags": list(finding.tags),
    }
    return json_text(entry)


def as_github(listing: Listing, finding: Diagnostic) -> str:
    """A finding as a workflow command of GitHub Actions, which shows it beside the line."""
    properties = {"file": listing.path, "title": finding.rule}
    if finding.range is not None:
        start, end = finding.range
        properties |= {"line": str(start.line + 1), "endLine": str(end.line + 1)}
        if start.line == end.line:
            properties |= {"col": str(start.column + 1), "endColumn": str(max(end.column, start.column + 1))}
    message = finding.message
    if finding.range is None and finding.instruction is not None:
        message = f"instruction {finding.instruction}: {message}"
    given = ",".join(f"{name}={workflow_property(value)}" for name, value in properties.items())
    return f"::{_GITHUB_LEVELS.get(finding.severity, 'notice')} {given}::{workflow_data(message)}"


FORMATS: dict[str, Format] = {"text": as_text, "json": as_json, "github": as_github}


def json_document(entries: Iterable[str], totals: Callable[[], dict[str, Any]]) -> Iterator[str]:
    """Lines of one JSON object: `findings`, as `as_json` gives them, one a line, then `totals`, asked for at the end."""
    yield '{"findings": ['
    waiting: str | None = None
    for entry in entries:
        if waiting is not None:
            yield waiting + ","
        waiting = entry
    if waiting is not None:
        yield waiting
    yield f"], {json_text(totals())[1:]}"


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _painter(colour: bool) -> Callable[[str, str], str]:
    return (lambda text, code: f"\x1b[{code}m{text}\x1b[0m") if colour else (lambda text, code: text)


def _where(listing: Listing, finding: Diagnostic) -> str:
    path = visible(listing.path)
    if finding.range is not None:
        return f"{path}:{place_of(finding.range.start)}"
    return f"{path}: instruction {finding.instruction}" if finding.instruction is not None else path


def _shown_range(listing: Listing, finding: Diagnostic) -> Range | None:
    """What an excerpt marks: the range of the finding, or the whole first line of an instruction of a listing."""
    if finding.range is not None or listing.starts is None or finding.instruction is None:
        return finding.range
    if finding.instruction > len(listing.starts):
        return None
    line = listing.starts[finding.instruction - 1]
    return Range(Position(line, 0), Position(line, len(listing.lines[line].rstrip("\n"))))


def _source(listing: Listing, place: Range | None, paint: Callable[[str, str], str], code: str) -> list[str]:
    if place is None:
        return []
    shown = excerpt(listing.lines, place)
    number = "" if listing.starts is not None else str(shown.line + 1)
    return [f"{paint(f'{number:>5} | ', '2')}{shown.source}", f"{paint('      | ', '2')}{paint(shown.mark, '1;' + code)}"]


def _range(place: Range | None) -> dict[str, dict[str, int]] | None:
    return {"start": place.start._asdict(), "end": place.end._asdict()} if place is not None else None
