"""What features of a long text compute once, and again only after an edit that concerns it: counted calls."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.ide.features import beginning, completion, inlay, symbols
from spvls.ide.features.completion import complete
from spvls.ide.features.inlay import HintKind, hints
from spvls.ide.features.symbols import document_symbols
from spvls.ide.source.source_module import SourceModule
from tests.bench.modules import module_text
from tests.calls import counted


def _line(source: SourceModule, name: str) -> int:
    record = source.module.definition(name)
    assert record is not None
    return source.document.line_of(record)


def test_opcodes_are_made_candidates_again_only_after_an_edit_of_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=3))
    made = counted(monkeypatch, beginning, "entity_candidate")
    line = _line(source, "scaled_1")
    first = complete(source, Position(line, 0))
    assert first is not None and len(made) > 100
    made.clear()
    source.edit([(Range(Position(line, 0), Position(line, 0)), " ")])
    assert complete(source, Position(line, 0)) is not None
    assert not made
    above = _line(source, "int_8")
    source.edit([(Range(Position(above, 0), Position(above, 0)), "%uint = OpTypeInt 32 0\n")])
    after = complete(source, Position(line + 1, 0))
    assert after is not None and made
    by_name = {found.label: found.snippet or "" for found in after.candidates}
    assert "%uint" in by_name["OpIAdd"] and "%uint" not in {found.label: found.snippet or "" for found in first.candidates}["OpIAdd"]


def test_a_function_that_an_entry_point_lacks_is_offered_by_its_name_until_it_is_there() -> None:
    head = 'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main "main"\n'
    text = f"{head}%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%one = OpFunction %void None %fn\nOpFunctionEnd\n\n"
    source = SourceModule(text)

    def snippet() -> str:
        found = complete(source, Position(7, 0))
        assert found is not None
        return next(one.snippet or "" for one in found.candidates if one.label == "OpFunction")

    assert snippet().startswith("%main = ")
    source.edit([(Range(Position(8, 0), Position(8, 0)), "%main = OpFunction %void None %fn\nOpFunctionEnd\n")])
    assert not snippet().startswith("%main = ")


def test_declarations_are_classed_again_only_after_an_edit_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=20))
    line, column = _line(source, "scaled_1"), source.document.lines[_line(source, "scaled_1")].rindex("%") + 1
    classed = counted(monkeypatch, completion, "role_of")
    assert complete(source, Position(line, column)) is not None
    classed.clear()
    assert complete(source, Position(line, column)) is not None
    chunk = source.document.chunk_at(line)
    assert len(classed) <= len(chunk.records)


def test_an_answer_spells_each_type_and_each_constant_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=3))
    spelled = counted(monkeypatch, inlay, "_says_its_type")
    valued = counted(monkeypatch, inlay, "value_hint")
    span = Range(Position(_line(source, "base_1"), 0), Position(_line(source, "mixed_1"), 0))
    assert list(hints(source, span, frozenset({HintKind.TYPE, HintKind.VALUE})))
    for calls in (spelled, valued):
        names = [str(arguments[-1 if calls is spelled else 0]) for arguments in calls]
        assert len(names) == len(set(names)) > 1


def test_an_outline_spells_each_function_type_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceModule(module_text(functions=20))
    global_part = {record.result for record in source.document.chunks[0].records}
    spelled = counted(monkeypatch, symbols, "type_text")
    assert len([found for found in document_symbols(source) if found.kind is symbols.SymbolKind.FUNCTION]) == 21
    assert len([name for _, name in spelled if name not in global_part]) == 2
