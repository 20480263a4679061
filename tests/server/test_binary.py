"""The binary beside the text, read from files and written to them."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

import spvls
from tests.corpus import BINARIES, TEXTS, is_faulty, name_of, text_of
from tests.server.client import URI, Client, Json, RequestError, edit, span
from tests.server.test_sync import check_map

_TEXT = "; Version: 1.3\nOpCapability Shader\n%void = OpTypeVoid\n%é = OpTypeBool\nOpMemoryModel Logical GLSL450\n"
_OF_URI = {"textDocument": {"uri": URI}}


async def _opened(text: str, uri: str = URI) -> Client:
    client = Client()
    await client.start()
    client.open(text, uri)
    return client


def test_words_and_what_they_were_made_of() -> None:
    async def run() -> Json:
        client = await _opened(_TEXT)
        answer: Json = await client.request("spvls/binary", _OF_URI)
        return answer

    answer = asyncio.run(run())
    assert answer["header"] == {"magic": 0x07230203, "version": "1.3", "generator": 0x70000, "bound": 2, "schema": 0}
    assert answer["words"][:5] == [0x07230203, 0x00010300, 0x70000, 2, 0]
    assert answer["words"][5:] == [0x00020011, 1, 0x00020013, 1, 0x0003000E, 0, 1]
    check_map(answer)
    void = answer["map"][1]
    assert void == {
        "word": 7,
        "count": 2,
        "range": span(2, 0, 18),
        "tokens": [{"word": 7, "count": 1, "range": span(2, 8, 18)}, {"word": 8, "count": 1, "range": span(2, 0, 5)}],
    }
    (gap,) = answer["gaps"]
    assert gap["range"]["start"]["line"] == 3
    assert "is not a valid id" in gap["message"]


def test_a_range_has_its_own_words() -> None:
    async def run() -> None:
        client = await _opened(_TEXT)
        whole = await client.request("spvls/binary", _OF_URI)
        part = await client.request("spvls/binary", {**_OF_URI, "range": span(2, 3, 4)})
        assert part["header"] is None
        assert (part["first"], part["words"]) == (7, whole["words"][7:9])
        assert part["map"] == whole["map"][1:2]
        assert part["gaps"] == []

    asyncio.run(run())


def test_who_asked_for_the_words_is_told_of_changes() -> None:
    async def run() -> None:
        client = await _opened(_TEXT)
        client.change([edit((0, 0), (0, 0), "")], 2)
        await client.request("spvls/binary", _OF_URI)
        for version in (3, 4, 5):
            client.change([edit((1, 0), (1, 0), " ")], version)
        assert await client.heard("spvls/binaryChanged") == {"uri": URI, "version": 5}
        assert not [message for message in client.said if message["method"] == "spvls/binaryChanged"]

    asyncio.run(run())


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_word_of_the_fixtures_has_a_text(path: Path) -> None:
    async def run() -> Json:
        client = await _opened(text_of(path).encode("utf-8", "replace").decode())
        answer: Json = await client.request("spvls/binary", _OF_URI)
        return answer

    answer = asyncio.run(run())
    check_map(answer)
    if not is_faulty(path):
        assert answer["gaps"] == []
        assert b"".join(word.to_bytes(4, "little") for word in answer["words"]) == spvls.assemble(text_of(path))


# Files


async def _write(client: Client, target: Path, **more: object) -> Json:
    answer: Json = await client.request("spvls/writeBinary", {**_OF_URI, "target": target.as_uri(), **more})
    return answer


def test_a_module_is_written(tmp_path: Path) -> None:
    text = "OpCapability Shader\n%void = OpTypeVoid\nOpMemoryModel Logical GLSL450\n"
    target = tmp_path / "a b.spv"

    async def run() -> Json:
        return await _write(await _opened(text), target)

    assert asyncio.run(run()) == {"written": True, "reason": None, "bytes": target.stat().st_size, "conflict": False}
    assert target.read_bytes() == spvls.assemble(text)
    assert os.listdir(tmp_path) == ["a b.spv"]


def test_a_text_with_gaps_is_written_only_when_forced(tmp_path: Path) -> None:
    target = tmp_path / "a.spv"

    async def run() -> None:
        client = await _opened(_TEXT)
        answer = await _write(client, target)
        assert (answer["written"], answer["bytes"]) == (False, None)
        assert answer["reason"].startswith("one instruction does not assemble, line 4: ")
        assert not target.exists()
        assert (await _write(client, target, force=True))["written"]
        assert target.stat().st_size == 12 * 4

    asyncio.run(run())


def test_another_file_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("precious, and longer than a header of twenty bytes")

    async def run() -> None:
        client = await _opened("OpNop\n")
        answer = await _write(client, target)
        assert not answer["written"]
        assert "is not a SPIR-V module" in answer["reason"]
        assert target.read_text().startswith("precious")
        assert (await _write(client, target, force=True))["written"]
        assert target.read_bytes() == spvls.assemble("OpNop\n")

    asyncio.run(run())


def test_the_old_file_keeps_its_permissions_and_stays_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.spv"
    target.write_bytes(spvls.assemble("OpNop\n"))
    target.chmod(0o640)

    async def run() -> None:
        client = await _opened("OpNop\nOpNop\n")
        with monkeypatch.context() as patch:

            def full(_descriptor: int) -> None:
                raise OSError(28, "No space left on device")

            patch.setattr(os, "fsync", full)
            answer = await _write(client, target)
        assert not answer["written"]
        assert "No space left" in answer["reason"]
        assert target.read_bytes() == spvls.assemble("OpNop\n")
        assert os.listdir(tmp_path) == ["a.spv"]
        assert (await _write(client, target))["written"]
        assert stat.S_IMODE(target.stat().st_mode) == 0o640

    asyncio.run(run())


@pytest.mark.parametrize("path", [path for path in BINARIES if "truncated" not in path.name], ids=name_of)
def test_a_listing_that_is_written_back_is_the_file_again(path: Path, tmp_path: Path) -> None:
    file = tmp_path / path.name
    file.write_bytes(path.read_bytes())

    async def run() -> None:
        client = Client()
        await client.start()
        listing = await client.request("spvls/disassemble", {"uri": file.as_uri()})
        assert listing["error"] is None
        client.open(listing["text"])
        answer = await _write(client, file)
        assert answer["written"], answer

    asyncio.run(run())
    before, after = path.read_bytes(), file.read_bytes()
    if before[0] == 0x07:  # what was big-endian is little-endian now
        before = b"".join(before[at : at + 4][::-1] for at in range(0, len(before), 4))
    assert after == before


def test_speaking_names_keep_the_numbers_too(tmp_path: Path) -> None:
    path = next(path for path in BINARIES if path.name == "transform.vert.spv")

    async def run() -> None:
        client = Client()
        await client.start()
        request = {"uri": path.as_uri(), "options": {"friendlyNames": True}}
        listing = await client.request("spvls/disassemble", request)
        client.open(listing["text"])
        assert (await _write(client, tmp_path / "a.spv"))["written"]

    asyncio.run(run())
    assert (tmp_path / "a.spv").read_bytes() == path.read_bytes()


def test_a_damaged_module_is_listed_as_far_as_it_goes() -> None:
    path = next(path for path in BINARIES if "truncated" in path.name)

    async def run() -> Json:
        client = Client()
        await client.start()
        answer: Json = await client.request("spvls/disassemble", {"uri": path.as_uri()})
        return answer

    answer = asyncio.run(run())
    assert "OpCapability" in answer["text"]


def test_what_is_no_module_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "a.spv"
    file.write_bytes(b"text")

    async def run() -> None:
        client = Client()
        await client.start()
        answer = await client.request("spvls/disassemble", {"uri": file.as_uri()})
        assert answer["text"] == ""
        assert answer["error"]
        with pytest.raises(RequestError):
            await client.request("spvls/disassemble", {"uri": (tmp_path / "none.spv").as_uri()})

    asyncio.run(run())


def test_a_command_writes_the_binary_beside_the_text(tmp_path: Path) -> None:
    text = tmp_path / "a.spvasm.frag"

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n", text.as_uri())
        request = {"command": "spvls.server.assemble", "arguments": [text.as_uri()]}
        assert (await client.request("workspace/executeCommand", request))["written"]
        assert (tmp_path / "a.frag.spv").read_bytes() == spvls.assemble("OpNop\n")
        client.change([edit((0, 0), (0, 0), "OpNonesuch\n")], 2, text.as_uri())
        assert not (await client.request("workspace/executeCommand", request))["written"]
        assert "was not written" in (await client.heard("window/showMessage"))["message"]

    asyncio.run(run())


def test_a_file_that_changed_since_it_was_opened_is_a_conflict(tmp_path: Path) -> None:
    file = tmp_path / "a.spv"
    file.write_bytes(spvls.assemble("OpNop\n"))

    async def run() -> None:
        client = Client()
        await client.start()
        listing = await client.request("spvls/disassemble", {"uri": file.as_uri()})
        client.open(listing["text"])
        theirs = spvls.assemble("OpNop\nOpNop\n")
        file.write_bytes(theirs)
        answer = await _write(client, file)
        assert (answer["written"], answer["conflict"]) == (False, True)
        assert answer["reason"] == f"{file} has changed on disk since it was opened"
        assert file.read_bytes() == theirs
        assert (await _write(client, file, force=True))["written"]
        assert (await _write(client, file))["written"]  # what the client wrote itself is no conflict
        file.unlink()
        assert (await _write(client, file))["written"]

    asyncio.run(run())


def test_a_read_only_file_is_refused_also_with_force(tmp_path: Path) -> None:
    file = tmp_path / "a.spv"
    before = spvls.assemble("OpNop\nOpNop\n")
    file.write_bytes(before)
    file.chmod(0o444)

    async def run() -> None:
        client = await _opened("OpNop\n")
        for force in (False, True):
            answer = await _write(client, file, force=force)
            assert answer["reason"] == f"{file} is read-only"
            assert not answer["conflict"]

    asyncio.run(run())
    assert file.read_bytes() == before
