"""What the server says besides its answers, on the standard error stream: its log, and where it listens."""

from __future__ import annotations

import logging
import sys

from spvls.text.escaping import visible, visible_lines


class _Formatter(logging.Formatter):
    """Entries hold what clients and modules say."""

    def format(self, record: logging.LogRecord) -> str:
        return visible_lines(super().format(record))


def start_log() -> None:
    """Log warnings and errors."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


def announce(message: str) -> None:
    """Say something to whoever started the server."""
    print(visible(message), file=sys.stderr, flush=True)
