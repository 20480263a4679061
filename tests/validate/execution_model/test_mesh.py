"""Rules of `execution_model/mesh`: mesh and task shaders (SPV_EXT_mesh_shader; SPIR-V 3.3.26)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "OpSetMeshOutputsEXT %three %one",
        "OpSetMeshOutputsEXT %int_3 %one ; error: execution-model/mesh-output-types-match `%int_3`",
        "OpSetMeshOutputsEXT %three %f ; error: execution-model/mesh-output-types-match `%f`",
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
        "OpEmitMeshTasksEXT %one %one %one %private ; error: execution-model/mesh-output-types-match `%private`",
        "OpEmitMeshTasksEXT %one %i %one ; error: execution-model/mesh-output-types-match `%i`",
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
        ("MeshEXT", MESH_MODES, "", "%io = OpVariable %out_vec4 Output ; error: execution-model/mesh-outputs-are-arrays"),
        ("MeshEXT", MESH_MODES, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %out_array Output"),
        (
            "MeshEXT",
            MESH_MODES,
            "OpDecorate %io PerPrimitiveEXT",
            "%io = OpVariable %private_vec4 Private ; error: execution-model/mesh-outputs-are-arrays",
        ),
        ("Fragment", None, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %in_vec4 Input"),
        ("Fragment", None, "OpDecorate %io PerPrimitiveEXT", "%io = OpVariable %out_vec4 Output ; error: execution-model/mesh-outputs-are-arrays"),
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
