"""`spvls lint --fix` and `--diff`: what they write, and that they write nothing else."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

import spvls
from tests.cli.conftest import Run
from tests.corpus import FIXTURES, text_of

SOUND = text_of(FIXTURES / "shaders" / "transform.vert.spvasm")
MISSPELT = SOUND.replace("OpStore %out_size", "OpStor %out_size").replace("OpStore %out_colour", "OpStor %out_colour")
UNSURE = text_of(FIXTURES / "faulty" / "types.vert.spvasm")


@pytest.fixture
def misspelt(tmp_path: Path) -> Path:
    (tmp_path / "a.spvasm").write_text(MISSPELT)
    (tmp_path / "good.spvasm").write_text(SOUND)
    return tmp_path / "a.spvasm"


def test_sure_fixes_are_applied_and_the_rest_reported(run: Run, misspelt: Path) -> None:
    Path("b.spvasm").write_text(UNSURE)
    done = run("lint", "--fix", ".")
    assert misspelt.read_text() == SOUND
    assert Path("b.spvasm").read_text() == UNSURE
    assert done.code == 1
    assert done.out.endswith("2 errors in 3 files; 2 fixed\n")
    assert run("lint", "--fix", "a.spvasm") == (0, "no findings in 1 file\n", "")


def test_all_fixtures_after_a_run_need_no_second_one(run: Run) -> None:
    for name in ("faulty", "rules/interface", "rules/block-layout", "rules/module"):
        shutil.copytree(FIXTURES / name, name)
    before = json.loads(run("lint", "--format=json", ".").out)
    assert any(rule["fixable"] for rule in before["rules"])
    run("lint", "--fix", "--unsafe-fixes", ".")
    texts = {path: path.read_bytes() for path in Path().rglob("*.spvasm")}
    after = json.loads(run("lint", "--fix", "--unsafe-fixes", "--format=json", ".").out)
    assert {path: path.read_bytes() for path in texts} == texts
    assert not [finding for finding in after["findings"] if finding["fixes"]]
    counts = {rule["rule"]: rule["count"] for rule in before["rules"]}
    assert all(rule["count"] <= counts.get(rule["rule"], 0) for rule in after["rules"])


def test_fixes_that_are_not_sure_are_applied_when_asked_for(run: Run) -> None:
    Path("a.spvasm").write_text(UNSURE)
    assert run("lint", "--fix", "a.spvasm").out.endswith("2 errors in 1 file\n")
    assert run("lint", "--fix", "--unsafe-fixes", "a.spvasm").out.endswith("1 error in 1 file; 1 fixed\n")
    assert "OpConvertSToF" in Path("a.spvasm").read_text()


def test_only_selected_findings_are_fixed(run: Run) -> None:
    source = text_of(FIXTURES / "faulty" / "misspelt.frag.spvasm")
    (rule, *_) = {finding.rule for finding in spvls.validate(source) if finding.fixes}
    Path("a.spvasm").write_text(source)
    run("lint", "--fix", "--select", rule, "a.spvasm")
    left = [finding.rule for finding in spvls.validate(Path("a.spvasm").read_text())]
    assert rule not in left and left


def test_a_diff_shows_what_fixing_would_change(run: Run, misspelt: Path) -> None:
    for flags in (["--diff"], ["--fix", "--diff"]):
        done = run("lint", *flags, ".")
        assert (done.code, done.err) == (1, "2 findings would be fixed, in 1 of 2 files\n")
        assert done.out.count("--- a.spvasm") == 1 and "-OpStor %out_size" in done.out and "+OpStore %out_size" in done.out
        assert misspelt.read_text() == MISSPELT
    assert run("lint", "--diff", "good.spvasm") == (0, "", "0 findings would be fixed, in 0 of 1 file\n")
    assert run("lint", "--diff", "--exit-zero", ".").code == 0
    assert run("lint", "--diff", "-", stdin=MISSPELT.encode()).out.startswith("--- <stdin>")


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch here")
def test_the_diff_is_what_fixing_does(run: Run, misspelt: Path) -> None:
    (misspelt.parent / "change").write_text(run("lint", "--diff", ".").out)
    subprocess.run(["patch", "-p0", "-i", "change"], cwd=misspelt.parent, check=True, capture_output=True)
    assert misspelt.read_text() == SOUND


def test_line_breaks_and_foreign_octets_stay(run: Run) -> None:
    data = MISSPELT.replace("\n", "\r\n").encode() + b"; caf\xe9"
    Path("a.spvasm").write_bytes(data)
    run("lint", "--fix", "a.spvasm")
    assert Path("a.spvasm").read_bytes() == data.replace(b"OpStor ", b"OpStore ")


def test_a_file_that_is_set_apart_is_left_unless_forced(run: Run, misspelt: Path) -> None:
    os.link(misspelt, "other")
    done = run("lint", "--fix", "a.spvasm")
    assert done.code == 2 and "hard links" in done.err
    assert misspelt.read_text() == MISSPELT
    assert run("lint", "--fix", "--force", "a.spvasm").code == 0
    assert (misspelt.read_text(), Path("other").read_text()) == (SOUND, MISSPELT)


def test_what_somebody_saved_meanwhile_stays(run: Run, misspelt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def validate(module: str, most: int | None = None, **settings: Any) -> list[spvls.Diagnostic]:
        misspelt.write_text("; saved meanwhile\n")
        return spvls.validate(module, **settings)

    monkeypatch.setattr("spvls.cli.judge.validate", validate)
    done = run("lint", "--fix", "a.spvasm")
    assert (done.code, done.err) == (2, "spvls: a.spvasm: this file has changed since it was read; it stays as it is\n")
    assert misspelt.read_text() == "; saved meanwhile\n"


def test_a_file_keeps_its_permissions(run: Run, misspelt: Path) -> None:
    misspelt.chmod(0o640)
    run("lint", "--fix", "a.spvasm")
    assert stat.S_IMODE(misspelt.stat().st_mode) == 0o640
    assert [path.name for path in misspelt.parent.iterdir() if path.name.startswith(".spvls")] == []


def test_files_are_fixed_by_several_processes_too(run: Run) -> None:
    for number in range(6):
        Path(f"{number}.spvasm").write_text(MISSPELT)
    assert run("lint", "--fix", "--jobs=3", ".") == (0, "no findings in 6 files; 12 fixed\n", "")
    assert all(path.read_text() == SOUND for path in Path().glob("*.spvasm"))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--fix", "-"], "--fix must not be used with the standard input"),
        (["--unsafe-fixes", "a.spvasm"], "--unsafe-fixes requires"),
        (["--diff", "--format=json", "a.spvasm"], "--diff prints changes"),
        (["--diff", "--statistics", "a.spvasm"], "--diff prints changes"),
        (["--diff", "--output=x", "a.spvasm"], "--diff prints changes"),
        (["--watch", "-"], "--watch needs"),
        (["--statistics", "--format=sarif", "a.spvasm"], "--statistics is not available as sarif"),
    ],
)
def test_options_that_do_not_go_together(run: Run, misspelt: Path, flags: list[str], message: str) -> None:
    done = run("lint", *flags)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
