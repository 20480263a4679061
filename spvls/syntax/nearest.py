"""Did you mean: the known name nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Spelling:
    """Names, indexed by what is left of each when one letter is taken away; letter case does not count.

    Two spellings that share such a remainder differ by a letter missing, added or changed, or by two letters swapped.
    `former` has the names of today by former ones, which count only where they are written exactly.
    """

    __slots__ = ("_remainders",)

    def __init__(self, names: Iterable[str], former: Mapping[str, str] | None = None) -> None:
        self._remainders = {old.lower(): new for old, new in (former or {}).items()}
        for name in names:
            for remainder in _remainders(name.lower()):
                self._remainders.setdefault(remainder, name)

    def nearest(self, word: str) -> str | None:
        """The name that `word` may stand for."""
        if len(word) > 100:
            return None
        found = (self._remainders.get(remainder) for remainder in _remainders(word.lower()))
        return next((name for name in found if name is not None), None)


def _remainders(word: str) -> list[str]:
    """The word, then what remains of it without one of its letters."""
    return [word, *(word[:i] + word[i + 1 :] for i in range(len(word)))]
