"""Walks over the parts of types are written in the module layer alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.corpus import ROOT

_BOUNDED = {
    "spvls/ide/summary/block_members.py": "members of members to a fixed depth",
    "spvls/ide/documentation/example_declarations.py": "the types of examples, which are named in the data of the project",
    "spvls/ide/summary/text.py": "what block_members gives",
    "spvls/ide/transform/specialize.py": "composites in composites to a fixed depth",
    "spvls/validate/rules/interface/built_in_vulkan.py": "as deep as the form of a built-in in the tables",
}
"""Modules that may recurse over types, and what bounds them."""

_PARTS = frozenset({"element", "element_id", "pointee", "members", "member_ids"})


def _parts(node: ast.AST) -> set[str]:
    return {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)} & _PARTS


def _called(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            if isinstance(inner.func, ast.Name):
                yield inner.func.id
            elif isinstance(inner.func, ast.Attribute) and ast.unparse(inner.func.value) == "self":
                yield inner.func.attr


def walks(source: str) -> list[str]:
    """The loops and the recursive functions of a Python module that go from types to what these are made of."""
    tree = ast.parse(source)
    found = [f"line {node.lineno}: while" for node in ast.walk(tree) if isinstance(node, ast.While) and _parts(node)]
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    calls = {name: functions.keys() & set(_called(node)) for name, node in functions.items()}
    for name, node in functions.items():
        reached: set[str] = set()
        waiting = list(calls[name])
        while waiting:
            callee = waiting.pop()
            if callee not in reached:
                reached.add(callee)
                waiting.extend(calls[callee])
        if name in reached and _parts(node):
            found.append(f"line {node.lineno}: {name} calls itself")
    return found


def test_what_is_a_walk() -> None:
    assert walks("while t.is_array:\n    t = t.element\n")
    assert walks("def f(t):\n    return all(f(m) for m in t.members)\n")
    assert walks("class A:\n    def f(self, t):\n        return self.g(t.element)\n    def g(self, t):\n        return self.f(t)\n")
    assert not walks("def f(t):\n    return t.element\nwhile True:\n    f(t)\n")


def test_types_are_walked_in_the_module_layer_alone() -> None:
    package = ROOT / "spvls"
    found = {
        f"{path.relative_to(ROOT)}: {walk}"
        for path in sorted(package.rglob("*.py"))
        if package / "module" not in path.parents and path.relative_to(ROOT).as_posix() not in _BOUNDED
        for walk in walks(Path(path).read_text(encoding="utf-8"))
    }
    assert not found, "\n" + "\n".join(sorted(found))
