"""Nothing of a text is kept once its document is closed: one string keeps a megabyte of memory from the system."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

import spvls
from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.server import garbage
from spvls.server.garbage import Garbage, collect
from spvls.steps import completed
from spvls.syntax.document import Document
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.report import report_steps
from tests.bench.worst_cases import nested_loops
from tests.corpus import FIXTURES, text_of
from tests.server.client import URI, Client

PARTS = tuple(f"{Path(spvls.__file__).parent / part}/*" for part in ("text", "syntax", "module", "binary", "validate", "ide", "host"))
TABLE = sys.getsizeof({"": None}) - sys.getsizeof({})
"""Bytes of the table of a small dictionary, which Python hands on to other ones: it is counted for the line that made it first."""

REQUESTS = ("textDocument/diagnostic", "textDocument/documentSymbol", "textDocument/semanticTokens/full", "spvls/binary", "textDocument/codeLens")


async def look(client: Client, text: str, version: int) -> None:
    client.open(text, version=version)
    for method in REQUESTS:
        await client.request(method, {"textDocument": {"uri": URI}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})


@pytest.fixture
def traced() -> Iterator[None]:
    yield
    tracemalloc.stop()
    gc.unfreeze()


async def test_nothing_of_a_closed_text_is_kept(traced: None) -> None:
    client = Client()
    await client.start()
    text = text_of(FIXTURES / "shaders" / "lit.frag.spvasm") + "; é\n"
    assert '"main"' in text
    for version in (1, 2):  # what the grammar has is read once, and stays
        await look(client, text.replace('"main"', f'"_Z5main{version}v"'), version)
    while len(asyncio.all_tasks()) > 1:  # and so is what is read ahead
        await asyncio.sleep(0.1)
    collect()
    tracemalloc.start(1)
    await look(client, text.replace('"main"', '"_Z5main3v"'), 3)
    collect()
    snapshot = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, part) for part in PARTS])
    kept = (line for line in snapshot.statistics("lineno") if line.size != line.count * TABLE)
    assert [str(line) for line in kept] == []


def test_what_an_edit_replaces_goes_without_a_collection() -> None:
    """What comes of long work is spared from collections while it goes on, so that it must not be garbage that needs one."""
    document = Document(nested_loops(40))
    checker = Checker(Module(document.chunks, environment("vulkan1.3")))
    completed(report_steps(checker, document))
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            for line in (len(document.lines) // 2, 2):
                checker.update(document.edit([(Range(Position(line, 0), Position(line, 0)), " ")]))
                completed(report_steps(checker, document))
        assert gc.collect() == 0
    finally:
        gc.enable()


async def test_empty_tables_take_no_memory() -> None:
    client = Client()
    await client.start()
    text = text_of(FIXTURES / "shaders" / "lit.frag.spvasm")
    for version in range(1, 8):
        await look(client, text, version)
    for table in (client.server.protocol._request_futures, client.server.workspace.text_documents):
        assert table == {} and sys.getsizeof(table) == sys.getsizeof({}.copy())


async def test_room_is_taken_for_a_moment_only(monkeypatch: pytest.MonkeyPatch, traced: None) -> None:
    monkeypatch.setattr(garbage, "QUIET", 0)
    monkeypatch.setattr(garbage, "SETTLED", 0.05)
    gc.collect()
    before = sys.getallocatedblocks()
    Garbage().document_closed()
    await asyncio.sleep(0.01)
    assert sys.getallocatedblocks() > before + 10_000
    while sys.getallocatedblocks() > before + 1_000:
        await asyncio.sleep(0.01)
