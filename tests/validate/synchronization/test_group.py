"""Rules of `synchronization/group`: uniform group operations."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpGroupAll %bool %two %b",
        "%r = OpGroupAll %bool %two %u ; error: synchronization/group-types-match `%u`",
        "%r = OpGroupAny %uint %two %b ; error: synchronization/group-types-match `%uint`",
        "%r = OpGroupBroadcast %float %two %f %zero",
        "%r = OpGroupBroadcast %float %two %u %zero ; error: synchronization/group-types-match `%u`",
        "%r = OpGroupFAdd %float %two Reduce %f",
        "%r = OpGroupFAdd %uint %two Reduce %u ; error: synchronization/group-types-match `%uint`",
        "%r = OpGroupIAdd %uint %two Reduce %u",
        "%r = OpGroupIAdd %uint %two Reduce %l ; error: synchronization/group-types-match `%l`",
    ],
)
def test_uniform(line: str) -> None:
    check(kernel(line, capabilities="Groups Int64"), env="opencl2.1")


@pytest.mark.parametrize(
    "line",
    [
        "%e = OpGroupAsyncCopy %event %two %shared %global %u %u %none",
        "%e = OpGroupAsyncCopy %event %two %global %shared %u %u %none",
        "%e = OpGroupAsyncCopy %uint %two %shared %global %u %u %none ; error: synchronization/async-copy-types-match `%uint`",
        "%e = OpGroupAsyncCopy %event %two %u %global %u %u %none ; error: synchronization/async-copy-types-match `%u`",
        "%e = OpGroupAsyncCopy %event %two %events %global %u %u %none ; error: synchronization/async-copy-types-match `%events`",
        "%e = OpGroupAsyncCopy %event %two %shared %shared %u %u %none ; error: synchronization/async-copy-types-match",
        "%e = OpGroupAsyncCopy %event %two %shared %floats %u %u %none ; error: synchronization/async-copy-types-match `%floats`",
        "%e = OpGroupAsyncCopy %event %two %shared %global %l %u %none ; error: synchronization/async-copy-types-match `%l`",
        "%e = OpGroupAsyncCopy %event %two %shared %global %u %u %b ; error: synchronization/async-copy-types-match `%b`",
        "OpGroupWaitEvents %two %one %events",
        "OpGroupWaitEvents %two %l %events ; error: synchronization/async-copy-types-match `%l`",
        "OpGroupWaitEvents %two %one %shared ; error: synchronization/async-copy-types-match `%shared`",
    ],
)
def test_asynchronous_copies(line: str) -> None:
    declarations = """
        %event = OpTypeEvent
        %none = OpConstantNull %event
        %shared_uint = OpTypePointer Workgroup %uint
        %global_uint = OpTypePointer CrossWorkgroup %uint
        %global_float = OpTypePointer CrossWorkgroup %float
        %local_event = OpTypePointer Function %event
        %shared = OpUndef %shared_uint
        %global = OpUndef %global_uint
        %floats = OpUndef %global_float
        %events = OpUndef %local_event
    """
    check(kernel(line, declarations, capabilities="Int64"), env="opencl2.1")
