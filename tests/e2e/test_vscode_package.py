"""The VS Code extension as it is installed: what the package holds, and that it agrees with the server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import spvls
from spvls.grammar.environments import environments
from spvls.server.settings import Settings, read_settings
from spvls.validate.engine.options import Options
from tests.e2e.editor_support import BUNDLE, EXTENSION, PLAYGROUND, ROOT, package_extension

LARGEST = 20 << 20
"""Bytes of the package."""

OF_THE_CLIENT = {"path", "binary", "trace", "hostLanguages"}
"""Settings that the server has nothing to do with."""


class _Recorder(dict[str, Any]):
    """A mapping that knows what it was asked for."""

    def __init__(self, content: dict[str, Any]) -> None:
        super().__init__(content)
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)


@pytest.fixture(scope="module")
def package() -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(package_extension()) as archive:
        yield archive


@pytest.fixture
def manifest(package: zipfile.ZipFile) -> Any:
    return json.loads(package.read("extension/package.json"))


def test_holds_what_the_manifest_names_and_no_sources(package: zipfile.ZipFile, manifest: Any) -> None:
    contributes = manifest["contributes"]
    named = [manifest["main"], manifest["icon"], contributes["grammars"][0]["path"]]
    named += [contributes["languages"][0]["configuration"], *contributes["languages"][0]["icon"].values()]
    steps = [step for walkthrough in contributes["walkthroughs"] for step in walkthrough["steps"]]
    for step in steps:
        image = step["media"]["image"]
        named += image.values()
        assert image["dark"] == image["hc"] == image["light"].replace(".png", "-dark.png") and image["light"] == image["hcLight"]
    names = set(package.namelist())
    for path in named:
        assert f"extension/{path.removeprefix('./')}" in names
    assert {"extension/dist/webview/binary.js", "extension/dist/webview/binary.css"} <= names
    assert {"extension/readme.md", "extension/changelog.md", "extension/LICENSE.txt"} <= names
    assert not [name for name in names if re.search(r"node_modules|\.ts$|/tests/|\.map$", name)]


def test_settings_have_an_order(manifest: Any) -> None:
    settings = manifest["contributes"]["configuration"]["properties"]
    assert sorted(setting["order"] for setting in settings.values()) == list(range(1, len(settings) + 1))


def test_the_walkthrough_leads_to_commands_that_there_are(manifest: Any) -> None:
    contributes = manifest["contributes"]
    steps = [step for walkthrough in contributes["walkthroughs"] for step in walkthrough["steps"]]
    linked = {name for step in steps for name in re.findall(r"\(command:(spvls\.\w+)", step["description"])}
    assert linked and linked <= {command["command"] for command in contributes["commands"]}


def test_brings_the_server_and_is_small(package: zipfile.ZipFile, manifest: Any) -> None:
    assert Path(str(package.filename)).stat().st_size < LARGEST
    assert manifest["version"] == spvls.__version__
    names = set(package.namelist())
    server = "extension/dist/server"
    assert f"{server}/NOTICE.md" in names and f"{server}/start.py" in names
    assert {f"{server}/pyodide/{name}" for name in ("pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip")} <= names
    assert f"{server}/packages/spvls/grammar/data/spvasm.peg" in names
    with zipfile.ZipFile(BytesIO(package.read(f"{server}/pyodide/server.zip"))) as archive:
        compiled = {name for name in archive.namelist() if name.endswith((".py", ".pyc"))}
    sources = {name.removeprefix(f"{server}/packages/") for name in names if name.endswith(".py") and "/packages/" in name}
    assert compiled == {f"{name}c" for name in sources}
    assert not [name for name in names if "__pycache__" in name]


def test_the_server_starts_without_what_it_does_not_bring(package: zipfile.ZipFile, tmp_path: Path) -> None:
    """Isolated, as the extension starts it, with an interpreter that has no packages."""
    package.extractall(tmp_path, [name for name in package.namelist() if name.startswith("extension/dist/server/")])
    start = tmp_path / "extension" / "dist" / "server" / "start.py"
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    message = f"Content-Length: {len(asked)}\r\n\r\n{asked}"
    python = [sys.executable, "-I", "-S"]  # -S: without site-packages
    version = subprocess.run([*python, start, "--version"], capture_output=True, text=True, timeout=60)
    assert version.stdout == f"spvls {spvls.__version__}\n", version.stderr
    done = subprocess.run([*python, start, "serve"], input=message, capture_output=True, text=True, timeout=60)
    assert '"hoverProvider":true' in done.stdout, done.stderr


def test_packages_are_those_that_the_server_says_it_needs() -> None:
    """But for parsimonious, which only checks the grammar."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[^\w-]", dependency)[0] for dependency in project["dependencies"]} - {"parsimonious"}
    brought = re.findall(r"^([\w-]+)==", (BUNDLE / "requirements.txt").read_text(), re.MULTILINE)
    assert needed < set(brought)


def test_bundle_needs_only_what_the_editor_provides(package: zipfile.ZipFile, manifest: Any) -> None:
    bundle = package.read("extension/dist/extension.js").decode()
    provided = {"vscode", "assert", "child_process", "crypto", "fs", "net", "os", "path", "url", "util", "worker_threads"}
    required = {name.removeprefix("node:") for name in re.findall(r'\brequire\("([^"]+)"\)', bundle)}
    assert required
    assert required <= provided
    in_browsers = package.read(f"extension/{manifest['browser'].removeprefix('./')}").decode()
    assert set(re.findall(r'\brequire\("([^"]+)"\)', in_browsers)) == {"vscode"}


def test_every_command_is_registered(package: zipfile.ZipFile, manifest: Any) -> None:
    bundle = package.read("extension/dist/extension.js").decode()
    for entry in manifest["contributes"]["commands"]:
        assert f'"{entry["command"].removeprefix("spvls.")}"' in bundle


def test_every_setting_is_described(manifest: Any) -> None:
    for name, schema in manifest["contributes"]["configuration"]["properties"].items():
        assert schema["scope"] in ("machine-overridable", "resource", "window"), name
        assert schema.get("description") or schema.get("markdownDescription"), name
        assert "default" in schema, name


def test_target_environments_are_those_of_the_server(manifest: Any) -> None:
    offered = manifest["contributes"]["configuration"]["properties"]["spvls.targetEnv"]["enum"]
    assert set(offered) == {None, *environments()}


def test_settings_and_their_defaults_are_those_of_the_server(manifest: Any) -> None:
    given: dict[str, Any] = {}
    for name, schema in manifest["contributes"]["configuration"]["properties"].items():
        *outer, last = name.split(".")[1:]
        place = given
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = {key: inner["default"] for key, inner in schema.get("properties", {}).items()} or schema["default"]
    recorder = _Recorder(given)
    settings, problems = read_settings(recorder)
    assert problems == []
    assert Options.of(settings.options) == Options(advice=True)  # editors have advice, other uses ask for it
    assert replace(settings, options={}) == Settings()
    assert recorder.asked == given.keys() - OF_THE_CLIENT


def test_settings_that_name_programs_or_files_are_the_users_own_in_restricted_mode(manifest: Any) -> None:
    properties = manifest["contributes"]["configuration"]["properties"]
    of_the_machine = {name for name, schema in properties.items() if schema["scope"].startswith("machine")}
    of_files = {name for name, schema in properties.items() if "profile" in schema.get("properties", {})}
    that_write = {"spvls.binary.writeOnSave"}
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited" and trust["description"]
    assert {"spvls.path"} < of_the_machine and of_files
    assert set(trust["restrictedConfigurations"]) == of_the_machine | of_files | that_write


@pytest.mark.parametrize("folder", [EXTENSION, BUNDLE, PLAYGROUND], ids=lambda folder: folder.name)
def test_lock_file_names_no_registry_but_the_default(folder: Path) -> None:
    lock = (folder / "package-lock.json").read_text()
    assert set(re.findall(r'"resolved": "(https?://[^/"]+)', lock)) <= {"https://registry.npmjs.org"}
