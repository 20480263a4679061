"""Work that may take long outside of the loop: reading files, writing them, and what is made of them."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import ParamSpec, TypeVar

from spvls.server.protocol import RequestFailed

P = ParamSpec("P")
T = TypeVar("T")

LIMIT = 20.0
"""Seconds that access to the file system takes at most; a share on the network may never answer."""

PROMPT = 2.0
"""Seconds that the loop itself waits at most for the settings of a project, without which no answer is right."""

AT_ONCE = 4
"""Accesses that are under way at the same time, and threads that wait for more."""

HAS_THREADS = sys.platform != "emscripten"
"""Whether threads can be started. Without them the loop does all work itself, and no limit holds."""


class Disk:
    """Access to the file system, off the loop and with a time limit.

    Its threads end with the process, so that one that waits for a device or the network delays neither other requests nor
    the end of the server.
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def access(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of work that reads or writes files. Raises what it raises, and RequestFailed after `LIMIT` seconds."""
        async with self._free:
            try:
                return await asyncio.wait_for(in_thread(work, *args, **kwargs), LIMIT)
            except TimeoutError:
                raise RequestFailed(f"the file system has not answered for {LIMIT:.0f} seconds") from None


def promptly(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of short work with files, for which the loop waits. Raises what it raises, and TimeoutError after `PROMPT`
    seconds."""
    future: Future[T] = Future()
    _run(lambda: future.set_result(work(*args, **kwargs)), future.set_exception)
    return future.result(PROMPT)


def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    """The result of work in another thread, to be awaited; a result that nobody waits for any more is dropped."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def hand_over(result: T | None, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, error)

    _run(lambda: hand_over(work(*args, **kwargs), None), lambda error: hand_over(None, error))
    return future


def _run(work: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
    """Do something in a thread that does nothing else meanwhile; at once where there are no threads."""
    if not HAS_THREADS:
        _do(work, failed)
        return
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.give(work, failed)


def _do(work: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
    try:
        work()
    except BaseException as error:
        failed(error)


class _Worker:
    """A thread that does one thing after another, and does not keep the process from ending.

    A new thread for each would cost more than time: the tables in which Python lists its threads grow with every one, and each
    time end up in the middle of what a document takes.
    """

    def __init__(self) -> None:
        self._given: SimpleQueue[tuple[Callable[[], None], Callable[[BaseException], None]]] = SimpleQueue()
        threading.Thread(target=self._run, name="spvls-work", daemon=True).start()

    def give(self, work: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        self._given.put((work, failed))

    def _run(self) -> None:
        while True:
            _do(*self._given.get())
            if len(_idle) >= AT_ONCE:
                return
            _idle.append(self)


_idle: list[_Worker] = []
"""Workers that wait for something to do."""
