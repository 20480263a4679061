"""Functions and their blocks."""

from __future__ import annotations

import pytest

import spvls
from spvls.module.functions import Function
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
