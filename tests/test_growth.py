"""What is done for a module grows no faster than the module does: steps are counted, no time is taken.

A step is a line of `spvls` that runs, each round of a comprehension among them. What runs within one call of the interpreter,
such as a search of a list, is no step; `python -m tests.bench growth` measures that.
"""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

import pytest

import spvls
from tests.bench.worst_cases import CASES, Case

_HOME = os.path.dirname(os.path.abspath(spvls.__file__)) + os.sep
_SIZE = 40

_MOST = 2.6
"""How many times as many steps the next doubling takes: n log n gives 2.2, n² gives 4."""


def steps(text: str) -> int:
    """The lines of spvls that run while a text is validated."""
    count = 0

    def within(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return within

    def called(frame: FrameType, _event: str, _argument: object) -> Any:
        return within if frame.f_code.co_filename.startswith(_HOME) else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        spvls.validate(text, target_env="vulkan1.3")
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.make.__name__)
def test_steps_are_at_most_n_log_n(case: Case) -> None:
    spvls.validate(case.make(_SIZE), target_env="vulkan1.3")  # the tables are read
    first, second, third = (steps(case.make(_SIZE << doubling)) for doubling in range(3))
    assert third - second < _MOST * (second - first), (first, second, third)
