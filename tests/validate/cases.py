"""Modules with marks: text that says below each line what is found in it.

    //--- the operands of an addition have the type of its result
    ; spvls: target-env=vulkan1.2
    ; options: max_struct_members=2
            %s = OpIAdd %float %a %b
        ;               ^^^^^^ error: computation/integer-operands-match-result (opcode/OpIAdd/result)

A file is one case, or several, each after a line `//--- TITLE`. The carets stand below what the finding underlines. A finding
that underlines nothing, as those of binaries, has no carets: it stands below its instruction, or above the first one if it is
about the module. The requirements of `tests/validate/catalogue` that are violated there follow in parentheses.
`; assemble: spv1.6` checks the binary that the text makes as that version, or the assembler itself if it makes none;
`; revealed: RULE …` names the rules of errors that appear only after a fix.

Cases that differ in a few lines share the others: after a line `//===` stands a module with a line `...`, and each case after
it gives the lines that stand there. Comments at the top of a case go to the top of the module. A case whose findings are
in the shared lines has to be a module of its own, before the first `//===`, or after a second one with nothing in it.

`python -m pytest tests/validate/test_cases.py --update` writes the marks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import spvls
from spvls.diagnostic import Diagnostic, Position, Range
from spvls.syntax.header import read_header
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from spvls.text.saving import save_file
from tests.corpus import FIXTURES, ROOT, text_of

_SEPARATOR = re.compile(r"^//(?:--- (.*)|===.*)\n", re.MULTILINE)
_HOLE = "..."
_MARK = re.compile(r"\s*;\s*(\^*)\s*(error|warning|information|hint): (\S+)(?: \(([^()]*)\))?\s*")
_SETTING = re.compile(r";\s*(options|assemble|revealed):\s*(.*\S)")
_START = Range(Position(0, 0), Position(0, 0))
_INDENT = "    "

_TRUTH = {"true": True, "false": False}


class Frame(NamedTuple):
    """The lines that several cases share: comments at the top, and the lines before and after those of a case."""

    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def fill(self, part: str) -> str:
        """The module of a case."""
        lines = part.rstrip("\n").split("\n") if part.strip() else []
        top = _top(lines)
        return "\n".join([*self.comments, *lines[:top], *self.before, *lines[top:], *self.after, ""])

    def cut(self, text: str) -> str:
        """The part of a module that is not shared; ValueError if the shared lines are not in it."""
        lines = tuple(text.rstrip("\n").split("\n")[len(self.comments) :])
        top = _top(lines)
        start, end = top + len(self.before), len(lines) - len(self.after)
        if (lines[top:start], lines[end:]) != (self.before, self.after):
            raise ValueError("a finding is in lines that other cases share, so the case has to be a module of its own")
        own = [*lines[:top], *lines[start:end]]
        return "\n".join([*own, ""]) if own else ""


def _top(lines: Sequence[str]) -> int:
    """The number of comments at the top."""
    return next((number for number, line in enumerate(lines) if not line.startswith(";")), len(lines))


def _frame(text: str) -> Frame | None:
    """The frame that a text after `//===` describes, None if there is nothing in it; ValueError if it has no `...`."""
    if not text.strip():
        return None
    lines = text.rstrip("\n").split("\n")
    top, hole = _top(lines), [line.strip() for line in lines].index(_HOLE)
    return Frame(tuple(lines[:top]), tuple(lines[top:hole]), tuple(lines[hole + 1 :]))


class Case(NamedTuple):
    """A module, and its part of a file, from character `start` to `end`. A file that is one case has no title."""

    path: Path
    title: str
    text: str
    start: int
    end: int
    frame: Frame | None = None

    @property
    def name(self) -> str:
        """The path from the root of the project, and the title after `#`."""
        name = self.path.relative_to(ROOT).as_posix()
        return f"{name}#{self.title}" if self.title else name


class Mark(NamedTuple):
    """A finding: its line, None if it is about the module; the columns that it underlines, None if there are none."""

    line: int | None
    start: int | None
    end: int | None
    severity: str
    rule: str


class Settings(NamedTuple):
    """What the top of a module asks for, the environment aside, which the product reads itself.

    `revealed` are the rules of errors that other errors hide, so that a fix may bring them to light.
    """

    options: dict[str, bool | int | str]
    assemble: str | None = None
    revealed: frozenset[str] = frozenset()


def case_files() -> list[Path]:
    """The files with cases: the fixtures, and the files of cases beside the tests."""
    return sorted([*FIXTURES.rglob("*.spvasm"), *(ROOT / "tests").rglob("*.spvasm")])


@cache
def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file in their order."""
    return tuple(cases_in(text_of(path), path))


def cases_in(text: str, path: Path) -> Iterator[Case]:
    """The cases of the text of a file; ValueError if something stands before the first one, or two have the same title."""
    separators = list(_SEPARATOR.finditer(text))
    if not separators:
        yield Case(path, "", text, 0, len(text))
        return
    if any(line and not line.startswith(";") for line in text[: separators[0].start()].split("\n")):
        raise ValueError(f"{path}: only comments may stand before the first case")
    titles: set[str] = set()
    frame = None
    ends = [match.start() for match in separators[1:]]
    for match, end in zip(separators, [*ends, len(text)], strict=True):
        title, part = match[1], text[match.end() : end]
        if title is None:
            frame = _frame(part)
            continue
        if title in titles:
            raise ValueError(f"{path}: two cases have the title {title!r}")
        titles.add(title)
        yield Case(path, title, frame.fill(part) if frame is not None else part, match.end(), end, frame)


def replace_case(case: Case, text: str) -> None:
    """Write another module in the place of a case into its file, other cases of which may have changed since it was read."""
    whole = text_of(case.path)
    (now,) = (other for other in cases_in(whole, case.path) if other.title == case.title)
    part = whole[now.start : now.end]
    if case.frame is not None:
        text = case.frame.cut(text).rstrip("\n") + part[len(part.rstrip("\n")) :]
    save_file(str(case.path), (whole[: now.start] + text + whole[now.end :]).encode("utf-8", "surrogateescape"))


def settings(text: str) -> Settings:
    """The settings at the top of a module."""
    said: dict[str, str] = {}
    for line in text.split("\n"):
        if not line.startswith(";"):
            break
        if match := _SETTING.fullmatch(line):
            said[match[1]] = match[2]
    pairs = (pair.partition("=") for pair in said.get("options", "").split())
    options = {name: _value(word) for name, _, word in pairs}
    return Settings(options, said.get("assemble"), frozenset(said.get("revealed", "").split()))


def _value(word: str) -> bool | int | str:
    return _TRUTH.get(word, int(word) if word.isdigit() else word)


def marks(text: str) -> dict[Mark, tuple[str, ...]]:
    """What the module says is found in it, and the requirements that are violated thereby."""
    return {mark: requirements for mark, requirements, _ in _read(text)}


def _read(text: str) -> Iterator[tuple[Mark, tuple[str, ...], int]]:
    """The marks, their requirements and the lines that they stand on."""
    subject, begun = 0, False
    for number, line in enumerate(text.split("\n")):
        match = _MARK.fullmatch(line)
        if match is None:
            subject = number if line.strip() else subject
            begun = begun or not line.startswith(";")
            continue
        columns = match.span(1) if match[1] else (None, None)
        mark = Mark(subject if begun or match[1] else None, *columns, match[2], match[3])
        yield mark, tuple((match[4] or "").split()), number


def with_marks(text: str, found: Iterable[Mark], requirements: Callable[[str], tuple[str, ...]] = lambda rule: ()) -> str:
    """The module with marks for what is found in it in the place of its own.

    A mark of the same rule on the same line keeps its requirements; `requirements` has those of rules that had none.
    """
    kept: dict[tuple[int | None, str], tuple[str, ...]] = {}
    marked = set()
    for mark, known, number in _read(text):
        kept[mark.line, mark.rule] = kept.get((mark.line, mark.rule)) or known
        marked.add(number)
    below = defaultdict(list)
    for mark in found:
        violated = kept.get((mark.line, mark.rule)) or requirements(mark.rule)
        below[mark.line].append((mark.start or 0, mark.end or 0, _written(mark, violated)))
    lines = text.split("\n")
    first = _top(lines)
    result = []
    for number, line in enumerate(lines):
        if number == first:
            result += [written for *_, written in sorted(below[None])]
        if number not in marked:
            result.append(line)
        result += [written for *_, written in sorted(below[number])]
    return "\n".join(result)


def _written(mark: Mark, requirements: tuple[str, ...]) -> str:
    said = f"{mark.severity}: {mark.rule}"
    if requirements:
        said = f"{said} ({' '.join(requirements)})"
    if mark.start is None or mark.end is None:
        return f"; {said}" if mark.line is None else f"{_INDENT}; {said}"
    indent = _INDENT if mark.start > len(_INDENT) else ""
    return f"{indent};".ljust(mark.start) + "^" * (mark.end - mark.start) + f" {said}"


def found_in(text: str) -> list[tuple[Mark, Diagnostic]]:
    """What is found in the module, as it would be marked."""
    lines = [line for line, _ in scan(split_lines(text))]
    return [(_mark(diagnostic, lines), diagnostic) for diagnostic in diagnose(text)]


def diagnose(text: str) -> list[Diagnostic]:
    """The findings of the module, or of the binary that it makes if it asks for that."""
    asked = settings(text)
    if asked.assemble is None:
        return spvls.validate(text, options=asked.options)
    try:
        binary = spvls.assemble(text, target_env=asked.assemble)
    except spvls.AssembleError as error:
        return error.diagnostics
    return spvls.validate(binary, target_env=read_header(split_lines(text)).target, options=asked.options)


def _mark(diagnostic: Diagnostic, lines: list[int]) -> Mark:
    severity, rule, where = diagnostic.severity.value, diagnostic.rule, diagnostic.range
    if where is None or where == _START:
        about = diagnostic.instruction
        return Mark(lines[about - 1] if about is not None and where is None else None, None, None, severity, rule)
    assert where.start.line == where.end.line, f"{rule} underlines more than a line, which cannot be marked"
    assert where.start.column, f"{rule} underlines the first column, where no mark can stand"
    return Mark(where.start.line, where.start.column, where.end.column, severity, rule)
