"""The person at the terminal, or the log: what commands print for them, and whether there is one.

All that the command line prints goes through here, or through `spvls.cli.output` where a result must keep its bytes.
"""

from __future__ import annotations

import os
import sys

from spvls.text.escaping import log_lines, styled_lines, visible, visible_lines
from spvls.typed import TextIO

NARROWEST = 40
"""Columns that lines are fitted to at least."""


def say(text: str, *, styled: bool = False) -> None:
    """Print lines for people on the standard output; in a `styled` text, the sequences that color it stay."""
    if sys.stdout is not None:
        print(lines_for_people(text, styled=styled), end="")


def say_data(text: str) -> None:
    """Print lines for programs, JSON or workflow commands, on the standard output."""
    if sys.stdout is not None:
        print(lines_for_programs(text), end="")


def warn(text: str, *, styled: bool = False) -> None:
    """As `say`, on the standard error stream."""
    if sys.stderr is not None:
        print(lines_for_people(text, styled=styled), end="", file=sys.stderr)


def complain(message: str) -> None:
    """Say, on the standard error stream and on one line, what a command could not do."""
    warn(f"spvls: {visible(message)}")


def show_progress(message: str) -> None:
    """Show a message on a line of the terminal that the next one replaces; an empty one takes it away."""
    print(f"\r\x1b[K{visible(message)}", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Begin anew at the top of the terminal, if the standard output is one."""
    if on_terminal(sys.stdout):
        print("\x1b[H\x1b[2J\x1b[3J", end="", flush=True)


def lines_for_people(text: str, *, styled: bool = False) -> str:
    """The lines as `say` prints them, with a break after the last."""
    text += "\n"
    return log_lines(styled_lines(text) if styled else visible_lines(text))


def lines_for_programs(text: str) -> str:
    """The lines as `say_data` prints them, with a break after the last."""
    return visible_lines(f"{text}\n")


def described(error: BaseException) -> str:
    """An unexpected error in one line: what it is and where it arose."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = f" at {frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame is not None else ""
    return f"{type(error).__name__}: {error}{place}"


def is_terminal(stream: TextIO | None) -> bool:
    """Whether what a stream takes is shown at once, as characters."""
    return stream is not None and stream.isatty()


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads a stream as it comes, and lines can be replaced and colored."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def columns(stream: TextIO | None) -> int | None:
    """How wide the terminal is that a stream goes to, or as `COLUMNS` says; None where lines may be of any length."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and NARROWEST <= int(given) < 10000:
        return int(given)
    if not is_terminal(stream) or stream is None:
        return None
    try:
        return max(NARROWEST, os.get_terminal_size(stream.fileno()).columns)
    except OSError:
        return None


def colored(stream: TextIO | None) -> bool:
    """Whether colors are welcome on a stream."""
    return on_terminal(stream) and not os.environ.get("NO_COLOR")
