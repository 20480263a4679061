"""Types that contain themselves (SPIR-V 2.16.1): they have no size and no value, and so are not types to anyone who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spvls.grammar import spv
from spvls.module.recursion import components
from spvls.syntax.instruction import Instruction, Operand

Definition = Callable[[str], Instruction | None]


_FEW = 500
"""Declarations that are gone through to learn whether types that an edit changed may be on a cycle."""


def recursive_types(
    declarations: Iterable[Instruction], inner: list[Instruction], definition: Definition
) -> dict[str, tuple[str, ...]]:
    """The ids of the types on a cycle, each with the ids of its cycle.

    `declarations` are instructions before the first function in the order of the text, all type declarations among them, and
    `inner` type declarations in functions. A pointer type that an OpTypeForwardPointer among them announces may lead back to a type
    that it is a part of.
    """
    opened: set[Operand] = set()
    known: set[Operand] = set()
    later: list[str] = []

    def is_later(record: Instruction) -> bool:
        """Whether a type is declared before what it is made of: every cycle needs such a one."""
        return any(part.__class__ is str and part not in known and _is_type(str(part), definition) for part in record.operands)

    for record in declarations:
        if not record.opcode.is_type:
            continue
        name = record.result
        if name is not None:
            if not known.issuperset(record.operands) and is_later(record):
                later.append(name)
            known.add(name)
        elif record.opcode.value == spv.OpTypeForwardPointer:
            opened.update(record.operands[:1])
    for record in inner:
        name = record.result
        if name is not None:
            if is_later(record):
                later.append(name)
            if definition(name) is record:  # another one with its id is not part of any type, wherever it stands
                known.add(name)

    def parts(name: str) -> Sequence[str]:
        return _parts_of(name, definition) if name not in opened else ()

    found: dict[str, tuple[str, ...]] = {}
    later = [name for name in later if name not in opened] if opened else later
    for component in components(later, parts) if later else ():
        if len(component) > 1 or component[0] in parts(component[0]):
            found.update(dict.fromkeys(component, tuple(sorted(component))))
    return found


def may_be_on_cycle(names: Iterable[str], definition: Definition) -> bool:
    """Whether any of some types may be on a cycle: it is, but for pointers that were announced, or to find out takes long."""
    reached = dict.fromkeys(names)
    waiting = [*reached]
    while waiting:
        more = [part for part in _parts_of(waiting.pop(), definition) if part not in reached]
        reached.update(dict.fromkeys(more))
        waiting += more
        if len(reached) > _FEW:
            return True
    found = components(reached, lambda name: _parts_of(name, definition))
    return any(len(component) > 1 or component[0] in _parts_of(component[0], definition) for component in found)


def _is_type(name: str, definition: Definition) -> bool:
    declared = definition(name)
    return declared is not None and declared.opcode.is_type


def may_close_cycle(record: Instruction) -> bool:
    """Whether a change of an instruction can put types on a cycle, or take them off one."""
    return record.opcode.is_type or record.opcode.value == spv.OpTypeForwardPointer


def _parts_of(name: str, definition: Definition) -> Sequence[str]:
    record = definition(name)
    return _parts(record) if record is not None and record.opcode.is_type else ()


def _parts(record: Instruction) -> list[str]:
    """The ids that a declaration names, each once: other types, and constants."""
    return [operand for operand in dict.fromkeys(record.operands) if isinstance(operand, str)]
