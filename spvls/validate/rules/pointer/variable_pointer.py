"""Variable pointers: what they may point to (SPIR-V 2.16.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.module.variable import held_by, initializer
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction, Operand
from spvls.validate.checks.pointers import BASE_PLACES
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.rules.pointer.logical_pointer import has_logical_pointers, is_logical_pointer, logical_pointer
from spvls.validate.rules.pointer.matrix_pointer import enters_matrix

_SOURCES = frozenset({StorageClass.StorageBuffer, StorageClass.Workgroup})
_FUNCTION, _PRIVATE = StorageClass.Function, StorageClass.Private

#: Instructions whose result is a variable pointer, wherever their operands come from.
MAKERS = frozenset(
    {
        spv.OpPtrAccessChain, spv.OpUntypedPtrAccessChainKHR, spv.OpUntypedInBoundsPtrAccessChainKHR, spv.OpLoad, spv.OpSelect,
        spv.OpPhi, spv.OpFunctionCall, spv.OpConstantNull,
    }
)  # fmt: skip
_UNTYPED_CHAINS = frozenset({spv.OpUntypedAccessChainKHR, spv.OpUntypedInBoundsAccessChainKHR})
_LENGTHS = {spv.OpArrayLength: 0, spv.OpUntypedArrayLengthKHR: 1}


class _Pointers:
    """Where pointers come from, across calls."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._variable: dict[str, bool] = {}

    def is_variable(self, name: Operand | None) -> bool:
        """Whether an id is a variable pointer."""
        if not isinstance(name, str):
            return False
        known = self._variable.get(name)
        if known is None:
            self._variable[name] = False  # for one that is made of itself
            known = self._variable[name] = self._find(name)
        return known

    def _find(self, name: str) -> bool:
        maker = self._module.definition(name)
        if maker is None or logical_pointer(self._module, name) is None:
            return False
        if maker.opcode.value in MAKERS:
            return True
        if maker.opcode.value == spv.OpFunctionParameter:
            return any(self.is_variable(argument) for argument in self._arguments(maker))
        return any(self.is_variable(operand) for operand in maker.operands)

    def _arguments(self, parameter: Instruction) -> Iterator[Operand]:
        """What is passed for a parameter, in all calls of its function."""
        owner = self._module.owner_of(parameter.result or "")
        function = self._module.body(owner)
        if function is None:
            return
        operand_index = next((at for at, record in enumerate(function.parameters, 1) if record is parameter), None)
        for caller in self._module.callgraph.callers(function.name):
            body = self._module.body(caller)
            for call in body.calls() if body is not None else ():
                if call.operands[:1] == (function.name,) and operand_index is not None and operand_index < len(call.operands):
                    yield call.operands[operand_index]

    def origins(self, name: Operand | None, whole: bool = False) -> Iterator[Instruction]:
        """What a pointer may come from: the variables and other makers at the ends, through selections, loads and calls.

        With `whole`, access chains are not followed: what is left points to the whole variable.
        """
        seen: set[str] = set()
        waiting: list[Operand | None] = [name]
        while waiting:
            pointer = waiting.pop()
            if not isinstance(pointer, str) or pointer in seen:
                continue
            seen.add(pointer)
            maker = self._module.definition(pointer)
            if maker is None:
                continue
            yield maker
            waiting.extend(self._before(maker, whole))

    def _before(self, maker: Instruction, whole: bool) -> Iterator[Operand]:
        opcode = maker.opcode.value
        operand_index = BASE_PLACES.get(opcode)
        if operand_index is not None:
            if operand_index < len(maker.operands) and (not whole or opcode == spv.OpCopyObject):
                yield maker.operands[operand_index]
        elif opcode == spv.OpPhi:
            yield from maker.operands[::2]
        elif opcode == spv.OpSelect:
            yield from maker.operands[1:]
        elif opcode == spv.OpLoad:
            yield from maker.operands[:1]
        elif opcode == spv.OpFunctionParameter:
            yield from self._arguments(maker)
        elif opcode == spv.OpFunctionCall:
            callee = self._module.body(id_at(maker, 0))
            for record in callee.records if callee is not None else ():
                if record.opcode.value == spv.OpReturnValue:
                    yield from record.operands[:1]
        elif opcode in VARIABLES and word_at(maker, 0) in (_FUNCTION, _PRIVATE):
            begin = initializer(maker)
            if begin is not None:
                yield begin
            yield from self._stored(maker)

    def _stored(self, variable: Instruction) -> Iterator[Operand]:
        """What is stored in a variable: by its function, or by all where it is in Private."""
        owners: Iterable[str | None] = (self._module.owner_of(variable.result or ""),)
        if word_at(variable, 0) == _PRIVATE:
            self._module.reads.module.add(spv.OpFunction)
            owners = [function.name for function in self._module.functions()]
        for function in filter(None, map(self._module.body, owners)):
            into = {variable.result}
            for record in function.records:
                opcode = record.opcode.value
                operand_index = BASE_PLACES.get(opcode)
                if operand_index is not None and operand_index < len(record.operands) and record.operands[operand_index] in into:
                    into.add(record.result)
                elif opcode == spv.OpStore and id_at(record, 0) in into and len(record.operands) > 1:
                    yield record.operands[1]


def _is_block_array(module: Module, type_: Type | None) -> bool:
    element = type_.element if type_ is not None and type_.is_array else None
    return (
        element is not None
        and element.is_struct
        and (module.has_decoration(element.id, Decoration.Block) or module.has_decoration(element.id, Decoration.BufferBlock))
    )


@function_rule("pointer/selected-pointers-share-variable", section=sections.UNIVERSAL_VALIDATION_RULES)
def selected_pointers_share_variable(function: Function, context: RuleContext) -> Findings:
    """With VariablePointersStorageBuffer only, OpSelect and OpPhi must select pointers into one structure.

    With VariablePointersStorageBuffer but without VariablePointers (SPV_KHR_variable_pointers), a device may represent a pointer as
    an offset into one buffer. It then cannot represent a choice between two buffers, and may access the wrong one. A null pointer
    may be selected as well.

    The rule reports an OpSelect or OpPhi of logical pointers whose result may come from different variables in StorageBuffer or
    Workgroup, also through calls and variables in Private and Function. `pointer/logical-operand-is-permitted` also reports
    selections in Workgroup, because all of these require VariablePointers. Elements of one array of blocks are not distinguished.
    With Physical32, Physical64 or the option `relax-logical-pointer` or `before-hlsl-legalization`, the rule is off.
    """
    module = context.module
    if not module.has_capability(Capability.VariablePointersStorageBuffer) or module.has_capability(Capability.VariablePointers):
        return
    if not has_logical_pointers(context):
        return
    pointers = _Pointers(module)
    for record in function.records:
        if record.opcode.value not in (spv.OpSelect, spv.OpPhi) or logical_pointer(module, record.result) is None:
            continue
        variables = {
            maker.result: maker
            for maker in pointers.origins(record.result)
            if maker.opcode.value in VARIABLES and word_at(maker, 0) in _SOURCES
        }
        if len(variables) > 1:
            names = listed([f"%{name}" for name in variables])
            notes = tuple(Note(maker, RESULT, f"%{name} is declared here") for name, maker in variables.items())
            message = f"%{record.result} can point into {names}; choosing between them requires the capability VariablePointers"
            yield Finding(record, OPCODE, message, notes)


@function_rule("pointer/variable-pointer-target-is-permitted", section=sections.UNIVERSAL_VALIDATION_RULES)
def variable_pointer_target_is_permitted(function: Function, context: RuleContext) -> Findings:
    """A variable pointer must not point to matrices or arrays of blocks, nor be used by OpArrayLength.

    A driver may generate the access to a matrix by the layout that it finds at the variable, and to a block by its descriptor. A
    pointer that is known only when the shader runs need not carry either. For the same reason a variable pointer must not be the
    operand of OpArrayLength or OpUntypedArrayLengthKHR (SPV_KHR_untyped_pointers): the descriptor with the size of the buffer is
    not known.

    The rule checks logical pointers in modules with VariablePointersStorageBuffer (SPV_KHR_variable_pointers). Variable pointers
    are the results of OpSelect, OpPhi, OpLoad, OpFunctionCall, OpPtrAccessChain, OpUntypedPtrAccessChainKHR, OpConstantNull and, as
    in spirv-val, OpUntypedInBoundsPtrAccessChainKHR, what is made from them, and parameters that they are passed for. For null
    pointers themselves see `pointer/null-pointer-target-is-permitted`.

    A typed pointer must not point to a structure or an array that contains a matrix either. Of an untyped one, the rule reports an
    OpLoad or OpStore of a matrix or of what contains one, an OpUntypedAccessChainKHR or OpUntypedInBoundsAccessChainKHR that leads
    to a matrix or into it, and a pointer to a whole variable that holds an array of blocks. As in spirv-val, arrays of arrays of
    blocks are not reported. For other pointers into matrices see `pointer/variable-pointer-avoids-matrix-parts`. With Physical32,
    Physical64 or the option `relax-logical-pointer` or `before-hlsl-legalization`, the rule is off.
    """
    module = context.module
    if not module.has_capability(Capability.VariablePointersStorageBuffer) or not has_logical_pointers(context):
        return
    pointers = _Pointers(module)
    for record in function.records:
        opcode = record.opcode.value
        if opcode in _LENGTHS:
            operand_index = _LENGTHS[opcode]
            if operand_index < len(record.operands) and pointers.is_variable(record.operands[operand_index]):
                message = f"{operand(record, operand_index)} of {record.opcode.name} must not be a variable pointer"
                yield Finding(record, operand_index, message)
            continue
        if opcode in (spv.OpLoad, spv.OpStore):
            yield from _matrix_access(record, module, pointers)
        type_ = module.type(record.type)
        if type_ is None or not is_logical_pointer(type_) or not pointers.is_variable(record.result):
            continue
        shown = f"%{record.result} is a variable pointer"
        if type_.kind == spv.OpTypeUntypedPointerKHR:
            if opcode in _UNTYPED_CHAINS and enters_matrix(module, record, reaches=True):
                yield Finding(record, OPCODE, f"{shown} and must not point to a matrix or a part of one")
                continue
            for maker in pointers.origins(record.result, whole=True):
                if maker.opcode.value in VARIABLES and _is_block_array(module, held_by(maker, module)):
                    yield Finding(record, OPCODE, f"{shown} and must not point to %{maker.result}, which holds an array of blocks")
                    break
        else:
            yield from _pointee(record, type_, module)


def _pointee(record: Instruction, type_: Type, module: Module) -> Findings:
    shown = f"%{record.result} is a {'null' if record.opcode.value == spv.OpConstantNull else 'variable'} pointer"
    if _is_block_array(module, type_.pointee):
        yield Finding(record, TYPE, f"{shown} and must not point to {module.spell(type_.pointee)}, an array of blocks")
    elif spv.OpTypeMatrix in module.contents(type_.element_id, behind_pointers=False):
        yield Finding(record, TYPE, f"{shown} and must not point to {_matrix(type_.pointee, module)}")


def _matrix(type_: Type | None, module: Module) -> str:
    """What is or contains a matrix."""
    what = "a matrix" if type_ is not None and type_.is_matrix else "which contains a matrix"
    return f"{module.spell(type_)}, {what}"


@instruction_rule("pointer/null-pointer-target-is-permitted", spv.OpConstantNull, section=sections.UNIVERSAL_VALIDATION_RULES)
def null_pointer_target_is_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """A logical null pointer must not point to a matrix, to a type with one, or to an array of blocks.

    A null pointer is a variable pointer, which must not point to these types: the layout of a matrix is known only from a structure
    member, and the descriptor of a block only from a variable. As in spirv-val, arrays of arrays of blocks are not reported. The
    rule checks logical pointers that are typed, in modules with the capability VariablePointersStorageBuffer
    (SPV_KHR_variable_pointers); without it see `pointer/logical-result-is-permitted`. With Physical32, Physical64 or the option
    `relax-logical-pointer`, the rule is off.
    """
    module = context.module
    if not module.has_capability(Capability.VariablePointersStorageBuffer):
        return
    type_ = module.type(inst.type)
    if type_ is None or type_.kind != spv.OpTypePointer or not is_logical_pointer(type_):
        return
    if has_logical_pointers(context):
        yield from _pointee(inst, type_, module)


def _matrix_access(record: Instruction, module: Module, pointers: _Pointers) -> Findings:
    """The finding that a matrix is read or written through an untyped variable pointer."""
    pointer = module.type_of(record.operands[0]) if record.operands else None
    if pointer is None or pointer.kind != spv.OpTypeUntypedPointerKHR or not pointers.is_variable(record.operands[0]):
        return
    value_type = module.type(record.type) if record.opcode.value == spv.OpLoad else module.type_of(id_at(record, 1))
    if value_type is not None and spv.OpTypeMatrix in module.contents(value_type.id, behind_pointers=False):
        message = f"{operand(record, 0)} is a variable pointer and must not point to {_matrix(value_type, module)}"
        yield Finding(record, 0, message)
