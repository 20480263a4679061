"""Entry points, execution modes, the memory model, and what only some invocations may do."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.shaders import shader

TYPES = """\
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%half = OpTypeFloat 16
"""
MAIN = "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"


def entry(
    model: str, modes: str = "", *, capabilities: str = "Shader", at_entry: str = "", extensions: str = "", more: str = ""
) -> str:
    """A module with an entry point of a model and its modes; `at_entry` stands at the end of its line."""
    declared = "".join(f"OpCapability {name}\n" for name in f"{capabilities} Float16".split())
    named = "".join(f'OpExtension "{name}"\n' for name in extensions.split())
    memory = "Physical32 OpenCL" if "Kernel" in capabilities else "Logical GLSL450"
    heading = f'{declared}{named}OpMemoryModel {memory}\nOpEntryPoint {model} %main "main"{at_entry}\n'
    return f"{heading}{modes}\n{TYPES}{more}{MAIN}"


ORIGIN = "OpExecutionMode %main OriginUpperLeft"
TRIANGLES = "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3"


@pytest.mark.parametrize(
    ("model", "modes", "capabilities", "fits"),
    [
        ("Fragment", ORIGIN, "Shader", True),
        ("Fragment", "", "Shader", False),
        ("Fragment", f"{ORIGIN}\nOpExecutionMode %main OriginLowerLeft", "Shader", False),
        ("Fragment", f"{ORIGIN}\nOpExecutionMode %main DepthLess", "Shader", True),
        ("Fragment", f"{ORIGIN}\nOpExecutionMode %main DepthLess\nOpExecutionMode %main DepthGreater", "Shader", False),
        ("TessellationControl", "OpExecutionMode %main SpacingEqual", "Tessellation", True),
        ("TessellationControl", "OpExecutionMode %main Quads\nOpExecutionMode %main Isolines", "Tessellation", False),
        (
            "TessellationEvaluation",
            "OpExecutionMode %main VertexOrderCw\nOpExecutionMode %main VertexOrderCcw",
            "Tessellation",
            False,
        ),
        ("Geometry", TRIANGLES, "Geometry", True),
        ("Geometry", "OpExecutionMode %main InputPoints", "Geometry", False),
        ("Geometry", f"{TRIANGLES}\nOpExecutionMode %main InputPoints", "Geometry", False),
    ],
)
def test_modes_that_exclude_each_other(model: str, modes: str, capabilities: str, fits: bool) -> None:
    check(entry(model, modes, capabilities=capabilities, at_entry="" if fits else " ; error: entry-point/mode-choice `%main`"))


def test_the_origin_of_a_fragment_shader_can_be_set() -> None:
    (diagnostic,) = spvls.validate(entry("Fragment"))
    (fix,) = diagnostic.fixes
    assert [edit.text for edit in fix.edits] == ["\nOpExecutionMode %main OriginUpperLeft"]


@pytest.mark.parametrize(
    "line",
    [
        "OpExecutionMode %main LocalSize 8 8 1",
        "OpExecutionMode %main LocalSize 8 0 1 ; error: entry-point/workgroup-size-nonzero `0`",
        "OpExecutionModeId %main LocalSizeId %two %two %two",
        "OpExecutionMode %main LocalSizeId %two %two %two ; error: entry-point/mode-form `OpExecutionMode`",
        "OpExecutionModeId %main LocalSize 8 8 1 ; error: entry-point/mode-form `OpExecutionModeId`",
        "OpExecutionModeId %main LocalSizeId %two %two %uint ; error: execution-mode/extra-ids-constant `%uint`",
        "OpExecutionMode %main DepthReplacing ; error: execution-mode/models `DepthReplacing`",
        "OpExecutionMode %main Quads ; error: execution-mode/models\n",
        "OpExecutionMode %void LocalSize 1 1 1 ; error: entry-point/mode-target `%void`",
        "OpExecutionMode %main LocalSize 8 8 1\nOpExecutionMode %main LocalSize 8 8 1 ; error: execution-mode/no-duplicates",
    ],
)
def test_execution_modes(line: str) -> None:
    check(entry("GLCompute", line, capabilities="Shader Tessellation"))


FLOAT_CONTROLS = {"capabilities": "Shader FloatControls2 SignedZeroInfNanPreserve", "extensions": "SPV_KHR_float_controls2"}


@pytest.mark.parametrize(
    ("mask", "fault"),
    [("0", ""), ("0x70000", ""), ("0x40000", "`%mask`"), ("0x10", "`%mask`"), ("0x100000", "`%mask`")],
)
def test_the_default_of_fast_math(mask: str, fault: str) -> None:
    line = "OpExecutionModeId %main FPFastMathDefault %half %mask"
    line += f" ; error: execution-mode/extra-ids-constant {fault}" if fault else ""
    check(entry("GLCompute", line, more=f"%mask = OpConstant %uint {mask}\n", **FLOAT_CONTROLS))


def test_the_default_of_fast_math_names_a_float_type_and_stands_alone() -> None:
    line = "OpExecutionModeId %main FPFastMathDefault {} %two"
    wrong = line.format("%uint") + " ; error: execution-mode/extra-ids-constant `%uint`"
    check(entry("GLCompute", wrong, **FLOAT_CONTROLS))
    preserve = "\nOpExecutionMode %main SignedZeroInfNanPreserve 16"
    alone = line.format("%half") + " ; error: execution-mode/fast-math-default-alone"
    check(entry("GLCompute", alone + preserve, **FLOAT_CONTROLS))
    check(entry("GLCompute", line.format("%half"), **FLOAT_CONTROLS))


def test_where_fast_math_has_a_default_nothing_is_decorated_the_old_way() -> None:
    modes = "OpExecutionMode %main LocalSize 1 1 1{}"
    text = shader(
        "%r = OpFAdd %float %f %f ; error: entry-point/fast-math-default",
        modes=modes.format("\nOpExecutionModeId %main FPFastMathDefault %float %zero"),
        annotations="OpDecorate %r NoContraction",
        capabilities="FloatControls2",
        extensions="SPV_KHR_float_controls2",
    )
    check(text)
    check(shader("%r = OpFAdd %float %f %f", annotations="OpDecorate %r NoContraction"))


def test_workgroup_size_constants_stand_before_cooperative_matrices() -> None:
    text = """\
OpCapability Shader
OpCapability CooperativeMatrixKHR
OpCapability VulkanMemoryModel
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main"
OpExecutionModeId %main LocalSizeId %late %two %two
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%two = OpConstant %uint 2
{early}%m = OpTypeCooperativeMatrixKHR %float %two %two %two %two{fault}
{late}%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
    constant = "%late = OpConstant %uint 8\n"
    check(text.format(early=constant, late="", fault=""))
    fault = " ; error: execution-mode/local-size-id-before-matrix"
    check(text.format(early="", late=constant, fault=fault))


@pytest.mark.parametrize(
    ("env", "model", "modes", "fault"),
    [
        ("vulkan1.0", "Fragment", "OpExecutionMode %main OriginLowerLeft", "OriginLowerLeft-04653"),
        ("vulkan1.0", "Fragment", f"{ORIGIN}\nOpExecutionMode %main PixelCenterInteger", "PixelCenterInteger-04654"),
        ("vulkan1.0", "Fragment", ORIGIN, None),
        ("vulkan1.3", "GLCompute", "OpExecutionModeId %main LocalSizeId %two %two %two", None),
        ("spv1.6", "Fragment", "OpExecutionMode %main OriginLowerLeft", None),
    ],
)
def test_modes_in_vulkan(env: str, model: str, modes: str, fault: str | None) -> None:
    found = spvls.validate(
        entry(model, modes).replace("OpCapability Float16\n", "").replace("%half = OpTypeFloat 16\n", ""), target_env=env
    )
    assert [(d.rule, d.vuid) for d in found] == (
        [("execution-mode/environment", f"VUID-StandaloneSpirv-{fault}")] if fault else []
    )


def test_local_size_id_before_vulkan_1_3() -> None:
    text = entry(
        "GLCompute", "OpExecutionModeId %main LocalSizeId %two %two %two ; error: execution-mode/environment `LocalSizeId`"
    )
    check(text, env="vulkan1.2")
    assert not spvls.validate(text, target_env="vulkan1.2", options={"allow_localsizeid": True})


MESH = {"capabilities": "MeshShadingEXT", "extensions": "SPV_EXT_mesh_shader"}
OUTPUT = "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices {}\n"
OUTPUT += "OpExecutionMode %main OutputPrimitivesEXT 1"


@pytest.mark.parametrize(("vertices", "fits"), [("3", True), ("0", False)])
def test_mesh_shaders_have_vertices(vertices: str, fits: bool) -> None:
    found = spvls.validate(entry("MeshEXT", OUTPUT.format(vertices), **MESH), target_env="vulkan1.3")
    assert [d.vuid for d in found] == ([] if fits else ["VUID-StandaloneSpirv-MeshEXT-07330"])


@pytest.mark.parametrize(
    ("modes", "vuid"),
    [
        ("OpExecutionMode %main LocalSize 1 1 1", None),
        ("", "VUID-StandaloneSpirv-None-10685"),
        (
            "OpExecutionMode %main LocalSize 3 4 1\nOpExecutionMode %main DerivativeGroupQuadsKHR",
            "VUID-StandaloneSpirv-DerivativeGroupQuadsKHR-10151",
        ),
        ("OpExecutionMode %main LocalSize 4 4 1\nOpExecutionMode %main DerivativeGroupQuadsKHR", None),
        (
            "OpExecutionMode %main LocalSize 3 3 1\nOpExecutionMode %main DerivativeGroupLinearKHR",
            "VUID-StandaloneSpirv-DerivativeGroupLinearKHR-10152",
        ),
        ("OpExecutionMode %main LocalSize 2 2 1\nOpExecutionMode %main DerivativeGroupLinearKHR", None),
    ],
)
def test_sizes_of_workgroups_in_vulkan(modes: str, vuid: str | None) -> None:
    derivatives = "ComputeDerivativeGroupQuadsKHR ComputeDerivativeGroupLinearKHR"
    text = entry("GLCompute", modes, capabilities=f"Shader {derivatives}", extensions="SPV_KHR_compute_shader_derivatives")
    assert [d.vuid for d in spvls.validate(text, target_env="vulkan1.3")] == ([vuid] if vuid else [])


@pytest.mark.parametrize(
    ("model", "modes", "vuid"),
    [
        ("GLCompute", "OpExecutionMode %main TileShadingRateQCOM 2 2 1", None),
        (
            "GLCompute",
            "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main TileShadingRateQCOM 2 2 1",
            "TileShadingRateQCOM-10692",
        ),
        ("Vertex", "", "TileShadingQCOM-10686"),
        ("Vertex", "OpExecutionMode %main TileShadingRateQCOM 2 2 1", "Execution-10688"),
        (
            "GLCompute",
            "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main NonCoherentTileAttachmentReadQCOM",
            "Execution-10687",
        ),
    ],
)
def test_tile_shading(model: str, modes: str, vuid: str | None) -> None:
    text = entry(model, modes, capabilities="Shader TileShadingQCOM", extensions="SPV_QCOM_tile_shading")
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.4")]
    assert found == ([f"VUID-StandaloneSpirv-{vuid}"] if vuid else [])


def test_a_module_has_an_entry_point() -> None:
    check("OpCapability Shader\nOpMemoryModel Logical GLSL450 ; error: entry-point/at-least-one")
    check("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450")


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ("%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd", ""),
        ("%main = OpConstant %uint 1", " ; error: entry-point/target-is-function `%main`"),
        (
            "%fu = OpTypeFunction %void %uint\n%main = OpFunction %void None %fu\n%p = OpFunctionParameter %uint\n"
            "%l = OpLabel\nOpReturn\nOpFunctionEnd",
            " ; error: entry-point/target-is-function `%main`",
        ),
        (
            "%gu = OpTypeFunction %uint\n%main = OpFunction %uint None %gu\n%l = OpLabel\nOpReturnValue %two\nOpFunctionEnd",
            " ; error: entry-point/target-is-function `%main`",
        ),
    ],
)
def test_the_function_of_an_entry_point(declared: str, fault: str) -> None:
    heading = (
        f'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"{fault}\n'
    )
    check(heading + TYPES + declared)


def test_entry_points_have_names_of_their_own() -> None:
    again = '\nOpEntryPoint Vertex %main "main" ; error: entry-point/unique-name-per-model `"main"`'
    check(entry("Vertex", at_entry=again))
    check(entry("Vertex", at_entry='\nOpEntryPoint GLCompute %main "main"'))


CALLER = "%main = OpFunction %void None %fn{}\n%entry = OpLabel\n%c = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
CALLEE = "%f = OpFunction %void None %fn\n%l = OpLabel\n{}OpReturn\nOpFunctionEnd"


def test_entry_points_are_not_called() -> None:
    fault = " ; error: entry-point/not-called"
    call = "%d = OpFunctionCall %void %main\n"
    heading = 'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"\n'
    check(heading + TYPES + CALLER.format("") + CALLEE.format(""))
    check(heading + TYPES + CALLER.format(fault) + CALLEE.format(call))


def test_vulkan_has_no_recursion() -> None:
    heading = 'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"\n'
    call = "%d = OpFunctionCall %void %f\n"
    text = heading + TYPES + CALLER.format(" ; error: entry-point/no-recursion") + CALLEE.format(call)
    check(text, env="vulkan1.3")
    assert not spvls.validate(text, target_env="spv1.6")


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
    assert {d.rule for d in spvls.validate(text)} == (set() if fits else {"entry-point/execution-model"})


def test_an_interlock_needs_its_mode() -> None:
    check(
        shader(
            "OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT",
            model="Fragment",
            modes=f"{ORIGIN}\nOpExecutionMode %main PixelInterlockOrderedEXT",
            capabilities="FragmentShaderPixelInterlockEXT",
            extensions="SPV_EXT_fragment_shader_interlock",
        )
    )


def test_is_helper_invocation_tells_a_truth_value() -> None:
    needs = {
        "capabilities": "DemoteToHelperInvocation",
        "extensions": "SPV_EXT_demote_to_helper_invocation",
        "model": "Fragment",
    }
    check(shader("%r = OpIsHelperInvocationEXT %bool", **needs))
    check(shader("%r = OpIsHelperInvocationEXT %uint ; error: invocation/is-helper-bool `%uint`", **needs))


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpReadClockKHR %ulong %one",
        "%r = OpReadClockKHR %uvec2 %three",
        "%r = OpReadClockKHR %uint %one ; error: invocation/clock `%uint`",
        "%r = OpReadClockKHR %ulong %two ; error: invocation/clock `%two`",
    ],
)
def test_the_clock(line: str) -> None:
    check(shader(line, capabilities="ShaderClockKHR", extensions="SPV_KHR_shader_clock"), env="vulkan1.3")


@pytest.mark.parametrize(
    ("env", "model", "rule"),
    [
        ("spv1.6", "Logical GLSL450", None),
        ("vulkan1.3", "Logical GLSL450", None),
        ("vulkan1.3", "Physical32 GLSL450", "vulkan/addressing-model"),
        ("opencl2.2", "Physical64 OpenCL", None),
        ("opencl2.2", "Logical OpenCL", "opencl/memory-model"),
        ("opencl2.2", "Physical64 GLSL450", "opencl/memory-model"),
    ],
)
def test_memory_models(env: str, model: str, rule: str | None) -> None:
    capabilities = "Shader Linkage Kernel Addresses" if env.startswith("spv") or "GLSL" in model else "Kernel Linkage Addresses"
    text = "".join(f"OpCapability {name}\n" for name in capabilities.split()) + f"OpMemoryModel {model}"
    found = {d.rule for d in spvls.validate(text, target_env=env) if d.rule != "capability/client-api"}
    assert found == ({rule} if rule else set())


def test_the_vulkan_memory_model_goes_with_its_capability() -> None:
    text = "OpCapability Shader\nOpCapability Linkage\nOpCapability VulkanMemoryModel\nOpMemoryModel Logical {}"
    check(text.format("GLSL450 ; error: capability/vulkan-memory-model-iff `GLSL450`"))
    check(text.format("Vulkan"))


@pytest.mark.parametrize(("scope", "fits"), [("%three", True), ("%one", False)])
def test_scopes_of_cooperative_matrices_in_vulkan(scope: str, fits: bool) -> None:
    line = f"%m = OpTypeCooperativeMatrixKHR %float {scope} %four %four %two"
    line += "" if fits else f" ; error: vulkan/cooperative-matrix-scope `{scope}`"
    needs = {"capabilities": "CooperativeMatrixKHR VulkanMemoryModel", "extensions": "SPV_KHR_cooperative_matrix"}
    check(shader("", line, memory_model="Vulkan", **needs), env="vulkan1.3")
