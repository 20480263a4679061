"""Long work on the loop: what it spares, and what waits for it."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator

import pytest

from spvls.server import time_slicing
from spvls.server.time_slicing import QUIET, Leisure, StaleError, Subject, in_time_slices


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is a slice."""
    monkeypatch.setattr(time_slicing, "SLICE", -1)


@pytest.mark.usefixtures("no_pauses")
def test_no_garbage_is_looked_for_during_long_work() -> None:
    def steps() -> Iterator[bool]:
        while True:
            yield gc.isenabled()
            if not gc.isenabled():
                return

    assert asyncio.run(in_time_slices(Subject(), steps())) == [True] * time_slicing.MANY
    assert gc.isenabled()


@pytest.mark.usefixtures("no_pauses")
def test_work_that_is_given_up_leaves_garbage_to_be_looked_for() -> None:
    subject = Subject()

    def steps() -> Iterator[None]:
        for _ in range(2 * time_slicing.MANY):
            yield
        subject.generation += 1
        yield

    with pytest.raises(StaleError):
        asyncio.run(in_time_slices(subject, steps()))
    assert gc.isenabled()


@pytest.mark.usefixtures("no_pauses")
def test_what_takes_several_turns_of_the_loop_waits_for_one_slice() -> None:
    """As an answer does: the message is read, dispatched, handled and sent in turns of its own."""
    made = 0

    def steps() -> Iterator[None]:
        nonlocal made
        for _ in range(20):
            made += 1
            yield

    async def answer() -> int:
        before = made
        for _ in range(time_slicing.TURNS - 2):
            await asyncio.sleep(0)
        return made - before

    async def run() -> int:
        answering = asyncio.ensure_future(answer())
        await in_time_slices(Subject(), steps())
        return await answering

    assert asyncio.run(run()) == 0


def test_what_nobody_waits_for_begins_when_the_client_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    now, wanted = 100.0, 3
    leisure = Leisure()

    async def sleep(seconds: float) -> None:
        nonlocal now, wanted
        now += seconds
        if seconds and wanted:
            wanted -= 1
            leisure.postpone()

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    leisure.postpone()
    asyncio.run(leisure.come())
    assert not wanted and now - 100.0 >= 3 * QUIET
