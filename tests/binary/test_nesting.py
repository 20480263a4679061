"""The blocks of a function: depth and order."""

from __future__ import annotations

import pytest

from spvls.binary.decode import decode
from spvls.binary.nesting import Arrangement, arrange
from spvls.syntax.instruction import Instruction
from tests.binary.building import INT, instruction, module

CONDITION, SELECTOR = 90, 91


def block(label: int, *body: list[int]) -> list[list[int]]:
    return [instruction("OpLabel", label), *body]


def branch(target: int) -> list[int]:
    return instruction("OpBranch", target)


def fork(yes: int, no: int) -> list[int]:
    return instruction("OpBranchConditional", CONDITION, yes, no)


def selection(merge: int) -> list[int]:
    return instruction("OpSelectionMerge", merge, 0)


def loop(merge: int, continue_: int) -> list[int]:
    return instruction("OpLoopMerge", merge, continue_, 0)


def switch(default: int, *cases: int) -> list[int]:
    literals = [word for number, case in enumerate(cases) for word in (number, case)]
    return instruction("OpSwitch", SELECTOR, default, *literals)


RETURN = instruction("OpReturn")


def arranged(*blocks: list[list[int]]) -> Arrangement:
    words = [INT, instruction("OpUndef", 2, SELECTOR), *[instruction_ for block_ in blocks for instruction_ in block_]]
    split: list[list[Instruction]] = []
    for record in decode(module(*words), keep_unknown=True).instructions[2:]:
        if record.opcode.name == "OpLabel":
            split.append([])
        split[-1].append(record)
    return arrange(split)


@pytest.mark.parametrize(
    ("blocks", "levels", "order"),
    [
        pytest.param([block(10, RETURN)], [0], [0], id="one block"),
        pytest.param([block(10, branch(11)), block(11, RETURN)], [0, 0], [0, 1], id="a jump"),
        pytest.param(
            [
                block(10, selection(13), fork(11, 12)),
                block(11, branch(13)),
                block(12, branch(13)),
                block(13, RETURN),
            ],
            [0, 2, 2, 0],
            [0, 1, 2, 3],
            id="if and else",
        ),
        pytest.param(
            [
                block(10, branch(11)),
                block(11, loop(15, 14), branch(12)),
                block(12, fork(13, 15)),
                block(13, branch(14)),
                block(14, branch(11)),
                block(15, RETURN),
            ],
            [0, 0, 2, 4, 1, 0],
            [0, 1, 2, 3, 4, 5],
            id="a loop, whose body may break",
        ),
        pytest.param(
            [
                block(10, selection(14), switch(13, 11, 12)),
                block(11, branch(12)),
                block(12, branch(14)),
                block(13, branch(14)),
                block(14, RETURN),
            ],
            [0, 2, 2, 2, 0],
            [0, 3, 1, 2, 4],
            id="a switch, whose first case falls through",
        ),
        pytest.param(
            [
                block(10, selection(13), fork(11, 13)),
                block(13, RETURN),
                block(14, branch(14)),
                block(11, selection(12), fork(12, 12)),
                block(12, branch(13)),
            ],
            [0, 0, 0, 2, 2],
            [0, 3, 4, 1, 2],
            id="blocks out of order, and one that nothing leads to",
        ),
        pytest.param([block(10, branch(99))], [0], [0], id="a branch to no block"),
        pytest.param([block(10), block(11, RETURN)], [0, 0], [0, 1], id="a block without an end"),
        pytest.param(
            [block(10, instruction("OpSelectionMerge", 11, 0x80000000), fork(11, 12)), block(11, RETURN), block(12, RETURN)],
            [0, 2, 2],
            [0, 1, 2],
            id="a merge that could not be read",
        ),
    ],
)
def test_arrange(blocks: list[list[list[int]]], levels: list[int], order: list[int]) -> None:
    assert arranged(*blocks) == (levels, order)


def test_depth_has_an_end() -> None:
    count = 2000
    blocks = [block(1000 + at, selection(5000), fork(1001 + at, 5000)) for at in range(count)]
    levels, order = arranged(*blocks, block(1000 + count, branch(5000)), block(5000, RETURN))
    assert max(levels) < 1000
    assert order == list(range(count + 2))
