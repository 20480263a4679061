"""Completion offers what fits, best first."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.diagnostic import Position
from spvls.grammar import tables
from spvls.ide.documentation.docs_markdown import docs_markdown
from spvls.ide.features.completion import Completion, complete, describe
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import applied, marked
from tests.ide.modules import SHADER
from tests.strategies import positions, texts

_HEAD, _, _BODY = SHADER.partition("OpReturn\n")


def completed(line: str, *, text: str | None = None) -> Completion | None:
    """What is offered in a line put into the shader before its OpReturn, or in a whole text."""
    source, cursor, _ = marked(f"{_HEAD}{line}\nOpReturn\n{_BODY}" if text is None else text)
    return complete(source, cursor)


def offered(line: str, *, rank: int | None = None, text: str | None = None) -> list[str]:
    """The labels of what is offered, those of one rank if wanted."""
    found = completed(line, text=text)
    assert found is not None
    return [candidate.label for candidate in found.candidates if rank in (None, candidate.rank)]


def test_opcodes_where_an_instruction_begins() -> None:
    for line in ("‸", "Op‸", "  OpLo‸", "%x = ‸", "%x = OpLo‸"):
        assert "OpLoad" in offered(line, rank=0)


def test_behind_an_equals_sign_only_opcodes_with_a_result() -> None:
    assert "OpStore" in offered("‸")
    assert "OpStore" not in offered("%x = ‸")


def test_an_instruction_comes_with_its_operands() -> None:
    found = completed("‸")
    assert found is not None
    snippets = {candidate.label: candidate.snippet for candidate in found.candidates}
    assert snippets["OpLoad"] == "%$1 = OpLoad ${2|%float,%uint,%v4,%pin,%pout|} %$3"
    assert snippets["OpReturn"] is None
    found = completed("%x = ‸")
    assert found is not None
    snippets = {candidate.label: candidate.snippet for candidate in found.candidates}
    assert snippets["OpLoad"] == "OpLoad ${1|%float,%uint,%v4,%pin,%pout|} %$2"


def test_what_is_not_enabled_comes_later_and_says_what_it_needs() -> None:
    found = completed("‸")
    assert found is not None
    atomic = next(candidate for candidate in found.candidates if candidate.label == "OpGroupNonUniformElect")
    assert atomic.rank > 0
    assert "needs GroupNonUniform" in atomic.detail
    assert "OpTensorReadARM" in offered("%x = ‸", rank=2)


def test_what_another_version_has_is_left_out() -> None:
    in_block = "%f = OpFunction %void None %fn\n%entry = OpLabel\n‸\n"
    assert "OpCopyLogical" not in offered("", text=f"; Version: 1.3\n{in_block}")
    assert "OpCopyLogical" in offered("", text=f"; Version: 1.4\n\n{in_block}")


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("%x = OpLoad ‸", ["%void", "%float", "%uint", "%v4"]),
        ("%x = OpLoad %v4 ‸", ["%in", "%colour"]),
        ("%x = OpFAdd %v4 ‸", ["%a", "%b"]),
        ("%x = OpFAdd %v4 %a %‸", ["%a", "%b"]),
        ("OpStore %colour ‸", ["%a", "%b"]),
        ("OpBranch ‸", ["%entry"]),
        ("%x = OpFunctionCall %void ‸", ["%main"]),
        ("%x = OpExtInst %v4 ‸", ["%glsl"]),
        ("OpMemoryBarrier ‸", ["%scope", "%acquire"]),
        ("%x = OpVariable ‸", ["%pin", "%pout"]),
        ("OpLine ‸", ["%file"]),
    ],
)  # fmt: skip
def test_ids_that_fit_come_first(line: str, first: list[str]) -> None:
    found = completed(line)
    assert found is not None
    best = min(candidate.rank for candidate in found.candidates)
    assert [candidate.label for candidate in found.candidates if candidate.rank == best] == first


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("%x = OpLoad %v4 %in ‸", ["Volatile", "Aligned"], []),
        ("%x = OpLoad %v4 %in Volatile|‸", ["Aligned"], ["Volatile", "None"]),
        ("OpDecorate %in ‸", ["Location", "BuiltIn"], []),
        ("OpDecorate %in BuiltIn ‸", ["Position", "FragCoord"], ["Location"]),
        ("%x = OpExtInst %v4 %glsl ‸", ["Sqrt", "FMix"], []),
        ("%x = OpSpecConstantOp %uint ‸", ["IAdd", "Select"], ["Load"]),
        ("OpCapability Sha‸", ["Shader"], []),
        ("OpExtension ‸", ['"SPV_KHR_ray_query"'], []),
        ("%x = OpExtInstImport ‸", ['"GLSL.std.450"', '"OpenCL.std"'], []),
        ('OpExtension "SPV_‸"', ["SPV_KHR_ray_query"], []),
        ('OpName %main "‸', ["main"], []),
    ],
)  # fmt: skip
def test_names_of_the_grammar(line: str, some: list[str], none: list[str]) -> None:
    labels = offered(line)
    assert set(some) <= set(labels)
    assert set(none).isdisjoint(labels)


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        ("%x = OpLoad %v4 %i‸n", "%in"),
        ("%x = OpLoad %v4 %in Volatile|Al‸", "Al"),
        ('OpExtension "SPV_‸KHR"', "SPV_KHR"),
        ("OpLo‸ad", "OpLoad"),
        ("OpStore ‸", ""),
    ],
)
def test_the_word_at_the_cursor_is_replaced(line: str, replaced: str) -> None:
    source, cursor, _ = marked(f"{_HEAD}{line}\n")
    found = complete(source, cursor)
    assert found is not None
    start, end = found.range
    assert start.line == end.line
    assert source.document.lines[start.line][start.column : end.column] == replaced


def test_nothing_is_offered_where_nothing_can_stand() -> None:
    for line in ("; a comm‸ent", "OpReturn ‸", "OpReturn ; no‸", "%x = OpConstant %float ‸"):
        found = completed(line)
        assert found is None or found.candidates == []


def test_the_description_brings_the_edits_that_enable_it() -> None:
    source = SourceModule(SHADER)
    described = describe(source, "OpGroupNonUniformElect")
    assert described is not None
    assert "OpGroupNonUniformElect" in described.markdown
    after = applied(source, described.edits)
    assert "OpCapability Shader\nOpCapability GroupNonUniform\n" in after
    assert describe(SourceModule(after), "OpGroupNonUniformElect") == describe(SourceModule(after), "OpGroupNonUniformElect")
    again = describe(SourceModule(after), "OpGroupNonUniformElect")
    assert again is not None
    assert again.edits == ()


def test_extensions_are_declared_behind_the_capabilities() -> None:
    source = SourceModule("; Version: 1.3\nOpCapability Shader\n%x = OpTypeRayQueryKHR\n")
    described = describe(source, "OpTypeRayQueryKHR")
    assert described is not None
    lines = applied(source, described.edits).split("\n")
    assert lines[1:4] == ["OpCapability Shader", "OpCapability RayQueryKHR", 'OpExtension "SPV_KHR_ray_query"']


@given(texts(), positions())
def test_completion_takes_any_text(text: str, position: Position) -> None:
    source = SourceModule(text)
    found = complete(source, position)
    if found is not None:
        assert found.range.start <= source.clamp(position) <= found.range.end
        for candidate in found.candidates[:5]:
            describe(source, candidate.key)


def test_deprecated_candidates_are_marked_and_described_as_hover_does() -> None:
    found = completed("‸")
    assert found is not None
    by_label = {candidate.label: candidate for candidate in found.candidates}
    assert by_label["OpKill"].deprecated
    assert not by_label["OpUndef"].deprecated
    text = f'OpExtension "SPV_KHR_poison_freeze"\n{_HEAD}‸\n{_BODY}'
    declared = completed("", text=text)
    assert declared is not None
    assert any(candidate.label == "OpUndef" and candidate.deprecated for candidate in declared.candidates)
    described, opcode = describe(SourceModule(SHADER), by_label["OpKill"].key), tables.opcode("OpKill")
    assert described is not None and opcode is not None
    assert described.markdown == docs_markdown(opcode, SourceModule(SHADER).module)
    assert "~~OpKill~~" in described.markdown
