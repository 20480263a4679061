"""`spvls strip`: text to text, binary to binary."""

from __future__ import annotations

from pathlib import Path

import pytest

import spvls
from spvls.binary.words import big_endian, read_words
from tests.cli.conftest import Run
from tests.corpus import BINARIES, FIXTURES, name_of

_CARRIED = FIXTURES / "transform" / "carried.frag.spvasm"


def test_a_text_stays_a_text(run: Run, tmp_path: Path) -> None:
    done = run("strip", _CARRIED, "--debug", "-o", "out.spvasm")
    assert (done.code, done.out, done.err) == (0, "", "")
    text = (tmp_path / "out.spvasm").read_text()
    assert "OpName" not in text and "UserSemantic" in text
    assert run("strip", "-", "--debug", stdin=_CARRIED.read_bytes()).out == text


def test_a_binary_keeps_its_ids_and_its_header(run: Run, tmp_path: Path) -> None:
    whole = spvls.assemble(_CARRIED.read_text(), target_env="vulkan1.1")
    (tmp_path / "in.spv").write_bytes(whole)
    assert run("strip", "in.spv", "-o", "out.spv").code == 0
    left = (tmp_path / "out.spv").read_bytes()
    assert left[:20] == whole[:20]
    before, after = (spvls.disassemble(data, friendly_names=False).splitlines() for data in (whole, left))
    assert len(after) < len(before) and set(after) < set(before)


def test_a_binary_keeps_its_byte_order(run: Run, tmp_path: Path) -> None:
    from array import array

    whole = spvls.assemble(_CARRIED.read_text())
    (tmp_path / "little.spv").write_bytes(whole)
    (tmp_path / "big.spv").write_bytes(big_endian(array("I", read_words(whole).words)))
    for name in ("little", "big"):
        assert run("strip", f"{name}.spv", "-o", f"{name}.out").code == 0
    big = (tmp_path / "big.out").read_bytes()
    assert big[:4] == b"\x07\x23\x02\x03" and read_words(big).data == (tmp_path / "little.out").read_bytes()


@pytest.mark.parametrize("path", [path for path in BINARIES if "truncated" not in path.name], ids=name_of)
def test_a_binary_with_nothing_to_remove_is_the_same(run: Run, path: Path, tmp_path: Path) -> None:
    assert run("strip", path, "-o", "once.spv").code == 0
    assert run("strip", "once.spv", "-o", "twice.spv").code == 0
    assert (tmp_path / "once.spv").read_bytes() == (tmp_path / "twice.spv").read_bytes()


def test_a_text_with_errors_is_not_touched(run: Run, tmp_path: Path) -> None:
    done = run("strip", "-", "-o", "out.spvasm", stdin=b'OpName %a "a"\nOpFoo\n')
    assert done.code == 1 and "<stdin>:2:1: error:" in done.err and not (tmp_path / "out.spvasm").exists()


def test_what_is_not_a_module_is_said(run: Run) -> None:
    done = run("strip", FIXTURES / "binaries" / "truncated.spv", "-o", "out.spv")
    assert done.code == 2 and "truncated.spv: " in done.err
    assert run("strip", "missing.spv").code == 2
    several = run("strip", FIXTURES / "hosts" / "notes.md")
    assert several.code == 2 and "choose one with --module" in several.err
