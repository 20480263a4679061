"""Rules of `decoration/repetition`: repeated and contradicting decorations."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.annotation import annotation_module


@pytest.mark.parametrize(
    ("annotations", "definition"),
    [
        (
            "OpDecorate %v Restrict\nOpDecorate %v Aliased",
            "%v = OpVariable %private Private ; error: decoration/decorations-do-not-conflict `%v`",
        ),
        ("OpDecorate %U Block\nOpDecorate %U BufferBlock", "%U = OpTypeStruct %float ; error: decoration/decorations-do-not-conflict `%U`"),
        (
            "OpMemberDecorate %U 0 RowMajor\nOpMemberDecorate %U 0 ColMajor",
            "%U = OpTypeStruct %mat ; error: decoration/decorations-do-not-conflict `%U`",
        ),
        ("OpDecorate %v RelaxedPrecision", "%v = OpVariable %private Private"),
        ("OpDecorate %U RelaxedPrecision", "%U = OpTypeStruct %float ; error: decoration/fits-target-object `%U`"),
        ("OpMemberDecorate %U 0 RelaxedPrecision", "%U = OpTypeStruct %float"),
        ("OpDecorate %v NonWritable", "%v = OpVariable %private Private ; error: decoration/fits-target-object `%v`"),
        ("OpDecorate %v Component 1", "%v = OpVariable %private Private ; error: interface/component-fits-location `%v`"),
        ("OpDecorate %v Component 1", "%v = OpVariable %input Input"),
    ],
)
def test_what_decorations_say_of_global_objects(annotations: str, definition: str) -> None:
    check(annotation_module(annotations, definition), env="spv1.3")
