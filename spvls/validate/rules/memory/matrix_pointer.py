"""Variable pointers and matrices (SPIR-V 2.16.1)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv, traits
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction, Operand
from spvls.validate.finding import Finding, Note
from spvls.validate.pointers import BASE_PLACES
from spvls.validate.rule import Findings, Scene, function_rule

_CHAINS = {
    opcode: place
    for opcode, place in BASE_PLACES.items()
    if opcode in traits.ACCESS_CHAINS or opcode in traits.UNTYPED_ACCESS_CHAINS
}

_FOLLOWED = frozenset({*_CHAINS, spv.OpCopyObject, spv.OpSelect, spv.OpPhi, spv.OpStore, spv.OpReturnValue, spv.OpFunctionCall})


def _enters_matrix(module: Module, chain: Instruction) -> bool:
    """Whether an access chain indexes into a matrix."""
    base = _CHAINS[chain.opcode.value]
    if len(chain.operands) <= base:
        return False
    if base == 1:
        named = chain.operands[0]
        type_ = module.type(named if isinstance(named, str) else None)
    else:
        pointer = module.type_of(chain.operands[0])
        type_ = pointer.pointee if pointer is not None else None
    indexes = chain.operands[base + (2 if chain.opcode.value in traits.POINTER_ACCESS_CHAINS else 1) :]
    for index in indexes:
        if type_ is None or type_.is_matrix:
            return type_ is not None
        type_ = _part(module, type_, index)
    return False


def _part(module: Module, type_: Type, index: Operand) -> Type | None:
    if not type_.is_struct:
        return type_.element
    number = module.integer(index)
    members = type_.members
    return members[number] if number is not None and 0 <= number < len(members) else None


class _Flow:
    """Where pointers go: which instructions of each function take a name."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._uses: dict[str, dict[str, list[Instruction]]] = {}

    def users(self, function: Function, name: str) -> list[Instruction]:
        known = self._uses.get(function.name)
        if known is None:
            known = self._uses[function.name] = {}
            for record in function.records:
                if record.opcode.value in _FOLLOWED:
                    for operand in record.operands:
                        if isinstance(operand, str):
                            known.setdefault(operand, []).append(record)
        return known.get(name, [])

    def variable_pointer(self, function: Function, name: str) -> Instruction | None:
        """What makes a variable pointer of a pointer, in the function or in those that it is passed to."""
        waiting = [(function, name)]
        seen = {(function.name, name)}
        while waiting:
            where, pointer = waiting.pop()
            for user in self.users(where, pointer):
                for target in self._targets(where, user, pointer):
                    if isinstance(target, Instruction):
                        return target
                    if (target[0].name, target[1]) not in seen:
                        seen.add((target[0].name, target[1]))
                        waiting.append(target)
        return None

    def _targets(
        self, function: Function, user: Instruction, pointer: str
    ) -> Iterator[Instruction | tuple[Function, str]]:
        """The instruction that makes a variable pointer, or the next names that the pointer goes by."""
        match user.opcode.value:
            case spv.OpSelect | spv.OpPhi:
                yield user
            case spv.OpStore:
                if user.operands[1:2] == (pointer,):
                    yield user
            case spv.OpReturnValue:
                if self._module.callgraph.callers(function.name):
                    yield user
            case spv.OpFunctionCall:
                callee = self._module.body(user.operands[0])
                parameters = callee.parameters if callee is not None else []
                for argument, parameter in zip(user.operands[1:], parameters, strict=False):
                    if argument == pointer and parameter.result is not None and callee is not None:
                        yield callee, parameter.result
            case _:
                if user.result is not None:
                    yield function, user.result


@function_rule("pointer/variable-into-matrix", section="2.16.1")
def variable_into_matrix(function: Function, scene: Scene) -> Findings:
    """A variable pointer does not point to a column of a matrix, or to a component of one.

    Matrices may be laid out by rows, so that what looks like a column is scattered over memory. A pointer is a variable one
    when it is selected, merged by OpPhi, loaded from memory or returned.

    Bad:  `%p = OpSelect %ptr_vec2 %c %column %null` where `%column = OpAccessChain %ptr_vec2 %matrix %index`
    Good: load what is pointed to, and select the values
    """
    module = scene.module
    if not module.has_capability("VariablePointersStorageBuffer"):
        return
    flow = _Flow(module)
    for record in function.records:
        if record.opcode.value not in _CHAINS or record.faults or record.result is None:
            continue
        if not _enters_matrix(module, record):
            continue
        maker = flow.variable_pointer(function, record.result)
        if maker is not None:
            note = Note(maker, OPCODE, f"{maker.opcode.name} makes a variable pointer of it")
            message = f"%{record.result} points into a matrix, and becomes a variable pointer, which must not"
            yield Finding(record, OPCODE, message, (note,))
