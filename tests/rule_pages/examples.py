"""The shortest form of a fixture and of its clean twin that shows what is wrong, and what is right."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from spvls.diagnostic import Diagnostic
from tests.validate.cases import Mark

_COMMENT = re.compile(r"\s*;(?! (spvls|Version|SPIR-V):?)")
_COMMENTED = re.compile(r"\s*;")
_ID = re.compile(r"%\w+")
_RESULT = re.compile(r"\s*(%\w+)\s*=")
_FLOW = re.compile(r"\bOp(Label|Branch|BranchConditional|Switch|SelectionMerge|LoopMerge|Phi|Unreachable|Kill)\b")
_VARIABLE = re.compile(r"=\s*Op(Untyped)?Variable\w*\s+(%\w+)")
_CONSTANT = re.compile(r"\s*(%\w+)\s*=\s*OpConstant")
_DECORATION = re.compile(r"\s*Op(Member)?Decorate\w*\s+(%\w+)")
_DECLARED = re.compile(r'\s*(?:OpExtension "(\w+)"|(%\w+)\s*=)')
_EXTENSION = re.compile(r"\s*OpExtension\b")
_OUTSIDE = re.compile(r"\s*Op(\w*Name|EntryPoint|\w*Decorate\w*)\b")
_FUNCTION = re.compile(r"\bOpFunction\b")
_BEGIN = re.compile(r"\bOp(Function|Graph\w*ARM)\b")
_ANYWHERE = re.compile(r"\bOp(Undef|Line|NoLine|ExtInst)\b")
_FUNCTION_END = re.compile(r"\bOpFunctionEnd\b")

MOST_MARKS = 3
"""Findings that an example shows."""

MOST_LINES = 24
"""Lines of an example; of one that has more, the middle is left out."""

MOST_BODY = 18
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

    def with_bodies(self, chosen: Iterable[int], *, flows: bool = False) -> set[int]:
        """Some lines, and the functions whose control flow they are part of, where these are short; with `flows` all functions
        that they are part of."""
        found = {*chosen}
        for body in self._bodies():
            inside = found.intersection(body)
            if len(body) <= MOST_BODY and inside and (flows or any(_FLOW.search(self.lines[number]) for number in inside)):
                found.update(body)
        return found

    def with_uses(self, chosen: Iterable[int]) -> set[int]:
        """Some lines, and the first use of each variable that one of them declares and none of them uses."""
        found = {*chosen}
        for name in [match[1] for number in found if (match := _RESULT.match(self.lines[number])) and _VARIABLE.search(match.string)]:
            uses = [
                number
                for number, line in self.lines.items()
                if name in _ID.findall(line.partition("=")[2] or line) and not _OUTSIDE.match(line)
            ]
            if uses and not found.intersection(uses):
                found.add(uses[0])
        return found

    def with_functions(self, chosen: set[int], marked: Iterable[int] = (), begun: Collection[int] = ()) -> list[int]:
        """Some lines and, where one of them begins a function, is part of a graph, or is `marked` and could also be outside of
        functions, the begin of each function that they are part of; else those of these begins that are among the lines `begun`."""
        every = any(_BEGIN.search(self.lines[number]) for number in chosen) or any(_ANYWHERE.search(self.lines[at]) for at in marked)
        return sorted(chosen | {body[0] for body in self._bodies() if (every or body[0] in begun) and chosen.intersection(body)})

    def with_constants(self, chosen: Iterable[int]) -> set[int]:
        """Some lines, and the constants in them."""
        found = {*chosen}
        used = {name for number in found for name in _ID.findall(self.lines[number])}
        return found | {number for number, line in self.lines.items() if (match := _CONSTANT.match(line)) and match[1] in used}

    def declared(self, names: Iterable[str]) -> set[int]:
        """The lines that declare some extensions and ids."""
        wanted = {*names}
        matches = ((number, match) for number, line in self.lines.items() if (match := _DECLARED.match(line)))
        return {number for number, match in matches if match[1] in wanted or match[2] in wanted}

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
    rule: str,
    faulty: str,
    clean: str,
    found: Iterable[tuple[Mark, Diagnostic]],
    *,
    limited: bool = False,
    conditions: Iterable[int] = (),
) -> tuple[list[str], list[str]]:
    """The lines of a fixture that are wrong, with carets below what the findings of a rule underline, and those of its twin.

    Lines around these are shown too where the twin would show nothing or the same, and where a limit is exceeded by them together;
    both also show the lines that are `conditions` of the findings.
    """
    bad, good = Text.of(faulty), Text.of(clean)
    own = [(mark, diagnostic) for mark, diagnostic in found if mark.rule == rule][:MOST_MARKS]
    marked = {mark.line for mark, _ in own if mark.line in bad.lines}
    related = {place.range.start.line for _, diagnostic in own for place in diagnostic.related}
    named = bad.declared(name for _, diagnostic in own for name in re.findall(r"%?\w+", diagnostic.message))
    chosen = {*marked, *related} & bad.lines.keys()
    chosen |= {number for number in named if _EXTENSION.search(bad.lines[number])}
    chosen |= bad.with_uses(marked)
    twins, wanted = _compared(bad, good)
    changed = bad.lines.keys() - twins.keys()
    wanted |= {twins[number] for number in chosen & twins.keys()}
    whole = bad.with_bodies(chosen | changed)
    shown = bad.with_definitions(whole)
    left = wanted or {twins[number] for number in shown if number in twins}
    instead = good.with_definitions(good.with_bodies(left, flows=whole != chosen | changed))
    moved = [bad.lines[number].split() for number in shown] == [good.lines[number].split() for number in instead]
    if moved or not instead or limited:
        shown = bad.with_definitions(bad.with_bodies(bad.with_neighbors(chosen | changed)))
        left = {twins[number] for number in shown if number in twins}
        instead = good.with_definitions(good.with_bodies(good.with_neighbors(wanted) or left))
    under = [mark for mark, _ in own if mark.start is not None]
    around = bad.with_constants(conditions)
    kept = {twins[number] for number in around if number in twins}
    wrong = bad.with_functions({*shown, *named, *around}, marked)
    right = good.with_functions({*instead, *kept}, begun={twins[number] for number in wrong if number in twins})
    return _shown(bad, wrong, under), _shown(good, right, [])


def _compared(bad: Text, good: Text) -> tuple[dict[int, int], set[int]]:
    """The lines that both have, by their numbers, and the lines that only the good one has."""
    numbers, twins = list(bad.lines), list(good.lines)
    same: dict[int, int] = {}
    for first, second, count in SequenceMatcher(None, bad.compared(), good.compared(), autojunk=False).get_matching_blocks():
        same.update(zip(numbers[first : first + count], twins[second : second + count], strict=True))
    return same, good.lines.keys() - same.values()


def _shown(text: Text, numbers: list[int], marks: list[Mark]) -> list[str]:
    """Lines as far to the left as they can stand, with carets below them; comments begin their line."""
    margins = {number: len(text.lines[number]) - len(text.lines[number].lstrip()) for number in numbers}
    for mark in marks:
        if mark.line in margins and mark.start is not None:
            margins[mark.line] = min(margins[mark.line], mark.start - 2)
    code = [number for number in numbers if not _COMMENTED.match(text.lines[number])]
    margins |= dict.fromkeys(code, min((margins[number] for number in code), default=0))
    shown: list[str] = []
    for number in numbers:
        cut = margins[number]
        shown.append(text.lines[number][cut:].rstrip())
        here = {(mark.start, mark.end) for mark in marks if mark.line == number}
        for start, end in sorted((start, end) for start, end in here if start is not None and end is not None):
            shown.append(";" + " " * (start - cut - 1) + "^" * (end - start))
    if len(shown) > MOST_LINES:
        shown[MOST_LINES // 2 : -MOST_LINES // 2] = ["; …"]
    return shown
