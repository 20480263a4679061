"""Rules of `constant/scalar`: boolean, null, undefined values, function pointers."""

from __future__ import annotations

import pytest

import spvls
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from tests.validate.shaders import shader
from tests.validate.sources.constant import CONSTANT_DECLARATIONS


def test_messages_name_the_part_without_null() -> None:
    line = "%k = OpConstantNull %holder"
    [found] = spvls.validate(shader("", CONSTANT_DECLARATIONS + line))
    assert "contains image<2D, f32, sampled>" in found.message


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("%k = OpSpecConstantOp %uint ISub %one %two", 0xFFFFFFFF),
        ("%k = OpSpecConstantOp %int SDiv %minus7 %plus2", -3),
        ("%k = OpSpecConstantOp %int SRem %minus7 %plus2", -1),
        ("%k = OpSpecConstantOp %int SMod %minus7 %plus2", 1),
        ("%k = OpSpecConstantOp %ulong ShiftRightLogical %big %four", 0x100000000),
        ("%k = OpSpecConstantOp %uint UDiv %one %zero", None),
        ("%k = OpSpecConstantOp %uvec2 IAdd %pair %pair", (2, 4)),
        ("%k = OpSpecConstantOp %uint CompositeExtract %pair 1", 2),
        ("%k = OpSpecConstantOp %uvec2 CompositeInsert %four %pair 0", (4, 2)),
        ("%k = OpSpecConstantOp %uvec2 VectorShuffle %pair %pair 3 0", (2, 1)),
        ("%k = OpSpecConstantOp %bool ULessThan %one %two", True),
        ("%k = OpSpecConstantOp %uint Select %true %one %two", 1),
        ("%k = OpSpecConstantOp %float FMod %f7 %f2", 1.0),
        ("%k = OpSpecConstantOp %uint Bitcast %f2", 0x40000000),
        ("%k = OpSpecConstantOp %float Bitcast %bits2", 2.0),
        ("%k = OpSpecConstantOp %int SConvert %big", 0),
    ],
)
def test_values_of_operations(line: str, value: object) -> None:
    declarations = """
        %minus7 = OpConstant %int -7
        %plus2 = OpConstant %int 2
        %big = OpConstant %ulong 0x1000000000
        %pair = OpConstantComposite %uvec2 %one %two
        %f7 = OpConstant %float 7
        %f2 = OpConstant %float 2
        %bits2 = OpConstant %uint 0x40000000
    """
    module = Module(Document(shader("", declarations + line)).chunks, environment("spv1.6"))
    constant = module.constant("k")
    assert constant is not None
    assert constant.value == value
    assert constant.specialized
