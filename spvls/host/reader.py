"""What a reader of a host language is: lines to classes of lines, and these to modules."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar.environments import environments
from spvls.host.span import ModuleSpan
from spvls.text.pattern import pattern
from spvls.typed import Protocol

OUTSIDE, BLANK_OUTSIDE, REMARK = ".", "n", "@"
"""Classes of lines that are the host's own: any, one without code, one with a remark that names an environment."""

_REMARK = pattern(r"spvls:.*?\btarget-env\s*=\s*([^\s,;*\"'>)]+)")
_RUN_OPTION = pattern(r"--target-env[= ]\s*([\w.]+)")


class Reader(Protocol):
    """Reads one host language. A line has a class, one character up to U+00FF, that its text and the state before it give;
    the classes and the text of lines at `borders` decide where modules are, the text of other lines does not matter."""

    borders: frozenset[str]

    passive: frozenset[str]
    """Classes of lines outside of modules. Where an edit replaces such lines by such lines, and there is a line of the class
    OUTSIDE among both, modules only move."""

    def read(self, state: str, line: str) -> tuple[str, str]:
        """The state after a line and its class; the state before the first line is empty."""

    def ordinary(self, text: str, at: int) -> int:
        """Where the run of ordinary lines ends that begins at an offset of a text, after the empty state: each of them has the
        class OTHER, ends with a line feed, and leaves that state."""

    def cut(self, lines: Sequence[str], classes: str, states: Sequence[str]) -> list[ModuleSpan]:
        """The modules, from the first to the last, of lines with their classes and the states before them. No two share a
        line, except where one ends and another begins."""


def remarked(line: str) -> str | None:
    """The environment that a remark in a line of the host names."""
    match = _REMARK.search(line)
    return match[1] if match is not None and match[1] in environments() else None


def run_environment(line: str) -> str | None:
    """The environment that a RUN line of a test gives to the assembler or to the validator."""
    match = _RUN_OPTION.search(line)
    return match[1] if match is not None and match[1] in environments() else None


def environment_above(lines: Sequence[str], classes: str, line: int) -> str | None:
    """The environment of the nearest remark above a line."""
    at = classes.rfind(REMARK, 0, line)
    return remarked(lines[at]) if at >= 0 else None
