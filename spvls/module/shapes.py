"""Shapes: what an instruction says, in words that mean the same in any module."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import count

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.signature import Signature
from spvls.syntax.instruction import Instruction
from spvls.typed import Any

Shape = tuple[object, ...]
"""Opcode, result type, operands and decorations of an instruction. An id that is defined before the first function stands as the
number of all that it is made of, below zero; one of a function as in a `Signature`, with the number of its type."""

_MOST = 200_000
"""Numbers that are remembered; then all are forgotten."""


class Numbers(dict[Hashable, int]):
    """The numbers of ids by what they are made of, which modules share; none is ever given twice."""

    def __init__(self) -> None:
        super().__init__()
        self._given = count()

    def __missing__(self, made_of: Hashable) -> int:
        number = self[made_of] = next(self._given)
        return number


class Shapes:
    """Reads the shapes of the instructions of a module, those before the first function in their order.

    No two ids of a module have the same number, also where they are made of the same. So where an instruction of another module has
    the shape of one of this module, it is made of other ids in the same way.
    """

    def __init__(self, module: Module, numbers: Numbers) -> None:
        self._module = module
        self._annotated = module.annotated_ids()
        self._numbers = numbers
        self._known: dict[str, int] = {}
        self._times: dict[Shape, int] = {}
        if len(numbers) > _MOST:
            numbers.clear()

    def add(self, inst: Instruction) -> Shape | None:
        """The shape of the next instruction before the first function; None for one without a result, and where it is made of an id
        without a number, and then has none itself."""
        name, known = inst.result, self._known
        if name is None:
            return None
        parts: list[Any] = [inst.opcode.value]
        words: tuple[Any, ...] = (inst.type, *inst.operands)
        for word in words:
            number = known.get(word) if word.__class__ is str else None
            if number is not None:
                parts.append(~number)
            elif word.__class__ is not str:
                parts.append(word)
            else:
                return None
        if name in self._annotated and not self._decorate(parts, name):
            return None
        shape = tuple(parts)
        self._number(name, shape)
        return shape

    def of(self, signature: Signature) -> Shape | None:
        """The shape of an instruction of a function that has this signature; None where an id has no number or is decorated."""
        known = self._known
        parts: list[Any] = []
        words: tuple[Any, ...] = signature
        for word in words:
            kind = word.__class__
            if kind is str:
                number = known.get(word)
                if number is None and (number := self._of_function(word)) is None:
                    return None
                parts.append(~number)
            elif kind is tuple and word[0].__class__ is int and word[1:] and word[1].__class__ is not int:
                opcode, type_, *decorated = word
                number = known.get(type_)
                if decorated or (number is None and type_ is not None):
                    return None
                parts.append((opcode, number))
            else:
                parts.append(word)
        return tuple(parts)

    def _of_function(self, name: str) -> int | None:
        """The number of a function that nothing decorates."""
        record = self._module.ids.definition(name)
        if record is None or record.opcode.value != spv.OpFunction or name in self._annotated or record.faults:
            return None
        words: tuple[Any, ...] = (record.type, *record.operands)
        parts = [self._known.get(word) if word.__class__ is str else word for word in words]
        return self._number(name, (spv.OpFunction, *parts)) if None not in parts else None

    def _number(self, name: str, shape: Shape) -> int:
        times = self._times.get(shape, 0)
        self._times[shape] = times + 1
        number = self._known[name] = self._numbers[shape, times]
        return number

    def _decorate(self, parts: list[Any], name: str) -> bool:
        """Add the decorations of an id, unless they name ids or come from a group."""
        for item in self._module.decorations(name):
            if item.group is not None or any(param.__class__ is str for param in item.params):
                return False
            parts.append((item.value, item.member, item.params))
        return True
