"""`spvls specialize`: values from arguments and files, texts and binaries."""

from __future__ import annotations

from pathlib import Path

import pytest

import spvls
from tests.cli.conftest import Run
from tests.corpus import FIXTURES

_FIXTURE = FIXTURES / "transform" / "specialized.comp.spvasm"


def test_a_text_is_specialized_in_place(run: Run, tmp_path: Path) -> None:
    done = run("specialize", _FIXTURE, "0=16", "fast=true", "-o", "out.spvasm")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "out.spvasm").read_text()
    assert "%width = OpConstant %uint 16 ; columns" in text and "%fast = OpConstantTrue %bool" in text
    assert "%height = OpSpecConstant %uint 4" in text and "%width SpecId" not in text and not spvls.validate(text)


def test_a_binary_has_new_ids_after_its_own(run: Run, tmp_path: Path) -> None:
    whole = spvls.assemble(_FIXTURE.read_text())
    (tmp_path / "in.spv").write_bytes(whole)
    assert run("specialize", "in.spv", "--full", "-o", "out.spv").code == 0
    after = (tmp_path / "out.spv").read_bytes()
    assert not spvls.validate(after, target_env="vulkan1.3")
    before_bound, bound = (int.from_bytes(data[12:16], "little") for data in (whole, after))
    assert bound > before_bound and after[4:12] == whole[4:12]
    assert "OpSpec" not in spvls.disassemble(after)


@pytest.mark.parametrize(
    "values", ["# sizes\n0 = 16\n\nfast=1 # yes\n", '{"0": 16, "fast": true}', '{"width": "0x10", "%fast": "true"}']
)
def test_values_are_read_from_a_file(run: Run, tmp_path: Path, values: str) -> None:
    (tmp_path / "values").write_text(values)
    expected = run("specialize", _FIXTURE, "0=16", "2=true").out
    assert run("specialize", _FIXTURE, "--values", "values").out == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["0"], "`0` is not of the form SPECID=VALUE or NAME=VALUE"),
        (["7=1"], "there is no specialization constant 7; the module has 0 (width), 1 (height)"),
        (["0=-1"], "0: `-1` has a sign"),
        (["--values", "missing"], "missing: "),
        (["--values", "list.json"], "list.json: the value of \"0\" is not a number, a string, true or false"),
        (["--values", "broken.json"], "broken.json: this is not JSON: "),
        (["--values", "lines"], "`only this` is not of the form"),
    ],
)
def test_wrong_values_are_said_and_nothing_is_written(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "list.json").write_text('{"0": [1]}')
    (tmp_path / "broken.json").write_text("{0: 1}")
    (tmp_path / "lines").write_text("0=4\nonly this\n")
    done = run("specialize", _FIXTURE, *arguments, "-o", "out.spvasm")
    assert done.code == 2 and said in done.err and not (tmp_path / "out.spvasm").exists()


def test_what_has_no_value_is_said(run: Run) -> None:
    text = b"%uint = OpTypeInt 32 0\n%a = OpSpecConstant %uint 0\n%b = OpSpecConstantOp %uint UDiv %a %a\n"
    done = run("specialize", "-", "--full", stdin=text)
    assert done.code == 0 and "%b = OpSpecConstantOp %uint UDiv %a %a" in done.out
    assert done.err == "spvls: %b stays OpSpecConstantOp: its operation has no value that a literal states\n"
