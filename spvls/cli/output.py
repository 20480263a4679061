"""Where results go: a file, which is there whole or not at all, or the standard output.

Octets reach files and pipes as they are, and a terminal never."""

from __future__ import annotations

import os
import stat
import sys

from spvls.cli.arguments import ArgumentParser
from spvls.cli.console import is_terminal
from spvls.cli.failure import Failure, reason
from spvls.text.escaping import styled_lines, visible_lines

STDOUT = "-"


def force_argument(parser: ArgumentParser) -> None:
    """Add `--force` to a parser."""
    parser.add_argument(
        "--force", action="store_true", help="replace a file that is read-only, or whose hard links or owner cannot be kept"
    )


def write(path: str, data: bytes, *, force: bool = False) -> None:
    """Write `data` to a file as `spvls.text.saving.save_file` does, or for `-` to the standard output. Raises Failure.

    A device or a pipe is written to as it is.
    """
    if path == STDOUT:
        if sys.stdout is None:
            raise Failure("the standard output is closed")
        if is_terminal(sys.stdout):
            raise Failure("the output is not written to a terminal; name a file with -o, or redirect the standard output")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from spvls.text.files import require_name
    from spvls.text.saving import ProtectedFileError, save_file

    try:
        require_name(path)
        if _is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            save_file(path, data, force=force)
    except ProtectedFileError as error:
        raise Failure(f"{path}: {reason(error)}; --force replaces it all the same") from error
    except OSError as error:
        raise Failure(f"{path}: {reason(error)}") from error


def write_text(path: str, text: str, *, styled: bool = False, force: bool = False) -> None:
    """As `write`, for a text whose lone surrogates stand for bytes. On a terminal its characters are made visible; in a
    `styled` text, the sequences that color it stay."""
    if path == STDOUT and sys.stdout is not None and is_terminal(sys.stdout):
        sys.stdout.write(styled_lines(text) if styled else visible_lines(text))
    else:
        write(path, text.encode("utf-8", "surrogateescape"), force=force)


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
