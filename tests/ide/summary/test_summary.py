"""Summaries: what a module is and offers."""

from __future__ import annotations

from hypothesis import given

from spvls.ide.source.source_module import SourceModule
from spvls.ide.summary.reflection import generator_name, summarize
from spvls.ide.summary.summary import ModuleHeader, Resource, Summary
from spvls.ide.summary.text import summary_lines, text
from spvls.ide.to_json import to_json
from spvls.ide.words.encoding import LiveEncoding
from tests.corpus import FIXTURES, text_of
from tests.strategies import texts

_REFLECTED = text_of(FIXTURES / "kernels" / "reflected.spvasm")

_TYPES = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %a %b
OpEntryPoint GLCompute %other "other"
OpExecutionMode %main LocalSize 8 4 1
OpExecutionModeId %other LocalSizeId %x %two %two
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %float 3
%m3 = OpTypeMatrix %v3 3
%two = OpConstant %uint 2
%x = OpSpecConstant %uint 16
%flag_type = OpTypeBool
%flag = OpSpecConstantTrue %flag_type
%array = OpTypeArray %m3 %two
%rest = OpTypeRuntimeArray %v3
%S = OpTypeStruct %float %array %rest
%pS = OpTypePointer StorageBuffer %S
%a = OpVariable %pS StorageBuffer
%U = OpTypeStruct %float
%Us = OpTypeArray %U %x
%pU = OpTypePointer Uniform %Us
%b = OpVariable %pU Uniform
%P = OpTypeStruct %v3 %m3
%pP = OpTypePointer PushConstant %P
%push = OpVariable %pP PushConstant
%dim = OpTypeImage %float Buffer 0 0 0 1 Rgba32f
%texels = OpTypeSampledImage %dim
%image = OpTypeImage %float 2D 0 0 0 2 Rgba32f
%images = OpTypeRuntimeArray %image
%pimages = OpTypePointer UniformConstant %images
%c = OpVariable %pimages UniformConstant
%sampler = OpTypeSampler
%psampler = OpTypePointer UniformConstant %sampler
%d = OpVariable %psampler UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%used = OpLoad %sampler %d
OpReturn
OpFunctionEnd
%other = OpFunction %void None %fn
%other_entry = OpLabel
OpReturn
OpFunctionEnd
"""

_DECORATIONS = """\
OpDecorate %S Block
OpMemberDecorate %S 0 Offset 0
OpMemberDecorate %S 1 Offset 16
OpMemberDecorate %S 1 RowMajor
OpMemberDecorate %S 1 MatrixStride 16
OpMemberDecorate %S 2 Offset 112
OpMemberDecorate %S 2 NonWritable
OpDecorate %array ArrayStride 48
OpDecorate %rest ArrayStride 16
OpDecorate %a DescriptorSet 1
OpDecorate %a Binding 3
OpDecorate %U Block
OpMemberDecorate %U 0 Offset 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 9
OpDecorate %P Block
OpMemberDecorate %P 0 Offset 0
OpMemberDecorate %P 1 Offset 16
OpMemberDecorate %P 1 ColMajor
OpMemberDecorate %P 1 MatrixStride 16
OpDecorate %c DescriptorSet 0
OpDecorate %c Binding 2
OpDecorate %c NonReadable
OpDecorate %d DescriptorSet 0
OpDecorate %d Binding 1
OpDecorate %x SpecId 7
OpMemberName %P 0 "origin"
"""

MODULE = _TYPES.replace("%void = ", _DECORATIONS + "%void = ", 1)


def summary_of(module: str) -> Summary:
    source = SourceModule(module)
    encoding = LiveEncoding(source)
    encoding.refresh()
    header = encoding.header
    words = len(encoding.all_words())
    return summarize(source, ModuleHeader(header.version, header.generator, header.bound, header.schema, words))


def _resources() -> dict[str, Resource]:
    return {found.id: found for found in summary_of(MODULE).resources}


def test_resources_are_told_by_set_and_binding() -> None:
    told = [(found.set, found.binding, found.kind, found.id, found.descriptors) for found in summary_of(MODULE).resources]
    assert told == [
        (0, 1, "sampler", "d", 1),
        (0, 2, "storage image", "c", 0),
        (0, 9, "uniform buffer", "b", None),
        (1, 3, "storage buffer", "a", 1),
    ]
    assert _resources()["c"].flags == ("NonReadable",)


def test_entry_points_that_use_a_resource_are_told() -> None:
    assert _resources()["d"].used_by == ("main",)
    assert _resources()["a"].used_by == ()


def test_the_layout_of_a_block() -> None:
    block = _resources()["a"].block
    assert block is not None
    assert (block.name, block.size, block.unbounded) == ("%S", 112, True)
    first, matrices, rest = block.members
    assert (first.type, first.offset, first.size) == ("f32", 0, 4)
    assert (matrices.offset, matrices.size, matrices.stride, matrices.matrix_stride, matrices.row_major) == (16, 92, 48, 16, True)
    assert (rest.offset, rest.size, rest.stride, rest.decorations) == (112, None, 16, ("NonWritable",))


def test_push_constants() -> None:
    (found,) = summary_of(MODULE).push_constants
    assert found.block is not None
    assert (found.id, found.block.size) == ("push", 64)
    assert [(member.name, member.offset, member.size) for member in found.block.members] == [("origin", 0, 12), ("", 16, 48)]


def test_specialization_constants_and_what_hangs_on_them() -> None:
    summary = summary_of(MODULE)
    assert [(found.spec_id, found.id, found.type, found.default) for found in summary.spec_constants] == [
        (7, "x", "u32", "16"),
        (None, "flag", "bool", "true"),
    ]
    main, other = summary.entry_points
    assert main.workgroup is not None and other.workgroup is not None
    assert main.workgroup == ((8, 4, 1), "LocalSize", False)
    assert other.workgroup == ((16, 2, 2), "LocalSizeId", True)


def test_ranges_are_those_of_declarations() -> None:
    lines = MODULE.split("\n")
    where = _resources()["d"].range
    assert where is not None and lines[where.start.line] == "%d = OpVariable %psampler UniformConstant"


def test_interfaces_have_places_built_ins_and_members() -> None:
    (point,) = summary_of(text_of(FIXTURES / "shaders" / "points.geom.spvasm")).entry_points
    told = [(found.storage, found.id, [(member.built_in, member.type) for member in found.members]) for found in point.interface]
    assert told == [("Input", "in", [("Position", "vec4<f32>")]), ("Output", "out", [("Position", "vec4<f32>")])]


def test_kernels_have_parameters() -> None:
    (point,) = summary_of(text_of(FIXTURES / "kernels" / "saxpy.spvasm")).entry_points
    assert [(found.id, found.type) for found in point.parameters] == [
        ("a", "f32"),
        ("x", "ptr<CrossWorkgroup, f32>"),
        ("y", "ptr<CrossWorkgroup, f32>"),
        ("n", "u64"),
    ]


def test_the_text_of_a_summary() -> None:
    lines = text(summary_of(text_of(FIXTURES / "shaders" / "lit.frag.spvasm"))).splitlines()
    assert lines[:3] == [
        "SPIR-V 1.5 · vulkan1.2 · Khronos SPIR-V Tools Assembler, version 0",
        "109 instructions · 467 words · 1,868 bytes · 1 function · 7 blocks · bound 73",
        "Memory model: Logical GLSL450",
    ]
    end = lines.index("Needs of a Vulkan device")
    assert lines[end:] == ["Needs of a Vulkan device", "  Vulkan 1.2", "      SPIR-V 1.5"]
    assert lines[end - 6 : end - 1] == [
        "  set 0  binding 1  uniform buffer          %lights  Lights, 272 bytes",
        "         0    count     i32                                    4 bytes",
        "        16    light     array<Light{vec4<f32>, vec4<f32>}, 8>  256 bytes  stride 32",
        "           0  position  vec4<f32>                              16 bytes",
        "          16  colour    vec4<f32>                              16 bytes",
    ]


def test_several_entry_points_are_told_which_resources_they_use() -> None:
    lines = text(summary_of(MODULE)).splitlines()
    assert "  set 0  binding 1  sampler            %d  sampler, used by main" in lines
    assert "  set 1  binding 3  storage buffer     %a  112 bytes and more, used by no entry point" in lines


def test_the_comment_of_a_text_names_its_generator() -> None:
    assert summary_of("; SPIR-V\n; Generator: Google rspirv; 7\nOpCapability Shader\n").generator == "Google rspirv, version 7"
    assert summary_of("; Generator: by hand\nOpCapability Shader\n").generator == "by hand"
    assert summary_of("OpCapability Shader\n; Generator: too late\n").generator == summary_of("OpCapability Shader\n").generator


def test_generators_are_named() -> None:
    assert generator_name(8 << 16 | 11) == "Khronos Glslang Reference Front End, version 11"
    assert generator_name(0xFFFF0001) == "unknown tool 65535, version 1"


@given(texts())
def test_anything_has_a_summary(module: str) -> None:
    summary = summary_of(module)
    assert len(summary_lines(summary)) >= 3
    assert to_json(summary)["sizes"]["words"] == summary.sizes.words >= 5


def test_a_structure_that_is_made_of_itself_has_a_summary() -> None:
    module = "\n".join(
        [
            "OpDecorate %v Binding 0",
            "OpMemberDecorate %S 0 Offset 0",
            "%S = OpTypeStruct %A",
            "%A = OpTypeArray %S %n",
            "%p = OpTypePointer Uniform %A",
            "%v = OpVariable %p Uniform",
        ]
    )
    (found,) = summary_of(module).resources
    assert (found.type, found.block) == ("?", None)


def test_what_a_device_has_to_have_is_told_with_what_asks_for_it() -> None:
    module = "OpCapability Shader\nOpCapability Geometry\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n"
    told = [(needed.name.split(" (")[0], [asked.name for asked in needed.asked_by]) for needed in summary_of(module).requirements]
    assert ("feature geometryShader", ["the capability Geometry"]) in told
    assert ("feature shaderFloat64", ["the capability Float64"]) in told
    assert "Needs of a Vulkan device" in text(summary_of(module))
    assert summary_of("OpCapability Kernel\nOpCapability Float64\nOpMemoryModel Physical64 OpenCL\n").requirements == ()


def test_sources_have_their_language_and_size() -> None:
    found = summary_of(text_of(FIXTURES / "sources" / "lines.frag.spvasm"))
    assert found.sources == (("shaders/fade.frag", "GLSL", 216), ("tone.h", "", None))
    lines = text(found).splitlines()
    at = lines.index("Sources")
    assert lines[at + 1 : at + 3] == ["  shaders/fade.frag  GLSL  216 bytes", "  tone.h                   text not in the module"]


def test_specialization_constants_have_their_range_and_their_users() -> None:
    found = {constant.id: constant for constant in summary_of(text_of(FIXTURES / "transform" / "specialized.comp.spvasm")).spec_constants}
    assert (found["mode"].values, found["mode"].used_by) == ("-2147483648 to 2147483647", ("%main",))
    assert (found["fast"].values, found["fast"].used_by) == ("true or false", ("%both",))
    assert found["height"].used_by == ("LocalSizeId", "%area", "%size")
    assert (found["exact"].values, found["exact"].used_by) == ("64-bit float", ())


def test_kernels_have_their_arguments_by_ordinal() -> None:
    scale, clear = summary_of(_REFLECTED).reflection.kernels
    assert (scale.name, scale.function, scale.argument_count, scale.flags) == ("_Z5scalePfi", "scale", 2, ("MayUsePrintf",))
    assert (scale.required_size, scale.attributes) == ((64, 1, 1), "reqd_work_group_size(64,1,1)")
    data, count = scale.arguments
    assert (data.ordinal, data.kind, data.name, data.type, data.set, data.binding) == (0, "storage buffer", "data", "float*", 0, 0)
    assert data.qualifiers == ("global", "volatile")
    assert (count.ordinal, count.kind, count.offset, count.size) == (1, "pod push constant", 12, 4)
    assert [(local.spec_id, local.element_size) for local in clear.arguments] == [(0, 4)]


def test_what_all_kernels_have_in_common_is_listed() -> None:
    found = summary_of(_REFLECTED).reflection
    assert [(value.kind, value.size, value.data_size, value.spec_ids) for value in found.shared] == [
        ("global offset", 12, None, ()),
        ("work dim", None, None, (0,)),
        ("constant data storage buffer", None, 8, ()),
        ("printf buffer storage buffer", 64, None, ()),
    ]
    assert [sampler[:5] for sampler in found.samplers] == [(1, 0, True, "clamp to edge", "linear")]
    assert [entry[:3] for entry in found.formats] == [(0, "%d of %d", (4, 4))]


def test_kernels_are_listed_as_text() -> None:
    listed = text(summary_of(_REFLECTED))
    assert 'Kernel "_Z5scalePfi" · scale(float*, int) · %scale · 2 arguments · MayUsePrintf' in listed
    assert "  1  pod push constant  offset 12 4 bytes  count  int, private\n" in listed
    assert '  0  "%d of %d"  sizes 4 4\n' in listed


def test_reflection_with_faults_is_listed_as_far_as_it_goes() -> None:
    broken = _REFLECTED.replace("Kernel %scale %scale_name %u2 %u1 %attributes", "Kernel %nothing %u1")
    broken = broken.replace("%clspv LiteralSampler %u1 %u0 %u35", "%clspv LiteralSampler %u1 %nothing")
    found = summary_of(broken).reflection
    assert (found.kernels[0].name, found.kernels[0].argument_count, len(found.kernels[0].arguments)) == ("", None, 2)
    assert 'Kernel "" · %nothing' in text(summary_of(broken))
