"""What is done for a module grows no faster than the module does: steps are counted, no time is taken.

A step is a line of `spvls` that runs, each round of a comprehension among them. What runs within one call of the interpreter,
such as a search of a list, is no step; `python -m tests.bench growth` measures that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest

import spvls
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.kinds import kinds_of
from spvls.validate.engine.report import report_steps
from spvls.validate.validator import validate_for_list
from tests.bench.worst_cases import (
    CASES,
    Case,
    block_members_that_overlap,
    block_members_without_offsets,
    call_chain,
    composite_constant,
    equal_decorations,
    group_decorations_and_targets,
    irreducible,
    locations,
    nested_block,
    nested_loops,
    sequential_ifs,
    switch_fall_through,
    switch_one_target,
    switch_without_labels,
    unknown_opcodes,
    unlisted_variables,
    wrong_instructions,
    wrong_types,
)

_HOME = os.path.dirname(os.path.abspath(spvls.__file__)) + os.sep
_SIZE = 40

_MOST = 2.6
"""How many times as many steps the next doubling takes: n log n gives 2.2, n² gives 4."""

LONG: dict[Callable[[int], str], int] = {
    sequential_ifs: 1_500, nested_loops: 1_000, irreducible: 1_500, switch_without_labels: 5_000, wrong_types: 2_000,
    unknown_opcodes: 5_000, equal_decorations: 2_000, switch_fall_through: 1_500, block_members_without_offsets: 5_000,
    nested_block: 2_500, group_decorations_and_targets: 2_500, locations: 2_000, wrong_instructions: 1_000, switch_one_target: 20_000,
    block_members_that_overlap: 5_000, unlisted_variables: 1_500, call_chain: 1_500, composite_constant: 20_000,
}  # fmt: skip
"""Texts in which each kind of long work is much, and their sizes."""

PARTS = 12
"""Parts at least that long work is done in."""


LARGE = (600, 900)
"""Sizes at which what is long is done in short steps."""

A_PART: dict[Callable[[int], str], int] = {
    block_members_that_overlap: 1_280, block_members_without_offsets: 70, group_decorations_and_targets: 1_570, locations: 1_570,
    unlisted_variables: 1_770,
}  # fmt: skip
"""Texts of which a megabyte took longest, and how many lines of spvls may run for each part that one has more."""


class Counted:
    """Counts the lines of spvls that run."""

    def __init__(self) -> None:
        self.lines = 0

    def __enter__(self) -> Counted:
        self._before = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _called(self, frame: FrameType, _event: str, _argument: object) -> Any:
        return self._within if frame.f_code.co_filename.startswith(_HOME) else None

    def _within(self, _frame: FrameType, event: str, _argument: object) -> Any:
        self.lines += event == "line"
        return self._within


def steps(text: str) -> int:
    """The lines of spvls that run while a text is validated, as the first of its process."""
    kinds_of.cache_clear()
    with Counted() as counted:
        spvls.validate(text, target_env="vulkan1.3")
    return counted.lines


def longest_step(text: str) -> tuple[int, int]:
    """The most lines that run between two pauses while a text is read, checked and reported on; and all that run."""
    longest = last = 0

    def paced(steps: Iterator[None]) -> None:
        nonlocal longest, last
        for _ in steps:
            longest, last = max(longest, counted.lines - last), counted.lines
        longest, last = max(longest, counted.lines - last), counted.lines

    def reading() -> Iterator[None]:
        read.append((yield from Document.steps(text)))

    read: list[Document] = []
    with Counted() as counted:
        paced(reading())
        checker = Checker(Module(read[0].chunks, environment("vulkan1.3")))
        last = counted.lines
        for chunk in checker.pending():
            paced(checker.steps(chunk))
        paced(checker.module_steps())
        paced(report_steps(checker, read[0]))
    return longest, counted.lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make.__name__)
def test_steps_are_at_most_n_log_n(case: Case) -> None:
    spvls.validate(case.make(_SIZE), target_env="vulkan1.3")  # the tables are read
    first, second, third = (steps(case.make(_SIZE << doubling)) for doubling in range(3))
    assert third - second < _MOST * (second - first), (first, second, third)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make.__name__)
def test_a_text_that_was_judged_before_takes_few_more_steps(case: Case) -> None:
    """What is found out about the shapes of its instructions, when they are met again, takes little longer than to judge them."""
    text = case.make(_SIZE)
    spvls.validate(text, target_env="vulkan1.3")  # the tables are read
    taken = [steps(text)]
    for _ in range(3):
        with Counted() as counted:
            spvls.validate(text, target_env="vulkan1.3")
        taken.append(counted.lines)
    first, second, third, fourth = taken
    assert second < 2.5 * first
    assert third < 2.5 * first
    assert fourth < 1.1 * first


def steps_to_list(text: str) -> int:
    """The lines of spvls that run until there is a list of the first findings of each rule, in the first text of a process."""
    kinds_of.cache_clear()
    with Counted() as counted:
        validate_for_list(text, 10, target_env="vulkan1.3")
    return counted.lines


@pytest.mark.parametrize("make", A_PART, ids=lambda make: make.__name__)
def test_a_part_of_a_long_text_takes_few_steps(make: Callable[[int], str]) -> None:
    steps_to_list(make(3))  # the tables are read
    short, long = LARGE
    assert steps_to_list(make(long)) - steps_to_list(make(short)) <= A_PART[make] * (long - short)


def steps_there_and_back(text: str) -> int:
    """The lines of spvls that run while a text is assembled, and what it becomes is disassembled."""
    with Counted() as counted, suppress(spvls.AssembleError, spvls.DisassembleError):
        spvls.disassemble(spvls.assemble(text, target_env="vulkan1.3"))
    return counted.lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make.__name__)
def test_steps_of_assembler_and_disassembler_are_at_most_n_log_n(case: Case) -> None:
    steps_there_and_back(case.make(_SIZE))  # the tables are read
    first, second, third = (steps_there_and_back(case.make(_SIZE << doubling)) for doubling in range(3))
    assert third - second < _MOST * (second - first) + _SIZE, (first, second, third)


@pytest.mark.parametrize("make", LONG, ids=lambda make: make.__name__)
def test_long_work_pauses(make: Callable[[int], str]) -> None:
    """What runs between two pauses is a small part of what there is to do for a long text."""
    spvls.validate(make(3), target_env="vulkan1.3")  # the tables are read
    longest, total = longest_step(make(LONG[make]))
    assert longest * PARTS < total, (longest, total)
