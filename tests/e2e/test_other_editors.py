"""The configurations for Emacs, Helix, Kate and Sublime Text, each with the editor itself or what shares its engine.

SPVLS_HELIX names Helix; else it is `hx`.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import time
import tomllib
import uuid
from pathlib import Path

import pytest

from tests.e2e.editor_support import ROOT, SERVER, SHADER, require, server_environment, write_launcher

EDITORS = ROOT / "editors"
SAMPLE = """\
OpCapability Shader ; a remark
OpName %float "two
%lines \\" of; text here"
%c = OpConstant %float -1.5e3
"""


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / "a.spvasm"
    path.write_text(SHADER)
    return path


def test_emacs_finds_a_mistake(shader: Path) -> None:
    emacs = require("emacs")
    if not list(Path("/usr/share/emacs/site-lisp/elpa").glob("eglot*")):
        pytest.skip("the Debian package elpa-eglot is not installed")
    check = Path(__file__).parent / "emacs" / "check.el"
    own = {"SPVLS_ROOT": str(ROOT), "SPVLS_CMD": "\n".join(SERVER), "SPVLS_FILE": str(shader), "HOME": str(shader.parent)}
    done = subprocess.run(
        [emacs, "--batch", "--quick", "--load", str(check)],
        env={**server_environment(), **own},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0 and "PASSED" in done.stderr, done.stdout + done.stderr


class Terminal:
    """A program in a terminal of 120 columns, and what its screen shows."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.tmux = [require("tmux"), "-L", f"spvls-{uuid.uuid4().hex}"]
        start = ["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", *command]
        subprocess.run([*self.tmux, *start], cwd=folder, env={**environment, "TERM": "xterm-256color"}, check=True)

    def type(self, *keys: str) -> None:
        subprocess.run([*self.tmux, "send-keys", *keys], check=True, timeout=30)

    def wait_for(self, pattern: str, absent: bool = False) -> None:
        screen = ""
        for _ in range(200):
            shot = [*self.tmux, "capture-pane", "-p"]
            screen = subprocess.run(shot, check=True, capture_output=True, text=True, timeout=30).stdout
            if bool(re.search(pattern, screen)) != absent:
                return
            time.sleep(0.1)
        pytest.fail(f"the screen should {'not ' * absent}show {pattern}:\n{screen}")

    def close(self) -> None:
        subprocess.run([*self.tmux, "kill-server"], check=True, timeout=30)


def test_helix_finds_a_mistake(shader: Path, tmp_path: Path) -> None:
    helix = os.environ.get("SPVLS_HELIX", "hx")
    if shutil.which(helix) is None:
        pytest.skip(f"Helix ({helix}) is not installed")
    configuration = tmp_path / "config" / "helix"
    configuration.mkdir(parents=True)
    shutil.copy(EDITORS / "helix" / "languages.toml", configuration)
    programs = tmp_path / "bin"
    programs.mkdir()
    write_launcher(programs)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = {**server_environment(), "PATH": path, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    health = subprocess.run([helix, "--health", "spirv"], env=environment, capture_output=True, text=True, timeout=60)
    assert re.search(r"✓\S* spvls", health.stdout), health.stdout + health.stderr

    terminal = Terminal([helix, str(shader)], tmp_path, environment)
    try:
        terminal.wait_for("OpFAdd")
        terminal.type("/", "OpFAdd", "Enter", "c", "OpBogus", "Escape")
        terminal.wait_for(r"● \d")
        terminal.type("u")
        terminal.wait_for("OpFAdd")
        terminal.wait_for("●", absent=True)
        terminal.type("g", "g", "/", "OpTypeFloat", "Enter", "Space", "k")
        terminal.wait_for(r"OpTypeFloat[\s\S]*OpTypeFloat")
    finally:
        terminal.close()


def test_helix_configuration_is_toml() -> None:
    configuration = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    assert configuration["language-server"]["spvls"]["args"] == ["serve"]


def _styles(spans: list[tuple[str, str]]) -> dict[str, str]:
    """Style of each word of the sample, from the pieces of a highlighted text."""
    return {word: style for style, text in spans for word in text.split()}


def _check_sample(styles: dict[str, str], string_start: str) -> None:
    assert styles["%lines"] == styles["text"] == styles[string_start], "a string runs over the line's end"
    assert styles["remark"] != styles["text"]
    assert len({styles["remark"], styles["OpCapability"], styles["Shader"], styles["text"], styles["%c"]}) == 5
    assert styles["-1.5e3"] not in (styles["%c"], styles["OpCapability"])


def test_sublime_syntax_in_bat(tmp_path: Path) -> None:
    bat = shutil.which("bat") or require("batcat")
    (tmp_path / "config" / "syntaxes").mkdir(parents=True)
    shutil.copy(EDITORS / "sublime" / "SPIR-V.sublime-syntax", tmp_path / "config" / "syntaxes")
    folders = {"BAT_CONFIG_DIR": str(tmp_path / "config"), "BAT_CACHE_PATH": str(tmp_path / "cache")}
    environment = {**os.environ, **folders}
    subprocess.run([bat, "cache", "--build"], env=environment, check=True, capture_output=True, timeout=120)
    (tmp_path / "a.spvasm").write_text(SAMPLE)
    command = [bat, "--plain", "--color=always", "--theme=Monokai Extended", "a.spvasm"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True, timeout=60)
    _check_sample(_styles(re.findall(r"\x1b\[([\d;]+)m([^\x1b]+)", run.stdout)), "two")


def test_kate_syntax(tmp_path: Path) -> None:
    highlighter = require("kate-syntax-highlighter")
    folder = tmp_path / "org.kde.syntax-highlighting" / "syntax"
    folder.mkdir(parents=True)
    shutil.copy(EDITORS / "kate" / "spirv.xml", folder)
    (tmp_path / "a.spvasm").write_text(SAMPLE)
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    command = [highlighter, "--output-format", "html", "a.spvasm"]
    run = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True, timeout=60)
    spans = re.findall(r'<span style="([^"]*)">([^<]*)</span>', run.stdout)
    _check_sample(_styles([(style, html.unescape(text)) for style, text in spans]), '"two')


def test_kate_and_sublime_clients_start_the_server() -> None:
    kate = json.loads((EDITORS / "kate" / "lspclient.json").read_text())
    assert kate["servers"]["spirv"]["command"] == ["spvls", "serve"]
    sublime = re.sub(r"^\s*//.*$", "", (EDITORS / "sublime" / "LSP.sublime-settings").read_text(), flags=re.MULTILINE)
    assert json.loads(sublime)["clients"]["spvls"]["command"] == ["spvls", "serve"]
