"""Changes to a text, for people: what `diff -u` prints."""

from __future__ import annotations

from difflib import unified_diff

from spvls.text.escaping import visible
from spvls.text.lines import split_lines


def diff_of(name: str, before: str, after: str) -> str:
    """The lines of a unified diff between two versions of a text; nothing where they are the same."""
    shown = visible(name)
    changes = unified_diff(_lines(before), _lines(after), shown, shown)
    return "\n".join(
        line.removesuffix("\n") if line.endswith("\n") else f"{line}\n\\ No newline at end of file" for line in changes
    )


def _lines(text: str) -> list[str]:
    lines = split_lines(text)
    return lines if lines[-1] else lines[:-1]
