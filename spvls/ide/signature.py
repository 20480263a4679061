"""Signature help: the operands of the instruction that is being typed, the active one marked."""

from __future__ import annotations

from typing import NamedTuple

from spvls.diagnostic import Position
from spvls.grammar import docs
from spvls.grammar.records import Entity, ExtendedInstruction, ExtendedSet
from spvls.ide.assembly import Assembly
from spvls.ide.card import key_of, placeholder
from spvls.ide.caret import Caret, caret_at
from spvls.ide.slots import Slot, layout


class Parameter(NamedTuple):
    """A stretch of the signature's label, and what is to be said of it."""

    start: int
    end: int
    documentation: str


class Signature(NamedTuple):
    """`active` is the index of the parameter at the cursor; None past the last one."""

    label: str
    documentation: str
    parameters: tuple[Parameter, ...]
    active: int | None


def signature_help(assembly: Assembly, position: Position) -> Signature | None:
    """The signature of the instruction at a position."""
    caret = caret_at(assembly, position)
    if caret is None or caret.opcode is None:
        return None
    found = layout(caret.opcode, caret.operand_words, assembly.module)
    head = caret.opcode.name
    if caret.opcode.has_result:
        head = f"%result = {head}"
    pieces = [_Piece(head, None, caret.opcode, None)]
    active: int | None = None
    for at, slot in enumerate([*found.slots, *found.rest]):
        if slot is None:
            continue
        last = pieces[-1].slot
        if last is None or last.declared is not slot.declared or slot.declared.quantifier != "*":
            pieces.append(_Piece(placeholder(slot.declared), slot, slot.owner, slot.set))
        if at == len(found.slots):
            active = len(pieces) - 2
    return _assembled(caret, pieces, active)


class _Piece(NamedTuple):
    text: str
    slot: Slot | None
    owner: Entity
    set: ExtendedSet | None


def _assembled(caret: Caret, pieces: list[_Piece], active: int | None) -> Signature:
    label = pieces[0].text
    parameters: list[Parameter] = []
    for piece in pieces[1:]:
        start = len(label) + 1
        label = f"{label} {piece.text}"
        parameters.append(Parameter(start, len(label), _phrase(piece)))
    entry = docs.lookup(key_of(*_subject(caret, pieces)))
    return Signature(label, entry.summary if entry is not None else "", tuple(parameters), active)


def _subject(caret: Caret, pieces: list[_Piece]) -> tuple[Entity, ExtendedSet | None]:
    """What the documentation is about: an extended instruction where one is named, else the opcode."""
    for piece in pieces:
        if isinstance(piece.owner, ExtendedInstruction):
            return piece.owner, piece.set
    assert caret.opcode is not None
    return caret.opcode, None


def _phrase(piece: _Piece) -> str:
    slot = piece.slot
    assert slot is not None
    entry = docs.lookup(key_of(piece.owner, piece.set if isinstance(piece.owner, ExtendedInstruction) else None))
    phrases = dict(entry.operands) if entry is not None else {}
    said = phrases.get(slot.declared.name or slot.declared.kind, "")
    return f"`{slot.declared.kind}`{': ' + said if said else ''}"


