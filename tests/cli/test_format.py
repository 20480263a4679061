"""`spvls fmt`: files are formatted in place, and never at the price of a word."""

from __future__ import annotations

from pathlib import Path

import pytest

import spvls
from spvls.ide.features import formatting
from tests.cli.conftest import Run
from tests.corpus import FIXTURES

SOUND = (FIXTURES / "shaders" / "transform.vert.spvasm").read_bytes()


@pytest.mark.parametrize("line_break", [b"\r", b"\r\r\n", b"\r\n", b"\n"])
@pytest.mark.parametrize("style", ["aligned", "nested"])
def test_the_binary_stays_whatever_the_first_line_break_is(run: Run, line_break: bytes, style: str) -> None:
    data = line_break + SOUND.replace(b"\n", b"\r\n")
    Path("a.spvasm").write_bytes(data)
    assert run("fmt", "--style", style, "a.spvasm").code == 0
    assert Path("a.spvasm").read_bytes() != data
    assert spvls.assemble(Path("a.spvasm").read_bytes().decode()) == spvls.assemble(SOUND.decode())
    assert run("fmt", "--style", style, "--check", "a.spvasm").code == 0


@pytest.mark.parametrize("flags", [[], ["--diff"], ["--check"]])
def test_a_defect_of_the_formatter_is_told_and_nothing_is_written(run: Run, monkeypatch: pytest.MonkeyPatch, flags: list[str]) -> None:
    Path("a.spvasm").write_text("OpNop\n")
    monkeypatch.setattr(formatting, "_words", lambda *_: "OpNopp")
    done = run("fmt", *flags, "a.spvasm")
    message = "formatting would change the words of this text; it stays as it is"
    assert done == (2, "", f"spvls: a.spvasm: {message}\n")
    assert run("fmt", stdin=b"OpNop") == (2, "", f"spvls: <stdin>: {message}\n")
    assert Path("a.spvasm").read_text() == "OpNop\n"


def test_a_difference_is_shown_by_the_lines_of_editors(run: Run) -> None:
    done = run("fmt", "--diff", stdin="OpNop ;\u2028\x85 a\n".encode())
    assert done.code == 1
    assert done.out.splitlines(keepends=False) != []
    assert [line for line in done.out.split("\n") if line.startswith(("-", "+"))][2:] == [
        r"-OpNop ;\u2028\u0085 a",
        r"+               OpNop  ;\u2028\u0085 a",
    ]
