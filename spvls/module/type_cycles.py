"""Types that contain themselves (SPIR-V 2.16.1): they have no size and no value, and so are not types to anyone who asks."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import spv
from spvls.module.recursion import components
from spvls.syntax.instruction import Instruction

Definition = Callable[[str], Instruction | None]


def recursive_types(declarations: list[Instruction], definition: Definition) -> dict[str, tuple[str, ...]]:
    """The ids of the types on a cycle, each with the ids of its cycle.

    `declarations` are the type declarations. A pointer type that an OpTypeForwardPointer among them announces may lead back
    to a type that it is a part of.
    """
    opened = {record.operands[0] for record in declarations if record.opcode.value == spv.OpTypeForwardPointer and record.operands}
    known: set[str] = set()
    later: list[str] = []
    for record in declarations:
        if record.result is None:
            continue
        if record.result not in opened:
            for part in record.operands:
                if part.__class__ is str and part not in known and _is_type(str(part), definition):
                    later.append(record.result)  # every cycle needs one that is declared after what it is a part of
                    break
        if definition(record.result) is record:  # another one with its id is not part of any type, wherever it stands
            known.add(record.result)

    def parts(name: str) -> list[str]:
        record = definition(name)
        return _parts(record) if record is not None and record.opcode.is_type and name not in opened else []

    found: dict[str, tuple[str, ...]] = {}
    for component in components(later, parts) if later else ():
        if len(component) > 1 or component[0] in parts(component[0]):
            found.update(dict.fromkeys(component, tuple(sorted(component))))
    return found


def _is_type(name: str, definition: Definition) -> bool:
    declared = definition(name)
    return declared is not None and declared.opcode.is_type


def may_close_cycle(record: Instruction) -> bool:
    """Whether a change of an instruction can put types on a cycle, or take them off one."""
    return record.opcode.is_type or record.opcode.value == spv.OpTypeForwardPointer


def _parts(record: Instruction) -> list[str]:
    """The ids that a declaration names, each once: other types, and constants."""
    return [operand for operand in dict.fromkeys(record.operands) if isinstance(operand, str)]
