"""Giving memory back when documents are closed."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib import parse

from spvls.ide.documentation import demangle
from spvls.ide.features import tokens
from spvls.syntax import fast_path, scanner
from spvls.text import encoding, lines

_MEMORIES = (
    fast_path.forget_words,
    scanner.forget_ahead,
    tokens.forget_words,
    lines.forget_lines,
    encoding.forget_lines,
    demangle.forget_names,
)
"""What forgets parts of texts that are kept for speed. However few they are, each keeps a whole arena of memory."""

_CLEAR_CACHES: tuple[Callable[[], None] | None, ...] = (
    getattr(sys, "_clear_internal_caches", None) or getattr(sys, "_clear_type_cache", None),
    getattr(parse, "clear_cache", None),
)
"""What empties caches of Python, which hold strings of texts and addresses too: those of attributes, and of addresses that were
parsed."""

QUIET = 1.0
"""Seconds after the last close; many documents are often closed together, and to collect garbage takes a while."""


SETTLED = 0.1
"""Seconds in which the loop replaces what it holds from one turn to the next."""

ROOM = 128 << 10
"""Bytes that are taken of each size of block: more than is free in the pages of Python's allocator that are in part used."""

SIZES = range(48, 513, 16)
"""Bytes of these blocks; the smallest ones are numbers."""

_LARGE = 1 << 40
"""A number that is a block of its own."""


class Garbage:
    """Collects what closed documents leave behind. What is known of open ones is spared by `gc.freeze`, garbage included."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def document_closed(self) -> None:
        """Collect in a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(QUIET, self._collect)

    def _collect(self) -> None:
        self._timer = None
        collect()
        asyncio.get_running_loop().call_later(SETTLED, _settle, _taken_room())


def collect() -> None:
    """Free whatever is garbage, and spare the rest from collections to come."""
    from spvls.module.dominance import forget_trees  # loaded with the first document
    from spvls.validate.engine.kinds import forget_kinds

    for forget in (*_MEMORIES, forget_trees, forget_kinds):
        forget()
    for clear in _CLEAR_CACHES:
        if clear is not None:
            clear()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _return_free_memory()


def _taken_room() -> list[object]:
    """Blocks for all room that is left beside what the loop holds now.

    A time, a context or a header, held from one turn to the next, stands where documents stood, and each is followed by one in
    the room beside it, so that it would keep its megabyte from the system for ever. With that room taken, the next one stands
    where little is free.
    """
    numbers = list(range(_LARGE, _LARGE + ROOM // sys.getsizeof(_LARGE)))
    return [*numbers, *(bytes(size - sys.getsizeof(b"")) for size in SIZES for _ in range(ROOM // size))]


def _settle(room: list[object]) -> None:
    """Give that room back, and what Python keeps of freed objects for the next ones."""
    room.clear()
    gc.collect()
    gc.freeze()
    _return_free_memory()


def give_back(*tables: dict[Any, Any] | set[Any]) -> None:
    """Free the memory of tables that are empty now. Each stands where it last grew, amid what is gone, and would keep a whole
    arena."""
    for table in tables:
        if not table:
            table.clear()


def _return_free_memory() -> None:
    """Give what is free between allocations back to the system, where the C library does not do so by itself (glibc)."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            _c_library().malloc_trim(0)


@lru_cache(maxsize=1)
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
