"""A pause of the garbage collector for work that makes many objects, and no cycles of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OFTEN = 1_000
"""Objects after which garbage is looked for: fewer than a file of a hundred lines leaves."""


def collect_often() -> None:
    """Before many files are worked on: look for the garbage of each soon, so that the next one has its memory while that is in
    the caches of the processor."""
    gc.set_threshold(_OFTEN)


@contextmanager
def paused_gc() -> Iterator[None]:
    """Pause the collector of cycles: it would visit all instructions of a module again and again as they are made."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
