"""Answers derived from a module are forgotten when what they depend on changes, and only then."""

from __future__ import annotations

import ast

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.dependencies import Facts
from spvls.module.derived import DerivedAnswers
from spvls.module.module import Module
from spvls.syntax.document import Document
from tests.corpus import ROOT

_FORGETS = frozenset({"clear", "pop", "popitem"})
_MECHANISM = frozenset({"derived.py", "dependencies.py"})
_INDEXES = frozenset({"ids.py", "local_declarations.py"})
"""What follows each edit by its removed and added instructions, and forgets nothing."""


def _forgotten_by_hand(source: str) -> list[int]:
    """The lines where an attribute of `self` is emptied, or set outside of `__init__` to nothing."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FORGETS:
            if ast.unparse(node.func.value).startswith("self."):
                lines.append(node.lineno)
        elif isinstance(node, ast.Delete):
            lines += [node.lineno for target in node.targets if ast.unparse(target).startswith("self.")]
        elif isinstance(node, ast.FunctionDef) and node.name != "__init__":
            for inner in ast.walk(node):
                if isinstance(inner, ast.Assign) and isinstance(inner.value, ast.Constant) and inner.value.value is None:
                    lines += [inner.lineno for target in inner.targets if ast.unparse(target).startswith("self.")]
    return sorted(lines)


def test_what_forgets_by_hand() -> None:
    assert _forgotten_by_hand("self._types.pop(name, None)\nself._all.clear()\ndel self._types[name]\n") == [1, 2, 3]
    assert _forgotten_by_hand("def update(self):\n    self._known = None\n") == [2]
    assert not _forgotten_by_hand("def __init__(self):\n    self._known = None\n    waiting.pop()\n")


def test_no_answer_is_forgotten_by_hand() -> None:
    found = {
        path.name: lines
        for path in (ROOT / "spvls" / "module").glob("*.py")
        if path.name not in _MECHANISM | _INDEXES
        if (lines := _forgotten_by_hand(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def _changed(*names: str) -> Facts:
    facts = Facts()
    facts.definitions.update(names)
    return facts


def test_answers_that_depend_on_answers_are_forgotten_with_them() -> None:
    answers = DerivedAnswers()
    computed: list[str] = []

    def one() -> int:
        computed.append("one")
        answers.reads.definitions.add("a")
        return 1

    def two() -> int:
        computed.append("two")
        answers.reads.definitions.add("b")
        return answers.derive("one", one) + 1

    assert [answers.derive("two", two) for _ in range(2)] == [2, 2]
    assert computed == ["two", "one"]
    assert answers.reads.module == {"two"}  # whoever asks depends on the answer alone
    answers.invalidate(_changed("c"))
    assert answers.derive("two", two) == 2
    assert computed == ["two", "one"]
    changed = _changed("a")
    answers.invalidate(changed)
    assert changed.module == {"one", "two"}
    assert answers.derive("two", two) == 2
    assert computed == ["two", "one", "two", "one"]
    answers.invalidate(_changed("b"))
    assert answers.derive("two", two) == 2
    assert computed == ["two", "one", "two", "one", "two"]


def test_an_answer_that_raises_is_not_kept() -> None:
    answers = DerivedAnswers()
    before = answers.reads

    def fails() -> int:
        raise ValueError

    for _ in range(2):
        try:
            answers.derive("one", fails)
        except ValueError:
            assert answers.reads is before


_BUILT_IN = """OpDecorate %in BuiltIn Position
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%in = OpVariable %pointer Input
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def test_a_type_in_a_function_makes_a_built_in_known() -> None:
    document = Document(_BUILT_IN)
    module = Module(document.chunks, environment("spv1.6"))
    assert not module.built_in_variables()
    line = "%pointer = OpTypePointer Input %v4\n"
    module.update(document.edit([(Range(Position(8, 0), Position(8, 0)), line)]))
    assert set(module.built_in_variables()) == {"in"}
    module.update(document.edit([(Range(Position(8, 0), Position(9, 0)), "")]))
    assert not module.built_in_variables()
