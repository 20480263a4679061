"""Rules of `memory/lifetime`: lifetimes."""

from __future__ import annotations

import pytest

from tests.validate.check import check


@pytest.mark.parametrize(("size", "error"), [("0", ""), ("4", " ; error: memory/lifetime-is-of-local-variable `4`")])
def test_lifetimes(size: str, error: str) -> None:
    check(
        f"""OpCapability Kernel
OpCapability Linkage
OpMemoryModel Logical OpenCL
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%ptr = OpTypePointer Function %int
%f = OpFunction %void None %fn
%l = OpLabel
%v = OpVariable %ptr Function
OpLifetimeStart %v {size}{error}
OpReturn
OpFunctionEnd
"""
    )
