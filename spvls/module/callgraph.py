"""Who calls whom, and the entry points that reach each function (SPIR-V 2.2.5, 2.16.1)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.declarations import Declarations, EntryPoint
from spvls.module.ids import SymbolTable

CALL_FACTS = frozenset({spv.OpEntryPoint, spv.OpFunction, spv.OpFunctionCall})
"""The opcodes whose instructions make up the graph: what a change of it shows in, and what reading it depends on."""


class CallGraph:
    """The static calls of a module, followed from callees to callers as they are asked for."""

    def __init__(self, ids: SymbolTable, declarations: Declarations) -> None:
        self._ids = ids
        self._entries = declarations.entry_points
        self._reached: dict[str, tuple[EntryPoint, ...]] = {}
        self._callees: dict[str, list[str]] | None = None

    def callers(self, function: str) -> list[str]:
        """The functions that call a function, each once, in the order of the text."""
        found: dict[str, int] = {}
        for chunk, record in self._ids.uses(function):
            if record.opcode.value == spv.OpFunctionCall and record.operands[:1] == (function,) and chunk.is_function:
                caller = chunk.records[0].result
                if caller is not None:
                    found[caller] = chunk.first
        return sorted(found, key=lambda caller: (found[caller], caller))

    def reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """The entry points that are the function, or call it in any number of steps, in the order of the text."""
        known = self._reached.get(function)
        if known is None:
            seen = {function}
            waiting = [function]
            while waiting:
                for caller in self.callers(waiting.pop()):
                    if caller not in seen:
                        seen.add(caller)
                        waiting.append(caller)
            known = tuple(entry for entry in self._entries if entry.function in seen)
            self._reached[function] = known
        return known

    def recursion(self, function: str, functions: list[str]) -> tuple[str, ...]:
        """A way of calls that leads from a function, in any number of steps, round to one of its own; empty without one.

        `functions` are all functions of the module.
        """
        if self._callees is None:
            self._callees = {name: [] for name in functions}
            for name in functions:
                for caller in self.callers(name):
                    self._callees.setdefault(caller, []).append(name)
        finished: set[str] = set()
        way: dict[str, None] = {function: None}
        stack = [iter(self._callees.get(function, ()))]
        while stack:
            for callee in stack[-1]:
                if callee in way:
                    names = list(way)
                    return (*names[names.index(callee) :], callee)
                if callee not in finished:
                    way[callee] = None
                    stack.append(iter(self._callees.get(callee, ())))
                    break
            else:
                stack.pop()
                finished.add(way.popitem()[0])
        return ()
