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


def distinct_ids(inst: Instruction) -> list[tuple[int, str]]:
    """The ids among the operands, each once, after the first place that it stands at: a long instruction names few ids, over and
    over."""
    operands = inst.operands
    if len(operands) == 1:
        return id_operands(inst)
    first = dict(zip(reversed(operands), range(len(operands) - 1, -1, -1), strict=True))
    return [(first[operand], operand) for operand in dict.fromkeys(operands) if isinstance(operand, str)]


def id_operands(inst: Instruction) -> list[tuple[int, str]]:
    """The operands that are ids, each after its place."""
    return [(place, operand) for place, operand in enumerate(inst.operands) if isinstance(operand, str)]
