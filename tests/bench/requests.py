"""How long a client waits for answers, over standard input and output, with a long module open."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from time import perf_counter, sleep
from typing import Any, NamedTuple

from tests.bench.modules import module_text
from tests.corpus import ROOT

OPENINGS, SAMPLES = 5, 60
SCREEN = 60
"""Lines that an editor shows at once."""

IDLE = 2.0
"""Seconds in which a server that is not asked anything reads what it has not read yet."""

PAGES, PAGE = 2_000, 4_096
"""Pages that a hover uses, and the bytes of one."""

URI = "file:///long.spvasm"

CAPABILITIES = {
    "textDocument": {
        "diagnostic": {},
        "completion": {
            "completionItem": {"snippetSupport": True, "labelDetailsSupport": True},
            "completionList": {"itemDefaults": ["editRange", "data"]},
        },
    },
    "general": {"positionEncodings": ["utf-16"]},
}
"""What an editor such as VS Code says that it can do, where that decides how much an answer holds."""

Json = dict[str, Any]


class Connection:
    """A client of a server in a process of its own. It waits for one answer at a time."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "spvls", "serve"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._last = 0

    @property
    def process_id(self) -> int:
        return self._process.pid

    def notify(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def send(self, method: str, params: Json) -> int:
        """Send a request; its number."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        return self._last

    def answer(self, request: int) -> Any:
        """The answer to a request; None where the server gave it up because the text changed."""
        while True:
            message = self._receive()
            if message.get("id") == request and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:
                self._send({"id": message["id"], "result": None})

    def ask(self, method: str, params: Json) -> Any:
        return self.answer(self.send(method, params))

    def close(self) -> None:
        self.ask("shutdown", {})
        self.notify("exit", {})
        self._process.wait(20)

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> Json:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: Json = json.loads(self._process.stdout.read(length))
        return message


class Asked:
    """A module of so many lines, open in a server; `opened` is how many seconds it took to all its findings."""

    def __init__(self, lines: int) -> None:
        self.text = module_text(lines=lines)
        self.lines = self.text.split("\n")
        self.inside = [at for at, line in enumerate(self.lines) if " = OpFMul " in line or " = OpFAdd " in line]
        self.chance = random.Random(1)
        self.server = Connection()
        self.version = 1
        self.server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES})
        self.server.notify("initialized", {})
        document = {"uri": URI, "languageId": "spirv", "version": 1, "text": "; spvls: target-env=vulkan1.1\n" + self.text}
        start = perf_counter()
        self.server.notify("textDocument/didOpen", {"textDocument": document})
        self.ask("diagnostic")
        self.opened = perf_counter() - start

    def ask(self, method: str, **params: Any) -> Any:
        return self.server.ask(f"textDocument/{method}", {"textDocument": {"uri": URI}, **params})

    def send(self, method: str, **params: Any) -> int:
        return self.server.send(f"textDocument/{method}", {"textDocument": {"uri": URI}, **params})

    def type(self, line: int, column: int, text: str, remove: int = 0) -> None:
        """A keystroke."""
        self.version += 1
        span = {"start": _place(line, column), "end": _place(line, column + remove)}
        self.server.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": self.version}, "contentChanges": [{"range": span, "text": text}]},
        )

    def places(self) -> Iterator[tuple[int, int]]:
        """Places inside the last operand of instructions somewhere in the text."""
        for _ in range(SAMPLES):
            row = self.chance.choice(self.inside)
            yield row + 1, self.lines[row].rindex("%") + 1


def _place(line: int, column: int) -> Json:
    return {"line": line, "character": column}


def _screen(line: int) -> Json:
    return {"start": _place(line, 0), "end": _place(line + SCREEN, 0)}


AT_A_PLACE = (
    "completion", "signatureHelp", "hover", "definition", "typeDefinition", "references", "documentHighlight", "prepareRename",
    "linkedEditingRange",
)  # fmt: skip
OF_A_SCREEN = ("semanticTokens/range", "inlayHint", "codeAction")
OF_THE_WHOLE = ("documentSymbol", "semanticTokens/full", "foldingRange", "codeLens", "documentLink")


def requests(lines: int, say: Callable[[str, list[float]], None]) -> None:
    """Tell the times of each kind of request to `say`."""
    opened = []
    for _ in range(OPENINGS - 1):
        asked = Asked(lines)
        opened.append(asked.opened)
        asked.server.close()
    asked = Asked(lines)
    say("didOpen → all findings; p50 / p95", [*opened, asked.opened])

    def timed(method: str, **params: Any) -> float:
        start = perf_counter()
        asked.ask(method, **params)
        return perf_counter() - start

    def keystroke(place: tuple[int, int]) -> float:
        """A keystroke up to its findings."""
        row, column = place
        start = perf_counter()
        asked.type(row, column, "x")
        asked.ask("diagnostic")
        time = perf_counter() - start
        asked.type(row, column, "", 1)
        return time

    def beside(method: str) -> float:
        """The same while a long answer is made."""
        asked.send(method)
        return keystroke(next(asked.places()))

    say("keystroke in a function → findings; p50 / p95", [keystroke(place) for place in asked.places()])
    for method in AT_A_PLACE:
        extra: Json = {"context": {"includeDeclaration": True}} if method == "references" else {}
        times = [timed(method, position=_place(*place), **extra) for place in asked.places()]
        say(f"{method}; p50 / p95", times)
    say("completion where an instruction begins; p50 / p95", [
        timed("completion", position=_place(line, 0)) for line, _ in asked.places()
    ])  # fmt: skip
    for method in OF_A_SCREEN:
        extra = {"context": {"diagnostics": []}} if method == "codeAction" else {}
        say(f"{method} of a screen; p50 / p95", [timed(method, range=_screen(line), **extra) for line, _ in asked.places()])
    for method in OF_THE_WHOLE:
        say(f"{method} of the whole; p50 / p95", [timed(method) for _ in range(5)])

    def after_a_keystroke(method: str) -> float:
        row, column = next(asked.places())
        asked.type(row, column, "x")
        time = timed(method)
        asked.type(row, column, "", 1)
        return time

    for method in OF_THE_WHOLE:
        say(f"{method} after a keystroke; p50 / p95", [after_a_keystroke(method) for _ in range(5)])
    for method in OF_THE_WHOLE:
        say(f"keystroke while {method} is made → findings; p50 / p95", [beside(method) for _ in range(5)])
    asked.server.close()


class FirstAnswers(NamedTuple):
    """Seconds from the start of a server to its answer to `initialize`; of the first hover in a text, as soon as this has its
    findings; and of the first hover of a server that was idle before it, as `idle_pages` says."""

    initialize: float
    hover: float
    hover_when_idle: float


def first_answers(text: str, runs: int = 5) -> FirstAnswers:
    """The least times of servers that are started anew."""
    began, at_once = zip(*(_first_answers(text, 0.0) for _ in range(runs)), strict=True)
    _, later = zip(*(_first_answers(text, IDLE) for _ in range(runs)), strict=True)
    return FirstAnswers(min(began), min(at_once), min(later))


def _first_answers(text: str, idle: float) -> tuple[float, float]:
    capabilities = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "diagnostic": {}}}
    document = {"uri": URI, "languageId": "spirv", "version": 1, "text": text}
    row = next(row for row, line in enumerate(text.split("\n")) if "OpTypeFloat" in line)
    begun = perf_counter()
    server = Connection()
    server.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
    started = perf_counter() - begun
    server.notify("initialized", {})
    server.notify("textDocument/didOpen", {"textDocument": document})
    server.ask("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    sleep(idle)
    begun = perf_counter()
    server.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": row, "character": 12}})
    hover = perf_counter() - begun
    server.close()
    return started, hover


def idle_pages(runs: int = 5) -> tuple[float, float]:
    """The least times, in seconds, to read a byte of each of as many pages as a hover uses: at once, and after the machine had the
    time to take them away from a process that is idle, as hosts of virtual machines do."""
    pages = bytearray(PAGES * PAGE)

    def read(idle: float) -> float:
        sum(pages[::PAGE])
        sleep(idle)
        begun = perf_counter()
        sum(pages[::PAGE])
        return perf_counter() - begun

    return min(read(0.0) for _ in range(runs)), min(read(IDLE) for _ in range(runs))
