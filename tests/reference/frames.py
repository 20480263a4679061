"""Places in the sources, of addresses in a driver whose library has line tables."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class Place(NamedTuple):
    """`file` is as below the folder `source` of SPIRV-Tools; `line` counts from 1."""

    file: str
    line: int


class Frames:
    """Resolves addresses by `addr2line`, each once."""

    def __init__(self, driver: Path) -> None:
        command = ["addr2line", "-a", "-i", "-e", str(driver)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._known: dict[int, tuple[Place, ...]] = {}

    def places(self, addresses: Iterable[int]) -> Iterator[Place]:
        """The places of those addresses that are in the sources of SPIRV-Tools, inlined calls among them, the innermost first."""
        for address in addresses:
            if address not in self._known:
                self._known[address] = tuple(self._resolved(address))
            yield from self._known[address]

    def close(self) -> None:
        self._process.communicate()

    def _resolved(self, address: int) -> Iterator[Place]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{address:x}\n0\n")  # the answer for 0 shows where that for the address ends
        self._process.stdin.flush()
        lines = self._process.stdout
        lines.readline()
        for line in lines:
            if line.startswith("0x"):
                break
            place = place_of(line)
            if place is not None:
                yield place
        lines.readline()


def place_of(line: str) -> Place | None:
    """The place that a line of `addr2line` names; None outside of the sources, or where the line is not known."""
    path, _, number = line.split(" (")[0].strip().rpartition(":")
    _, cut, file = path.rpartition("/source/")
    return Place(file, int(number)) if cut and number.isdigit() and int(number) else None
