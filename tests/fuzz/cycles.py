"""Types made of themselves: `python -m tests.fuzz cycles`.

In each clean fixture of a rule, type declarations are made to name themselves, or a later type that is made of them. However
that is done, validation ends in time, and no rule raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from spvls.syntax.header import read_header
from spvls.text.lines import split_lines
from spvls.validate.validator import validate
from tests.corpus import RULES, text_of
from tests.fuzz.limits import TooSlowError, held
from tests.validate.cases import settings

SECONDS = 1.0
"""Time of the processor for one module."""

_DECLARATION = re.compile(r"\s*%(\w+)\s*=\s*(OpType\w+)(.*)")
_ID = re.compile(r"%(\w+)")


def clean_fixtures() -> list[Path]:
    return sorted(RULES.rglob("*.clean.spvasm"))


def cyclic(text: str) -> Iterator[str]:
    """The module with one type after the other on a cycle, and with all at once."""
    lines = text.split("\n")
    declared = {match[1]: at for at, line in enumerate(lines) if (match := _DECLARATION.match(line))}
    own = {at: _named(lines[at], name) for name, at in declared.items() if _ID.search(lines[at].partition("=")[2])}
    for at, line in own.items():
        yield _with(lines, {at: line})
        used = [declared[part] for part in _ID.findall(lines[at].partition("=")[2]) if part in declared]
        for part in used:  # the type that this one is made of becomes made of this one
            if part in own:
                yield _with(lines, {part: _named(lines[part], _result(lines[at]))})
    if own:
        yield _with(lines, own)


def _result(line: str) -> str:
    match = _DECLARATION.match(line)
    assert match is not None
    return match[1]


def _named(line: str, name: str) -> str:
    """A declaration whose every operand that is an id is another one."""
    before, equals, after = line.partition("=")
    return before + equals + _ID.sub(f"%{name}", after)


def _with(lines: list[str], changed: dict[int, str]) -> str:
    return "\n".join(changed.get(at, line) for at, line in enumerate(lines))


def check(text: str) -> str | None:
    """What goes wrong when a module is validated, if anything."""
    chosen = settings(text)
    target = read_header(split_lines(text)).target or chosen.assemble
    try:
        with held(SECONDS):
            found = validate(text, target_env=target, options=chosen.options)
    except (Exception, TooSlowError) as error:
        return f"raised {type(error).__name__}: {error}"
    return next((item.message for item in found if item.rule == "internal/rule-failed"), None)


def run() -> tuple[int, int]:
    """How many modules were tried, and how many went wrong."""
    tried = failed = 0
    for path in clean_fixtures():
        for text in cyclic(text_of(path)):
            tried += 1
            fault = check(text)
            if fault is not None:
                failed += 1
                print(f"{path.relative_to(RULES)}: {fault}\n{text}", flush=True)
    return tried, failed
