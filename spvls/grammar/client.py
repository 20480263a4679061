"""What client APIs let a module declare: the capabilities that each version of an API may support."""

from __future__ import annotations

from functools import cache

from spvls.grammar.data_text import data_text, loads
from spvls.grammar.tables import capability_values, on_replace
from spvls.record import NamedTuple


class ClientCapabilities(NamedTuple):
    """The capabilities that an API takes without any extension; `enabled_by` gives those that another capability, its key,
    brings along."""

    capabilities: frozenset[int]
    enabled_by: dict[int, frozenset[int]]

    def allows(self, capability: int, declared: frozenset[int]) -> bool:
        """Whether a module that declares the capabilities `declared` may declare `capability` as well."""
        return capability in self.capabilities or any(
            capability in enabled for enabling, enabled in self.enabled_by.items() if enabling in declared
        )


@cache
def client_capabilities(environment: str) -> ClientCapabilities | None:
    """What the API of a target environment takes; None for one that takes every capability."""
    entries = loads(data_text("client_capabilities.json"))
    entry = entries.get(environment)
    if entry is None:
        return None
    taken: set[int] = set()
    enabled_by: dict[int, frozenset[int]] = {}
    while entry is not None:
        taken.update(capability_values(entry.get("capabilities", ())))
        for name, enabled in entry.get("enabled_by", {}).items():
            for enabling in capability_values((name,)):
                enabled_by[enabling] = enabled_by.get(enabling, frozenset()).union(capability_values(enabled))
        entry = entries.get(entry.get("includes"))
    return ClientCapabilities(frozenset(taken), enabled_by)


on_replace(client_capabilities.cache_clear)
