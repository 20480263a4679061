"""Signatures: what the instructions of a function have in common whose ids mean the same to rules on types and the like."""

from __future__ import annotations

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

    Instructions are read in their order, and those that are not read are `passed`, unless `in_order` says that each is after the
    definitions of the ids of its chunk, as far as it must be, as one knows who has read them before.
    """

    def __init__(self, module: Module, chunk: Chunk, *, in_order: bool) -> None:
        self._module = module
        self._globals = module.sole_globals
        self._scope = module.ids.scope(chunk)
        self._defining = module.ids.defining
        self._annotated = module.annotated_ids()
        self._in_order = in_order
        #: What the ids stand for whose definitions were read or passed.
        self._before: dict[str, tuple[object, ...]] = {}

    def passed(self, record: Instruction) -> None:
        """An instruction is not read; what comes next is after it."""
        meaning = self._meaning(record.result) if record.result is not None else None
        if record.result is not None and meaning is not None:
            self._before[record.result] = meaning

    def _meaning(self, name: str) -> tuple[object, ...] | None:
        """What an id stands for that is defined once, in the chunk; None for any other."""
        scope = self._scope
        if self._defining.get(name) is not scope:
            return None
        record = scope.definitions[name]
        if isinstance(record, list) or record.faults:
            return None
        return (record.opcode.value, record.type, name) if name in self._annotated else (record.opcode.value, record.type)

    def _ahead(self, opcode: int, operand_index: int, name: str) -> tuple[object, ...] | None:
        """What an id stands for that is used before its definition, where that may be; else None."""
        return self._meaning(name) if self._in_order or may_be_forward(opcode, operand_index) else None

    def read(self, inst: Instruction) -> Signature | None:
        """The signature of the next instruction of the function; its context-dependent operands are read.

        None where an id is in doubt: that is not defined exactly once, or not before the instruction where it must be, or in
        another function.
        """
        opcode, type_, result = inst.opcode.value, inst.type, inst.result
        before, globals_ = self._before, self._globals
        parts: list[object] = [opcode, type_]
        names: list[str] = []
        own: tuple[object, ...] | None = None
        if result is not None:
            own = self._meaning(result)
            if own is None:
                return None
            if len(own) > 2:
                parts.append(own)
            names.append(result)
        is_in_doubt = type_ is not None and not globals_[type_]
        for index, operand in enumerate(inst.operands) if not is_in_doubt else ():
            if operand.__class__ is not str:
                parts.append(operand)
                continue
            meaning = before.get(operand)
            if meaning is not None:
                parts.append(meaning)
                names.append(operand)
            elif globals_[operand]:
                parts.append(operand)
            elif (meaning := self._ahead(opcode, index, operand)) is not None:
                parts.append(meaning)
                names.append(operand)
            elif may_be_forward(opcode, index) and self._module.is_sole_function(operand):
                parts.append(operand)
            else:
                is_in_doubt = True
                break
        if result is not None and own is not None:
            before[result] = own
        if is_in_doubt:
            return None
        if len(names) > 1 and len(set(names)) != len(names):
            parts.append(("the same ids", *map(names.index, names)))
        return tuple(parts)

    def is_settled(self, inst: Instruction) -> bool:
        """Whether no id of the next instruction before the first function is in doubt."""
        opcode, result = inst.opcode.value, inst.result
        own = self._meaning(result) if result is not None else None
        before = self._before
        try:
            if result is not None and own is None:
                return False
            if inst.type is not None and inst.type not in before and (not self._in_order or self._meaning(inst.type) is None):
                return False
            for index, operand in enumerate(inst.operands):
                if operand.__class__ is not str or operand in before or self._ahead(opcode, index, operand) is not None:
                    continue
                if not may_be_forward(opcode, index) or self._module.opcode_of(operand) == NO_OPCODE:
                    return False
            return True
        finally:
            if result is not None and own is not None:
                before[result] = own
