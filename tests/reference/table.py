"""What is known of each site: `sites.tsv`, a site a line, in the order of the sources.

The columns, between tabs: the key of the site (see `sites`); the kinds of environments that it was met in; the spvls rules
that report the same instruction; the witness, a module of the project that both sides refuse there; and a note, in the
project's own words, of what is wrong with such a module, or a reason: `unreachable: ` and why no module gets there, or `differs: ` and
the modules of `differences/` that get there and are sound. Empty cells are what is left to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("sites.tsv")
_DIFFERS = "differs: "
HEAD = ("site", "environments", "rules", "witness", "note")


@dataclass(frozen=True, slots=True)
class Row:
    site: str
    environments: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    witness: str = ""
    note: str = ""

    @property
    def file(self) -> str:
        return self.site.partition(":")[0]

    @property
    def unreachable(self) -> bool:
        return self.note.startswith("unreachable: ")

    @property
    def differences(self) -> list[str]:
        return self.note.removeprefix(_DIFFERS).split() if self.note.startswith(_DIFFERS) else []

    @property
    def settled(self) -> bool:
        return bool(self.witness) or self.reasoned

    @property
    def reasoned(self) -> bool:
        return self.unreachable or bool(self.differences)


def read_table(path: Path = TABLE) -> dict[str, Row]:
    """The rows by site; ValueError for a line that does not have the five columns."""
    rows = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != len(HEAD) or (number == 1) != (tuple(cells) == HEAD):
            raise ValueError(f"{path.name}:{number}: expected {', '.join(HEAD)}")
        if number > 1:
            site, found_in, rules, witness, note = cells
            rows[site] = Row(site, tuple(found_in.split()), tuple(rules.split()), witness, note)
    return rows


def write_table(rows: Iterable[Row], path: Path = TABLE) -> None:
    lines = ["\t".join(HEAD)]
    for row in rows:
        cells = [" ".join(cell) if isinstance(cell, tuple) else cell for cell in astuple(row)]
        lines.append("\t".join(cells))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def counts(rows: Iterable[Row]) -> list[tuple[str, int, int, int, int]]:
    """For each file, and for all at the end: the sites, those with a witness, those with a reason, those with a
    rule and neither."""
    by_file: dict[str, list[Row]] = {}
    every = list(rows)
    for row in every:
        by_file.setdefault(row.file, []).append(row)
    by_file["all"] = every
    return [
        (
            file,
            len(own),
            sum(bool(row.witness) for row in own),
            sum(row.reasoned for row in own),
            sum(bool(row.rules) and not row.settled for row in own),
        )
        for file, own in by_file.items()
    ]
