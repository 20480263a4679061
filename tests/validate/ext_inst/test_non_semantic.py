"""Rules of `ext_inst/non_semantic`: what non-semantic sets have in common, and the small ones: printing, and stopping for a debugger."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.ext_inst import EXT_INST_PRINTF, ext_inst_shader


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpExtInst %void %set DebugPrintf %format %one",
        "%p = OpExtInst %void %set DebugPrintf %one ; warning: ext-inst/printf-format-is-string `%one`",
        "%p = OpExtInst %f32 %set DebugPrintf %format ; warning: ext-inst/non-semantic-result-is-void `%f32`",
    ],
)
def test_printf(line: str) -> None:
    check(ext_inst_shader(line, imports=EXT_INST_PRINTF, strings='%format = OpString "%f"'), env="spv1.6")
