"""Modules that say below each line what is found in it.

    ; spvls: target-env=vulkan1.2
    ; options: max_struct_members=2
            %s = OpIAdd %float %a %b
        ;               ^^^^^^ error: computation/integer-operands-match-result

The carets stand below what the finding underlines. A finding that underlines nothing, as those of binaries, has no carets: it
stands below its instruction, or above the first one where it is about the module. `; assemble: spv1.6` checks the binary that
the text makes as that version, or the assembler itself where it makes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import spvls
from spvls.diagnostic import Diagnostic, Position, Range
from spvls.syntax.header import read_header
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_MARK = re.compile(r"\s*;\s*(\^*)\s*(error|warning|information|hint): (\S+)\s*")
_SETTING = re.compile(r";\s*(options|assemble):\s*(.*\S)")
_START = Range(Position(0, 0), Position(0, 0))

_TRUTH = {"true": True, "false": False}


class Mark(NamedTuple):
    """A finding: its line, None where it is about the module; the columns that it underlines, None where there are none."""

    line: int | None
    start: int | None
    end: int | None
    severity: str
    rule: str


class Settings(NamedTuple):
    """What the top of a module asks for, the environment aside, which the product reads itself."""

    options: dict[str, bool | int | str]
    assemble: str | None


def settings(text: str) -> Settings:
    """The settings at the top of a module."""
    said: dict[str, str] = {}
    for line in text.split("\n"):
        if not line.startswith(";"):
            break
        if match := _SETTING.fullmatch(line):
            said[match[1]] = match[2]
    pairs = (pair.partition("=") for pair in said.get("options", "").split())
    return Settings({name: _value(word) for name, _, word in pairs}, said.get("assemble"))


def _value(word: str) -> bool | int | str:
    return _TRUTH.get(word, int(word) if word.isdigit() else word)


def marks(text: str) -> list[Mark]:
    """What the module says is found in it."""
    found: list[Mark] = []
    subject, begun = 0, False
    for number, line in enumerate(text.split("\n")):
        match = _MARK.fullmatch(line)
        if match is None:
            subject = number if line.strip() else subject
            begun = begun or not line.startswith(";")
        elif match[1]:
            found.append(Mark(subject, *match.span(1), match[2], match[3]))
        else:
            found.append(Mark(subject if begun else None, None, None, match[2], match[3]))
    return found


def found_in(text: str) -> list[tuple[Mark, Diagnostic]]:
    """What is found in the module, as it would be marked."""
    lines = [line for line, _ in scan(split_lines(text))]
    return [(_marked(diagnostic, lines), diagnostic) for diagnostic in _diagnostics(text)]


def _diagnostics(text: str) -> list[Diagnostic]:
    options, version = settings(text)
    if version is None:
        return spvls.validate(text, options=options)
    try:
        binary = spvls.assemble(text, target_env=version)
    except spvls.AssembleError as error:
        return error.diagnostics
    return spvls.validate(binary, target_env=read_header(split_lines(text)).target, options=options)


def _marked(diagnostic: Diagnostic, lines: list[int]) -> Mark:
    severity, rule, where = diagnostic.severity.value, diagnostic.rule, diagnostic.range
    if where is None or where == _START:
        about = diagnostic.instruction
        return Mark(lines[about - 1] if about is not None and where is None else None, None, None, severity, rule)
    assert where.start.line == where.end.line, f"{rule} underlines more than a line, which cannot be marked"
    assert where.start.column, f"{rule} underlines the first column, where no mark can stand"
    return Mark(where.start.line, where.start.column, where.end.column, severity, rule)


def instructions(text: str) -> Iterator[str]:
    """The lines that instructions begin on."""
    lines = text.split("\n")
    yield from (lines[line] for line, _ in scan(split_lines(text)))
