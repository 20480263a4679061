"""How long a call may take, and how much memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

GROWTH = 200 << 20
"""Bytes that the address space may grow by within a call."""

_STATM = Path("/proc/self/statm")


_enforced = False


@contextmanager
def enforced() -> Iterator[None]:
    """Have `held` hold what runs within. Elsewhere it does not: a test says what is right, not how fast a machine is."""
    global _enforced
    before, _enforced = _enforced, True
    try:
        yield
    finally:
        _enforced = before


class TooSlowError(BaseException):
    """A call took more time of the processor than it may. No part of the product catches it as a fault of its own."""


def can_be_held() -> bool:
    """Whether this system counts the time and the memory of a process."""
    return hasattr(signal, "setitimer") and _STATM.exists()


@contextmanager
def held(seconds: float, growth: int = GROWTH) -> Iterator[None]:
    """Stop what runs within with TooSlowError after so many seconds of the processor, and with MemoryError on growth by
    so many bytes.

    Does nothing outside of `enforced`, and where `can_be_held` says no.
    """
    if not _enforced or not can_be_held():
        yield
        return
    import resource

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"a call takes more than {seconds:.1f} s")

    before, most = resource.getrlimit(resource.RLIMIT_AS)
    size = int(_STATM.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limit = size + growth if most == resource.RLIM_INFINITY else min(size + growth, most)
    former = signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (before, most))
        signal.signal(signal.SIGPROF, former)
