"""Entries of a table as its file has them, one a line: each is read when it is first asked for.

A short module names some forty opcodes of nearly nine hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spvls.grammar.data_text import loads
from spvls.typed import Any

VALUED = '{"value": '
"""What entries of opcodes and enumerants begin with."""

KINDS = '{"category": '
"""What entries of operand kinds begin with; they may have `enumerants`, which follow one a line."""

_FEW = 64
"""Entries that are read one by one: to look for more of them would take as long as to read all."""

_ENUMERANTS = ' "enumerants": {'


class EntryLines(Mapping[str, dict[str, Any]]):
    """The entries of a JSON object, each of which begins with `opening` on a line of its own in its `text`; `is_read`
    says that all of them were read."""

    __slots__ = ("_known", "_opening", "_text", "is_read")

    def __init__(self, text: str, opening: str) -> None:
        self._text = text
        self._opening = opening
        self._known: dict[str, dict[str, Any]] = {}
        self.is_read = False

    def __getitem__(self, name: str) -> dict[str, Any]:
        known = self._known.get(name)
        if known is None and len(self._known) >= _FEW:
            return self._all()[name]
        if known is None:
            start = self._start(name)
            if start < 0:
                raise KeyError(name)
            known = self._known[name] = self._entry(start)
        return known

    def __contains__(self, name: object) -> bool:
        if self.is_read or name in self._known:
            return name in self._known
        return isinstance(name, str) and self._start(name) >= 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def name_of(self, value: int) -> str | None:
        """The name of the first entry with a value, None where there is none."""
        text, valued = self._text, f"{VALUED}{value}"
        at = text.find(valued)
        while at >= 0 and text[at + len(valued)] not in ",}":
            at = text.find(valued, at + 1)
        start = text.rfind("\n", 0, at) + 2
        return text[start : text.index('"', start)] if at >= 0 else None

    def _start(self, name: str) -> int:
        """Where the entry of that name starts, -1 where there is none."""
        key = f'\n"{name}": '
        at = self._text.find(key + self._opening) if '"' not in name else -1
        return at + len(key) if at >= 0 else -1

    def _entry(self, start: int) -> dict[str, Any]:
        line = self._text[start : self._text.index("\n", start)]
        if not line.endswith(_ENUMERANTS):
            entry: dict[str, Any] = loads(line.removesuffix(","))
            return entry
        entry = loads(f"{line}}}}}")
        entry["enumerants"] = EntryLines(self._text[start + len(line) : self._text.index("\n}", start) + 1], VALUED)
        return entry

    def _all(self) -> dict[str, dict[str, Any]]:
        """All entries, in the order of the text."""
        if not self.is_read:
            text = self._text.strip()
            every = loads(text if text.startswith("{") else f"{{{text}}}")
            self._known = every | self._known
            self.is_read = True
        return self._known
