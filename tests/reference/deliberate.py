"""Recognizes the differences that stay on purpose: those that `differences.md` lists and modules of `differences/` pin.

An error of ours that the reference does not give is recognized by the option `reference_verdicts`, with which there is none.
An error of the reference that is not given is recognized by a pin: it comes from the same site, is about the same
instruction, and the module declares the extensions of the pin. The line `; of: any instruction` in a pin says that it is
about each extended instruction.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from spvls.grammar import spv
from tests.corpus import text_of
from tests.fuzz.words import Words
from tests.reference.cases import Case, own_case
from tests.reference.driver import Message
from tests.reference.inventory import Inventory
from tests.reference.ours import validated
from tests.validate.cases import cases_in

PINS = Path(__file__).with_name("differences")

UNKNOWN = -1
"""In the place of the number of an extended instruction: any that the tables of its set do not have."""

_OF_ANY = "\n; of: any instruction\n"

_SET, _INSTRUCTION = 3, 4
"""The words of OpExtInst that say which instruction of which set it is."""


class Pin(NamedTuple):
    """`instruction` is the opcode that the reference names, and the number of the instruction of an extended set, `UNKNOWN` for one
    that the tables do not have; without a number it is any of the set."""

    site: str
    instruction: tuple[int, ...]
    extensions: frozenset[tuple[int, ...]]

    def covers(self, instruction: tuple[int, ...], extensions: frozenset[tuple[int, ...]]) -> bool:
        """Whether it is about an instruction of a module with these extensions, which the same site refuses."""
        return instruction[: len(self.instruction) or None] == self.instruction and self.extensions <= extensions


class Deliberate:
    """Asks the pins, which the reference refuses and spvls does not."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._pins = [pin for case in pinned() for pin in self._refused(case)]

    def _refused(self, case: Case) -> list[Pin]:
        assert isinstance(case.module, str)
        words = self._inventory.driver.assemble(case.module.encode(), case.env).payload
        error = self._inventory.driver.validate(words, case.env, case.options).error
        site = self._inventory.site(error) if error else None
        if error is None or site is None:
            return []
        instruction = about(words, error.instruction)
        return [Pin(site, instruction[:1] if _OF_ANY in case.module else instruction, _extensions(words))]

    def is_missing(self, words: bytes, error: Message) -> bool:
        """Whether an error of the reference is left out on purpose."""
        site = self._inventory.site(error)
        pins = [pin for pin in self._pins if pin.site == site]
        if not pins:
            return False
        instruction, extensions = about(words, error.instruction), _extensions(words)
        return any(pin.covers(instruction, extensions) for pin in pins)

    def is_alarm(self, words: bytes, env: str) -> bool:
        """Whether each error of spvls on a module that the reference takes is given on purpose."""
        return validated(words, env, {"reference_verdicts": True}).ok


def pinned() -> list[Case]:
    """The modules of `differences/`."""
    return [own_case(case) for path in sorted(PINS.glob("*.spvasm")) for case in cases_in(text_of(path), path)]


def agreed(inventory: Inventory) -> list[str]:
    """The names of pinned modules on which both sides agree by now."""
    names = []
    for case in pinned():
        assert isinstance(case.module, str)
        words = inventory.driver.assemble(case.module.encode(), case.env).payload
        if inventory.driver.validate(words, case.env, case.options).ok == validated(words, case.env, case.options).ok:
            names.append(case.name)
    return names


def about(words: bytes, number: int | None) -> tuple[int, ...]:
    """What a pin says of the instruction with that number, from 1; nothing where there is none."""
    module = Words.parse(words)
    if number is None or number > len(module.code):
        return ()
    found = module.code[number - 1]
    opcode = found[0] & 0xFFFF
    if opcode not in (spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR) or len(found) <= _INSTRUCTION:
        return (opcode,)
    of_set = module.sets.get(found[_SET])
    return opcode, UNKNOWN if of_set is not None and of_set.by_value(found[_INSTRUCTION]) is None else found[_INSTRUCTION]


def _extensions(words: bytes) -> frozenset[tuple[int, ...]]:
    return frozenset({tuple(one[1:]) for one in Words.parse(words).code if one[0] & 0xFFFF == spv.OpExtension})
