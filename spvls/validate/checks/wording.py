"""Words that messages of several families share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], last: str = "or") -> str:
    """Names in a row: `a`, `a or b`, `a, b or c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def counted(count: int, noun: str) -> str:
    """A number and what it counts: `1 member`, `2 members`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def are_given(count: int, noun: str = "") -> str:
    """How many there are: `1 is given`, `2 are given`, `2 types are given`."""
    return f"{counted(count, noun) if noun else count} {'is' if count == 1 else 'are'} given"
