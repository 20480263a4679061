"""Parameters of messages, drawn by the types of the protocol: any method of it has some."""

from __future__ import annotations

import copy
import enum
import random
import re
import types as python_types
import typing
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import attrs
from lsprotocol import types
from pygls.protocol import default_converter

from tests.fuzz.session.texts import lines_of, units
from tests.hostile import HARM, WORD

Json = dict[str, Any]

OWN = "spvls/"
_CONVERTER = default_converter()
_WORD = re.compile(r"[^\s]+")
_NAMES = ("other", "%other", "5", "%5", "", "a b", "é", "main", WORD, "x" * 300)
_FAR = 2**31 - 1

JUNK: tuple[Any, ...] = (
    None, -1, 0, 1.5, 2**31, 2**53, 1e308, True, "", "%main", HARM, WORD, "\ud800", [], {}, [[[]]] * 3, {"uri": 5}, {"line": 0},
    [None], "x" * 5000, 10**400, float("nan"), {"a": {"b": [{}]}},
)  # fmt: skip
"""What stands in the place of a parameter that is not what it must be."""

for _ in range(200):
    JUNK = (*JUNK[:-1], [JUNK[-1]])

HELD = "what the client has"
"""Stands for the name or the version of the last answer of the same kind."""

OPTIONS_OF_LISTINGS = ("friendlyNames", "indent", "header", "offsets", "comment", "nestedIndent", "reorderBlocks")
FORMATS = ("svg", "text", "dot", "mermaid", "json", WORD, None)


class World(NamedTuple):
    """What parameters can speak of: texts by their addresses, other addresses, addresses that may be written to, the commands
    of the server, values of `data` of earlier answers, and whole items of them by the method that they are for."""

    texts: dict[str, str]
    others: Sequence[str]
    targets: Sequence[str]
    commands: Sequence[str]
    encoding: str
    data: list[Any]
    items: dict[str, list[Any]]


@cache
def params_type(method: str) -> Any:
    """The type of the parameters of a method, None where it has none or the protocol does not know it."""
    known = types.METHOD_TO_TYPES.get(method)
    if known is None:
        return None
    fields = attrs.fields_dict(attrs.resolve_types(known[0]))
    return fields["params"].type if "params" in fields else None


class Parameters:
    """Draws parameters about one document of a world."""

    def __init__(self, chance: random.Random, world: World) -> None:
        self._chance, self._world = chance, world
        chosen = list(world.texts) if world.texts and chance.random() < 0.93 else list(world.others)
        self._uri = chance.choice(chosen)
        self._lines = lines_of(world.texts.get(self._uri, ""))
        self._own: dict[str, Callable[[], Any]] = {
            "uri": lambda: self._uri,
            "data": lambda: copy.deepcopy(chance.choice(world.data)) if world.data else None,
            "new_name": lambda: chance.choice(_NAMES),
            "ch": lambda: "\n",
            "query": lambda: chance.choice(("", "a", "main", "%", WORD)),
            "previous_result_id": lambda: HELD,
            "command": lambda: chance.choice((*world.commands, WORD)),
            "arguments": self._arguments,
            "tab_size": lambda: chance.choice((0, 1, 4, 8, 200)),
            "work_done_token": lambda: None,
            "partial_result_token": lambda: None,
        }
        self._start = self.place()

    def of(self, method: str) -> Any:
        """Parameters for a method."""
        items = self._world.items.get(method)
        if items and self._chance.random() < 0.9:
            item = copy.deepcopy(self._chance.choice(items))
            return {"item": item} if "ierarchy/" in method else item
        if method.startswith(OWN):
            return self._plain(method)
        kind = params_type(method)
        if kind is None:
            return None
        return _CONVERTER.unstructure(self._drawn(kind, "", 0))

    def place(self) -> types.Position:
        """A place, mostly in a word or beside it; sometimes one that there is not."""
        chance = self._chance
        if chance.random() < 0.04:
            return types.Position(
                chance.choice((0, len(self._lines), len(self._lines) + 7, _FAR)), chance.choice((0, 1, 10**5, _FAR))
            )
        line = chance.randrange(len(self._lines))
        words = [found.span() for found in _WORD.finditer(self._lines[line])]
        start, end = chance.choice(words) if words else (0, 0)
        column = chance.choice((start, min(start + 1, end), end, chance.randint(start, end)))
        return types.Position(line, units(self._lines[line], column, self._world.encoding))

    def _end(self) -> types.Position:
        chance, start = self._chance, self._start
        if chance.random() < 0.5:
            return types.Position(start.line, min(start.character + chance.randrange(6), _FAR))
        return chance.choice((self.place, lambda: types.Position(min(start.line + 1000, _FAR), 0)))()

    def _arguments(self) -> list[Any]:
        chance = self._chance
        first = chance.choice((self._uri, "id/is-defined", "syntax/string", WORD, 5, None))
        return chance.choice(([first], [first], [first], [], [first, chance.choice(self._world.targets)], [first] * 3))

    def _plain(self, method: str) -> Json:
        """Parameters of the server's own requests: some of all that any of them takes."""
        chance = self._chance
        more: Json = {
            "position": _CONVERTER.unstructure(self._start),
            "range": _CONVERTER.unstructure(types.Range(self._start, self._end())),
            "format": chance.choice(FORMATS),
            "since": chance.choice((HELD, HELD, 0, 1)),
            "options": {name: chance.random() < 0.5 for name in OPTIONS_OF_LISTINGS},
            "force": chance.random() < 0.5,
        }
        params = {name: value for name, value in more.items() if chance.random() < 0.3}
        return {
            "textDocument": {"uri": self._uri},
            "uri": chance.choice((*self._world.targets, *self._world.others)),
            "target": chance.choice(self._world.targets),
            **params,
        }

    def _drawn(self, kind: Any, name: str, depth: int) -> Any:
        chance = self._chance
        own = self._own.get(name)
        if own is not None and not any(map(attrs.has, typing.get_args(kind) or (kind,))):
            return own()
        if kind is types.Position:
            return self._end() if name == "end" else self._start if name or chance.random() < 0.5 else self.place()
        origin = typing.get_origin(kind)
        if origin in (typing.Union, python_types.UnionType):
            return self._one_of(typing.get_args(kind), name, depth)
        if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence):
            (inner, *_) = typing.get_args(kind)
            return [self._drawn(inner, "", depth + 1) for _ in range(chance.choice((0, 1, 1, 2)) if depth < 5 else 0)]
        if isinstance(kind, type):
            return self._of_class(kind, depth)
        return None

    def _one_of(self, kinds: Sequence[Any], name: str, depth: int) -> Any:
        optional = type(None) in kinds
        if optional and (depth > 4 or self._chance.random() < 0.5):
            return None
        chosen = self._chance.choice([kind for kind in kinds if kind is not type(None)])
        return self._drawn(chosen, name, depth)

    def _of_class(self, kind: type, depth: int) -> Any:
        chance = self._chance
        if attrs.has(kind):
            attrs.resolve_types(kind)
            fields = [field for field in attrs.fields(kind) if field.init and field.default in (None, attrs.NOTHING)]
            return kind(**{field.name.lstrip("_"): self._drawn(field.type, field.name, depth + 1) for field in fields})
        if issubclass(kind, enum.Enum):
            return chance.choice(list(kind))
        if issubclass(kind, bool):
            return chance.random() < 0.5
        if issubclass(kind, int):
            return chance.choice((0, 1, 5, _FAR))
        if issubclass(kind, float):
            return chance.random()
        return chance.choice(("", "1", "a", WORD, HARM)) if issubclass(kind, str) else None


def spoiled(chance: random.Random, params: Any) -> Any:
    """Parameters of which one, at any depth, is missing or something else."""
    params = copy.deepcopy(params)
    places = list(_places(params))
    if not places:
        return chance.choice(JUNK)
    holder, key = chance.choice(places)
    if chance.random() < 0.3:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(chance.choice(JUNK))
    return params


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
