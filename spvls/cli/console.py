"""The person at the terminal: what commands tell them, and whether there is one."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def complain(message: str) -> None:
    """Say, on the standard error stream, what a command could not do."""
    if sys.stderr is not None:
        print(f"spvls: {message}", file=sys.stderr)


def described(error: BaseException) -> str:
    """An unexpected error in one line: what it is and where it arose."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" at {frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame is not None else ""
    return f"{type(error).__name__}: {error}{place}"


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads a stream as it comes."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(stream: TextIO | None) -> bool:
    """Whether colours are welcome on a stream."""
    return on_terminal(stream) and not os.environ.get("NO_COLOR")
