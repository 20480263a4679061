"""Ids that change their type together are counted by functions, which are read once and again when they are edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from spvls.diagnostic import Position, Range
from spvls.ide.refactor import connected, type_groups
from spvls.ide.refactor.connected import Connected, NotPossibleError
from spvls.ide.refactor.offers import refactorings
from spvls.ide.source.source_module import SourceModule
from spvls.syntax.instruction import Instruction
from tests.bench.modules import module_text
from tests.calls import counted
from tests.corpus import TEXTS
from tests.ide.refactor.shaders import shader


def _definition(source: SourceModule, name: str) -> Instruction:
    found = source.module.definition(name)
    assert found is not None
    return found


def _refusal(source: SourceModule, name: str) -> str:
    with pytest.raises(NotPossibleError) as refused:
        Connected(_definition(source, name), source.module)
    return str(refused.value)


def test_ids_of_a_large_group_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=60))
    followed = counted(monkeypatch, Connected, "_follow")
    assert _refusal(source, "raised_30") == "More than 400 ids depend on its type."
    assert 0 < len(followed) <= connected._CLOSE


def test_a_function_is_read_again_only_when_it_was_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=60))
    read = counted(monkeypatch, type_groups, "_read")
    assert type_groups.are_more("raised_30", 400, source.module)
    names = [records[0].result for (records,) in read]
    assert len(names) == len(set(names)) > 1
    read.clear()
    assert type_groups.are_more("raised_30", 400, source.module)
    assert not read
    line = source.document.line_of(_definition(source, "raised_30"))
    source.edit([(Range(Position(line, 0), Position(line, 0)), " ")])
    assert type_groups.are_more("raised_30", 400, source.module)
    assert [records[0].result for (records,) in read] == ["shade_30"]


def test_a_large_group_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=60))
    read = counted(monkeypatch, type_groups, "_read")
    assert type_groups.are_more("raised_2", 400, source.module)
    far = len(read)
    assert type_groups.are_more("raised_3", 400, source.module)
    assert len(read) - far <= 1
    assert not type_groups.are_more("raised_3", 100_000, source.module)


_CALLER = """\
%v = OpVariable %local_float Function
%w = OpVariable %local_float Function
%x = OpLoad %float %v
%r = OpFunctionCall %float %twice %x
OpStore %w %r"""
_CALLED = """\
%twice = OpFunction %float None %fn_twice
%a = OpFunctionParameter %float
%begin = OpLabel
%b = OpFAdd %float %a %one
%c = OpExtInst %float %glsl Sqrt %b
%d = OpFOrdLessThan %bool %c %one
%i = OpConvertFToS %int %c
OpReturnValue %c
OpFunctionEnd"""


def test_groups_go_through_calls_and_extended_instructions_and_end_at_conversions() -> None:
    text = shader(_CALLER, "%fn_twice = OpTypeFunction %float %float", functions=_CALLED)
    source = SourceModule(text.replace("OpMemoryModel", '%glsl = OpExtInstImport "GLSL.std.450"\nOpMemoryModel'))
    for name in ("v", "x", "r", "a", "b", "c"):
        assert set(Connected(_definition(source, name), source.module).ids) == set("vwxrabc")
        assert type_groups.are_more(name, 6, source.module)
        assert not type_groups.are_more(name, 7, source.module)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_count_is_at_most_that_of_the_ids_that_are_found(path: Path) -> None:
    source = SourceModule(path.read_text(encoding="utf-8"))
    module = source.module
    for chunk in module.chunks:
        for record in chunk.records:
            if record.result is None or module.type_of(record.result) is None:
                continue
            try:
                found = Connected(record, module)
            except NotPossibleError:
                continue
            assert not type_groups.are_more(record.result, len(found.ids), module), record.result


def test_what_actions_ask_of_declarations_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=3))
    place = source.document.line_of(_definition(source, "raised_1"))
    list(refactorings(source, Position(place, 0)))
    known = {name for name in source.module._answers if name.startswith(("has ", "column"))}
    assert {"has specialization constants", "has numbers as ids"} <= known
    source.edit([(Range(Position(place, 0), Position(place, 0)), " ")])
    assert known <= source.module._answers.keys()
    first = source.document.line_of(_definition(source, "int_8"))
    source.edit([(Range(Position(first, 0), Position(first, 0)), "%three = OpSpecConstant %int 3\n")])
    assert known.isdisjoint(source.module._answers)
    assert any(found.key == "specialize" for found in refactorings(source, Position(0, 0)))
