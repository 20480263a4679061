"""Files shared among processes, each of which starts once, with all that judging needs."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from spvls.cli.outcome import Outcome

Judge = Callable[[str], Outcome]

_TOGETHER = 4
"""Files that a process takes at once."""

_LARGE = 8
"""A file is large, and begun before all others, if it is more than one part of so many of what a process has to do."""

_judge: list[Judge] = []


def judged(paths: list[str], judge: Judge, processes: int) -> Iterator[Outcome]:
    """The outcomes in the order of the paths."""
    from multiprocessing import get_context

    # A process that is not forked starts as `python -c`, which would import from the working directory.
    os.environ["PYTHONSAFEPATH"] = "1"
    forks = sys.platform == "linux"  # elsewhere a library of the system may not survive it
    if forks:
        _load()
    done: dict[int, Outcome] = {}
    given = 0
    with get_context("fork" if forks else None).Pool(processes, _begin, (judge,)) as pool:
        for at, outcome in pool.imap_unordered(_judged, _in_turn(paths, processes), _TOGETHER):
            done[at] = outcome
            while given in done:
                yield done.pop(given)
                given += 1


def _load() -> None:
    """Load what judging any file may need, for processes that are forked afterwards: they have it in common, and do not copy it
    when garbage is collected."""
    import spvls.cli.modules
    import spvls.host.findings
    import spvls.validate.validator  # noqa: F401
    from spvls.grammar import tables
    from spvls.host.line_class import ordinary_run
    from spvls.validate.engine.rule import rules

    ordinary_run("", 0)
    rules()
    tables.opcodes()
    gc.collect()
    gc.freeze()


def _begin(judge: Judge) -> None:
    """An interrupt from the keyboard is for the first process alone, which ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _judge[:] = [judge]


def _judged(task: tuple[int, str]) -> tuple[int, Outcome]:
    at, path = task
    return at, _judge[0](path)


def _in_turn(paths: list[str], processes: int) -> list[tuple[int, str]]:
    """The paths with their numbers: first those of large files, the largest of these first, then all others as they come."""
    sizes = []
    for path in paths:
        size = 0
        with suppress(OSError, ValueError):
            size = os.stat(path).st_size
        sizes.append(size)
    limit = sum(sizes) // (processes * _LARGE)
    large = sorted((at for at, size in enumerate(sizes) if size > limit), key=lambda at: -sizes[at])
    return [(at, paths[at]) for at in (*large, *(at for at, size in enumerate(sizes) if size <= limit))]
