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
from tests.e2e.editor_support import ROOT, SERVER, SHADER, server_environment

CHECKS = Path(__file__).parent / "neovim"
VERSIONS = os.environ.get("SPVLS_NVIM", "nvim").split(os.pathsep)


def _run_check(nvim: str, check: str, folder: Path, setup: str) -> None:
    if shutil.which(nvim) is None:
        pytest.skip(f"{nvim} is not installed")
    shader = folder / "a.spvasm"
    shader.write_text(SHADER)
    homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    own = {"SPVLS_ROOT": str(ROOT), "SPVLS_CMD": json.dumps(SERVER), "SPVLS_SETUP": setup}
    command = [nvim, "--headless", "--clean", "-u", str(CHECKS / "init.lua"), str(shader)]
    done = subprocess.run(
        [*command, "-c", f"lua check.run('{CHECKS / check}.lua')"],
        env={**server_environment(), **homes, **own},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0 and "PASSED" in done.stdout, output


@pytest.mark.parametrize("nvim", VERSIONS)
@pytest.mark.parametrize("check", sorted(path.stem for path in CHECKS.glob("*.lua") if path.stem != "init"))
def test_check(check: str, nvim: str, tmp_path: Path) -> None:
    _run_check(nvim, check, tmp_path, setup="setup")


@pytest.mark.parametrize("nvim", VERSIONS)
@pytest.mark.parametrize("check", ["findings", "binary", "listing", "views"])
def test_check_with_the_editors_own_enable(check: str, nvim: str, tmp_path: Path) -> None:
    if shutil.which(nvim) is None:
        pytest.skip(f"{nvim} is not installed")
    said = subprocess.run([nvim, "--version"], capture_output=True, text=True, timeout=30).stdout
    found = re.search(r"v(\d+)\.(\d+)", said)
    assert found, said
    if (int(found[1]), int(found[2])) < (0, 11):
        pytest.skip(f"vim.lsp.enable is not in {found[0]}")
    _run_check(nvim, check, tmp_path, setup="enable")


def test_target_environments_are_those_of_the_server() -> None:
    config = (ROOT / "editors" / "neovim" / "lua" / "spvls" / "config.lua").read_text()
    listed = re.search(r"target_envs = \{(.*?)\}", config, re.DOTALL)
    assert listed
    assert set(re.findall(r'"([^"]+)"', listed[1])) == set(environments())
