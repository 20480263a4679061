"""Where the keys of a TOML text stand, for findings about their values; the text itself is read by `tomllib`."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Position, Range
from spvls.text.pattern import pattern

_PART = r"(?>[A-Za-z0-9_-]++|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')"
_KEY = rf"{_PART}(?>(?:[ \t]*+\.[ \t]*+{_PART})*)"
_LINE = pattern(rf"[ \t]*(?:(?P<table>\[\[?)[ \t]*(?P<header>{_KEY})[ \t]*\]|(?P<key>{_KEY})[ \t]*=)")
_PARTS = pattern(_PART)

#: Parts that a dotted key has at most; the time that tomllib takes is the square of their number.
MOST_PARTS = 32

_LONG_KEY = pattern(rf"(?m)(?:^|[\[{{,])[ \t]*+(?P<key>(?:{_PART}[ \t]*+\.[ \t]*+){{{MOST_PARTS}}})")
_BRACKETS = pattern(r"[\[\]{}]")

Path = tuple[str, ...]


class KeyPlaces:
    """The places of keys by their paths, the names of tables and keys from the outermost on; read as far as it is asked for."""

    __slots__ = ("_lines", "_places", "_rest")

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._places: dict[Path, Range] = {}
        self._rest = self._keys()

    def place(self, *path: str) -> Range:
        """Where a key stands first; for one that stands on no line of its own, its name on the line of what it belongs to."""
        if path not in self._places:
            for read, place in self._rest:
                self._places.setdefault(read, place)
                if read == path:
                    break
        found = self._places.get(path)
        if found is not None:
            return found
        outer = self.place(*path[:-1]) if path else Range(Position(0, 0), Position(0, 0))
        if not path:
            return outer
        row, column = outer.start
        at = self._lines[row].find(path[-1], column)
        return outer if at < 0 else Range(Position(row, at), Position(row, at + len(path[-1])))

    def _keys(self) -> Iterator[tuple[Path, Range]]:
        table: Path = ()
        for row, line in enumerate(self._lines):
            match = _LINE.match(line)
            if match is None:
                continue
            header = match["table"] is not None
            path = () if header else table
            for part in _PARTS.finditer(line, *match.span("header" if header else "key")):
                quoted = part[0][0] in "\"'"
                path = (*path, part[0][1:-1] if quoted else part[0])
                yield path, Range(Position(row, part.start() + quoted), Position(row, part.end() - quoted))
            if header:
                table = path


def long_key(text: str) -> int | None:
    """The offset of the first key with more parts than are read, if there is one."""
    match = _LONG_KEY.search(text)
    return None if match is None else match.start("key")


def deep_value(text: str, depth: int) -> int:
    """The offset of the first bracket that so many others are open around; 0 where there is none."""
    opened = 0
    for match in _BRACKETS.finditer(text):
        opened += 1 if match[0] in "[{" else -1
        if opened > depth:
            return match.start()
    return 0
