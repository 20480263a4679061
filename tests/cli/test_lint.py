"""`spvls lint`: what it reads, what it says, how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import spvls
from spvls.cli.outcome import FORMATS
from tests.cli.conftest import Run
from tests.corpus import BINARIES, FIXTURES, TEXTS, is_faulty, name_of, text_of
from tests.validate.cases import marks

GOOD = FIXTURES / "shaders" / "transform.vert.spvasm"
SOUND = text_of(GOOD)
MISSPELT = SOUND.replace("OpStore %out_size", "OpStor %out_size")
LINE = MISSPELT[: MISSPELT.index("OpStor ")].count("\n") + 1


@pytest.fixture
def misspelt(tmp_path: Path) -> str:
    """A file with one error."""
    (tmp_path / "a.spvasm").write_text(MISSPELT)
    return "a.spvasm"


@pytest.mark.parametrize("path", [path for path in TEXTS if not is_faulty(path)], ids=name_of)
def test_a_sound_module_ends_with_zero(run: Run, path: Path) -> None:
    assert run("lint", path) == (0, "no findings in 1 file\n", "")


@pytest.mark.parametrize("path", [path for path in TEXTS if is_faulty(path)], ids=name_of)
def test_a_faulty_module_ends_with_one(run: Run, path: Path) -> None:
    done = run("lint", path)
    assert (done.code, done.err) == (1, "")
    assert done.out.count(f"{path}:") >= len(marks(text_of(path))) > 0


def test_a_finding_shows_its_line_with_a_mark_and_its_fix(run: Run, misspelt: str) -> None:
    assert run("lint", misspelt) == (
        1,
        f"a.spvasm:{LINE}:1: error: there is no opcode OpStor; did you mean OpStore? [syntax/unknown-opcode]\n"
        f"   {LINE} | OpStor %out_size %one\n"
        "      | ^^^^^^\n"
        "      fix: Change to OpStore\n"
        "1 error in 1 file\n",
        "",
    )


def test_another_name_of_the_command(run: Run, misspelt: str) -> None:
    assert run("validate", misspelt) == run("lint", misspelt)


def test_the_standard_input(run: Run) -> None:
    for paths in ([], ["-"]):
        done = run("lint", *paths, stdin=MISSPELT.encode())
        assert done.code == 1
        assert done.out.startswith(f"<stdin>:{LINE}:1: error: there is no opcode OpStor; did you mean OpStore?")
    assert run("lint", "-", stdin=GOOD.read_bytes()).code == 0


def test_folders_give_the_modules_under_them_in_order(run: Run) -> None:
    for name in ("b/x.spvasm", "a.spvasm", "b/c/y.frag.spvasm", "b/z.spvasm.vert", ".git/no.spvasm", "b/no.txt", "b/v.spv"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("OpNopp\n")
    done = run("lint", ".", "a.spvasm", "--format=json")
    report = json.loads(done.out)
    paths = [finding["path"] for finding in report["findings"] if finding["rule"] == "syntax/unknown-opcode"]
    assert paths == ["a.spvasm", "b/v.spv", "b/x.spvasm", "b/z.spvasm.vert", "b/c/y.frag.spvasm"]
    assert (done.code, report["files"], report["failures"]) == (1, 5, [])


def test_many_files_are_shared_among_processes(run: Run) -> None:
    for number in range(10):
        Path(f"{number}.spvasm").write_text("OpNopp\n" * number)
    alone, shared = run("lint", ".", "--jobs=1"), run("lint", ".", "--jobs=3")
    assert alone == shared
    assert alone.out.count("there is no opcode") == sum(range(10))


@pytest.mark.parametrize("path", BINARIES, ids=name_of)
def test_binaries_are_told_by_their_content(run: Run, path: Path) -> None:
    shutil.copy(path, "module.data")
    done = run("lint", "module.data")
    assert done.code == ("transform" not in path.name and "narrow" not in path.name)
    assert done.err == ""


def test_a_finding_of_a_binary_shows_its_instruction(run: Run) -> None:
    shutil.copy(FIXTURES / "binaries" / "structure.frag.spv", "a.spv")
    done = run("lint", "a.spv")
    assert done.code == 1
    assert "a.spv: instruction 20: error: " in done.out
    assert "      | OpBranchConditional %" in done.out


def test_a_text_of_the_wrong_suffix_is_a_text(run: Run) -> None:
    shutil.copy(GOOD, "a.spv")
    assert run("lint", "a.spv").code == 0


def test_a_binary_with_a_damaged_magic_number_is_no_text(run: Run) -> None:
    Path("a.spv").write_bytes(b"\xff" + (FIXTURES / "binaries" / "transform.vert.spv").read_bytes()[1:])
    done = run("lint", "a.spv")
    assert done.code == 1
    assert done.out.count("error:") == 1
    assert "first word" in done.out


def test_json(run: Run, misspelt: str) -> None:
    done = run("lint", misspelt, GOOD, "--format=json")
    report = json.loads(done.out)
    assert {key: report[key] for key in ("files", "errors", "warnings", "hints", "failures")} == {
        "files": 2,
        "errors": 1,
        "warnings": 0,
        "hints": 0,
        "failures": [],
    }
    [finding] = report["findings"]
    assert (finding["path"], finding["rule"]) == ("a.spvasm", "syntax/unknown-opcode")
    start, end = finding["range"]["start"], finding["range"]["end"]
    assert MISSPELT.split("\n")[start["line"]][start["column"] : end["column"]] == "OpStor"


def test_github(run: Run, misspelt: str) -> None:
    done = run("lint", misspelt, "--format=github")
    assert (done.code, done.out.count("\n")) == (1, 1)
    assert done.out.startswith(f"::error file=a.spvasm,title=syntax/unknown-opcode,line={LINE},")


def test_warnings_count_where_they_are_asked_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def validate(module: object, most: object = None, **_: object) -> list[spvls.Diagnostic]:
        return [spvls.Diagnostic("test/rule", severity, "m") for severity in severities]

    monkeypatch.setattr("spvls.cli.judge.validate", validate)
    severities = [spvls.Severity.WARNING, spvls.Severity.HINT]
    assert run("lint", GOOD).code == 0
    assert run("lint", GOOD, "--strict").code == 1
    severities = [spvls.Severity.INFORMATION]
    assert run("lint", GOOD, "--strict").code == 0


def test_the_validator_gets_the_flags(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def validate(module: object, most: object = None, **settings: object) -> list[spvls.Diagnostic]:
        asked.append(settings)
        return []

    monkeypatch.setattr("spvls.cli.judge.validate", validate)
    flags = ["--target-env=vulkan1.1", "--scalar-block-layout", "--max-struct-depth=7", "--image-descriptor-layout=8:4"]
    assert run("lint", GOOD, *flags).code == 0
    assert run("lint", GOOD).code == 0
    assert asked == [
        {
            "target_env": "vulkan1.1",
            "options": {"scalar_block_layout": True, "max_struct_depth": 7, "image_descriptor_layout": "8:4"},
        },
        {"target_env": None, "options": {}},
    ]


def test_what_cannot_be_read_does_not_keep_the_rest_from_being_judged(run: Run, misspelt: str) -> None:
    Path("empty").mkdir()
    done = run("lint", "missing.spvasm", misspelt, "empty", GOOD)
    assert done.code == 2
    assert done.out.endswith("1 error in 2 files\n")
    assert done.err == (
        "spvls: empty: there is no SPIR-V file in this folder\n"
        "spvls: missing.spvasm: no such file or directory\n"
    )


def test_a_defect_in_judging_one_module_is_told_in_a_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def validate(module: object, most: object = None, **_: object) -> list[spvls.Diagnostic]:
        raise KeyError("oops")

    monkeypatch.setattr("spvls.cli.judge.validate", validate)
    done = run("lint", GOOD)
    assert done.code == 2
    assert done.err.startswith(f"spvls: {GOOD}: internal error: KeyError: 'oops' at {__file__}:")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_tells_of_failures(run: Run, format_: str) -> None:
    done = run("lint", "missing", "--format", format_)
    assert (done.code, done.err) == (2, "spvls: missing: no such file or directory\n")
    if format_ in ("json", "sarif", "junit"):
        assert "missing: no such file or directory" in done.out
    elif format_ in ("text", "github"):
        assert done.out == ""
    else:
        assert json.loads(done.out) in ([], {"source": {"name": "spvls"}, "diagnostics": []})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Where the configuration of a folder goes that has a faulty module in a folder of its own."""
    (tmp_path / "inner").mkdir()
    shutil.copy(FIXTURES / "faulty" / "numbers.spvasm", tmp_path / "inner" / "numbers.spvasm")
    return tmp_path / "spvls.toml"


def test_a_configuration_holds_for_the_files_below_it(run: Run, project: Path) -> None:
    assert run("lint", "inner").code == 1
    project.write_text('[rules]\n"syntax/*" = "off"\n')
    assert run("lint", "inner") == (0, "no findings in 1 file\n", "")
    project.write_text('[rules]\n"syntax/number" = "warning"\n')
    assert run("lint", "inner").out.endswith("8 warnings in 1 file\n")


def test_the_nearest_says_what_a_module_is_meant_for(run: Run, monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    asked: list[tuple[object, object]] = []

    def validate(module: object, most: object = None, *, target_env: object, options: object) -> list[spvls.Diagnostic]:
        asked.append((target_env, options))
        return []

    monkeypatch.setattr("spvls.cli.judge.validate", validate)
    project.write_text('target-env = "vulkan1.1"\n[options]\nmax-struct-depth = 3\nskip-block-layout = true\n')
    Path("says.spvasm").write_text("; spvls: target-env=vulkan1.3\n")
    Path("module.spv").write_bytes((FIXTURES / "binaries" / "transform.vert.spv").read_bytes())
    run("lint", "inner")
    run("lint", "says.spvasm")
    run("lint", "module.spv")
    run("lint", "says.spvasm", "--target-env=spv1.2", "--max-struct-depth=5")
    options = {"max_struct_depth": 3, "skip_block_layout": True}
    assert asked == [
        ("vulkan1.1", options),
        (None, options),
        ("vulkan1.1", options),
        ("spv1.2", {**options, "max_struct_depth": 5}),
    ]


def test_what_is_wrong_with_a_configuration_is_told_once(run: Run, project: Path) -> None:
    project.write_text('[rules]\n"syntax/*" = "off"\n"no/such" = "off"\n')
    shutil.copy(GOOD, "inner")
    assert run("lint", "inner") == (
        1,
        "spvls.toml:3:2: error: there is no rule no/such; `spvls rules` lists them [config/unknown-rule]\n"
        '    3 | "no/such" = "off"\n'
        "      |  ^^^^^^^\n"
        "1 error in 2 files\n",
        "",
    )


@pytest.mark.parametrize("text", ['target-env = ["a"]', "x = " + "[" * 100_000, "x = " + "1" * 5000, "x = 0x" + "f" * 9999, "\xff"])
def test_a_bad_configuration_is_a_finding_and_modules_are_judged_all_the_same(run: Run, project: Path, text: str) -> None:
    project.write_text(text, encoding="latin-1")
    done = run("lint", "inner")
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith("spvls.toml:1:1: error: ") or done.out.startswith("spvls.toml:1:")
    assert done.out.endswith("9 errors in 1 file\n")


@pytest.mark.parametrize("flags", [["--max-struct-depth", "9" * 5000], ["--max-struct-depth=4294967296"], ["--image-descriptor-layout", "²:²"]])
def test_a_number_that_no_limit_has_is_wrong_usage(run: Run, flags: list[str]) -> None:
    done = run("lint", GOOD, *flags)
    assert done.code == 2
    assert len(done.err.splitlines()[-1]) < 200
