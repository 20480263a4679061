"""The command line, run in the tests' own process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from spvls.cli.main import main


class Done(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


class Stream(io.TextIOWrapper):
    """A standard stream whose bytes can be looked at."""

    def __init__(self, data: bytes = b"", terminal: bool = False) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", newline="\n")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def contents(self) -> bytes:
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """`run(*arguments, stdin=b"", terminal=False)` in an empty folder, the output going to a terminal or not; bytes that are
    not UTF-8 come out as lone surrogates."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False) -> Done:
        streams = {"stdin": Stream(stdin), "stdout": Stream(terminal=terminal), "stderr": Stream(terminal=terminal)}
        for name, stream in streams.items():
            monkeypatch.setattr(sys, name, stream)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        out, err = (streams[name].contents.decode("utf-8", "surrogateescape") for name in ("stdout", "stderr"))
        return Done(code, out, err)

    return command
