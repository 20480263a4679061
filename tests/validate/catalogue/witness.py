"""Modules that violate requirements, one for each or for several at once.

A witness starts with `== ID …`, the requirements that it violates. A line `; key=value …` may follow: `in` is `shader` (the
default), `kernel` or `whole`; `env` is the target environment; the rest goes to the builder of `tests.validate.shaders` of
that name, with `+` for a space and `\\n` for a new line. Then stand declarations, a line `--`, and the body of the
function; without that line all is body, and of `in=whole` all is the module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.validate.catalogue import FOLDER
from tests.validate.shaders import kernel, shader


@dataclass(frozen=True, slots=True)
class Witness:
    ids: tuple[str, ...]
    text: str
    env: str | None


def witnesses(family: str) -> Iterator[Witness]:
    """The witnesses of a family, none where it has no file of them."""
    path = FOLDER / f"{family}.witnesses"
    if path.exists():
        yield from witnesses_in(path.read_text("utf-8"))


def witnesses_in(text: str) -> Iterator[Witness]:
    """The witnesses of a text, each of which begins after an empty line."""
    for part in text.split("\n== ")[1:]:
        first, _, rest = part.partition("\n")
        yield _witness(tuple(first.split()), rest)


def _witness(ids: tuple[str, ...], text: str) -> Witness:
    settings: dict[str, str] = {}
    if text.startswith("; "):
        line, _, text = text[2:].partition("\n")
        words = (word.partition("=") for word in line.split())
        settings = {key: value.replace("+", " ").replace("\\n", "\n") for key, _, value in words}
    env = settings.pop("env", None)
    build = settings.pop("in", "shader")
    if build == "whole":
        return Witness(ids, text, env)
    declarations, cut, body = text.partition("\n--\n") if not text.startswith("--\n") else ("", "--", text[3:])
    if not cut:
        declarations, body = "", text
    if build == "kernel":
        settings["capabilities"] = "Int64 " + settings.get("capabilities", "")
        return Witness(ids, kernel(body, declarations, **settings), env)
    return Witness(ids, shader(body, declarations, **settings), env)
