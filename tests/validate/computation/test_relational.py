"""Rules of `computation/relational`: relational and logical instructions."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFOrdLessThan %bvec2 %v2 %v2",
        "%r = OpIEqual %bool %u %i",
        "%r = OpIsNan %bool %f",
        "%r = OpFOrdLessThan %bool %v2 %v2 ; error: computation/compared-operands-match `%v2`",
        "%r = OpFOrdEqual %uint %f %f ; error: computation/compared-operands-match `%uint`",
        "%r = OpFOrdEqual %bool %f %u ; error: computation/compared-operands-match `%u`",
        "%r = OpIEqual %bool %f %u ; error: computation/compared-operands-match `%f`",
        "%r = OpULessThan %bool %u %l ; error: computation/compared-operands-match `%l`",
        "%r = OpIsInf %bool %u ; error: computation/compared-operands-match `%u`",
        "%r = OpLogicalAnd %bool %b %b",
        "%r = OpAny %bool %b2",
        "%r = OpAny %bool %b ; error: computation/logical-operands-are-bool `%b`",
        "%r = OpLogicalOr %bool %b %u ; error: computation/logical-operands-are-bool `%u`",
        "%r = OpLogicalNot %uint %u ; error: computation/logical-operands-are-bool `%uint`",
        "%r = OpSelect %vec2 %b2 %v2 %v2",
        "%r = OpSelect %vec2 %b %v2 %v2 ; error: computation/selected-types-match `%b`",
        "%r = OpSelect %float %u %f %f ; error: computation/selected-types-match `%u`",
        "%r = OpSelect %float %b %f %v2 ; error: computation/selected-types-match `%v2`",
        "%r = OpSelect %mat2x3 %b %m2x3 %m2x3 ; error: computation/selected-types-match `%mat2x3`",
    ],
)
def test_relations_before_1_4(line: str) -> None:
    check(shader(line), env="spv1.3")


def test_relaxed_pointers_are_selected_by_capability() -> None:
    declarations = """
        %private_float = OpTypePointer Private %float
        %p = OpVariable %private_float Private
    """
    line = "%r = OpSelect %private_float %b %p %p ; error: computation/selected-types-match `%private_float`"
    check(shader(line, declarations), env="spv1.3", options={"relax_logical_pointer": True})
