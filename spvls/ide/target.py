"""What a position of the text is about: an id, a name of the grammar, a literal, a comment."""

from __future__ import annotations

from typing import NamedTuple

from spvls.diagnostic import Position, Range
from spvls.grammar import tables
from spvls.grammar.records import Entity
from spvls.ide.assembly import Assembly
from spvls.ide.slots import Slot, entity_at, layout
from spvls.ide.word import Word, id_of, opcode_index, word_at
from spvls.syntax.instruction import UNKNOWN, Span
from spvls.syntax.report import range_in


class Target(NamedTuple):
    """A word, or the part of a mask, and what it stands for.

    At most one of `id` and `entity` is there; `slot` is None for the opcode, the result and words out of place.
    """

    word: Word
    text: str
    range: Range
    slot: Slot | None = None
    id: str | None = None
    entity: Entity | None = None


def target_at(assembly: Assembly, position: Position) -> Target | None:
    """What stands at a position."""
    word = word_at(assembly, position)
    return target_of(assembly, word, position) if word is not None else None


def target_of(assembly: Assembly, word: Word, position: Position) -> Target:
    """What a word stands for; of a mask, the part at `position`."""
    text = word.text
    opcode_at = opcode_index(word.words)
    if opcode_at is None or word.at < opcode_at:
        return Target(word, text, word.range, id=id_of(text))
    if word.at == opcode_at:
        return Target(word, text, word.range, entity=tables.opcode(text))
    slot = slot_of(assembly, word)
    if slot is None:
        return Target(word, text, word.range, id=id_of(text))
    if slot.is_mask and "|" in text:
        return _part(word, slot, position)
    return Target(word, text, word.range, slot, id_of(text), entity_at(slot, text))


def slot_of(assembly: Assembly, word: Word) -> Slot | None:
    """The slot of a word after the opcode."""
    opcode_at = opcode_index(word.words)
    opcode = tables.opcode(word.words[opcode_at]) if opcode_at is not None else None
    if opcode is None or opcode is UNKNOWN or opcode_at is None:
        return None
    before = word.words[opcode_at + 1 : word.at + 1]
    slots = layout(opcode, before, assembly.module).slots
    return slots[-1] if slots else None


def _part(word: Word, slot: Slot, position: Position) -> Target:
    """The enumerant of a mask at a position."""
    start = word.span.start
    for name in word.text.split("|"):
        end = start + len(name)
        where = range_in(word.record, word.line, *Span(start, end))
        if position <= where.end or end == word.span.end:
            return Target(word, name, where, slot, None, entity_at(slot, name))
        start = end + 1
    raise AssertionError("a mask has a part at each position")
