"""Variables that are added come with all that they need, in one edit."""

from __future__ import annotations

import pytest

import spvls
from spvls.ide.refactor.offers import edits_of, refactorings
from spvls.text.edits import edited
from tests.ide.marked import marked

_FRAGMENT = """\
; SPIR-V
; Version: {version}
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v3float = OpTypeVector %float 3
%mat3 = OpTypeMatrix %v3float 3
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def module(version: str = "1.0", declarations: str = "", annotations: str = "") -> str:
    text = _FRAGMENT.format(version=version, declarations=declarations, annotations=annotations)
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def added(text: str, key: str) -> list[str]:
    """The lines that a refactoring adds to a sound text; it is sound then as well."""
    source, cursor, _ = marked(text)
    assert spvls.validate(source.text) == []
    edits = edits_of(source, cursor, key)
    assert edits is not None
    after = edited(source.text, edits)
    assert [d.message for d in spvls.validate(after)] == []
    before = source.text.split("\n")
    return [line for line in after.split("\n") if line not in before]


def keys(text: str) -> set[str]:
    source, cursor, _ = marked(text)
    return {found.key for found in refactorings(source, cursor)}


def at(line: str, text: str) -> str:
    """A text with the cursor on the id that a line begins with."""
    return text.replace(f"\n{line}", f"\n‸{line}")


def test_an_input_takes_the_next_location_and_is_listed() -> None:
    declarations = "%p = OpTypePointer Input %v3float\n%first = OpVariable %p Input"
    text = at("%v3float =", module(declarations=declarations, annotations="OpDecorate %first Location 2"))
    text = text.replace('"main"', '"main" %first')
    assert added(text, "add-input") == [
        'OpEntryPoint Fragment %main "main" %first %input',
        'OpName %input "input"',
        "OpDecorate %input Location 3",
        "%input = OpVariable %p Input",
    ]


def test_an_integer_input_of_a_fragment_shader_is_flat() -> None:
    assert added(at("%int =", module()), "add-input")[2:4] == ["OpDecorate %input Location 0", "OpDecorate %input Flat"]


def test_an_output_of_an_entry_point_at_the_cursor_has_four_components() -> None:
    text = module().replace("OpEntryPoint", "OpEntry‸Point")
    assert added(text, "add-output") == [
        'OpEntryPoint Fragment %main "main" %output',
        'OpName %output "output"',
        "OpDecorate %output Location 0",
        "%v4float = OpTypeVector %float 4",
        "%_ptr_Output_v4float = OpTypePointer Output %v4float",
        "%output = OpVariable %_ptr_Output_v4float Output",
    ]


def test_locations_of_the_members_of_blocks_are_taken() -> None:
    declarations = "%block = OpTypeStruct %v3float\n%p = OpTypePointer Input %block\n%all = OpVariable %p Input"
    annotations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 4"
    text = at("%v3float =", module(declarations=declarations, annotations=annotations)).replace('"main"', '"main" %all')
    assert "OpDecorate %input Location 5" in added(text, "add-input")


def test_a_uniform_block_has_the_layout_of_its_matrix_and_the_next_binding() -> None:
    declarations = "%p = OpTypePointer UniformConstant %image\n%a = OpVariable %p UniformConstant"
    annotations = "OpDecorate %a DescriptorSet 1\nOpDecorate %a Binding 0"
    text = at("%mat3 =", module(declarations=declarations, annotations=annotations))
    assert added(text, "add-uniform") == [
        'OpName %Uniforms "Uniforms"',
        'OpMemberName %Uniforms 0 "value"',
        'OpName %uniforms "uniforms"',
        "OpDecorate %Uniforms Block",
        "OpMemberDecorate %Uniforms 0 Offset 0",
        "OpMemberDecorate %Uniforms 0 ColMajor",
        "OpMemberDecorate %Uniforms 0 MatrixStride 16",
        "OpDecorate %uniforms DescriptorSet 1",
        "OpDecorate %uniforms Binding 1",
        "%Uniforms = OpTypeStruct %mat3",
        "%_ptr_Uniform_Uniforms = OpTypePointer Uniform %Uniforms",
        "%uniforms = OpVariable %_ptr_Uniform_Uniforms Uniform",
    ]


@pytest.mark.parametrize(("version", "storage", "block"), [("1.0", "Uniform", "BufferBlock"), ("1.3", "StorageBuffer", "Block")])
def test_a_storage_buffer_has_a_run_time_array(version: str, storage: str, block: str) -> None:
    lines = added(at("%v3float =", module(version)), "add-storage-buffer")
    assert f"OpDecorate %Buffer {block}" in lines
    assert "OpDecorate %_runtimearr_v3float ArrayStride 16" in lines
    assert lines[-4:] == [
        "%_runtimearr_v3float = OpTypeRuntimeArray %v3float",
        "%Buffer = OpTypeStruct %_runtimearr_v3float",
        f"%_ptr_{storage}_Buffer = OpTypePointer {storage} %Buffer",
        f"%buffer = OpVariable %_ptr_{storage}_Buffer {storage}",
    ]


def test_storage_buffers_share_one_form() -> None:
    declarations = "%old = OpTypeStruct %float\n%p = OpTypePointer Uniform %old\n%b = OpVariable %p Uniform"
    annotations = "OpDecorate %old BufferBlock\nOpMemberDecorate %old 0 Offset 0\nOpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0"
    text = at("%v3float =", module("1.3", declarations, annotations))
    assert "OpDecorate %Buffer BufferBlock" in added(text, "add-storage-buffer")


def test_interfaces_list_resources_since_version_1_4() -> None:
    listed = 'OpEntryPoint Fragment %main "main" %push_constants'
    assert added(at("%float =", module("1.4")), "add-push-constants")[0] == listed
    assert listed not in added(at("%float =", module("1.3")), "add-push-constants")


def test_an_image_is_bound() -> None:
    assert added(at("%image =", module()), "add-uniform") == [
        'OpName %image_1 "image_1"',
        "OpDecorate %image_1 DescriptorSet 0",
        "OpDecorate %image_1 Binding 0",
        "%_ptr_UniformConstant_image = OpTypePointer UniformConstant %image",
        "%image_1 = OpVariable %_ptr_UniformConstant_image UniformConstant",
    ]


_PER_VERTEX = """\
; spvls: target-env=vulkan1.3
OpCapability {capability}
{extension}
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main"
{modes}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v3float = OpTypeVector %float 3
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def per_vertex(model: str, *modes: str, declarations: str = "") -> str:
    """A shader of a model whose inputs or outputs are arrays with an element for each vertex."""
    is_mesh = model == "MeshEXT"
    text = _PER_VERTEX.format(
        model=model,
        capability={"Geometry": "Geometry", "MeshEXT": "MeshShadingEXT"}.get(model, "Tessellation"),
        extension='OpExtension "SPV_EXT_mesh_shader"' if is_mesh else "",
        modes="\n".join(f"OpExecutionMode %main {mode}" for mode in modes),
        declarations=declarations + ("\n%zero = OpConstant %uint 0" if is_mesh else ""),
        body="OpSetMeshOutputsEXT %zero %zero" if is_mesh else "",
    )
    return at("%v3float =", "\n".join(line for line in text.split("\n") if line.strip()) + "\n")


_GEOMETRY = ("OutputTriangleStrip", "OutputVertices 3", "Invocations 1")
_MESH = ("LocalSize 1 1 1", "OutputTrianglesEXT", "OutputPrimitivesEXT 2")


@pytest.mark.parametrize(
    ("model", "modes", "key", "count"),
    [
        ("TessellationControl", ["OutputVertices 4"], "add-input", 32),
        ("TessellationControl", ["OutputVertices 4"], "add-output", 4),
        ("TessellationEvaluation", ["Triangles", "SpacingEqual", "VertexOrderCcw"], "add-input", 32),
        ("TessellationEvaluation", ["Triangles", "SpacingEqual", "VertexOrderCcw"], "add-output", None),
        *[
            ("Geometry", [mode, *_GEOMETRY], "add-input", count)
            for mode, count in {
                "InputPoints": 1, "InputLines": 2, "Triangles": 3, "InputLinesAdjacency": 4, "InputTrianglesAdjacency": 6
            }.items()
        ],
        ("Geometry", ["InputPoints", *_GEOMETRY], "add-output", None),
        ("MeshEXT", ["OutputVertices 5", *_MESH], "add-output", 5),
    ],
)  # fmt: skip
def test_what_each_vertex_has_is_an_array_of_as_many(model: str, modes: list[str], key: str, count: int | None) -> None:
    name, storage = key.removeprefix("add-"), key.removeprefix("add-").title()
    array, declared = "v3float", []
    if count is not None:
        array = f"_arr_v3float_uint_{count}"
        declared = [f"%uint_{count} = OpConstant %uint {count}", f"%{array} = OpTypeArray %v3float %uint_{count}"]
    assert added(per_vertex(model, *modes), key)[-3 - len(declared) :] == [
        f"OpDecorate %{name} Location 0",
        *declared,
        f"%_ptr_{storage}_{array} = OpTypePointer {storage} %{array}",
        f"%{name} = OpVariable %_ptr_{storage}_{array} {storage}",
    ]


def test_an_array_that_is_there_is_used_again_and_takes_one_location() -> None:
    text = per_vertex("Geometry", "Triangles", *_GEOMETRY).replace('"main"', '"main" %first')
    declarations = "%three = OpConstant %uint 3\n%all = OpTypeArray %v3float %three\n%p = OpTypePointer Input %all"
    text = text.replace("%main = OpFunction", f"{declarations}\n%first = OpVariable %p Input\n%main = OpFunction")
    text = text.replace("%void = OpTypeVoid", "OpDecorate %first Location 2\n%void = OpTypeVoid")
    assert added(text, "add-input")[2:] == ["OpDecorate %input Location 3", "%input = OpVariable %p Input"]


def test_an_integer_type_is_declared_for_the_length() -> None:
    text = per_vertex("TessellationControl", "OutputVertices 4").replace("%uint = OpTypeInt 32 0\n", "")
    assert added(text, "add-output")[3:6] == [
        "%uint = OpTypeInt 32 0",
        "%uint_4 = OpConstant %uint 4",
        "%_arr_v3float_uint_4 = OpTypeArray %v3float %uint_4",
    ]


@pytest.mark.parametrize(
    ("model", "modes", "key", "missing"),
    [
        ("Geometry", _GEOMETRY, "add-input", "that names its input primitive, such as Triangles"),
        ("TessellationControl", (), "add-output", "OutputVertices"),
        ("MeshEXT", _MESH, "add-output", "OutputVertices"),
    ],
)
def test_an_array_of_unknown_length_is_refused_with_the_reason(model: str, modes: tuple[str, ...], key: str, missing: str) -> None:
    source, cursor, _ = marked(per_vertex(model, *modes))
    (refused,) = [found for found in refactorings(source, cursor) if found.key == key]
    reason = "It must be an array with an element for each vertex, and %main has no execution mode"
    assert refused.refused == f"{reason} {missing}."
    assert edits_of(source, cursor, key) is None


def test_what_does_not_apply_is_not_offered() -> None:
    kernel = "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical32 OpenCL\n%flo‸at = OpTypeFloat 32\n"
    assert not {key for key in keys(kernel) if key.startswith("add-") and key != "add-opname"}
    assert "add-input" not in keys(at("%void =", module()))
    assert "add-output" not in keys(at("%mat3 =", module()))
    twice = "%block = OpTypeStruct %float\n%p = OpTypePointer PushConstant %block\n%c = OpVariable %p PushConstant"
    assert "add-push-constants" not in keys(at("%float =", module(declarations=twice)))
    compute = module().replace("Fragment", "GLCompute").replace("OriginUpperLeft", "LocalSize 1 1 1")
    assert {"add-input", "add-output", "add-uniform"} & keys(at("%float =", compute)) == {"add-uniform"}
