"""The workflows of GitHub, the container and the files of a release."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import spvls
from tests.corpus import ROOT
from tests.e2e.editor_support import require
from tests.test_identity import PROJECT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").iterdir())
ACTION = ROOT / "action.yml"


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def workflow(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(text(GITHUB / "workflows" / f"{name}.yml"), yaml.BaseLoader)  # where `on` is a word
    return loaded


def steps(jobs: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in jobs.values() for step in job.get("steps", ())]


# Workflows


FORMS = GITHUB / "ISSUE_TEMPLATE"
VALID = {
    "github-workflows": WORKFLOWS,
    "github-actions": [ACTION],
    "dependabot": [GITHUB / "dependabot.yml"],
    "github-issue-config": [FORMS / "config.yml"],
    "github-issue-forms": sorted(set(FORMS.iterdir()) - {FORMS / "config.yml"}),
}


@pytest.mark.parametrize("schema", VALID)
def test_files_of_github_are_valid(schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, VALID[schema])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_to_one_commit_each(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", text(path))
    assert used
    for action, comment in used:
        if not action.startswith("./"):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action


def test_an_action_has_the_same_commit_everywhere() -> None:
    lines = {line for path in [*WORKFLOWS, ACTION] for line in re.findall(r"uses: (\w\S+@.*)", text(path))}
    assert len({line.partition("@")[0] for line in lines}) == len(lines)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_only_unless_a_job_says_why(path: Path) -> None:
    loaded = workflow(path.stem)
    assert loaded["permissions"] == {"contents": "read"}
    for granted in re.findall(r"^ {6}([\w-]+: write.*)$", text(path), re.MULTILINE):
        assert re.fullmatch(r"[\w-]+: write # .+", granted), granted
    assert all("timeout-minutes" in job or "uses" in job for job in loaded["jobs"].values())
    for step in steps(loaded["jobs"]):
        assert "${{" not in step.get("run", "")
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] == "false"


def test_ci_runs_what_a_change_must_pass_on_all_versions_and_systems() -> None:
    jobs = workflow("ci")["jobs"]
    commands = [step["run"].split()[:2] for step in steps(jobs) if "run" in step]
    assert [command for command in commands if command[0] != "git"] == [["bash", ".ci/run"]] * 2
    [command] = (step["run"] for step in steps({"core": jobs["core"]}) if "run" in step)
    assert [name for name in command.split()[2:] if not (ROOT / name).is_dir()] == []
    matrix = jobs["core"]["strategy"]["matrix"]
    supported = {classifier.rpartition(" ")[2] for classifier in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", classifier)}
    assert set(matrix["python"]) == supported
    assert {entry["os"].partition("-")[0] for entry in matrix["include"]} == {"macos", "windows"}


def test_the_site_is_built_with_the_playground_and_published_as_a_whole() -> None:
    jobs = workflow("site")["jobs"]
    used = steps({"build": jobs["build"]})
    commands = [(step.get("working-directory"), step["run"]) for step in used if "run" in step]
    assert commands == [
        ("editors/web", "npm ci && npm run build"),  # before the site, which takes it
        (None, "python -m pip install --disable-pip-version-check '.[site]' && python -m mkdocs build --strict"),
    ]
    assert used[-1]["with"] == {"path": "site"} and "/site/" in text(ROOT / ".gitignore").splitlines()
    assert jobs["deploy"]["needs"] == "build"
    assert "`site.yml`" in text(ROOT / "RELEASING.md")


def test_a_release_publishes_what_passed_and_was_built_once() -> None:
    loaded = workflow("release")
    jobs = loaded["jobs"]
    assert loaded["on"] == {"push": {"tags": ["v*"]}}
    assert jobs["ci"]["uses"] == "./.github/workflows/ci.yml" and "workflow_call" in workflow("ci")["on"]
    assert jobs["pypi"]["needs"] == ["ci", "build"]
    assert {name for name, job in jobs.items() if job.get("needs") == "pypi"} == {"github", "marketplace", "open-vsx"}
    assert jobs["pypi"]["permissions"] == {"id-token": "write"}
    guide = text(ROOT / "RELEASING.md")
    environments = {job["environment"] if isinstance(job["environment"], str) else job["environment"]["name"] for job in jobs.values() if "environment" in job}
    assert [name for name in environments if f"`{name}`" not in guide] == []
    assert [secret for secret in re.findall(r"secrets\.(\w+)", text(GITHUB / "workflows/release.yml")) if f"`{secret}`" not in guide] == []


@pytest.mark.parametrize("command", [["actionlint"], ["zizmor", "--offline", "--min-severity", "medium", ".github", "action.yml"]], ids=lambda command: command[0])
def test_linters_of_workflows_find_nothing(command: list[str]) -> None:
    done = subprocess.run([require(command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_scripts_pass_shellcheck() -> None:
    scripts = [path for path in (ROOT / ".ci").iterdir() if path.is_file() and text(path).startswith("#!")]
    assert len(scripts) == 3
    done = subprocess.run([require("shellcheck"), *scripts, *ROOT.glob("tests/e2e/**/*.sh")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# The files of a release


def run_of(script: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A script of `.ci`, in a folder that has what it reads."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    for name in (f".ci/{script}", "spvls/__init__.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return subprocess.run([f".ci/{script}", *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_notes_of_a_release_are_its_section(tmp_path: Path) -> None:
    log = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.2.0] - 2026-01-01\n\n### Added\n\n- This.\n\n## [1.2.0-rc1] - 2025-01-01\n\n- Old.\n\n[1.2.0]: https://x\n"
    (tmp_path / "CHANGELOG.md").write_text(log)
    assert run_of("notes", tmp_path, "1.2.0").stdout.strip() == "### Added\n\n- This."
    assert run_of("notes", tmp_path, "1.2.0-rc1").stdout.strip() == "- Old."
    done = run_of("notes", tmp_path, "2.0.0")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "CHANGELOG.md has no section on 2.0.0\n")


def test_a_tag_of_another_version_is_not_released(tmp_path: Path) -> None:
    done = run_of("release", tmp_path, "v9.9.9", "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"the tag is v9.9.9, but spvls/__init__.py has the version {spvls.__version__}\n"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    done = run_of("release", tmp_path, f"v{spvls.__version__}", "full")
    assert (done.returncode, done.stderr) == (1, "full is not empty\n")
    assert run_of("release", tmp_path).returncode == 2


# The container


def test_the_container_is_built_of_what_is_copied(tmp_path: Path) -> None:
    """A wheel of the files that the Dockerfile copies, as far as .dockerignore lets them through."""
    copied = [line.split()[1:] for line in text(ROOT / "Dockerfile").splitlines() if line.startswith("COPY ")]
    let_through = {line[1:] for line in text(ROOT / ".dockerignore").splitlines() if line.startswith("!")}
    assert {source for *sources, _ in copied for source in sources} == let_through
    context = tmp_path / "context"
    context.mkdir()
    for *sources, target in copied:
        for source in sources:
            (context / target).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, context / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, context / target)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--wheel-dir", str(tmp_path), "."]
    done = subprocess.run(command, cwd=context, capture_output=True, text=True, env={**os.environ, "PIP_NO_INDEX": "1"}, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"spvls-{spvls.__version__}-py3-none-any.whl").is_file()


def test_the_container_runs_as_a_user() -> None:
    instructions = [line.split(maxsplit=1) for line in text(ROOT / "Dockerfile").splitlines() if re.match(r"[A-Z]+ ", line)]
    last = dict(instructions)
    assert last["USER"] == "1000" and last["ENTRYPOINT"] == '["spvls"]'
    images = [argument.split()[0] for name, argument in instructions if name == "FROM"]
    assert {image.partition(":")[0] for image in images} == {"python"} and all(image.endswith("-slim") for image in images)


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run([require("hadolint"), ROOT / "Dockerfile"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
