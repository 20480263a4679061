"""The Neovim plugin in headless Neovim, each check a Lua script in `neovim/`.

The environment variable SPVLS_NVIM names the versions to test, separated as on PATH; else it is `nvim`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from spvls.grammar.environments import environments
from tests.e2e.editor_support import ROOT, SERVER, SHADER, HostileFolder, server_environment, write_launcher

CHECKS = Path(__file__).parent / "neovim"
VERSIONS = os.environ.get("SPVLS_NVIM", "nvim").split(os.pathsep)


def _run_check(
    nvim: str, check: str, folder: Path, setup: str, *, cmd: list[str] = SERVER, environment: dict[str, str] | None = None
) -> None:
    found = shutil.which(nvim)
    if found is None:
        pytest.skip(f"{nvim} is not installed")
    shader = folder / "a.spvasm"
    shader.write_text(SHADER)
    homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    own = {"SPVLS_ROOT": str(ROOT), "SPVLS_CMD": json.dumps(cmd), "SPVLS_SETUP": setup}
    command = [found, "--headless", "--clean", "-u", str(CHECKS / "init.lua"), str(shader)]
    done = subprocess.run(
        [*command, "-c", f"lua check.run('{CHECKS / check}.lua')"],
        env={**(environment or server_environment()), **homes, **own},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0 and "PASSED" in done.stdout, output


def _require_enable(nvim: str) -> None:
    """Skips the test for a Neovim without vim.lsp.enable."""
    if shutil.which(nvim) is None:
        pytest.skip(f"{nvim} is not installed")
    said = subprocess.run([nvim, "--version"], capture_output=True, text=True, timeout=30).stdout
    found = re.search(r"v(\d+)\.(\d+)", said)
    assert found, said
    if (int(found[1]), int(found[2])) < (0, 11):
        pytest.skip(f"vim.lsp.enable is not in {found[0]}")


@pytest.mark.parametrize("nvim", VERSIONS)
@pytest.mark.parametrize("check", sorted(path.stem for path in CHECKS.glob("*.lua") if path.stem not in ("init", "without_server")))
def test_check(check: str, nvim: str, tmp_path: Path) -> None:
    _run_check(nvim, check, tmp_path, setup="setup")


@pytest.mark.parametrize("nvim", VERSIONS)
@pytest.mark.parametrize("check", ["findings", "listing", "environment"])
@pytest.mark.parametrize("cmd", [["spvls", "serve"], SERVER], ids=["script", "module"])
@pytest.mark.parametrize("setup", ["setup", "enable"])
def test_nothing_of_the_folder_runs(setup: str, cmd: list[str], check: str, nvim: str, tmp_path: Path) -> None:
    if setup == "enable":
        _require_enable(nvim)
    workspace, programs = tmp_path / "workspace", tmp_path / "programs"
    workspace.mkdir()
    programs.mkdir()
    write_launcher(programs)
    hostile = HostileFolder(workspace, tmp_path / "ran")
    _run_check(nvim, check, workspace, setup=setup, cmd=cmd, environment=hostile.environment(programs))
    assert hostile.what_ran() == []


@pytest.mark.parametrize("nvim", VERSIONS)
def test_a_server_of_the_folder_is_not_found(nvim: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    hostile = HostileFolder(workspace, tmp_path / "ran")
    _run_check(nvim, "without_server", workspace, setup="setup", cmd=["./bin/spvls", "serve"], environment=hostile.environment(tmp_path))
    assert hostile.what_ran() == []


@pytest.mark.parametrize("nvim", VERSIONS)
def test_help_is_there_after_the_set_up_of_the_readme(nvim: str, tmp_path: Path) -> None:
    found = shutil.which(nvim)
    if found is None:
        pytest.skip(f"{nvim} is not installed")
    plugin = tmp_path / "a plugin"
    shutil.copytree(ROOT / "editors" / "neovim", plugin, ignore=shutil.ignore_patterns("tags"))
    snippet = re.search(r"```lua\n(.*?)```", (plugin / "README.md").read_text(), re.DOTALL)
    assert snippet
    (tmp_path / "init.lua").write_text(snippet[1].replace("/path/to/editors/neovim", str(plugin)))
    show = "help spvls | call writefile([expand('%:t')], '/dev/stdout') | qall!"
    command = [found, "--headless", "--clean", "-u", str(tmp_path / "init.lua"), "-c", show, "-c", "cquit"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "spvls.txt" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("nvim", VERSIONS)
@pytest.mark.parametrize("check", ["findings", "binary", "listing", "views"])
def test_check_with_the_editors_own_enable(check: str, nvim: str, tmp_path: Path) -> None:
    _require_enable(nvim)
    _run_check(nvim, check, tmp_path, setup="enable")


def test_target_environments_are_those_of_the_server() -> None:
    config = (ROOT / "editors" / "neovim" / "lua" / "spvls" / "config.lua").read_text()
    listed = re.search(r"target_envs = \{(.*?)\}", config, re.DOTALL)
    assert listed
    assert set(re.findall(r'"([^"]+)"', listed[1])) == set(environments())
