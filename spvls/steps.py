"""Long work in short steps: a generator that pauses between them, and returns what came of it."""

from __future__ import annotations

from collections.abc import Generator

from spvls.typed import TypeVar

Value = TypeVar("Value")

Steps = Generator[None, None, Value]
"""Work that lets others have their turn wherever it yields."""

PORTION = 512
"""Parts of something, such as blocks of a function, that are gone through in one step."""


def completed(steps: Steps[Value]) -> Value:
    """What comes of the work, done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            value: Value = done.value
            return value
