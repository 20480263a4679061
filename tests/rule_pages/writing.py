"""What is wrong with the words of a rule's page.

`unwritten/FOLDER.txt` lists the pages that are not written yet: a rule a line, then the parts that are missing. A list may only
shrink: what is written has to leave it, which `python -m tests.rule_pages FOLDER` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from spvls.validate.engine.explanation import Explanation, explained, explanation
from spvls.validate.engine.rule_markdown import page_markdown
from tests import wording

FOLDER = Path(__file__).parent / "unwritten"

LONGEST_TITLE = 100
"""Characters of a title: it fits a line of `spvls rules` and of the summary of `spvls lint`."""

SHORTEST_WHY = 60
"""Characters of a reason, which is a sentence at least."""

_MUST = re.compile(r"\b(must|may only)\b")
_CODE = re.compile(r"(?ms)^```.*?^```$|`[^`]*`|\]\(http[^)]*\)")

def faults(found: Explanation) -> Iterator[tuple[str, str]]:
    """The parts of a page that are not as they must be, each with what is wrong."""
    yield from (("title", fault) for fault in _title_faults(found.title))
    if sum(map(len, found.why)) < SHORTEST_WHY:
        yield "why", "no paragraph after the first line says what goes wrong where the rule is broken"
    page = _CODE.sub(" ", page_markdown(found).removeprefix(f"# {found.id}"))
    yield from (("english", fault) for fault in wording.faults(page, {**wording.WORDS, **wording.STRICTER}))


def _title_faults(title: str) -> Iterator[str]:
    if len(title) > LONGEST_TITLE:
        yield f"the title has {len(title)} characters; it may only have {LONGEST_TITLE}"
    if not title.endswith(".") or re.search(r"\.\s+[A-Z]", title):
        yield "the title is not one sentence"
    if not _MUST.search(title):
        yield "the title says neither `must` nor `may only`"


@cache
def unwritten() -> dict[str, frozenset[str]]:
    """The parts that are not written yet, by rule."""
    lines = (line.split() for path in sorted(FOLDER.glob("*.txt")) for line in path.read_text("utf-8").splitlines())
    return {rule: frozenset(parts) for rule, *parts in lines}


def write_lists(folders: Iterable[str]) -> None:
    """Takes what is written by now from the lists of folders."""
    for folder in folders:
        path = FOLDER / f"{folder}.txt"
        lines = []
        for id_ in explained():
            found = explanation(id_) if id_.startswith(f"{folder}/") else None
            left = sorted({part for part, _ in faults(found)} & unwritten().get(id_, frozenset())) if found is not None else []
            if left:
                lines.append(" ".join([id_, *left]))
        if lines:
            path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
        else:
            path.unlink(missing_ok=True)
