"""The fuzzer runs, and tells of what fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from spvls.module.module import Module
from spvls.validate.validator import validate
from tests.corpus import BINARIES, ROOT, text_of
from tests.fuzz.cycles import check, clean_fixtures, cyclic
from tests.fuzz.edits import EDITS, round_of, run
from tests.fuzz.fuzz import ATTEMPTS, Fuzzer, fuzz, main
from tests.fuzz.limits import TooSlowError, can_be_held, enforced, held
from tests.fuzz.targets import TARGETS, Target, check_decode, check_views

ROUNDS = {"decode": range(100, 110), "document": range(507, 509), "format": range(100, 110), "validate": range(100, 104), "views": range(100, 104)}


@pytest.mark.parametrize("name", TARGETS)
def test_a_few_rounds(name: str) -> None:
    fuzzer = Fuzzer(TARGETS[name])
    whole = 0
    for seed in ROUNDS[name]:
        fuzzer.run(seed)
        whole += fuzzer.last is not None
    assert whole


@pytest.mark.parametrize("name", TARGETS)
def test_a_seed_draws_the_same_every_time(name: str) -> None:
    drawn = []
    for _ in range(2):
        fuzzer = Fuzzer(Target(TARGETS[name].inputs, lambda drawn: None, TARGETS[name].contents, ""))
        fuzzer.run(104)
        drawn.append(fuzzer.last)
    assert drawn[0] == drawn[1] is not None
    assert isinstance(TARGETS[name].contents(drawn[0]), bytes)


@pytest.mark.parametrize("path", BINARIES, ids=lambda path: path.name)
def test_the_check_of_binaries_takes_the_fixtures(path: Path) -> None:
    check_decode(path.read_bytes())


def test_the_check_of_views_takes_debug_information_without_a_set() -> None:
    check_views('%name = OpString "float"\n%x = OpExtInst %void %undefined DebugTypeBasic %name !5 Float\n%y = OpExtInst %void %x 5 %name !5\n')


def _refuses(data: bytes) -> None:
    assert len(data) < 3, "three are too many"


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Target:
    target = Target(st.binary(min_size=2, max_size=6), _refuses, bytes, "bin")
    monkeypatch.setitem(TARGETS, "decode", target)
    monkeypatch.setattr("tests.fuzz.fuzz.mkdtemp", lambda prefix: str(tmp_path))
    return target


def test_failures_are_told_with_their_seed_and_their_input(
    faulty: Target, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["decode", "--seconds", "60", "--seed", "1"]) == 1
    printed = capsys.readouterr().out
    assert "three are too many" in printed
    *_, seed = re.findall(r"(?m)^again: python -m tests\.fuzz decode --seed (\d+) --seconds 0$", printed)
    path = tmp_path / f"decode-{seed}.bin"
    assert str(path) in printed
    assert len(path.read_bytes()) >= 3
    assert re.fullmatch(r"\d+ runs, 10 failed", printed.splitlines()[-1])
    fuzzer = Fuzzer(faulty)
    with pytest.raises(AssertionError, match="three are too many"):
        fuzzer.run(int(seed))
    assert fuzzer.last == path.read_bytes()


def test_no_time_is_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz("validate", 0, 104) == (1, 0)
    assert capsys.readouterr().out == ""


def test_so_many_runs_are_made_however_long_they_take(faulty: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fuzzer, "run", lambda fuzzer, seed: setattr(fuzzer, "last", None if seed % 2 else b""))
    assert fuzz("decode", 0, 1, most=30) == (30, 0)


def test_what_takes_too_long_once_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []

    def check(drawn: bytes) -> None:
        tried.append(drawn)
        if len(tried) < slow:
            raise TooSlowError

    fuzzer = Fuzzer(Target(st.binary(), check, bytes, "bin"))
    slow = ATTEMPTS
    fuzzer.run(1)
    assert len(tried) == ATTEMPTS
    slow = 2 * ATTEMPTS + 1
    with pytest.raises(TooSlowError):
        fuzzer.run(1)
    assert len({*tried}) == 1


def test_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "decode", "--seconds", "0", "--seed", "104"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 runs, 0 failed"), done.stderr


def test_limits_stop_what_takes_too_long_or_too_much() -> None:
    if not can_be_held():
        pytest.skip("this system does not count the time and the memory of a process")
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with enforced():
        with pytest.raises(TooSlowError), held(0.05):
            while True:
                pass
        with pytest.raises(MemoryError), held(60):
            bytearray(300 << 20)
        with held(60, 600 << 20):
            bytearray(300 << 20)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with held(0.0), held(60, 0):
        bytearray(300 << 20)


@pytest.mark.parametrize("seed", range(300, 340))
def test_answers_after_edits_are_those_of_the_text(seed: int) -> None:
    _, failure = round_of(seed)
    assert failure is None, str(failure)


def test_a_difference_after_an_edit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Module, "invalidate", lambda module, changed: None)  # answers are never forgotten
    made, failures = run(EDITS * 40, 300, 1, 1)
    assert made
    assert failures
    assert "differ" in str(failures[0]) or "raised" in str(failures[0])


def test_types_on_cycles() -> None:
    path = next(path for path in clean_fixtures() if path.stem.startswith("is-not-recursive"))
    texts = list(cyclic(text_of(path)))
    assert len(texts) > 2
    for text in texts:
        assert check(text) is None
        assert any(item.rule == "type/is-not-recursive" for item in validate(text)), text


@pytest.mark.parametrize("seed", [50645, 50706, 70614, 2006157])
def test_edits_that_once_failed(seed: int) -> None:
    _, failure = round_of(seed)
    assert failure is None, str(failure)
