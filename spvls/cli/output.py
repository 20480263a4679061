"""Where results go: a file, which is there whole or not at all, or the standard output."""

from __future__ import annotations

import os
import stat
import sys

from spvls.cli.failure import Failure, reason

STDOUT = "-"


def write(path: str, data: bytes) -> None:
    """Write `data` to a file, or for `-` to the standard output. Raises Failure.

    A file is written under another name beside its place and then takes that place, so that nobody ever sees half of it;
    its permissions stay. A device or a pipe is written to as it is.
    """
    if path == STDOUT:
        if sys.stdout is None:
            raise Failure("the standard output is closed")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _replace(os.path.realpath(path), data)
    except OSError as error:
        raise Failure(f"{path}: {reason(error)}") from error


def _replace(path: str, data: bytes) -> None:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as device:
            device.write(data)
        return
    folder, name = os.path.split(path)
    aside = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        with open(aside, "xb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(aside, stat.S_IMODE(mode))
        os.replace(aside, path)
    except BaseException:
        if os.path.exists(aside):
            os.unlink(aside)
        raise
