"""Findings of a rule that a function has many of, as one finding with the other places."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from spvls.diagnostic import Diagnostic, Related, Severity
from spvls.steps import PORTION, Steps

MANY = 10
"""So many findings of a rule in a function are shown one by one; more are shown as one."""

_MOST_PLACES = 100
"""Places of the others that are shown with it; the message has their number."""


_PORTION = 8 * PORTION


def grouped(found: Sequence[Diagnostic], functions: Sequence[int], *, errors: bool) -> Steps[list[Diagnostic]]:
    """In short steps, the findings, and of more than `MANY` of a rule and severity in a function only the first, with the places
    of the others.

    `functions` are the lines that functions begin on, in order. Findings before the first one stay apart, as do those with tags,
    because editors fade or strike out the text at each place, and without `errors` those that are errors.
    """
    groups: defaultdict[tuple[str, Severity, int], list[int]] = defaultdict(list)
    for at, finding in enumerate(found):
        if not at % _PORTION:
            yield
        if finding.range is None or finding.tags or (finding.severity is Severity.ERROR and not errors):
            continue
        function = bisect_right(functions, finding.range.start.line)
        if function:
            groups[finding.rule, finding.severity, function].append(at)
    yield
    if not any(len(members) > MANY for members in groups.values()):
        return list(found)
    shown: list[Diagnostic | None] = list(found)
    for members in groups.values():
        if len(members) > MANY:
            first, *others = members
            shown[first] = _as_one(found[first], [found[at] for at in others])
            for at in others:
                shown[at] = None
    yield
    return [finding for finding in shown if finding is not None]


def _as_one(first: Diagnostic, others: list[Diagnostic]) -> Diagnostic:
    places = tuple(Related(other.range, other.message) for other in others[:_MOST_PLACES] if other.range is not None)
    message = f"{first.message}; this rule has {len(others)} more findings in this function"
    return first._replace(message=message, related=(*first.related, *places))
