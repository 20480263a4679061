"""The requirements of the specification, and who checks each of them.

A file a family, a requirement a line: its id, `by` and `how`, between tabs, in the order of the ids. `by` is

    rule     rules of the validator find a violation; `how` names them
    grammar  the tables, the reader or the decoder see to it; `how` names the finding, or says why it cannot be violated
    none     no static check applies; `how` says why
    open     it could be checked, and is not; `how` says what is missing

The marks of cases (see `tests.validate.cases`) name the requirements that a module violates, and so hold the lines to what
they say; `coverage` collects them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
KINDS = ("rule", "grammar", "none", "open")
_FINDING = re.compile(r"(?<![^\s(])[a-z-]+/[\w/-]+")


@dataclass(frozen=True, slots=True)
class Requirement:
    id: str
    by: str
    how: str

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]

    @property
    def findings(self) -> tuple[str, ...]:
        """The ids of rules and other findings that `how` names: all words of a `rule` line, those of the form of an id else."""
        if self.by == "rule":
            return tuple(self.how.split())
        return tuple(match[0] for match in _FINDING.finditer(self.how)) if self.by == "grammar" else ()


def families() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.tsv"))


@cache
def requirements(family: str) -> tuple[Requirement, ...]:
    """The lines of one family; ValueError for a line that is no requirement."""
    found = []
    for number, line in enumerate((FOLDER / f"{family}.tsv").read_text("utf-8").splitlines(), 1):
        parts = line.split("\t")
        if len(parts) != 3 or parts[1] not in KINDS:
            raise ValueError(f"{family}.tsv:{number}: expected an id, one of {', '.join(KINDS)}, and how")
        found.append(Requirement(*parts))
    return tuple(found)


def all_requirements() -> list[Requirement]:
    return [requirement for family in families() for requirement in requirements(family)]


@cache
def _by_rule() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for requirement in all_requirements():
        for name in requirement.findings if requirement.by == "rule" else ():
            found[name] = (*found.get(name, ()), requirement.id)
    return found


def requirements_of(rule: str) -> tuple[str, ...]:
    """The requirement that each finding of a rule violates: the only one of the rule, and none if it has several."""
    found = _by_rule().get(rule, ())
    return found if len(found) == 1 else ()


def table(marked: Collection[str]) -> str:
    """How many requirements of each family are covered in which way, and how many of them marks name."""
    rows: list[tuple[str, ...]] = [("family", *KINDS, "all", "marked")]
    total: Counter[str] = Counter()
    for family in families():
        counts = Counter(requirement.by for requirement in requirements(family))
        named = sum(requirement.id in marked for requirement in requirements(family))
        rows.append((family, *(str(counts[kind]) for kind in KINDS), str(counts.total()), str(named)))
        total += counts
    rows.append(("all", *(str(total[kind]) for kind in KINDS), str(total.total()), str(len(marked))))
    width = max(len(row[0]) for row in rows)
    return "\n".join(row[0].ljust(width) + "".join(cell.rjust(9) for cell in row[1:]) for row in rows)
