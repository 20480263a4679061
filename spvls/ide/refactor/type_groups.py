"""How many ids change their type with one, at least, found by opcodes and names alone.

Ids of a function whose components must have one type are a group; groups of several functions meet in parameters and results.
The groups of a function are kept until it is edited, so that the ids of large groups need not be followed one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from spvls.grammar import spv
from spvls.ide.refactor.component_operations import FIRST_OF_SET, linked
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction

_Port = tuple[str, int]
"""A function, and the index of one of its parameters, or `_RESULT`: where groups of callers and of the function meet."""

_RESULT = -1


class _Groups(NamedTuple):
    """The groups of a function by number: their sizes and ports, and which of them has an id, a port or a global operand."""

    sizes: list[int]
    ports: list[list[_Port]]
    of_id: dict[str, int]
    of_port: dict[_Port, set[int]]
    of_global: dict[str, set[int]]


def are_more(name: str, most: int, module: Module) -> bool:
    """Whether more than `most` ids must change their type with an id; where that is False, there may be more all the same."""
    return module.derive("type groups", lambda: _TypeGroups(module)).are_more(name, most)


class _TypeGroups:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[int, _Groups] = module.table("chunks")
        self._large: dict[tuple[int, int], int] = {}
        """Groups that were found to meet groups with so many ids or more."""

    def of(self, chunk: Chunk) -> _Groups:
        known = self._known.get(id(chunk))
        if known is None:
            known = self._known[id(chunk)] = _read(chunk.records)
        return known

    def are_more(self, name: str, most: int) -> bool:
        own = self._module.ids.defining_chunk(name)
        is_local = own is not None and own.is_function
        seen: set[tuple[int, int]] = set()
        count = 0
        for chunk in [own] if own is not None and is_local else self._functions(self._module.ids.using_chunks(name)):
            groups = self.of(chunk)
            first = [groups.of_id[name]] if is_local and name in groups.of_id else groups.of_global.get(name, ())
            count += self._size([(chunk, group) for group in first], seen, most - count)
            if count > most:
                self._large.update(dict.fromkeys(seen, count))
                return True
        return False

    def _size(self, waiting: list[tuple[Chunk, int]], seen: set[tuple[int, int]], most: int) -> int:
        """How many ids are in groups and in all that meet them, but for groups that were seen; counted until they are more."""
        ids = self._module.ids
        count = 0
        while waiting:
            chunk, group = waiting.pop()
            if (id(chunk), group) in seen:
                continue
            if (large := self._large.get((id(chunk), group), 0)) > most:
                return large
            seen.add((id(chunk), group))
            known = self.of(chunk)
            count += known.sizes[group]
            if count > most:
                break
            for port in known.ports[group]:
                called = ids.defining_chunk(port[0])
                for other in self._functions([*ids.using_chunks(port[0]), *([called] if called is not None else ())]):
                    waiting += [(other, at) for at in self.of(other).of_port.get(port, ())]
        return count

    def _functions(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        return [chunk for chunk in chunks if chunk.is_function]


def _read(records: Sequence[Instruction]) -> _Groups:
    """The groups of a function; of an instruction that could not be read, and of one that may be anything, nothing is known."""
    sound = [record for record in records[1:] if not record.faults]
    types = {record.result: record.type for record in sound if record.result is not None and record.type is not None}
    above = dict.fromkeys(types, "")
    outside: list[tuple[str, object]] = []
    for record in sound:
        names = _of_one_type(record, types)
        first = ""
        for name in names:
            if name not in types:
                continue
            top = str(name)
            while over := above[top]:
                top = over
            first = first or top
            if top is not first:
                above[top] = first
        if first:
            outside += [(first, name) for name in names if name not in types]
    numbers: dict[str, int] = {}
    of_id: dict[str, int] = {}
    sizes: list[int] = []
    for name in above:
        top = name
        while over := above[top]:
            top = over
        group = of_id[name] = numbers.setdefault(top, len(sizes))
        if group == len(sizes):
            sizes.append(0)
        sizes[group] += 1
    groups = _Groups(sizes, [[] for _ in sizes], of_id, defaultdict(set), defaultdict(set))
    for name, port in _ports(records[0].result or "", sound):
        if name in of_id:
            groups.ports[of_id[name]].append(port)
            groups.of_port[port].add(of_id[name])
    for name, other in outside:
        groups.of_global[str(other)].add(of_id[name])
    return groups


def _of_one_type(record: Instruction, types: dict[str, str]) -> Sequence[object]:
    """The ids of an instruction whose components must have one type."""
    operands = record.operands
    if record.opcode.value == spv.OpExtInst:
        # Which set it is, other instructions say; those that take an id of any type have no value as a result.
        return [record.result, *[name for name in operands[FIRST_OF_SET:] if types.get(str(name)) == record.type]]
    found = linked(record, None)
    if found is None:
        return ()
    names: list[object] = [operands[at] for at in found[0]]
    if found[1]:
        names.append(record.result)
    return names


def _ports(function: str, records: Sequence[Instruction]) -> Iterable[tuple[str, _Port]]:
    """Ids with what they are to callers of the function, and to functions that it calls."""
    parameters = 0
    for record in records:
        match record.opcode.value:
            case spv.OpFunctionParameter:
                yield str(record.result), (function, parameters)
                parameters += 1
            case spv.OpReturnValue:
                yield str(record.operands[0]), (function, _RESULT)
            case spv.OpFunctionCall:
                called = str(record.operands[0])
                yield str(record.result), (called, _RESULT)
                for at, given in enumerate(record.operands[1:]):
                    yield str(given), (called, at)
