"""Comments that address spvls, `; spvls: …`: whether it understands them.

Such a comment sets findings aside, `ignore[rule, …]`, or at the top of a text names what that is for, `target-env=…`, or
preserves the header and the numbers of ids of a binary. What follows is for people.
"""

from __future__ import annotations

from collections.abc import Iterable

from spvls.binary.preserved_ids import DIRECTIVES
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Severity
from spvls.grammar.environments import environments
from spvls.steps import PORTION, Steps
from spvls.syntax.document import Document
from spvls.text.pattern import pattern

_ADDRESS = pattern(r";\s*spvls:\s*")
_IGNORE = pattern(r"ignore\[[^\]\r\n]*\]")
_WORD = pattern(r"([^\s,;=\[]+)")
_NAMED = pattern(r"[^;]*?\btarget-env\s*=\s*([^\s,;]+)")
_IGNORED = "ignore"
_TARGET = "target-env"
_WORDS = (_IGNORED, _TARGET, *DIRECTIVES)


def misunderstood(document: Document) -> Steps[list[Diagnostic]]:
    """What is wrong with the comments of a text that address spvls; in short steps."""
    faults: list[Diagnostic] = []
    for at, number in enumerate(document.directives):
        if not at % PORTION:
            yield
        for match in _ADDRESS.finditer(document.lines[number]):
            if not _is_quoted(document, number, match.start()):
                faults.extend(_faults(document.lines[number], number, match.end()))
    return faults


def _is_quoted(document: Document, number: int, column: int) -> bool:
    """Whether what stands in a line is a part of an instruction, and no comment."""
    return any(record.start <= column < record.end for record in document.records_on(number))


def _faults(line: str, number: int, start: int) -> list[Diagnostic]:
    """The fault of the comment whose words begin at `start`, if it has one."""
    named = _NAMED.match(line, start)
    if named is not None and named[1] not in environments():
        where = Range(Position(number, named.start(1)), Position(number, named.end(1)))
        near = _nearest(named[1], environments())
        return [_unknown("comment/unknown-environment", f"there is no target environment {named[1]}", where, near)]
    ignored = _IGNORE.match(line, start)
    word = _WORD.match(line, start)
    if ignored is not None or word is None or word[1] in DIRECTIVES:
        return []
    name = word[1]
    where = Range(Position(number, word.start(1)), Position(number, word.end(1)))
    if name == _IGNORED:
        message = "`ignore` must be followed by rules in brackets: `ignore[RULE, …]`"
        return [Diagnostic("comment/unknown-word", Severity.WARNING, message, where)]
    if name != _TARGET:
        near = _nearest(name, _WORDS)
        return [_unknown("comment/unknown-word", f"`{name}` is not known in spvls comments", where, near)]
    if named is None:
        message = "target-env must be followed by = and the name of an environment"
        return [Diagnostic("comment/unknown-environment", Severity.WARNING, message, where)]
    return []


def _nearest(name: str, names: Iterable[str]) -> str | None:
    from spvls.syntax.nearest import Spelling

    return Spelling(names).nearest(name)


def _unknown(rule: str, message: str, where: Range, near: str | None) -> Diagnostic:
    if near is None:
        return Diagnostic(rule, Severity.WARNING, message, where)
    fix = Fix(f"Change to {near}", (Edit(where, near),))
    return Diagnostic(rule, Severity.WARNING, f"{message}; did you mean {near}?", where, fixes=(fix,))
