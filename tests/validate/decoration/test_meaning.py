"""Rules of `decoration/meaning`: decorations without effect (warnings)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    ("annotations", "definition"),
    [
        ("OpDecorate %r NoSignedWrap", "%r = OpIAdd %uint %u %u"),
        ("OpDecorate %r NoSignedWrap", "%r = OpUDiv %uint %u %two ; error: decoration/fits-target-object `%r`"),
        ("OpDecorate %r Uniform", "%r = OpIAdd %uint %u %u"),
        ("OpDecorateId %r UniformId %three", "%r = OpIAdd %uint %u %u"),
        ("OpDecorateId %r UniformId %i", "%r = OpIAdd %uint %u %u ; error: decoration/uniform-id-names-scope `%r`"),
        ("OpDecorate %r RelaxedPrecision", "%r = OpFAdd %float %f %f"),
        (
            "OpDecorate %r FPFastMathMode NotNaN\n"
            'OpDecorate %r UserSemantic "a" ; warning: decoration/has-meaning-for-target\n'
            'OpDecorate %r UserSemantic "b" ; warning: decoration/has-meaning-for-target',
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r RelaxedPrecision\nOpDecorate %r RelaxedPrecision",
            "%r = OpFAdd %float %f %f ; error: decoration/decorations-do-not-conflict",
        ),
        (
            "OpDecorate %g RelaxedPrecision\n%g = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
            "OpGroupDecorate %g %r %r ; warning: capability/core-use-is-not-deprecated",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r NoContraction\nOpDecorate %r FPFastMathMode NotNaN ; error: decoration/decorations-do-not-conflict",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r FPFastMathMode AllowContract|AllowReassoc|AllowTransform",
            "%r = OpFAdd %float %f %f",
        ),
        (
            "OpDecorate %r FPFastMathMode AllowTransform ; error: decoration/allow-transform-is-complete",
            "%r = OpFAdd %float %f %f",
        ),
    ],
)
def test_what_decorations_say_of_results(annotations: str, definition: str) -> None:
    extensions = "SPV_KHR_float_controls2 SPV_GOOGLE_hlsl_functionality1"
    check(shader(definition, annotations=annotations, capabilities="FloatControls2", extensions=extensions))
