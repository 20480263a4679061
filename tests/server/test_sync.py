"""After any edits, in any encoding, the server has the client's text, and what it makes of it is as from scratch."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.binary.encode import encode
from spvls.diagnostic import Range
from spvls.host.host_text import HostText
from spvls.host.languages import LANGUAGES, SPIRV
from spvls.server import time_slicing
from spvls.server.findings import to_json
from spvls.server.host_document import HostDocument
from spvls.server.publisher import MORE, MOST_SHOWN
from spvls.server.settings import Settings
from spvls.steps import PORTION
from spvls.syntax import document
from spvls.syntax.header import read_header
from spvls.syntax.scanner import scan
from spvls.text.encoding import ColumnCodec
from spvls.text.escaping import visible
from spvls.text.lines import clamp, splice, split_lines
from tests.bench.worst_cases import wrong_types
from tests.server.client import URI, Client, Json, edit
from tests.strategies import edit_batches, excerpts, texts

_ENCODINGS = ["utf-8", "utf-16", "utf-32"]
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def _units(line: str, column: int, encoding: str) -> int:
    codec, size = _UNITS[encoding]
    return len(line[:column].encode(codec, "surrogatepass")) // size


async def _started(encoding: str, text: str, *, pull: bool = True) -> Client:
    client = Client()
    capabilities: Json = {"general": {"positionEncodings": [encoding]}}
    if pull:
        capabilities["textDocument"] = {"diagnostic": {"relatedInformation": True}}
    await client.start(capabilities)
    client.open(text)
    return client


def _text(client: Client) -> str:
    return client.server.document(URI).source


def findings_from_scratch(text: str, encoding: str) -> list[Json]:
    """What the server is to say of a text, by way of the validator alone."""
    document = HostDocument(URI, text, None, None, ColumnCodec(encoding), Settings())
    found: list[Json] = []
    for session in document.modules:
        target = session.span.environment if read_header(session.lines).target is None else None
        said = spvls.validate(session.source_module.text, target_env=target, options={"advice": True})
        found += to_json(said, session, related=True, tags=True)
    return found


def first_module(text: str) -> str | None:
    """The first module of an assembly text, which the words are shown of."""
    host = HostText(text, LANGUAGES[SPIRV])
    return host.module_text(host.spans[0]) if host.spans else None


def words_from_scratch(text: str) -> tuple[list[int], list[str]]:
    """The words of a text and the messages of what does not assemble, by way of the assembler alone."""
    lines = split_lines(text)
    records = [record for _, record in scan(lines)]
    encoding = encode(records, read_header(lines).environment().version)
    return encoding.words.tolist(), [visible(fault.message) for _, fault in encoding.faults]


@given(texts(), edit_batches(), st.sampled_from(_ENCODINGS))
def test_the_text_is_that_of_the_client(text: str, batches: list[list[tuple[Range, str]]], encoding: str) -> None:
    async def run() -> None:
        client = await _started(encoding, text)
        lines = split_lines(text)
        for version, batch in enumerate(batches, 2):
            changes = []
            for where, new in batch:
                start, end = sorted(clamp(lines, position) for position in where)
                first = (start.line, _units(lines[start.line], start.column, encoding))
                last = (end.line, _units(lines[end.line], end.column, encoding))
                changes.append(edit(first, last, new))
                splice(lines, Range(start, end), new)
            client.change(changes, version)
            assert _text(client) == "".join(lines)

    asyncio.run(run())


@given(excerpts(), edit_batches())
def test_findings_and_words_are_as_from_scratch(text: str, batches: list[list[tuple[Range, str]]]) -> None:
    async def run() -> None:
        client = await _started("utf-16", text)
        for version, batch in enumerate([[], *batches], 2):
            client.change([edit(tuple(where.start), tuple(where.end), new) for where, new in batch], version)
            now = _text(client)
            answer = await client.pull()
            assert answer["items"] == findings_from_scratch(now, "utf-16")
            binary = await client.request("spvls/binary", {"textDocument": {"uri": URI}})
            module = first_module(now)
            if module is None:
                assert binary is None
                continue
            words, faults = words_from_scratch(module)
            assert binary["version"] == version
            assert binary["words"] == words
            assert [gap["message"] for gap in binary["gaps"]] == faults
            check_map(binary)

    asyncio.run(run())


@given(excerpts(), edit_batches())
def test_what_changed_makes_the_new_words_of_the_old_ones(text: str, batches: list[list[tuple[Range, str]]]) -> None:
    async def run() -> None:
        client = await _started("utf-16", text)
        ask = {"textDocument": {"uri": URI}}
        held = await client.request("spvls/binary", ask)
        for version, batch in enumerate(batches, 2):
            client.change([edit(tuple(where.start), tuple(where.end), new) for where, new in batch], version)
            answer = await client.request("spvls/binary", {**ask, "since": held["version"] if held is not None else None})
            # Where the first module is another one now, or begins elsewhere, the answer is whole.
            held = patched(held, answer) if answer is not None and answer.get("since") is not None else answer
            other = Client()
            await other.start()
            other.open(_text(client), version=version)
            assert held == await other.request("spvls/binary", ask)

    asyncio.run(run())


def patched(held: Json, answer: Json) -> Json:
    """An answer to `spvls/binary` brought up to date by what has changed, as a client does it."""
    header = answer["header"]
    major, minor = header["version"].split(".")
    words = list(held["words"])
    words[:5] = [header["magic"], int(major) << 16 | int(minor) << 8, header["generator"], header["bound"], header["schema"]]
    change = answer["words"]
    words[change["start"] : change["start"] + change["deleteCount"]] = change["insert"]
    change = answer["map"]
    kept = held["map"][: change["start"]]
    moved = [_moved(entry, **change["shift"]) for entry in held["map"][change["start"] + change["deleteCount"] :]]
    return {
        "version": answer["version"],
        "header": header,
        "first": 0,
        "words": words,
        "map": [*kept, *change["insert"], *moved],
        "gaps": answer["gaps"],
    }


def _moved(entry: Json, lines: int, words: int) -> Json:
    ends = {
        end: {"line": place["line"] + lines, "character": place["character"]} for end, place in entry["range"].items()
    }
    moved = {**entry, "word": entry["word"] + words, "range": ends}
    if "tokens" in entry:
        moved["tokens"] = [_moved(token, lines, words) for token in entry["tokens"]]
    return moved


def check_map(binary: Json) -> None:
    """The map goes through all words behind the header, and the tokens through all words of their instruction."""
    word = 5
    for instruction in binary["map"]:
        assert instruction["word"] == word
        at = word
        for token in instruction["tokens"]:
            assert token["word"] == at
            at += token["count"]
        word += instruction["count"]
        assert at == word
    assert word == len(binary["words"])


def test_a_whole_new_text_takes_the_place_of_the_old_one() -> None:
    async def run() -> None:
        client = await _started("utf-16", "OpNop\n")
        client.change([edit((0, 0), (0, 2), "XX"), {"text": "%a = OpTypeVoid\n"}, edit((0, 1), (0, 2), "b")], 2)
        assert _text(client) == "%b = OpTypeVoid\n"

    asyncio.run(run())


@pytest.mark.parametrize("encoding", _ENCODINGS)
def test_places_are_in_the_units_of_the_client(encoding: str) -> None:
    async def run() -> None:
        line = 'OpName %a "\U0001f600é" OpStore %a %b\n'
        client = await _started(encoding, line)
        expected = _units(line, line.index("%b"), encoding)
        (item,) = [item for item in (await client.pull())["items"] if "%b" in item["message"]]
        assert item["range"]["start"]["character"] == expected
        found = await client.at("textDocument/references", 0, expected + 1, context={"includeDeclaration": True})
        assert [place["range"]["start"]["character"] for place in found] == [expected]

    asyncio.run(run())


def test_the_first_known_encoding_of_the_client_is_taken() -> None:
    async def run() -> list[str]:
        chosen = []
        for offered in (["utf-32", "utf-8"], ["klingon", "utf-8", "utf-16"], ["klingon"], None):
            general = {} if offered is None else {"positionEncodings": offered}
            chosen.append((await Client().start({"general": general}))["positionEncoding"])
        return chosen

    assert asyncio.run(run()) == ["utf-32", "utf-8", "utf-16", "utf-16"]


def test_thousands_of_changes_in_one_notification() -> None:
    async def run() -> None:
        client = await _started("utf-16", "%a = OpTypeVoid\n" * 3000)
        client.change([edit((line, 1), (line, 2), f"b{line}") for line in range(3000)], 2)
        assert _text(client) == "".join(f"%b{line} = OpTypeVoid\n" for line in range(3000))

    asyncio.run(run())


def test_an_edit_of_a_document_that_is_not_open_is_passed_over() -> None:
    async def run() -> None:
        client = await _started("utf-16", "OpNop\n")
        client.change([edit((0, 0), (0, 0), "x")], 2, uri="file:///other.spvasm")
        assert _text(client) == "OpNop\n"
        assert await client.pull(uri="file:///other.spvasm") == {"kind": "full", "items": []}

    asyncio.run(run())


def test_many_changes_of_one_line_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Range] = []

    def counted(lines: list[str], span: Range, text: str) -> tuple[int, int, int]:
        made.append(span)
        return splice(lines, span, text)

    monkeypatch.setattr(document, "splice", counted)

    async def run() -> None:
        client = await _started("utf-16", "OpNop ;\U0001f600\nOpNop\n")
        letters = [edit((0, 9 + at), (0, 9 + at), "x") for at in range(500)]
        client.change([*letters, edit((1, 0), (1, 0), " "), edit((0, 0), (0, 6), "")], 2)
        assert _text(client) == ";\U0001f600" + "x" * 500 + "\n OpNop\n"

    asyncio.run(run())
    assert len(made) == 3


def test_a_long_text_is_opened_and_checked_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop has its turns while a long text is read and checked, and what comes of it is as from scratch."""
    monkeypatch.setattr(time_slicing, "SLICE", 0)
    monkeypatch.setattr(time_slicing, "TURNS", 1)
    text = "; spvls: target-env=vulkan1.3\n" + wrong_types(3000)
    item = {"uri": URI, "languageId": "spirv", "version": 1, "text": text}
    message = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}

    async def run() -> None:
        client = await _started("utf-8", "", pull=True)
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.ensure_future(count())
        await client.server.protocol.take(json.dumps(message).encode())
        read = turns
        found = (await client.pull())["items"]
        counting.cancel()
        assert _text(client) == text
        assert read > 3000 // PORTION
        assert turns - read > 3000 // 8
        wanted = spvls.validate(text, target_env="vulkan1.3", options={"advice": True})
        assert len(wanted) > MOST_SHOWN
        assert len(found) == MOST_SHOWN + 1
        assert found[-1]["code"] == MORE
        assert found[-1]["message"].startswith(f"this file has {len(wanted) - MOST_SHOWN} more findings")

    asyncio.run(run())
