"""What a rule's code says of its findings: the options that it reads, and the VUIDs that it can give them.

The code is walked from the generator of the rule through the functions, classes and tables of `spvls/validate` that it names.
A string that is put together from pieces is evaluated for all values that its pieces can have.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from spvls.validate.checks.limits import limits_on
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Rule
from spvls.validate.engine.rule_index import LIMITING

_VUID = re.compile(r"VUID-\w+-\w+-\d{5}")
_OPTIONS = frozenset(Options._fields)
_WALKED = re.compile(r"spvls\.validate\.(rules|checks|fixes)\b|spvls\.module\.environment\b")

Strings = frozenset[str]


class RuleCode(NamedTuple):
    """`open` are the places where a VUID is put together from what is not known here."""

    vuids: frozenset[str]
    options: frozenset[str]
    open: frozenset[str]


def code_of(rule: Rule) -> RuleCode:
    """What there is in the code of a rule."""
    for opcode in LIMITING:
        limits_on(opcode)  # some are of modules that have no rules, which nothing else may have loaded yet
    walk = _Walk()
    walk.see(rule.check)
    walk.run()
    declared = rule.vuids() if rule.vuids is not None else ()
    vuids = {*walk.vuids, *declared, *([rule.vuid] if rule.vuid is not None else [])}
    return RuleCode(frozenset(vuids), frozenset(walk.options), frozenset(walk.open))


class _Walk:
    """`attributes` are the names that reached code looks up: only methods of such names are walked."""

    def __init__(self) -> None:
        self.vuids: set[str] = set()
        self.options: set[str] = set()
        self.open: set[str] = set()
        self._seen: dict[int, object] = {}
        self._functions: list[FunctionType] = []
        self._attributes: set[str] = set()
        self._classes: set[type] = set()
        self._methods: set[tuple[type, str]] = set()

    def run(self) -> None:
        while self._functions or self._next_methods():
            if self._functions:
                self._function(self._functions.pop())

    def _next_methods(self) -> bool:
        for class_ in self._classes:
            for name, value in vars(class_).items():
                wanted = name in self._attributes or name in ("__init__", "__new__", "__iter__")
                if wanted and (class_, name) not in self._methods:
                    self._methods.add((class_, name))
                    self.see(value)
        return bool(self._functions)

    def see(self, value: Any) -> None:
        """Takes up a value that reached code names."""
        if isinstance(value, str):
            self.vuids.update(_VUID.findall(value))
            return
        if id(value) in self._seen or isinstance(value, ModuleType | int | float | bytes | None):
            return
        self._seen[id(value)] = value
        value = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        if isinstance(value, property):
            self.see(value.fget)
        elif isinstance(value, FunctionType):
            if _WALKED.match(value.__module__ or ""):  # the constructors of records are of no module
                self._functions.append(value)
        elif isinstance(value, type):
            if _WALKED.match(value.__module__):
                self._classes.add(value)
                for base in value.__mro__[1:]:
                    self.see(base)
        elif isinstance(value, Mapping):
            self._all([*value.keys(), *value.values()])
        elif isinstance(value, tuple | list | set | frozenset):
            self._all(value)
        elif hasattr(value, "__dataclass_fields__"):
            self._all(getattr(value, name) for name in value.__dataclass_fields__)
        elif _WALKED.match(type(value).__module__):
            self.see(type(value))

    def _all(self, values: Iterable[Any]) -> None:
        for value in values:
            self.see(value)

    def _function(self, function: FunctionType) -> None:
        node = _node(function)
        if node is None:
            return
        known = {**function.__globals__, **_closed_over(function)}
        local = _Locals(node, known)
        for part in _parts(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id not in local.names:
                self.see(known.get(part.id))
            elif isinstance(part, ast.Attribute):
                self._attribute(part, known)
            elif isinstance(part, ast.Constant):
                self.see(part.value)
            elif isinstance(part, ast.JoinedStr | ast.BinOp):
                self._joined(part, local, function)

    def _attribute(self, part: ast.Attribute, known: dict[str, Any]) -> None:
        self._attributes.add(part.attr)
        owner = part.value
        named = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
        if named == "options" and part.attr in _OPTIONS:
            self.options.add(part.attr)
        if isinstance(owner, ast.Name) and isinstance(module := known.get(owner.id), ModuleType):
            self.see(getattr(module, part.attr, None))

    def _joined(self, part: ast.expr, local: _Locals, function: FunctionType) -> None:
        found = local.strings(part)
        self.see(found or frozenset())
        if found is None and "VUID-" in "".join(local.known_pieces(part)):
            self.open.add(f"{function.__module__}.{function.__qualname__}:{part.lineno}")


class _Locals:
    """The values that strings of a function can have."""

    def __init__(self, node: ast.AST, known: dict[str, Any]) -> None:
        self._known = known
        self._assigned: dict[str, list[ast.expr]] = {}
        self.names: set[str] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                self.names.add(part.id)
            elif isinstance(part, ast.arg):
                self.names.add(part.arg)
            if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                self._assigned.setdefault(part.targets[0].id, []).append(part.value)

    def strings(self, part: ast.expr) -> Strings | None:
        """All values of an expression; None where they are not known."""
        if isinstance(part, ast.Constant):
            return frozenset({str(part.value)})
        if isinstance(part, ast.FormattedValue):
            return self.strings(part.value)
        if isinstance(part, ast.IfExp):
            return _either([self.strings(part.body), self.strings(part.orelse)])
        if isinstance(part, ast.JoinedStr):
            return _joined([self.strings(value) for value in part.values])
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            return _joined([self.strings(part.left), self.strings(part.right)])
        if isinstance(part, ast.Name):
            if part.id in self._assigned:
                values = self._assigned.pop(part.id)  # a name that is made of itself has no known value
                found = _either([self.strings(value) for value in values])
                self._assigned[part.id] = values
                return found
            value = None if part.id in self.names else self._known.get(part.id)
            return frozenset({value}) if isinstance(value, str) else None
        return None

    def known_pieces(self, part: ast.expr) -> list[str]:
        """The values of the pieces of a string that are known."""
        pieces = part.values if isinstance(part, ast.JoinedStr) else [part.left, part.right] if isinstance(part, ast.BinOp) else []
        return [text for piece in pieces for text in sorted(self.strings(piece) or ())]


def _either(found: list[Strings | None]) -> Strings | None:
    return None if None in found else frozenset().union(*(one for one in found if one is not None))


def _joined(found: list[Strings | None]) -> Strings | None:
    known = [one for one in found if one is not None]
    return frozenset(map("".join, product(*known))) if len(known) == len(found) else None


def _closed_over(function: FunctionType) -> dict[str, Any]:
    cells = function.__closure__ or ()
    return dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True))


def _parts(node: ast.AST) -> Iterable[ast.AST]:
    """What a function does; its decorators name rules that it is skipped after."""
    body: list[ast.AST] = [*node.body] if isinstance(node, ast.FunctionDef) else [node]
    return (part for statement in body for part in ast.walk(statement))


def _node(function: FunctionType) -> ast.AST | None:
    """The definition of a function, or the lambda, in its source."""
    code = function.__code__
    return _nodes(code.co_filename).get((code.co_firstlineno, function.__name__))


@cache
def _nodes(path: str) -> dict[tuple[int, str], ast.AST]:
    found: dict[tuple[int, str], ast.AST] = {}
    if not Path(path).is_file():
        return found
    for part in ast.walk(ast.parse(Path(path).read_text("utf-8"))):
        if isinstance(part, ast.FunctionDef):
            first = min([part.lineno, *(decorator.lineno for decorator in part.decorator_list)])
            found[first, part.name] = part
        elif isinstance(part, ast.Lambda):
            found[part.lineno, "<lambda>"] = part
    return found
