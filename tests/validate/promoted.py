"""A grammar in which vendor names are promoted: canonical names without the suffix, and the old names as aliases.

`python -m tests.validate.promoted` prints as JSON what is found in all cases: by the shipped grammar, or with `--promoted` by the
promoted one, in the texts as they stand and in those that the new names change.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from spvls.grammar import tables
from spvls.grammar.tables import Source, shipped_source
from tests.validate.cases import case_files, diagnose, read_cases

_VENDOR = re.compile(r"(?:KHR|EXT|NV|NVX|AMD|AMDX|INTEL|ALTERA|ARM|QCOM|GOOGLE|HUAWEI|IMG|SAMSUNG|VALVE)$")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*|%\w+|\w+', re.DOTALL)

Entries = dict[str, dict[str, Any]]


class Promotion(NamedTuple):
    """New names of opcodes, and of enumerants by operand kind; and by `words`, those that a text may have in the place of
    another word wherever that stands."""

    opcodes: dict[str, str]
    kinds: dict[str, dict[str, str]]
    words: dict[str, str]

    def source(self, shipped: Source) -> Source:
        """The shipped grammar with the new names; old ones are aliases."""
        kinds = {
            kind: {**entry, "enumerants": _renamed(entry["enumerants"], self.kinds[kind])} if "enumerants" in entry else entry
            for kind, entry in shipped("operand_kinds.json").items()
        }
        opcodes = _renamed(shipped("opcodes.json"), self.opcodes)
        capabilities = self.kinds["Capability"]
        for entry in [*opcodes.values(), *(one for kind in kinds.values() for one in kind.get("enumerants", {}).values())]:
            if "capabilities" in entry:
                entry["capabilities"] = [capabilities.get(name, name) for name in entry["capabilities"]]
        changed = {"opcodes.json": opcodes, "operand_kinds.json": kinds}
        return lambda name: changed[name] if name in changed else shipped(name)

    def spell(self, text: str) -> str:
        """A text in the new names."""
        return _TEXT.sub(lambda match: self.words.get(match[0], match[0]), text)


def promotion(shipped: Source) -> Promotion:
    opcodes = _new_names(shipped("opcodes.json"))
    kinds = {kind: _new_names(entry.get("enumerants", {})) for kind, entry in shipped("operand_kinds.json").items()}
    operations = {name.removeprefix("Op"): new.removeprefix("Op") for name, new in opcodes.items()}
    words: dict[str, str] = {}
    entries = [(shipped("opcodes.json"), opcodes), ({name: {} for name in operations}, operations)]
    entries += [(entry.get("enumerants", {}), kinds[kind]) for kind, entry in shipped("operand_kinds.json").items()]
    everywhere = [(known, names) for known, names in entries if known]
    for _, names in everywhere:
        for name, new in names.items():
            if all(others.get(name) == new for known, others in everywhere if name in known):
                words[name] = new
    return Promotion(opcodes, kinds, words)


def _new_names(entries: Entries) -> dict[str, str]:
    """New names by old ones, where no other entry has or gets the new one."""
    taken = {name for own, entry in entries.items() for name in (own, *entry.get("aliases", ()))}
    new_names = {name: _VENDOR.sub("", name) for name in entries}
    given = [*new_names.values()]
    return {name: new for name, new in new_names.items() if new != name and new not in taken and given.count(new) == 1}


def _renamed(entries: Entries, names: dict[str, str]) -> Entries:
    return {
        names.get(name, name): {**entry, "aliases": [name, *entry.get("aliases", ())]} if name in names else {**entry}
        for name, entry in entries.items()
    }


def findings(spell: Callable[[str], str] = str, *, respelled: bool = False) -> dict[str, list[str]]:
    """The findings of each case in a spelling, or of those alone whose text it changes."""
    cases = (case for path in case_files() for case in read_cases(path))
    texts = {case.name: (case.text, spell(case.text)) for case in cases}
    return {name: _places(new) for name, (old, new) in texts.items() if not respelled or new != old}


def _places(text: str) -> list[str]:
    """Severity and rule of each finding, its line, how many words stand before it on that, and how many it underlines."""
    lines = text.split("\n")
    found = []
    for diagnostic in diagnose(text):
        place = ""
        if (where := diagnostic.range) is not None:
            before = _TEXT.findall(lines[where.start.line][: where.start.column])
            inside = _TEXT.findall(lines[where.start.line][where.start.column : where.end.column])
            place = f"{where.start.line} {len(before)} {len(inside)}"
        found.append(f"{diagnostic.severity.value} {diagnostic.rule} {place}")
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.validate.promoted")
    parser.add_argument("--promoted", action="store_true")
    if not parser.parse_args().promoted:
        json.dump([findings()], sys.stdout)
        return
    shipped = shipped_source
    promoted = promotion(shipped)
    tables.replace(promoted.source(shipped))
    json.dump([findings(), findings(promoted.spell, respelled=True)], sys.stdout)


if __name__ == "__main__":
    main()
