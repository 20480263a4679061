"""`spvls cfg` and `spvls reflect`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import spvls
from spvls.cli.main import main
from spvls.cli.reflect import fitted
from tests.cli.conftest import Run
from tests.corpus import BINARIES, FIXTURES, TEXTS, name_of, text_of
from tests.ide.flows import NESTED
from tests.strategies import damaged_modules, texts

_TWO = FIXTURES / "shaders" / "reduce.comp.spvasm"


def test_a_text(run: Run) -> None:
    done = run("cfg", "-", stdin=NESTED.encode())
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "%main · 16 blocks · 2 loops · 1 selection · 1 switch"


def test_a_binary_is_told_from_a_text_by_its_content(run: Run) -> None:
    done = run("cfg", "-", "--format", "json", stdin=spvls.assemble(NESTED))
    (function,) = json.loads(done.out)
    assert [len(function[part]) for part in ("blocks", "edges", "constructs")] == [16, 21, 4]
    assert function["edges"][3]["labels"] == ["0"]


@pytest.mark.parametrize("name", ["combine", "%combine", "main"])
def test_one_function_by_its_name(run: Run, name: str) -> None:
    done = run("cfg", _TWO, "--function", name)
    assert [line for line in done.out.splitlines() if line.startswith("%") and "block" in line] == [
        "%main · 3 blocks · 1 selection" if name == "main" else "%combine · 5 blocks · 1 switch"
    ]


def test_a_function_that_is_not_there(run: Run) -> None:
    done = run("cfg", _TWO, "--function", "nothing")
    assert done.code == 2
    assert done.err.endswith("there is no function nothing; there are %main, %combine\n")


@pytest.mark.parametrize("form", ["text", "dot", "mermaid", "svg", "json"])
@pytest.mark.parametrize("path", [*TEXTS, *BINARIES], ids=name_of)
def test_every_form_of_every_fixture(run: Run, path: Path, form: str) -> None:
    done = run("cfg", path, "--format", form, "-o", "out")
    assert done.code == (1 if "truncated" in path.name else 0)
    written = Path("out").read_text()
    if form == "svg":
        ElementTree.fromstring(written)
    elif form == "json":
        json.loads(written)
    else:
        assert written.startswith({"dot": "digraph", "mermaid": "flowchart TD", "text": ""}[form])


def test_a_summary_of_a_binary_has_its_own_header(run: Run) -> None:
    data = bytearray(spvls.assemble(NESTED))
    data[8:20] = b"\x0b\x00\x08\x00" + (500).to_bytes(4, "little") + bytes(4)
    done = run("reflect", "-", stdin=bytes(data))
    lines = done.out.splitlines()
    assert lines[0] == "SPIR-V 1.6 · spv1.6 · Khronos Glslang Reference Front End, version 11"
    assert lines[1].endswith("1 function · 16 blocks · bound 500")


def test_a_summary_for_programs(run: Run) -> None:
    done = run("reflect", _TWO, "--format", "json")
    summary = json.loads(done.out)
    assert (summary["version"], summary["memoryModel"]) == ("1.3", "GLSL450")
    assert [found["default"] for found in summary["specConstants"]] == ["64", "1"]
    assert summary["entryPoints"][0]["workgroup"] == {"size": [64, 1, 1], "source": "WorkgroupSize", "specialized": True}
    assert "range" not in summary["resources"][0]


@pytest.mark.parametrize("command", ["cfg", "reflect"])
def test_what_is_no_module(run: Run, command: str) -> None:
    done = run(command, "a.spv")
    assert done.code == 2 and "no such file" in done.err
    Path("a.spv").write_bytes(b"\0\1\2\3\4\5\6\7")
    done = run(command, "a.spv")
    assert done.code == 2 and "Traceback" not in done.err


@pytest.mark.parametrize("command", [["cfg"], ["cfg", "--format", "svg"], ["reflect"], ["reflect", "--format", "json"]])
def test_half_of_a_text_is_taken(run: Run, command: list[str]) -> None:
    text = text_of(_TWO)
    for end in range(0, len(text), 97):
        assert run(*command, "-", stdin=text[:end].encode()).code == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(), damaged_modules())
def test_any_text_and_any_binary_are_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, binary: bytes
) -> None:
    for name, data in (("a.spvasm", text.encode("utf-8", "surrogateescape")), ("a.spv", binary)):
        path = tmp_path / name
        path.write_bytes(data)
        for command in (["cfg"], ["cfg", "--format", "svg"], ["reflect"], ["reflect", "--format", "json"]):
            code = main([*command, str(path)])
            told = capsys.readouterr().err
            assert "internal error" not in told, told
            assert code == 0 or told


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("path", [path for path in TEXTS if path.parent.name == "shaders"], ids=name_of)
def test_a_summary_fits_the_width_of_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, path: Path, width: int) -> None:
    whole = run("reflect", path).out
    monkeypatch.setenv("COLUMNS", str(width))
    fitted = run("reflect", path).out
    assert fitted.split() == whole.split()
    assert [line for line in fitted.splitlines() if len(line) > width and len(line.split()) > 1] == []
    assert max(map(len, whole.splitlines())) > 60


def test_a_line_goes_on_below_its_last_column() -> None:
    assert fitted("  set 0  binding 1  a b c d e f g h", 40) == "  set 0  binding 1  a b c d e f g h"
    assert fitted("  set 0  binding 1  aaaaaaaaaa bbbbbbbbbbbbbb", 40) == "  set 0  binding 1  aaaaaaaaaa\n" + " " * 20 + "bbbbbbbbbbbbbb"
    assert fitted("one two three four five six seven eight nine", 40) == "one two three four five six seven eight\n    nine"
