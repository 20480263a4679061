"""Operands that depend on other instructions."""

from __future__ import annotations

import pytest

from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document

_PRELUDE = """\
%glsl = OpExtInstImport "GLSL.std.450"
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
%shader_debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%unknown = OpExtInstImport "NonSemantic.Unknown"
%void = OpTypeVoid
%int = OpTypeInt 32 1
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%wide = OpConstant %long 7
%real = OpConstant %float 1
"""


def _resolved(line: str) -> tuple[tuple[object, ...], list[tuple[str, str]]]:
    module = Module(Document(_PRELUDE + line + "\n").chunks, environment("spv1.6"))
    record = module.chunks[0].records[-1]
    assert record.faults == ()
    found = module.resolved(record)
    return found.operands, [(fault.rule, fault.message) for fault in found.faults]


@pytest.mark.parametrize(
    ("line", "operands"),
    [
        ("%c = OpConstant %int -1", (0xFFFFFFFF,)),
        ("%c = OpConstant %long 0x100000002", ((2, 1),)),
        ("OpSwitch %wide %a 5 %b", ("wide", "a", (5, 0), "b")),
        ("%r = OpExtInst %float %glsl FMix %a %b %c", ("glsl", 46, "a", "b", "c")),
        ("%r = OpExtInst %void %debug DebugOperation BitPiece 3 4", ("debug", 30, 4, 3, 4)),
        ("%r = OpExtInst %void %debug DebugOperation Deref", ("debug", 30, 0)),
        ("%r = OpExtInst %void %debug DebugTypeEnum %a %b %c 1 2 %d %e FlagIsPublic %f %g %h",
         ("debug", 9, "a", "b", "c", 1, 2, "d", "e", 3, "f", "g", "h")),
        ("%r = OpExtInst %void %shader_debug DebugInfoNone %later", ("shader_debug", 0, "later")),
        ("%r = OpExtInst %void %unknown 12 %a %b", ("unknown", 12, "a", "b")),
    ],
)  # fmt: skip
def test_operands_are_resolved(line: str, operands: tuple[object, ...]) -> None:
    assert _resolved(line) == (operands, [])


@pytest.mark.parametrize(
    ("line", "rule", "message"),
    [
        ("%c = OpConstant %int 5000000000", "syntax/number", "does not fit"),
        ("%c = OpConstant %void 5", "syntax/number-type", "the result type %void must be an integer or float type, declared before"),
        ("OpSwitch %real %a 5 %b", "syntax/number-type", "the type of operand Selector (%real) is a 32-bit float"),
        ("%r = OpExtInst %float %int FMix %a", "syntax/extended-set", "operand Set (%int) must be the result of an earlier"),
        ("%r = OpExtInst %float %glsl FMx %a", "syntax/unknown-extended-instruction", "has no instruction `FMx`; did you mean"),
        ("%r = OpExtInst %float %glsl FMix %a %b", "syntax/missing-operand", "FMix requires an id (a), which is missing"),
        ("%r = OpExtInst %float %glsl Sqrt %a %b", "syntax/surplus-operand", "`%b` is one operand too many for Sqrt"),
        ("%r = OpExtInst %float %glsl Sqrt 5", "syntax/operand-kind", "expected an id (x), found `5`"),
        ("%r = OpExtInst %void %debug DebugOperation BitPiece 3", "syntax/missing-operand", "an unsigned 32-bit number"),
        ("%r = OpExtInst %void %debug DebugOperation Dref", "syntax/unknown-enumerant", "did you mean Deref?"),
        ("%r = OpExtInst %void %debug DebugOperation 4", "syntax/unknown-enumerant", "or the raw word !4"),
        ("%r = OpExtInst %void %shader_debug DebugInfoNone 5", "syntax/operand-kind", "expected an id, found `5`"),
        ("%r = OpExtInst %void %unknown 12 5", "syntax/operand-kind", "set have only ids as operands"),
        ("%r = OpExtInst %void %unknown Name", "syntax/unknown-extended-instruction", "must be written as a number"),
    ],
)  # fmt: skip
def test_faults_name_what_is_wrong(line: str, rule: str, message: str) -> None:
    _, faults = _resolved(line)
    assert len(faults) == 1
    assert faults[0][0] == rule
    assert message in faults[0][1]
