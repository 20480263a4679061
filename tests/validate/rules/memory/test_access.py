"""Rules of `memory/access`: loads and stores."""

from __future__ import annotations

import spvls
from tests.validate.sources.memory import memory_module


def test_a_load_takes_the_type_of_what_is_there() -> None:
    [found] = spvls.validate(memory_module("%r = OpLoad %int %x"), target_env="spv1.3")
    assert "operand Pointer (%x) points to" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%float"]
