"""The form of an instruction as it is written: its operands in order, and in which of them each word stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spvls.grammar.records import Entity, ExtendedInstruction, ExtendedSet, Opcode
from spvls.ide.card import key_of, operand_line, phrase_of
from spvls.ide.slots import Imports, Slot, layout


class Form(NamedTuple):
    """`slots` are the operands, one that repeats once; `places` has the index into them of each word after the opcode, and
    last that of the next word, None for words that no operand takes."""

    opcode: Opcode
    slots: tuple[Slot, ...]
    places: tuple[int | None, ...]

    @property
    def subject(self) -> tuple[Entity, ExtendedSet | None]:
        """What the instruction does its work by: an extended instruction where one is named, else the opcode."""
        for slot in self.slots:
            if isinstance(slot.owner, ExtendedInstruction):
                return slot.owner, slot.set
        return self.opcode, None

    def lines(self, active: int | None) -> list[str]:
        """The operands as a Markdown list, one of them marked."""
        return [operand_line(slot.declared, phrase(slot), active=at == active) for at, slot in enumerate(self.slots)]


def form_of(opcode: Opcode, words: Sequence[str], imports: Imports) -> Form:
    """The form of an instruction of which `words` follow the opcode so far."""
    found = layout(opcode, words, imports)
    slots: list[Slot] = []
    places: list[int | None] = []
    for slot in found.slots:
        if slot is not None:
            _add(slots, slot)
        places.append(len(slots) - 1 if slot is not None else None)
    following: int | None = None
    for slot in found.rest:
        _add(slots, slot)
        if following is None:
            following = len(slots) - 1
    return Form(opcode, tuple(slots), (*places, following))


def _add(slots: list[Slot], slot: Slot) -> None:
    if not slots or slots[-1].declared is not slot.declared or slot.declared.quantifier != "*":
        slots.append(slot)


def phrase(slot: Slot) -> str:
    """What is to be said of an operand."""
    return phrase_of(slot.declared, key_of(slot.owner, slot.set))
