"""Rules of `decoration/floating_point`: rounding and fast math modes."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.annotation import ANNOTATION_ROUNDED


@pytest.mark.parametrize(
    ("pointee", "body"),
    [
        ("%half", "%r = OpFConvert %half %f\nOpStore %o %r"),
        ("%half", "%r = OpFConvert %half %f ; error: decoration/rounded-value-is-only-stored `%r`\n%s = OpFAdd %half %r %r"),
        ("%float", "%r = OpFConvert %float %h ; error: decoration/rounded-value-is-only-stored `%r`\nOpStore %o %r"),
        ("%float", "%r = OpFAdd %float %f %f ; error: decoration/fits-target-object `%r`"),
    ],
)
def test_rounding_modes_are_for_what_is_stored(pointee: str, body: str) -> None:
    declarations = ANNOTATION_ROUNDED.format(pointee) + "\n%h = OpUndef %half"
    text = shader(
        body,
        declarations,
        annotations="OpDecorate %r FPRoundingMode RTE",
        capabilities="Float16 StorageInputOutput16",
        model="Vertex",
    )
    check(text.replace('"main"', '"main" %o'))
