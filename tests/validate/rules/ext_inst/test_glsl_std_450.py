"""Rules of `ext_inst/glsl_std_450`: types that the instructions of GLSL.std.450 take and give."""

from __future__ import annotations

import spvls
from tests.validate.sources.ext_inst import ext_inst_shader


def test_a_message_names_both_types() -> None:
    (found,) = spvls.validate(ext_inst_shader("%r = OpExtInst %vec2 %set Sqrt %v3"))
    assert "operand x (%v3) is vec3<f32>" in found.message
    assert "vec2<f32>" in found.message
