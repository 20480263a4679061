"""Rules of `interface/variable`: which variables an interface lists, and what they hold."""

from __future__ import annotations

import spvls
from tests.validate.sources.interface import INTERFACE_IN, interface_module


def test_listed_by_a_fix() -> None:
    diagnostics = spvls.validate(interface_module("", "", INTERFACE_IN, "%x = OpLoad %float %a"), target_env="spv1.3")
    assert [edit.text.strip() for fix in diagnostics[0].fixes for edit in fix.edits] == ["%a"]
