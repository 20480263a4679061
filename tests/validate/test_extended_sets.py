"""Rules of extended instruction sets: imports, places, GLSL.std.450, OpenCL.std and the small sets."""

from __future__ import annotations

import pytest

from tests.validate.check import check

GLSL = '%set = OpExtInstImport "GLSL.std.450"'
INTERPOLATION = f"OpCapability InterpolationFunction\n{GLSL}"
PRINTF = '%set = OpExtInstImport "NonSemantic.DebugPrintf"'


def shader(body: str, *, declarations: str = "", imports: str = GLSL, strings: str = "") -> str:
    """A fragment shader around `body`."""
    return f"""
OpCapability Shader
OpCapability Float64
OpCapability Int64
{imports}
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %input
OpExecutionMode %main OriginUpperLeft
{strings}
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%i32 = OpTypeInt 32 1
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%vec2 = OpTypeVector %f32 2
%vec3 = OpTypeVector %f32 3
%ivec2 = OpTypeVector %i32 2
%mat2 = OpTypeMatrix %vec2 2
%mat3x2 = OpTypeMatrix %vec2 3
%split = OpTypeStruct %f32 %i32
%halves = OpTypeStruct %f32 %f32
%input_type = OpTypePointer Input %f32
%input = OpVariable %input_type Input
%local_type = OpTypePointer Function %f32
%local_int_type = OpTypePointer Function %i32
%one = OpConstant %f32 1
%double = OpConstant %f64 1
%int_1 = OpConstant %i32 1
%uint_1 = OpConstant %u32 1
%long = OpConstant %u64 1
%v2 = OpConstantComposite %vec2 %one %one
%v3 = OpConstantComposite %vec3 %one %one %one
%iv2 = OpConstantComposite %ivec2 %int_1 %int_1
%m2 = OpConstantComposite %mat2 %v2 %v2
%m3x2 = OpConstantComposite %mat3x2 %v2 %v2 %v2
{declarations}
%main = OpFunction %void None %main_type
%entry = OpLabel
%local = OpVariable %local_type Function
%local_int = OpVariable %local_int_type Function
{body}
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set Sin %one",
        "%r = OpExtInst %f32 %set Sin %int_1 ; error: glsl-std-450/types `%int_1`",
        "%r = OpExtInst %f64 %set Sin %double ; error: glsl-std-450/types `%f64`",
        "%r = OpExtInst %f64 %set Sqrt %double",
        "%r = OpExtInst %i32 %set SMin %int_1 %uint_1",
        "%r = OpExtInst %i32 %set SMin %int_1 %one ; error: glsl-std-450/types `%one`",
        "%r = OpExtInst %ivec2 %set SMin %iv2 %int_1 ; error: glsl-std-450/types `%int_1`",
        "%r = OpExtInst %u64 %set FindUMsb %long ; error: glsl-std-450/types `%u64`",
        "%r = OpExtInst %i32 %set SAbs %entry ; error: glsl-std-450/types `%entry`",
        "%r = OpExtInst %f32 %set Determinant %m2",
        "%r = OpExtInst %f32 %set Determinant %m3x2 ; error: glsl-std-450/types `%m3x2`",
        "%r = OpExtInst %mat3x2 %set MatrixInverse %m3x2 ; error: glsl-std-450/types `%mat3x2`",
        "%r = OpExtInst %f32 %set Modf %one %local",
        "%r = OpExtInst %f32 %set Modf %one %local_int ; error: glsl-std-450/types `%local_int`",
        "%r = OpExtInst %halves %set ModfStruct %one",
        "%r = OpExtInst %split %set ModfStruct %one ; error: glsl-std-450/types `%split`",
        "%r = OpExtInst %f32 %set Frexp %one %local_int",
        "%r = OpExtInst %f32 %set Frexp %one %local ; error: glsl-std-450/types `%local`",
        "%r = OpExtInst %split %set FrexpStruct %one",
        "%r = OpExtInst %halves %set FrexpStruct %one ; error: glsl-std-450/types `%halves`",
        "%r = OpExtInst %split %set FrexpStruct %double ; error: glsl-std-450/types `%double`",
        "%r = OpExtInst %f32 %set Ldexp %one %one ; error: glsl-std-450/types `%one`",
        "%r = OpExtInst %u32 %set PackHalf2x16 %v2",
        "%r = OpExtInst %u32 %set PackHalf2x16 %v3 ; error: glsl-std-450/types `%v3`",
        "%r = OpExtInst %vec2 %set UnpackHalf2x16 %one ; error: glsl-std-450/types `%one`",
        "%r = OpExtInst %f32 %set Length %v3",
        "%r = OpExtInst %f32 %set Distance %v3 %v2 ; error: glsl-std-450/types `%v2`",
        "%r = OpExtInst %vec2 %set Cross %v2 %v2 ; error: glsl-std-450/types `%vec2`",
        "%r = OpExtInst %vec2 %set Refract %v2 %v2 %v2 ; error: glsl-std-450/types `%v2`",
        "%r = OpExtInst %i32 %set IMix %int_1 %int_1 %int_1 ; error: glsl-std-450/not-supported",
    ],
)
def test_glsl_types(line: str) -> None:
    check(shader(line))


def test_a_message_names_both_types() -> None:
    (found,) = check(shader("%r = OpExtInst %vec2 %set Sqrt %v3 ; error: glsl-std-450/types"))
    assert "%v3 is vec3<f32>" in found.message
    assert "vec2<f32>" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set InterpolateAtCentroid %input",
        "%r = OpExtInst %f32 %set InterpolateAtCentroid %local ; error: glsl-std-450/types `%local`",
        "%r = OpExtInst %f32 %set InterpolateAtSample %input %one ; error: glsl-std-450/types `%one`",
        "%r = OpExtInst %f32 %set InterpolateAtOffset %input %v3 ; error: glsl-std-450/types `%v3`",
    ],
)
def test_interpolation_reads_an_input(line: str) -> None:
    check(shader(line, imports=INTERPOLATION))


def test_interpolation_needs_its_capability() -> None:
    check(shader("%r = OpExtInst %f32 %set InterpolateAtCentroid %input ; error: capability/interpolation-function"))


def test_interpolation_is_for_fragments() -> None:
    text = shader("%r = OpExtInst %f32 %set InterpolateAtCentroid %input", imports=INTERPOLATION)
    text = text.replace("Fragment", "Vertex").replace("OpExecutionMode %main OriginUpperLeft\n", "")
    check(text.replace("None %main_type", "None %main_type ; error: entry-point/execution-model"))


def test_instructions_that_compute_stand_in_functions() -> None:
    check(shader("", declarations="%r = OpExtInst %f32 %set Sin %one ; error: layout/nonsemantic-first-section `Sin`"))


def test_non_semantic_sets_before_1_6() -> None:
    expected = "; error: opcode/OpExtInstImport/nonsemantic-before-1.6"
    check(shader("", imports=f"{PRINTF} {expected}"), env="spv1.5")
    check(shader("", imports=PRINTF), env="spv1.6")
    check(shader("", imports=f'OpExtension "SPV_KHR_non_semantic_info"\n{PRINTF}'), env="spv1.5")


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("NonSemantic.ClspvReflection.5", True),
        ("NonSemantic.ClspvReflection.0", False),
        ("NonSemantic.ClspvReflection.", False),
        ("Arm.ExperimentalMLOperations.1", True),
        ("Arm.ExperimentalMLOperations.2", False),
    ],
)
def test_revisions_of_imports(name: str, good: bool) -> None:
    expected = "" if good else " ; error: ext-inst/known-revision"
    check(shader("", imports=f'%set = OpExtInstImport "{name}"{expected}'), env="spv1.6")


def test_non_semantic_operands_stand_before() -> None:
    body = """%p = OpExtInst %void %set DebugPrintf %format %late ; error: ext-inst/no-forward-operands `%late`
%late = OpFAdd %f32 %one %one"""
    check(shader(body, imports=PRINTF, strings='%format = OpString "%f"'), env="spv1.6")


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpExtInst %void %set DebugPrintf %format %one",
        "%p = OpExtInst %void %set DebugPrintf %one ; warning: non-semantic/printf-format `%one`",
        "%p = OpExtInst %f32 %set DebugPrintf %format ; warning: non-semantic/void-result `%f32`",
    ],
)
def test_printf(line: str) -> None:
    check(shader(line, imports=PRINTF, strings='%format = OpString "%f"'), env="spv1.6")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("SPV_AMD_shader_trinary_minmax", "%r = OpExtInst %f32 %set FMin3AMD %one %one %one"),
        ("SPV_AMD_shader_trinary_minmax", "%r = OpExtInst %f32 %set FMin3AMD %one %one %int_1 ; warning: amd-sets/types"),
        ("SPV_AMD_gcn_shader", "%r = OpExtInst %f32 %set CubeFaceIndexAMD %v2 ; warning: amd-sets/types"),
        ("SPV_AMD_gcn_shader", "%r = OpExtInst %u64 %set TimeAMD"),
        ("SPV_AMD_shader_ballot", "%r = OpExtInst %u32 %set MbcntAMD %uint_1 ; warning: amd-sets/types"),
    ],
)
def test_amd_sets(name: str, line: str) -> None:
    check(shader(line, imports=f'OpExtension "{name}"\n%set = OpExtInstImport "{name}"'))


def kernel(body: str, *, addressing: str = "Physical32") -> str:
    """A kernel around `body`."""
    return f"""
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpCapability Int64
OpCapability Vector16
OpCapability Float16Buffer
%set = OpExtInstImport "OpenCL.std"
OpMemoryModel {addressing} OpenCL
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%vec2 = OpTypeVector %f32 2
%vec3 = OpTypeVector %f32 3
%vec8 = OpTypeVector %f32 8
%uvec2 = OpTypeVector %u32 2
%constant_char = OpTypePointer UniformConstant %u8
%global_half = OpTypePointer CrossWorkgroup %f16
%global_float = OpTypePointer CrossWorkgroup %f32
%private_float = OpTypePointer Function %f32
%private_uint = OpTypePointer Function %u32
%kernel_type = OpTypeFunction %void %constant_char %global_half %global_float
%one = OpConstant %f32 1
%uint_1 = OpConstant %u32 1
%long = OpConstant %u64 1
%v2 = OpConstantComposite %vec2 %one %one
%uv2 = OpConstantComposite %uvec2 %uint_1 %uint_1
%v8 = OpConstantNull %vec8
%main = OpFunction %void None %kernel_type
%format = OpFunctionParameter %constant_char
%halves = OpFunctionParameter %global_half
%floats = OpFunctionParameter %global_float
%entry = OpLabel
%local = OpVariable %private_float Function
%local_uint = OpVariable %private_uint Function
{body}
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set sqrt %one",
        "%r = OpExtInst %f32 %set sqrt %uint_1 ; error: opencl-std/types `%uint_1`",
        "%r = OpExtInst %f32 %set fract %one %local",
        "%r = OpExtInst %f32 %set fract %one %local_uint ; error: opencl-std/types `%local_uint`",
        "%r = OpExtInst %f32 %set frexp %one %local_uint",
        "%r = OpExtInst %f32 %set frexp %one %local ; error: opencl-std/types `%local`",
        "%r = OpExtInst %f32 %set ldexp %one %uv2 ; error: opencl-std/types `%uv2`",
        "%r = OpExtInst %u32 %set s_max %uint_1 %uint_1",
        "%r = OpExtInst %u32 %set s_max %uint_1 %long ; error: opencl-std/types `%long`",
        "%r = OpExtInst %u64 %set u_upsample %uint_1 %uint_1",
        "%r = OpExtInst %u32 %set u_upsample %uint_1 %uint_1 ; error: opencl-std/types",
        "%r = OpExtInst %u64 %set u_mul24 %long %long ; error: opencl-std/types `%u64`",
        "%r = OpExtInst %f32 %set distance %v2 %v2",
        "%r = OpExtInst %f32 %set length %v8 ; error: opencl-std/types `%v8`",
        "%r = OpExtInst %vec2 %set vloadn %uint_1 %floats 2",
        "%r = OpExtInst %vec2 %set vloadn %long %floats 2 ; error: opencl-std/types `%long`",
        "%r = OpExtInst %vec2 %set vloadn %uint_1 %floats 3 ; error: opencl-std/types `3`",
        "%r = OpExtInst %void %set vstoren %v2 %uint_1 %floats",
        "%r = OpExtInst %void %set vstoren %v2 %uint_1 %format ; error: opencl-std/types `%format`",
        "%r = OpExtInst %f32 %set vload_half %uint_1 %halves",
        "%r = OpExtInst %f32 %set vload_half %uint_1 %floats ; error: opencl-std/types `%floats`",
        "%r = OpExtInst %void %set vstore_half_r %one %uint_1 %halves RTE",
        "%r = OpExtInst %vec2 %set shuffle %v8 %uv2",
        "%r = OpExtInst %vec2 %set shuffle %v8 %v2 ; error: opencl-std/types `%v2`",
        "%r = OpExtInst %u32 %set printf %format %one",
        "%r = OpExtInst %u32 %set printf %floats ; error: opencl-std/types `%floats`",
        "%r = OpExtInst %void %set prefetch %floats %uint_1",
        "%r = OpExtInst %void %set prefetch %local %uint_1 ; error: opencl-std/types `%local`",
        "%r = OpExtInst %f32 %set select %one %one %uint_1",
        "%r = OpExtInst %f32 %set select %one %one %long ; error: opencl-std/types `%long`",
        "%r = OpExtInst %f32 %set bitselect %one %one %uint_1 ; error: opencl-std/types `%uint_1`",
        "%r = OpExtInst %f32 %set nan %long ; error: opencl-std/types `%long`",
    ],
)
def test_opencl_types(line: str) -> None:
    check(kernel(line))


def test_opencl_offsets_are_as_wide_as_addresses() -> None:
    check(kernel("%r = OpExtInst %vec2 %set vloadn %long %floats 2", addressing="Physical64"))


def test_types_made_of_themselves_are_not_followed() -> None:
    check(
        """
OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
%m = OpTypeMatrix %m 2 ; error: ssa/id-defined ; error: opcode/OpTypeMatrix/column-vector
%null = OpConstantNull %m
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%main = OpFunction %void None %main_type
%entry = OpLabel
%r = OpExtInst %m %set MatrixInverse %null
OpReturn
OpFunctionEnd
"""
    )
