"""The parameters of the server's own requests, which come as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from spvls.diagnostic import Position
from spvls.server.convert import ClientPosition, ClientRange


def uri_of(params: Any) -> str:
    """The address of the document that a request is about."""
    document = params.get("textDocument") if isinstance(params, Mapping) else None
    return text_of(document, "uri")


def text_of(params: Any, name: str) -> str:
    """A string among parameters."""
    value = params.get(name) if isinstance(params, Mapping) else None
    if not isinstance(value, str):
        raise JsonRpcInvalidParams(f"{name} is missing, or is not a string")
    return value


def choice_of(params: Any, name: str, choices: tuple[str, ...]) -> str | None:
    """One of several strings among parameters, which may be missing."""
    value = params.get(name) if isinstance(params, Mapping) else None
    if value is not None and value not in choices:
        raise JsonRpcInvalidParams(f"{name} is none of {', '.join(choices)}")
    return value


def values_of(params: Any) -> dict[str, str]:
    """Values of constants among parameters, an object; numbers and truth values as texts."""
    given = params.get("values") if isinstance(params, Mapping) else None
    if not isinstance(given, Mapping) or not all(isinstance(value, str | bool | int | float) for value in given.values()):
        raise JsonRpcInvalidParams("values is not an object of texts, numbers and truth values")
    return {str(key): str(value).lower() if isinstance(value, bool) else str(value) for key, value in given.items()}


def range_of(given: Any) -> ClientRange:
    """A range among parameters."""
    if not isinstance(given, Mapping):
        raise JsonRpcInvalidParams("range is not a range")
    return SimpleNamespace(start=position_of(given.get("start")), end=position_of(given.get("end")))


def place_of(params: Any, name: str) -> Position:
    """A place in a module among parameters: its line and its column in code points, as an array."""
    value = params.get(name) if isinstance(params, Mapping) else None
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(number, int) for number in value):
        raise JsonRpcInvalidParams(f"{name} is not a place")
    return Position(*value)


def position_of(given: Any) -> ClientPosition:
    """A position among parameters."""
    try:
        return SimpleNamespace(line=int(given["line"]), character=int(given["character"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise JsonRpcInvalidParams("this is not a position") from None
