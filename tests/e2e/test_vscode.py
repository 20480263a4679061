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
import time
import urllib.request
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import spvls
from tests.e2e.editor_support import (
    EXTENSION,
    ROOT,
    SHADER,
    HostileFolder,
    require,
    run_npm,
    server_environment,
    write_launcher,
)

SCRIPTS = Path(__file__).parent / "vscode"
SETTINGS = {
    "security.workspace.trust.startupPrompt": "never",
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
def workbench(
    tools: Path, folder: Path, home: Path, environment: dict[str, str], *, trusted: bool = True, extensions: Sequence[Path] = ()
) -> Iterator[str]:
    """The address of a workbench that shows `folder`, with the extension installed; all that it keeps is in `home`.

    It starts in `folder`, as from a terminal there. `extensions` are packages of others that are installed, too.
    """
    run_npm("run", "package")
    node = str(tools / "node_modules" / ".bin" / "node")
    entry = str(tools / "node_modules" / "code-server" / "out" / "node" / "entry.js")
    folders = ["--user-data-dir", str(home / "user"), "--extensions-dir", str(home / "extensions")]
    environment = {**environment, "HOME": str(home), "VSCODE_CLI": "1"}  # the PATH is this, not that of a login shell
    for package in (EXTENSION / "spvls.vsix", *extensions):
        install = [node, entry, *folders, "--install-extension", str(package)]
        subprocess.run(install, env=environment, check=True, capture_output=True, timeout=120)
    _write_json(home / "user" / "User" / "settings.json", {**SETTINGS, "security.workspace.trust.enabled": not trusted})

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    switches = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--bind-addr", address]
    switches += ["--disable-getting-started-override", *(["--disable-workspace-trust"] if trusted else [])]
    with (home / "code-server.log").open("wb") as log:
        process = subprocess.Popen([node, entry, *folders, *switches], env=environment, cwd=folder, stdout=log, stderr=log)
    try:
        _wait_until_healthy(f"http://{address}/healthz")
        yield f"http://{address}/?folder={folder}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def drive(script: str, tools: Path, url: str, folder: Path, *, trusted: bool = True) -> str:
    """Output of a script that plays the user."""
    options = {
        "tools": str(tools),
        "browser": require("chromium"),
        "url": url,
        "folder": str(folder),
        "trusted": trusted,
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


def _python_extension(path: Path, selected: Path) -> Path:
    """A package that answers as the Python extension does, with an interpreter selected."""
    manifest = {
        "name": "python",
        "publisher": "ms-python",
        "version": "1.0.0",
        "engines": {"vscode": "^1.88.0"},
        "main": "./main.js",
        "capabilities": {"untrustedWorkspaces": {"supported": True}},
    }
    code = f"""
    const uri = require("vscode").Uri.file({json.dumps(str(selected))});
    exports.activate = () => ({{
      environments: {{
        getActiveEnvironmentPath: () => ({{ path: uri.fsPath }}),
        resolveEnvironment: async () => ({{ executable: {{ uri }} }}),
      }},
    }});
    """
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("extension/package.json", json.dumps(manifest))
        package.writestr("extension/main.js", code)
    return path


def test_nothing_of_an_untrusted_folder_runs(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """Neither by the folder's settings, nor by the selected interpreter, nor by the PATH, which has the server later."""
    hostile = HostileFolder(workspace, tmp_path / "ran")
    named = {"spvls.path": str(workspace / "bin" / "spvls"), "spvls.khronosGrammar": str(workspace)}
    _write_json(workspace / ".vscode" / "settings.json", {**named, "spvls.targetEnv": "vulkan1.3"})
    programs = tmp_path / "programs"
    programs.mkdir()
    write_launcher(programs)
    inside = workspace / ".venv" / "bin"
    others = [_python_extension(tmp_path / "python.vsix", inside / "python")]
    environment = hostile.environment(programs, inside, workspace / "bin")
    with workbench(tools, workspace, tmp_path, environment, trusted=False, extensions=others) as url:
        assert "PASSED" in drive("hostile_folder.mjs", tools, url, workspace, trusted=False)
    assert hostile.what_ran() == []


def test_nothing_of_a_trusted_folder_runs_that_nobody_named(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """The server is a module of the selected interpreter, which is elsewhere."""
    hostile = HostileFolder(workspace, tmp_path / "ran")
    _write_json(workspace / ".vscode" / "settings.json", {"spvls.targetEnv": "vulkan1.3"})
    python = tmp_path / "environment" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    others = [_python_extension(tmp_path / "python.vsix", python)]
    with workbench(tools, workspace, tmp_path, hostile.environment(tmp_path), extensions=others) as url:
        assert "PASSED" in drive("hostile_folder.mjs", tools, url, workspace)
    assert hostile.what_ran() == []


def test_the_extension_installs_the_server(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """pip is led to wheels of this tree and of what that needs. The workspace is hostile and not trusted."""
    pytest.importorskip("hatchling", reason="a wheel is made with hatchling, which is not installed")
    wheels = tmp_path / "wheels"
    build = ["wheel", "--quiet", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, timeout=300)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    hostile = HostileFolder(workspace, tmp_path / "ran")
    inside = workspace / ".venv" / "bin"
    environment = {**hostile.environment(programs, inside), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    if shutil.which("spvls", path=os.defpath):
        pytest.skip("spvls is installed for the whole system")
    others = [_python_extension(tmp_path / "python.vsix", inside / "python")]
    with workbench(tools, workspace, tmp_path, environment, trusted=False, extensions=others) as url:
        assert "PASSED" in drive("without_server.mjs", tools, url, workspace)
    assert list(tmp_path.glob("user/**/env/lib/*/site-packages/spvls/__init__.py"))
    assert hostile.what_ran() == []


def test_a_hover_fetches_nothing(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """Names of a module may hold Markdown with the image of a server."""
    asked: list[str] = []

    class Images(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Images) as images:
        Thread(target=images.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{images.server_port}"
        (workspace / "hostile.spvasm").write_text(
            "OpCapability Shader\n"
            f'OpExtension "`![i]({address}/hover-extension.png)"\n'
            f'%set = OpExtInstImport "NonSemantic.`![i]({address}/hover-import.png)"\n'
            "OpMemoryModel Logical GLSL450\n"
            f'OpEntryPoint Vertex %main "`![i]({address}/hover-entry.png)"\n'
            f'OpName %main "`![i]({address}/hover-name.png)"\n'
            "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
            "%main = OpFunction %void None %fn\n%block = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
        # The editor's own links of what looks like an address in any text are not those that this is about.
        _write_json(workspace / ".vscode" / "settings.json", {"editor.links": False})
        _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
        try:
            with workbench(tools, workspace, tmp_path, server_environment()) as url:
                assert "PASSED" in drive("hostile.mjs", tools, url, workspace)
        finally:
            images.shutdown()
    assert asked == []
