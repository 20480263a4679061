"""Rules of `id/bound`: the bound of the ids."""

from __future__ import annotations

import struct

import spvls
from tests.validate.sources.layout import LAYOUT_HEAD, LAYOUT_MODEL


def test_the_bound_of_ids() -> None:
    text = LAYOUT_HEAD + LAYOUT_MODEL + "%void = OpTypeVoid\n%bool = OpTypeBool"
    module = bytearray(spvls.assemble(text))
    assert not spvls.validate(bytes(module))
    module[12:16] = struct.pack("<I", 2)
    (diagnostic,) = spvls.validate(bytes(module))
    assert (diagnostic.rule, diagnostic.instruction) == ("id/is-below-bound", 5)
    nothing = bytearray(spvls.assemble(LAYOUT_HEAD + LAYOUT_MODEL))
    nothing[12:16] = struct.pack("<I", 0)
    (diagnostic,) = spvls.validate(bytes(nothing))
    assert (diagnostic.rule, diagnostic.instruction) == ("id/is-below-bound", 1)
    assert [d.rule for d in spvls.validate(f"{text}\n!0x20013 !9")] == ["id/is-below-bound"]
    assert not spvls.validate(f'{LAYOUT_HEAD}{LAYOUT_MODEL}OpName %void "v"\n%bool = OpTypeBool\n!0x20013 !1')
