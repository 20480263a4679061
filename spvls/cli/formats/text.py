"""Findings for people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator

from spvls.cli.console import columns
from spvls.cli.outcome import Format, Listing, Outcome, Totals, in_module
from spvls.cli.tally import counted
from spvls.diagnostic import SHOWN_IN_FULL, Diagnostic, Position, Range, Severity, SourceLine
from spvls.text.escaping import visible

SUMMARIZED = 5
"""More findings than these are summed up by rule."""

_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFORMATION: "34", Severity.HINT: "36"}


def as_text(listing: Listing, finding: Diagnostic) -> str:
    """A finding over several lines: the place, the message, the rule, the line itself; then what belongs to it."""
    from spvls.cli.excerpt import place_of

    paint = _painter(listing.color)
    out = [first_line(listing, finding)]
    out.extend(_source(listing, _shown_range(listing, finding), paint, _COLORS[finding.severity]))
    for related in finding.related:
        place = paint(f"{visible(listing.path)}:{place_of(related.range.start)}", "1")
        out.append(f"{place}: {paint('note:', '1;36')} {visible(related.message)}")
        out.extend(_source(listing, related.range, paint, "36"))
    if finding.source is not None:
        out.extend(_compiled_from(finding.source, paint))
    out.extend(f"      {paint('fix:', '1;32')} {visible(fix.title)}" for fix in finding.fixes)
    return "\n".join(out)


def first_line(listing: Listing, finding: Diagnostic) -> str:
    """The place, the message and the rule of a finding."""
    paint = _painter(listing.color)
    severity = paint(f"{finding.severity.value}:", "1;" + _COLORS[finding.severity])
    origin = f"{finding.rule}, {finding.vuid}" if finding.vuid else finding.rule
    return f"{paint(_where(listing, finding), '1')}: {severity} {visible(finding.message)} [{origin}]{in_module(listing, finding)}"


def document(outcomes: Iterator[Outcome], totals: Totals) -> Iterator[str]:
    """The findings file by file, those that repeat a rule often after the others, then counts."""
    seen: Counter[str] = Counter()
    repeats: dict[str, list[str]] = {}
    for outcome in outcomes:
        for rule, text in outcome.entries:
            seen[rule] += 1
            if seen[rule] <= SHOWN_IN_FULL:
                yield text
            else:
                repeats.setdefault(rule, []).append(text.partition("\n")[0])
    for rule in seen:
        more = totals.tally.of_rule(rule) - min(seen[rule], SHOWN_IN_FULL)
        lines = repeats.get(rule, [])
        if more > 0:
            yield f"\n{rule}, {more} more:"
        yield from lines
        if more > len(lines):
            yield f"and {more - len(lines)} that are not listed; --max-findings lists more"
    if totals.tally.total > SUMMARIZED:
        yield ""
        yield from by_rule(totals)
    yield from summary(totals)


def counts(totals: Totals) -> Iterator[str]:
    """The counts alone."""
    yield from by_rule(totals)
    yield from summary(totals)


def by_rule(totals: Totals) -> Iterator[str]:
    """The rules with findings, a line each: how many and how grave they are, and what the rule is about."""
    from spvls.validate.engine.explanation import title_of

    rows = totals.tally.by_rule()
    width = max((len(row.rule) for row in rows), default=0)
    digits = len(str(max((row.number for row in rows), default=0)))
    severities = max((len(row.severity.value) for row in rows), default=0)
    room = columns(sys.stdout)
    for row in rows:
        fixable = "" if not row.fixable else "[fix] " if row.fixable == row.number else f"[fix for {row.fixable}] "
        counts = f"{row.number:>{digits}}  {row.severity.value:{severities}}  {row.rule:{width}}"
        line = f"{counts}  {fixable}{title_of(row.rule)}".rstrip()
        yield visible(line if room is None or len(line) <= room else f"{line[: room - 1]}…")


def summary(totals: Totals) -> Iterator[str]:
    """A line with all counts; none where no file could be judged."""
    if not totals.files:
        return
    modules = f" with {counted(totals.modules, 'module')}" if totals.modules != totals.files else ""
    parts = [f"{totals.tally} in {counted(totals.files, 'file')}{modules}"]
    if totals.fixed:
        parts.append(f"{totals.fixed} fixed")
    if totals.refused:
        parts.append(f"{totals.refused} not fixed, since that would add errors or warnings")
    if totals.known:
        parts.append(f"{totals.known} in the baseline")
    yield "; ".join(parts)


def _painter(color: bool) -> Callable[[str, str], str]:
    return (lambda text, code: f"\x1b[{code}m{text}\x1b[0m") if color else (lambda text, code: text)


def _where(listing: Listing, finding: Diagnostic) -> str:
    from spvls.cli.excerpt import place_of

    path = visible(listing.path)
    if finding.range is not None:
        return f"{path}:{place_of(finding.range.start)}"
    return f"{path}: instruction {finding.instruction}" if finding.instruction is not None else path


def _shown_range(listing: Listing, finding: Diagnostic) -> Range | None:
    """What an excerpt marks: the range of the finding, or the whole first line of an instruction of a listing."""
    line = listing.line_of(finding)
    if finding.range is not None or line is None:
        return finding.range
    return Range(Position(line, 0), Position(line, len(listing.lines[line].rstrip("\n"))))


def _source(listing: Listing, place: Range | None, paint: Callable[[str, str], str], code: str) -> list[str]:
    from spvls.cli.excerpt import excerpt

    if place is None:
        return []
    shown = excerpt(listing.lines, place)
    number = "" if listing.starts is not None else str(shown.line + 1)
    return [f"{paint(f'{number:>5} | ', '2')}{shown.source}", f"{paint('      | ', '2')}{paint(shown.mark, '1;' + code)}"]


def _compiled_from(source: SourceLine, paint: Callable[[str, str], str]) -> list[str]:
    """The line of the source that an instruction comes from."""
    note = f"{paint(visible(source.place), '1')}: {paint('note:', '1;36')} the instruction comes from this line of the source"
    if source.text is None:
        return [note]
    from spvls.cli.excerpt import excerpt

    start = max(source.column - 1, 0)
    place = Range(Position(0, min(start, len(source.text))), Position(0, max(source.end_column - 1, start)))
    shown = excerpt([source.text], place)
    lines = [f"{paint(f'{source.line:>5} | ', '2')}{shown.source}"]
    if source.column:
        lines.append(f"{paint('      | ', '2')}{paint(shown.mark, '1;36')}")
    return [note, *lines]


FORMAT = Format(
    lambda listing, finding, _: as_text(listing, finding),
    document,
    counts,
    for_people=True,
    brief=first_line,
    in_full=SHOWN_IN_FULL,
)
