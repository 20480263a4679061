"""The ids whose type depends on that of one id: what is loaded, stored, computed, passed and returned along with it.

The type of components is the same in all of them; each is a scalar, a vector, or a pointer to one of these.
"""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.ide.refactor.component_operations import CONVERSIONS, linked, takes_any_integer
from spvls.ide.refactor.type_groups import are_more
from spvls.module.context_dependent import EXTENDED
from spvls.module.decorations import ANNOTATIONS
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import Instruction

_MOST = 400
"""Ids whose type changes at once."""
_CLOSE = 8
"""Ids that are followed, for a reason near to the first one, before it is asked whether there are too many."""
_TOO_MANY = f"More than {_MOST} ids depend on its type."

_OWN_STORAGE = frozenset({StorageClass.Function, StorageClass.Private, StorageClass.Workgroup})
"""Storage classes whose variables nothing outside of the module sees."""

_DECORATIONS = frozenset(
    {
        Decoration.RelaxedPrecision, Decoration.NoContraction, Decoration.Restrict, Decoration.Aliased, Decoration.Location,
        Decoration.Flat,
    }
)  # fmt: skip
"""Decorations that go with any type of number, RelaxedPrecision with one of 32 bits."""


class NotPossibleError(Exception):
    """A type cannot be changed; the message is the reason."""


def shape(type_: Type | None) -> Type | None:
    """The scalar or vector that a type is or points to; None for others."""
    if type_ is not None and type_.kind == spv.OpTypePointer:
        type_ = type_.pointee
    if type_ is None or type_.scalar is None or not type_.scalar.is_numeric or type_.scalar.encoding is not None:
        return None
    return type_ if type_.is_scalar or type_.kind == spv.OpTypeVector else None


class Connected:
    """What is connected with an id.

    `ids` have another type then, in the order in which they were found; `copies` are operands that are constants, which other
    constants take the place of: the instruction and the index of the operand. `records` are all instructions that say something
    about the ids; `conversions` those of them that convert, `indexed` those that take one as an index. `returning` are the
    functions that return one.
    """

    def __init__(self, origin: Instruction, module: Module) -> None:
        """Raises `NotPossibleError` where an instruction cannot take another type."""
        self.module = module
        self.origin = origin
        self.ids: dict[str, Instruction] = {}
        self.copies: list[tuple[Instruction, int]] = []
        self.records: dict[int, Instruction] = {}
        self.conversions: dict[int, Instruction] = {}
        self.indexed: dict[int, Instruction] = {}
        self.returning: dict[str, Function] = {}
        type_ = shape(module.type_of(origin.result))
        if type_ is None or type_.scalar is None:
            raise NotPossibleError("It is neither a number, a vector of numbers, nor a pointer to one.")
        self.scalar = type_.scalar
        self._waiting: list[str] = []
        self._add(str(origin.result), origin)
        while self._waiting:
            self._follow(self._waiting.pop())

    def _add(self, name: str, by: Instruction) -> None:
        if name in self.ids:
            return
        module = self.module
        record = module.definition(name)
        self._check_shape(name, by)
        if record is None:
            raise NotPossibleError(f"%{name} has no definition.")
        self._check_readable(record)
        for found in module.decorations(name):
            if found.value not in _DECORATIONS or found.group is not None:
                raise NotPossibleError(f"%{name} has a decoration that depends on its type.")
        if record.opcode.value == spv.OpVariable and record is not self.origin and record.operands[0] not in _OWN_STORAGE:
            raise NotPossibleError(f"It depends on %{name}, which is a part of the interface of the module.")
        count = len(self.ids)
        if count >= _MOST or (count == _CLOSE and are_more(str(self.origin.result), _MOST, module)):
            raise NotPossibleError(_TOO_MANY)
        self.ids[name] = record
        self._waiting.append(name)

    def _check_readable(self, record: Instruction) -> None:
        if record.faults:
            raise NotPossibleError(f"An instruction that it depends on is malformed: {record.opcode.name}.")

    def _check_shape(self, name: str, by: Instruction) -> None:
        given = self.module.type_of(name)
        type_ = shape(given)
        if type_ is None or type_.scalar is None or type_.scalar.id != self.scalar.id:
            raise NotPossibleError(f"{by.opcode.name} connects it with %{name}, {self.module.spell(given)}.")

    def _follow(self, name: str) -> None:
        record = self.ids[name]
        if record.opcode.value == spv.OpFunctionParameter:
            self._parameter(name)
        elif record.opcode.value != spv.OpConstant:
            self._visit(record, name)
        for chunk, use in self.module.ids.uses(name):
            if use.opcode.value == spv.OpReturnValue:
                self._result_of(chunk.records[0].result)
            elif not self._only_speaks(use, name):
                self._visit(use, name)

    def _only_speaks(self, use: Instruction, name: str) -> bool:
        """Whether a use takes an id of any type; instructions of debug information take constants as numbers."""
        self._check_readable(use)
        opcode = use.opcode.value
        if opcode in EXTENDED and not self.module.is_constant(name):
            return self.module.is_non_semantic(use)
        return opcode in ANNOTATIONS | {spv.OpName, spv.OpEntryPoint}

    def _visit(self, record: Instruction, name: str) -> None:
        """Follows an instruction that defines or uses an id."""
        self._check_readable(record)
        self.records[id(record)] = record
        opcode = record.opcode.value
        if opcode in CONVERSIONS:
            self.conversions[id(record)] = record
            return
        if opcode == spv.OpFunctionCall:
            self._call(record, name)
            return
        found = linked(record, self.module.extended_instruction(record) if opcode == spv.OpExtInst else None)
        if found is None:
            raise NotPossibleError(f"{record.opcode.name} does not take another type for %{name}.")
        places, has_result = found
        is_linked = (has_result and record.result == name) or any(record.operands[at] == name for at in places)
        for at, operand in enumerate(record.operands):
            if operand == name and at not in places:
                if not takes_any_integer(record, at):
                    raise NotPossibleError(f"{record.opcode.name} does not take another type for %{name}.")
                self.indexed[id(record)] = record
        if not is_linked:
            return
        for at in places:
            self._operand(record, at)
        if has_result and record.result is not None:
            self._add(record.result, record)

    def _operand(self, record: Instruction, at: int) -> None:
        """Takes in an operand; of a constant, a copy."""
        name = str(record.operands[at])
        if name in self.ids:
            return
        if self.module.is_constant(name) or (self.module.opcode_of(name) == spv.OpUndef and self.module.is_global(name)):
            self._check_shape(name, record)
            if (record, at) not in self.copies:
                self.copies.append((record, at))
        else:
            self._add(name, record)

    # Functions

    def _function(self, name: str | None) -> Function:
        function = self.module.function_named(name)
        if function is None or function.is_declaration or function.damaged or not function.whole:
            raise NotPossibleError(f"%{name} has no body that can be changed.")
        entries = {entry.function for entry in self.module.declarations.entry_points}
        if self.module.decorations(function.name) or function.name in entries:
            raise NotPossibleError(f"%{name} may be called from outside of the module.")
        for _, use in self.module.ids.uses(function.name):
            if use.opcode.value not in (spv.OpFunctionCall, spv.OpName) and use is not function.record:
                raise NotPossibleError(f"{use.opcode.name} names %{name}, whose type may not change.")
        return function

    def _calls(self, function: Function) -> list[Instruction]:
        uses = (use for _, use in self.module.ids.uses(function.name))
        return [use for use in uses if use.opcode.value == spv.OpFunctionCall and use.operands[0] == function.name]

    def _parameter(self, name: str) -> None:
        function = self._function(self.module.owner_of(name))
        parameters = [parameter.result for parameter in function.parameters]
        if name not in parameters:
            raise NotPossibleError(f"%{name} is not at the beginning of %{function.name}.")
        at = parameters.index(name) + 1
        for call in self._calls(function):
            if at >= len(call.operands):
                raise NotPossibleError(f"A call of %{function.name} lacks an argument.")
            self._check_readable(call)
            self.records[id(call)] = call
            self._operand(call, at)

    def _call(self, call: Instruction, name: str) -> None:
        function = self._function(str(call.operands[0]))
        for parameter, given in zip(function.parameters, call.operands[1:], strict=False):
            if given == name:
                self._add(str(parameter.result), call)
        if call.result == name:
            self._result_of(function.name)

    def _result_of(self, name: str | None) -> None:
        function = self._function(name)
        if function.name in self.returning:
            return
        self.returning[function.name] = function
        for record in function.records:
            if record.opcode.value == spv.OpReturnValue:
                self._check_readable(record)
                self.records[id(record)] = record
                self._operand(record, 0)
        for call in self._calls(function):
            self.records[id(call)] = call
            self._add(str(call.result), call)
