"""What is printed, and what is written as markup, is made in few places, which make text harmless."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.corpus import ROOT

PACKAGE = ROOT / "spvls"

PRINTERS = {"cli/console.py", "cli/output.py", "server/log.py"}
"""What may print: the command line, its results, the log of the server."""

DEVELOPERS = {"grammar/importer.py"}
"""Tools that only developers of this project run, on grammars that they chose."""

MARKUP = {"text/escaping.py"}
PICTURES = {"ide/flow/svg.py"}
"""Writes elements of SVG, with `xml_text` around all that is of a module."""


def sources(*parts: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if "data" not in path.parts and (not parts or name.startswith(parts)):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def is_stream(node: ast.AST) -> bool:
    """`sys.stdout` or `sys.stderr`."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr in ("stdout", "stderr", "__stdout__", "__stderr__")
        and isinstance(node.value, ast.Name)
        and node.value.id == "sys"
    )


def prints(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "print"
    return isinstance(node, ast.Attribute) and node.attr in ("write", "writelines", "buffer") and is_stream(node.value)


def writes_json(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in ("dump", "dumps") and ast.unparse(node.value) == "json"


def _literals(tree: ast.AST) -> Iterator[tuple[ast.AST, list[str | None]]]:
    """Strings of the code but for docstrings: their constant parts, and None for each value between."""
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            inner.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            inner.update(id(part) for part in node.values)
            yield node, [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node, [node.value]


def markdown(parts: list[str | None]) -> bool:
    """Whether a string opens or closes code, a link, bold or struck text around what is put in elsewhere."""
    before = ""
    for part in parts:
        if part is None and (before.count("`") % 2 or re.search(r"(\]\(|\*\*|~~|!\[)$", before)):
            return True
        before += part or ""
    if before.count("`") % 2 and not re.search(r"[\\(\[]", before):
        return True
    return "](" in before and None in parts


def markup(parts: list[str | None]) -> bool:
    return None in parts and any(re.search(r"<[A-Za-z/!]", part or "") for part in parts)


def places(found: Callable[[ast.AST], bool], *parts: str) -> set[str]:
    return {name for name, tree in sources(*parts) if any(map(found, ast.walk(tree)))}


def test_few_modules_print() -> None:
    assert places(prints) == PRINTERS | DEVELOPERS


def test_results_for_programs_are_written_by_one_function() -> None:
    assert places(writes_json, "cli/") == set()


def test_the_markdown_of_documents_for_people_is_made_in_one_module() -> None:
    made = {name for name, tree in sources("ide/", "server/", "cli/", "text/") for _, parts in _literals(tree) if markdown(parts)}
    assert made - MARKUP == set()


def test_markup_is_made_where_pictures_are() -> None:
    made = {name for name, tree in sources("ide/", "server/", "cli/", "text/") for _, parts in _literals(tree) if markup(parts)}
    assert made == PICTURES | MARKUP


def test_pictures_write_no_text_as_it_is() -> None:
    """Values between the elements of a picture are numbers, known words, or what `xml_text` gives."""
    for name in PICTURES:
        tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and markup([getattr(part, "value", None) if isinstance(part, ast.Constant) else None for part in node.values]):
                for part in node.values:
                    if isinstance(part, ast.FormattedValue) and part.format_spec is None:
                        assert _is_harmless(part.value), f"{name}:{part.lineno}: {ast.unparse(part.value)}"


def _is_harmless(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in ("xml_text", "_path")
    known = {"kind", "kinds", "size", "name", "ends", "label", "arrow", "written", "STYLE", "edge.kind", "construct.kind"}
    return ast.unparse(value) in known or (isinstance(value, ast.IfExp) and isinstance(value.body, ast.Constant))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("print(1)", True),
        ("sys.stdout.write(a)", True),
        ("sys.stderr.buffer", True),
        ("sys.stdout.flush()", False),
        ("file.write(a)", False),
    ],
)
def test_printing_is_recognized(code: str, found: bool) -> None:
    assert any(map(prints, ast.walk(ast.parse(code)))) is found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("f'`{a}`'", True),
        ("'`' + a", True),
        ("f'[{a}]({b})'", True),
        ("f'**{a}**'", True),
        ("f'{a}: `spvls dis` lists it'", False),
        ("f'{a} ({b})'", False),
        ("'''A docstring with `one'''", False),
    ],
)
def test_markdown_is_recognized(code: str, found: bool) -> None:
    assert any(markdown(parts) for _, parts in _literals(ast.parse(code))) is found


def test_every_gate_is_there() -> None:
    assert all((PACKAGE / Path(name)).is_file() for name in PRINTERS | DEVELOPERS | MARKUP | PICTURES)
