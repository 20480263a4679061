"""What spvls and the reference say of one binary, side by side."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import process_time

from spvls.grammar.environments import environments
from spvls.grammar.records import Version
from tests.fuzz.clusters import normal
from tests.fuzz.words import HEADER, Words, name_of
from tests.reference.deliberate import Deliberate
from tests.reference.driver import Answer, Driver
from tests.reference.inventory import Inventory, reported_elsewhere
from tests.reference.ours import Verdict, assembled, listed, validated, validated_in_full

SLOW = 2.0
"""Seconds of the processor that no module may take to be validated."""

_LISTINGS = (("friendly-names", "indent"), ("indent",))
_EXACT = ": as text, "
"""What a listing of ours says at words that no text of the grammar stands for; `tests/reference/differences.md` says why."""

_UNDEFINED = re.compile(r"(?:ID|Operand) '(\d+)\[.* (?:has not been defined|requires a previous definition)")

_OWN_FAULT = "Internal error"
"""How the message of a fault of the reference begins."""

_KERNEL = 6
_OTHERS = 0.1


@dataclass(frozen=True, slots=True)
class Comparison:
    """`kind` is what differs:

        miss     the reference refuses, spvls does not
        alarm    spvls refuses, the reference does not
        place    both refuse, and spvls reports nothing at the instruction that the reference names
        raised   an exception left spvls
        slow     spvls took too long
        words    the listing of the reference becomes other words
        listing  the listings differ
        died     the reference gave no answer, or met a fault of its own
        known    one of these, which `tests/reference/differences.md` lists
        same     nothing; then `refused` says what both say

    `message` is that of the reference, or what else there is to say; `instruction` is the one that it names, `rules` are
    those of our errors that come first. `errors` counts ours, `site` is that of the message where it is known.
    """

    kind: str
    env: str
    refused: bool = False
    message: str = ""
    instruction: int | None = None
    rules: tuple[str, ...] = ()
    ours: int | None = None
    errors: int = 0
    seconds: float = 0.0
    site: str | None = None

    @property
    def cluster(self) -> str:
        """The same for modules that most likely show the same fault of either side."""
        return f"{self.kind}: {normal(self.message)} | {' '.join(self.rules)}".strip(" |")


def compare_verdicts(inventory: Inventory, words: bytes, env: str, deliberate: Deliberate | None = None) -> Comparison:
    """What differs in the verdicts on a binary; `deliberate` tells the differences that stay on purpose, which are none without it."""
    answer = inventory.driver.validate(words, env)
    error = answer.error
    if answer.ok is None or (error is not None and error.first_line.startswith(_OWN_FAULT)):
        return Comparison("died", env, message=error.first_line if error else answer.died)
    begun = process_time()
    found = validated(words, env)
    seconds = process_time() - begun
    message = error.first_line if error else ""
    instruction = error.instruction if error else None
    kind = _kind(answer.ok, found, instruction) if seconds <= SLOW else "slow"
    if deliberate is not None and (
        (kind == "alarm" and deliberate.is_alarm(words, env))
        or (kind in ("miss", "place") and error and deliberate.is_missing(words, error))
    ):
        kind = "known"
    if kind == "place" and (
        found.rules_at(None) & reported_elsewhere()
        or _is_of_same_undefined_id(message, found)
        or validated_in_full(words, env).rules_at(instruction)
    ):
        kind = "known"
    first = min(found.errors, key=lambda one: (one.instruction is None, one.instruction or 0), default=None)
    place = first.instruction if first else None
    rules = () if first is None else tuple(sorted(found.rules_at(place)))
    site = inventory.site(error) if error else None
    return Comparison(
        kind, env, not answer.ok, found.raised or message, instruction, rules, place, len(found.errors), seconds, site
    )


def _kind(ok: bool, found: Verdict, instruction: int | None) -> str:
    if found.raised:
        return "raised"
    if ok != found.ok:
        return "alarm" if ok else "miss"
    return "same" if ok or instruction is None or found.rules_at(instruction) else "place"


def _is_of_same_undefined_id(message: str, found: Verdict) -> bool:
    """Whether both sides miss the definition of one id, each at another use."""
    of = _UNDEFINED.match(message)
    ours = f"%{of[1]} is not defined" if of else None
    return ours is not None and any(one.rule == "id/is-defined-before-use" and one.message.startswith(ours) for one in found.errors)


def compare_words(driver: Driver, words: bytes) -> Iterator[Comparison]:
    """What differs in the listings of a binary, and in the words that one of them becomes."""
    text = b""
    for flags in _LISTINGS:
        answer = driver.disassemble(words, flags)
        listing, raised = listed(words, "friendly-names" in flags)
        ours = None if listing is None else listing.encode("utf-8", "surrogateescape")
        if raised:
            yield Comparison("raised", "", message=raised)
        elif answer.ok is not None and (answer.payload if answer.ok else None) != ours:
            message = _first_difference(answer.payload, ours or b"")
            yield Comparison("known" if _EXACT in message or not _is_readable(driver, answer) else "listing", "", message=message)
        text = answer.payload
    if text:
        yield from compare_assembled(driver, text, "spv1.6")


def _is_readable(driver: Driver, listing: Answer) -> bool:
    """Whether the reference has a listing, and takes it back: not one of a literal that the width of its type does not fit, or of
    none (see there as well)."""
    return listing.ok is True and driver.assemble(listing.payload, "spv1.6").ok is True


def compare_assembled(driver: Driver, text: bytes, env: str) -> Iterator[Comparison]:
    """What differs in the words that both sides make of a text."""
    answer = driver.assemble(text, env)
    ours, found = assembled(text.decode("utf-8", "surrogateescape"), env)
    if found.raised:
        yield Comparison("raised", env, message=found.raised)
    elif answer.ok is not None and answer.payload != ours:
        said = answer.error.first_line if answer.error else f"{len(answer.payload)} and {len(ours)} bytes"
        rules = tuple([one.rule for one in found.errors[:1]])
        yield Comparison("words", env, not answer.ok, said, rules=rules)


def _first_difference(theirs: bytes, ours: bytes) -> str:
    lines = zip(theirs.split(b"\n"), ours.split(b"\n"), strict=False)
    one, other = next(((one, other) for one, other in lines if one != other), (theirs[-40:], ours[-40:]))
    return f"{one.decode('utf-8', 'replace')[:200]} / {other.decode('utf-8', 'replace')[:200]}"


def version_of(words: bytes) -> Version:
    number = struct.unpack_from("<I", words, 4)[0] if len(words) >= 4 * HEADER else 0
    return number >> 16 & 0xFF, number >> 8 & 0xFF


def environments_for(words: bytes) -> list[str]:
    """The environments that a module may be meant for: SPIR-V of any version that has its own, and the clients of
    its capabilities."""
    module = Words.parse(words)
    version = version_of(words)
    kernel = any(name_of(one) == "OpCapability" and one[1:] == [_KERNEL] for one in module.code)
    clients = ("opencl",) if kernel else ("vulkan", "opengl")
    every = environments().values()
    return [one.name for one in every if one.version >= version and not one.embedded and one.api in ("", *clients)] or ["spv1.6"]


def natural_environments(words: bytes) -> list[str]:
    """For a module as it is: SPIR-V alone, and the oldest and the newest environment of its client."""
    fitting = environments_for(words)
    clients = [name for name in fitting if environments()[name].api in ("vulkan", "opencl")]
    return list(dict.fromkeys(["spv1.6", *clients[:1], *clients[-1:]]))


def drawn_environment(taken: Sequence[str], chance: Random) -> str:
    """For a mutant of a module that both sides take in some environments: one of these, each client as often as the others
    and OpenGL less; and now and then any environment."""
    if not taken or chance.random() < _OTHERS:
        return chance.choice([name for name in environments() if not environments()[name].embedded])
    clients: dict[str, list[str]] = {}
    for name in taken:
        clients.setdefault(environments()[name].api, []).append(name)
    api = chance.choices(list(clients), [1 if api == "opengl" else 4 for api in clients])[0]
    return chance.choice(clients[api])
