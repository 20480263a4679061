"""What annotations apply to what: one decoration of one object or member, groups taken apart (SPIR-V 3.3.3)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from spvls.grammar import spv, tables
from spvls.grammar.records import Enumerant
from spvls.module.decorations import DECORATES, MEMBER_DECORATES, decoration_name, word_of
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand

ANNOTATING = (*sorted(DECORATES), *sorted(MEMBER_DECORATES), spv.OpGroupDecorate, spv.OpGroupMemberDecorate)
"""The opcodes that apply decorations."""


class Applied(NamedTuple):
    """`target` or its `member` has the Decoration `value`; `record` is the instruction that names it, `params` follow it."""

    value: int
    params: tuple[Operand, ...]
    target: str
    member: int | None
    record: Instruction

    @property
    def name(self) -> str:
        """The decoration's name in the grammar; empty for a value that the grammar does not know."""
        return decoration_name(self.value)


def decoration_of(inst: Instruction) -> Enumerant | None:
    """The decoration that an OpDecorate, an OpMemberDecorate or one of their kin names."""
    at = 2 if inst.opcode.value in MEMBER_DECORATES else 1
    word = inst.operands[at] if len(inst.operands) > at else None
    return tables.kind("Decoration").by_value(word) if isinstance(word, int) else None


def applied(inst: Instruction, module: Module) -> Iterator[Applied]:
    """The decorations that an annotation applies; a group's are applied where the group is, not where they are declared."""
    operands = inst.operands
    target = operands[0] if operands else None
    if not isinstance(target, str):
        return
    opcode = inst.opcode.value
    if opcode == spv.OpGroupDecorate:
        given = [(word_of(found.operands[1]), found) for found in module.decorations_of_group(target)]
        for other in operands[1:]:
            if isinstance(other, str):
                for value, found in given:
                    yield Applied(value, found.operands[2:], other, None, found)
    elif opcode == spv.OpGroupMemberDecorate:
        given = [(word_of(found.operands[1]), found) for found in module.decorations_of_group(target)]
        for other, member in zip(operands[1::2], operands[2::2], strict=False):
            if isinstance(other, str) and isinstance(member, int):
                for value, found in given:
                    yield Applied(value, found.operands[2:], other, member, found)
    elif module.opcode_of(target) != spv.OpDecorationGroup:
        decoration = decoration_of(inst)
        if decoration is None:
            return
        if opcode in MEMBER_DECORATES:
            if isinstance(operands[1], int):
                yield Applied(decoration.value, operands[3:], target, operands[1], inst)
        else:
            yield Applied(decoration.value, operands[2:], target, None, inst)


def applied_among(inst: Instruction, module: Module, decorations: Container[int]) -> Iterator[Applied]:
    """As `applied`, for these decorations alone."""
    if inst.opcode.value in DECORATES or inst.opcode.value in MEMBER_DECORATES:
        decoration = decoration_of(inst)
        if decoration is None or decoration.value not in decorations:
            return
    elif not any(word_of(given.operands[1]) in decorations for given in _given(inst, module)):
        return
    for item in applied(inst, module):
        if item.value in decorations:
            yield item


def _given(inst: Instruction, module: Module) -> tuple[Instruction, ...]:
    """The instructions whose decorations an OpGroupDecorate or OpGroupMemberDecorate gives to its targets."""
    group = inst.operands[0] if inst.operands else None
    return module.decorations_of_group(group) if isinstance(group, str) else ()
