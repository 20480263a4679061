"""Work in other threads: each is used again, and one that hangs delays nothing else."""

from __future__ import annotations

import threading

import pytest

from spvls.server.disk import AT_ONCE, Disk, in_thread, promptly
from spvls.server.protocol import RequestFailed


def workers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "spvls-work"}


async def test_threads_are_used_again() -> None:
    for number in range(50):
        assert await in_thread(lambda number=number: number) == number
        assert promptly(str, number) == str(number)
    assert len(workers()) <= AT_ONCE + 1


async def test_work_that_fails_leaves_its_thread_to_the_next() -> None:
    for _ in range(2 * AT_ONCE):
        with pytest.raises(ZeroDivisionError):
            await in_thread(lambda: 1 // 0)
    assert await in_thread(lambda: 1) == 1


async def test_work_that_hangs_delays_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spvls.server.disk.LIMIT", 0.2)
    released = threading.Event()
    disk = Disk()
    try:
        for _ in range(AT_ONCE + 1):
            with pytest.raises(RequestFailed, match="not answered"):
                await disk.access(released.wait)
        assert await disk.access(lambda: 1) == 1
    finally:
        released.set()


async def test_no_more_threads_wait_than_can_be_used() -> None:
    released = threading.Event()
    waiting = [in_thread(released.wait, 20) for _ in range(3 * AT_ONCE)]
    released.set()
    assert all([await one for one in waiting])
    for thread in workers():
        thread.join(0.5 if len(workers()) > AT_ONCE else 0)
    assert len(workers()) <= AT_ONCE
