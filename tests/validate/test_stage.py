"""What belongs to some execution models: derivatives, streams, meshes; hints to optimizers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%d = OpDPdx %vec2 %v2",
        "%d = OpFwidthFine %float %f",
        "%d = OpDPdx %int %i ; error: derivative/operands `%int`",
        "%d = OpDPdy %float %v2 ; error: derivative/operands `%v2`",
        "%d = OpDPdx %double %dd ; error: derivative/operands `%double`",
    ],
)
def test_derivatives(line: str) -> None:
    declarations = "%double = OpTypeFloat 64\n%dd = OpUndef %double"
    check(shader(line, declarations, capabilities="Float64 DerivativeControl", model="Fragment"))


GEOMETRY = """
    OpExecutionMode %main InputPoints
    OpExecutionMode %main OutputPoints
    OpExecutionMode %main OutputVertices 1
"""


@pytest.mark.parametrize(
    "line",
    [
        "OpEmitStreamVertex %one",
        "OpEmitStreamVertex %u ; error: primitive/stream `%u`",
        "OpEndStreamPrimitive %f ; error: primitive/stream `%f`",
    ],
)
def test_streams(line: str) -> None:
    check(shader(line, capabilities="Geometry GeometryStreams", model="Geometry", modes=GEOMETRY))


@pytest.mark.parametrize(
    "line",
    [
        "OpAssumeTrueKHR %b",
        "OpAssumeTrueKHR %u ; error: expectation/operands `%u`",
        "%e = OpExpectKHR %int %i %int_1",
        "%e = OpExpectKHR %float %f %f ; error: expectation/operands `%float`",
        "%e = OpExpectKHR %uint %i %one ; error: expectation/operands `%i`",
        "%e = OpExpectKHR %int %i %one ; error: expectation/operands `%one`",
    ],
)
def test_hints(line: str) -> None:
    text = shader(line, "%int_1 = OpConstant %int 1", capabilities="ExpectAssumeKHR", extensions="SPV_KHR_expect_assume")
    check(text, env="spv1.3")


@pytest.mark.parametrize(
    "line",
    [
        "OpSetMeshOutputsEXT %three %one",
        "OpSetMeshOutputsEXT %int_3 %one ; error: mesh/counts `%int_3`",
        "OpSetMeshOutputsEXT %three %f ; error: mesh/counts `%f`",
    ],
)
def test_outputs_of_meshes(line: str) -> None:
    modes = """
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionMode %main OutputVertices 3
        OpExecutionMode %main OutputPrimitivesEXT 1
        OpExecutionMode %main OutputTrianglesEXT
    """
    declarations = "%int_3 = OpConstant %int 3"
    text = shader(
        line, declarations, capabilities="MeshShadingEXT", extensions="SPV_EXT_mesh_shader", model="MeshEXT", modes=modes
    )
    check(text, env="spv1.4")


@pytest.mark.parametrize(
    "end",
    [
        "OpEmitMeshTasksEXT %one %one %one",
        "OpEmitMeshTasksEXT %one %one %one %payload",
        "OpEmitMeshTasksEXT %one %one %one %private ; error: mesh/counts `%private`",
        "OpEmitMeshTasksEXT %one %i %one ; error: mesh/counts `%i`",
    ],
)
def test_tasks(end: str) -> None:
    declarations = """
        %task_uint = OpTypePointer TaskPayloadWorkgroupEXT %uint
        %private_uint = OpTypePointer Private %uint
        %payload = OpVariable %task_uint TaskPayloadWorkgroupEXT
        %private = OpVariable %private_uint Private
    """
    text = shader(
        "",
        declarations,
        end=end,
        capabilities="MeshShadingEXT",
        extensions="SPV_EXT_mesh_shader",
        model="TaskEXT",
        modes="OpExecutionMode %main LocalSize 1 1 1",
        interface="%payload %private",
    )
    check(text, env="spv1.4")


MESH_MODES = """
    OpExecutionMode %main LocalSize 1 1 1
    OpExecutionMode %main OutputVertices 3
    OpExecutionMode %main OutputPrimitivesEXT 1
    OpExecutionMode %main OutputTrianglesEXT
"""


@pytest.mark.parametrize(
    ("model", "modes", "annotations", "variable"),
    [
        ("MeshEXT", MESH_MODES, "", "%io = OpVariable %out_array Output"),
        ("MeshEXT", MESH_MODES, "", "%io = OpVariable %out_vec4 Output ; error: mesh/interface"),
        ("MeshEXT", MESH_MODES, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %out_array Output"),
        (
            "MeshEXT",
            MESH_MODES,
            "OpDecorate %io PerPrimitiveEXT",
            "%io = OpVariable %private_vec4 Private ; error: mesh/interface",
        ),
        ("Fragment", None, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %in_vec4 Input"),
        ("Fragment", None, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %out_vec4 Output ; error: mesh/interface"),
    ],
)
def test_interface_of_meshes(model: str, modes: str | None, annotations: str, variable: str) -> None:
    declarations = f"""
        %array = OpTypeArray %vec4 %three
        %out_array = OpTypePointer Output %array
        %out_vec4 = OpTypePointer Output %vec4
        %in_vec4 = OpTypePointer Input %vec4
        %private_vec4 = OpTypePointer Private %vec4
        {variable}
    """
    text = shader(
        "",
        declarations,
        capabilities="MeshShadingEXT",
        extensions="SPV_EXT_mesh_shader",
        model=model,
        modes=modes,
        interface="%io",
        annotations=annotations,
    )
    check(text, env="spv1.4")
