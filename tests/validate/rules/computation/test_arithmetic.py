"""Rules of `computation/arithmetic`: arithmetic on scalars and vectors."""

from __future__ import annotations

import spvls
from tests.validate.shaders import shader


def test_messages_spell_both_types() -> None:
    found = spvls.validate(shader("%r = OpFAdd %vec4 %v4 %v3"))
    assert "(%v3) is vec3<f32>" in found[0].message
    assert "vec4<f32>" in found[0].message


def test_a_wrong_result_type_is_mended() -> None:
    found = spvls.validate(shader("%r = OpFNegate %float %v4"))
    assert [edit.text for fix in found[0].fixes for edit in fix.edits] == ["%vec4"]
