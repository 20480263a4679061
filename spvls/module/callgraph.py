"""Who calls whom, and the entry points that reach each function (SPIR-V 2.2.5, 2.16.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress

from spvls.grammar import spv
from spvls.grammar.traits import TAKES_FUNCTIONS
from spvls.module.declarations import Declarations, EntryPoint
from spvls.module.ids import SymbolTable
from spvls.steps import PORTION, Steps
from spvls.syntax.instruction import Instruction

CALL_FACTS = TAKES_FUNCTIONS | {spv.OpEntryPoint, spv.OpFunction}
"""The opcodes whose instructions make up the graph: what a change of it shows in, and what reading it depends on."""


class CallGraph:
    """The static calls of a module.

    The entry points that reach a function are kept as bits of a number, by their place in the text, and found out for all
    functions at once, callers first; functions that call each other in a circle share them.
    """

    def __init__(self, ids: SymbolTable, declarations: Declarations, functions: list[str]) -> None:
        self._ids = ids
        self._functions = functions
        self._entries = declarations.entry_points
        self._own: dict[str, int] = {}
        for place, entry in enumerate(self._entries):
            self._own[entry.function] = self._own.get(entry.function, 0) | 1 << place
        self._callers: dict[str, list[str]] = {}
        self._known_callees: dict[str, list[str]] | None = None
        self._circles: list[list[str]] | None = None
        self._known_reached: dict[str, int] | None = None
        self._run_otherwise: set[str] | None = None
        self._tuples: dict[int, tuple[EntryPoint, ...]] = {}
        self._onward: dict[str, str] | None = None
        self._joined: dict[str, str] = {}

    def steps(self) -> Steps[None]:
        """Find out who calls whom and which entry points reach each function, in short steps."""
        for at, name in enumerate(self._functions, 1):
            self.callers(name)
            if not at % PORTION:
                yield
        if self._own and self._known_reached is None:
            self._in_circles()
            yield
            self._known_reached = self._find_reached()

    def callers(self, function: str) -> list[str]:
        """The functions that call a function, each once, in the order of the text."""
        known = self._callers.get(function)
        if known is None:
            found: dict[str, int] = {}
            for chunk, record in self._ids.uses(function):
                if record.opcode.value == spv.OpFunctionCall and record.operands[:1] == (function,) and chunk.is_function:
                    caller = chunk.records[0].result
                    if caller is not None:
                        found[caller] = chunk.first
            known = self._callers[function] = sorted(found, key=lambda caller: (found[caller], caller))
        return known

    def reached_from(self, function: str) -> tuple[EntryPoint, ...]:
        """The entry points that are the function, or call it in any number of steps, in the order of the text."""
        return self.entry_points(self.reached_bits(function))

    def reached_bits(self, function: str) -> int:
        """The entry points that `reached_from` gives, as bits; equal for functions that the same ones reach."""
        if not self._own:
            return 0
        if self._known_reached is None:
            self._known_reached = self._find_reached()
        known = self._known_reached.get(function)
        if known is None:  # it is called, and defined nowhere
            known = self._own.get(function, 0)
            for caller in self.callers(function):
                known |= self._known_reached[caller]
            self._known_reached[function] = known
        return known

    def entry_points(self, bits: int) -> tuple[EntryPoint, ...]:
        """Entry points that are given as bits, in the order of the text."""
        known = self._tuples.get(bits)
        if known is None:
            known = self._tuples[bits] = tuple(compress(self._entries, map("1".__eq__, bin(bits)[:1:-1])))
        return known

    def is_run_otherwise(self, function: str) -> bool:
        """Whether an instruction that is no call, such as one on cooperative matrices, names the function, or one from which calls
        lead to it."""
        if self._run_otherwise is None:
            self._run_otherwise = set()
            waiting = [name for name in self._functions if any(_runs(record) for _, record in self._ids.uses(name))]
            while waiting:
                name = waiting.pop()
                if name not in self._run_otherwise:
                    self._run_otherwise.add(name)
                    waiting += self._callees.get(name, ())
        return function in self._run_otherwise

    def recursion(self, function: str) -> tuple[str, ...]:
        """A way of calls that leads from a function, in any number of steps, round to one of its own; empty without one."""
        if self._onward is None:
            self._onward = self._find_onward()
        passed: dict[str, None] = {}
        at = function
        while at in self._onward and at not in passed and at not in self._joined:
            passed[at] = None
            at = self._onward[at]
        if at not in self._onward:
            return ()
        in_circle = False
        for name in passed:
            in_circle = in_circle or name == at
            self._joined[name] = name if in_circle else self._joined.get(at, at)
        start = self._joined[function]
        way = [start]
        while way[-1] != start or len(way) == 1:
            way.append(self._onward[way[-1]])
        return tuple(way)

    @property
    def _callees(self) -> dict[str, list[str]]:
        """The functions that each function calls, in the order of the text; others than `functions` too."""
        if self._known_callees is None:
            self._known_callees = {name: [] for name in self._functions}
            for name in self._known_callees.copy():
                for caller in self.callers(name):
                    self._known_callees.setdefault(caller, []).append(name)
        return self._known_callees

    def _find_reached(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for circle in reversed(self._in_circles()):
            bits = 0
            for name in circle:
                bits |= self._own.get(name, 0)
                for caller in self.callers(name):
                    bits |= found.get(caller, 0)
            found.update(dict.fromkeys(circle, bits))
        return found

    def _find_onward(self) -> dict[str, str]:
        """For each function from which calls lead into a circle, the first one it calls from which they do so as well."""
        found: dict[str, str] = {}
        for circle in self._in_circles():
            members = frozenset(circle) if len(circle) > 1 or circle[0] in self._callees[circle[0]] else frozenset()
            for name in circle:
                onward = next((callee for callee in self._callees[name] if callee in members or callee in found), None)
                if onward is not None:
                    found[name] = onward
        return found

    def _in_circles(self) -> list[list[str]]:
        """The functions, together those that call each other in a circle, callees before callers (Tarjan)."""
        if self._circles is None:
            self._circles = []
            number: dict[str, int] = {}
            lowest: dict[str, int] = {}
            open_: list[str] = []
            closed: set[str] = set()
            for root in self._callees:
                stack: list[tuple[str, Iterator[str]]] = [] if root in number else [(root, iter(self._callees[root]))]
                while stack:
                    name, callees = stack[-1]
                    if name not in number:
                        number[name] = lowest[name] = len(number)
                        open_.append(name)
                    for callee in callees:
                        if callee not in number:
                            stack.append((callee, iter(self._callees[callee])))
                            break
                        if callee not in closed:
                            lowest[name] = min(lowest[name], number[callee])
                    else:
                        stack.pop()
                        if stack:
                            caller = stack[-1][0]
                            lowest[caller] = min(lowest[caller], lowest[name])
                        if lowest[name] == number[name]:
                            at = len(open_) - 1
                            while open_[at] != name:
                                at -= 1
                            self._circles.append(open_[at:])
                            closed.update(open_[at:])
                            del open_[at:]
        return self._circles


def _runs(record: Instruction) -> bool:
    return record.opcode.value in TAKES_FUNCTIONS and record.opcode.value != spv.OpFunctionCall
