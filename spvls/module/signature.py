"""Signatures: what the instructions of a function have in common whose ids mean the same to rules on types and the like."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.forward_reference import may_be_forward
from spvls.module.ids import Scope
from spvls.module.module import Module
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction

Signature = tuple[object, ...]
"""Opcode, result type and operands. Ids that are defined before the first function, and functions, stand for themselves; an id of
the function at hand stands for the opcode and the type of its definition, and for itself as well where it is decorated."""


class SignatureReader:
    """Reads the signatures of the instructions of a function, which are passed in order by `pass_by`."""

    def __init__(self, module: Module, chunk: Chunk) -> None:
        self._ids = module.ids
        self._main: Scope = module.ids.scope(module.chunks[0])
        self._own: Scope = module.ids.scope(chunk)
        self._annotated = module.annotated_ids()
        self._parts: dict[str, object] = {}

    def pass_by(self, name: str) -> None:
        """An instruction of the function that defines `name` is passed: those after it may use it."""
        part = self._part(name)
        if part is not None:
            self._parts[name] = part

    def read(self, inst: Instruction) -> Signature | None:
        """The signature of an instruction, whose context-dependent operands are read.

        None where an id is in doubt: that is not defined exactly once, or after the instruction where it must be before it, or
        in another function.
        """
        opcode = inst.opcode.value
        parts: list[object] = [opcode]
        names: list[str] = []
        known = self._parts
        if inst.result is not None:
            part = self._part(inst.result)
            if part is None:
                return None
            if len(part) > 2:
                parts.append(part)
            names.append(inst.result)
        if inst.type is not None:
            declared = known.get(inst.type) or self._elsewhere(inst.type)
            if declared is None:
                return None
            parts.append(declared)
        for at, operand in enumerate(inst.operands):
            if operand.__class__ is not str:
                parts.append(operand)
                continue
            meant = known.get(operand)
            if meant is None:
                meant = self._elsewhere(operand) or (self._part(operand) if may_be_forward(opcode, at) else None)
                if meant is None:
                    return None
            parts.append(meant)
            if meant.__class__ is tuple:
                names.append(operand)
        if len(names) > 1 and len(set(names)) != len(names):
            parts.append(("the same ids", *map(names.index, names)))
        return tuple(parts)

    def _part(self, name: str) -> tuple[object, ...] | None:
        """What an id of the function stands for; None for another one, and for one that is in doubt."""
        if self._ids.sole_scope(name) is not self._own:
            return None
        definition = self._own.definitions[name][0]
        if definition.faults:
            return None
        if name in self._annotated:
            return definition.opcode.value, definition.type, name
        return definition.opcode.value, definition.type

    def _elsewhere(self, name: str) -> str | None:
        """An id that stands for itself: one of before the first function, or a function."""
        scope = self._ids.sole_scope(name)
        if scope is None or (scope is not self._main and scope.definitions[name][0].opcode.value != spv.OpFunction):
            return None
        if scope is self._own or scope.definitions[name][0].faults:
            return None
        self._parts[name] = name
        return name
