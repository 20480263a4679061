"""Nothing of a text is kept once its document is closed: one string keeps a megabyte of memory from the system."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

import spvls
from spvls.server.garbage import collect
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
    collect()
    tracemalloc.start(1)
    await look(client, text.replace('"main"', '"_Z5main3v"'), 3)
    collect()
    snapshot = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, part) for part in PARTS])
    kept = (line for line in snapshot.statistics("lineno") if line.size != line.count * TABLE)
    assert [str(line) for line in kept] == []
