"""Giving memory back when documents are closed."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from contextlib import suppress
from urllib.parse import clear_cache

from spvls.ide import tokens
from spvls.syntax import fast_path
from spvls.text import encoding, lines

_MEMORIES = (fast_path.forget_words, tokens.forget_words, lines.forget_lines, encoding.forget_lines, clear_cache)
"""What forgets parts of texts that are kept for speed. However few they are, each keeps a whole arena of memory."""

QUIET = 1.0
"""Seconds after the last close; many documents are often closed together, and to collect garbage takes a while."""


class Garbage:
    """Collects what closed documents leave behind. What is known of open ones is spared by `gc.freeze`, garbage included."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def document_closed(self) -> None:
        """Collect in a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(QUIET, collect)


def collect() -> None:
    """Free whatever is garbage, and spare the rest from collections to come."""
    for forget in _MEMORIES:
        forget()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _return_free_memory()


def _return_free_memory() -> None:
    """Give what is free between allocations back to the system, where the C library does not do so by itself (glibc)."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
