"""Annotations: their forms and groups, what decorations decorate, linkage, names; the reflection of clspv."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.shaders import shader

HEAD = "OpCapability Shader\nOpCapability Linkage\nOpCapability Matrix\n"
MODEL = "OpMemoryModel Logical GLSL450\n"
TYPES = """\
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%mat = OpTypeMatrix %vec4 4
%four = OpConstant %int 4
%spec = OpSpecConstant %int 4
%spec3 = OpConstant %int 3
%array = OpTypeArray %float %four
%S = OpTypeStruct %float %mat
%T = OpTypeStruct %float
%private = OpTypePointer Private %float
%input = OpTypePointer Input %float
%output = OpTypePointer Output %vec4
%variable = OpVariable %private Private
%in = OpVariable %input Input
%out = OpVariable %output Output
"""


def module(annotations: str, more: str = "", capabilities: str = "", extensions: str = "") -> str:
    """A library with annotations of the types and variables above."""
    declared = "".join(f"OpCapability {name}\n" for name in capabilities.split())
    named = "".join(f'OpExtension "{name}"\n' for name in extensions.split())
    return f"{HEAD}{declared}{named}{MODEL}{annotations}\n{TYPES}{more}"


@pytest.mark.parametrize(
    "line",
    [
        "OpDecorate %T Block",
        "OpDecorate %int Block ; error: decoration/target `%int`",
        "OpDecorate %array ArrayStride 16",
        "OpDecorate %int ArrayStride 16 ; error: decoration/target `%int`",
        "OpDecorate %spec SpecId 1",
        "OpDecorate %four SpecId 1 ; error: decoration/target `%four`",
        "OpDecorate %in Flat",
        "OpDecorate %four Flat ; error: decoration/target `%four`",
        "OpDecorate %in Location 0",
        "OpDecorate %float Location 0 ; error: decoration/target `%float`",
        "OpDecorate %in BuiltIn PointSize",
        "OpDecorate %float BuiltIn PointSize ; error: decoration/target `%float`",
        "OpDecorate %in BuiltIn WorkgroupSize ; error: decoration/target `%in`",
        "OpMemberDecorate %S 1 ColMajor",
        "OpMemberDecorate %S 2 ColMajor ; error: decoration/member `2`",
        "OpMemberDecorate %int 0 ColMajor ; error: decoration/member `%int`",
        "OpMemberDecorate %S 0 Block ; error: decoration/member `Block`",
        "OpDecorate %variable RowMajor ; error: decoration/members-only `RowMajor`",
        "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup ; warning: version/deprecated\n"
        "OpGroupDecorate %group %in %out ; warning: version/deprecated",
        "%group = OpDecorationGroup ; warning: version/deprecated\n"
        "OpGroupDecorate %group %group ; error: opcode/OpGroupDecorate/group ; warning: version/deprecated",
        '%str = OpString "s"\nOpGroupDecorate %str %in ; error: opcode/OpGroupDecorate/group `%str` ; warning: version/deprecated',
        "%group = OpDecorationGroup ; warning: version/deprecated\n"
        "OpGroupMemberDecorate %group %S 0 ; warning: version/deprecated",
        "%group = OpDecorationGroup ; warning: version/deprecated\n"
        "OpGroupMemberDecorate %group %S 2 ; error: opcode/OpGroupDecorate/group `2` ; warning: version/deprecated",
        "%group = OpDecorationGroup ; warning: version/deprecated\n"
        "OpGroupMemberDecorate %group %int 0 ; error: opcode/OpGroupDecorate/group `%int` ; warning: version/deprecated",
        "OpMemberDecorate %group 0 Offset 0\n%group = OpDecorationGroup ; error: opcode/OpDecorationGroup/users `%group` ; warning: version/deprecated",
        'OpName %group "g"\n%group = OpDecorationGroup ; warning: version/deprecated',
        'OpMemberName %S 1 "m"',
        'OpMemberName %S 2 "m" ; error: opcode/OpMemberName/member `2`',
        'OpMemberName %int 0 "m" ; error: opcode/OpMemberName/member `%int`',
    ],
)
def test_annotations(line: str) -> None:
    check(module(line), env="spv1.3")


@pytest.mark.parametrize(
    "line",
    [
        "OpDecorateId %in UniformId %spec3",
        "OpDecorate %in UniformId %spec3 ; error: opcode/OpDecorate/operands-not-ids `OpDecorate`",
        "OpDecorateId %in Flat ; error: opcode/OpDecorate/operands-not-ids `OpDecorateId`",
        "OpDecorateId %four UniformId %spec3 ; error: decoration/id-parameter-order `%spec3`",
        "OpDecorateId %group UniformId %spec3 ; error: decoration/id-parameter-order `%group`\n%group = OpDecorationGroup ; warning: version/deprecated",
    ],
)
def test_decorations_that_take_ids(line: str) -> None:
    check(module(line), env="spv1.6")


@pytest.mark.parametrize(
    ("annotations", "definition"),
    [
        ("OpDecorate %r NoSignedWrap", "%r = OpIAdd %uint %u %u"),
        ("OpDecorate %r NoSignedWrap", "%r = OpUDiv %uint %u %two ; error: decoration/object `%r`"),
        ("OpDecorate %r Uniform", "%r = OpIAdd %uint %u %u"),
        ("OpDecorateId %r UniformId %three", "%r = OpIAdd %uint %u %u"),
        ("OpDecorateId %r UniformId %i", "%r = OpIAdd %uint %u %u ; error: decoration/uniform-scope `%r`"),
        ("OpDecorate %r RelaxedPrecision", "%r = OpFAdd %float %f %f"),
        (
            "OpDecorate %r FPFastMathMode NotNaN\n"
            'OpDecorate %r UserSemantic "a" ; warning: decoration/fitting\n'
            'OpDecorate %r UserSemantic "b" ; warning: decoration/fitting',
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r RelaxedPrecision\nOpDecorate %r RelaxedPrecision",
            "%r = OpFAdd %float %f %f ; error: decoration/no-duplicates",
        ),
        (
            "OpDecorate %g RelaxedPrecision\n%g = OpDecorationGroup ; warning: version/deprecated\n"
            "OpGroupDecorate %g %r %r ; warning: version/deprecated",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r NoContraction\nOpDecorate %r FPFastMathMode NotNaN ; error: decoration/no-duplicates",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r FPFastMathMode AllowContract|AllowReassoc|AllowTransform",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r FPFastMathMode AllowTransform ; error: decoration/fast-math-mode",
            "%r = OpFAdd %float %f %f",
        ),
    ],
)
def test_what_decorations_say_of_results(annotations: str, definition: str) -> None:
    extensions = "SPV_KHR_float_controls2 SPV_GOOGLE_hlsl_functionality1"
    check(shader(definition, annotations=annotations, capabilities="FloatControls2", extensions=extensions))


@pytest.mark.parametrize(
    ("annotations", "definition"),
    [
        (
            "OpDecorate %v Restrict\nOpDecorate %v Aliased",
            "%v = OpVariable %private Private ; error: decoration/no-duplicates `%v`",
        ),
        ("OpDecorate %U Block\nOpDecorate %U BufferBlock", "%U = OpTypeStruct %float ; error: decoration/no-duplicates `%U`"),
        (
            "OpMemberDecorate %U 0 RowMajor\nOpMemberDecorate %U 0 ColMajor",
            "%U = OpTypeStruct %mat ; error: decoration/no-duplicates `%U`",
        ),
        ("OpDecorate %v RelaxedPrecision", "%v = OpVariable %private Private"),
        ("OpDecorate %U RelaxedPrecision", "%U = OpTypeStruct %float ; error: decoration/object `%U`"),
        ("OpMemberDecorate %U 0 RelaxedPrecision", "%U = OpTypeStruct %float"),
        ("OpDecorate %v NonWritable", "%v = OpVariable %private Private ; error: decoration/object `%v`"),
        ("OpDecorate %v Component 1", "%v = OpVariable %private Private ; error: decoration/component `%v`"),
        ("OpDecorate %v Component 1", "%v = OpVariable %input Input"),
    ],
)
def test_what_decorations_say_of_global_objects(annotations: str, definition: str) -> None:
    check(module(annotations, definition), env="spv1.3")


BUFFER = "%ptr = OpTypePointer {} %T\n%v = OpVariable %ptr {}"


@pytest.mark.parametrize(
    ("env", "annotations", "definition", "fits"),
    [
        ("spv1.3", "OpDecorate %T Block\n", BUFFER.format("StorageBuffer", "StorageBuffer"), True),
        ("spv1.3", "OpDecorate %T Block\n", BUFFER.format("Uniform", "Uniform"), True),
        ("spv1.3", "", BUFFER.format("Private", "Private"), False),
        ("spv1.4", "", BUFFER.format("Private", "Private"), True),
        (
            "spv1.3",
            "",
            "%im = OpTypeImage %float 2D 0 0 0 2 R32f\n" + BUFFER.replace("%T", "%im").format(*["UniformConstant"] * 2),
            True,
        ),
        (
            "spv1.3",
            "",
            "%im = OpTypeImage %float 2D 0 0 0 1 Unknown\n" + BUFFER.replace("%T", "%im").format(*["UniformConstant"] * 2),
            False,
        ),
    ],
)
def test_what_may_be_read_only(env: str, annotations: str, definition: str, fits: bool) -> None:
    offset = "OpMemberDecorate %T 0 Offset 0\n" if annotations else ""
    definition += "" if fits else " ; error: decoration/object `%v`"
    check(module(f"{annotations}{offset}OpDecorate %v NonWritable", definition), env=env)


def test_the_vulkan_memory_model_has_no_volatile_objects() -> None:
    text = module("OpDecorate %v Volatile", "%v = OpVariable %private Private{}", capabilities="VulkanMemoryModel")
    vulkan = text.replace("GLSL450", "Vulkan")
    check(vulkan.format(" ; error: decoration/object `%v`"), env="spv1.6")
    lines = module("OpDecorate %v Volatile ; warning: decoration/fitting", "%v = OpVariable %private Private")
    check(lines, env="spv1.6")


@pytest.mark.parametrize(
    ("component", "type_", "vuid"),
    [
        (2, "%float2", None),
        (3, "%float2", "04921"),
        (4, "%float", "04920"),
        (2, "%double", None),
        (1, "%double", "04923"),
        (2, "%double2", "04922"),
        (0, "%double3", "07703"),
        (0, "%mat", "10583"),
    ],
)
def test_components_in_vulkan(component: int, type_: str, vuid: str | None) -> None:
    more = "%double = OpTypeFloat 64\n%double2 = OpTypeVector %double 2\n%double3 = OpTypeVector %double 3\n"
    more += f"%float2 = OpTypeVector %float 2\n%po = OpTypePointer Output {type_}\n%o = OpVariable %po Output"
    text = module(f"OpDecorate %o Location 0\nOpDecorate %o Component {component}", more, capabilities="Float64")
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.3") if d.rule == "decoration/component"]
    assert found == ([f"VUID-StandaloneSpirv-Component-{vuid}"] if vuid else [])


@pytest.mark.parametrize(
    ("line", "vuid"),
    [
        ("OpDecorate %in Location 0", None),
        ("OpDecorate %variable Location 0", "VUID-StandaloneSpirv-Location-06672"),
        ("OpDecorate %variable Binding 0", "VUID-StandaloneSpirv-DescriptorSet-06491"),
        ("OpDecorate %variable Flat", "VUID-StandaloneSpirv-Flat-04670"),
        ("OpDecorate %in Index 0", None),
    ],
)
def test_storage_classes_in_vulkan(line: str, vuid: str | None) -> None:
    found = [d for d in spvls.validate(module(line), target_env="vulkan1.3") if d.rule == "vulkan/decoration-storage-class"]
    assert [d.vuid for d in found] == ([vuid] if vuid or "Index" in line else [])


def test_vulkan_has_no_glsl_layouts() -> None:
    text = module("OpDecorate %T GLSLShared")
    assert "vulkan/glsl-layout" in {d.rule for d in spvls.validate(text, target_env="vulkan1.3")}
    check(text, env="spv1.6")


ROUNDED = "%half = OpTypeFloat 16\n%ptr = OpTypePointer Output {}\n%o = OpVariable %ptr Output"


@pytest.mark.parametrize(
    ("pointee", "body"),
    [
        ("%half", "%r = OpFConvert %half %f\nOpStore %o %r"),
        ("%half", "%r = OpFConvert %half %f ; error: decoration/fp-rounding-mode-stored-only `%r`\n%s = OpFAdd %half %r %r"),
        ("%float", "%r = OpFConvert %float %h ; error: decoration/fp-rounding-mode-stored-only `%r`\nOpStore %o %r"),
        ("%float", "%r = OpFAdd %float %f %f ; error: decoration/object `%r`"),
    ],
)
def test_rounding_modes_are_for_what_is_stored(pointee: str, body: str) -> None:
    declarations = ROUNDED.format(pointee) + "\n%h = OpUndef %half"
    text = shader(
        body,
        declarations,
        annotations="OpDecorate %r FPRoundingMode RTE",
        capabilities="Float16 StorageInputOutput16",
        model="Vertex",
    )
    check(text.replace('"main"', '"main" %o'))


@pytest.mark.parametrize(("mode", "fits"), [("RTE", True), ("RTP", False)])
def test_rounding_modes_in_vulkan(mode: str, fits: bool) -> None:
    text = shader(
        "%r = OpFConvert %half %f\nOpStore %o %r",
        ROUNDED.format("%half"),
        annotations=f"OpDecorate %r FPRoundingMode {mode}\nOpDecorate %o Location 0",
        capabilities="Float16 StorageInputOutput16",
        model="Vertex",
    ).replace('"main"', '"main" %o')
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.3")]
    assert found == ([] if fits else ["VUID-StandaloneSpirv-FPRoundingMode-04675"])


FUNCTION = "%f = OpFunction %void None %fn{}\n%l = OpLabel\nOpReturn\nOpFunctionEnd"
DECLARATION = "%f = OpFunction %void None %fn{}\nOpFunctionEnd"


@pytest.mark.parametrize(
    ("annotation", "function"),
    [
        ('OpDecorate %f LinkageAttributes "f" Import', DECLARATION.format("")),
        ('OpDecorate %f LinkageAttributes "f" Export', FUNCTION.format("")),
        ('OpDecorate %f LinkageAttributes "f" Export', DECLARATION.format(" ; error: linkage/function-body `%f`")),
        ('OpDecorate %f LinkageAttributes "f" Import', FUNCTION.format(" ; error: linkage/function-body `%f`")),
        ("", DECLARATION.format(" ; error: linkage/function-body `%f`")),
        ('OpDecorate %v LinkageAttributes "v" Import', "%v = OpVariable %private Private"),
        (
            'OpDecorate %v LinkageAttributes "v" Import',
            "%zero = OpConstant %float 0\n"
            "%v = OpVariable %private Private %zero ; error: linkage/import-no-initializer `%zero`",
        ),
    ],
)
def test_linkage(annotation: str, function: str) -> None:
    check(module(annotation, function), env="spv1.3")


def test_entry_points_are_not_linked() -> None:
    heading = module('OpEntryPoint Vertex %f "f"\nOpDecorate %f LinkageAttributes "f" Export')
    check(heading + FUNCTION.format(" ; error: entry-point/no-linkage `%f`"), env="spv1.3")


def test_the_file_of_a_line_is_a_string() -> None:
    check(module('%file = OpString "f"', "OpLine %file 1 1"))
    check(module("", "OpLine %int 1 1 ; error: opcode/OpLine/file `%int`"))


REFLECTION = """\
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%reflection = OpExtInstImport "NonSemantic.ClspvReflection.{revision}"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %foo "foo"
OpExecutionMode %foo LocalSize 1 1 1
%name = OpString "foo"
%other = OpString "other"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%zero = OpConstant %uint 0
%izero = OpConstant %int 0
%foo = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %reflection Kernel %foo %name{more}
%info = OpExtInst %void %reflection ArgumentInfo %name
"""


@pytest.mark.parametrize(
    ("revision", "line"),
    [
        (1, "%r = OpExtInst %void %reflection ArgumentUniform %kernel %zero %zero %zero %info"),
        (1, "%r = OpExtInst %void %reflection ArgumentUniform %zero %zero %zero %zero ; error: clspv/operands `%zero`"),
        (1, "%r = OpExtInst %void %reflection ArgumentUniform %info %zero %zero %zero ; error: clspv/operands `%info`"),
        (1, "%r = OpExtInst %void %reflection ArgumentUniform %kernel %izero %zero %zero ; error: clspv/operands `%izero`"),
        (1, "%r = OpExtInst %void %reflection ArgumentUniform %kernel %zero %zero %zero %zero ; error: clspv/operands"),
        (1, "%r = OpExtInst %void %reflection Kernel %foo %other ; error: clspv/operands `%foo`"),
        (1, "%r = OpExtInst %void %reflection Kernel %foo %zero ; error: clspv/operands `%zero`"),
        (1, "%r = OpExtInst %void %reflection PrintfInfo %zero %name ; error: clspv/instruction-version `PrintfInfo`"),
        (4, "%r = OpExtInst %void %reflection Kernel %foo %name %zero %zero %name ; error: clspv/instruction-version"),
        (5, "%r = OpExtInst %void %reflection Kernel %foo %name %zero %zero %name"),
        (5, "%r = OpExtInst %void %reflection PrintfInfo %zero %name"),
    ],
)
def test_reflection(revision: int, line: str) -> None:
    check(REFLECTION.format(revision=revision, more=" %zero %zero %name" if revision > 4 else "") + line)


def test_blocks_are_not_nested() -> None:
    offsets = "OpMemberDecorate %U 0 Offset 0\nOpMemberDecorate %T 0 Offset 0\nOpDecorate %inner ArrayStride 16\n"
    members = "%inner = OpTypeArray %T %four\n%U = OpTypeStruct %inner"
    check(module(f"{offsets}OpDecorate %U Block", members))
    check(module(f"{offsets}OpDecorate %T Block\nOpDecorate %U Block", f"{members} ; error: decoration/block-not-nested `%U`"))
