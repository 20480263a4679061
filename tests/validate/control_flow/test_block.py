"""Rules of `control_flow/block`: order and beginning of blocks; unreachable ones."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.advice import ADVICE, advice_function
from tests.validate.sources.layout import LAYOUT_FUNCTION, LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_SELECTION, LAYOUT_TYPES


def test_a_block_that_nothing_leads_to() -> None:
    body = "OpReturn\n%late = OpLabel{found}"
    check(advice_function(body.format(found=" ; hint: control-flow/block-is-reachable `%late`")), options=ADVICE)
    merge = """\
OpSelectionMerge %end None
OpBranchConditional %true %left %right
%left = OpLabel
OpReturn
%right = OpLabel
OpReturn
%end = OpLabel
OpUnreachable
%more = OpLabel ; hint: control-flow/block-is-reachable `%more`"""
    text = advice_function(merge).replace("%void = OpTypeVoid\n", "%void = OpTypeVoid\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n")
    check(text, options=ADVICE)


PHI = "%r = OpPhi %bool %true %a %true %b"


@pytest.mark.parametrize(
    "lines",
    [
        PHI,
        f"OpNoLine\n{PHI}",
        f"OpNop\n{PHI} ; error: control-flow/phis-come-first",
        f"{PHI}\nOpNop\n{PHI[:2]}2{PHI[2:]} ; error: control-flow/phis-come-first",
    ],
)
def test_phis_come_first(lines: str) -> None:
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + LAYOUT_SELECTION.format(lines))


def test_the_first_block_has_no_phi() -> None:
    phi = "%r = OpPhi %bool ; error: control-flow/phis-come-first"
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + f"%f = OpFunction %void None %fn\n%entry = OpLabel\n{phi}\nOpReturn\nOpFunctionEnd")


@pytest.mark.parametrize(
    "lines",
    [
        "%v = OpVariable %ptr Function\nOpNoLine\n%w = OpVariable %ptr Function\nOpStore %v %true",
        "%v = OpVariable %ptr Function\nOpStore %v %true\n"
        "%w = OpVariable %ptr Function ; error: control-flow/local-variables-come-first",
        "OpBranch %next\n%next = OpLabel\n%v = OpVariable %ptr Function ; error: control-flow/local-variables-come-first",
    ],
)
def test_variables_come_first(lines: str) -> None:
    pointer = "%ptr = OpTypePointer Function %bool\n"
    found = {
        (d.range.start.line, d.rule)
        for d in spvls.validate(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + pointer + LAYOUT_FUNCTION.replace("OpReturn", f"{lines}\nOpReturn"))
        if d.rule == "control-flow/local-variables-come-first" and d.range
    }
    marked = [at for at, line in enumerate(lines.split("\n")) if "error" in line]
    assert found == {(10 + at, "control-flow/local-variables-come-first") for at in marked}
