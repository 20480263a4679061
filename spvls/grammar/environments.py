"""Target environments: the consumers a module can be meant for, by the names that the command line takes."""

from __future__ import annotations

from functools import lru_cache

from spvls.grammar.data_text import data_text, loads
from spvls.grammar.records import Version
from spvls.record import NamedTuple


class Environment(NamedTuple):
    """`version` is the newest SPIR-V version it takes; `api` is "vulkan", "opencl", "opengl", or "" for SPIR-V alone."""

    name: str
    version: Version
    api: str
    api_version: Version
    embedded: bool


DEFAULT = "spv1.6"


@lru_cache(maxsize=1)
def environments() -> dict[str, Environment]:
    """All environments by name."""
    entries = loads(data_text("environments.json"))
    return {
        name: Environment(
            name,
            _version(entry["version"]),
            entry.get("api", ""),
            _version(entry.get("api_version", "0.0")),
            entry.get("embedded", False),
        )
        for name, entry in entries.items()
    }


def environment(name: str) -> Environment:
    """The environment of that name; ValueError, which lists the names, where there is none."""
    try:
        return environments()[name]
    except KeyError:
        raise ValueError(f"there is no target environment {name!r}; choose one of {', '.join(environments())}") from None


def _version(text: str) -> Version:
    major, _, minor = text.partition(".")
    return int(major), int(minor)
