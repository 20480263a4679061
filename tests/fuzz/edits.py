"""Edits of tokens and lines: `python -m tests.fuzz edits --count N [--jobs N] [--seed N]`.

Each round opens a fixture, makes a few edits to it, and holds after each of them that findings, instructions and ids are
those of the text read afresh. A round is drawn from its seed alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from spvls.diagnostic import RULE_FAILED, Diagnostic, Position, Range
from spvls.grammar.environments import Environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.syntax.header import read_header
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics
from tests.corpus import RULES, TEXTS, name_of, text_of
from tests.module.test_ids import table_of
from tests.strategies import Edit
from tests.syntax.test_document import rows, state
from tests.validate.cases import settings

EDITS = 12
"""Edits of a round."""

_LONGEST = 400
"""Fixtures of more lines take too long to read afresh after each edit."""

_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"?|;.*|[^\s";]+')
_ROUNDS_OF_A_JOB = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """A text and the edit to it after which an answer was not that of the edited text read afresh."""

    seed: int
    fixture: str
    before: str
    edits: list[Edit]
    message: str

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.fixture}: {self.message}\nedits: {self.edits!r}\ntext before: {self.before!r}"


@cache
def fixtures() -> tuple[Path, ...]:
    """All fixtures that are short enough."""
    paths = sorted([*TEXTS, *RULES.rglob("*.spvasm")])
    return tuple(path for path in paths if text_of(path).count("\n") <= _LONGEST)


@cache
def _lines_of(path: Path) -> tuple[str, ...]:
    return tuple(line for line in Document(text_of(path)).lines if line.strip() and not line.lstrip().startswith(";"))


class Lined(Protocol):
    """A text as its lines."""

    @property
    def lines(self) -> list[str]: ...


class Editor:
    """Draws edits as somebody makes them who has lost the thread."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def batch(self, document: Lined) -> list[Edit]:
        """The edits of one notification: one as a rule; two where tokens or lines change places."""
        chance = self._chance
        kind = chance.choice(("token",) * 6 + ("line",) * 3 + ("foreign", "swap tokens", "swap lines"))
        line = chance.randrange(len(document.lines))
        if kind == "line":
            return [self._of_line(document, line)]
        if kind == "foreign":
            return [(_before(line), chance.choice(_lines_of(chance.choice(fixtures()))))]
        if kind == "swap lines":
            other = chance.randrange(len(document.lines))
            return _swapped(document, (_whole(line), _whole(other)))
        places = list(_tokens(document, line))
        if not places:
            return [self._of_line(document, line)]
        if kind == "swap tokens":
            others = list(_tokens(document, chance.randrange(len(document.lines))))
            return _swapped(document, (chance.choice(places), chance.choice(others or places)))
        return [self._of_token(document, chance.choice(places))]

    def _of_line(self, document: Lined, line: int) -> Edit:
        match self._chance.randrange(3):
            case 0:
                return _whole(line), ""
            case 1:
                return _before(line), document.lines[line]
        return _before(line), document.lines[self._chance.randrange(len(document.lines))]

    def _of_token(self, document: Lined, place: Range) -> Edit:
        text = _text(document, place)
        match self._chance.randrange(5):
            case 0:
                return place, ""
            case 1:
                return place, f"{text} {text}"
            case 2:
                return place, self._token_of(_lines_of(self._chance.choice(fixtures())))
        return place, self._token_of(document.lines)

    def _token_of(self, lines: list[str] | tuple[str, ...]) -> str:
        """Some token of some line."""
        for _ in range(8):
            found = _TOKEN.findall(self._chance.choice(lines))
            if found:
                return str(self._chance.choice(found))
        return "%gone"


def _before(line: int) -> Range:
    return Range(Position(line, 0), Position(line, 0))


def _whole(line: int) -> Range:
    return Range(Position(line, 0), Position(line + 1, 0))


def _tokens(document: Lined, line: int) -> Iterator[Range]:
    for match in _TOKEN.finditer(document.lines[line]):
        yield Range(Position(line, match.start()), Position(line, match.end()))


def _text(document: Lined, place: Range) -> str:
    if place.start.line != place.end.line:
        return document.lines[place.start.line]
    return document.lines[place.start.line][place.start.column : place.end.column]


def _swapped(document: Lined, places: tuple[Range, Range]) -> list[Edit]:
    """The edits, the later place first, so that the first one moves nothing that the second one speaks of."""
    one, other = sorted(places)
    if one.end > other.start:
        return [(one, "")]
    return [(other, _text(document, one)), (one, _text(document, other))]


def _said(found: list[Diagnostic]) -> list[tuple[object, ...]]:
    return [(d.range, d.rule, d.message, d.severity, d.instruction, d.vuid, d.related, d.fixes) for d in found]


def _checker(document: Document, target: Environment, options: Options, *, edited: bool) -> Checker:
    module = Module(document.chunks, target)
    module.header = read_header(document.lines)
    return Checker(module, options, edited=edited)


def difference(document: Document, checker: Checker) -> str | None:
    """What an edited document and its checker say otherwise than the text read afresh, which is checked as a lint does it."""
    fresh = Document(document.text)
    again = _checker(fresh, checker.module.environment, checker.options, edited=False)
    checker.module.header = again.module.header
    if table_of(document, checker.module.ids) != table_of(fresh, again.module.ids):
        return "ids differ"
    found, expected = _said(diagnostics(checker, document)), _said(diagnostics(again, fresh))
    if found == expected:
        return next((f"{message}" for _, rule, message, *_ in found if rule == RULE_FAILED), None)
    lost = [item for item in expected if item not in found]
    stale = [item for item in found if item not in expected]
    return f"findings differ: missing {lost!r}, stale {stale!r}, order {not lost and not stale}"


def _other_instructions(document: Document) -> str | None:
    """Whether instructions, or the lines that they stand on, are others than those of the text read afresh."""
    fresh = Document(document.text)
    return "instructions differ" if rows(document) != rows(fresh) or state(document) != state(fresh) else None


def round_of(seed: int, path: Path | None = None) -> tuple[int, Failure | None]:
    """Edit a fixture, by `seed` or the one given: how many edits were made, and what failed."""
    chance = random.Random(seed)
    fixture = path or chance.choice(fixtures())
    text = text_of(fixture)
    chosen = settings(text)
    document = Document(text)
    checker = _checker(document, read_header(document.lines).environment(chosen.assemble), Options.of(chosen.options), edited=True)
    diagnostics(checker, document)
    editor = Editor(chance)
    for made in range(1, EDITS + 1):
        before = document.text
        edits = editor.batch(document)
        try:
            checker.update(document.edit(edits))
            message = difference(document, checker)
            if message is None and made == EDITS:
                message = _other_instructions(document)
        except Exception as error:
            message = f"raised {error!r}"
        if message is not None:
            return made, Failure(seed, name_of(fixture), before, edits, message)
    return EDITS, None


def _rounds(first: int, count: int) -> tuple[int, list[Failure]]:
    made, failures = 0, []
    for seed in range(first, first + count):
        edits, failure = round_of(seed)
        made += edits
        if failure is not None:
            failures.append(failure)
    return made, failures


def run(count: int, first: int, jobs: int, most: int) -> tuple[int, list[Failure]]:
    """Make `count` edits in rounds with the seeds from `first` on; returns how many were made, and what failed.

    It stops after `most` failures; `round_of` of the seed of a failure makes the same edits again.
    """
    made, failures = 0, []
    rounds = -(-count // EDITS)
    with ProcessPoolExecutor(jobs) as pool:
        batches = [
            pool.submit(_rounds, first + at, min(_ROUNDS_OF_A_JOB, rounds - at)) for at in range(0, rounds, _ROUNDS_OF_A_JOB)
        ]
        for done in as_completed(batches):
            edits, failed = done.result()
            made += edits
            for failure in failed:
                print(f"{failure}\n", flush=True)
            failures.extend(failed)
            if len(failures) >= most:
                pool.shutdown(cancel_futures=True)
                break
    return made, failures
