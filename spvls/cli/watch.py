"""Linting again whenever files change, come or go."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from time import sleep

from spvls.cli.console import clear, complain, warn
from spvls.cli.outcome import Outcome
from spvls.cli.search import Search, modules_at
from spvls.cli.tally import counted
from spvls.record import NamedTuple
from spvls.typed import NoReturn
from spvls.validate.config import config_for

INTERVAL = 0.5
"""Seconds between two looks at the files."""


class _State(NamedTuple):
    """What differs between two versions of a file, or of the configuration that applies to it."""

    file: tuple[int, int, int] | None
    configuration: str | None
    configured: tuple[int, int, int] | None


def watch(
    given: list[str],
    search: Search,
    lint: Callable[[str], Outcome],
    report: Callable[[Iterable[Outcome], list[str], list[str]], int],
) -> NoReturn:
    """Lint the files that paths stand for, report, and do so again for those that have changed, until interrupted."""
    outcomes: dict[str, Outcome] = {}
    before: dict[str, _State] | None = None
    failed: list[str] = []
    while True:
        failures: list[str] = []
        now = {path: _state(path) for path in modules_at(given, failures, search, lambda _: None)}
        if now != before or failures != failed:
            changed = [path for path, state in now.items() if before is None or before.get(path) != state]
            clear()
            for failure in failures:
                complain(failure)
            outcomes = {path: lint(path) if path in changed else outcomes[path] for path in now}
            report(outcomes.values(), list(now), list(failures))
            warn(f"watching {counted(len(now), 'file')} for changes")
            before, failed = now, failures
        sleep(INTERVAL)


def _state(path: str) -> _State:
    configuration = config_for(path).path
    return _State(_version(path), configuration, None if configuration is None else _version(configuration))


def _version(path: str) -> tuple[int, int, int] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size
