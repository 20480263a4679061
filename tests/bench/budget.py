"""Each worst case as a text of one megabyte: what the command line takes for it, and how long it keeps the server's loop.

`python -m tests.bench megabyte` and `python -m tests.bench pauses`, both with `--only WORD …`. What other processes and machines do
on the same hardware adds to processor time, so a case that takes too much is run again, and the least of its runs counts.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

from tests.bench.worst_cases import CASES, Case, no_line_breaks, unknown_opcodes

MEGABYTE = 1 << 20
ON_ONE_LINE = 1_700_000
TARGET = "vulkan1.3"
URI = "file:///large.spvasm"

RUNS = 4
"""How often a case is run at most."""

SECONDS, MEGABYTES, PAUSE = 2.0, 250.0, 0.05
"""What a text of a megabyte may take of processor time and of memory, and the longest time between two turns of the loop."""

_ANSWERED = re.compile(rb'\{"jsonrpc": ?"2.0", ?"id": ?(\d+), ?"(?:result|error)"')

Say = Callable[[str, str], None]
Json = dict[str, Any]


def of_a_megabyte(case: Case) -> str:
    """The case in the size that makes a text of about a megabyte, and no more."""
    low, high = 1, 2
    while len(case.make(high)) < MEGABYTE:
        low, high = high, 2 * high
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        if len(case.make(middle)) < MEGABYTE:
            low = middle
        else:
            high = middle
    return case.make(low)


def _chosen(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The name and the text of each case whose name holds one of the words, or of all."""
    for case in CASES:
        name = case.make.__name__
        if not words or any(word in name for word in words):
            yield name, of_a_megabyte(case)


def _least(run: Callable[[], tuple[float, float]], most: tuple[float, float]) -> tuple[float, float]:
    """The least of both figures in as many runs as it takes for them to be no more than the most, or in all."""
    first, second = run()
    for _ in range(RUNS - 1):
        if first <= most[0] and second <= most[1]:
            break
        again = run()
        first, second = min(first, again[0]), min(second, again[1])
    return first, second


def _verdict(is_over: bool) -> str:
    return "  OVER" if is_over else ""


def megabyte(say: Say, words: Sequence[str]) -> None:
    """Tell the processor time and the memory of `spvls lint` on each case, as a whole process."""
    if not hasattr(os, "wait4"):
        say("megabyte", "(no wait4)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _chosen(words):
            path = os.path.join(folder, f"{name}.spvasm")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            seconds, megabytes = _least(lambda path=path: _linted(path), (SECONDS, MEGABYTES))
            over = _verdict(seconds > SECONDS or megabytes > MEGABYTES)
            say(f"lint of 1 MB of {name}", f"{seconds:.2f} s {megabytes:6.0f} MB{over}")


def _linted(path: str) -> tuple[float, float]:
    """The processor time in seconds and the most memory in MiB of `spvls lint` on a file."""
    command = [sys.executable, "-m", "spvls", "lint", "--target-env", TARGET, path]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    _, _, used = os.wait4(os.posix_spawn(sys.executable, command, environment, file_actions=silent), 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def one_line(say: Say) -> None:
    """Tell the processor time and the memory of `spvls lint` on ten megabytes of instructions on one line, and of words that do not
    begin any."""
    if not hasattr(os, "wait4"):
        say("one line", "(no wait4)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for make in (no_line_breaks, unknown_opcodes):
            path = os.path.join(folder, f"{make.__name__}.spvasm")
            with open(path, "w", encoding="utf-8") as file:
                file.write(make(ON_ONE_LINE))
            seconds, megabytes = _linted(path)
            say(f"lint of {make.__name__}, {ON_ONE_LINE} on one line", f"{seconds:.2f} s {megabytes:6.0f} MB")


class _Turns:
    """Takes a turn of the loop whenever it can, and knows the most processor time of its thread between two of them."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.thread_time()
        self._loop = asyncio.get_running_loop()
        self._turn()

    def _turn(self) -> None:
        now = time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        self._handle = self._loop.call_soon(self._turn)

    def stop(self) -> float:
        self._handle.cancel()
        return self.longest


class _Client:
    """A client in the process of its server, which waits for answers."""

    def __init__(self) -> None:
        from spvls.server.server import SpirvServer

        self._server = SpirvServer()
        self._server.protocol.set_writer(self, include_headers=False)
        self._answers: dict[int, asyncio.Future[Any]] = {}

    def write(self, data: bytes) -> None:
        found = _ANSWERED.match(data)  # to read all of a long answer would keep the loop, which the client is no part of
        if found is not None:
            self._answers[int(found[1])].set_result(None)

    def close(self) -> None:
        """Nothing is open."""

    async def tell(self, method: str, params: Json) -> None:
        await self._server.protocol.take(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def ask(self, method: str, params: Json) -> None:
        number = len(self._answers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        await self._server.protocol.take(json.dumps(message).encode())
        await self._answers[number]


async def _session(text: str) -> tuple[float, float]:
    """The longest time that the loop is kept while a text is opened and checked, and while a letter is typed in its middle."""
    client = _Client()
    capabilities = {"textDocument": {"diagnostic": {}}, "general": {"positionEncodings": ["utf-16"]}}
    await client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
    await client.tell("initialized", {})
    small = {"uri": "file:///small.spvasm", "languageId": "spirv", "version": 1, "text": CASES[0].make(3)}
    await client.tell("textDocument/didOpen", {"textDocument": small})
    await client.ask("textDocument/diagnostic", {"textDocument": {"uri": small["uri"]}})
    while len(asyncio.all_tasks()) > 1:  # what every document needs is read ahead
        await asyncio.sleep(0.1)
    document = {"uri": URI, "languageId": "spirv", "version": 1, "text": f"; spvls: target-env={TARGET}\n{text}"}
    turns = _Turns()
    await client.tell("textDocument/didOpen", {"textDocument": document})
    await client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    opened = turns.stop()
    lines = text.split("\n")
    row = len(lines) // 2
    place = {"line": row + 1, "character": len(lines[row])}
    change = {"range": {"start": place, "end": place}, "text": "x"}
    turns = _Turns()
    await client.tell("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]})
    await client.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    return opened, turns.stop()


def _run(text: str, answer: Connection) -> None:
    answer.send(asyncio.run(_session(text)))


def pauses(say: Say, words: Sequence[str]) -> None:
    """Tell the longest processor time between two turns of the server's loop, for each case in a process of its own."""
    context = multiprocessing.get_context("spawn")

    def waits(text: str) -> tuple[float, float]:
        receiving, sending = context.Pipe(duplex=False)
        child = context.Process(target=_run, args=(text, sending))
        child.start()
        sending.close()
        try:
            found: tuple[float, float] = receiving.recv()
        finally:
            child.join()
        return found

    for name, text in _chosen(words):
        try:
            opened, typed = _least(lambda text=text: waits(text), (PAUSE, PAUSE))
            figure = f"{opened * 1000:.0f} / {typed * 1000:.0f} ms{_verdict(max(opened, typed) > PAUSE)}"
        except EOFError:
            figure = "(failed)"
        say(f"longest wait of the loop, 1 MB of {name}; opened / typed in", figure)
