"""Which sites of the reference modules reach, and what spvls says of the same modules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from spvls.grammar.environments import environment
from tests.reference.cases import Case
from tests.reference.driver import Answer, Driver, Message
from tests.reference.frames import Frames
from tests.reference.ours import Verdict, assembled, validated
from tests.reference.sites import Site
from tests.reference.table import Row

PROBES = ("spv1.6", "vulkan1.4", "opencl2.2", "opengl4.5")
"""The environments in which a module that was refused is asked about again."""

RULES_A_SITE = 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """A case that the reference refuses: at `site`, None where that is not known, and what spvls finds.

    `checks` are the sites of macros, and those that gave their words, that led there. `kinds` are the kinds of environments in which the site is reached.
    `here` are the rules that report the instruction, or the line, that the reference names, or anything where it names
    none; failing these, the rules that report another instruction on purpose. `ours` counts all errors, `raised` names an exception.
    """

    case: Case
    site: str | None
    checks: tuple[str, ...]
    kinds: tuple[str, ...]
    here: tuple[str, ...]
    ours: int
    raised: str
    message: str


class Inventory:
    """Asks both sides about cases."""

    def __init__(self, driver: Path, sites: Iterable[Site]) -> None:
        self.driver = Driver(driver)
        self._frames = Frames(driver)
        self._sites: dict[tuple[str, int], Site] = {}
        for site in sites:
            for line in range(site.first, site.last + 1):
                self._sites.setdefault((site.file, line), site)

    def close(self) -> None:
        self.driver.close()
        self._frames.close()

    def meeting(self, case: Case) -> Meeting | None:
        """What becomes of a case; None where the reference takes it, or gives no answer."""
        if isinstance(case.module, bytes):
            return self._of_words(case, case.module)
        env = case.assembled_for or case.env
        data = case.module.encode("utf-8", "surrogateescape")
        answer = self.driver.assemble(data, env, preserve_numeric_ids=case.preserve_numeric_ids)
        if answer.ok:
            return self._of_words(case, answer.payload)
        if answer.error is None:
            return None
        _, found = assembled(case.module, env, case.preserve_numeric_ids)
        last = len(case.module.rstrip("\n").split("\n")) - 1
        while last and not case.module.split("\n")[last].partition(";")[0].strip():
            last -= 1
        line = min(answer.error.line, last)  # what lacks at the end is reported at the end, and here at what lacks it
        here = {one.rule for one in found.errors if one.range is not None and one.range.start.line == line}
        return self._meeting(case, answer.error, ("text",), here, found)

    def _of_words(self, case: Case, words: bytes) -> Meeting | None:
        answer = self.driver.validate(words, case.env, case.options)
        if answer.error is None:
            return None
        found = validated(words, case.env, case.options)
        site = self.site(answer.error)
        kinds = {kind_of(case.env)}
        for probe in PROBES:
            if kind_of(probe) not in kinds and self._reaches(self.driver.validate(words, probe, case.options), site):
                kinds.add(kind_of(probe))
        here = found.rules_at(answer.error.instruction) or found.rules_at(None) & reported_elsewhere()
        return self._meeting(case, answer.error, sorted(kinds), here, found)

    def _meeting(self, case: Case, error: Message, kinds: Iterable[str], here: Iterable[str], found: Verdict) -> Meeting:
        site, *checks = [*self.sites(error)] or [None]
        macros = tuple([check.key for check in checks if check is not None])
        key = site and site.key
        return Meeting(case, key, macros, tuple(kinds), tuple(sorted(here)), len(found.errors), found.raised, error.first_line)

    def sites(self, message: Message) -> Iterator[Site]:
        """The site that gives a message, then those that gave it their words and the macros that called for the check."""
        places = list(self._frames.places(message.frames))
        found = [self._sites[place] for place in places if place in self._sites]
        yield from found[:1]
        yield from (site for site in found[1:] if site.macro or site.passed)

    def site(self, message: Message) -> str | None:
        return next((site.key for site in self.sites(message)), None)

    def _reaches(self, answer: Answer, site: str | None) -> bool:
        return answer.error is not None and self.site(answer.error) == site


@cache
def reported_elsewhere() -> frozenset[str]:
    """The rules that report another instruction than the reference on purpose, as `differences.md` names them."""
    _, _, section = Path(__file__).with_name("differences.md").read_text("utf-8").partition("## Findings at another instruction")
    return frozenset(re.findall(r"`([a-z-]+/[\w-]+)`", section.partition("\n## ")[0]))


def kind_of(env: str) -> str:
    """The client of an environment, `universal` for SPIR-V alone."""
    return environment(env).api or "universal"


def adopted(rows: dict[str, Row], sites: Iterable[Site]) -> list[Row]:
    """A row for each site: the one that there is, else an empty one."""
    return [rows.get(site.key) or Row(site.key) for site in sites]


def filled(rows: Iterable[Row], meetings: Iterable[Meeting]) -> list[Row]:
    """The rows with what meetings show: kinds of environments are added, rules and a witness where there are none.

    A witness is a module of the project that spvls reports at the place that the reference names. The fixture of a rule
    that is found there goes first, then the shorter one.
    """
    rules: dict[str, Counter[str]] = {}
    kinds: dict[str, set[str]] = {}
    chosen: dict[str, tuple[tuple[bool, int, str], Meeting]] = {}
    for meeting in meetings:
        for site in (meeting.site, *meeting.checks):
            if site is None:
                continue
            kinds.setdefault(site, set()).update(meeting.kinds)
            rules.setdefault(site, Counter()).update(meeting.here)
            if meeting.case.own and meeting.here:
                rank = (not _is_fixture_of(meeting), len(meeting.case.module), meeting.case.name)
                chosen[site] = min(chosen.get(site, (rank, meeting)), (rank, meeting), key=lambda ranked: ranked[0])
    return [_filled(row, rules.get(row.site), kinds.get(row.site, set()), chosen.get(row.site)) for row in rows]


def _is_fixture_of(meeting: Meeting) -> bool:
    return any(meeting.case.name.endswith(f"fixtures/rules/{rule}.spvasm") for rule in meeting.here)


def _filled(row: Row, rules: Counter[str] | None, kinds: set[str], chosen: tuple[tuple[bool, int, str], Meeting] | None) -> Row:
    witness = row.witness or (chosen[1].case.name if chosen else "")
    common = [rule for rule, _ in (rules or Counter()).most_common(RULES_A_SITE)]
    found_in = tuple(sorted({*row.environments, *kinds}))
    return replace(row, environments=found_in, rules=row.rules or tuple(common), witness=witness)
