"""What `spvls lint` leaves out of its report, where it says how far it has come, and that it can go on and on."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from spvls.cli.main import main
from spvls.cli.tally import Tally
from spvls.validate.validator import validate_for_list
from tests.cli.conftest import Run, Stream
from tests.corpus import FIXTURES, text_of

MISSPELT = FIXTURES / "faulty" / "misspelt.frag.spvasm"


@pytest.fixture(autouse=True)
def modules(tmp_path: Path) -> None:
    for name in ("misspelt.frag.spvasm", "numbers.spvasm"):
        shutil.copy(FIXTURES / "faulty" / name, tmp_path)


def rules_of(run: Run, *flags: str) -> set[str]:
    return {finding["rule"] for finding in json.loads(run("lint", ".", "--format=json", *flags).out)["findings"]}


def test_rules_are_selected_and_ignored_by_the_patterns_of_the_configuration(run: Run) -> None:
    everything = rules_of(run)
    one, *_ = sorted(everything)
    family = one.partition("/")[0] + "/*"
    of_family = {rule for rule in everything if rule.partition("/")[0] + "/*" == family}
    assert len(of_family) > 1
    assert rules_of(run, "--select", one) == {one}
    assert rules_of(run, "--ignore", one) == everything - {one}
    assert rules_of(run, "--select", family) == of_family
    assert rules_of(run, "--select", family, "--ignore", one) == of_family - {one}
    assert rules_of(run, "--ignore", family, "--select", one) == {one}
    assert rules_of(run, f"--select={one},image/*", "--select=cfg/*") == {one}  # the last is a former name
    Path("spvls.toml").write_text(f'[rules]\n"{one}" = "off"\n')
    assert rules_of(run, "--select", family) == of_family - {one}


@pytest.mark.parametrize("flag", ["--select", "--ignore"])
def test_a_pattern_that_names_nothing_is_wrong_usage(run: Run, flag: str) -> None:
    done = run("lint", ".", flag, "syntax/unknown-opcod")
    assert (done.code, done.out) == (2, "")
    assert done.err == "spvls: there is no rule syntax/unknown-opcod; did you mean syntax/unknown-opcode?\n"


def test_a_faulty_configuration_is_reported_whatever_is_selected(run: Run) -> None:
    Path("spvls.toml").write_text("x = 1\n")
    assert any(rule.startswith("config/") for rule in rules_of(run, "--select", "cfg/*"))


@pytest.mark.parametrize("format_", ["json", "sarif"])
def test_findings_of_a_baseline_are_not_reported_again(run: Run, format_: str) -> None:
    assert run("lint", ".", "--format", format_, "--output", "known").code == 1
    done = run("lint", ".", "--baseline", "known")
    assert (done.code, done.err) == (0, "")
    assert done.out == "no findings in 2 files; 12 in the baseline\n"
    text = Path("numbers.spvasm").read_text()
    Path("numbers.spvasm").write_text("; a line more\n" + text + "OpNopp\n")
    done = run("lint", Path.cwd(), "--baseline", "known")
    assert done.code == 1
    assert done.out.count(": error:") == 1 and "OpNopp" in done.out
    Path("new").mkdir()
    shutil.move("misspelt.frag.spvasm", "new")
    assert run("lint", "new", "--baseline", "known").out.count(": error:") == 4


@pytest.mark.parametrize("data", ["", "[]", "{}", '{"findings": [{}]}', '{"runs": [{"results": [{"locations": []}]}]}', "[" * 100_000, '{"findings": 1}'])
def test_a_baseline_that_is_none(run: Run, data: str) -> None:
    Path("known").write_text(data)
    assert run("lint", ".", "--baseline", "known") == (2, "", "spvls: known: this is not a report that `spvls lint` wrote as json or as sarif\n")
    assert run("lint", ".", "--baseline", "none").err == "spvls: none: no such file or directory\n"


def test_findings_of_a_rule_are_listed_up_to_a_number_and_counted(run: Run) -> None:
    Path("many.spvasm").write_text("OpFoo\n" * 30)
    done = run("lint", "many.spvasm", "--max-findings", "12")
    lines = done.out.split("\n")
    assert done.code == 1
    assert sum("[syntax/unknown-opcode]" in line for line in lines) == 12
    heading = lines.index("syntax/unknown-opcode, 20 more:")
    assert lines[heading + 3] == "and 18 that are not listed; --max-findings lists more"
    assert "31 errors in 1 file" in done.out
    assert sum("[syntax/unknown-opcode]" in line for line in run("lint", "many.spvasm").out.split("\n")) == 30
    few = run("lint", "many.spvasm", "--max-findings", "1").out
    assert "syntax/unknown-opcode, 29 more:\nand 29 that are not listed" in few
    assert len(json.loads(run("lint", "many.spvasm", "--format=json", "--max-findings", "1").out)["findings"]) == 31
    assert run("lint", "many.spvasm", "--max-findings", "0").code == 2


def test_statistics_count_by_rule(run: Run) -> None:
    done = run("lint", ".", "--statistics")
    assert done.code == 1
    first, *_, last = done.out.splitlines()
    assert first.startswith("8  error  syntax/number ")
    assert last == "12 errors in 2 files"
    counts = json.loads(run("lint", ".", "--statistics", "--format=json").out)
    assert counts["rules"][0] == {"rule": "syntax/number", "severity": "error", "count": 8, "fixable": 0}
    assert (counts["errors"], counts["files"]) == (12, 2)


def test_findings_do_not_fail_where_they_should_not(run: Run) -> None:
    assert run("lint", ".", "--exit-zero").code == 0
    assert run("lint", ".", "none", "--exit-zero").code == 2


def test_counts_are_by_the_severities_that_are_printed(run: Run) -> None:
    Path("spvls.toml").write_text('[rules]\n"syntax/*" = "information"\n')
    done = run("lint", ".")
    assert done.out.count(": information: ") == 12
    assert done.out.endswith("12 information in 2 files\n")


# On a terminal


def test_progress_is_taken_away_before_anything_else_is_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    shutil.copytree(FIXTURES / "shaders", "shaders")
    both = Stream(terminal=True)
    monkeypatch.setattr(sys, "stdout", both)
    monkeypatch.setattr(sys, "stderr", both)
    assert main(["lint", ".", "none.spvasm", "--jobs=1"]) == 2
    shown = both.contents.decode()
    assert " of " in shown
    for line in shown.split("\n"):
        *wiped, left = line.split("\r\x1b[K")
        assert all(part == "" or part.endswith(" files") for part in wiped), line
        assert not left.endswith(" files") or "errors in" in left, line
    assert "none.spvasm: no such file" in shown


# Again and again


def test_watching_lints_what_has_changed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("good.spvasm").write_text(text_of(FIXTURES / "shaders" / "transform.vert.spvasm"))
    linted: list[list[str]] = [[]]

    def lint(path: str, settings: object) -> object:
        linted[-1].append(Path(path).name)
        return original(path, settings)

    def steps() -> None:
        linted.append([])
        match len(linted) - 1:
            case 1:
                Path("numbers.spvasm").unlink()
            case 2:
                Path("good.spvasm").write_text("OpNopp\n")
            case 3:
                pass
            case 4:
                Path("spvls.toml").write_text('[rules]\n"syntax/*" = "off"\n')
            case 5:
                Path("misspelt.frag.spvasm").unlink()
                Path("good.spvasm").unlink()
            case _:
                raise KeyboardInterrupt

    from spvls.cli import lint as command

    original = command.lint
    monkeypatch.setattr(command, "lint", lint)
    monkeypatch.setattr("spvls.cli.watch.sleep", lambda _: steps())
    done = run("lint", ".", "--watch")
    assert done.code == 130
    assert linted == [["good.spvasm", "misspelt.frag.spvasm", "numbers.spvasm"], [], ["good.spvasm"], [], ["good.spvasm", "misspelt.frag.spvasm"], [], []]
    sums = [line for line in done.out.splitlines() if " in " in line and line.endswith(("file", "files"))]
    assert sums == ["12 errors in 3 files", "4 errors in 2 files", sums[2], sums[3]] and len(sums) == 4
    assert done.err.count("watching") == 5
    assert "there is no SPIR-V file in this folder" in done.err


def test_watching_writes_its_report_each_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def steps(_: float) -> None:
        sizes.append(len(json.loads(Path("report").read_text())["findings"]))
        if len(sizes) == 2:
            raise KeyboardInterrupt
        Path("numbers.spvasm").unlink()

    monkeypatch.setattr("spvls.cli.watch.sleep", steps)
    run("lint", ".", "--watch", "--format=json", "--output=report")
    assert sizes == [12, 4]


def test_what_is_not_listed_is_only_counted() -> None:
    text = "OpFoo\nOpFooo %a\n" * 30
    every, listed = validate_for_list(text, None), validate_for_list(text, 5)
    assert str(Tally(listed)) == str(Tally(every)) and Tally(listed).fixable == Tally(every).fixable
    assert len({*map(id, every)}) == len(every) and len({*map(id, listed)}) <= 1 + 5 + 1
    assert listed[:6] == every[:6]
