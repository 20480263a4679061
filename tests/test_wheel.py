"""What is installed from a wheel works without the tree that it was built from."""

from __future__ import annotations

import ast
import bz2
import inspect
import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from itertools import pairwise
from pathlib import Path

import pytest

import spvls
from spvls.grammar.data_text import parts, spelled
from spvls.validate.engine.explanation import explanation
from spvls.validate.engine.rule import rules
from tests.corpus import FIXTURES, ROOT

INTERNAL = (
    *("spvls/ide/features/", "spvls/ide/flow/", "spvls/ide/refactor/", "spvls/server/handlers/"),
    *("spvls/validate/checks/", "spvls/validate/fixes/", "spvls/validate/rules/"),
)
LARGEST = 1_500_000
"""Bytes of the wheel of a release."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    small = {**os.environ, "SPVLS_SMALL_WHEEL": "1"}
    done = subprocess.run(command, env=small, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts' folder of a new environment with the wheel alone in it; other packages come from that of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    install = [*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.parent


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    shared = f"spvls-{spvls.__version__}.data"
    assert tops == {"spvls", f"spvls-{spvls.__version__}.dist-info", shared}
    assert {name.removeprefix(f"{shared}/data/") for name in names if name.startswith(shared)} == {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "share").rglob("*")
        if path.is_file() and path.suffixes != [".schema", ".json"]
    }
    assert {"spvls/py.typed", "spvls/grammar/data/spvasm.peg", "spvls/grammar/data/opcodes.json"} <= set(names)
    held = {Path(name).relative_to("spvls/grammar/data") for name in names if name.startswith("spvls/grammar/data/")}
    packed = {"docs.md.bz2", "rule_facts.json.bz2", "packed.txt"}
    assert held == {Path(name) for name in packed | {"opcodes.json", "operand_kinds.json", "spvasm.peg"}}
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "spvls").rglob("*.py") if "data" not in path.parts}
    assert {name for name in names if name.endswith(".py")} == sources


def test_the_wheel_has_the_whole_documentation(wheel: Path) -> None:
    packed = spelled(bz2.decompress(zipfile.ZipFile(wheel).read("spvls/grammar/data/docs.md.bz2")))
    folder = ROOT / "grammar" / "docs"
    files = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.md")}
    assert {name: said(text) for name, text in parts(packed).items()} == {name: said(text) for name, text in files.items()}


def said(text: str) -> list[list[str]]:
    """The words of each block of a text, and the lines of each example; where a paragraph is broken does not matter."""
    blocks = re.split(r"(?ms)^(```.*?^```)$|^(?=#|- )|\n\n+", text)
    return [block.split("\n" if block.startswith("```") else None) for block in blocks if block]


def test_the_wheel_has_the_facts_about_rules(wheel: Path) -> None:
    packed = spelled(bz2.decompress(zipfile.ZipFile(wheel).read("spvls/grammar/data/rule_facts.json.bz2")))
    facts = json.loads((ROOT / "grammar" / "rule_facts.json").read_text("utf-8"))
    for id_, rule in rules().items():
        facts.setdefault(id_, {})["page"] = inspect.cleandoc(rule.documentation)
    shipped = json.loads(packed)
    pages, own = ({id_: entry.pop("page", "").split() for id_, entry in held.items()} for held in (shipped, facts))
    assert (pages, shipped) == (own, facts)


def test_the_modules_of_a_wheel_are_those_of_the_tree(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel)
    for path in (ROOT / "spvls").rglob("*.py"):
        source, shipped = path.read_text("utf-8"), packed.read(path.relative_to(ROOT).as_posix()).decode()
        assert shipped.count("\n") == source.count("\n")
        internal = path.relative_to(ROOT).as_posix().startswith(INTERNAL)
        assert ast.dump(without_docstrings(shipped, internal)) == ast.dump(without_docstrings(source, internal))


def test_public_names_have_their_docstrings_in_a_wheel(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel)
    for path in (ROOT / "spvls" / "module").rglob("*.py"):
        source, shipped = path.read_text("utf-8"), packed.read(path.relative_to(ROOT).as_posix()).decode()
        both = zip(documented(ast.parse(shipped)), documented(ast.parse(source)), strict=True)
        assert [node.name for kept, node in both if is_public(node) and ast.get_docstring(kept) != ast.get_docstring(node)] == []


def is_public(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return not node.name.startswith("_") or node.name.endswith("__")


def documented(module: ast.Module) -> list[ast.FunctionDef | ast.ClassDef]:
    return [node for node in ast.walk(module) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def without_docstrings(source: str, internal: bool) -> ast.Module:
    """A module without the docstrings of what is decorated, and of what is private and has more, and the texts after private names;
    in an internal folder nothing is public, and modules have none either."""
    module = ast.parse(source)
    if internal and ast.get_docstring(module) is not None:
        del module.body[0]
    for node in documented(module):
        is_left_out = len(node.body) > 1 and (internal or not is_public(node))
        if ast.get_docstring(node) is not None and (node.decorator_list or is_left_out):
            del node.body[0]
    module.body = [node for before, node in pairwise([None, *module.body]) if not (is_text(node) and ast.unparse(before or node)[0] == "_")]
    return module


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def test_the_wheel_has_all_data_of_the_tables(wheel: Path) -> None:
    packed = zipfile.ZipFile(wheel).read("spvls/grammar/data/packed.txt").decode()
    folder = ROOT / "grammar"
    files = {*folder.glob("*.json"), *folder.glob("*/*.*")} - {folder / "rule_facts.json", *(folder / "docs").iterdir()}
    own = {folder / "opcodes.json", folder / "operand_kinds.json"}
    assert parts(packed) == {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files - own}


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= LARGEST


@pytest.fixture
def metadata(wheel: Path) -> Message:
    return Parser().parsestr(zipfile.ZipFile(wheel).read(f"spvls-{spvls.__version__}.dist-info/METADATA").decode())


def test_the_page_of_the_index_has_links_and_pictures_that_work_there(metadata: Message) -> None:
    assert metadata["Description-Content-Type"] == "text/markdown"
    targets = re.findall(r"\]\(([^)]+)\)", metadata.get_payload())
    assert len(targets) > 5
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []


def test_the_page_of_the_index_leads_to_the_project(metadata: Message) -> None:
    addresses = dict(entry.split(", ") for entry in metadata.get_all("Project-URL", []))
    assert {"Repository", "Changelog", "Issues"} <= set(addresses)
    site = addresses.pop("Documentation")
    assert site.startswith("https://") and site.endswith(addresses["Repository"].rpartition("/")[2] + "/")
    assert all(address.startswith(addresses["Repository"]) for address in addresses.values())
    versions = {entry.rpartition(" ")[2] for entry in metadata.get_all("Classifier", []) if entry.startswith("Programming Language :: Python :: 3.")}
    assert versions == {f"3.{minor}" for minor in range(11, 15)}
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_installed_command_lints_with_its_own_files(installed: Path, tmp_path: Path) -> None:
    where = "import spvls, spvls.grammar.data_text as d; print(spvls.__file__); print(d.data_folder())"
    shown = subprocess.run(
        [installed / "python", "-c", where], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert all(line.startswith(str(installed.parent)) for line in shown.stdout.split())
    for name, code in (("shaders/transform.vert.spvasm", 0), ("faulty/numbers.spvasm", 1)):
        done = subprocess.run(
            [installed / "spvls", "lint", FIXTURES / name],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (code, "")
    assert "[syntax/number]" in done.stdout


def framed(message: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def answers(contents: bytes) -> Iterator[dict[str, object]]:
    """The messages of a server's output."""
    while contents:
        head, _, contents = contents.partition(b"\r\n\r\n")
        lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        length = int(lengths[0].partition(b":")[2])
        yield json.loads(contents[:length])
        contents = contents[length:]


def test_the_installed_command_explains_rules_as_the_tree_does(installed: Path, tmp_path: Path) -> None:
    id_ = "block-layout/block-is-not-nested"
    command = [installed / "spvls", "explain", id_]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)
    explained = explanation(id_)
    assert explained is not None
    assert " ".join((explained.title, *explained.why)) in " ".join(done.stdout.replace("**Why**", "").split())


def test_the_installed_server_introduces_itself(installed: Path, tmp_path: Path) -> None:
    messages = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    done = subprocess.run(
        [installed / "spvls", "serve"],
        input=b"".join(map(framed, messages)),
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    replies = {answer["id"]: answer for answer in answers(done.stdout) if "id" in answer and "method" not in answer}
    assert done.returncode == 0, done.stderr.decode()
    first = replies[1]["result"]
    assert isinstance(first, dict)
    assert first["serverInfo"] == {"name": "spvls", "version": spvls.__version__}
    assert "hoverProvider" in first["capabilities"]
    assert replies[2].get("error") is None
