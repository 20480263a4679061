"""Another type for an id, and for all whose type depends on it: constants, what is loaded, stored, computed, passed and returned.

Operations become those that do the same for numbers of the new kind, and conversions become those from or to the new type.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Decoration, ExecutionModel, StorageClass
from spvls.ide.documentation.value_text import float_text
from spvls.ide.refactor.component_operations import extended_for, operation_for
from spvls.ide.refactor.connected import Connected, NotPossibleError, shape
from spvls.ide.refactor.refactoring import REWRITE, Refactoring, refusal
from spvls.ide.refactor.rewrite import Rewrite
from spvls.ide.refactor.site import Site
from spvls.module.module import Module
from spvls.module.sections import Section
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.kinds import has_small_types
from spvls.validate.engine.finding import InsertBefore, Replace
from spvls.validate.fixes.common import conversion, declared, decorate

_MOST = 4
"""Types that are offered for an id."""


def retype_uses_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the id that the cursor's line defines; not where several lines are selected, which are more than an id."""
    record, module = site.record, site.module
    if not site.is_of_one_line or record is None or record.result is None or not _has_type_of_its_own(record, module):
        return
    given = shape(module.type_of(record.result))
    candidates = [] if given is None or given.scalar is None else _candidates(given.scalar, module)
    if given is None or not candidates:
        return
    what = f"the components of %{record.result}" if given.is_vector else f"%{record.result}"
    try:
        connected = Connected(record, module)
    except NotPossibleError as reason:
        yield refusal("retype-uses", f"Change the type of {what} through all its uses", REWRITE, str(reason))
        return
    for type_ in candidates:
        key, title = f"retype-uses:{type_.id}", f"Change {what} from %{connected.scalar.id} to %{type_.id} through all its uses"
        retyping = _Retyping(site, connected, type_)
        try:
            retyping.check()
        except NotPossibleError as reason:
            yield refusal(key, title, REWRITE, str(reason))
        else:
            yield Refactoring(key, title, REWRITE, retyping.edits)


def _has_type_of_its_own(record: Instruction, module: Module) -> bool:
    opcode = record.opcode.value
    return opcode in (spv.OpVariable, spv.OpConstant) or (opcode != spv.OpFunction and not module.is_global(str(record.result)))


def _candidates(given: Type, module: Module) -> list[Type]:
    found = (module.type(record.result) for record in module.chunks[0].records if record.opcode.value in _NUMBERS)
    fit = [
        type_
        for type_ in found
        if type_ is not None and type_.id != given.id and _is_usual(type_) and not has_small_types(module, type_.id)
    ]
    return fit[:_MOST]


def _is_usual(type_: Type) -> bool:
    return type_.encoding is None and type_.width in (_LIMITS if type_.is_float else _WIDTHS)


_WIDTHS = (8, 16, 32, 64)
_NUMBERS = (spv.OpTypeInt, spv.OpTypeFloat)
_IN_OUT = (StorageClass.Input, StorageClass.Output)
_LIMITS = {16: (11, 6.104e-5, 65504.0), 32: (24, 1.1755e-38, 3.4028e38), 64: (53, 2.2251e-308, 1.7976e308)}
"""By the width of floats: the bits of integers that are floats too, and about the smallest normal and the largest number."""


class _Retyping:
    """Puts numbers of `type_` in the place of those of connected ids."""

    def __init__(self, site: Site, connected: Connected, type_: Type) -> None:
        self.site = site
        self.module = site.module
        self.connected = connected
        self.type = type_
        self.globals = sorted(
            (record for name, record in connected.ids.items() if site.module.is_global(name)), key=site.module.global_place
        )

    # Whether it is possible

    def check(self) -> None:
        """Raises `NotPossibleError` where an instruction does not take the type."""
        for record in self.connected.records.values():
            if id(record) in self.connected.conversions:
                self._conversion(record)
            else:
                self._operation(record)
        for record in self.connected.indexed.values():
            if not self.type.is_int:
                raise NotPossibleError(f"{record.opcode.name} has it as an index, which must be an integer.")
        for record, at in self.connected.copies:
            self._check_constant(str(record.operands[at]))
        if self.type.width != _SINGLE:
            for name in self.connected.ids:
                if self.module.has_decoration(name, Decoration.RelaxedPrecision):
                    raise NotPossibleError(f"%{name} is decorated with RelaxedPrecision, which requires numbers of 32 bits.")
        for record in self.globals:
            self._check_global(record)

    def _operation(self, record: Instruction) -> int:
        """The opcode that an instruction has with the new type."""
        if record.opcode.value == spv.OpExtInst:
            known = self.module.extended_instruction(record)
            if known is None or extended_for(known[1], self.connected.scalar, self.type) is None:
                raise NotPossibleError(f"{known[1] if known else 'OpExtInst'} does not take numbers of %{self.type.id}.")
            return spv.OpExtInst
        opcode = record.opcode.value
        if id(record) in self.connected.indexed and not any(name in self.connected.ids for name in _values(record)):
            return opcode
        found = operation_for(opcode, self.connected.scalar, self.type)
        if found is None:
            raise NotPossibleError(f"{record.opcode.name} does not take numbers of %{self.type.id}.")
        return found

    def _conversion(self, record: Instruction) -> int:
        given, wanted = (self._scalar(str(name)) for name in (record.operands[0], record.result))
        if given.id == wanted.id:
            return spv.OpCopyObject
        found = conversion(given, wanted, self.module)
        if found is None:
            raise NotPossibleError(f"No instruction converts %{given.id} to %{wanted.id}, as %{record.result} would require.")
        return found

    def _scalar(self, name: str) -> Type:
        """The type of the components of an id after the change."""
        type_ = self.module.type_of(name)
        if name in self.connected.ids:
            return self.type
        if type_ is None or type_.scalar is None:
            raise NotPossibleError(f"%{name} has no known type.")
        return type_.scalar

    def _check_constant(self, name: str) -> None:
        record = self.module.definition(name)
        match record.opcode.value if record is not None else None:
            case spv.OpConstant:
                self._literal(name)
            case spv.OpConstantComposite if record is not None:
                for part in record.operands:
                    self._check_constant(str(part))
            case spv.OpConstantNull | spv.OpUndef:
                return
            case _:
                raise NotPossibleError(f"It depends on %{name}, a specialization constant.")

    def _literal(self, name: str) -> str:
        """The value of a constant as a literal of the new type."""
        found = self.module.constant(name)
        value = found.value if found is not None else None
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise NotPossibleError(f"%{name} has no value that %{self.type.id} has.")
        if not self._has(value):
            raise NotPossibleError(f"%{name} is {self._text(value)}, which %{self.type.id} does not have.")
        return str(int(value)) if self.type.is_int else self._text(value)

    def _text(self, value: float) -> str:
        numeric = self.module.numeric_type(self.connected.scalar.id)
        return str(value) if isinstance(value, int) or numeric is None else float_text(value, numeric)

    def _has(self, value: float) -> bool:
        width = self.type.width
        if self.type.is_int:
            low, high = (-(1 << width - 1), (1 << width - 1) - 1) if self.type.signed else (0, (1 << width) - 1)
            return value == int(value) and low <= value <= high
        bits, least, most = _LIMITS[width]
        return abs(value) <= 1 << bits if isinstance(value, int) else value == 0 or least <= abs(value) <= most

    def _check_global(self, record: Instruction) -> None:
        """Whether the types that a global variable needs, or the type of a constant, stand before it."""
        needed = [self.type.record, *self._known_types(record)]
        for declaration in needed:
            if not self.module.precedes(declaration, record):
                raise NotPossibleError(f"%{declaration.result} is declared after %{record.result}.")
        if record.opcode.value == spv.OpConstant:
            self._literal(str(record.result))
        elif record.operands[0] in _IN_OUT:
            if self.module.has_decoration(str(record.result), Decoration.BuiltIn):
                raise NotPossibleError(f"%{record.result} is built in, and its type is fixed.")
            if self.type.width != _SINGLE:
                raise NotPossibleError(f"%{record.result} is a part of the interface, where numbers have 32 bits.")

    def _known_types(self, record: Instruction) -> list[Instruction]:
        """The declarations there are of the vector and of the pointer for a variable."""
        type_ = shape(self.module.type_of(record.result))
        pointer = self.module.type_of(record.result)
        if type_ is None or pointer is None:
            return []
        base: Type | None = self.type
        if type_.is_vector:
            base = declared(self.module, spv.OpTypeVector, self.type.id, type_.count)
        known = [base.record] if base is not None else []
        if base is not None and pointer.is_pointer and (found := self.module.pointer_to(base.id, pointer.storage)) is not None:
            known += [definition] if (definition := self.module.definition(found)) is not None else []
        return known

    # The edits

    def edits(self) -> list[Edit]:
        """Types, constants, and all instructions that are connected."""
        self._rewrite = Rewrite(self.site.source, self.site.chunk)
        self._before: defaultdict[int, list[str]] = defaultdict(list)
        others = [record for name, record in self.connected.ids.items() if not self.module.is_global(name)]
        copies = sorted(self.connected.copies, key=lambda copy: not self._is_global(copy[0]))
        for record in self.globals:
            self._retype(record)
        for record, at in copies:
            self._rewrite.do(Replace(record, at, f"%{self._copied(str(record.operands[at]), self._anchor(record))}"))
        for record in others:
            self._retype(record)
        for record in self.connected.records.values():
            self._operate(record)
        self._declare_functions()
        for record in self.globals:
            if self._before[id(record)]:
                self._rewrite.do(InsertBefore(record, "\n".join(self._before[id(record)])))
        return self._rewrite.edits()

    def _is_global(self, record: Instruction) -> bool:
        return record.result is not None and self.module.is_global(record.result)

    def _anchor(self, record: Instruction) -> Instruction | None:
        """The instruction that something new must be declared before; None where the end of the declarations will do."""
        return record if self._is_global(record) else None

    def _declare(self, line: str, anchor: Instruction | None) -> None:
        if anchor is None:
            self._rewrite.declare(Section.TYPES, line)
        else:
            self._before[id(anchor)].append(line)

    def _retype(self, record: Instruction) -> None:
        name = str(record.result)
        self._rewrite.do(Replace(record, TYPE, f"%{self._type_for(name, self._anchor(record))}"))
        if record.opcode.value == spv.OpConstant:
            self._rewrite.do(Replace(record, 0, self._literal(name)))
        is_input = record.opcode.value == spv.OpVariable and record.operands[0] == StorageClass.Input
        if is_input and self.type.is_int and not self.module.has_decoration(name, Decoration.Flat) and self._is_of_fragment(name):
            (fix,) = decorate(name, "Flat", self.module)
            self._rewrite.do(*fix.steps)

    def _is_of_fragment(self, name: str) -> bool:
        entries = self.module.declarations.entry_points
        return any(entry.model == ExecutionModel.Fragment and name in entry.interface for entry in entries)

    def _operate(self, record: Instruction) -> None:
        if id(record) in self.connected.conversions:
            opcode = self._conversion(record)
        else:
            opcode = self._operation(record)
        if opcode == spv.OpExtInst:
            known = self.module.extended_instruction(record)
            name = extended_for(known[1], self.connected.scalar, self.type) if known is not None else None
            if known is not None and name != known[1]:
                self._rewrite.do(Replace(record, 1, str(name)))
        elif opcode != record.opcode.value:
            self._rewrite.do(Replace(record, OPCODE, tables.opcode_name(opcode)))

    # Types

    def _type_for(self, name: str, anchor: Instruction | None = None) -> str:
        """The type of an id after the change."""
        old = self.module.type_of(name)
        base = self._shaped(shape(old), anchor)
        if old is None or not old.is_pointer:
            return base
        key = f"pointer {old.storage} {base}"
        return self._rewrite.once(key, lambda: self._pointer(base, old.storage, anchor))

    def _shaped(self, old: Type | None, anchor: Instruction | None) -> str:
        if old is None or not old.is_vector:
            return self.type.id
        count = old.count
        return self._rewrite.once(f"vector {count}", lambda: self._vector(count, anchor))

    def _vector(self, count: int, anchor: Instruction | None) -> str:
        known = declared(self.module, spv.OpTypeVector, self.type.id, count)
        if known is not None:
            return known.id
        name = self._rewrite.fresh(f"v{count}{self.type.id}")
        self._declare(f"%{name} = OpTypeVector %{self.type.id} {count}", anchor)
        return name

    def _pointer(self, base: str, storage: int, anchor: Instruction | None) -> str:
        known = self.module.pointer_to(base, storage)
        if known is not None:
            return known
        class_ = storage_name(storage)
        name = self._rewrite.fresh(f"_ptr_{class_}_{base}")
        self._declare(f"%{name} = OpTypePointer {class_} %{base}", anchor)
        return name

    def _declare_functions(self) -> None:
        """Gives functions the types of their new parameters and results."""
        changed = dict(self.connected.returning)
        for name in self.connected.ids:
            function = self.module.function_named(self.module.owner_of(name))
            if function is not None and self.module.opcode_of(name) == spv.OpFunctionParameter:
                changed[function.name] = function
        for function in changed.values():
            result = str(function.result_type)
            if function.name in self.connected.returning:
                result = self._shaped(self.module.type(result), None)
                self._rewrite.do(Replace(function.record, TYPE, f"%{result}"))
            given = [str(parameter.result) for parameter in function.parameters]
            types = [self._type_for(name) if name in self.connected.ids else self.module.value_type(name) for name in given]
            parts = [result, *map(str, types)]
            self._rewrite.do(Replace(function.record, 1, f"%{self._function_type(parts)}"))

    def _function_type(self, parts: list[str]) -> str:
        known = declared(self.module, spv.OpTypeFunction, *parts)
        if known is not None:
            return known.id
        return self._rewrite.once(f"function {parts}", lambda: self._new_function_type(parts))

    def _new_function_type(self, parts: list[str]) -> str:
        name = self._rewrite.fresh("function_type")
        self._declare(" ".join([f"%{name} = OpTypeFunction", *[f"%{part}" for part in parts]]), None)
        return name

    # Constants

    def _copied(self, name: str, anchor: Instruction | None) -> str:
        """The constant of the new type with the value of another one."""
        return self._rewrite.once(f"copy of {name}", lambda: self._copy(name, anchor))

    def _copy(self, name: str, anchor: Instruction | None) -> str:
        record = self.module.definition(name)
        assert record is not None
        type_ = self._shaped(shape(self.module.type_of(name)), anchor)
        match record.opcode.value:
            case spv.OpConstant:
                words = [self._literal(name)]
            case spv.OpConstantComposite:
                words = [f"%{self._copied(str(part), anchor)}" for part in record.operands]
            case _:
                words = []
        known = self._existing(record, type_, words, anchor)
        if known is not None:
            return known
        plain = "".join(word if word.isalnum() else "_" for word in words[0]) if len(words) == 1 else name
        copy = self._rewrite.fresh(f"{type_}_{plain}")
        self._declare(" ".join([f"%{copy} = {record.opcode.name} %{type_}", *words]), anchor)
        return copy

    def _existing(self, like: Instruction, type_: str, words: list[str], anchor: Instruction | None) -> str | None:
        for _, use in self.module.ids.uses(type_):
            if use.opcode is not like.opcode or use.type != type_ or use.result is None or not self._is_global(use):
                continue
            if anchor is not None and not self.module.precedes(use, anchor):
                continue
            if self.module.decorations(use.result) or not self._says(use, words):
                continue
            return use.result
        return None

    def _says(self, record: Instruction, words: list[str]) -> bool:
        if record.opcode.value != spv.OpConstant:
            return [f"%{operand!s}" for operand in record.operands] == words
        value = self.module.constant(record.result)
        return value is not None and isinstance(value.value, int | float) and value.value == float(words[0])


def _values(record: Instruction) -> list[str]:
    """The result and the first operand of an instruction that takes an index, which is none of these."""
    return [str(record.result), str(record.operands[0])]


_SINGLE = 32
