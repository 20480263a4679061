"""What a server keeps of edits that are past and of documents that are closed, over standard input and output."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from spvls.server.garbage import QUIET
from tests.bench.modules import module_text
from tests.bench.requests import Connection, Json

EDITED = "file:///edited.spvasm"
EDITED_LINES = 600
LARGE_LINES = 12_000
FIRST_EDITS, EDITS = 3_000, 100_000
"""Edits after which memory is first looked at, and in all."""

LOOKS = 7
"""Edits between two pulls of findings."""

AHEAD = 2.0
"""Seconds in which a server that still reads ahead takes more memory."""

ROUNDS = 10
"""Large documents that are opened and closed while another one is open."""

MOST_UNDONE = 8
"""Edits after which these are undone, from the last to the first."""

MEGABYTE = 1 << 20


class Watched(Connection):
    """A server whose memory can be asked for."""

    def __init__(self) -> None:
        super().__init__()
        capabilities = {"textDocument": {"diagnostic": {}}, "general": {"positionEncodings": ["utf-16"]}}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.notify("initialized", {})

    def resident(self) -> float:
        """Megabytes that the process has in memory."""
        pages = int(Path(f"/proc/{self.process_id}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE

    def open(self, uri: str, text: str) -> None:
        """Open a document, and ask for all that an editor shows of it."""
        document = {"uri": uri, "languageId": "spirv", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self.look(uri)

    def look(self, uri: str) -> None:
        for method in ("diagnostic", "documentSymbol", "semanticTokens/full"):
            self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}})
        self.ask("spvls/binary", {"textDocument": {"uri": uri}})

    def settle(self) -> None:
        """Wait until the server has collected what closed documents leave, however busy it is: from when it has taken note of the
        last close, until it answers a request that comes after the collection is due."""
        self.ask("workspace/symbol", {"query": ""})
        time.sleep(QUIET + 0.5)
        self.ask("workspace/symbol", {"query": ""})

    def at_rest(self) -> float:
        """Megabytes that it has once it has answered each kind of request, no document is open, and it reads nothing ahead any
        more: what every document needs is in memory."""
        self.open("file:///warm.spvasm", module_text(lines=200))
        self.close_document("file:///warm.spvasm")
        self.settle()
        before = 0.0
        while (now := self.resident()) != before:
            before = now
            time.sleep(AHEAD)
        return now

    def close_document(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


class Typist:
    """Edits a text at random, now with one word, now with lines; each edit is later undone, so that the text stays as long."""

    def __init__(self, text: str) -> None:
        self._chance = random.Random(1)
        self._lines = text.split("\n")
        self._now: dict[int, str] = {}
        self._undo: list[Json] = []
        self._undoing = False
        self._count = 0

    def edit(self) -> Json:
        """The next change, of a notification."""
        self._count += 1
        if self._undoing or len(self._undo) > MOST_UNDONE:
            change = self._undo.pop()
            self._undoing = bool(self._undo)
            if not self._undoing:
                self._now.clear()
            return change
        row = self._chance.randrange(1, len(self._lines) - 1)
        kind = self._chance.randrange(4)
        if kind == 0:
            return self._replaced(row, self._chance.choice(self._lines))
        if kind == 1:
            return self._replaced(row, f"%fresh_{self._count} = OpConstant %int {self._count}")
        if kind == 2:
            return self._replaced(row, f"%fresh_{self._count} = OpFAdd %float %other_{self._count} %float_1")
        return self._replaced(row, self._lines[row].replace("%", f"%x{self._count}_", 1))

    def _replaced(self, row: int, line: str) -> Json:
        now = self._now.get(row, self._lines[row])
        self._now[row] = line
        self._undo.append(_change(row, len(line), now))
        return _change(row, len(now), line)


def _change(row: int, length: int, line: str) -> Json:
    return {"range": {"start": {"line": row, "character": 0}, "end": {"line": row, "character": length}}, "text": line}


def after_edits(say: Callable[[str, str], None], edits: int) -> None:
    """Many edits of one document, and then its end."""
    server = Watched()
    start = server.at_rest()
    text = module_text(lines=EDITED_LINES)
    server.open(EDITED, text)
    typist = Typist(text)
    early = 0.0
    for count in range(1, edits + 1):
        document = {"uri": EDITED, "version": count + 1}
        server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [typist.edit()]})
        if count % LOOKS == 0:
            server.look(EDITED)
        if count == FIRST_EDITS:
            early = server.resident()
    server.look(EDITED)
    late = server.resident()
    server.close_document(EDITED)
    server.settle()
    say(f"memory after {FIRST_EDITS} edits → after {edits}", f"{early:.1f} → {late:.1f} MB")
    say("memory at the start → after all is closed", f"{start:.1f} → {server.resident():.1f} MB")
    server.close()


def after_closing(say: Callable[[str, str], None]) -> None:
    """Large documents opened and closed while another large one is open."""
    server = Watched()
    start = server.at_rest()
    text = module_text(lines=LARGE_LINES)
    server.open("file:///open.spvasm", text)
    taken = []
    for at in range(ROUNDS):
        uri = f"file:///closed_{at}.spvasm"
        server.open(uri, text)
        server.close_document(uri)
        server.look("file:///open.spvasm")
        taken.append(server.resident())
    say("each large document opened and closed beside another", f"{(taken[-1] - taken[1]) / (ROUNDS - 2):.2f} MB")
    server.close_document("file:///open.spvasm")
    server.settle()
    say("memory at the start → after all is closed", f"{start:.1f} → {server.resident():.1f} MB")
    server.close()


def retention(say: Callable[[str, str], None], edits: int = EDITS) -> None:
    """Tell what is kept to `say`."""
    if not Path("/proc/self/statm").exists():
        say("what is kept after edits and closes", "(no /proc/self/statm)")
        return
    after_edits(say, edits)
    after_closing(say)
