"""Witnesses out of mutants: the smallest module of each that both sides still refuse at the same instruction."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from spvls.grammar.environments import environments
from spvls.ide.features.formatting import formatted
from tests.corpus import text_of
from tests.fuzz.comparison import version_of
from tests.fuzz.reduction import Reduction
from tests.fuzz.words import HEADER, Words
from tests.reference.cases import WITNESSES, own_case
from tests.reference.driver import Message
from tests.reference.inventory import Inventory, reported_elsewhere
from tests.reference.ours import Verdict, validated
from tests.reference.table import Row
from tests.validate.cases import Case as Marked
from tests.validate.cases import cases_in, found_in, with_marks
from tests.validate.catalogue import requirements_of
from tests.validate.fixes import broken

_NEW = re.compile(r"new: \[([^\]]*)\]")


def wanted(entries: Iterable[Mapping[str, Any]], rows: Mapping[str, Row]) -> dict[str, Mapping[str, Any]]:
    """Of the lines of `reached.jsonl`, those of sites without a witness, the shortest module for each."""
    chosen: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        site = entry["site"]
        if entry["own"] and site in rows and not rows[site].settled:
            chosen[site] = min(chosen.get(site, entry), entry, key=lambda one: len(one["words"]))
    return chosen


class Adopted(NamedTuple):
    """`text` is the witness with its marks, None where `fault` says why the module is none."""

    site: str
    text: str | None
    fault: str = ""


def witness_of(inventory: Inventory, entry: Mapping[str, Any]) -> Adopted:
    """The witness that a line becomes. The reference alone is asked whether a smaller module still reaches the site, and spvls
    where that module is not refused at the same instruction by both."""
    site, env, words = entry["site"], entry["env"], bytes.fromhex(entry["words"])

    def reaches(contents: bytes) -> Message | None:
        error = inventory.driver.validate(contents, env).error
        return error if error is not None and site in {one.key for one in inventory.sites(error)} else None

    def rules_there(contents: bytes) -> frozenset[str]:
        error = reaches(contents)
        found = validated(contents, env) if error else Verdict()
        if error is None or found.raised:
            return frozenset()
        return found.rules_at(error.instruction) or found.rules_at(None) & reported_elsewhere()

    small = _reduced(words, lambda smaller: reaches(smaller.data()) is not None)
    if not rules_there(small) and rules_there(words):
        small = _reduced(words, lambda smaller: bool(rules_there(smaller.data())))
    rules, found = rules_there(small), validated(small, env)
    if not rules:
        error = reaches(small)
        said = "nothing" if found.ok else f"errors elsewhere ({' '.join(sorted(found.rules_at(None)))})"
        what = f"instruction {error.instruction}: {error.first_line}" if error else "not reached any more"
        return Adopted(site, None, f"{found.raised or said} | {what} | {env} {small.hex()}")
    said = "has no listing"
    for text in _texts(inventory, small, env):
        met = inventory.meeting(own_case(Marked(file_of(site), site, text, 0, len(text))))
        if met is not None and site in (met.site, *met.checks) and rules & {*met.here}:
            return Adopted(site, text)
        said = f"its text shows another fault: {met and met.message}"
    return Adopted(site, None, f"{said} | {env} {small.hex()}")


def _reduced(words: bytes, holds: Callable[[Words], bool]) -> bytes:
    try:
        return Reduction(Words.parse(words), holds).run().data()
    except ValueError:
        return words


def _texts(inventory: Inventory, words: bytes, env: str) -> Iterator[str]:
    """The module as texts with marks, of the version of its words: all of it as a listing, or its last instructions as words."""
    for listing in (_listing(inventory, words, ("friendly-names", "no-header")), _half_listed(inventory, words)):
        if listing is None:
            continue
        text = f"; spvls: target-env={env}\n{formatted(listing)}"
        version = version_of(words)
        if version != environments()[env].version:
            text = text.replace("\n", f"\n; assemble: spv{version[0]}.{version[1]}\n", 1)
        try:
            yield _marked(text)
        except (AssertionError, IndexError, ValueError):  # marks stand below what is within a line
            continue


def _marked(text: str) -> str:
    """A text with marks, and with the rules that fixes reveal at its top; ValueError where a fix does not do what it should."""
    found = found_in(text)
    diagnostics = [diagnostic for _, diagnostic in found]
    revealed = sorted({*_NEW.findall("\n".join(broken(text, diagnostics)))})
    if revealed:
        text = text.replace("\n", f"\n; revealed: {' '.join(revealed)}\n", 1)
        found = found_in(text)
    fault = next(broken(text, [diagnostic for _, diagnostic in found], revealed=revealed), None)
    if fault is not None:
        raise ValueError(fault)
    return with_marks(text, {mark for mark, _ in found}, requirements_of)


def _listing(inventory: Inventory, words: bytes, flags: Iterable[str]) -> str | None:
    answer = inventory.driver.disassemble(words, flags)
    return answer.payload.decode("utf-8", "replace") if answer.ok else None


def _half_listed(inventory: Inventory, words: bytes) -> str | None:
    """The listing of as many instructions as have one, the last one left out, and the others as bare words in a line."""
    ends = [4 * HEADER]
    while ends[-1] < len(words) and (count := struct.unpack_from("<I", words, ends[-1])[0] >> 16):
        ends.append(ends[-1] + 4 * count)
    for end in reversed(ends[:-1]):
        listing = _listing(inventory, words[:end], ("no-header",))
        if listing is not None:
            return f"{listing}    {' '.join(_bare(words, end))}\n"
    return None


def _bare(words: bytes, start: int) -> list[str]:
    """The words from an octet on: ids of the first instruction as ids, for the bound of the module, and all else as numbers."""
    rest = struct.unpack_from(f"<{(len(words) - start) // 4}I", words, start)
    code = words[: start + 4 * (rest[0] >> 16)]
    try:
        module = Words.parse(code)
        ids = {slot.at for slot in module.slots(module.code[-1]) if slot.kind.startswith("Id")}
    except ValueError:
        ids = set()
    return [f"%{number}" if at in ids else f"!{number:#010x}" for at, number in enumerate(rest)]


def write_witnesses(texts: Mapping[str, str], folder: Path = WITNESSES) -> int:
    """Add the witnesses of sites to the cases of a folder, a file for each file of the sources, in the order of the sites; how
    many are new."""
    by_file: dict[Path, dict[str, str]] = {}
    for site, text in texts.items():
        by_file.setdefault(file_of(site, folder), {})[site] = text
    count = 0
    folder.mkdir(exist_ok=True)
    for path, own in by_file.items():
        known = {case.title: case.text for case in cases_in(text_of(path), path)} if path.exists() else {}
        count += len(own.keys() - known.keys())
        every = sorted({**own, **known}.items())
        path.write_text("\n".join(f"//--- {site}\n{text.rstrip()}\n" for site, text in every), "utf-8")
    return count


def file_of(site: str, folder: Path = WITNESSES) -> Path:
    """Where the witness of a site stands."""
    return folder / f"{PurePosixPath(site.partition(':')[0]).stem.replace('_', '-')}.spvasm"
