"""Repair: the quick fixes of a text's findings applied until none is left that can be, each step proven to be for the better."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from spvls.diagnostic import Diagnostic, Edit, Fix, Severity
from spvls.record import NamedTuple
from spvls.text.edits import edited, touch
from spvls.text.lines import split_lines

Judge = Callable[[str], list[Diagnostic]]
"""Gives all findings of a text."""

Kind = tuple[str, Severity]
"""Findings of one rule and severity are counted together."""

_GRAVE = (Severity.ERROR, Severity.WARNING)


class Repaired(NamedTuple):
    """A text after repair, the findings that are left, how many were `fixed`, and how many fixes were `refused`."""

    text: str
    findings: list[Diagnostic]
    fixed: Counter[Kind]
    refused: int = 0


def repaired(text: str, judge: Judge, *, wanted: Callable[[Diagnostic], bool], unsafe: bool = False) -> Repaired:
    """A text after the fixes of its `wanted` findings, to a fixed point: another repair of the result changes nothing.

    Sure fixes alone are applied; with `unsafe` also the first fix of each finding that has no sure one. Several are tried at
    once. A step counts only if it makes no new error or warning and removes the findings that it is for: each step leaves
    fewer errors and warnings, or as many and fewer hints, so there is an end. A fix that is not such a step by itself is refused.
    """
    findings = judge(text)
    fixed: Counter[Kind] = Counter()
    refused: set[object] = set()
    changed = False
    limit: int | None = None
    while True:
        possible = [entry for entry in _fixes(text, filter(wanted, findings), unsafe) if entry[0] not in refused]
        batch = list(apart([fix for _, _, fix in possible], sharing=True))[:limit]
        if not batch:
            if not (changed and refused):
                return Repaired(text, findings, fixed, len(refused))
            refused, changed = set(), False  # what was no good before may be after the others
            continue
        after = edited(text, (edit for at in batch for edit in possible[at][2].edits))
        left = judge(after)
        if _is_better(findings, left, [possible[at][1] for at in batch]):
            fixed += _counted(findings) - _counted(left)
            text, findings, limit, changed = after, left, None, True
        elif len(batch) > 1:
            limit = len(batch) // 2
        else:
            refused.add(possible[batch[0]][0])
            limit = None


def fix_of(finding: Diagnostic, *, unsafe: bool = False) -> Fix | None:
    """The sure fix of a finding; with `unsafe` the first one, if none is sure."""
    sure = next((fix for fix in finding.fixes if fix.preferred), None)
    return finding.fixes[0] if sure is None and unsafe and finding.fixes else sure


def apart(fixes: Iterable[Fix], *, sharing: bool) -> Iterator[int]:
    """The indexes of the fixes whose edits keep apart from those of the ones taken before. With `sharing`, several may insert
    different texts at one place."""
    taken: defaultdict[int, list[Edit]] = defaultdict(list)
    for at, fix in enumerate(fixes):
        if any(_collide(edit, other, sharing) for edit in fix.edits for line in _lines(edit) for other in taken[line]):
            continue
        for edit in fix.edits:
            for line in _lines(edit):
                taken[line].append(edit)
        yield at


def _collide(one: Edit, other: Edit, sharing: bool) -> bool:
    if not touch(one.range, other.range):
        return False
    insertions = one.range == other.range and one.range.start == one.range.end
    return not (sharing and insertions and one.text != other.text)


def _lines(edit: Edit) -> range:
    return range(edit.range.start.line, edit.range.end.line + 1)


def _fixes(text: str, findings: Iterable[Diagnostic], unsafe: bool) -> Iterator[tuple[object, Diagnostic, Fix]]:
    """Findings with the fix to try for each, and a key for these that holds also when lines have moved."""
    lines = split_lines(text)
    for finding in findings:
        fix = fix_of(finding, unsafe=unsafe)
        if fix is not None:
            line = lines[finding.range.start.line] if finding.range is not None else ""
            yield (finding.rule, finding.message, fix.title, line), finding, fix


def _is_better(before: list[Diagnostic], after: list[Diagnostic], mended: list[Diagnostic]) -> bool:
    """Whether the fixed findings are gone, and no error or warning is new."""
    had, has = _counted(before), _counted(after)
    if any(has[kind] > had[kind] for kind in has if kind[1] in _GRAVE):
        return False
    if any(has[kind] > had[kind] - count for kind, count in _counted(mended).items()):
        return False
    # A hint that takes the place of a hint is not progress, and the two could take turns.
    return _grave(has) < _grave(had) or has.total() < had.total()


def _counted(findings: Iterable[Diagnostic]) -> Counter[Kind]:
    return Counter((finding.rule, finding.severity) for finding in findings)


def _grave(counts: Counter[Kind]) -> int:
    return sum(count for (_, severity), count in counts.items() if severity in _GRAVE)
