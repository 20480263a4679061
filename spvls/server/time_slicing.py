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

TURNS = 8
"""Turns of the loop between two slices. A message goes through several before it is answered, and would wait for a slice before
each of them otherwise; to sleep for the shortest time instead would hold the work up by a millisecond."""

MANY = 4
"""Slices after which work is long: no garbage is looked for until it is done, and what has come of it is spared then, for to go
through all of it at once would take many slices."""

QUIET = 0.1
"""Seconds without work for the client after which there is time for what nobody waits for."""


class StaleError(Exception):
    """What the work was about has changed."""


class Clock:
    """Tells when a slice is over."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    @property
    def is_over(self) -> bool:
        """Whether the loop is to have its turn."""
        return time.perf_counter() - self._began > SLICE

    async def pause(self) -> None:
        """Let the loop have its turn if a slice is over."""
        if self.is_over:
            await turns()
            self._began = time.perf_counter()


async def turns() -> None:
    """Let the loop see to what has come in."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


class Subject:
    """Something that changes while work on it waits its turn.

    `generation` counts the changes.
    """

    generation: int = 0


class Leisure:
    """When nobody waits for the loop: the client asks for nothing, and no long work is under way."""

    def __init__(self) -> None:
        self._begins = 0.0

    def postpone(self) -> None:
        """The loop works for a client now."""
        self._begins = time.perf_counter() + QUIET

    async def come(self) -> None:
        """Wait for it, at least until the loop had its turns."""
        await turns()
        while (left := self._begins - time.perf_counter()) > 0:
            await asyncio.sleep(left)


leisure = Leisure()


async def in_time_slices(subject: Subject, steps: Iterable[T]) -> list[T]:
    """What the steps give. Raises StaleError when the subject changes before they are done."""
    generation = subject.generation
    clock = Clock()
    slices = 0
    spares = False
    found: list[T] = []
    try:
        for item in steps:
            found.append(item)
            if not clock.is_over:
                continue
            await clock.pause()
            leisure.postpone()
            if subject.generation != generation:
                raise StaleError
            slices += 1
            if slices == MANY and gc.isenabled():
                spares = True
                gc.disable()
    finally:
        if spares:
            gc.freeze()
            gc.enable()
    return found
