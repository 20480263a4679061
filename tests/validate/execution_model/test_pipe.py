"""Pipes of OpenCL."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel

DECLARATIONS = """
    %in_pipe = OpTypePipe ReadOnly
    %out_pipe = OpTypePipe WriteOnly
    %reserve_id = OpTypeReserveId
    %generic_float = OpTypePointer Generic %float
    %in = OpUndef %in_pipe
    %out = OpUndef %out_pipe
    %id = OpUndef %reserve_id
    %p = OpUndef %generic_float
"""


@pytest.mark.parametrize(
    "line",
    [
        "%s = OpReadPipe %uint %in %p %one %one",
        "%s = OpReadPipe %float %in %p %one %one ; error: execution-model/pipe-types-match `%float`",
        "%s = OpReadPipe %uint %out %p %one %one ; error: execution-model/pipe-types-match `%out`",
        "%s = OpReadPipe %uint %u %p %one %one ; error: execution-model/pipe-types-match `%u`",
        "%s = OpReadPipe %uint %in %f %one %one ; error: execution-model/pipe-types-match `%f`",
        "%s = OpReadPipe %uint %in %p %f %one ; error: execution-model/pipe-types-match `%f`",
        "%s = OpWritePipe %uint %out %p %one %one",
        "%s = OpWritePipe %uint %in %p %one %one ; error: execution-model/pipe-types-match `%in`",
        "%s = OpReservedWritePipe %uint %out %id %zero %p %one %one",
        "%s = OpReservedWritePipe %uint %out %u %zero %p %one %one ; error: execution-model/pipe-types-match `%u`",
        "%s = OpReserveReadPipePackets %reserve_id %in %one %one %one",
        "%s = OpReserveReadPipePackets %uint %in %one %one %one ; error: execution-model/pipe-types-match `%uint`",
        "OpCommitReadPipe %in %id %one %one",
        "OpCommitReadPipe %out %id %one %one ; error: execution-model/pipe-types-match `%out`",
        "OpGroupCommitWritePipe %two %out %id %one %one",
        "OpGroupCommitWritePipe %two %in %id %one %one ; error: execution-model/pipe-types-match `%in`",
        "%s = OpIsValidReserveId %bool %id",
        "%s = OpIsValidReserveId %bool %in ; error: execution-model/pipe-types-match `%in`",
        "%s = OpGetNumPipePackets %uint %out %one %one",
        "%s = OpGetNumPipePackets %ulong %out %one %one ; error: execution-model/pipe-types-match `%ulong`",
    ],
)
def test_pipes(line: str) -> None:
    check(kernel(line, DECLARATIONS, capabilities="Pipes Int64 GenericPointer"), env="opencl2.1")
