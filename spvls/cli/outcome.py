"""What linting gives: findings as they are to be shown, file by file."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator
from importlib import import_module

from spvls.cli.tally import Tally
from spvls.diagnostic import Diagnostic
from spvls.host.span import ModuleSpan
from spvls.record import NamedTuple
from spvls.typed import Any

Known = frozenset[tuple[str, str]]
"""Findings that a baseline has: the file, as `local_path` gives it, and the fingerprint of each."""


def local_path(path: str) -> str:
    """A file as a path from the working directory, or on another drive as a whole path."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return os.path.abspath(path)


class Listing(NamedTuple):
    """What findings are about: `path` as it is shown, and the lines of the text, or of a binary's listing, in which
    instruction `n` starts on line `starts[n - 1]`. Without colors where `color` is false. `spans` are the modules in the text."""

    path: str
    lines: list[str]
    starts: list[int] | None = None
    color: bool = False
    spans: tuple[ModuleSpan, ...] = ()

    def module_of(self, finding: Diagnostic) -> int | None:
        """The number of the module, from 1, that a finding is about, in a text that has several."""
        if len(self.spans) < 2 or finding.range is None:
            return None
        at = bisect_right(self.spans, finding.range.start, key=lambda span: span.start)
        return max(at, 1)

    def line_of(self, finding: Diagnostic) -> int | None:
        """The line, from 0, that a finding is about, in the text or in the listing."""
        if finding.range is not None:
            return finding.range.start.line
        if self.starts is None or finding.instruction is None or finding.instruction > len(self.starts):
            return None
        return self.starts[finding.instruction - 1]


def in_module(listing: Listing, finding: Diagnostic) -> str:
    """` in module 2`, where there are several."""
    number = listing.module_of(finding)
    return "" if number is None else f" in module {number}"


def numbered(finding: Diagnostic) -> str:
    """The message of a finding, in a binary after the number of the instruction."""
    if finding.range is None and finding.instruction is not None:
        return f"instruction {finding.instruction}: {finding.message}"
    return finding.message


class Entry(NamedTuple):
    """A finding of a rule, as its format writes it."""

    rule: str
    text: str


class Outcome(NamedTuple):
    """What came of one file: its findings and their number, or why it could not be judged.

    `known` is how many findings a baseline has, and `refused` how many fixes were not applied since they would have done harm.
    `diff` are the changes that fixes would make to the file, in which there are `modules`.
    """

    path: str
    entries: tuple[Entry, ...] = ()
    tally: Tally = Tally()
    failure: str | None = None
    is_module: bool = True
    fixed: int = 0
    refused: int = 0
    known: int = 0
    diff: str = ""
    modules: int = 1


class Totals:
    """What the outcomes so far come to: `files` are the modules that could be judged, of all `judged` ones, and `changed`
    those that fixes changed."""

    def __init__(self, failures: list[str]) -> None:
        self.failures = failures
        self.tally = Tally()
        self.judged = 0
        self.files = 0
        self.modules = 0
        self.fixed = 0
        self.refused = 0
        self.known = 0
        self.changed = 0

    def add(self, outcome: Outcome) -> None:
        """Count the outcome of one more file."""
        self.judged += outcome.is_module
        if outcome.failure is not None:
            self.failures.append(outcome.failure)
            return
        self.files += outcome.is_module
        self.modules += outcome.modules if outcome.is_module else 0
        self.tally.add(outcome.tally)
        self.fixed += outcome.fixed
        self.refused += outcome.refused
        self.known += outcome.known
        self.changed += bool(outcome.fixed)

    def as_object(self) -> dict[str, Any]:
        """What a report for programs closes with."""
        rules = [
            {"rule": found.rule, "severity": found.severity.value, "count": found.number, "fixable": found.fixable}
            for found in self.tally.by_rule()
        ]
        return {"rules": rules, "files": self.files, "modules": self.modules, **self.tally.by_severity(), "failures": self.failures}


class Format(NamedTuple):
    """How findings are written.

    `entry` writes one, of which the fingerprint is given where the format has `fingerprints`. `document` gives the lines of
    the whole, `counts` those of the numbers alone, if the format can; the totals are complete when the outcomes are at their
    end. A format for people may have colors, and may write the findings of a rule in a file after the first `in_full` ones
    with `brief`.
    """

    entry: Callable[[Listing, Diagnostic, str], str]
    document: Callable[[Iterator[Outcome], Totals], Iterator[str]]
    counts: Callable[[Totals], Iterator[str]] | None = None
    for_people: bool = False
    fingerprints: bool = False
    brief: Callable[[Listing, Diagnostic], str] | None = None
    in_full: int = 0


_MODULES = {
    "text": "text",
    "json": "json_object",
    "github": "workflow",
    "sarif": "sarif",
    "junit": "junit",
    "gitlab": "code_quality",
    "rdjson": "reviewdog",
}

FORMATS = tuple(_MODULES)
"""The names of all formats."""


def format_named(name: str) -> Format:
    """The format of that name; its module is loaded when it is asked for."""
    found: Format = import_module(f"spvls.cli.formats.{_MODULES[name]}").FORMAT
    return found
