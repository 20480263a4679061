"""Pointers into matrices (SPIR-V 2.16.1)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.module.context_dependent import EXTENDED
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction, Operand
from spvls.validate.checks.pointers import BASE_PLACES, bases
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule
from spvls.validate.rules.pointer.logical_pointer import has_logical_pointers, logical_pointer

_CHAINS = {
    opcode: operand_index
    for opcode, operand_index in BASE_PLACES.items()
    if opcode in traits.ACCESS_CHAINS or opcode in traits.UNTYPED_ACCESS_CHAINS
}

_FOLLOWED = frozenset({*_CHAINS, spv.OpCopyObject, spv.OpSelect, spv.OpPhi, spv.OpStore, spv.OpReturnValue, spv.OpFunctionCall})
_MAKERS = frozenset({spv.OpPtrAccessChain, spv.OpUntypedPtrAccessChainKHR})
_PHYSICAL = StorageClass.PhysicalStorageBuffer


def enters_matrix(module: Module, chain: Instruction, reaches: bool = False) -> bool:
    """Whether an access chain indexes into a matrix; with `reaches`, or leads to one."""
    base = _CHAINS[chain.opcode.value]
    if len(chain.operands) <= base:
        return False
    if base == 1:
        named = id_at(chain, 0)
        type_ = module.type(named if isinstance(named, str) else None)
    else:
        pointer = module.type_of(id_at(chain, 0))
        type_ = pointer.pointee if pointer is not None else None
    indexes = chain.operands[base + (2 if chain.opcode.value in traits.POINTER_ACCESS_CHAINS else 1) :]
    for index in indexes:
        if type_ is None or type_.is_matrix:
            return type_ is not None
        type_ = _part(module, type_, index)
    return reaches and type_ is not None and type_.is_matrix


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
            case spv.OpSelect | spv.OpPhi | spv.OpPtrAccessChain | spv.OpUntypedPtrAccessChainKHR:
                yield user
            case spv.OpStore:
                if user.operands[1:2] == (pointer,):
                    yield user
            case spv.OpReturnValue:
                if self._module.callgraph.callers(function.name):
                    yield user
            case spv.OpFunctionCall:
                callee = self._module.body(id_at(user, 0))
                parameters = callee.parameters if callee is not None else []
                for argument, parameter in zip(user.operands[1:], parameters, strict=False):
                    if argument == pointer and parameter.result is not None and callee is not None:
                        yield callee, parameter.result
            case _:
                if user.result is not None:
                    yield function, user.result


@function_rule("pointer/variable-pointer-avoids-matrix-parts", section=sections.UNIVERSAL_VALIDATION_RULES)
def variable_pointer_avoids_matrix_parts(function: Function, context: RuleContext) -> Findings:
    """A variable pointer must not lead into a matrix, to one of its columns or components.

    Memory may hold a matrix row by row, so the components of a column need not be adjacent. A pointer that is known only when the
    shader runs does not carry this layout, so an access through it may read the wrong components.

    The rule checks modules with the capability VariablePointersStorageBuffer (SPV_KHR_variable_pointers). It reports access chains
    into a matrix, and untyped ones to a matrix, that are OpPtrAccessChain or OpUntypedPtrAccessChainKHR or whose result becomes a
    variable pointer: it is Base of one of these two, is selected by OpSelect or OpPhi, is stored in memory, or is returned by a
    function that is called. A pointer that is stored and never loaded again is reported too, which spirv-val accepts. Copies,
    further access chains and arguments of calls are followed. Pointers to PhysicalStorageBuffer are not checked. For access chains
    whose Base is a variable pointer see also `pointer/variable-pointer-target-is-permitted`. With Physical32, Physical64 or the
    option `relax-logical-pointer` or `before-hlsl-legalization`, the rule is off.
    """
    module = context.module
    if not module.has_capability(Capability.VariablePointersStorageBuffer) or not has_logical_pointers(context):
        return
    flow = _Flow(module)
    for record in function.records:
        if record.opcode.value not in _CHAINS or record.faults or record.result is None:
            continue
        reaches = record.opcode.value in traits.UNTYPED_ACCESS_CHAINS
        if logical_pointer(module, record.result) is None or not enters_matrix(module, record, reaches):
            continue
        where = "into" if enters_matrix(module, record) else "to"
        if record.opcode.value in _MAKERS:
            message = f"{record.opcode.name} makes %{record.result} a variable pointer, which must not point {where} a matrix"
            yield Finding(record, OPCODE, message)
            continue
        maker = flow.variable_pointer(function, record.result)
        if maker is not None:
            note = Note(maker, OPCODE, f"{maker.opcode.name} makes %{record.result} a variable pointer here")
            message = f"%{record.result} points {where} a matrix and must not become a variable pointer"
            yield Finding(record, OPCODE, message, (note,))


_LOAD_STORE = frozenset({spv.OpLoad, spv.OpStore})
_MATRIX = "a matrix in PhysicalStorageBuffer"
_USED = f"{_MATRIX} and may only be operand Pointer of OpLoad or OpStore, or operand Base of a typed access chain"


@function_rule("pointer/matrix-pointer-starts-at-struct", section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.WARNING)
def matrix_pointer_starts_at_struct(function: Function, context: RuleContext) -> Findings:
    """A pointer to a matrix in PhysicalStorageBuffer must come from an access chain on a structure.

    The decorations of the structure member say how the matrix is laid out: by rows or by columns, and with which stride. The
    pointer type does not contain them, so a compiler that does not find the structure may read the wrong components. Such a pointer
    may only be operand Pointer of OpLoad or OpStore, or Base of a typed access chain; other uses in functions are reported, except
    in non-semantic and debug instructions.

    The Base of the access chain, or of an earlier one, must point to a structure; structures that only indexes select do not count.
    SPIR-V names OpAccessChain and OpPtrAccessChain; the rule also accepts their InBounds forms, and OpCopyObject between two
    access chains. The rule checks modules with the capability PhysicalStorageBufferAddresses (SPV_KHR_physical_storage_buffer).
    Untyped pointers, and pointers to columns, components or arrays of matrices, are not checked. Only one fault in a function is
    reported.
    """
    module = context.module
    if not module.has_capability(Capability.PhysicalStorageBufferAddresses):
        return
    matrices = {r.result: r for r in function.records if r.result is not None and _to_matrix(module.type(r.type))}
    for name, record in matrices.items():
        if record.opcode.value not in traits.ACCESS_CHAINS or not _starts_at_struct(record, module):
            note = Note(record, OPCODE, f"%{name} is defined here")
            yield Finding(record, TYPE, f"%{name} points to {_MATRIX}{_is_not_from_struct(record)}", (note,))
            return
    for record in function.records:
        for operand_index, operand in enumerate(record.operands):
            if operand.__class__ is not str or not (operand in matrices or _to_matrix(module.type_of(operand))):
                continue
            if operand in matrices and operand_index == 0 and record.opcode.value in (_LOAD_STORE | traits.ACCESS_CHAINS):
                continue
            if record.opcode.value in EXTENDED and module.is_non_semantic(record):
                break
            fault = _USED if operand in matrices else f"{_MATRIX}{_is_not_from_struct(module.definition(operand))}"
            yield Finding(record, operand_index, f"%{operand!s} points to {fault}")
            return


def _is_not_from_struct(record: Instruction | None) -> str:
    """What is wrong with where a pointer comes from."""
    if record is None or record.opcode.value in traits.ACCESS_CHAINS:
        return ", so the access chain must start at a structure"
    return f" and is the result of {record.opcode.name}, expected the result of an access chain that starts at a structure"


def _to_matrix(type_: Type | None) -> bool:
    return type_ is not None and type_.storage == _PHYSICAL and type_.pointee is not None and type_.pointee.is_matrix


def _starts_at_struct(chain: Instruction, module: Module) -> bool:
    """Whether some link of the chains that lead to a pointer is a pointer to a structure."""
    for link in bases(module, id_at(chain, 0)):
        type_ = module.type(link.type)
        if type_ is not None and type_.pointee is not None and type_.pointee.is_struct:
            return True
    return False
