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
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.editor_support import ROOT, SERVER, SHADER, HostileFolder, Terminal, require, server_environment, write_launcher

EDITORS = ROOT / "editors"
ISOLATION = {"PYTHONPATH": "", "PYTHONSAFEPATH": "1"}
"""With these nothing of the working directory is imported: an empty PYTHONPATH counts as none."""
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


def _check_emacs(shader: Path, home: Path, command: list[str], environment: dict[str, str]) -> None:
    emacs = require("emacs")
    if not list(Path("/usr/share/emacs/site-lisp/elpa").glob("eglot*")):
        pytest.skip("the Debian package elpa-eglot is not installed")
    check = Path(__file__).parent / "emacs" / "check.el"
    own = {"SPVLS_ROOT": str(ROOT), "SPVLS_CMD": "\n".join(command), "SPVLS_FILE": str(shader), "HOME": str(home)}
    done = subprocess.run(
        [emacs, "--batch", "--quick", "--load", str(check)],
        env={**environment, **own},
        cwd=shader.parent,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0 and "PASSED" in done.stderr, done.stdout + done.stderr


def test_emacs_finds_a_mistake(shader: Path) -> None:
    _check_emacs(shader, shader.parent, SERVER, server_environment())


@pytest.fixture
def hostile(tmp_path: Path) -> HostileFolder:
    """A folder with a shader. The folder `programs` beside it holds the server."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "a.spvasm").write_text(SHADER)
    (tmp_path / "programs").mkdir()
    write_launcher(tmp_path / "programs")
    return HostileFolder(tmp_path / "workspace", tmp_path / "ran")


@pytest.mark.parametrize("command", [["spvls", "serve"], SERVER], ids=["script", "module"])
def test_emacs_runs_nothing_of_the_folder(command: list[str], hostile: HostileFolder, tmp_path: Path) -> None:
    environment = hostile.environment(tmp_path / "programs")
    _check_emacs(hostile.folder / "a.spvasm", tmp_path, command, environment)
    assert hostile.what_ran() == []


@pytest.fixture
def helix(tmp_path: Path) -> Iterator[Callable[[Path, dict[str, str]], Terminal]]:
    """Opens a file in Helix, which is given an environment."""
    program = shutil.which(os.environ.get("SPVLS_HELIX", "hx"))
    if program is None:
        pytest.skip("Helix is not installed")
    folder = tmp_path / "config" / "helix"
    folder.mkdir(parents=True)
    shutil.copy(EDITORS / "helix" / "languages.toml", folder)
    own = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    terminals: list[Terminal] = []

    def opened(path: Path, environment: dict[str, str]) -> Terminal:
        environment = {**environment, **own}
        health = subprocess.run([program, "--health", "spirv"], env=environment, capture_output=True, text=True, timeout=60)
        assert re.search(r"✓\S* spvls", health.stdout), health.stdout + health.stderr
        terminals.append(Terminal([program, str(path)], path.parent, environment))
        return terminals[0]

    yield opened
    for terminal in terminals:
        terminal.close()


def test_helix_finds_a_mistake(shader: Path, tmp_path: Path, helix: Callable[[Path, dict[str, str]], Terminal]) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    write_launcher(programs)
    terminal = helix(shader, {**server_environment(), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    _make_a_mistake(terminal)
    terminal.type("u")
    terminal.wait_for("OpFAdd")
    terminal.wait_for("●", absent=True)
    terminal.type("g", "g", "/", "OpTypeFloat", "Enter", "Space", "k")
    terminal.wait_for(r"OpTypeFloat[\s\S]*OpTypeFloat")


def test_helix_runs_no_module_of_the_folder(
    hostile: HostileFolder, tmp_path: Path, helix: Callable[[Path, dict[str, str]], Terminal]
) -> None:
    """The PATH has absolute folders only: Helix itself searches it."""
    path = os.pathsep.join([str(tmp_path / "programs"), os.environ["PATH"]])
    environment = {**hostile.environment(tmp_path / "programs"), "PATH": path}
    _make_a_mistake(helix(hostile.folder / "a.spvasm", environment))
    assert hostile.what_ran() == []


def _make_a_mistake(terminal: Terminal) -> None:
    terminal.wait_for("OpFAdd")
    terminal.type("/", "OpFAdd", "Enter", "c", "OpBogus", "Escape")
    terminal.wait_for(r"● \d")


def test_helix_configuration_is_toml() -> None:
    configuration = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    assert configuration["language-server"]["spvls"]["args"] == ["serve"]
    assert configuration["language-server"]["spvls"]["environment"] == ISOLATION


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
    client = json.loads(sublime)["clients"]["spvls"]
    assert client["command"] == ["spvls", "serve"] and client["env"] == ISOLATION
