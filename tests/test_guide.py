"""What the documents at the top of the tree name is there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from spvls.cli.main import COMMANDS, main
from spvls.cli.source import is_binary
from tests.cli.conftest import Run, run
from tests.corpus import BINARIES, FIXTURES, ROOT, is_faulty, name_of

__all__ = ["run"]

GUIDES = sorted(ROOT.glob("*.md"))
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
LINK = re.compile(r"\[[^]]*\]\(([^):]+)\)")
PATH = re.compile(r"`((?:spvls|grammar|editors|fixtures|tests)/[\w/.-]*)`")
MEMBER = re.compile(r"`(?:spvls/\w+/|server/)?([A-Z]\w+|changes|report|findings|engine)\.(?!py\b)([a-z_]\w*)`")
COMMAND = re.compile(r"^(?:\.venv/bin/|.*&& \.venv/bin/)?spvls (\w+)|`spvls (\w+)", re.MULTILINE)


def text(guide: Path) -> str:
    return guide.read_text(encoding="utf-8")


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_tests_files_and_links_exist(guide: Path) -> None:
    for file, function in TEST.findall(text(guide)):
        assert (ROOT / file).is_file(), file
        assert not function or re.search(rf"^(?:async )?def {function}\(", text(ROOT / file), re.MULTILINE), function
    for path in LINK.findall(text(guide)) + PATH.findall(text(guide)):
        assert (ROOT / path).exists(), path


def test_names_of_the_code_exist() -> None:
    """`Class.member` in ARCHITECTURE.md is a member of a class, `module.name` a name of a module."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "spvls").rglob("*.py")}
    named = {*MEMBER.findall(text(ROOT / "ARCHITECTURE.md"))}
    assert ("Checker", "update") in named
    for owner, member in named:
        homes = [code for path, code in sources.items() if path.stem == owner or re.search(rf"^class {owner}\b", code, re.M)]
        if owner == "Module":  # the front of its layer
            homes += [code for path, code in sources.items() if path.parent.name == "module"]
        made = rf"\bdef {member}\b|^class {member}\b|\b{member}: |self\.{member} = "
        assert any(re.search(made, code, re.MULTILINE) for code in homes), f"{owner}.{member}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_commands_exist(guide: Path) -> None:
    for names in COMMAND.findall(text(guide)):
        name = next(filter(None, names))
        assert name in COMMANDS


def test_every_command_is_in_the_readme() -> None:
    shown = text(ROOT / "README.md")
    assert all(f"`spvls {name}" in shown for name in COMMANDS)


def test_the_first_command_of_the_readme_needs_nothing_but_a_runner_and_the_second_shows_findings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = re.findall(r"^```sh\n(.*?)\n```", text(ROOT / "README.md"), re.MULTILINE | re.DOTALL)[:2]
    assert re.fullmatch(r"uvx spvls lint \. +# or: pipx run spvls lint \.", first)
    assert second.endswith("&& .venv/bin/spvls lint fixtures/faulty")
    monkeypatch.chdir(ROOT)
    assert main(["lint", "fixtures/faulty"]) == 1
    out = capsys.readouterr().out
    assert re.search(r"^\d+ errors in 5 files$", out, re.MULTILINE) and out.count("\n") < 150


def test_the_pictures_of_the_readme_are_pictures_and_small() -> None:
    names = re.findall(r"!\[[^]]+\]\(https://raw\.githubusercontent\.com/[^/]+/[^/]+/main/([^)]+)\)", text(ROOT / "README.md"))
    heads = {".gif": b"GIF89a", ".png": b"\x89PNG"}
    assert len(names) == 2
    for name in names:
        content = (ROOT / name).read_bytes()
        assert content.startswith(heads[Path(name).suffix]) and len(content) < 1 << 20


def test_every_example_of_the_readme_runs(run: Run) -> None:
    examples = [line for block in re.findall(r"^```sh\n(.*?)^```", text(ROOT / "README.md"), re.MULTILINE | re.DOTALL) for line in block.splitlines()]
    commands = [shlex.split(line, comments=True)[1:] for line in examples if line.startswith("spvls ")]
    assert {"lint", "as", "dis", "cfg"} <= {command[0] for command in commands}
    for name in ("shaders/a.spvasm", "tests/a.spvasm", "a.spvasm", "shader.spvasm"):
        Path(name).parent.mkdir(exist_ok=True)
        shutil.copy(FIXTURES / "shaders" / "lit.frag.spvasm", name)
    assert run("as", "a.spvasm", "-o", "damaged.spv").code == 0
    Path("damaged.spv").write_bytes(Path("damaged.spv").read_bytes()[:-12])
    for command in commands:
        done = run(*(argument for argument in command if argument != "--watch"))
        assert (done.code, done.err) == (0, ""), command


def test_the_settings_in_the_readme_are_settings(run: Run) -> None:
    [settings] = re.findall(r"^```toml\n(.*?)^```", text(ROOT / "README.md"), re.MULTILINE | re.DOTALL)
    Path("spvls.toml").write_text(settings, encoding="utf-8")
    shutil.copy(FIXTURES / "shaders" / "transform.vert.spvasm", "a.spvasm")
    done = run("lint", "a.spvasm")
    assert (done.code, done.err) == (0, "")
    assert "spvls.toml" not in done.out


def test_the_findings_in_the_readme_are_those_of_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = re.search(r"(?:^    .+\n)+", text(ROOT / "README.md"), re.MULTILINE)
    assert shown is not None
    monkeypatch.chdir(ROOT)
    assert main(["lint", "fixtures/faulty/structure.frag.spvasm"]) == 1
    assert dedent(shown[0]) in capsys.readouterr().out


def test_every_invariant_has_a_guard() -> None:
    invariants = re.split(r"^\d+\. ", text(ROOT / "ARCHITECTURE.md").partition("## Invariants")[2].partition("\n## ")[0], flags=re.M)
    assert len(invariants) > 10
    assert all(TEST.search(invariant) for invariant in invariants[1:])


@pytest.mark.parametrize("path", BINARIES, ids=name_of)
def test_binary_fixtures_are_binaries(path: Path) -> None:
    assert is_binary(path.read_bytes())
    assert not is_faulty(path)
