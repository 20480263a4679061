"""Witnesses out of mutants: the smallest module of each that both sides still refuse at the same instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.fuzz.reduction import Reduction
from tests.fuzz.words import Words
from tests.reference.cases import WITNESSES, witness_case
from tests.reference.inventory import Inventory
from tests.reference.ours import validated
from tests.reference.table import Row


def wanted(entries: Iterable[Mapping[str, Any]], rows: Mapping[str, Row]) -> dict[str, Mapping[str, Any]]:
    """Of the lines of `reached.jsonl`, those of sites without a witness, the shortest module for each."""
    chosen: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        site = entry["site"]
        if entry["own"] and site in rows and not rows[site].settled:
            chosen[site] = min(chosen.get(site, entry), entry, key=lambda one: len(one["words"]))
    return chosen


def witness_of(inventory: Inventory, entry: Mapping[str, Any]) -> str | None:
    """The witness of a line, as `sites.witnesses` has it; None where its text does not show what its words do."""
    site, env, words = entry["site"], entry["env"], bytes.fromhex(entry["words"])

    def rules_there(contents: bytes) -> frozenset[str]:
        error = inventory.driver.validate(contents, env).error
        if error is None or inventory.site(error) != site:
            return frozenset()
        found = validated(contents, env)
        return frozenset() if found.raised else found.rules_at(error.instruction)

    rules = rules_there(words)

    def holds(smaller: Words) -> bool:
        """The same rules, or some of them, still report the instruction."""
        there = rules_there(smaller.data())
        return bool(there) and there <= rules

    try:
        words = Reduction(Words.parse(words), holds).run().data()
    except ValueError:
        return None
    listing = inventory.driver.disassemble(words, ("friendly-names", "no-header"))
    if not listing.ok:
        return None
    text = f"== {site}\n; in=whole env={env}\n{listing.payload.decode('utf-8', 'replace')}"
    met = inventory.meeting(witness_case(text))
    return text if met is not None and met.site == site and rules & {*met.here} else None


def write_witnesses(texts: Iterable[str], path: Path = WITNESSES) -> int:
    """Put witnesses to those that there are, in the order of the sites; how many are new."""
    known = dict(_by_site(path.read_text("utf-8"))) if path.exists() else {}
    new = {site: text for text in texts for site, text in _by_site(f"\n{text}") if site not in known}
    every = sorted({**known, **new}.items())
    path.write_text("".join(f"\n== {site}\n{text.strip()}\n" for site, text in every), "utf-8")
    return len(new)


def _by_site(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split("\n== ")[1:]:
        site, _, rest = part.partition("\n")
        yield site, rest
