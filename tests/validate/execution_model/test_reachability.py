"""Rules of `execution_model/reachability`: what execution models, and what execution modes, the instructions of a function ask for."""

from __future__ import annotations

import pytest

import spvls
from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import diagnostics
from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.ext_inst import EXT_INST_INTERPOLATION, ext_inst_shader

DERIVES = """
%derives = OpFunction %void None %fn{expected}
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
LOCAL_SIZE = "OpExecutionMode %main LocalSize 4 1 1"
QUADS = "OpExecutionMode %main DerivativeGroupLinearKHR"
EXPECTED = " ; error: execution-model/supports-reached-instructions"


@pytest.mark.parametrize(
    ("body", "model", "fits"),
    [
        ("OpDemoteToHelperInvocation", "Fragment", True),
        ("OpDemoteToHelperInvocation", "Vertex", False),
        ("OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT", "Fragment", False),
    ],
)
def test_helper_invocations_and_interlock_are_for_fragments(body: str, model: str, fits: bool) -> None:
    text = shader(
        body,
        model=model,
        capabilities="DemoteToHelperInvocation FragmentShaderPixelInterlockEXT",
        extensions="SPV_EXT_fragment_shader_interlock",
    )
    assert {d.rule for d in spvls.validate(text)} == (set() if fits else {"execution-model/supports-reached-instructions"})


def module(
    model: str, modes: str, body: str = CALL, expected: str = "", capabilities: str = "", extensions: str = ""
) -> str:
    return MODULE.format(
        model=model,
        modes=modes,
        body=body,
        functions=DERIVES.format(expected=expected),
        capabilities=capabilities,
        extensions=extensions,
    )


def test_models_that_may_reach_an_instruction() -> None:
    check(module("Fragment", "OpExecutionMode %main OriginUpperLeft"))


def test_models_that_may_not() -> None:
    found = check(module("Vertex", "", expected=EXPECTED))
    related = [note.message for note in found[0].related]
    assert len(related) == 2
    assert "OpDPdx" in related[0]
    assert "Vertex" in related[1]


def test_functions_that_are_not_reached_have_no_limits() -> None:
    check(module("Vertex", "", body=""))


def test_models_that_take_an_execution_mode() -> None:
    capabilities = "OpCapability ComputeDerivativeGroupLinearKHR"
    extensions = 'OpExtension "SPV_KHR_compute_shader_derivatives"'
    check(module("GLCompute", f"{LOCAL_SIZE}\n{QUADS}", capabilities=capabilities, extensions=extensions))
    check(module("GLCompute", LOCAL_SIZE, expected=EXPECTED, capabilities=capabilities, extensions=extensions))


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
        %main = OpFunction %void None %fn ; error: execution-model/supports-reached-instructions
        %entry = OpLabel
        %value = OpLoad %array %out
        OpReturn
        OpFunctionEnd
    """
    assert check(text, env="vulkan1.3")[0].vuid == "VUID-StandaloneSpirv-MeshEXT-07107"


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


@pytest.mark.parametrize("terminator", ["OpKill", "OpTerminateInvocation"])
def test_fragments_alone_are_discarded(terminator: str) -> None:
    before, _, after = module("Vertex", "", body="").rpartition("OpReturn")
    text = before + terminator + after
    assert "execution-model/supports-reached-instructions" in {found.rule for found in spvls.validate(text, target_env="spv1.5")}
    fragment = text.replace("OpEntryPoint Vertex", "OpEntryPoint Fragment")
    assert "execution-model/supports-reached-instructions" not in {found.rule for found in spvls.validate(fragment, target_env="spv1.5")}


def test_interpolation_is_for_fragments() -> None:
    text = ext_inst_shader("%r = OpExtInst %f32 %set InterpolateAtCentroid %input", imports=EXT_INST_INTERPOLATION)
    text = text.replace("Fragment", "Vertex").replace("OpExecutionMode %main OriginUpperLeft\n", "")
    check(text.replace("None %main_type", "None %main_type ; error: execution-model/supports-reached-instructions"))


@pytest.mark.parametrize(
    ("storage", "model", "holds"),
    [
        ("Output", "GLCompute", False),
        ("Output", "Vertex", True),
        ("Workgroup", "Vertex", False),
        ("Workgroup", "GLCompute", True),
    ],
)
def test_storage_classes_belong_to_execution_models(storage: str, model: str, holds: bool) -> None:
    declarations = f"%p = OpTypePointer {storage} %vec4\n%x = OpVariable %p {storage}"
    text = shader(
        "OpStore %x %v4",
        declarations,
        model=model,
        interface="%x",
        annotations="OpDecorate %x Location 0" if storage == "Output" else "",
    )
    if not holds:
        text = text.replace("None %fn", "None %fn ; error: execution-model/supports-reached-instructions")
    check(text, env="vulkan1.2")
