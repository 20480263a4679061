"""The VS Code extension in a real workbench: code-server, driven through Chromium by the scripts in `vscode/`.

SPVLS_VSCODE_TOOLS names the folder that `vscode/install.sh` filled. SPVLS_SCREENSHOTS, when set, names a folder for
pictures of the steps.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spvls
from tests.e2e.editor_support import EXTENSION, ROOT, SHADER, require, run_npm, server_environment, write_launcher

SCRIPTS = Path(__file__).parent / "vscode"
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "chat.disableAIFeatures": True,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
}


@pytest.fixture
def tools() -> Path:
    folder = os.environ.get("SPVLS_VSCODE_TOOLS")
    if not folder or not (Path(folder) / "node_modules" / "code-server").is_dir():
        pytest.skip("SPVLS_VSCODE_TOOLS names no folder filled by tests/e2e/vscode/install.sh")
    return Path(folder)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "a.spvasm").write_text(SHADER)
    (folder / "b.spv").write_bytes(spvls.assemble(SHADER))
    shutil.copy(ROOT / "fixtures" / "shaders" / "lit.frag.spvasm", folder / "lit.spvasm")
    _write_json(folder / ".vscode" / "settings.json", {"spvls.binary.writeOnSave": True})
    return folder


@contextmanager
def workbench(tools: Path, folder: Path, home: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a workbench that shows `folder`, with the extension installed; all that it keeps is in `home`."""
    run_npm("run", "package")
    node = str(tools / "node_modules" / ".bin" / "node")
    entry = str(tools / "node_modules" / "code-server" / "out" / "node" / "entry.js")
    folders = ["--user-data-dir", str(home / "user"), "--extensions-dir", str(home / "extensions")]
    environment = {**environment, "HOME": str(home)}
    install = [node, entry, *folders, "--install-extension", str(EXTENSION / "spvls.vsix")]
    subprocess.run(install, env=environment, check=True, capture_output=True, timeout=120)
    _write_json(home / "user" / "User" / "settings.json", SETTINGS)

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    switches = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"]
    switches += ["--disable-getting-started-override", "--bind-addr", address]
    with (home / "code-server.log").open("wb") as log:
        process = subprocess.Popen([node, entry, *folders, *switches], env=environment, stdout=log, stderr=log)
    try:
        _wait_until_healthy(f"http://{address}/healthz")
        yield f"http://{address}/?folder={folder}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def drive(script: str, tools: Path, url: str, folder: Path) -> str:
    """Output of a script that plays the user."""
    options = {
        "tools": str(tools),
        "browser": require("chromium"),
        "url": url,
        "folder": str(folder),
        "screenshots": os.environ.get("SPVLS_SCREENSHOTS"),
    }
    command = [str(tools / "node_modules" / ".bin" / "node"), str(SCRIPTS / script), json.dumps(options)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    return output


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def _wait_until_healthy(url: str) -> None:
    for _ in range(300):
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"nothing answers at {url}")


def test_what_a_user_does(tools: Path, workspace: Path, tmp_path: Path) -> None:
    # The workbench runs in the browser, the extension on the server: settings of the machine are the server's own.
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        output = drive("drive.mjs", tools, url, workspace)
    steps = re.search(r"^STEPS (\d+)$", output, re.MULTILINE)
    assert steps and len(re.findall(r"^PASSED ", output, re.MULTILINE)) == int(steps[1]) > 0, output


def test_the_extension_installs_the_server(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """pip is led to a wheel of this tree, and finds what that needs beside the tests' own packages."""
    pytest.importorskip("hatchling", reason="a wheel is made with hatchling, which is not installed")
    wheels = tmp_path / "wheels"
    build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, timeout=300)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), "/usr/bin", "/bin"]),
        "PIP_NO_INDEX": "1",
        "PIP_IGNORE_INSTALLED": "1",  # the tests' own packages may hold this project
        "PIP_NO_DEPS": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    if shutil.which("spvls", path=environment["PATH"]):
        pytest.skip("spvls is installed for the whole system")
    with workbench(tools, workspace, tmp_path, environment) as url:
        assert "PASSED" in drive("without_server.mjs", tools, url, workspace)
    assert list(tmp_path.glob("user/**/env/lib/*/site-packages/spvls/__init__.py"))
