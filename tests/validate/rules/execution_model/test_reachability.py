"""Rules of `execution_model/reachability`: what execution models, and what execution modes, the instructions of a function ask for."""

from __future__ import annotations

import spvls
from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics

DERIVES = """
%derives = OpFunction %void None %fn
%first = OpLabel
%d = OpDPdx %float %f
OpReturn
OpFunctionEnd
%between = OpFunction %void None %fn
%second = OpLabel
%call_derives = OpFunctionCall %void %derives
OpReturn
OpFunctionEnd
"""

MODULE = """
OpCapability Shader
{capabilities}
{extensions}
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main"
{modes}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%f = OpUndef %float
{functions}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""
CALL = "%call_between = OpFunctionCall %void %between"


def module(
    model: str, modes: str, body: str = CALL, capabilities: str = "", extensions: str = ""
) -> str:
    return MODULE.format(
        model=model,
        modes=modes,
        body=body,
        functions=DERIVES,
        capabilities=capabilities,
        extensions=extensions,
    )


def test_models_that_may_not() -> None:
    found = spvls.validate(module("Vertex", ""))
    related = [note.message for note in found[0].related]
    assert len(related) == 2
    assert "OpDPdx" in related[0]
    assert "Vertex" in related[1]


def test_a_vuid_comes_first() -> None:
    text = """
        OpCapability MeshShadingEXT
        OpExtension "SPV_EXT_mesh_shader"
        OpMemoryModel Logical GLSL450
        OpEntryPoint MeshEXT %main "main" %out
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionMode %main OutputVertices 3
        OpExecutionMode %main OutputPrimitivesEXT 1
        OpExecutionMode %main OutputTrianglesEXT
        OpDecorate %out Location 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %uint = OpTypeInt 32 0
        %three = OpConstant %uint 3
        %array = OpTypeArray %uint %three
        %out_array = OpTypePointer Output %array
        %out = OpVariable %out_array Output
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %value = OpLoad %array %out
        OpReturn
        OpFunctionEnd
    """
    assert spvls.validate(text, target_env="vulkan1.3")[0].vuid == "VUID-StandaloneSpirv-MeshEXT-07107"


def rules(checker: Checker, document: Document) -> list[str]:
    return [found.rule for found in diagnostics(checker, document)]


def replaced(document: Document, old: str, new: str) -> tuple[Range, str]:
    """The edit that replaces text, which stands on one line."""
    line = next(number for number, text in enumerate(document.lines) if old in text)
    column = document.lines[line].index(old)
    return Range(Position(line, column), Position(line, column + len(old))), new


def test_edits_elsewhere_change_who_reaches_a_function() -> None:
    document = Document(module("Vertex", "", body=""))
    checker = Checker(Module(document.chunks, environment("spv1.5")))
    assert rules(checker, document) == []
    call = "%call_derives = OpFunctionCall %void %derives"
    for old, new, refused in [
        ("%entry = OpLabel", f"%entry = OpLabel {CALL}", True),
        (call, "OpNop", False),
        ("OpNop", call, True),
        ("OpEntryPoint Vertex", "OpEntryPoint Fragment", False),
        ("OpEntryPoint Fragment", "OpEntryPoint Vertex", True),
    ]:
        checker.update(document.edit([replaced(document, old, new)]))
        assert ("execution-model/supports-reached-instructions" in rules(checker, document)) == refused, new
