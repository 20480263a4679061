"""Files with several modules, files of other languages, and which files of a folder are taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.corpus import FIXTURES, text_of

HOSTS = FIXTURES / "hosts"
SOUND = text_of(FIXTURES / "shaders" / "transform.vert.spvasm")
FAULTY = "OpCapability Shader\nOpNopp\n"


def test_a_finding_says_which_module_where_there_are_several(run: Run) -> None:
    name = str(HOSTS / "clear.amber")
    done = run("lint", name)
    assert done.out.splitlines()[0] == f"{name}:31:38: error: %missing is not defined [id/is-defined-before-use] in module 2"
    assert done.out.endswith("1 error in 1 file with 2 modules\n")
    report = json.loads(run("lint", "--format", "json", name).out)
    assert [(finding["module"], finding["range"]["start"]) for finding in report["findings"]] == [(2, {"line": 30, "column": 37})]
    assert (report["files"], report["modules"]) == (1, 2)
    assert run("lint", "--format", "github", name).out.endswith("::%25missing is not defined in module 2\n")


def test_a_file_without_a_module_has_no_findings(run: Run) -> None:
    Path("a.spvasm").write_text("SKIP: FAILED\n\nexit status 1\n")
    assert run("lint", "a.spvasm") == (0, "no findings in 1 file with 0 modules\n", "")


def test_the_environment_is_that_of_the_nearest(run: Run) -> None:
    """The block, then the project, then what the tools of the language take."""
    module = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpNopp\n"
    script = f"SHADER compute a SPIRV-ASM TARGET_ENV spv1.3\n{module}END\nSHADER compute b SPIRV-ASM\n{module}END\n"
    for name, project in (("a", ""), ("b", 'target-env = "vulkan1.1"\n')):
        Path(name).mkdir()
        Path(name, "spvls.toml").write_text(project)
        Path(name, "x.amber").write_text(script)
    reflected = [json.loads(run("reflect", "--format", "json", f"{name}/x.amber", "--module", number).out) for name in "ab" for number in "12"]
    assert [entry["targetEnv"] for entry in reflected] == ["spv1.3", "spv1.0", "spv1.3", "vulkan1.1"]


@pytest.mark.parametrize("command", ["as", "reflect", "cfg"])
def test_a_module_is_chosen_by_its_number(run: Run, command: str) -> None:
    path = HOSTS / "passes.txt"
    end = ["-o", "a.spv"] if command == "as" else []
    assert run(command, path, "--module", "3", *end).code == 0
    for arguments, reason in (
        ([], "this file has 3 modules; choose one with --module 1 to 3"),
        (["--module", "4"], "there is no module 4; this file has 3 modules"),
    ):
        done = run(command, path, *arguments, *end)
        assert (done.code, done.err) == (2, f"spvls: {path}: {reason}\n")
    assert run(command, path, "--module", "0").code == 2


def test_assembling_a_module_of_a_host(run: Run) -> None:
    assert run("as", HOSTS / "embedded.cpp", "--module", "2", "-o", "quoted.spv").code == 0
    assert run("as", HOSTS / "embedded.cpp", "--module", "1", "-o", "raw.spv").code == 0
    assert Path("raw.spv").read_bytes() == Path("quoted.spv").read_bytes()
    Path("a.cpp").write_text('x =\n  "OpCapability Shader\\n"\n  "OpMemoryModel Logical GLSL450 OpNopp\\n";\n')
    done = run("as", "a.cpp")
    assert done.err.splitlines()[0].startswith("a.cpp:3:34: error: there is no opcode OpNopp")
    done = run("as", HOSTS / "inline.slang")
    assert (done.code, done.err.endswith("module 1 is not SPIR-V assembly, but in the syntax of slang\n")) == (2, True)


def test_assembly_with_one_module_is_assembled_whole(run: Run) -> None:
    """As the reference assembler reads it, text that is not SPIR-V included."""
    Path("a.spvasm").write_text("SKIP: FAILED\n\n" + SOUND)
    assert run("lint", "a.spvasm").code == 0
    assert run("as", "a.spvasm").err.startswith("a.spvasm:1:1: error")
    assert run("as", "a.spvasm", "--module", "1").code == 0


def test_listing_one_of_several_binaries(run: Run) -> None:
    Path("a.spvasm").write_text(SOUND)
    assert run("as", "a.spvasm", "-o", "a.spv").code == 0
    one = Path("a.spv").read_bytes()
    two = b"".join(one[at : at + 4][::-1] for at in range(0, len(one), 4))
    for data in (one + one, two + two):
        Path("b.spv").write_bytes(data)
        assert run("dis", "b.spv", "--module", "2").out == run("dis", "a.spv").out
        assert run("reflect", "b.spv", "--module", "2").code == 0
    done = run("dis", "b.spv", "--module", "3")
    assert (done.code, done.err) == (2, "spvls: b.spv: there is no module 3; this file has 2 modules\n")


def taken(run: Run, *arguments: str) -> list[str]:
    """The files that lint takes, each of which has a fault."""
    report = json.loads(run("lint", "--format", "json", *arguments).out)
    return sorted({finding["path"] for finding in report["findings"]})


def write(*names: str, text: str = FAULTY) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def test_a_folder_is_searched_by_name_and_by_content(run: Run) -> None:
    names = ["a.spvasm", "b.frag.spvasm", "b.spvasm.frag", "c.spvasm32", "c.spvasm64", "d.spvas", "e.spv", "f.spirv", "g.asm.frag"]
    names += ["g.asm.vk.nocompat.comp", "h.asm", "i.txt"]
    write(*(f"x/{name}" for name in names))
    write("x/j.asm.frag", "x/k.asm", "x/l.txt", "x/spvasm", text="#version 450\n")
    write("x/m.cpp", "x/n.amber", "x/o.glsl")
    assert taken(run, "x") == [f"x/{name}" for name in sorted(names)]


def test_files_are_included_and_excluded(run: Run) -> None:
    block = f"SHADER compute a SPIRV-ASM\n{FAULTY}END\n"
    write("x/a.spvasm", "x/sub/b.spvasm", "x/old/c.spvasm")
    write("x/d.amber", "x/sub/e.amber", text=block)
    assert taken(run, "x", "--include", "*.amber", "--exclude", "old/") == ["x/a.spvasm", "x/d.amber", "x/sub/b.spvasm", "x/sub/e.amber"]
    assert taken(run, "x", "--include", "sub/**/*.amber", "--exclude", "*.spvasm") == ["x/sub/e.amber"]
    Path("x/spvls.toml").write_text('include = ["/*.amber"]\nexclude = ["sub"]\n')
    assert taken(run, "x") == ["x/a.spvasm", "x/d.amber", "x/old/c.spvasm"]
    assert taken(run, "x/sub/b.spvasm") == ["x/sub/b.spvasm"]
    Path("x/spvls.toml").write_text("include = 5\nexclude = [1]\n")
    done = run("lint", "x")
    assert [line.split(": ", 2)[2] for line in done.out.splitlines() if "[config/globs]" in line] == [
        "include is 5, and must be a list of strings [config/globs]",
        "exclude is [1], and must be a list of strings [config/globs]",
    ]


def test_gitignore_is_honored(run: Run) -> None:
    write("r/a.spvasm", "r/out/b.spvasm", "r/x/c.gen.spvasm", "r/x/keep.gen.spvasm", "r/x/d.spvasm", "r/x/y/e.spvasm")
    Path("r/.gitignore").write_text("out/\n*.gen.spvasm\n# d.spvasm\n")
    Path("r/x/.gitignore").write_text("!keep.gen.spvasm\n/y\n")
    everything = ["r/a.spvasm", "r/out/b.spvasm", *(f"r/x/{name}" for name in ("c.gen.spvasm", "d.spvasm", "keep.gen.spvasm", "y/e.spvasm"))]
    assert taken(run, "r") == everything, "this is no repository"
    Path("r/.git").mkdir()
    assert taken(run, "r") == ["r/a.spvasm", "r/x/d.spvasm", "r/x/keep.gen.spvasm"]
    assert taken(run, "r/x") == ["r/x/d.spvasm", "r/x/keep.gen.spvasm"]
    assert taken(run, "--no-ignore", "r") == everything
    assert taken(run, "r/out/b.spvasm") == ["r/out/b.spvasm"]


def test_the_standard_input_stands_for_a_file(run: Run) -> None:
    Path("x").mkdir()
    Path("x/spvls.toml").write_text('[rules]\n"syntax/*" = "warning"\n')
    data = f"SHADER compute a SPIRV-ASM\n{FAULTY}END\n".encode()
    done = run("lint", "--stdin-filename", "x/a.amber", "-", stdin=data)
    assert "<stdin>:3:1: warning: there is no opcode OpNopp" in done.out
    assert run("as", "--stdin-filename", "x/a.amber", "-", "-o", "a.spv", stdin=data).err.startswith("<stdin>:3:1: error")
    for command in ("reflect", "cfg"):
        assert run(command, "--stdin-filename", "x/a.amber", "-", stdin=data).code == 0


def test_formatting_keeps_what_is_not_spirv(run: Run) -> None:
    text = (HOSTS / "modules_and_warnings.txt").read_text(encoding="utf-8")
    Path("a.spvasm").write_text(text.replace("%fn = ", "%fn   =   "))
    assert run("fmt", "a.spvasm").code == 0
    assert Path("a.spvasm").read_text(encoding="utf-8") == text
    Path("a.cpp").write_text("int x;\n")
    done = run("fmt", "a.cpp")
    assert (done.code, done.err) == (2, "spvls: a.cpp: only files of assembly text are formatted\n")
    assert Path("a.cpp").read_text() == "int x;\n"


def test_requirements_of_all_modules(run: Run) -> None:
    done = run("requirements", HOSTS / "passes.txt")
    assert [line.split(":")[1] for line in done.out.splitlines() if line.startswith("    ")] == []
    Path("a.txt").write_text((HOSTS / "passes.txt").read_text().replace("OpCapability Shader\n", "OpCapability Shader\nOpCapability Int64\n"))
    done = run("requirements", "a.txt", "--target-env", "vulkan1.1")
    assert [line.strip().split(":")[1] for line in done.out.splitlines() if "a.txt" in line] == ["1", "13", "26", "3", "16", "29"]
