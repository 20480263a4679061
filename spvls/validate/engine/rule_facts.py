"""What is gathered of rules from the code and from the fixtures: `rule_facts.json`, which `python -m tests.shipped` writes."""

from __future__ import annotations

import json
from functools import cache

from spvls.grammar import registry
from spvls.grammar.data_text import data_text
from spvls.record import NamedTuple
from spvls.typed import Any


class FixFact(NamedTuple):
    """A quick fix: its title, and whether it is the one sure answer."""

    title: str
    sure: bool


class Source(NamedTuple):
    """What specifies something besides the core: its name, and its page."""

    name: str
    address: str


class RuleFacts(NamedTuple):
    """`example` has the lines of a module that break the rule, with carets below what a finding underlines, and `instead` those
    of the module that keeps it; empty where there are none. `options` are names of `Options` that the rule reads. `vuids`
    are all that its findings can have. `sources` are extensions and extended instruction sets that bring what it is about, with
    the addresses of their pages."""

    example: str = ""
    instead: str = ""
    fixes: tuple[FixFact, ...] = ()
    options: tuple[str, ...] = ()
    vuids: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


def facts_of(id_: str) -> RuleFacts:
    """What is gathered of the findings with that id."""
    entry = _facts().get(id_, {})
    return RuleFacts(
        "\n".join(entry.get("example", ())),
        "\n".join(entry.get("instead", ())),
        tuple(FixFact(title, sure) for title, sure in entry.get("fixes", ())),
        tuple(entry.get("options", ())),
        tuple(entry.get("vuids", ())),
        tuple(Source(name, own[0] if own else _address(name)) for name, *own in entry.get("sources", ())),
    )


def page_of(id_: str) -> str:
    """The docstring of a rule where its module has none, as in an installed package."""
    page: str = _facts().get(id_, {}).get("page", "")
    return page


def former_ids() -> dict[str, str]:
    """The ids that findings had before, in their order, each with the one that its findings have now."""
    return dict(sorted((former, id_) for id_, entry in _facts().items() for former in entry.get("former", ())))


def _address(name: str) -> str:
    page = registry.page(name)
    if page is None:
        raise ValueError(f"the registry has no page of {name}")
    return page.address


@cache
def _facts() -> dict[str, dict[str, Any]]:
    entries: dict[str, dict[str, Any]] = json.loads(data_text("rule_facts.json") or "{}")
    return entries
