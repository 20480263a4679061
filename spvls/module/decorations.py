"""Decorations by what they decorate (SPIR-V 3.2.18, 3.3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from spvls.grammar import spv, tables
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand
from spvls.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from spvls.module.module import Module

GivenByGroup = Callable[[str, Instruction], "list[AppliedDecoration]"]

MEMBER_DECORATES = frozenset({spv.OpMemberDecorate, spv.OpMemberDecorateString, spv.OpMemberDecorateIdEXT})
DECORATES = frozenset({spv.OpDecorate, spv.OpDecorateId, spv.OpDecorateString})
GROUP_DECORATES = frozenset({spv.OpGroupDecorate, spv.OpGroupMemberDecorate})
ANNOTATIONS = MEMBER_DECORATES | DECORATES | GROUP_DECORATES | {spv.OpDecorationGroup}

DECORATION = "decoration "
"""What the name of the fact begins with that a module uses a decoration; its value follows."""


class AppliedDecoration(NamedTuple):
    """`value` is the Decoration, `params` what follows it, `member` the index of the structure's member or None; `record` is
    the instruction that decorates, and `group` the one that decorates the group, where there is one."""

    value: int
    params: tuple[Operand, ...]
    member: int | None
    record: Instruction
    group: Instruction | None = None

    @property
    def name(self) -> str:
        """The decoration's name in the grammar; empty for a value that the grammar does not know."""
        return decoration_name(self.value)


def decorations_of(name: str, uses: Iterable[Instruction], given: GivenByGroup) -> list[AppliedDecoration]:
    """The decorations of an id, among the global instructions that use it; its members' too."""
    found: list[AppliedDecoration] = []
    for record in uses:
        opcode = record.opcode.value
        operands = record.operands
        if not operands:
            continue
        if opcode in DECORATES and operands[0] == name and len(operands) > 1:
            found.append(AppliedDecoration(word_of(operands[1]), operands[2:], None, record))
        elif opcode in MEMBER_DECORATES and operands[0] == name and len(operands) > 2 and isinstance(operands[1], int):
            found.append(AppliedDecoration(word_of(operands[2]), operands[3:], operands[1], record))
        elif opcode == spv.OpGroupDecorate and (operands[0] != name or name in operands[1:]):
            if isinstance(operands[0], str):
                found.extend(given(operands[0], record))
        elif opcode == spv.OpGroupMemberDecorate and isinstance(operands[0], str):
            for member in _members_by_target(record).get(name, ()):
                found.extend([item._replace(member=member) for item in given(operands[0], record)])
    return found


@lru_cache(maxsize=2)
def _members_by_target(record: Instruction) -> dict[Operand, list[int]]:
    """The members that an OpGroupMemberDecorate names, by their structures."""
    found: dict[Operand, list[int]] = {}
    for target, member in zip(record.operands[1::2], record.operands[2::2], strict=False):
        if isinstance(member, int):
            found.setdefault(target, []).append(member)
    return found


_MOST_ALIKE = 16
"""Decorations of one sort that a group gives to its targets; no sort makes sense as often on one of them."""


def given_by_group(group: str, uses: Iterable[Instruction]) -> tuple[Instruction, ...]:
    """The instructions that decorate a group, among those that use it.

    Each counts for each target; so that many decorations on many targets stay few, of one sort only the first ones count.
    """
    counts: Counter[Operand] = Counter()
    found: list[Instruction] = []
    for use in dict.fromkeys(uses):
        if use.opcode.value in DECORATES and use.operands[:1] == (group,) and len(use.operands) > 1:
            counts[use.operands[1]] += 1
            if counts[use.operands[1]] <= _MOST_ALIKE:
                found.append(use)
    return tuple(found)


def given_by(record: Instruction, uses: Iterable[Instruction]) -> list[AppliedDecoration]:
    """The decorations that an OpGroupDecorate gives to each of its targets, of those that decorate the group."""
    return [AppliedDecoration(word_of(use.operands[1]), use.operands[2:], None, use, record) for use in uses]


def decoration_value(record: Instruction) -> int | None:
    """The value of the decoration that an annotation gives; None for one that gives none by itself."""
    opcode = record.opcode.value
    at = 1 if opcode in DECORATES else 2 if opcode in MEMBER_DECORATES else 0
    return word_of(record.operands[at]) if at and len(record.operands) > at else None


def decoration_name(value: int) -> str:
    """The name of a Decoration; empty for a value that the grammar does not know."""
    enumerant = tables.kind("Decoration").by_value(value)
    return enumerant.name if enumerant is not None else ""


def word_of(operand: Operand) -> int:
    """The value of an operand that is an enumerant; -1 for another operand."""
    return operand if isinstance(operand, int) else -1


_ABOUT = ANNOTATIONS - GROUP_DECORATES | {spv.OpName, spv.OpMemberName}


def is_about(record: Instruction, name: str) -> bool:
    """Whether an instruction names or decorates an id."""
    return record.opcode.value in _ABOUT and record.operands[:1] == (name,)


def about(name: str, module: Module) -> list[Instruction]:
    """What names and decorates an id."""
    return list(dict.fromkeys(use for _, use in module.ids.uses(name) if is_about(use, name)))


def is_grouped(name: str, module: Module) -> bool:
    """Whether a group decorates an id, along with others."""
    module.reads.decorations.add(name)
    return any(use.opcode.value in GROUP_DECORATES for _, use in module.ids.uses(name))
