"""Signatures: what the instructions of a function have in common whose ids mean the same to rules on types and the like."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar.tables import NO_OPCODE
from spvls.module.forward_reference import may_be_forward
from spvls.module.module import Module
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction

Signature = tuple[object, ...]
"""Opcode, result type and operands. Ids that are defined before the first function, and functions, stand for themselves; an id of
the function at hand stands for the opcode and the type of its definition, and for itself as well where it is decorated."""


class SignatureReader:
    """Reads the signatures of the instructions of a function, or looks whether ids of instructions before the first one are in
    doubt.

    `in_order` says that of the instructions to come each is after the definitions of the ids of its chunk, as far as it must be, as
    one knows who has read them before: then the chunk is not gone through.
    """

    def __init__(self, module: Module, chunk: Chunk, *, in_order: bool) -> None:
        self._module = module
        self._is_global = module.is_sole_global
        self._scope = module.ids.scope(chunk)
        self._annotated = module.annotated_ids()
        self._own: dict[str, _OwnId] = {}
        self._find: Callable[[str], _OwnId | None] = self._own.get
        if in_order:
            self._find = self._looked_up
            return
        sole = module.ids.sole_names(chunk)
        for at, record in enumerate(chunk.records):
            if record.result is not None and record.result in sole and not record.faults:
                self._own[record.result] = at, self._meaning(record, record.result)

    def _looked_up(self, name: str) -> _OwnId | None:
        found = self._own.get(name)
        if found is None and name in self._scope.definitions:
            found = self._own[name] = -1, self._meaning(self._scope.definition(name), name)
        return found

    def _meaning(self, record: Instruction, name: str) -> tuple[object, ...]:
        """What an id of the chunk stands for."""
        return (record.opcode.value, record.type, name) if name in self._annotated else (record.opcode.value, record.type)

    def read(self, inst: Instruction, at: int) -> Signature | None:
        """The signature of the instruction at a place of the function; its context-dependent operands are read.

        None where an id is in doubt: that is not defined exactly once, or not before the instruction where it must be, or in
        another function.
        """
        opcode = inst.opcode.value
        find = self._find
        parts: list[object] = [opcode, inst.type]
        names: list[str] = []
        if inst.type is not None and not self._is_global(inst.type):
            return None
        if inst.result is not None:
            found = find(inst.result)
            if found is None:
                return None
            if len(found[1]) > 2:
                parts.append(found[1])
            names.append(inst.result)
        for index, operand in enumerate(inst.operands):
            if operand.__class__ is not str:
                parts.append(operand)
                continue
            found = find(operand)
            if found is not None:
                if found[0] >= at and not may_be_forward(opcode, index):
                    return None
                parts.append(found[1])
                names.append(operand)
            elif self._is_global(operand) or (may_be_forward(opcode, index) and self._module.is_sole_function(operand)):
                parts.append(operand)
            else:
                return None
        if len(names) > 1 and len(set(names)) != len(names):
            parts.append(("the same ids", *map(names.index, names)))
        return tuple(parts)


    def is_settled(self, inst: Instruction, at: int) -> bool:
        """Whether no id of the instruction at a place before the first function is in doubt."""
        find = self._find
        if inst.result is not None and find(inst.result) is None:
            return False
        found = find(inst.type) if inst.type is not None else None
        if inst.type is not None and (found is None or found[0] >= at):
            return False
        opcode = inst.opcode.value
        for index, operand in enumerate(inst.operands):
            if operand.__class__ is not str:
                continue
            found = find(operand)
            if found is not None and found[0] < at:
                continue
            if not may_be_forward(opcode, index) or (found is None and self._module.opcode_of(operand) == NO_OPCODE):
                return False
        return True


_OwnId = tuple[int, tuple[object, ...]]
"""Where an id of the function is defined, and what it stands for."""
