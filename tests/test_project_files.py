"""What other programs read of this project: pre-commit, GitHub, editors, dev containers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from pre_commit.clientlib import load_config, load_manifest

from spvls.cli.search import modules_at
from tests.cli.conftest import Run, run
from tests.corpus import FIXTURES, ROOT
from tests.schemas import published

__all__ = ["run"]

HOOKS: dict[str, dict[str, Any]] = {hook["id"]: hook for hook in load_manifest(ROOT / ".pre-commit-hooks.yaml")}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
MODULES = ("a.spvasm", "a.frag.spvasm", "a.spvasm.frag", "a.spvasm32", "a.spvasm64", "a.spvas", "folder/b.spvasm")
OTHERS = ("a.txt", "spvasm", "a.spvasmx", "a.spv.txt")


# pre-commit


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_is_for_the_files_that_folders_are_searched_for(name: str, tmp_path: Path) -> None:
    for file in (*MODULES, *OTHERS, "a.spv"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    found = {os.path.relpath(path, tmp_path) for path in modules_at([str(tmp_path)], [])}
    texts_only = name != "spvls-lint"
    wanted = {file for file in (*MODULES, *OTHERS, "a.spv") if re.search(HOOKS[name]["files"], file)}
    assert wanted == (found - {"a.spv"} if texts_only else found) == {*MODULES, *(() if texts_only else ("a.spv",))}


@pytest.mark.parametrize("name", HOOKS)
def test_the_command_of_a_hook_takes_files(run: Run, name: str) -> None:
    program, *arguments = HOOKS[name]["entry"].split()
    assert program == "spvls"
    shutil.copy(FIXTURES / "shaders" / "transform.vert.spvasm", "good.spvasm")
    assert run(*arguments, "good.spvasm").code == 0
    shutil.copy(FIXTURES / "faulty" / "numbers.spvasm", "bad.spvasm")
    assert run(*arguments, "bad.spvasm", "good.spvasm").code == (0 if name == "spvls-format" else 1)


def test_the_hooks_of_the_project_itself_are_its_quick_checks() -> None:
    config = load_config(ROOT / ".pre-commit-config.yaml")
    hooks = {hook["id"]: hook for repository in config["repos"] for hook in repository["hooks"]}
    assert set(hooks) == {"ruff", "mypy", "project-files"}
    for hook in hooks.values():
        program, *arguments = hook["entry"].split()
        assert shutil.which(program, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        assert [name for name in arguments if name.startswith("tests/") and not (ROOT / name).is_file()] == []
    matched = hooks["project-files"]["files"]
    assert all(re.search(matched, name) for name in ("README.md", "pyproject.toml", "action.yml", "Dockerfile", ".ci/run", ".github/dependabot.yml"))
    assert not any(re.search(matched, name) for name in ("spvls/__init__.py", "fixtures/a.toml"))


# GitHub


def test_forms_ask_for_what_a_report_needs() -> None:
    forms = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / ".github/ISSUE_TEMPLATE").iterdir()}
    assert set(forms) == {"config", "wrong-finding", "missing-finding", "crash", "idea"}
    for name in ("wrong-finding", "missing-finding", "crash"):
        fields = {field["id"]: field for field in forms[name]["body"]}
        assert "module" in fields and fields["version"]["validations"]["required"]
    guide = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    assert [label for form in forms.values() for label in form.get("labels", ()) if f"`{label}`" not in guide] == []


def test_the_changelog_has_the_shape_of_keep_a_changelog() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)", log, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert [heading for heading in headings[1:] if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading)] == []
    for section in re.split(r"^## .*", log, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)", section, re.MULTILINE)
        assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"} and len(set(kinds)) == len(kinds)
    linked = re.findall(r"^\[([^]]+)\]: https://github\.com/", log, re.MULTILINE)
    assert [f"[{name}]" for name in linked] == [heading.partition(" ")[0] for heading in headings]


# GitHub Actions


def test_the_action_is_valid() -> None:
    Draft7Validator(published("https://json.schemastore.org/github-action.json")).validate(ACTION)
    inputs = {name for step in ACTION["runs"]["steps"] for name in re.findall(r"inputs\.([\w-]+)", str(step))}
    assert inputs == set(ACTION["inputs"])


def test_no_input_of_the_action_is_put_into_a_script() -> None:
    assert not [step for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]


def lint_step(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The last step of the action, run as GitHub would."""
    step = ACTION["runs"]["steps"][-1]
    given = {name: entry["default"] for name, entry in ACTION["inputs"].items()} | inputs
    variables = {name: given[re.search(r"inputs\.([\w-]+)", value)[1]] for name, value in step["env"].items()}  # type: ignore[index]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env={**os.environ, **variables, "PATH": path}, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_the_action_lints(tmp_path: Path) -> None:
    (tmp_path / "with space").mkdir()
    shutil.copy(FIXTURES / "faulty" / "numbers.spvasm", tmp_path / "with space")
    done = lint_step(tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("::error file=with space/numbers.spvasm,") == 8
    done = lint_step(tmp_path, paths="with space\nwith space/numbers.spvasm", format="sarif", output="a b.sarif", arguments="--exit-zero --select syntax/*")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert '"version": "2.1.0"' in (tmp_path / "a b.sarif").read_text()
    done = lint_step(tmp_path, paths="$(touch x)\n`touch x`", arguments="; touch x", output="--fix")
    assert done.returncode == 2
    assert not (tmp_path / "x").exists()


# Editors


def test_vs_code_checks_the_settings_of_a_project_by_their_schema() -> None:
    manifest = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    [entry] = manifest["contributes"]["tomlValidation"]
    assert entry["fileMatch"] == "spvls.toml"
    # Even Better TOML takes the address as it stands: one below the extension's folder does not reach it.
    assert entry["url"].startswith("https://") and entry["url"].endswith("/main/share/spvls/spvls.schema.json")
    assert (ROOT / "share/spvls/spvls.schema.json").is_file()


def test_a_dev_container_has_what_contributing_asks_for() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"].startswith("python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'")
    assert "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]'" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert any("/node:" in feature for feature in container["features"])
    assert container["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"].endswith("/.venv/bin/python")


def test_the_files_of_the_project_are_as_editors_are_told() -> None:
    """Those that it has charge of, of the sorts that people edit."""
    told = (ROOT / ".editorconfig").read_text(encoding="utf-8")
    (kept,) = re.findall(r"^\[\{(fixtures/.*)\}\]$", told, re.MULTILINE)
    done = subprocess.run(["git", "ls-files", "-z", "*.py", "*.md", "*.toml", "*.yml", "*.yaml", "*.json", "*.peg", "*.lua"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this is no clone of the repository")
    wrong = []
    for name in filter(None, done.stdout.split("\0")):
        if any(fnmatch(name, pattern) for pattern in kept.split(",")) or not (ROOT / name).is_file():
            continue
        text = (ROOT / name).read_bytes().decode("utf-8")
        if "\r" in text or (text and not text.endswith("\n")) or re.search(r"[ \t]$", text, re.MULTILINE) or re.search(r"^\t", text, re.MULTILINE):
            wrong.append(name)
    assert wrong == []


# the top level


def test_the_top_level_holds_what_the_project_consists_of() -> None:
    """Notes and extracts of a working folder are no part of it."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: what is committed cannot be asked for")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    top = {path.split("/")[0] for path in listed.split("\0") if path}
    documents = {"ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "README.md", "RELEASING.md", "SECURITY.md"}
    folders = {"docs", "editors", "fixtures", "grammar", "registries", "share", "spvls", "tests"}
    assert {name for name in top if not name.startswith(".")} == documents | folders | {"Dockerfile", "action.yml", "mkdocs.yml", "pyproject.toml"}
