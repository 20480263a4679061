"""How many findings there are, by rule and by severity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from spvls.diagnostic import Diagnostic, Severity
from spvls.record import NamedTuple

_NOUNS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFORMATION: ("information", "information"),
    Severity.HINT: ("hint", "hints"),
}


class RuleCount(NamedTuple):
    """The `number` of findings of a rule with a severity, and how many of them have a sure fix."""

    rule: str
    severity: Severity
    number: int
    fixable: int


class Tally:
    """Counts of findings, which other ones can be added to."""

    __slots__ = ("_counts", "_fixable")

    def __init__(self, findings: Iterable[Diagnostic] = ()) -> None:
        self._counts: Counter[tuple[str, Severity]] = Counter()
        self._fixable: Counter[tuple[str, Severity]] = Counter()
        last, number = None, 0
        for finding in findings:  # one may stand for many
            if finding is not last and last is not None:
                self._add(last, number)
                number = 0
            last, number = finding, number + 1
        if last is not None:
            self._add(last, number)

    def _add(self, finding: Diagnostic, number: int) -> None:
        kind = finding.rule, finding.severity
        self._counts[kind] += number
        if any(fix.preferred for fix in finding.fixes):
            self._fixable[kind] += number

    def add(self, other: Tally) -> None:
        """Count what another tally counted."""
        self._counts.update(other._counts)
        self._fixable.update(other._fixable)

    def of(self, severity: Severity) -> int:
        """The number of findings of a severity."""
        return sum(count for (_, found), count in self._counts.items() if found is severity)

    def of_rule(self, rule: str) -> int:
        """The number of findings of a rule."""
        return sum(self._counts[rule, severity] for severity in Severity)

    @property
    def total(self) -> int:
        """The number of all findings."""
        return self._counts.total()

    @property
    def fixable(self) -> int:
        """The number of findings that have a sure fix."""
        return self._fixable.total()

    def by_rule(self) -> list[RuleCount]:
        """The counts of rules: the gravest first, then those with most findings."""
        order = list(Severity)
        counts = [RuleCount(*kind, count, self._fixable[kind]) for kind, count in self._counts.items()]
        return sorted(counts, key=lambda found: (order.index(found.severity), -found.number, found.rule))

    def by_severity(self) -> dict[str, int]:
        """The counts of severities, under their names in the plural."""
        return {plural: self.of(severity) for severity, (_, plural) in _NOUNS.items()}

    def __str__(self) -> str:
        numbers = [(self.of(severity), nouns) for severity, nouns in _NOUNS.items()]
        return ", ".join(f"{number} {one if number == 1 else many}" for number, (one, many) in numbers if number) or "no findings"


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
