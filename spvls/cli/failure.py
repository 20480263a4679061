"""Why a command could not do its work."""

from __future__ import annotations

#: The exit code of a command that failed.
UNUSABLE = 2

#: The exit code of `lint` where a rule of spvls failed, so that faults may have been missed.
DEFECTIVE = 3


class Failure(Exception):  # noqa: N818 it is not one of Python's errors
    """Nothing to do with what modules say: a wrong argument, an input that cannot be read, an output that cannot be
    written. The text is for the user; the command ends with `UNUSABLE`."""


def reason(error: OSError) -> str:
    """What the system says of an error, without number and path."""
    said = error.strerror or str(error)
    return said[:1].lower() + said[1:]
