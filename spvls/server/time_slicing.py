"""Long work on the loop, in slices between which the loop sees to what has come in."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.008
"""Seconds of work after which the loop gets its turn."""

PAUSE = 0.0005
"""Seconds between two slices: long enough for the thread that reads to run."""

MANY = 3
"""Slices after which work is long: what has come of it is spared from collections of garbage, which go through all that is not
spared, at once."""

COLLECTIONS = 4
"""Collections of young objects from which on what long work has made is spared. After some ten, all that is not spared is gone
through."""


class StaleError(Exception):
    """What the work was about has changed."""


class Clock:
    """Tells when a slice is over."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    async def pause(self) -> bool:
        """Let the loop have its turn if a slice is over; whether it had."""
        if time.perf_counter() - self._began <= SLICE:
            return False
        await asyncio.sleep(PAUSE)
        self._began = time.perf_counter()
        return True


class Subject:
    """Something that changes while work on it waits its turn.

    `generation` counts the changes.
    """

    generation: int = 0


async def in_time_slices(subject: Subject, steps: Iterable[T]) -> list[T]:
    """What the steps give. Raises StaleError when the subject changes before they are done."""
    generation = subject.generation
    clock = Clock()
    slices = 0
    found: list[T] = []
    for item in steps:
        found.append(item)
        if await clock.pause():
            slices += 1
            if subject.generation != generation:
                raise StaleError
            if slices > MANY and gc.get_count()[2] >= COLLECTIONS:
                gc.freeze()
    if slices > MANY:
        gc.freeze()
    return found
