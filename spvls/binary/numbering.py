"""Ids of a text to numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MOST_DIGITS = 100
"""Characters of a name that is a number, with all the zeros in front that anybody writes; a longer one is a name."""


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
    """The number that a name is in decimal, 0x… or octal after a leading 0; None where it is not one of 32 bits."""
    base = 16 if name[:2] in ("0x", "0X") else 8 if name.startswith("0") else 10
    if len(name) > _MOST_DIGITS or not name.isascii() or not (name.isalnum() if base == 16 else name.isdigit()):
        return None
    try:
        value = int(name, base)
    except ValueError:
        return None
    return value if value <= 0xFFFFFFFF else None
