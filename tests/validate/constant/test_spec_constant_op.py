"""Rules of `constant/spec_constant_op`: OpSpecConstantOp: what may be computed when a module is specialized."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader
from tests.validate.sources.constant import CONSTANT_DECLARATIONS


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpSpecConstantOp %uint IAdd %spec %one",
        "%k = OpSpecConstantOp %float FAdd %c %c ; error: constant/spec-operation-is-allowed `FAdd`",
        "%k = OpSpecConstantOp %uint IAdd %spec %c ; error: constant/spec-operation-is-valid `%c`",
        "%k = OpSpecConstantOp %bool IAdd %spec %one ; error: constant/spec-operation-is-valid `%bool`",
        "%k = OpSpecConstantOp %float QuantizeToF16 %c",
    ],
)
def test_specialized_operations(line: str) -> None:
    check(shader("", CONSTANT_DECLARATIONS + line))


def test_operands_of_specialized_operations_are_constants() -> None:
    lines = (
        "%p = OpTypePointer CrossWorkgroup %uint\n%v = OpVariable %p CrossWorkgroup\n"
        "%k = OpSpecConstantOp %ulong ConvertPtrToU %v ; error: constant/spec-operands-are-constant `%v`"
    )
    check(kernel("", lines, capabilities="Int64"))


def test_unsigned_conversion_came_to_shaders_with_1_4() -> None:
    line = "%k = OpSpecConstantOp %ulong UConvert %spec"
    check(shader("", f"{CONSTANT_DECLARATIONS}{line}"), env="spv1.4")
    check(shader("", f"{CONSTANT_DECLARATIONS}{line} ; error: constant/spec-operation-is-allowed `UConvert`"), env="spv1.3")
