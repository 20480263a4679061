"""Words that are given as they are (`!N`) behind operands whose reading hangs on other instructions."""

from __future__ import annotations

import struct

import pytest

import spvls

HEAD = """\
OpCapability Shader
OpCapability Linkage
%set = OpExtInstImport "GLSL.std.450"
%other = OpExtInstImport "NonSemantic.Remarks"
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%f = OpFunction %void None %fn
%entry = OpLabel
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%r = OpExtInst %float %set Sin !5", (13, 5)),
        ("%r = OpExtInst %float %set FMix !5", (46, 5)),
        ("%r = OpExtInst %float %set Sin %one !7", (13, 7, 7)),
        ("%r = OpExtInst %void %other 3 !5", (3, 5)),
        ("OpSwitch %one %entry 3 !9", (3, 9)),
    ],
)
def test_they_follow_what_is_read(line: str, words: tuple[int, ...]) -> None:
    text = f"{HEAD}{line}\n"
    assert struct.unpack(f"<{len(words)}I", spvls.assemble(text)[-4 * len(words) :]) == words
    assert spvls.validate(text)  # a finding, not an exception


@pytest.mark.parametrize("line", ["%r = OpExtInst %float %set Sin %one Volatile !5", "%r = OpExtInst %void %other 3 Volatile !5"])
def test_what_cannot_be_read_before_them_is_a_finding(line: str) -> None:
    with pytest.raises(spvls.AssembleError):
        spvls.assemble(f"{HEAD}{line}\n")
    assert any(found.rule.startswith("syntax/") for found in spvls.validate(f"{HEAD}{line}\n"))


def test_a_name_that_does_not_exist_is_a_finding() -> None:
    found = spvls.validate(f"{HEAD}%r = OpExtInst %float %set Sine !5\n")
    assert "syntax/unknown-extended-instruction" in {diagnostic.rule for diagnostic in found}
