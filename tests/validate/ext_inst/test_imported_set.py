"""Rules of `ext_inst/imported_set`: OpExtInstImport."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.ext_inst import EXT_INST_PRINTF, ext_inst_shader


def test_non_semantic_sets_before_1_6() -> None:
    expected = "; error: ext-inst/non-semantic-extension-is-declared"
    check(ext_inst_shader("", imports=f"{EXT_INST_PRINTF} {expected}"), env="spv1.5")
    check(ext_inst_shader("", imports=EXT_INST_PRINTF), env="spv1.6")
    check(ext_inst_shader("", imports=f'OpExtension "SPV_KHR_non_semantic_info"\n{EXT_INST_PRINTF}'), env="spv1.5")


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("NonSemantic.ClspvReflection.5", True),
        ("NonSemantic.ClspvReflection.0", False),
        ("NonSemantic.ClspvReflection.", False),
        ("Arm.ExperimentalMLOperations.1", True),
        ("Arm.ExperimentalMLOperations.2", False),
    ],
)
def test_revisions_of_imports(name: str, good: bool) -> None:
    expected = "" if good else " ; error: ext-inst/imported-revision-is-known"
    check(ext_inst_shader("", imports=f'%set = OpExtInstImport "{name}"{expected}'), env="spv1.6")
