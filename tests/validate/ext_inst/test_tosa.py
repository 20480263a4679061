"""Rules of `ext_inst/tosa`: TOSA.001000.1: operators on tensors in graphs; the reference validator looks at none of their operands."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.validate.rules.ext_inst.tosa_operator import LIMITS, OPERATORS, RESULT, SCALARS
from tests.validate.check import check
from tests.validate.sources.graph import GRAPH_MODULE


def graph(line: str) -> str:
    return GRAPH_MODULE.format(body=line)


def test_every_operand_of_every_operator_is_in_the_table() -> None:
    known = tables.extended_set("TOSA.001000.1")
    assert known is not None
    assert set(OPERATORS) == set(known.entries)
    for name, operator in OPERATORS.items():
        instruction = known.get(name)
        assert instruction is not None
        operands = {operand.name for operand in instruction.operands}
        described = {*operator.inputs, *operator.lists}
        assert described <= operands <= {*described, *SCALARS, *LIMITS}
        for row in (*operator.alike, operator.level):
            assert {*row} <= {*operator.inputs, RESULT}


CONV = "OpExtInst %t4 %tosa CONV2D %c4 %c2 %c2 %1 %yes %image %image %bias %zp %zp"


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpExtInst %t2 %tosa CLZ %t",
        "%x = OpExtInst %free %tosa ABS %any",
        "%x = OpExtInst %f2 %tosa ABS %any",
        "%x = OpExtInst %t2 %tosa CLZ %f ; warning: ext-inst/tosa-operands-match `%f`",
        "%x = OpExtInst %t2 %tosa CLZ %i ; warning: ext-inst/tosa-operands-match `%i`",
        "%x = OpExtInst %t2 %tosa CLZ %1 ; warning: ext-inst/tosa-operands-match `%1`",
        f"%x = {CONV}",
        f"%x = {CONV.replace('%c4 %c2', '%c4 %c4')} ; warning: ext-inst/tosa-operands-match `%c4`",
        f"%x = {CONV.replace('%1 %yes', '%f1 %yes')} ; warning: ext-inst/tosa-operands-match `%f1`",
        f"%x = {CONV.replace('%1 %yes', '%1 %1')} ; warning: ext-inst/tosa-operands-match `%1`",
        f"%x = {CONV.replace('%1 %yes', '%9 %yes')} ; warning: ext-inst/tosa-attributes-are-in-range `%9`",
        f"%x = {CONV.replace('CONV2D %c4', 'CONV2D %bias')} ; warning: ext-inst/tosa-operands-match `%bias`",
        f"%x = {CONV.replace('%image %image', '%image %t')} ; warning: ext-inst/tosa-operands-match `%t`",
        f"%x = {CONV.replace('%zp %zp', '%zp %supplied')}",
        f"%x = {CONV.replace('%zp %zp', '%zp %zp2')} ; warning: ext-inst/tosa-operands-match `%zp2`",
        f"%x = {CONV.replace('%zp %zp', '%zp_f32 %zp')} ; warning: ext-inst/tosa-element-types-match `%zp_f32`",
        f"%x = {CONV.replace('%t4', '%f4')} ; warning: ext-inst/tosa-element-types-match `%f4`",
        f"%x = {CONV.replace('%t4', '%l4')} ; warning: ext-inst/tosa-element-types-match `%l4`",
        f"%x = {CONV.replace('%t4', '%t2')} ; warning: ext-inst/tosa-result-matches `%t2`",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %f1 %1 %f",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %1 %1 %f ; warning: ext-inst/tosa-operands-match `%1`",
        "%x = OpExtInst %f2 %tosa CLAMP %f1 %f1 %3 %f ; warning: ext-inst/tosa-attributes-are-in-range `%3`",
        "%x = OpExtInst %n4 %tosa AVG_POOL2D %c2 %c2 %c4 %1 %image %zp %zp",
        "%x = OpExtInst %n4 %tosa AVG_POOL2D %c2 %c2 %c4 %4 %image %zp %zp ; warning: ext-inst/tosa-attributes-are-in-range `%4`",
        "%x = OpExtInst %f4 %tosa AVG_POOL2D %c2 %c2 %c4 %3 %picture %zp_f32 %zp_f32",
        "%x = OpExtInst %f4 %tosa AVG_POOL2D %c2 %c2 %c4 %3 %picture %zp %zp_f32 ; warning: ext-inst/tosa-element-types-match `%zp`",
        "%x = OpExtInst %spectra %tosa RFFT2D %yes %cube",
        "%x = OpExtInst %f3 %tosa RFFT2D %yes %cube ; warning: ext-inst/tosa-result-matches `%f3`",
        "%x = OpExtInst %half_spectrum %tosa RFFT2D %yes %cube ; warning: ext-inst/tosa-result-matches `%half_spectrum`",
        "%x = OpExtInst %b2 %tosa EQUAL %t %t",
        "%x = OpExtInst %t2 %tosa EQUAL %t %t ; warning: ext-inst/tosa-result-matches `%t2`",
        "%x = OpExtInst %b2 %tosa EQUAL %t %f ; warning: ext-inst/tosa-element-types-match `%f`",
        "%x = OpExtInst %f2 %tosa ADD %f %h ; warning: ext-inst/tosa-element-types-match `%h`",
        "%x = OpExtInst %t2 %tosa ADD %t %vec ; warning: ext-inst/tosa-ranks-match `%vec`",
        "%x = OpExtInst %t1 %tosa ADD %t %t ; warning: ext-inst/tosa-ranks-match `%t1`",
        "%x = OpExtInst %t2 %tosa CONCAT %0 %t %t %t",
        "%x = OpExtInst %t2 %tosa CONCAT %0 %t %t %vec ; warning: ext-inst/tosa-ranks-match `%vec`",
        "%x = OpExtInst %t2 %tosa CONCAT %2 %t %t ; warning: ext-inst/tosa-attributes-are-in-range `%2`",
        "%x = OpExtInst %t1 %tosa ARGMAX %0 %1 %f",
        "%x = OpExtInst %t2 %tosa ARGMAX %0 %1 %f ; warning: ext-inst/tosa-ranks-match `%t2`",
        "%x = OpExtInst %t1 %tosa RESHAPE %t %c2",
        "%x = OpExtInst %t2 %tosa TRANSPOSE %c2 %t",
        "%x = OpExtInst %t2 %tosa TRANSPOSE %vec %t ; warning: ext-inst/tosa-operands-match `%vec`",
        "%x = OpExtInst %b2 %tosa CAST %t",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %t %t",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %t %c2 %c2 %c2 %t %t ; warning: ext-inst/motion-engine-operands-match `%t`",
        "%x = OpExtInst %t2 %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %1 %t ; warning: ext-inst/motion-engine-operands-match `%1`",
        "%x = OpExtInst %pair %motion RAW_SAD %c2 %c2 %c2 %c2 %c2 %c2 %t %t ; warning: ext-inst/motion-engine-result-is-tensor `%pair`",
        "%x = OpExtInst %pair %motion MIN_SAD_COST %c2 %c2 %c2 %c2 %c2 %c2 %1 %t %t",
        "%x = OpExtInst %t2 %motion MIN_SAD_COST %c2 %c2 %c2 %c2 %c2 %c2 %1 %t %t ; warning: ext-inst/motion-engine-result-is-tensor `%t2`",
        "%x = OpExtInst %void %debug DebugGraph %g %name",
        "%x = OpExtInst %u32 %debug DebugGraph %g %name ; warning: ext-inst/non-semantic-result-is-void `%u32`",
        "%x = OpExtInst %void %debug DebugGraph %t %name ; warning: ext-inst/graph-debug-operands-match `%t`",
        "%x = OpExtInst %void %debug DebugGraph %g %1 ; warning: ext-inst/graph-debug-operands-match `%1`",
        "%x = OpExtInst %void %debug DebugGraph %g %name\n%y = OpExtInst %void %debug DebugOperation %x %name %t",
        "%x = OpExtInst %void %debug DebugOperation %g %name %t ; warning: ext-inst/graph-debug-operands-match `%g`",
        "%x = OpExtInst %void %debug DebugTensor %t %name",
        "%x = OpExtInst %void %debug DebugTensor %1 %name ; warning: ext-inst/graph-debug-operands-match `%1`",
        "%x = OpExtInst %void %debug DebugTensor %m %name ; warning: ext-inst/graph-debug-operands-match `%m`",
        "%x = OpExtInst %void %debug DebugTensor %t %name %0 ; warning: ext-inst/graph-debug-index-selects-part `%0`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %1",
        "%x = OpExtInst %void %debug DebugTensor %p %name ; warning: ext-inst/graph-debug-index-selects-part `%p`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %i1 ; warning: ext-inst/graph-debug-index-selects-part `%i1`",
        "%x = OpExtInst %void %debug DebugTensor %p %name %2 ; warning: ext-inst/graph-debug-index-selects-part `%2`",
        "%x = OpExtInst %void %debug DebugTensor %r2 %name %1",
        "%x = OpExtInst %void %debug DebugTensor %r2 %name %2 ; warning: ext-inst/graph-debug-index-selects-part `%2`",
    ],
)
def test_instructions_in_graphs(line: str) -> None:
    check(graph(line), env="spv1.5")


def test_what_is_wrong_is_spelled_out() -> None:
    (finding,) = check(graph("%x = OpExtInst %t2 %tosa CLZ %f ; warning: ext-inst/tosa-operands-match"), env="spv1.5")
    assert finding.message == "input1 %f is tensor<f32, 2>, expected a tensor of u32"
