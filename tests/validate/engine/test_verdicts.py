"""What rules say of instructions that are alike is found out once, and is what they would say of each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spvls.diagnostic import Diagnostic
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics
from spvls.validate.engine.verdicts import Verdicts
from spvls.validate.validator import module_of_text
from tests.validate.cases import Case, case_files, read_cases, settings

_name = re.compile(r"%[A-Za-z0-9_.]+")


def repeated(text: str, times: int = 3) -> str:
    """The text with each function so many times more, with ids of its own: its instructions have the same signatures."""
    functions = [chunk.records for chunk in Document(text).chunks if chunk.is_function]
    parts = [text]
    for time in range(times):
        for records in functions:
            own = {f"%{record.result}" for record in records if record.result is not None}
            lines = "\n".join(record.text[record.start : record.end] for record in records)
            parts.append(_name.sub(lambda name: f"{name[0]}.{time}" if name[0] in own else name[0], lines))  # noqa: B023
    return "\n".join([*parts, ""])


def findings(text: str, case: Case, *, once: bool) -> list[Diagnostic]:
    """What is found in a text with the options of a case: by verdicts, or, unless rules are asked `once`, without."""
    document = Document(text)
    checker = Checker(module_of_text(document, None), Options.of(settings(case.text).options))
    with pytest.MonkeyPatch.context() as patch:
        if not once:
            patch.setattr(Verdicts, "on", lambda verdicts, signature: None)
        return diagnostics(checker, document)


def differing(path: Path) -> list[str]:
    """The cases of a file that have other findings by verdicts than without, where their functions are repeated."""
    texts = [(case, repeated(case.text)) for case in read_cases(path)]
    return [case.title for case, text in texts if findings(text, case, once=True) != findings(text, case, once=False)]


_FOLDERS = ("control_flow", "memory", "id", "decoration")


@pytest.mark.parametrize("folder", _FOLDERS)
def test_verdicts_change_no_finding(folder: str) -> None:
    assert {path.stem: wrong for path in case_files() if path.parent.name == folder and (wrong := differing(path))} == {}
