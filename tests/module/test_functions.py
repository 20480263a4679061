"""Functions and their blocks."""

from __future__ import annotations

import pytest

import spvls
from spvls.module.functions import Function, is_complete
from spvls.syntax.document import Document

BODY = """%main = OpFunction %void None %fn
%entry = OpLabel
{line}
%next = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("line", "damaged"),
    [
        ("OpBranch %next", False),
        ("OpBrunch %next", True),  # what it was to be is not known
        ("OpBranch %next %next", True),
        ('OpStore "x"', False),
    ],
)
def test_a_function_is_damaged_where_its_blocks_are_in_doubt(line: str, damaged: bool) -> None:
    chunk = Document("OpMemoryModel Logical GLSL450\n" + BODY.format(line=line)).chunks[1]
    assert Function(chunk.records).damaged is damaged


def test_a_misspelt_terminator_is_one_error() -> None:
    head = (
        'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main "main"\n'
        "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    )
    assert [found.rule for found in spvls.validate(head + BODY.format(line="OpBrunch %next"))] == ["syntax/unknown-opcode"]


@pytest.mark.parametrize(
    ("lines", "complete"),
    [
        ("%e = OpLabel\nOpReturn\nOpFunctionEnd", True),
        ("OpFunctionEnd", False),
        ("%e = OpLabel\nOpReturn", False),
        ("%e = OpLabel 5\nOpReturn\nOpFunctionEnd", False),
        ("%e = OpLabel\nOpReturn\nOpFunctionEnd 5", False),
    ],
)
def test_a_function_is_complete_with_a_body_and_an_end(lines: str, complete: bool) -> None:
    chunk = Document(f"%f = OpFunction %void None %fn\n{lines}\n").chunks[1]
    function = Function(chunk.records)
    assert is_complete(chunk.records) is complete
    assert (function.end is not None and bool(function.blocks)) is complete
