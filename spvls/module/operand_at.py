"""Operands of an instruction by place, where there are enough of them and they are of the wanted sort."""

from __future__ import annotations

from spvls.syntax.instruction import Instruction


def id_at(inst: Instruction, place: int) -> str | None:
    """The id at a place."""
    operand = inst.operands[place] if place < len(inst.operands) else None
    return operand if isinstance(operand, str) else None


def word_at(inst: Instruction, place: int) -> int | None:
    """The literal, enumerant or mask at a place."""
    operand = inst.operands[place] if place < len(inst.operands) else None
    return operand if isinstance(operand, int) else None


def id_operands(inst: Instruction) -> list[tuple[int, str]]:
    """The operands that are ids, each after its place."""
    return [(place, operand) for place, operand in enumerate(inst.operands) if isinstance(operand, str)]
