"""Rules of `ext_inst/tosa`: TOSA.001000.1: operators on tensors in graphs; the reference validator looks at none of their operands."""

from __future__ import annotations

import spvls
from spvls.grammar import tables
from spvls.validate.rules.ext_inst.tosa_operator import LIMITS, OPERATORS, RESULT, SCALARS
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


def test_what_is_wrong_is_spelled_out() -> None:
    (finding,) = spvls.validate(graph("%x = OpExtInst %t2 %tosa CLZ %f"), target_env="spv1.5")
    assert finding.message == "operand input1 (%f) is tensor<f32, 2>, expected a tensor of u32"
