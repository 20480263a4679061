"""Decorations where what they are on is declared: `%color = OpVariable %pointer Input «Location 3, Flat»`."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.grammar.traits import VARIABLES
from spvls.ide.documentation.id_markdown import plain_decoration
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Span

_VALUES = VARIABLES | {
    spv.OpFunctionParameter, spv.OpSpecConstant, spv.OpSpecConstantTrue, spv.OpSpecConstantFalse, spv.OpSpecConstantComposite
}  # fmt: skip


class DecorationLabel(NamedTuple):
    """The decorations of a variable, a type or, for `member` True, a member of one; `span` is the words that they are on."""

    label: str
    span: Span
    member: bool


def decorates_type(record: Instruction) -> bool:
    """Whether the decorations of an instruction's result are those of a type."""
    return record.opcode.is_type


def decoration_labels(module: Module, record: Instruction) -> Iterator[DecorationLabel]:
    """The decorations of a variable, a parameter, a specialization constant or a type, then those of each member."""
    name = record.result
    if name is None or not (decorates_type(record) or record.opcode.value in _VALUES):
        return
    on_members: dict[int, list[str]] = {}
    own = []
    for found in module.decorations(name):
        if found.member is None:
            own.append(plain_decoration(found))
        else:
            on_members.setdefault(found.member, []).append(plain_decoration(found))
    if own:
        yield DecorationLabel(", ".join(own), Span(record.start, record.end), False)
    if not on_members or record.opcode.value != spv.OpTypeStruct:
        return
    words = record.words()[record.first_operand_word() :]
    for member, (start, end) in enumerate(words):
        if member in on_members:
            yield DecorationLabel(", ".join(on_members[member]), Span(start, end), True)
