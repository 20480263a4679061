"""What a quick fix must hold to: it mends what it is for, and breaks nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import spvls
from spvls.diagnostic import Diagnostic, Edit, Severity
from spvls.text.lines import split_lines


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits that are all meant for it as it is; of two at one place the first comes first."""
    lines = split_lines(text)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    ordered = sorted(edits, key=lambda edit: edit.range)
    for edit in reversed(ordered):
        start, end = (offsets[place.line] + place.column for place in edit.range)
        text = text[:start] + edit.text + text[end:]
    return text


def broken(
    text: str,
    diagnostics: Iterable[Diagnostic],
    *,
    env: str | None = None,
    options: Mapping[str, Any] | None = None,
    revealed: Collection[str] = (),
) -> Iterator[str]:
    """What is wrong with the fixes of what was found in a text; nothing for good ones. They may add errors of the rules in
    `revealed`."""
    found = list(diagnostics)
    for diagnostic in found:
        for fix in diagnostic.fixes:
            mended = applied(text, fix.edits)
            after = spvls.validate(mended, target_env=env, options=options)
            for fault in _faults(text, mended, diagnostic, found, after, revealed):
                yield f"[{diagnostic.rule}] {diagnostic.message}\n  fix {fix.title!r}: {fault}\n{mended}"


def _faults(
    text: str, mended: str, finding: Diagnostic, before: list[Diagnostic], after: list[Diagnostic], revealed: Collection[str]
) -> Iterator[str]:
    if _alike(finding, text, mended, after) >= _alike(finding, text, text, before):
        yield "the finding is still there"
    added = _errors(after) - _errors(before)
    for rule in added.keys() - {*revealed}:
        yield "; ".join(f"new: [{rule}] {other.message}" for other in after if other.rule == rule)


def _alike(finding: Diagnostic, text: str, searched: str, found: list[Diagnostic]) -> int:
    """How often a finding of a text is among those of another one: in the same words, about the same line."""
    line = _line(finding, text)
    return sum(
        (other.rule, other.message) == (finding.rule, finding.message) and _line(other, searched) == line for other in found
    )


def _line(finding: Diagnostic, text: str) -> str:
    return split_lines(text)[finding.range.start.line].strip() if finding.range is not None else ""


def _errors(found: list[Diagnostic]) -> Counter[str]:
    return Counter(diagnostic.rule for diagnostic in found if diagnostic.severity is Severity.ERROR)
