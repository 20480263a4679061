"""Patterns that name rules: the id of one (`syntax/number`), or all of a folder (`syntax/*`). An id is nearer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from spvls.record import NamedTuple
from spvls.typed import TypeVar

Value = TypeVar("Value")


def patterns_of(rule: str) -> tuple[str, str]:
    """The patterns that name a rule, the nearest first."""
    return rule, rule.partition("/")[0] + "/*"


def value_for(rule: str, values: Mapping[str, Value]) -> Value | None:
    """What a table by patterns holds for a rule."""
    return next((values[pattern] for pattern in patterns_of(rule) if pattern in values), None)


@cache
def known_patterns() -> frozenset[str]:
    """All patterns that name anything. Loads the rules and the texts about findings of the reader."""
    from spvls.validate.engine.explanation import explained

    return frozenset(pattern for rule in explained() for pattern in patterns_of(rule))


def unknown_pattern(pattern: str) -> str:
    """What to say of a pattern that names nothing."""
    from spvls.syntax.nearest import Spelling

    near = Spelling(known_patterns()).nearest(pattern)
    return f"there is no rule {pattern}; " + (f"did you mean {near}?" if near else "`spvls rules` lists them")


class Choice(NamedTuple):
    """The rules that `select` names, or all where it is empty, without those that `ignore` names. What names a rule itself
    counts more than its folder; of the same nearness, `ignore` does."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    def has(self, rule: str) -> bool:
        """Whether the findings of a rule are wanted."""
        for pattern in patterns_of(rule):
            if pattern in self.ignore:
                return False
            if pattern in self.select:
                return True
        return not self.select


def chosen(select: Collection[str], ignore: Collection[str]) -> Choice:
    """The choice by patterns, former ones among them. Raises ValueError for one that names nothing."""
    if not (select or ignore):
        return Choice()
    from spvls.validate.engine.aliases import current_settings, is_former

    given = dict.fromkeys(select, ""), dict.fromkeys(ignore, "")
    for pattern in sorted({*given[0], *given[1]}):
        if pattern not in known_patterns() and not is_former(pattern):
            raise ValueError(unknown_pattern(pattern))
    return Choice(*(frozenset(current_settings(patterns)) for patterns in given))
