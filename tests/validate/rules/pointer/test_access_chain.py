"""Rules of `pointer/access_chain`: access chains."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader

DECLARATIONS = """
    %k0 = OpConstant %int 0
    %minus = OpConstant %int -1
    %array = OpTypeArray %vec4 %four
    %struct = OpTypeStruct %uint %array
    %to_struct = OpTypePointer Private %struct
    %to_uint = OpTypePointer Private %uint
    %to_float = OpTypePointer Private %float
    %to_vec4 = OpTypePointer Private %vec4
    %to_shared = OpTypePointer Workgroup %float
    %x = OpVariable %to_struct Private
"""


def test_the_result_type_follows_the_indexes() -> None:
    line = "%p = OpAccessChain %to_float %x %one %two"
    [found] = spvls.validate(shader(line, DECLARATIONS), target_env="spv1.3")
    assert "vec4<f32>" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%to_vec4"]
