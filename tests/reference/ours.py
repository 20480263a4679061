"""The other side of the comparison: the errors of spvls, and exceptions that it should not raise."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import spvls
from spvls.diagnostic import Diagnostic, Severity
from spvls.steps import Steps
from spvls.validate.engine import consequences
from tests.fuzz.limits import held

GIVEN_UP = 4.0
"""Seconds of the processor after which a call is stopped, where `tests.fuzz.limits.enforced` says so."""

GROWTH = 1 << 30


@dataclass(frozen=True, slots=True)
class Verdict:
    """`raised` says which exception left spvls, and where; it is empty where none did."""

    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    raised: str = ""

    @property
    def ok(self) -> bool:
        return not self.errors and not self.raised

    def rules_at(self, instruction: int | None) -> frozenset[str]:
        """The rules of the errors at an instruction, or of all errors where it is None."""
        return frozenset({one.rule for one in self.errors if instruction is None or one.instruction == instruction})


def validated(words: bytes, env: str, options: Mapping[str, Any] | None = None) -> Verdict:
    try:
        with held(GIVEN_UP, GROWTH):
            found = spvls.validate(words, target_env=env, options=options)
    except Exception as error:
        return Verdict(raised=place_of(error))
    return _verdict(found)


def validated_in_full(words: bytes, env: str) -> Verdict:
    """The same with the findings that follow from others, which reports leave out."""
    with patch.object(consequences, "without_consequences", _all):
        return validated(words, env)


def _all(found: list[Diagnostic], *_: object) -> Steps[list[Diagnostic]]:
    yield
    return found


def assembled(text: str, env: str, preserve_numeric_ids: bool = False) -> tuple[bytes, Verdict]:
    """The words of a text, none where it has errors."""
    try:
        with held(GIVEN_UP, GROWTH):
            return spvls.assemble(text, target_env=env, preserve_numeric_ids=preserve_numeric_ids), Verdict()
    except spvls.AssembleError as error:
        return b"", _verdict(error.diagnostics)
    except Exception as error:
        return b"", Verdict(raised=place_of(error))


def listed(words: bytes, friendly_names: bool) -> tuple[str | None, str]:
    """The listing of a binary, None where there is none; and which exception was raised instead."""
    try:
        with held(GIVEN_UP, GROWTH):
            return spvls.disassemble(words, friendly_names=friendly_names, indent=True), ""
    except spvls.DisassembleError:
        return None, ""
    except Exception as error:
        return None, place_of(error)


def _verdict(found: Iterable[Diagnostic]) -> Verdict:
    by = {severity: tuple([one for one in found if one.severity is severity]) for severity in (Severity.ERROR, Severity.WARNING)}
    return Verdict(by[Severity.ERROR], by[Severity.WARNING])


def place_of(error: BaseException) -> str:
    """The type of an exception, where it was raised, and which function of another file called for that; the message, which
    may name ids, is left out."""
    frames = traceback.extract_tb(error.__traceback__)[::-1]
    caller = next((frame for frame in frames if frame.filename != frames[0].filename), None)
    places = [f"{frame.name} ({Path(frame.filename).name}:{frame.lineno})" for frame in (frames[0], caller) if frame]
    return f"{type(error).__name__} in {', called by '.join(places)}"
