"""Words that are not plain technical English in American spelling, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORDS = {
    r"behind": "after",
    r"tells?|told": "says, specifies",
    r"mend(s|ed|ing)?": "fix, corrected",
    r"(?<!there )(is|are|was|were) no(?! (longer|more|less|larger|smaller|looser|way)\b)": "is not a",
    r"takes? along": "includes",
    r"nobody": "nothing, no instruction",
    r"goes with|go with": "requires, is used with",
    r"looks? at|looked at": "checks, reads",
    r"gives? back": "returns",
    r"puts? out": "outputs",
    r"the like": "(name them)",
    r"whichever|wherein|hinders?|lest|yet better": "(plain words)",
    r"reference validator": "spirv-val",
    r"\w*(colour|behaviour|neighbour|favour)\w*|\w+(alis|imis|oris|anis|ialis)(e|es|ed|ing|ation)": "American spelling",
}
"""What no text for users has."""

STRICTER = {r"alone": "only", r"stands?(?! for\b)": "is, appears"}
"""What pages of rules and messages do not have either."""


def faults(text: str, words: dict[str, str] = WORDS) -> Iterator[str]:
    """What is wrong with the words of a text; code spans do not count."""
    bare = re.sub(r"`[^`]*`", " ", text)
    for pattern, instead in words.items():
        for found in re.finditer(rf"\b({pattern})(?!\w)", bare, re.IGNORECASE):
            yield f"{' '.join(bare[max(found.start() - 30, 0) : found.end() + 20].split())!r}: write {instead}"
