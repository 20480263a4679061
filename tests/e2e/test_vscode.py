"""The VS Code extension in a real workbench: code-server, driven through Chromium by the scripts in `vscode/`.

SPVLS_VSCODE_TOOLS names the folder that `vscode/install.sh` filled. SPVLS_SCREENSHOTS, when set, names a folder for
pictures of the steps. SPVLS_PICTURES names one for those of the walkthrough and the documentation: `editors/vscode/images`,
to take them anew.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import spvls
from spvls.diagnostic import Position
from spvls.ide.refactor.offers import edits_of
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited
from tests.e2e.editor_support import (
    ROOT,
    SHADER,
    HostileFolder,
    package_extension,
    require,
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
    shutil.copy(ROOT / "fixtures" / "transform" / "specialized.comp.spvasm", folder / "specialized.spvasm")
    _write_json(folder / ".vscode" / "settings.json", {"spvls.binary.writeOnSave": True})
    return folder


@contextmanager
def workbench(
    tools: Path, folder: Path, home: Path, environment: dict[str, str], *, trusted: bool = True, extensions: Sequence[Path] = (), **settings: object
) -> Iterator[str]:
    """The address of a workbench that shows `folder`, with the extension installed; all that it keeps is in `home`.

    It starts in `folder`, as from a terminal there. `extensions` are packages of others that are installed, too, and
    `settings` are of the user.
    """
    package = package_extension()
    node = str(tools / "node_modules" / ".bin" / "node")
    entry = str(tools / "node_modules" / "code-server" / "out" / "node" / "entry.js")
    folders = ["--user-data-dir", str(home / "user"), "--extensions-dir", str(home / "extensions")]
    environment = {**environment, "HOME": str(home), "VSCODE_CLI": "1"}  # the PATH is this, not that of a login shell
    for vsix in (package, *extensions):
        install = [node, entry, *folders, "--install-extension", str(vsix)]
        subprocess.run(install, env=environment, check=True, capture_output=True, timeout=120)
    _write_json(home / "user" / "User" / "settings.json", {**SETTINGS, **settings, "security.workspace.trust.enabled": not trusted})

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


def drive(script: str, tools: Path, url: str, folder: Path, *, trusted: bool = True, **more: str) -> str:
    """Output of a script that plays the user, and takes `more` options."""
    options = {
        **more,
        "tools": str(tools),
        "browser": require("chromium"),
        "url": url,
        "folder": str(folder),
        "trusted": trusted,
        "screenshots": os.environ.get("SPVLS_SCREENSHOTS"),
        "pictures": os.environ.get("SPVLS_PICTURES"),
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


def _all_passed(output: str) -> None:
    steps = re.search(r"^STEPS (\d+)$", output, re.MULTILINE)
    assert steps and len(re.findall(r"^PASSED ", output, re.MULTILINE)) == int(steps[1]) > 0, output


MANY = f"""\
; SPIR-V
; Version: 1.5
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%main = OpFunction %void None %fn
%entry = OpLabel
{"".join(f"%d{at} = OpUDiv %uint %one %zero{chr(10)}" for at in range(12))}\
OpReturn
OpFunctionEnd
"""
"""A module with a dozen findings of a rule in a function."""


def test_what_a_user_does(tools: Path, workspace: Path, tmp_path: Path) -> None:
    # The workbench runs in the browser, the extension on the server: settings of the machine are the server's own.
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        output = drive("drive.mjs", tools, url, workspace)
    _all_passed(output)


def test_what_a_user_chooses(tools: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "many.spvasm").write_text(MANY)
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("choices.mjs", tools, url, workspace))


REFACTORED = """\
; spvls: target-env=vulkan1.1
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%takes = OpTypeFunction %float %float
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%local = OpTypePointer Function %float
%in = OpVariable %in_float Input
%out = OpVariable %out_float Output
%one = OpConstant %float 1
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %local Function %one
%a = OpLoad %float %in
%b = OpLoad %float %v
%i = OpConvertFToS %int %b
%s = OpConvertSToF %float %i
%r = OpFunctionCall %float %f %a
%c = OpFOrdLessThan %bool %r %one
OpBranch %head
%head = OpLabel
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
OpStore %out %one
OpReturn
%end = OpLabel
OpStore %out %s
OpReturn
OpFunctionEnd
%f = OpFunction %float None %takes
%p = OpFunctionParameter %float
%start = OpLabel
%d = OpFOrdLessThan %bool %p %one
OpSelectionMerge %join None
OpBranchConditional %d %small %join
%small = OpLabel
OpReturnValue %one
%join = OpLabel
OpReturnValue %p
OpFunctionEnd
"""
GUIDED = """\
; spvls: target-env=vulkan1.1
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%float_fn = OpTypeFunction %float %float
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%local = OpTypePointer Function %float
%in = OpVariable %in_float Input
%out = OpVariable %out_float Output
%zero = OpConstant %int 0
%four = OpConstant %int 4
%i1 = OpConstant %int 1
%one = OpConstant %float 1
%two = OpConstant %float 2
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %local Function
%dead = OpVariable %local Function
%a = OpLoad %float %in
%copy = OpCopyObject %float %a
%again = OpCopyObject %float %copy
OpStore %dead %again
%c = OpFOrdLessThan %bool %a %one
OpSelectionMerge %end None
OpBranchConditional %c %then %else
%then = OpLabel
OpBranch %end
%else = OpLabel
OpBranch %end
%end = OpLabel
%m = OpPhi %float %one %then %two %else
OpStore %v %m
OpBranch %head
%head = OpLabel
%i = OpPhi %int %zero %end %next %body
OpLoopMerge %done %body None
OpBranch %test
%test = OpLabel
%more = OpSLessThan %bool %i %four
OpBranchConditional %more %body %done
%body = OpLabel
%inv = OpFMul %float %a %two
%old = OpLoad %float %v
%sum = OpFAdd %float %old %inv
OpStore %v %sum
%next = OpIAdd %int %i %i1
OpBranch %head
%done = OpLabel
%r = OpLoad %float %v
OpStore %out %r
OpReturn
OpFunctionEnd
%helper = OpFunction %float None %float_fn
%p = OpFunctionParameter %float
%start = OpLabel
OpReturnValue %p
OpFunctionEnd
"""
"""Two shaders, and the refactorings that are done to them: the key, and the first and the last line of what is selected."""
REFACTORINGS = {
    "add-input": (REFACTORED, "add-input", "%vec2 = ", None),
    "extract-function": (REFACTORED, "extract-function", "%head = ", "%end = "),
    "inline-call": (REFACTORED, "inline-call", "%r = ", None),
    "retype-uses": (REFACTORED, "retype-uses:int", "%v = ", None),
    "variable-to-values": (REFACTORED, "variable-to-values", "%v = ", None),
    "remove-stores": (GUIDED, "remove-stores", "%dead = ", None),
    "forward-copy": (GUIDED, "forward-copy", "%again = ", None),
    "if-to-select": (GUIDED, "if-to-select", "OpBranchConditional %c", None),
    "move-out-of-loop": (GUIDED, "move-out-of-loop", "%inv = ", None),
    "loop-variable-to-values": (GUIDED, "variable-to-values", "%v = ", None),
    "remove-uncalled": (GUIDED, "remove-uncalled", "%helper = ", None),
}


def test_refactorings_from_the_menu_are_one_undo_each(tools: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "shader.spvasm").write_text(REFACTORED)
    (workspace / "guided.spvasm").write_text(GUIDED)
    assert spvls.validate(REFACTORED) == spvls.validate(GUIDED) == []
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("refactorings.mjs", tools, url, workspace))
    assert (workspace / "shader.spvasm").read_text() == REFACTORED

    def place(text: str, start: str) -> Position:
        return Position(next(at for at, line in enumerate(text.split("\n")) if line.startswith(start)), 0)

    for name, (text, key, first, last) in REFACTORINGS.items():
        edits = edits_of(SourceModule(text), place(text, first), key, None if last is None else place(text, last))
        after = (workspace / f"{name}.after").read_text()
        assert edits is not None and after == edited(text, edits)
        assert spvls.validate(after) == []


def test_a_shader_takes_few_keys(tools: Path, tmp_path: Path) -> None:
    """From an empty file, by keyboard alone: at most 35 keys for 100 characters of a shader of 20 lines, and it is valid."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    written = [workspace / "new.spvasm", workspace / "other.spvasm"]
    written[0].write_text("")
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        output = drive("writing.mjs", tools, url, workspace)
    _all_passed(output)
    print(*re.findall(r"^KEYS .*", output, re.MULTILINE), sep="\n")
    for path in written:
        assert spvls.validate(path.read_text(), target_env="vulkan1.1") == []


def test_views_beside_the_text(tools: Path, workspace: Path, tmp_path: Path) -> None:
    lit = workspace / "lit.spvasm"
    lit.write_text(f"; SPIR-V\n; Generator: Hand-written lights; 3\n{lit.read_text()}")
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("views.mjs", tools, url, workspace))


READ = """\
; spvls: target-env=vulkan1.2
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %in %out
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %in Location 0
               OpDecorate %out Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
      %float = OpTypeFloat 32
         %16 = OpTypeVector %float 4
     %ptr_in = OpTypePointer Input %16
    %ptr_out = OpTypePointer Output %16
         %in = OpVariable %ptr_in Input
        %out = OpVariable %ptr_out Output
         %21 = OpConstant %float 0.150000006
         %22 = OpConstantComposite %16 %21 %21 %21 %21
       %main = OpFunction %void None %fn
      %entry = OpLabel
         %30 = OpLoad %16 %in
         %31 = OpFAdd %16 %30 %22
         %32 = OpCompositeExtract %float %31 0
         %33 = OpFOrdLessThan %bool %32 %21
               OpSelectionMerge %join None
               OpBranchConditional %33 %then %join
       %then = OpLabel
               OpBranch %join
       %join = OpLabel
               OpStore %out %31
               OpReturn
               OpFunctionEnd
"""
"""A shader without names, in aligned columns."""


def test_a_shader_is_read(tools: Path, workspace: Path, tmp_path: Path) -> None:
    (workspace / "reading.spvasm").write_text(READ)
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("reading.mjs", tools, url, workspace))


OVERLAPPING = """\
; spvls: target-env=vulkan1.2
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %numbers ArrayStride 16
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 32
OpMemberDecorate %block 2 Offset 48
OpMemberDecorate %block 3 Offset 52
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%numbers = OpTypeArray %float %two
%block = OpTypeStruct %float %numbers %float %float
%pointer = OpTypePointer Uniform %block
%data = OpVariable %pointer Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
"""A block whose array lies over the members after it."""

PAPER = """\
// Module Version 10000
// Generated by (magic number): 8000b
// Id's are bound by 6

                              Capability Shader
                              MemoryModel Logical GLSL450
               1:             TypeVoid
               2:             TypeFunction 1
"""
"""The notation of glslang -H."""


UNKNOWN = """\
; spvls: target-env=spv1.5
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%main = OpFunction %void None %fn
%entry = OpLabel
OpUnknown(4999, 4) %float %x %one
%y = OpFAdd %float %one %x
OpReturn
OpFunctionEnd
"""
"""An instruction that no table has, and one that takes what it defines."""

FIXED = """\
; spvls: target-env=spv1.6
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %p %p
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%yes = OpConstantTrue %bool
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%one = OpConstant %float 1
%ptr = OpTypePointer Private %float
%p = OpVariable %ptr Private
%main = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %yes %then %else
%then = OpLabel
OpBranch %end
%else = OpLabel
OpBranch %end
%end = OpLabel
%phi = OpPhi %float %one %then
OpStore %p %phi
OpReturn
OpFunctionEnd
"""
"""A phi without a value for a predecessor, an interface with a variable twice, and a width without its capability."""

PROJECT = """\
[options]
max-decorations = 2

[device]
version = "1.3"
features = ["shaderFloat16", "shaderFloat64", "shaderInt64", "maintenance4"]
"""


def test_what_is_done_with_whole_modules(tools: Path, workspace: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "fixtures" / "kernels" / "reflected.spvasm", workspace / "kernels.spvasm")
    shutil.copy(ROOT / "fixtures" / "transform" / "carried.frag.spvasm", workspace / "carried.spvasm")
    shutil.copy(ROOT / "fixtures" / "linked" / "exporter.spvasm", workspace)
    importer = (ROOT / "fixtures" / "linked" / "importer.spvasm").read_text()
    (workspace / "importer.spvasm").write_text(importer.replace('"origin"', '"nowhere"'))
    (workspace / "overlapping.spvasm").write_text(OVERLAPPING)
    (workspace / "paper.spvasm").write_text(PAPER)
    (workspace / "unknown.spvasm").write_text(UNKNOWN)
    (workspace / "fixes.spvasm").write_text(FIXED)
    shutil.copy(ROOT / "fixtures" / "sources" / "kernel.cl.spvasm", workspace / "kernel.spvasm")
    group_operations = (ROOT / "fixtures" / "shaders" / "subgroup.comp.spvasm").read_text()
    decoration = "OpDecorate %sums Binding 0\n"
    (workspace / "subgroup.spvasm").write_text(group_operations.replace(decoration, f"{decoration}OpDecorate %sums Aliased\n"))
    (workspace / "spvls.toml").write_text(PROJECT)
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    _write_json(workspace / ".vscode" / "settings.json", {"spvls.linkDiagnostics": True})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("modules.mjs", tools, url, workspace))


def test_views_are_for_all_eyes_and_hands(tools: Path, workspace: Path, tmp_path: Path) -> None:
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(write_launcher(tmp_path))})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        _all_passed(drive("accessible.mjs", tools, url, workspace))


def test_modules_in_other_languages_and_sources(tools: Path, tmp_path: Path) -> None:
    workspace, started = tmp_path / "workspace", tmp_path / "started"
    workspace.mkdir()
    for name in ("clear.amber", "embedded.cpp"):
        shutil.copy(ROOT / "fixtures" / "hosts" / name, workspace)
    shutil.copy(ROOT / "fixtures" / "sources" / "debug.comp.spvasm", workspace / "debug.spvasm")
    (workspace / "plain.cpp").write_text("int main() { return 0; }\n")
    launcher = write_launcher(tmp_path)
    launcher.write_text(launcher.read_text().replace("import sys\n", f"import sys\nopen({str(started)!r}, 'a').close()\n", 1))
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": str(launcher)})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        output = drive("hosts.mjs", tools, url, workspace, started=str(started))
    _all_passed(output)


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


@dataclass
class Place:
    """A machine as the extension finds it."""

    workspace: Path
    home: Path
    #: The one folder of the PATH.
    programs: Path
    extensions: list[Path] = field(default_factory=list)

    def python(self) -> None:
        (self.programs / "python3").symlink_to(Path(sys.executable).resolve())

    def program(self, name: str, script: str) -> Path:
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path


def _with_old_python(place: Place) -> None:
    """It fails on all that is newer, and stands for none, too."""
    place.program("python3", "echo 'SyntaxError: invalid syntax' >&2; exit 1")


def _with_old_server(place: Place) -> None:
    place.program("spvls", "echo spvls 0.0.1")
    place.python()


def _with_broken_environment(place: Place) -> None:
    """The selected interpreter is gone, the installed server ends because a package is, and no folder can be made for the
    extension."""
    gone = place.program("gone", "exit 127")
    place.extensions.append(_python_extension(place.home / "python.vsix", gone))
    place.program("spvls", 'if [ "$1" = --version ]; then echo spvls 99.0; else echo "No module named pygls" >&2; exit 2; fi')
    storage = place.home / "user" / "User" / "globalStorage" / "spvls.spvls"
    storage.parent.mkdir(parents=True)
    storage.write_text("this is no folder")
    place.python()


BUNDLED = f"Server: bundled, with Python {sys.version_info[0]}.{sys.version_info[1]}"
OWN_PYTHON = "Server: bundled, with its own Python"


@pytest.mark.parametrize(
    ("prepare", "runner", "message"),
    [
        (_with_old_python, OWN_PYTHON, ""),
        (_with_old_server, BUNDLED, "is older than this extension"),
        (_with_broken_environment, BUNDLED, ""),
    ],
    ids=lambda value: value.__name__.removeprefix("_with_") if callable(value) else "",
)
def test_the_extension_brings_the_server(
    prepare: Callable[[Place], None], runner: str, message: str, tools: Path, workspace: Path, tmp_path: Path
) -> None:
    """There is no server but the one that the extension brings. The workspace is hostile."""
    hostile = HostileFolder(workspace, tmp_path / "ran")
    place = Place(workspace, tmp_path, tmp_path / "programs")
    place.programs.mkdir()
    prepare(place)
    (workspace / "spvls.toml").write_text('target-env = "vulkan1.3"\n')
    environment = hostile.environment(place.programs)
    environment["PATH"] = os.pathsep.join([".", "", "bin", str(place.programs)])  # without those of the system
    picture = prepare.__name__.strip("_")
    more = {"runner": runner, "message": message, "picture": picture, "environment": "vulkan1.3"}
    with workbench(tools, workspace, tmp_path, environment, extensions=place.extensions) as url:
        output = drive("starting.mjs", tools, url, workspace, **more)
    assert "PASSED" in output
    assert hostile.what_ran() == []


def test_in_a_browser_only_open_files_are_read(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """The extension runs in the browser, as on vscode.dev: it starts no program, whatever there is."""
    hostile = HostileFolder(workspace, tmp_path / "ran")
    programs = tmp_path / "programs"
    programs.mkdir()
    write_launcher(programs)
    closed = [workspace / "lit.spvasm", workspace / "spvls.toml", workspace / "c.spv"]
    (workspace / "spvls.toml").write_text('target-env = "vulkan1.3"\n')
    (workspace / "c.spv").write_bytes(spvls.assemble(SHADER))
    for path in closed:
        os.utime(path, (0, path.stat().st_mtime))
    kinds: dict[str, object] = {"remote.extensionKind": {"spvls.spvls": ["web"]}}
    with workbench(tools, workspace, tmp_path, hostile.environment(programs), **kinds) as url:
        more = {"runner": "Server: bundled, in the browser", "picture": "in_a_browser", "environment": "spv1.5"}
        output = drive("starting.mjs", tools, url, workspace, **more)
    assert "PASSED" in output
    assert hostile.what_ran() == []
    read = [path.name for path in closed if path.stat().st_atime > 0]
    assert read == []
    closed[0].read_bytes()
    if not closed[0].stat().st_atime > 0:
        pytest.skip("the file system does not note when files are read")


def test_a_setting_that_names_no_server_says_so(tools: Path, workspace: Path, tmp_path: Path) -> None:
    """The text is still colored, and another try is offered."""
    _write_json(tmp_path / "user" / "Machine" / "settings.json", {"spvls.path": "/nowhere/spvls"})
    with workbench(tools, workspace, tmp_path, server_environment()) as url:
        assert "PASSED" in drive("bad_setting.mjs", tools, url, workspace)


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
