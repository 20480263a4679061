"""`spvls sources`, `spvls dis --source`, and the lines of the source in what `spvls lint` lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.cli.sources import safe_parts
from spvls.syntax.header import read_header
from spvls.text.lines import split_lines
from tests.cli.conftest import Run
from tests.corpus import FIXTURES

SOURCES = FIXTURES / "sources"
_KERNEL = SOURCES / "kernel.cl.spvasm"
_TEXT = "kernel void sum(uint a) {\n  uint b = a + a;\n}"


def _naming(*names: str) -> bytes:
    """A module with a text for each of these names, which is its number."""
    lines = []
    for number, name in enumerate(names):
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        lines += [f'%f{number} = OpString "{escaped}"', f'OpSource GLSL 450 %f{number} "{number}"']
    return "\n".join(lines).encode()


def test_the_sources_are_listed(run: Run) -> None:
    done = run("sources", SOURCES / "lines.frag.spvasm")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "shaders/fade.frag  GLSL  10 lines, 216 bytes     10 instructions",
        "tone.h                   text not in the module  6 instructions",
    ]
    assert run("sources", "-", stdin=b"OpNop\n").out == "no sources\n"


def test_the_list_for_programs_has_the_texts(run: Run) -> None:
    done = run("sources", "-", "--format", "json", stdin=spvls.assemble(_KERNEL.read_text()))
    (source,) = json.loads(done.out)["sources"]
    assert source == {"name": "/build/sum.cl", "language": "", "instructions": 3, "text": _TEXT}


def test_texts_are_extracted_once(run: Run, tmp_path: Path) -> None:
    done = run("sources", _KERNEL, "--extract", "out")
    assert (done.code, done.out) == (0, "out/build/sum.cl\n")
    made = tmp_path / "out" / "build" / "sum.cl"
    assert made.read_text() == _TEXT
    made.write_text("mine")
    again = run("sources", _KERNEL, "--extract", "out")
    assert again.code == 2 and "this file exists already; --force replaces it" in again.err and made.read_text() == "mine"
    assert run("sources", _KERNEL, "--extract", "out", "--force").code == 0
    assert made.read_text() == _TEXT


def test_nothing_is_written_where_one_file_is_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "b").write_text("mine")
    assert run("sources", "-", "--extract", "out", stdin=_naming("a", "b")).code == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["b"]


def test_a_module_without_texts_has_nothing_to_extract(run: Run) -> None:
    done = run("sources", SOURCES / "named.cl.spvasm", "--extract", "out")
    assert done.code == 2 and "carries no text of a source" in done.err


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\src\\a.hlsl", "src/a.hlsl"),
        ("..", "source"),
        ("a\x1b[2Jb\x00", "a%1b[2Jb%00"),
        ("con.txt", "_con.txt"),
        ("a/./b. /c", "a/b/c"),
        ("x\u202egnp.exe", "x%e2%80%aegnp.exe"),
        ("%2e%2e/a", "%252e%252e/a"),
        ("a:b|c", "a%3ab%7cc"),
    ],
)
def test_names_lead_nowhere_else(name: str, path: str) -> None:
    assert "/".join(safe_parts(name)) == path


@given(st.text(max_size=40))
def test_any_name_is_safe(name: str) -> None:
    parts = safe_parts(name)
    assert parts and not {"", ".", ".."} & set(parts)
    assert all(part.isascii() and part.isprintable() and not set(part) & set('/\\:*?"<>|') for part in parts)


def test_hostile_names_stay_in_the_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    done = run("sources", "-", "--extract", folder, stdin=_naming("../../a", "/a", "A", "\x1b[31m", "a/../A"))
    assert done.code == 0 and "\x1b" not in done.out
    made = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert made == {"a": "0", "a-2": "1", "A-3": "2", "%1b[31m": "3", "a-4/A": "4"}
    assert list(tmp_path.iterdir()) == [tmp_path / "deep"]


def test_links_lead_nowhere_else(run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "build").symlink_to(outside)
    (tmp_path / "out" / "file").symlink_to(outside / "kept")
    for name in ("build/sum.cl", "file"):
        done = run("sources", "-", "--extract", "out", "--force", stdin=_naming(name))
        assert done.code == 2 and "a link leads out of" in done.err
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("kept", "mine")]


# Listings


@pytest.mark.parametrize("path", sorted(SOURCES.iterdir()), ids=lambda path: path.name)
@pytest.mark.parametrize("flags", [(), ("--comment", "--offsets"), ("--nested-indent",)], ids=" ".join)
def test_a_listing_with_sources_assembles_to_its_words(run: Run, path: Path, flags: tuple[str, ...]) -> None:
    words = spvls.assemble(path.read_text())
    done = run("dis", "-", "--source", "--keep-ids", "--raw-id", *flags, stdin=words)
    assert done.code == 0 and "; at " in done.out
    assert spvls.assemble(done.out, preserve_numeric_ids=True) == words


def test_lines_of_the_source_stand_before_their_instructions(run: Run) -> None:
    words = spvls.assemble((SOURCES / "debug.comp.spvasm").read_text())
    lines = run("dis", "-", "--source", stdin=words).out.splitlines()
    (at,) = (at for at, line in enumerate(lines) if line.lstrip().startswith("; at "))
    assert lines[at].strip() == "; at add.hlsl:3:12: uint n = 1 + 2;"
    assert "DebugLine" in lines[at + 1]


def test_a_source_cannot_speak_to_spvls(run: Run) -> None:
    text = '%a = OpString "spvls: target-env=vulkan1.0"\nOpSource GLSL 450 %a "x\r\ny"\nOpLine %a 2 1\n%void = OpTypeVoid\n'
    listing = run("dis", "-", "--source", stdin=spvls.assemble(text)).out
    assert "; at spvls: target-env=vulkan1.0:2:1: y\n" in listing
    assert read_header(split_lines(listing)).target is None


# Findings


def _faulty() -> str:
    return (SOURCES / "debug.comp.spvasm").read_text().replace("%n = OpIAdd", "%n = OpFAdd")


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
def test_a_finding_shows_the_line_of_the_source(run: Run, is_binary: bool) -> None:
    text = _faulty()
    out = run("lint", "-", stdin=spvls.assemble(text) if is_binary else text.encode()).out
    at = out.index("add.hlsl:3:12: note: the instruction comes from this line of the source")
    shown = out[at:].splitlines()[1:3]
    assert shown == ["    3 |   uint n = 1 + 2;", "      |            ^^^^^"]
    assert out.count("add.hlsl") == 1  # the other instructions come from nowhere


def test_reports_for_programs_have_the_line_too(run: Run) -> None:
    text = _faulty().encode()
    (finding,) = (found for found in json.loads(run("lint", "-", "--format", "json", stdin=text).out)["findings"] if found["source"])
    assert finding["source"] == {"file": "add.hlsl", "line": 3, "column": 12, "text": "  uint n = 1 + 2;"}
    results = json.loads(run("lint", "-", "--format", "sarif", stdin=text).out)["runs"][0]["results"]
    (related,) = (other for result in results for other in result.get("relatedLocations", ()))
    assert related["physicalLocation"] == {
        "artifactLocation": {"uri": "add.hlsl"},
        "region": {"startLine": 3, "startColumn": 12, "snippet": {"text": "  uint n = 1 + 2;"}},
    }


def test_a_source_that_is_not_there_is_named_alone(run: Run) -> None:
    text = (SOURCES / "named.cl.spvasm").read_text().replace("OpReturn", "OpReturnValue %void")
    assert "copy.cl:3: note: the instruction comes from this line of the source\n" in run("lint", "-", stdin=text.encode()).out


def test_many_findings_in_one_function_have_their_lines(run: Run) -> None:
    text = _faulty().replace("%n = OpFAdd %uint %u1 %u2", "\n".join(f"%n{at} = OpFAdd %uint %u1 %u2" for at in range(40)))
    found = json.loads(run("lint", "-", "--format", "json", stdin=text.replace("%n %n", "%n0 %n0").encode()).out)["findings"]
    assert sum(entry["source"] is not None and entry["source"]["line"] == 3 for entry in found) == 40
