"""Rules of OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo and NonSemantic.ClspvReflection."""

from __future__ import annotations

import spvls
from spvls.diagnostic import RULE_FAILED, Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics


def module(described: str, body: str = "", *, revision: int = 100, source: str = "first\nsecond") -> str:
    """A compute shader with a described program, and what `described` adds to it."""
    return f"""
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.{revision}"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%name = OpString "name"
%text = OpString "{source}"
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%local_type = OpTypePointer Function %f32
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u2 = OpConstant %u32 2
%u3 = OpConstant %u32 3
%u4 = OpConstant %u32 4
%u32_32 = OpConstant %u32 32
%float_1 = OpConstant %f32 1
%none = OpExtInst %void %debug DebugInfoNone
%source = OpExtInst %void %debug DebugSource %name %text
%unit = OpExtInst %void %debug DebugCompilationUnit %u1 %u4 %source %u2
%float = OpExtInst %void %debug DebugTypeBasic %name %u32_32 %u3 %u0
%signature = OpExtInst %void %debug DebugTypeFunction %u3 %void
%described = OpExtInst %void %debug DebugFunction %name %signature %source %u1 %u1 %unit %name %u3 %u1
%variable = OpExtInst %void %debug DebugLocalVariable %name %float %source %u1 %u1 %described %u4
%expression = OpExtInst %void %debug DebugExpression
{described}
%main = OpFunction %void None %main_type
%entry = OpLabel
%local = OpVariable %local_type Function
%definition = OpExtInst %void %debug DebugFunctionDefinition %described %main
{body}
OpReturn
OpFunctionEnd
""".replace("OpCapability Shader", "OpCapability Shader\nOpCapability Int64", 1)


def test_a_message_says_what_there_is_and_what_is_expected() -> None:
    line = "%d = OpExtInst %void %debug DebugTypeVector %float %float_1"
    (found,) = spvls.validate(module(line))
    assert "(%float_1) is an OpConstant of type f32" in found.message
    assert "u32" in found.message


def test_an_edit_of_the_source_text_is_followed() -> None:
    line = "%d = OpExtInst %void %debug DebugLine %source %u1 %u2 %u0 %u0"
    document = Document(module("", line))
    checker = Checker(Module(document.chunks, environment("spv1.6")))

    def rules() -> list[str]:
        return [found.rule for found in diagnostics(checker, document)]

    assert rules() == []
    at = document.text.split("\n").index('%text = OpString "first')
    joined = Range(Position(at, len('%text = OpString "first')), Position(at + 1, 0))
    checker.update(document.edit([(joined, " ")]))
    assert rules() == ["ext-inst/debug-position-is-in-source"]


def test_an_operand_may_be_the_result_of_an_unknown_instruction() -> None:
    found = spvls.validate(module("").replace("%text = OpString", "%text = OpStxring"))
    assert RULE_FAILED not in {item.rule for item in found}
    assert any("(%text) is the result of an unknown instruction" in item.message for item in found)


def test_a_carriage_return_ends_a_line() -> None:
    line = "%d = OpExtInst %void %debug DebugLine %source %u2 %u2 %u0 %u0"
    text = module("", line).replace('%text = OpString "first\nsecond', '%text = OpString "first\rsecond')
    assert "\r" in text
    assert [found.rule for found in spvls.validate(text)] == []


def test_a_null_constant_is_no_length() -> None:
    line = "%null = OpConstantNull %u32\n%d = OpExtInst %void %debug DebugTypeArray %float %null"
    (found,) = spvls.validate(module(line))
    assert "(%null) is an OpConstantNull of type u32, expected a 32- or 64-bit integer OpConstant" in found.message
