"""Rules and the module layer compare enumerants by their values; names are for messages."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.corpus import ROOT

_NAMED = {
    "spvls/module/context_dependent.py": "kinds of operands are known by their names",
    "spvls/validate/requirements.py": "enablers in Vulkan are known by their names",
    "spvls/validate/rules/capability/unused.py": "kinds of operands are known by their names",
}
"""Modules that compare names of what has no value."""

_EXT_INST = "spvls/validate/rules/ext_inst/"
"""Instructions of extended sets are known by their names: a number means another one in each set."""


def _has_text(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Constant) and isinstance(inner.value, str) for inner in ast.walk(node))


def _texts(tree: ast.Module) -> set[str]:
    """The names of a module that hold strings, or tables with strings as keys."""
    found: set[str] = set()
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        keys = [key for key in value.keys if key is not None] if isinstance(value, ast.Dict) else [value]
        if isinstance(target, ast.Name) and any(key is not None and _has_text(key) for key in keys):
            found.add(target.id)
    return found


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "name"


def _compared(node: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """A name that is compared or looked up, and with what."""
    match node:
        case ast.Compare():
            sides: list[ast.AST] = [node.left, *node.comparators]
            for side in sides:
                if _is_name(side):
                    yield side, [other for other in sides if other is not side]
        case ast.Call(func=ast.Attribute(attr="get", value=table), args=[key, *_]) if _is_name(key):
            yield key, [table]
        case ast.Subscript(value=table, slice=key) if _is_name(key):
            yield key, [table]
        case ast.Match(subject=subject, cases=cases) if any(map(_is_name, ast.walk(subject))):
            yield subject, [case.pattern for case in cases]


def comparisons(source: str) -> list[str]:
    """Where a Python module compares a `name` with literals, or looks one up in a table of literals."""
    tree = ast.parse(source)
    texts = _texts(tree)
    return [
        f"line {getattr(name, 'lineno', 0)}: {ast.unparse(name)}"
        for node in ast.walk(tree)
        for name, others in _compared(node)
        if any(_has_text(other) or (isinstance(other, ast.Name) and other.id in texts) for other in others)
    ]


@pytest.mark.parametrize(
    "source",
    [
        'x.name == "Block"',
        '"Block" != found.name',
        'any(found.name in ("Block", "BufferBlock") for found in module.decorations(name))',
        '_BLOCKS = frozenset({"Block"})\ndef f(x):\n    return x.name in _BLOCKS\n',
        '_BLOCKS: dict[str, int] = {"Block": 1}\nx = _BLOCKS.get(y.name) or _BLOCKS[y.name]\n',
        'match mode.name if mode is not None else "":\n    case "LocalSize":\n        pass\n',
    ],
)
def test_what_is_a_comparison(source: str) -> None:
    assert comparisons(source)


@pytest.mark.parametrize(
    "source",
    [
        "x.value == Decoration.Block",
        "block.name == header.name",
        'print(f"{x.name} is in {y.name}")',
        '_SHOWN = {Decoration.Block: "a block"}\nx = _SHOWN.get(y.value)\n',
    ],
)
def test_what_is_none(source: str) -> None:
    assert not comparisons(source)


def test_enumerants_are_compared_by_value() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): comparisons(path.read_text(encoding="utf-8"))
        for part in ("validate", "module")
        for path in sorted((ROOT / "spvls" / part).rglob("*.py"))
    }
    found = {path: places for path, places in found.items() if places and not path.startswith(_EXT_INST)}
    assert {path: places for path, places in found.items() if path not in _NAMED} == {}
    assert found.keys() == _NAMED.keys(), "a module in the list compares no name any more"
