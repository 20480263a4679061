"""Rules of `ext_inst/amd`: types that the extended instruction sets of AMD's extensions take and give; the reference validator looks at none."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.ext_inst import ext_inst_shader


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("SPV_AMD_shader_trinary_minmax", "%r = OpExtInst %f32 %set FMin3AMD %one %one %one"),
        ("SPV_AMD_shader_trinary_minmax", "%r = OpExtInst %f32 %set FMin3AMD %one %one %int_1 ; warning: ext-inst/amd-types-match"),
        ("SPV_AMD_gcn_shader", "%r = OpExtInst %f32 %set CubeFaceIndexAMD %v2 ; warning: ext-inst/amd-types-match"),
        ("SPV_AMD_gcn_shader", "%r = OpExtInst %u64 %set TimeAMD"),
        ("SPV_AMD_shader_ballot", "%r = OpExtInst %u32 %set MbcntAMD %uint_1 ; warning: ext-inst/amd-types-match"),
    ],
)
def test_amd_sets(name: str, line: str) -> None:
    check(ext_inst_shader(line, imports=f'OpExtension "{name}"\n%set = OpExtInstImport "{name}"'))
