"""Rules of `ext_inst/glsl_std_450`: types that the instructions of GLSL.std.450 take and give."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.ext_inst import EXT_INST_INTERPOLATION, ext_inst_kernel, ext_inst_shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set Sin %one",
        "%r = OpExtInst %f32 %set Sin %int_1 ; error: ext-inst/glsl-types-match `%int_1`",
        "%r = OpExtInst %f64 %set Sin %double ; error: ext-inst/glsl-types-match `%f64`",
        "%r = OpExtInst %f64 %set Sqrt %double",
        "%r = OpExtInst %i32 %set SMin %int_1 %uint_1",
        "%r = OpExtInst %i32 %set SMin %int_1 %one ; error: ext-inst/glsl-types-match `%one`",
        "%r = OpExtInst %ivec2 %set SMin %iv2 %int_1 ; error: ext-inst/glsl-types-match `%int_1`",
        "%r = OpExtInst %u64 %set FindUMsb %long ; error: ext-inst/glsl-types-match `%u64`",
        "%r = OpExtInst %i32 %set SAbs %entry ; error: ext-inst/glsl-types-match `%entry`",
        "%r = OpExtInst %f32 %set Determinant %m2",
        "%r = OpExtInst %f32 %set Determinant %m3x2 ; error: ext-inst/glsl-types-match `%m3x2`",
        "%r = OpExtInst %mat3x2 %set MatrixInverse %m3x2 ; error: ext-inst/glsl-types-match `%mat3x2`",
        "%r = OpExtInst %f32 %set Modf %one %local",
        "%r = OpExtInst %f32 %set Modf %one %local_int ; error: ext-inst/glsl-types-match `%local_int`",
        "%r = OpExtInst %halves %set ModfStruct %one",
        "%r = OpExtInst %split %set ModfStruct %one ; error: ext-inst/glsl-types-match `%split`",
        "%r = OpExtInst %f32 %set Frexp %one %local_int",
        "%r = OpExtInst %f32 %set Frexp %one %local ; error: ext-inst/glsl-types-match `%local`",
        "%r = OpExtInst %split %set FrexpStruct %one",
        "%r = OpExtInst %halves %set FrexpStruct %one ; error: ext-inst/glsl-types-match `%halves`",
        "%r = OpExtInst %split %set FrexpStruct %double ; error: ext-inst/glsl-types-match `%double`",
        "%r = OpExtInst %f32 %set Ldexp %one %one ; error: ext-inst/glsl-types-match `%one`",
        "%r = OpExtInst %u32 %set PackHalf2x16 %v2",
        "%r = OpExtInst %u32 %set PackHalf2x16 %v3 ; error: ext-inst/glsl-types-match `%v3`",
        "%r = OpExtInst %vec2 %set UnpackHalf2x16 %one ; error: ext-inst/glsl-types-match `%one`",
        "%r = OpExtInst %f32 %set Length %v3",
        "%r = OpExtInst %f32 %set Distance %v3 %v2 ; error: ext-inst/glsl-types-match `%v2`",
        "%r = OpExtInst %vec2 %set Cross %v2 %v2 ; error: ext-inst/glsl-types-match `%vec2`",
        "%r = OpExtInst %vec2 %set Refract %v2 %v2 %v2 ; error: ext-inst/glsl-types-match `%v2`",
        "%r = OpExtInst %i32 %set IMix %int_1 %int_1 %int_1 ; error: ext-inst/imix-is-not-used",
    ],
)
def test_glsl_types(line: str) -> None:
    check(ext_inst_shader(line))


def test_a_message_names_both_types() -> None:
    (found,) = check(ext_inst_shader("%r = OpExtInst %vec2 %set Sqrt %v3 ; error: ext-inst/glsl-types-match"))
    assert "%v3 is vec3<f32>" in found.message
    assert "vec2<f32>" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set InterpolateAtCentroid %input",
        "%r = OpExtInst %f32 %set InterpolateAtCentroid %local ; error: ext-inst/glsl-types-match `%local`",
        "%r = OpExtInst %f32 %set InterpolateAtSample %input %one ; error: ext-inst/glsl-types-match `%one`",
        "%r = OpExtInst %f32 %set InterpolateAtOffset %input %v3 ; error: ext-inst/glsl-types-match `%v3`",
    ],
)
def test_interpolation_reads_an_input(line: str) -> None:
    check(ext_inst_shader(line, imports=EXT_INST_INTERPOLATION))


def test_interpolation_needs_its_capability() -> None:
    check(ext_inst_shader("%r = OpExtInst %f32 %set InterpolateAtCentroid %input ; error: ext-inst/interpolation-function-is-enabled"))


def test_opencl_offsets_are_as_wide_as_addresses() -> None:
    check(ext_inst_kernel("%r = OpExtInst %vec2 %set vloadn %long %floats 2", addressing="Physical64"))
