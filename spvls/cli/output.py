"""Where results go: a file, which is there whole or not at all, or the standard output."""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser

from spvls.cli.failure import Failure, reason

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
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from spvls.text.saving import ProtectedFileError, save_file

    try:
        if _is_stream(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            save_file(path, data, force=force)
    except ProtectedFileError as error:
        raise Failure(f"{path}: {reason(error)}; --force replaces it all the same") from error
    except OSError as error:
        raise Failure(f"{path}: {reason(error)}") from error


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
