"""Rules of `ext_inst/placement`: section, order and number of operands."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.ext_inst import EXT_INST_PRINTF, ext_inst_shader


def test_instructions_that_compute_stand_in_functions() -> None:
    check(ext_inst_shader("", declarations="%r = OpExtInst %f32 %set Sin %one ; error: ext-inst/instruction-is-in-permitted-section `Sin`"))


def test_non_semantic_operands_stand_before() -> None:
    body = """%p = OpExtInst %void %set DebugPrintf %format %late ; error: ext-inst/operands-are-defined-first `%late`
%late = OpFAdd %f32 %one %one"""
    check(ext_inst_shader(body, imports=EXT_INST_PRINTF, strings='%format = OpString "%f"'), env="spv1.6")
