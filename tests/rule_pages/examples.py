"""The shortest form of a fixture and of its clean twin that shows what is wrong, and what is right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from spvls.diagnostic import Diagnostic
from tests.validate.cases import Mark

_COMMENT = re.compile(r"\s*;(?! (spvls|Version|SPIR-V):?)")
_ID = re.compile(r"%\w+")
_RESULT = re.compile(r"\s*(%\w+)\s*=")
_FLOW = re.compile(r"\bOp(Label|Branch|BranchConditional|Switch|SelectionMerge|LoopMerge|Phi|Unreachable|Kill)\b")
_VARIABLE = re.compile(r"=\s*Op(Untyped)?Variable\w*\s+(%\w+)")
_DECORATION = re.compile(r"\s*Op(Member)?Decorate\w*\s+(%\w+)")
_FUNCTION = re.compile(r"\bOpFunction\b")
_FUNCTION_END = re.compile(r"\bOpFunctionEnd\b")

MOST_MARKS = 3
"""Findings that an example shows."""

MOST_LINES = 24
"""Lines of an example; of one that has more, the middle is left out."""

MOST_BODY = 16
"""Lines of a function that is shown as a whole, where its control flow is at fault."""


class Text(NamedTuple):
    """The lines of a module that are not comments, by their numbers."""

    lines: dict[int, str]

    @classmethod
    def of(cls, text: str) -> Text:
        lines = enumerate(text.rstrip("\n").split("\n"))
        return cls({number: line for number, line in lines if line.strip() and not _COMMENT.match(line)})

    def compared(self) -> list[str]:
        return [" ".join(line.split()) for line in self.lines.values()]

    def with_definitions(self, chosen: Iterable[int]) -> list[int]:
        """Some lines, those that define and decorate the ids in them, and the types of the variables among these."""
        found = {*chosen}
        used = {name for number in found for name in _ID.findall(self.lines[number])}
        variables = (match for line in self.lines.values() if (match := _RESULT.match(line)) and match[1] in used)
        used |= {match[2] for line in variables if (match := _VARIABLE.search(line.string))}
        found |= {number for number, line in self.lines.items() if (match := _DECORATION.match(line)) and match[2] in used}
        found |= {number for number, line in self.lines.items() if (match := _RESULT.match(line)) and match[1] in used}
        return sorted(found)

    def with_neighbors(self, chosen: Iterable[int]) -> set[int]:
        """Some lines, and the one before and after each."""
        numbers = list(self.lines)
        places = {numbers.index(number) for number in chosen}
        return {numbers[at] for place in places for at in (place - 1, place, place + 1) if 0 <= at < len(numbers)}

    def with_bodies(self, chosen: Iterable[int]) -> set[int]:
        """Some lines, and the functions whose control flow they are part of, where these are short."""
        found = {*chosen}
        for body in self._bodies():
            if len(body) <= MOST_BODY and any(_FLOW.search(self.lines[number]) for number in found.intersection(body)):
                found.update(body)
        return found

    def _bodies(self) -> Iterable[list[int]]:
        body: list[int] | None = None
        for number, line in self.lines.items():
            if _FUNCTION.search(line):
                body = []
            if body is not None:
                body.append(number)
                if _FUNCTION_END.search(line):
                    yield body
                    body = None


def examples(
    rule: str, faulty: str, clean: str, found: Iterable[tuple[Mark, Diagnostic]], *, limited: bool = False
) -> tuple[list[str], list[str]]:
    """The lines of a fixture that are wrong, with carets below what the findings of a rule underline, and those of its twin.

    Lines around these are shown too where the twin would show nothing or the same, and where a limit is exceeded by them together.
    """
    bad, good = Text.of(faulty), Text.of(clean)
    own = [(mark, diagnostic) for mark, diagnostic in found if mark.rule == rule][:MOST_MARKS]
    marked = {mark.line for mark, _ in own if mark.line in bad.lines}
    related = {place.range.start.line for _, diagnostic in own for place in diagnostic.related}
    chosen = {*marked, *related} & bad.lines.keys()
    twins, wanted = _compared(bad, good)
    changed = bad.lines.keys() - twins.keys()
    wanted |= {twins[number] for number in chosen & twins.keys()}
    shown = bad.with_definitions(bad.with_bodies(chosen | changed))
    instead = good.with_definitions(good.with_bodies(wanted or {twins[number] for number in shown if number in twins}))
    moved = [bad.lines[number].split() for number in shown] == [good.lines[number].split() for number in instead]
    if moved or not instead or limited:
        shown = bad.with_definitions(bad.with_bodies(bad.with_neighbors(chosen | changed)))
        left = {twins[number] for number in shown if number in twins}
        instead = good.with_definitions(good.with_bodies(good.with_neighbors(wanted) or left))
    under = [mark for mark, _ in own if mark.start is not None]
    return _shown(bad, shown, under), _shown(good, instead, [])


def _compared(bad: Text, good: Text) -> tuple[dict[int, int], set[int]]:
    """The lines that both have, by their numbers, and the lines that only the good one has."""
    numbers, twins = list(bad.lines), list(good.lines)
    same: dict[int, int] = {}
    for first, second, count in SequenceMatcher(None, bad.compared(), good.compared(), autojunk=False).get_matching_blocks():
        same.update(zip(numbers[first : first + count], twins[second : second + count], strict=True))
    return same, good.lines.keys() - same.values()


def _shown(text: Text, numbers: list[int], marks: list[Mark]) -> list[str]:
    """Lines as far to the left as they can stand, with carets below them."""
    indents = [len(text.lines[number]) - len(text.lines[number].lstrip()) for number in numbers]
    cut = min([*indents, *(mark.start - 2 for mark in marks if mark.start is not None)], default=0)
    shown: list[str] = []
    for number in numbers:
        shown.append(text.lines[number][cut:].rstrip())
        for start, end in sorted({(mark.start, mark.end) for mark in marks if mark.line == number}):
            shown.append(";" + " " * (start - cut - 1) + "^" * (end - start))
    if len(shown) > MOST_LINES:
        shown[MOST_LINES // 2 : -MOST_LINES // 2] = ["; …"]
    return shown
