"""Calls, followed from functions to the entry points that reach them, the same after edits as from scratch."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document

CALLS = """
OpEntryPoint Vertex %a "a"
OpEntryPoint Fragment %b "b"
%a = OpFunction %void None %fn
%a1 = OpFunctionCall %void %c
%a2 = OpFunctionCall %void %c
OpFunctionEnd
%b = OpFunction %void None %fn
%b1 = OpFunctionCall %void %c
OpFunctionEnd
%c = OpFunction %void None %fn
%c1 = OpFunctionCall %void %d
OpFunctionEnd
%d = OpFunction %void None %fn
OpFunctionEnd
%alone = OpFunction %void None %fn
%alone1 = OpFunctionCall %void %alone
OpFunctionEnd
"""
NAMES = ["a", "b", "c", "d", "alone"]


def module_of(document: Document) -> Module:
    return Module(document.chunks, environment("spv1.6"))


def test_callers() -> None:
    graph = module_of(Document(CALLS)).callgraph
    assert {name: graph.callers(name) for name in NAMES} == {
        "a": [],
        "b": [],
        "c": ["a", "b"],
        "d": ["c"],
        "alone": ["alone"],
    }


def test_entry_points_that_reach_a_function() -> None:
    module = module_of(Document(CALLS))
    reached = {name: sorted(entry.function for entry in module.reached_from(name)) for name in NAMES}
    assert reached == {"a": ["a"], "b": ["b"], "c": ["a", "b"], "d": ["a", "b"], "alone": []}


def test_entry_points_and_callers_stand_in_the_order_of_the_text_whatever_was_edited_last() -> None:
    document = Document(CALLS)
    module = module_of(document)
    calls = [row for row, line in enumerate(document.lines) if line.startswith(("%a1", "%a2"))]
    start, end = Position(calls[0], 0), Position(calls[-1] + 1, 0)
    taken = "".join(document.lines[calls[0] : calls[-1] + 1])
    module.update(document.edit([(Range(start, end), "")]))
    assert module.callgraph.callers("c") == ["b"]
    module.update(document.edit([(Range(start, start), taken)]))
    assert module.callgraph.callers("c") == ["a", "b"]
    assert [entry.function for entry in module.reached_from("c")] == ["a", "b"]


def test_recursion() -> None:
    graph = module_of(Document(CALLS)).callgraph
    assert graph.recursion("alone") == ("alone", "alone")
    assert graph.recursion("a") == ()


@given(st.integers(0, 2**32))
def test_the_graph_after_edits_is_that_of_the_text(seed: int) -> None:
    chance = random.Random(seed)
    document = Document(CALLS)
    module = module_of(document)
    for _ in range(5):
        line = chance.randrange(1, len(document.lines))
        called = chance.choice(NAMES)
        text = chance.choice(["", f"%x = OpFunctionCall %void %{called}\n", f'OpEntryPoint GLCompute %{called} "x"\n'])
        end = chance.choice([line, min(line + 1, len(document.lines) - 1)])
        module.update(document.edit([(Range(Position(line, 0), Position(end, 0)), text)]))
        fresh = module_of(Document(document.text))
        for name in NAMES:
            mine, theirs = ([e.record.opcode.name for e in m.reached_from(name)] for m in (module, fresh))
            assert mine == theirs, (seed, name)
            assert sorted(module.callgraph.callers(name)) == sorted(fresh.callgraph.callers(name)), (seed, name)
