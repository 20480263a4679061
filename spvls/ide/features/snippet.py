"""Snippets: what is typed of an instruction, with a hole for each operand that must be there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.grammar.records import Operand as Declared

_RESULT = "result"


@cache
def instruction_snippet(opcode: Opcode, *, with_result: bool) -> str | None:
    """An instruction, with its result id where it makes one and `with_result` wants it; None where there are no holes."""
    operands = [operand for operand in opcode.operands if operand.kind != "IdResult"]
    head = opcode.name
    first = 1
    if opcode.has_result and with_result:
        head, first = f"%${{1:{_RESULT}}} = {head}", 2
    return _with_holes(head, operands, first)


def call_snippet(name: str, operands: Sequence[Declared]) -> str | None:
    """A name with the operands that follow it; None where there are none."""
    return _with_holes(name, operands, 1)


def _with_holes(head: str, operands: Sequence[Declared], first: int) -> str | None:
    holes = [_hole(operand, number) for number, operand in enumerate(_required(operands), first)]
    if not holes and first == 1:
        return None
    return " ".join([head, *holes])


def _required(operands: Sequence[Declared]) -> list[Declared]:
    return [operand for operand in operands if not operand.quantifier]


def _hole(operand: Declared, number: int) -> str:
    name = operand.name or operand.kind
    if operand.kind == "IdResultType":
        name = "type"
    word = "_".join(name.replace("'", "").lower().split(",")[0].split())
    try:
        category = tables.kind(operand.kind).category
    except KeyError:  # a kind that only an extended set has
        category = "value"
    if category == "id":
        return f"${{{number}:%{word}}}"
    if operand.kind == "LiteralString":
        return f'"${{{number}:{word}}}"'
    return f"${{{number}:{name if category in ('value', 'mask') else word}}}"
