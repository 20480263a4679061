"""Recognizes the differences that stay on purpose: those that `differences.md` lists and modules of `differences/` pin.

An error of ours that the reference does not give is recognized by the option `reference_verdicts`, with which there is none.
An error of the reference that is not given is recognized by a pin: it comes from the same site, is about the same
instruction, and the module declares the extensions of the pin.
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

_INSTRUCTION = 4
"""The word of OpExtInst that says which instruction of the set it is."""


class Pin(NamedTuple):
    """`instruction` is the opcode that the reference names, and the number of the instruction of an extended set."""

    site: str
    instruction: tuple[int, ...]
    extensions: frozenset[tuple[int, ...]]


class Deliberate:
    """Asks the pins, which the reference refuses and spvls does not."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        cases = [own_case(case) for path in sorted(PINS.glob("*.spvasm")) for case in cases_in(text_of(path), path)]
        self._pins = [pin for case in cases for pin in self._refused(case)]

    def _refused(self, case: Case) -> list[Pin]:
        assert isinstance(case.module, str)
        words = self._inventory.driver.assemble(case.module.encode(), case.env).payload
        error = self._inventory.driver.validate(words, case.env).error
        site = self._inventory.site(error) if error else None
        if error is None or site is None:
            return []
        return [Pin(site, _instruction(words, error.instruction), _extensions(words))]

    def is_missing(self, words: bytes, error: Message) -> bool:
        """Whether an error of the reference is left out on purpose."""
        site = self._inventory.site(error)
        about = [pin for pin in self._pins if pin.site == site]
        if not about:
            return False
        instruction, extensions = _instruction(words, error.instruction), _extensions(words)
        return any(pin.instruction == instruction and pin.extensions <= extensions for pin in about)

    def is_alarm(self, words: bytes, env: str) -> bool:
        """Whether each error of spvls on a module that the reference takes is given on purpose."""
        return validated(words, env, {"reference_verdicts": True}).ok


def _instruction(words: bytes, number: int | None) -> tuple[int, ...]:
    code = Words.parse(words).code
    if number is None or number > len(code):
        return ()
    found = code[number - 1]
    opcode = found[0] & 0xFFFF
    return (opcode, found[_INSTRUCTION]) if opcode in (spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR) else (opcode,)


def _extensions(words: bytes) -> frozenset[tuple[int, ...]]:
    return frozenset({tuple(one[1:]) for one in Words.parse(words).code if one[0] & 0xFFFF == spv.OpExtension})
