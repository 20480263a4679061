"""What client APIs let a module declare: the capabilities that each version of an API may support."""

from __future__ import annotations

import json
import os.path
from functools import cache
from typing import NamedTuple

from spvls.grammar.tables import data_folder


class ClientCapabilities(NamedTuple):
    """The capabilities that an API takes without any extension; `enabled_by` gives those that another capability, its key,
    brings along."""

    capabilities: frozenset[str]
    enabled_by: dict[str, frozenset[str]]

    def allows(self, name: str, declared: frozenset[str]) -> bool:
        """Whether a module that declares the capabilities `declared` may declare `name` as well."""
        return name in self.capabilities or any(
            name in enabled for enabling, enabled in self.enabled_by.items() if enabling in declared
        )


@cache
def client_capabilities(environment: str) -> ClientCapabilities | None:
    """What the API of a target environment takes; None for one that takes every capability."""
    with open(os.path.join(data_folder(), "client_capabilities.json"), encoding="utf-8") as file:
        entries = json.load(file)
    entry = entries.get(environment)
    if entry is None:
        return None
    taken: set[str] = set()
    enabled_by: dict[str, frozenset[str]] = {}
    while entry is not None:
        taken.update(entry.get("capabilities", ()))
        for enabling, enabled in entry.get("enabled_by", {}).items():
            enabled_by[enabling] = enabled_by.get(enabling, frozenset()).union(enabled)
        entry = entries.get(entry.get("includes"))
    return ClientCapabilities(frozenset(taken), enabled_by)
