"""Specialization: constants by the values that an application gives them, and the code that these leave (SPIR-V 2.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.module.constants import CONSTANT_OPCODES, Constant, Value, evaluate, number
from spvls.module.fold import fold
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction

CHOSEN = frozenset({spv.OpSpecConstant, spv.OpSpecConstantTrue, spv.OpSpecConstantFalse})
"""The instructions that an application may give a value."""

PLAIN = {
    spv.OpSpecConstantTrue: spv.OpConstantTrue,
    spv.OpSpecConstantFalse: spv.OpConstantFalse,
    spv.OpSpecConstant: spv.OpConstant,
    spv.OpSpecConstantComposite: spv.OpConstantComposite,
    spv.OpSpecConstantCompositeReplicateEXT: spv.OpConstantCompositeReplicateEXT,
}
"""What instructions that are specialized in place become."""


def spec_constants(module: Module) -> Iterator[Instruction]:
    """The instructions that an application may give a value, in order."""
    for record in module.chunks[0].records:
        if record.opcode.value in CHOSEN and record.result is not None and not record.faults and not record.raw:
            yield record


def spec_id(module: Module, name: str) -> int | None:
    """The number by which an application names a constant."""
    found = module.decoration(name, Decoration.SpecId)
    given = found.params[0] if found is not None and found.params else None
    return given if isinstance(given, int) else None


class Specialization:
    """The constants of a module once some of them have other values than their defaults.

    `given` are values by id. `constants` are all constants with the values that they have then; those that may still be
    specialized are `specialized`: without `full`, what has no value given and what is made of it.
    """

    def __init__(self, module: Module, given: Mapping[str, Value], *, full: bool) -> None:
        self._module = module
        self.given = given
        self.constants: dict[str, Constant] = {}
        for record in module.chunks[0].records:
            if record.opcode.value in CONSTANT_OPCODES and record.result is not None and not record.faults and not record.raw:
                self.constants[record.result] = self._constant(record, full)

    def _constant(self, record: Instruction, full: bool) -> Constant:
        name = record.result or ""
        type_ = self._module.type(record.type)
        if name in self.given:
            return Constant(record, type_, self.given[name], False)
        found = evaluate(record, self._module.resolved(record).operands, type_, self.constants.get)
        if record.opcode.value in CHOSEN:
            return found._replace(specialized=not full)
        parts = [self.constants.get(operand) for operand in record.operands if isinstance(operand, str)]
        return found._replace(specialized=any(part is not None and part.specialized for part in parts))

    # Functions

    def results(self, function: Function) -> dict[str, Constant]:
        """What instructions of a function make of constants alone, where these have their last values."""
        found: dict[str, Constant] = {}

        def known(name: str) -> Constant | None:
            constant = found.get(name) or self.constants.get(name)
            return constant if constant is not None and not constant.specialized else None

        for block in self._in_order(function):
            for record in block.records:
                if record.opcode.value in SPECIALIZABLE and record.result is not None and not record.raw:
                    operands = self._module.resolved(record).operands
                    type_ = self._module.type(record.type)
                    value = fold((record.opcode.value, *operands), type_, known)
                    if value is not None:
                        found[record.result] = Constant(record, type_, value, False)
        return found

    def unreachable(self, function: Function) -> list[Block]:
        """The blocks that branches on constants no longer lead to, in order; not those that no branch leads to anyway."""
        entry = function.entry
        if entry is None:
            return []
        results = self.results(function)
        reached = {entry.name}
        pending = [entry]
        while pending:
            for target in self._taken(pending.pop(), results):
                if target not in reached and target in function.blocks:
                    reached.add(target)
                    pending.append(function.blocks[target])
        return [function.blocks[name] for name in function.blocks if name in function.dominators.depth and name not in reached]

    def _in_order(self, function: Function) -> Iterator[Block]:
        """The blocks of a function that can be reached, each after those that dominate it."""
        return (function.blocks[name] for name in function.dominators.order)

    def _taken(self, block: Block, results: Mapping[str, Constant]) -> tuple[str, ...]:
        """The labels that the terminator of a block may lead to."""
        last = block.terminator
        if last is None or last.opcode.value not in (spv.OpBranchConditional, spv.OpSwitch):
            return block.successors
        name = id_at(last, 0) or ""
        constant = results.get(name) or self.constants.get(name)
        if constant is None or constant.specialized or constant.value is None:
            return block.successors
        if last.opcode.value == spv.OpBranchConditional:
            target = last.operands[1 if constant.value else 2]
        else:
            operands = self._module.resolved(last).operands
            cases = zip(operands[2::2], operands[3::2], strict=False)
            wanted = (label for literal, label in cases if number(literal, constant.type) == constant.value)
            target = next(wanted, operands[1])
        return (target,) if isinstance(target, str) else block.successors
