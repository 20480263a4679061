"""Did you mean: the known name nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spvls.steps import PORTION, Steps

_LONGEST = 100
"""Letters of a word that may stand for something else."""

_MOST_KNOWN = 1000
"""Words whose nearest names are remembered: what is misspelt once is often misspelt again."""


class Spelling:
    """Names, indexed by what is left of each when one letter is taken away; letter case does not count.

    Two spellings that share such a remainder differ by a letter missing, added or changed, or by two letters swapped.
    `former` has the names of today by former ones, which count only where they are written exactly.
    """

    __slots__ = ("_known", "_remainders")

    def __init__(self, names: Iterable[str], former: Mapping[str, str] | None = None) -> None:
        self._remainders = {old.lower(): new for old, new in (former or {}).items()}
        self._known: dict[str, str | None] = {}
        for name in names:
            for remainder in _remainders(name.lower()):
                self._remainders.setdefault(remainder, name)

    def nearest(self, word: str) -> str | None:
        """The name that `word` may stand for."""
        if len(word) > _LONGEST:
            return None
        if word not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = (self._remainders.get(remainder) for remainder in _remainders(word.lower()))
            self._known[word] = next((name for name in found if name is not None), None)
        return self._known[word]


def nearest_among(word: str, names: Iterable[str]) -> Steps[str | None]:
    """What `Spelling(names).nearest(word)` is, in short steps and without an index, for a word alone."""
    if len(word) > _LONGEST:
        return None
    rank: dict[str, int] = {}
    for remainder in _remainders(word.lower()):
        rank.setdefault(remainder, len(rank))
    least, nearest = len(rank), None
    for at, name in enumerate(names):
        if not at % PORTION:
            yield
        found = min([rank[remainder] for remainder in _remainders(name.lower()) if remainder in rank], default=least)
        if found < least:
            least, nearest = found, name
    return nearest


def _remainders(word: str) -> list[str]:
    """The word, then what remains of it without one of its letters."""
    return [word, *(word[:i] + word[i + 1 :] for i in range(len(word)))]
