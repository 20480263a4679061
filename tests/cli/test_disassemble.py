"""`spvls dis`."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import spvls
from spvls.cli.disassemble import SWITCHES
from tests.cli.conftest import Run
from tests.corpus import FIXTURES

SHADER = FIXTURES / "binaries" / "transform.vert.spv"
TRUNCATED = FIXTURES / "binaries" / "truncated.spv"


def test_the_text_goes_where_it_is_told(run: Run) -> None:
    expected = spvls.disassemble(SHADER.read_bytes())
    assert run("dis", SHADER) == (0, expected, "")
    assert run("dis", SHADER, "-o", "-") == (0, expected, "")
    assert run("dis", SHADER, "-o", "a.spvasm") == (0, "", "")
    assert Path("a.spvasm").read_text() == expected


def test_the_standard_input(run: Run) -> None:
    for arguments in ([], ["-"]):
        assert run("dis", *arguments, stdin=SHADER.read_bytes()) == run("dis", SHADER)


@pytest.mark.parametrize("flag", SWITCHES)
def test_every_flag_reaches_the_disassembler(run: Run, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    switch = SWITCHES[flag]
    parameters = inspect.signature(spvls.disassemble).parameters
    assert parameters[switch.parameter].default is not switch.value
    options = {switch.parameter: switch.value}
    assert run("dis", SHADER, f"--{flag}").out == spvls.disassemble(SHADER.read_bytes(), **options)


def test_the_flags_are_all_that_the_disassembler_takes() -> None:
    parameters = inspect.signature(spvls.disassemble).parameters.keys()
    flags = {switch.parameter for switch in SWITCHES.values()}
    assert parameters - flags == {"binary", "target_env", "color", "visible"}


def test_colours_are_given_when_asked_for_and_the_last_word_counts(run: Run) -> None:
    plain, colored = run("dis", SHADER), run("dis", SHADER, "--color")
    assert "\x1b" not in plain.out
    assert colored.out == spvls.disassemble(SHADER.read_bytes(), color=True)
    assert run("dis", SHADER, "--color", "--no-color") == plain
    assert run("dis", SHADER, "--no-color", "--color") == colored


def test_a_damaged_module_has_its_fault_told(run: Run) -> None:
    done = run("dis", TRUNCATED)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"{TRUNCATED}: error: word 246: ")
    assert done.err.endswith("`spvls dis --recover` lists as much as can be read\n")


def test_a_damaged_module_can_be_listed_all_the_same(run: Run) -> None:
    done = run("dis", TRUNCATED, "--recover")
    assert (done.code, done.err) == (0, "")
    assert "OpMatrixTimesVector" in done.out
    done = run("dis", TRUNCATED, "--recover", "--offsets")
    assert (done.code, done.err) == (2, "spvls: --recover must not be used with --offsets\n")


def test_what_is_no_module_at_all(run: Run) -> None:
    done = run("dis", stdin=b"\xff\xd8\xff\xe0" * 9)
    assert done.code == 1
    assert "first word" in done.err


def test_there_and_back(run: Run) -> None:
    run("dis", SHADER, "--raw-id", "-o", "a.spvasm")
    run("as", "a.spvasm", "--preserve-numeric-ids", "-o", "a.spv")
    run("dis", "a.spv", "--raw-id", "-o", "b.spvasm")
    assert Path("a.spvasm").read_text() == Path("b.spvasm").read_text()


@pytest.mark.parametrize("flags", [["--keep-ids"], ["--keep-ids", "--raw-id"]])
def test_a_listing_that_keeps_ids_assembles_to_the_same_file(run: Run, flags: list[str]) -> None:
    data = bytearray(spvls.assemble("OpCapability Linkage\n%9 = OpTypeInt 16 0\n%4 = OpConstant %9 !65543\nOpName %4 \"c\"\n", preserve_numeric_ids=True))
    data[data.rindex(b"c\0\0\0") + 2] = 7
    Path("a.spv").write_bytes(data)
    assert run("dis", "a.spv", *flags, "-o", "a.spvasm").code == 0
    assert run("as", "a.spvasm", "-o", "b.spv").code == 0
    assert Path("b.spv").read_bytes() == data
