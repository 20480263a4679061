"""Rules of OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo and NonSemantic.ClspvReflection."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics
from tests.validate.check import check


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


@pytest.mark.parametrize(
    "line",
    [
        "%d = OpExtInst %void %debug DebugTypeVector %float %u4",
        "%d = OpExtInst %void %debug DebugTypeVector %source %u4 ; error: ext-inst/debug-operands-have-required-kind `%source`",
        "%d = OpExtInst %void %debug DebugTypeVector %float %u0 ; error: ext-inst/debug-component-count-is-valid `%u0`",
        "%d = OpExtInst %void %debug DebugTypeVector %float %float_1 ; error: ext-inst/debug-operands-have-required-kind `%float_1`",
        "%d = OpExtInst %u32 %debug DebugTypeVector %float %u4 ; error: ext-inst/debug-result-is-void `%u32`",
        "%d = OpExtInst %void %debug DebugTypeArray %float %u4 %u0",
        "%d = OpExtInst %void %debug DebugTypeArray %float %float_1 ; error: ext-inst/debug-component-count-is-valid `%float_1`",
        "%d = OpExtInst %void %debug DebugTypeArray %float %variable ; error: ext-inst/debug-component-count-is-valid `%variable`",
        "%d = OpExtInst %void %debug DebugTypeFunction %u3 %void %float",
        "%d = OpExtInst %void %debug DebugTypeFunction %u3 %void %void ; error: ext-inst/debug-operands-have-required-kind",
        "%d = OpExtInst %void %debug DebugLexicalBlock %source %u1 %u1 %described",
        "%d = OpExtInst %void %debug DebugLexicalBlock %source %u1 %u1 %float ; error: ext-inst/debug-operands-have-required-kind `%float`",
        "%d = OpExtInst %void %debug DebugLexicalBlock %source %u3 %u1 %unit ; error: ext-inst/debug-position-is-in-source `%u3`",
        "%d = OpExtInst %void %debug DebugLexicalBlock %source %u1 %u32_32 %unit ; error: ext-inst/debug-position-is-in-source `%u32_32`",
        "%d = OpExtInst %void %debug DebugTypeEnum %name %none %source %u1 %u1 %unit %u32_32 %u0 %u1 %name",
        "%d = OpExtInst %void %debug DebugTypeEnum %name %none %source %u1 %u1 %unit %u32_32 %u0 %name %name "
        "; error: ext-inst/debug-operands-have-required-kind",
        "%d = OpExtInst %void %debug DebugTypeEnum %name %none %source %u1 %u1 %unit %u0 %u3 %u1 %name "
        "; error: ext-inst/debug-enumeration-size-is-positive `%u0`",
        "%d = OpExtInst %void %debug DebugGlobalVariable %name %float %source %u1 %u1 %unit %name %u1 %u3",
        "%d = OpExtInst %void %debug DebugGlobalVariable %name %float %source %u1 %u1 %unit %name %name %u3 "
        "; error: ext-inst/debug-operands-have-required-kind",
        "%d = OpExtInst %void %debug DebugScope %unit ; error: ext-inst/instruction-is-in-permitted-section `DebugScope`",
        "%d = OpExtInst %void %debug DebugTypeVectorIdEXT %float %u4 ; error: ext-inst/debug-instruction-fits-revision",
    ],
)
def test_descriptions(line: str) -> None:
    check(module(line))


def test_a_message_says_what_there_is_and_what_is_expected() -> None:
    line = "%d = OpExtInst %void %debug DebugTypeVector %float %float_1 ; error: ext-inst/debug-operands-have-required-kind"
    (found,) = check(module(line))
    assert "%float_1 is an OpConstant of type f32" in found.message
    assert "u32" in found.message


def test_later_revisions() -> None:
    check(module("%d = OpExtInst %void %debug DebugTypeVectorIdEXT %float %u4", revision=101))


@pytest.mark.parametrize(
    "line",
    [
        "%d = OpExtInst %void %debug DebugScope %described",
        "%d = OpExtInst %void %debug DebugScope %float ; error: ext-inst/debug-operands-have-required-kind `%float`",
        "%d = OpExtInst %void %debug DebugDeclare %variable %local %expression",
        "%d = OpExtInst %void %debug DebugDeclare %variable %float_1 %expression ; error: ext-inst/debug-operands-have-required-kind `%float_1`",
        "%d = OpExtInst %void %debug DebugValue %variable %local %expression %u1",
        "%d = OpExtInst %void %debug DebugValue %variable %local %expression %float_1 ; error: ext-inst/debug-indexes-are-integers `%float_1`",
        "%d = OpExtInst %void %debug DebugLine %source %u1 %u2 %u2 %u1",
        "%d = OpExtInst %void %debug DebugLine %source %u2 %u1 %u0 %u0 ; error: ext-inst/debug-line-range-is-ordered `%u1`",
        "%d = OpExtInst %void %debug DebugLine %source %u1 %u1 %u2 %u1 ; error: ext-inst/debug-line-range-is-ordered",
        "%d = OpExtInst %void %debug DebugLine %source %u1 %u3 %u0 %u0 ; error: ext-inst/debug-position-is-in-source `%u3`",
        "%d = OpExtInst %void %debug DebugSource %name ; error: ext-inst/instruction-is-in-permitted-section `DebugSource`",
        "OpBranch %next\n%next = OpLabel\n"
        "%d = OpExtInst %void %debug DebugFunctionDefinition %described %main ; error: ext-inst/debug-definition-opens-function",
    ],
)
def test_places_in_code(line: str) -> None:
    check(module("", line))


def test_continued_sources_are_one_text() -> None:
    continued = "%more = OpExtInst %void %debug DebugSourceContinued %name\n"
    line = "%d = OpExtInst %void %debug DebugLexicalBlock %source %u3 %u4 %unit"
    text = module("").replace("%unit =", f"{continued}%unit =", 1).replace("%main = OpFunction", f"{line}\n%main = OpFunction")
    check(text.replace("second", "second\n"))
    check(text.replace(line, f"{line} ; error: ext-inst/debug-position-is-in-source `%u3`"))


def test_inheritance_of_classes_only() -> None:
    composite = "%c = OpExtInst %void %debug DebugTypeComposite %name {tag} %source %u1 %u1 %unit %name %u32_32 %u3\n"
    inherits = "%d = OpExtInst %void %debug DebugTypeInheritance %c %u0 %u32_32 %u3"
    check(module(composite.format(tag="%u1") + inherits))
    check(module(composite.format(tag="%u2") + f"{inherits} ; error: ext-inst/debug-inheritance-excludes-unions `%c`"))


def test_opencl_takes_literals_and_later_members() -> None:
    check(
        """
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical32 OpenCL
%name = OpString "name"
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u32_32 = OpConstant %u32 32
%zero = OpConstant %u32 0
%source = OpExtInst %void %debug DebugSource %name
%unit = OpExtInst %void %debug DebugCompilationUnit 1 4 %source OpenCL_C
%float = OpExtInst %void %debug DebugTypeBasic %name %u32_32 Float
%c = OpExtInst %void %debug DebugTypeComposite %name Structure %source 1 1 %unit %name %u32_32 FlagIsPublic %m
%m = OpExtInst %void %debug DebugTypeMember %name %float %source 1 1 %c %zero %u32_32 FlagIsPublic
%v = OpExtInst %void %debug DebugTypeVector %float 5 ; error: ext-inst/debug-component-count-is-valid `5`
%a = OpExtInst %void %debug DebugTypeArray %float %zero ; error: ext-inst/debug-component-count-is-valid `%zero`
"""
    )


def reflection(lines: str, *, version: int = 5) -> str:
    """A compute shader with reflection of a kernel."""
    return f"""
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.ClspvReflection.{version}"
%other_set = OpExtInstImport "NonSemantic.ClspvReflection.{version}"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%name = OpString "main"
%attributes = OpString ""
%bytes = OpString "00ff"
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%u4 = OpConstant %u32 4
%float_1 = OpConstant %f32 1
%main = OpFunction %void None %main_type
%entry = OpLabel
OpReturn
OpFunctionEnd
{lines}
"""


KERNEL = "%kernel = OpExtInst %void %set Kernel %main %name %u0 %u0 %attributes"


@pytest.mark.parametrize(
    ("version", "line"),
    [
        (5, f"{KERNEL}\n%a = OpExtInst %void %set ArgumentUniform %kernel %u0 %u0 %u1"),
        (5, f"{KERNEL}\n%a = OpExtInst %void %set ArgumentUniform %kernel %u0 %u0 %float_1 ; error: ext-inst/clspv-operands-have-required-kind `%float_1`"),
        (5, f"{KERNEL}\n%a = OpExtInst %void %set ArgumentUniform %main %u0 %u0 %u1 ; error: ext-inst/clspv-operands-have-required-kind `%main`"),
        (5, f"{KERNEL}\n%a = OpExtInst %void %other_set ArgumentUniform %kernel %u0 %u0 %u1 ; error: ext-inst/clspv-operands-have-required-kind `%kernel`"),
        (5, f"{KERNEL.replace('%void', '%u32')} ; error: ext-inst/clspv-result-is-void `%u32`"),
        (5, "%kernel = OpExtInst %void %set Kernel %main %name ; warning: ext-inst/clspv-kernel-is-complete"),
        (5, f"{KERNEL.replace('%u0 %attributes', '%u4 %attributes')} ; warning: ext-inst/clspv-kernel-flags-are-known `%u4`"),
        (5, f"{KERNEL.replace('%name', '%bytes')} ; error: ext-inst/clspv-operands-have-required-kind"),
        (4, "%kernel = OpExtInst %void %set Kernel %main %name"),
        (4, f"{KERNEL} ; error: ext-inst/clspv-instruction-fits-revision"),
        (4, "%p = OpExtInst %void %set PrintfInfo %u0 %name ; error: ext-inst/clspv-instruction-fits-revision"),
        (5, "%d = OpExtInst %void %set ConstantDataUniform %u0 %u0 %bytes"),
        (5, "%d = OpExtInst %void %set ConstantDataUniform %u0 %u0 %name ; warning: ext-inst/clspv-data-is-hexadecimal `%name`"),
    ],
)
def test_reflection(version: int, line: str) -> None:
    check(reflection(line, version=version))


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
