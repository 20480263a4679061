"""Rules of `ext_inst/opencl_std`: types that the instructions of OpenCL.std take and give."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.ext_inst import ext_inst_kernel


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpExtInst %f32 %set sqrt %one",
        "%r = OpExtInst %f32 %set sqrt %uint_1 ; error: ext-inst/opencl-types-match `%uint_1`",
        "%r = OpExtInst %f32 %set fract %one %local",
        "%r = OpExtInst %f32 %set fract %one %local_uint ; error: ext-inst/opencl-types-match `%local_uint`",
        "%r = OpExtInst %f32 %set frexp %one %local_uint",
        "%r = OpExtInst %f32 %set frexp %one %local ; error: ext-inst/opencl-types-match `%local`",
        "%r = OpExtInst %f32 %set ldexp %one %uv2 ; error: ext-inst/opencl-types-match `%uv2`",
        "%r = OpExtInst %u32 %set s_max %uint_1 %uint_1",
        "%r = OpExtInst %u32 %set s_max %uint_1 %long ; error: ext-inst/opencl-types-match `%long`",
        "%r = OpExtInst %u64 %set u_upsample %uint_1 %uint_1",
        "%r = OpExtInst %u32 %set u_upsample %uint_1 %uint_1 ; error: ext-inst/opencl-types-match",
        "%r = OpExtInst %u64 %set u_mul24 %long %long ; error: ext-inst/opencl-types-match `%u64`",
        "%r = OpExtInst %f32 %set distance %v2 %v2",
        "%r = OpExtInst %f32 %set length %v8 ; error: ext-inst/opencl-types-match `%v8`",
        "%r = OpExtInst %vec2 %set vloadn %uint_1 %floats 2",
        "%r = OpExtInst %vec2 %set vloadn %long %floats 2 ; error: ext-inst/opencl-types-match `%long`",
        "%r = OpExtInst %vec2 %set vloadn %uint_1 %floats 3 ; error: ext-inst/opencl-types-match `3`",
        "%r = OpExtInst %void %set vstoren %v2 %uint_1 %floats",
        "%r = OpExtInst %void %set vstoren %v2 %uint_1 %format ; error: ext-inst/opencl-types-match `%format`",
        "%r = OpExtInst %f32 %set vload_half %uint_1 %halves",
        "%r = OpExtInst %f32 %set vload_half %uint_1 %floats ; error: ext-inst/opencl-types-match `%floats`",
        "%r = OpExtInst %void %set vstore_half_r %one %uint_1 %halves RTE",
        "%r = OpExtInst %vec2 %set shuffle %v8 %uv2",
        "%r = OpExtInst %vec2 %set shuffle %v8 %v2 ; error: ext-inst/opencl-types-match `%v2`",
        "%r = OpExtInst %u32 %set printf %format %one",
        "%r = OpExtInst %u32 %set printf %floats ; error: ext-inst/opencl-types-match `%floats`",
        "%r = OpExtInst %void %set prefetch %floats %uint_1",
        "%r = OpExtInst %void %set prefetch %local %uint_1 ; error: ext-inst/opencl-types-match `%local`",
        "%r = OpExtInst %f32 %set select %one %one %uint_1",
        "%r = OpExtInst %f32 %set select %one %one %long ; error: ext-inst/opencl-types-match `%long`",
        "%r = OpExtInst %f32 %set bitselect %one %one %uint_1 ; error: ext-inst/opencl-types-match `%uint_1`",
        "%r = OpExtInst %f32 %set nan %long ; error: ext-inst/opencl-types-match `%long`",
    ],
)
def test_opencl_types(line: str) -> None:
    check(ext_inst_kernel(line))
