"""Ids of a text to numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NUMERIC = re.compile(r"0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*").fullmatch


class Numbering(dict[str, int]):
    """Names of ids to numbers: 1, 2, 3 … in the order in which they are first asked for.

    Each of `numeric_names` that reads as a number (decimal, 0x…, octal) has that number; `numbers` has those of other names.
    The rest take the numbers that are left.
    """

    def __init__(self, numeric_names: Iterable[str] = (), numbers: Mapping[str, int] | None = None) -> None:
        self._fixed = {name: value for name in numeric_names if (value := _number(name)) is not None} | dict(numbers or {})
        self._taken = set(self._fixed.values())
        self._last = 0

    def __missing__(self, name: str) -> int:
        number = self._fixed.get(name)
        if number is None:
            number = self._last + 1
            while number in self._taken:
                number += 1
            self._last = number
        self[name] = number
        return number

    @property
    def bound(self) -> int:
        """One more than the largest number; 0xffffffff, which has no successor in 32 bits, counts as 0."""
        return max(((number + 1) & 0xFFFFFFFF for number in self.values()), default=0) or 1


def _number(name: str) -> int | None:
    if _NUMERIC(name) is None:
        return None
    base = 16 if name[:2] in ("0x", "0X") else 8 if name.startswith("0") else 10
    value = int(name, base)
    return value if value <= 0xFFFFFFFF else None
