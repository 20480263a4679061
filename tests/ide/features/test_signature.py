"""Signature help marks the operand that is being typed."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.diagnostic import Position
from spvls.ide.features.signature import signature_help
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import marked
from tests.strategies import positions, texts


@pytest.mark.parametrize(
    ("line", "label", "active"),
    [
        ("%x = OpFAdd ‸", "%result = OpFAdd %Result_Type %Operand_1 %Operand_2", "%Result_Type"),
        ("%x = OpFAdd %t %a‸ %b", "%result = OpFAdd %Result_Type %Operand_1 %Operand_2", "%Operand_1"),
        ("%x = OpFAdd %t %a ‸", "%result = OpFAdd %Result_Type %Operand_1 %Operand_2", "%Operand_2"),
        ("%x = OpFAdd %t %a %b ‸", "%result = OpFAdd %Result_Type %Operand_1 %Operand_2", None),
        ("OpStore %p %v Aligned ‸", "OpStore %Pointer %Object [<MemoryAccess>] <LiteralInteger>", "<LiteralInteger>"),
        (
            "%x = OpExtInst %t %glsl FMix %a ‸",
            "%result = OpExtInst %Result_Type %Set <Instruction> %x %y %a",
            "%y",
        ),
        (
            "%x = OpFunctionCall %t %f %a %b ‸",
            "%result = OpFunctionCall %Result_Type %Function [%Argument_0 …]",
            "[%Argument_0 …]",
        ),
    ],
)  # fmt: skip
def test_the_active_operand(line: str, label: str, active: str | None) -> None:
    source, cursor, _ = marked(f'%glsl = OpExtInstImport "GLSL.std.450"\n{line}\n')
    found = signature_help(source, cursor)
    assert found is not None
    assert found.label == label
    marks = [found.label[parameter.start : parameter.end] for parameter in found.parameters]
    assert (marks[found.active] if found.active is not None else None) == active
    assert found.documentation


def test_operands_of_one_name_have_their_own_texts() -> None:
    source, cursor, _ = marked("%c = OpImageSampleExplicitLod %v4float %i %at Grad %dx ‸")
    found = signature_help(source, cursor)
    assert found is not None
    assert [parameter.documentation[-8:] for parameter in found.parameters[-2:]] == ["along x.", "along y."]


def test_three_lines_say_it() -> None:
    source, cursor, _ = marked("OpStore %p ‸")
    found = signature_help(source, cursor)
    assert found is not None and found.active is not None
    assert found.label == "OpStore %Pointer %Object [<MemoryAccess>]"
    assert found.parameters[found.active].documentation == "value to store."
    assert found.documentation == "Writes an object to where a pointer points."


def test_there_is_none_where_an_instruction_begins() -> None:
    for text in ("‸", "OpLo‸", "%x = ‸", "; x ‸"):
        source, cursor, _ = marked(text)
        assert signature_help(source, cursor) is None


@given(texts(), positions())
def test_signature_help_takes_any_text(text: str, position: Position) -> None:
    found = signature_help(SourceModule(text), position)
    if found is not None:
        assert found.active is None or 0 <= found.active < len(found.parameters)
        for parameter in found.parameters:
            assert 0 < parameter.start < parameter.end <= len(found.label)
