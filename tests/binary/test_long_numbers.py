"""Numbers of thousands of digits, wherever one can stand: a finding at the number, or a name."""

from __future__ import annotations

import pytest

import spvls

LONG = "9" * 5000

#: A text with `#` for the number, and the first line and column of it, from 1.
PLACES = [
    ("%i = OpTypeInt 32 0\n%c = OpConstant %i #", (2, 20)),
    ("%f = OpTypeFloat 64\n%c = OpConstant %f 0x1p#", (2, 20)),
    ("OpSource GLSL #", (1, 15)),
    ("OpUnknown(#, 1)", (1, 11)),
    ("OpUnknown(1, #)", (1, 14)),
    ("OpNop !#", (1, 7)),
    ("OpNop !1 #", (1, 10)),
    ("%a = OpTypeInt !0x#", (1, 16)),
    ("%i = OpTypeInt # 0", (1, 16)),
    ("OpDecorate %a Location #", (1, 24)),
    ("OpCapability #", (1, 14)),
    ('%s = OpExtInstImport "NonSemantic.X"\n%v = OpTypeVoid\n%x = OpExtInst %v %s #', (3, 22)),
    ("%i = OpTypeInt 32 0\n%c = OpConstant %i 1\nOpSwitch %c %d # %e", (3, 16)),
    ("%i = OpTypeInt 32 0\n%x = OpSpecConstantOp %i CompositeExtract %a !#", (2, 46)),
]


@pytest.mark.parametrize(("text", "place"), PLACES, ids=[text for text, _ in PLACES])
def test_a_long_number_is_a_finding_at_its_place(text: str, place: tuple[int, int]) -> None:
    text = text.replace("#", LONG)
    with pytest.raises(spvls.AssembleError) as caught:
        spvls.assemble(text)
    found = [diagnostic for diagnostic in caught.value.diagnostics if diagnostic.range is not None]
    assert place in [(d.range.start.line + 1, d.range.start.column + 1) for d in found if d.range is not None]
    assert all(len(diagnostic.message) < 300 for diagnostic in found)
    shown = {(d.range.start.line + 1, d.range.start.column + 1) for d in spvls.validate(text) if d.range is not None}
    assert place in shown


@pytest.mark.parametrize("name", [LONG, "0x" + "f" * 5000, "0" * 5000, "9" * 30])
def test_a_number_that_no_id_can_have_is_a_name(name: str) -> None:
    text = f"%{name} = OpTypeVoid\n%2 = OpTypeFunction %{name}\n"
    for preserve in (False, True):
        assert spvls.assemble(text, preserve_numeric_ids=preserve)[-4:] == b"\1\0\0\0"
    spvls.validate(text)


def test_long_numbers_in_comments_at_the_top_are_passed_over() -> None:
    text = f"; Version: 1.{LONG}\n; spvls: header bound={LONG} schema={LONG}\n; spvls: ids a={LONG}\n; spvls: target-env={LONG}\n"
    assert spvls.assemble(text) == spvls.assemble("")
    spvls.validate(text)
