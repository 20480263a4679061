"""Imports point one way, and the command line does not pay for the server."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spvls.validate.engine.rule_index import RULES
from tests.bench.modules import module_text
from tests.corpus import FIXTURES, ROOT

PACKAGE = ROOT / "spvls"

#: What each part of the package may import besides itself. `spvls` is the package's own front, which loads all lazily.
ALLOWED = {
    "typed": set(),
    "spvls": {"typed"},
    "record": {"typed"},
    "diagnostic": {"typed", "record"},
    "text": {"typed", "record", "diagnostic"},
    "schema": {"typed", "record", "text"},
    "steps": {"typed"},
    "grammar": {"typed", "record", "text", "schema"},
    "syntax": {"typed", "record", "steps", "diagnostic", "text", "grammar"},
    "host": {"typed", "record", "steps", "diagnostic", "text", "grammar"},
    "module": {"typed", "record", "steps", "diagnostic", "text", "grammar", "syntax"},
    "binary": {"typed", "record", "steps", "diagnostic", "text", "grammar", "syntax", "module"},
    "validate": {"typed", "record", "steps", "diagnostic", "text", "schema", "grammar", "syntax", "module", "binary"},
    "ide": {"typed", "record", "steps", "diagnostic", "text", "grammar", "syntax", "host", "module", "binary", "validate"},
    "server": {"typed", "record", "steps", "spvls", "diagnostic", "text", "schema", "grammar", "syntax", "host", "module", "binary", "validate", "ide"},
    "cli": {"typed", "record", "steps", "spvls", "diagnostic", "text", "schema", "grammar", "syntax", "host", "module", "binary", "validate", "ide", "server"},
    "__main__": {"cli"},
}

SERVER_LIBRARIES = {"pygls", "lsprotocol", "cattrs"}


def sources() -> Iterator[Path]:
    return (path for path in sorted(PACKAGE.rglob("*.py")) if "data" not in path.parts)


def part_of(path: Path) -> str:
    inside = path.relative_to(PACKAGE)
    name = inside.parts[0].removesuffix(".py")
    return "spvls" if name == "__init__" else name


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The modules that a source imports wherever it does, with their line; those for the type checker alone left out."""
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            pending.extend(node.orelse)
        else:
            pending.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize("part", sorted({part_of(path) for path in sources()}))
def test_imports_point_along_the_arrows(part: str) -> None:
    assert part in ALLOWED, f"spvls/{part} is no part that this test knows"
    parts = ALLOWED.keys() - {"spvls", "__main__"}
    wrong = []
    for path in sources():
        if part_of(path) != part:
            continue
        for line, name in imports(path):
            top, _, inside = name.partition(".")
            target = inside.partition(".")[0]
            imported = target if target in parts else "spvls"
            if top == "spvls" and imported != part and imported not in ALLOWED[part]:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert wrong == []


#: What each part of the validator may import of the others; its front and `rules()`, which loads them all, aside.
VALIDATOR = {"engine": set(), "fixes": {"engine"}, "checks": {"engine", "fixes"}, "rules": {"engine", "fixes", "checks"}}


@pytest.mark.parametrize("part", VALIDATOR)
def test_the_parts_of_the_validator_point_one_way(part: str) -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in sorted((PACKAGE / "validate" / part).rglob("*.py"))
        for _, name in imports(path)
        if name.startswith("spvls.validate.") and name.split(".")[2] in VALIDATOR.keys() - {part} - VALIDATOR[part]
    }
    assert found - {("spvls/validate/engine/rule.py", "spvls.validate.rules")} == set()


def test_the_arrows_make_no_circle() -> None:
    order = list(ALLOWED)
    for part, allowed in ALLOWED.items():
        assert all(order.index(other) < order.index(part) for other in allowed)


def test_only_the_server_knows_the_libraries_of_the_server() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources()
        if part_of(path) != "server"
        for line, name in imports(path)
        if name.partition(".")[0] in SERVER_LIBRARIES
    }
    assert found == set()


def test_names_of_typing_come_without_it() -> None:
    """The server's libraries import it anyway."""
    found = [path.relative_to(ROOT).as_posix() for path in sources() for _, name in imports(path) if name.partition(".")[0] == "typing"]
    assert {name for name in found if part_of(ROOT / name) != "server"} == set()


HEAVY = SERVER_LIBRARIES | {
    "asyncio", "parsimonious", "importlib.resources", "multiprocessing", "dataclasses", "inspect", "hashlib", "tomllib", "pathspec",
    "typing", "argparse", "math", "heapq", "json",
}  # fmt: skip

COMMANDS = {
    "lint": ["lint", "shaders/transform.vert.spvasm"],
    "as": ["as", "shaders/transform.vert.spvasm", "-o", "-"],
    "dis": ["dis", "binaries/transform.vert.spv"],
}


def modules_of(*arguments: str) -> set[str]:
    """The modules that a command has loaded in the end, and nothing else has."""
    program = (
        "import sys; from spvls.cli.main import main; code = main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=FIXTURES, env=environment(), capture_output=True, check=True
    )
    return set(done.stderr.decode().split())


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_command_starts_without_what_it_does_not_need(arguments: list[str]) -> None:
    loaded = modules_of(*arguments)
    assert "spvls.cli.main" in loaded
    assert loaded & HEAVY == set()
    others = {name for name in loaded if name.startswith(("spvls.server", "spvls.ide"))}
    assert others == set()


def test_a_plain_shader_is_judged_without_expressions(tmp_path: Path) -> None:
    shader = tmp_path / "plain.spvasm"
    shader.write_text(f"; SPIR-V\n; Version: 1.3\n; Generator: Khronos Glslang Reference Front End; 11\n{module_text(functions=2)}")
    assert modules_of("lint", "--target-env", "spv1.3", str(shader)) & {"argparse", "re", "enum"} == set()


COUNTED = """
import builtins, collections, gc, os, re, sys

counts = collections.Counter()

def counting(name, call):
    def counted(*given, **named):
        counts[name] += 1
        return call(*given, **named)
    return counted

re._compiler.compile = counting("patterns", re._compiler.compile)
collections.namedtuple = counting("evaluations", collections.namedtuple)
builtins.eval = counting("evaluations", eval)
from spvls.cli.main import main
process, leave = os.getpid(), os._exit
gc.callbacks.append(lambda phase, _: counts.update({"collections": phase == "start"}))

def report(code):
    if os.getpid() == process:
        gc.callbacks.clear()
        rule = sys.modules.get("spvls.validate.engine.rule")
        counts["rules"] = len(rule.registered()) if rule else 0
        found = (f"{name.replace(' ', '-')}={count}" for name, count in counts.items())
        print(*sys.modules, "-", *found, file=sys.stderr, flush=True)
    leave(code)

os._exit = report
report(main())
"""


def loaded(*arguments: str) -> tuple[set[str], dict[str, int]]:
    """The modules that a command has loaded in the end, and how often it did what takes time at the start."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *arguments], cwd=FIXTURES, env=environment(), capture_output=True, check=True
    )
    modules, _, counts = done.stderr.decode().partition(" - ")
    return set(modules.split()), {name: int(count) for name, count in (entry.split("=") for entry in counts.split())}


SHADER = "shaders/transform.vert.spvasm"


def test_a_short_shader_loads_few_modules_and_rules() -> None:
    modules, counts = loaded("lint", SHADER)
    own = {name for name in modules if name.startswith("spvls.")}
    folders = {name for name in own if name.startswith("spvls.validate.rules.")}
    assert len(folders) <= MOST_RULE_MODULES
    assert len(own - folders) <= MOST_MODULES
    assert len(modules - own) <= MOST_LIBRARIES
    assert counts["patterns"] <= MOST_PATTERNS
    assert counts["evaluations"] <= MOST_EVALUATIONS
    assert counts.get("collections", 0) == 0
    assert not ONLY_WHERE_NEEDED & own
    never = {f"spvls.validate.rules.{name}" for name in NEVER_CALLED}
    assert never <= {f"spvls.validate.rules.{module}" for module, *_ in RULES.values()}
    assert not never & own


def test_of_many_files_the_garbage_of_each_is_collected_soon(tmp_path: Path) -> None:
    shader = (FIXTURES / "shaders" / "lit.frag.spvasm").read_bytes()
    for number in range(8):
        (tmp_path / f"{number}.spvasm").write_bytes(shader)
    _, counts = loaded("lint", "--no-cache", "--jobs=1", str(tmp_path))
    assert counts["collections"] >= 4


MOST_RULE_MODULES, MOST_MODULES, MOST_LIBRARIES, MOST_PATTERNS, MOST_EVALUATIONS = 112, 135, 70, 13, 12
"""What linting a shader of 63 lines may load, compile and evaluate: the constructors of named tuples of each size are one evaluation."""

ONLY_WHERE_NEEDED = {
    "spvls.binary.encode", "spvls.validate.config_file", "spvls.validate.requirements", "spvls.grammar.device", "spvls.module.purity",
    "spvls.validate.fixes.undefined", "spvls.binary.implied_declaration", "spvls.syntax.nearest", "spvls.grammar.former_names",
}  # fmt: skip
"""What findings, fixes or options call for that this shader does not have."""

NEVER_CALLED = (
    "ext_inst.debug_info", "execution_model.hit_object", "image.image_operand", "ext_inst.tosa", "computation.arithmetic",
    "tensor.graph", "tensor.tensor", "pointer.variable_pointer", "pointer.matrix_pointer", "execution_model.mesh",
    "interface.transform_feedback", "capability.device", "capability.unused", "synchronization.atomic",
)  # fmt: skip
"""Families of rules on what that shader does not have."""


def test_a_rule_is_loaded_once_something_calls_for_it() -> None:
    few, _ = loaded("lint", SHADER)
    more, _ = loaded("lint", "rules/image/image-operands-are-not-empty.clean.spvasm")
    assert "spvls.validate.rules.image.image_operand" in more - few


def test_a_rule_on_a_set_is_loaded_with_its_set() -> None:
    """An extended instruction loads the rules on its own set, and none on others."""
    modules, _ = loaded("lint", "rules/ext-inst/glsl-types-match.clean.spvasm")
    assert "spvls.validate.rules.ext_inst.glsl_std_450" in modules
    assert not {f"spvls.validate.rules.{name}" for name in OF_OTHER_SETS} & modules


OF_OTHER_SETS = (
    "ext_inst.amd", "ext_inst.clspv_reflection", "ext_inst.debug_info", "ext_inst.graph_debug_info", "ext_inst.opencl_std",
    "ext_inst.tosa", "ext_inst.vksp_reflection",
)  # fmt: skip


def test_what_limits_an_instruction_is_loaded_with_it() -> None:
    """`limits_on` gives all that there is, in one order, whatever was loaded before."""
    program = (
        "import sys; from spvls.validate.checks import limits; from spvls.validate.engine.rule import rules; "
        "sys.argv[1:] and rules(); from spvls.validate.engine.rule_index import LIMITING; "
        "print(*((opcode, [(m.__module__, m.__qualname__) for m in limits.limits_on(opcode)]) for opcode in sorted(LIMITING, reverse=True)), "
        "sep=chr(10)); rules(); assert limits.LIMITS.keys() == LIMITING.keys()"
    )
    few, every = (
        subprocess.run([sys.executable, "-c", program, *given], env=environment(), capture_output=True, text=True, check=True).stdout
        for given in ([], ["all"])
    )
    assert few == every
    assert few.count(chr(10)) > 100


def test_files_that_were_judged_before_load_nothing_that_judges(tmp_path: Path) -> None:
    command = ("lint", "shaders", "--cache-dir", str(tmp_path), "--jobs=2")
    cold, _ = loaded(*command)
    assert {"multiprocessing", "spvls.validate.validator"} <= cold
    warm, counts = loaded(*command)
    assert not {name for name in warm if name.startswith(("spvls.validate.rules.", "spvls.module.", "spvls.syntax.", "multiprocessing"))}
    assert "spvls.validate.validator" not in warm
    assert counts["rules"] == 0


def environment() -> dict[str, str]:
    """An environment in which the tree's own package is found from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_the_page_of_a_finding_loads_the_module_of_its_rule_alone() -> None:
    program = (
        "import sys\n"
        "from spvls.ide.documentation.rule_page import page_of_rule\n"
        "assert page_of_rule('decoration/fits-storage-class')\n"
        "print(*[name for name in sys.modules if name.startswith('spvls.validate.rules.') and name.count('.') == 4])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["spvls.validate.rules.decoration.storage_class"]
