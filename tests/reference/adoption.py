"""Witnesses out of mutants: the smallest module of each that both sides still refuse at the same instruction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from spvls.ide.features.formatting import formatted
from tests.corpus import text_of
from tests.fuzz.reduction import Reduction
from tests.fuzz.words import Words
from tests.reference.cases import WITNESSES, own_case
from tests.reference.inventory import Inventory
from tests.reference.ours import validated
from tests.reference.table import Row
from tests.validate.cases import Case as Marked
from tests.validate.cases import cases_in, found_in, with_marks
from tests.validate.catalogue import requirements_of


def wanted(entries: Iterable[Mapping[str, Any]], rows: Mapping[str, Row]) -> dict[str, Mapping[str, Any]]:
    """Of the lines of `reached.jsonl`, those of sites without a witness, the shortest module for each."""
    chosen: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        site = entry["site"]
        if entry["own"] and site in rows and not rows[site].settled:
            chosen[site] = min(chosen.get(site, entry), entry, key=lambda one: len(one["words"]))
    return chosen


def witness_of(inventory: Inventory, entry: Mapping[str, Any]) -> str | None:
    """The witness of a line, with its marks; None where its text does not show what its words do."""
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
    text = f"; spvls: target-env={env}\n{formatted(listing.payload.decode('utf-8', 'replace'))}"
    text = with_marks(text, {mark for mark, _ in found_in(text)}, requirements_of)
    met = inventory.meeting(own_case(Marked(WITNESSES, site, text, 0, len(text))))
    return text if met is not None and met.site == site and rules & {*met.here} else None


def write_witnesses(texts: Mapping[str, str], path: Path = WITNESSES) -> int:
    """Add the witnesses of sites to the cases of a file, in the order of the sites; how many are new."""
    known = {case.title: case.text for case in cases_in(text_of(path), path)} if path.exists() else {}
    new = {site: text for site, text in texts.items() if site not in known}
    every = sorted({**known, **new}.items())
    path.write_text("\n".join(f"//--- {site}\n{text.rstrip()}\n" for site, text in every), "utf-8")
    return len(new)
