"""Schemas of settings, and what is wrong with settings by them.

A schema is data as JSON Schema (draft 7) has it, so that editors can read it too. These keywords count: `type`, `enum`,
`pattern`, anchored at both ends, `minimum` and `maximum`, `items`, `properties`, `patternProperties`, and `additionalProperties`
where it is false. A `title` says in messages what a value must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from spvls.record import NamedTuple
from spvls.text.escaping import visible
from spvls.typed import Any

Schema = Mapping[str, Any]
Path = tuple[str, ...]
"""Keys from the outermost table on."""

DRAFT = "http://json-schema.org/draft-07/schema#"

_LONGEST = 60

_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "string": (str,),
    "array": (list, tuple),
    "object": (dict,),
}
_NAMED = {"boolean": "true or false", "integer": "a number", "string": "a string", "array": "a list", "object": "a table"}


class Violation(NamedTuple):
    """A value that its schema does not allow, or with `known` a key that there is none of: `known` are the ones that there are."""

    path: Path
    value: Any
    schema: Schema
    known: tuple[str, ...] | None = None


def violations(schema: Schema, value: Any, path: Path = ()) -> Iterator[Violation]:
    """What is wrong with a value, in its own order; an array that has a wrong item is wrong as a whole."""
    if not _fits(schema, value):
        yield Violation(path, value, schema)
    elif isinstance(value, dict):
        for key, inner in value.items():
            found = _schema_of(schema, key)
            if found is not None:
                yield from violations(found, inner, (*path, key))
            elif schema.get("additionalProperties") is False:
                yield Violation((*path, key), inner, schema, tuple(schema.get("properties", ())))


def explained(violation: Violation, noun: str) -> str:
    """What is wrong, in a sentence; `noun` is what a key that there is none of would be."""
    key = shortened(violation.path[-1]) if violation.path else "this"
    if violation.known is not None:
        return f"there is no {noun} {key}; there are {', '.join(violation.known)}"
    return f"{key} is {shown_value(violation.value)}, and must be {_wanted(violation.schema)}"


def shown_value(value: object) -> str:
    """A value of a configuration as messages show it, whatever its size."""
    try:
        return shortened(repr(value))
    except (ValueError, RecursionError):  # a number with thousands of digits, lists in lists
        return f"this {type(value).__name__}"


def shortened(text: str, longest: int = _LONGEST) -> str:
    """A text as messages show it: on one line, every character visible, cut off where it is long."""
    text = visible(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _fits(schema: Schema, value: Any) -> bool:
    """Whether a value is allowed, what is in a table aside."""
    wanted = schema.get("type")
    if wanted is not None and (not isinstance(value, _TYPES[wanted]) or (wanted == "integer" and isinstance(value, bool))):
        return False
    if "enum" in schema and not (isinstance(value, str) and value in schema["enum"]):
        return False
    if isinstance(value, str) and "pattern" in schema:
        return _matcher(schema["pattern"]).fullmatch(value) is not None
    if isinstance(value, int):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, list | tuple) and "items" in schema:
        return all(next(violations(schema["items"], item), None) is None for item in value)
    return True


def _schema_of(schema: Schema, key: str) -> Schema | None:
    found: Schema | None = schema.get("properties", {}).get(key)
    if found is not None:
        return found
    patterns: Mapping[str, Schema] = schema.get("patternProperties", {})
    return next((inner for pattern, inner in patterns.items() if _matcher(pattern).fullmatch(key)), None)


@lru_cache(maxsize=128)
def _matcher(pattern: str) -> re.Pattern[str]:
    """The pattern without its anchors: `$` would let a line break pass."""
    return re.compile(pattern.removeprefix("^").removesuffix("$"))


def _wanted(schema: Schema) -> str:
    if "title" in schema:
        return str(schema["title"])
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if "minimum" in schema and "maximum" in schema:
        return f"a number from {schema['minimum']} to {schema['maximum']}"
    return _NAMED[schema["type"]]
