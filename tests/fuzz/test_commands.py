"""Command lines are drawn and run, and what is wrong with one is found."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from spvls.cli import reflect
from spvls.cli.main import COMMANDS
from tests.cli.conftest import Done
from tests.fuzz import commands
from tests.fuzz.commands import Author, Folder, Run, actions, problem, round_of
from tests.fuzz.fuzz import main


@pytest.mark.parametrize("seed", range(200, 230))
def test_a_few_commands(seed: int) -> None:
    assert str(round_of(seed) or "") == ""


def test_every_command_and_option_is_drawn(tmp_path: Path) -> None:
    author = Author(random.Random(1), Folder(random.Random(1), tmp_path))
    drawn = [author.run().arguments for _ in range(3000)]
    assert {*COMMANDS} <= {arguments[0] for arguments in drawn if arguments}
    given = {argument for arguments in drawn for argument in arguments}
    waiting = commands._WAITING | commands._PROCESSES
    for name in COMMANDS:
        for action in actions(name):
            assert not action.option_strings or action.dest in waiting or given & {*action.option_strings}, action


RUN = Run(("reflect", "a.spvasm"), b"", False)


@pytest.mark.parametrize(
    ("run", "end", "changed", "found"),
    [
        (RUN, Done(0, "a\n", ""), [], None),
        (RUN, Done(3, "", ""), [], "exit code is 3"),
        (RUN, Done(2, "", "spvls: internal error: KeyError"), [], "internal error"),
        (RUN, Done(0, "a\x1b[2J", ""), [], "act on their reader"),
        (RUN._replace(terminal=True), Done(0, "\x1b[31ma\x1b[0m", ""), [], None),
        (RUN._replace(terminal=True), Done(0, "\x1b[2Ja", ""), [], "act on their reader"),
        (RUN, Done(0, "\n::add-mask::x\n", ""), [], "taken for commands"),
        (RUN, Done(0, "", ""), ["a.spvasm"], "files were changed"),
        (Run(("dis", "a.spv"), b"", False), Done(0, "\x1b", ""), [], None),
        (Run(("dis", "a.spv"), b"", True), Done(0, "\x1b", ""), [], "act on their reader"),
        (Run(("fmt", "a.spvasm"), b"", True), Done(0, "", ""), ["a.spvasm"], None),
        (Run(("fmt", "a.spvasm"), b"", True), Done(0, "", ""), ["read-only.spvasm"], "files were changed"),
        (Run(("fmt", "--check", "a.spvasm"), b"", True), Done(0, "", ""), ["a.spvasm"], "files were changed"),
        (Run(("as", "a.spvasm", "-o", "x/../b.spv"), b"", True), Done(0, "", ""), ["b.spv"], None),
    ],
)
def test_what_does_not_hold_is_found(run: Run, end: Done, changed: list[str], found: str | None) -> None:
    message = problem(run, end, changed)
    assert message is None if found is None else found in (message or "")


def test_a_fault_of_a_command_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_options: object) -> int:
        Path("a.spvasm").write_text("overwritten")
        return 0

    monkeypatch.setattr(reflect, "run", fails)
    seed = next(seed for seed in range(1000) if _draws_reflect(seed))
    before = os.getcwd(), sys.stdout
    failure = round_of(seed)
    assert (os.getcwd(), sys.stdout) == before
    assert failure is not None and f"--count 1 --seed {seed}" in str(failure) and "a.spvasm" in failure.message


def _draws_reflect(seed: int) -> bool:
    failure = round_of(seed)
    return failure is not None and failure.run.arguments[0] == "reflect"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["commands", "--count", "1", "--seed", "200"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 commands, 0 failed"
