"""Which files a client reaches: all of them over standard streams, and over a port those of its session alone."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

import spvls
from spvls.server.server import SpirvServer
from tests.server.client import CAPABILITIES, Client, Json, RequestError

_SOUND = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
_SECRET = "OpCapability Secret\n"


class _Place:
    """A root with a workspace in it, another folder beside the workspace, and one outside of the root."""

    def __init__(self, top: Path) -> None:
        self.root, self.outside = top / "root", top / "outside"
        self.workspace, self.other = self.root / "workspace", self.root / "other"
        for folder in (self.workspace, self.other, self.outside):
            folder.mkdir(parents=True)
            (folder / "a.spvasm").write_text(_SECRET)
            (folder / "a.spv").write_bytes(spvls.assemble(_SOUND))
        (self.workspace / "link.spv").symlink_to(self.outside / "a.spv")
        (self.workspace / "link.spvasm").symlink_to(self.outside / "a.spvasm")
        (self.workspace / "folder").symlink_to(self.outside, target_is_directory=True)

    async def client(self, *, limited: bool, folders: list[Path] | None = None) -> Client:
        client = Client(SpirvServer([str(self.root)] if limited else []))
        given = [self.workspace] if folders is None else folders
        params = {
            "processId": None,
            "rootUri": None,
            "capabilities": CAPABILITIES,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"} for folder in given],
        }
        await client.request("initialize", params)
        client.notify("initialized", {})
        return client


@pytest.fixture
def place(tmp_path: Path) -> _Place:
    return _Place(tmp_path)


def _naming(path: Path) -> list[tuple[str, Json]]:
    """Every request that names a file that need not be open."""
    uri = path.as_uri()
    own = path.with_suffix(".spv").as_uri()
    document = {"textDocument": {"uri": "untitled:x"}}
    return [
        ("spvls/disassemble", {"uri": own}),
        *(
            ("workspace/textDocumentContent", {"uri": own.replace("file:", f"{scheme}:")})
            for scheme in ("spvls-listing", "spvls-words", "spvls-summary", "spvls-cfg")
        ),
        ("spvls/writeBinary", {**document, "target": own, "force": True}),
        ("workspace/executeCommand", {"command": "spvls.server.assemble", "arguments": ["untitled:x", own]}),
        ("workspace/executeCommand", {"command": "spvls.server.assemble", "arguments": [uri]}),
    ]


async def _refused(client: Client, method: str, params: Json) -> bool:
    try:
        await client.request(method, params)
    except RequestError as error:
        assert "outside of the folders and documents of this session" in str(error) or "is not open" in str(error)
        return True
    return False


@pytest.mark.parametrize("where", ["outside/a", "root/other/a", "root/workspace/link", "root/workspace/folder/a"])
def test_what_lies_elsewhere_is_refused_in_a_limited_session(place: _Place, tmp_path: Path, where: str) -> None:
    path = tmp_path / f"{where}.spvasm"

    async def run() -> None:
        client = await place.client(limited=True)
        client.open(_SOUND, "untitled:x")
        for method, params in _naming(path):
            assert await _refused(client, method, params), method
        if where != "root/other/a":
            # A document that is open there is only text: nothing of the disk comes with it.
            client.open(_SOUND, path.as_uri())
            for method, params in _naming(path):
                assert await _refused(client, method, params), method

    before = path.with_suffix(".spv").read_bytes()
    asyncio.run(run())
    assert path.with_suffix(".spv").read_bytes() == before


def test_every_file_of_the_session_is_within_reach(place: _Place) -> None:
    async def run() -> None:
        client = await place.client(limited=True)
        client.open(_SOUND, "untitled:x")
        for method, params in _naming(place.workspace / "a.spvasm")[:-1]:
            assert not await _refused(client, method, params), method
        # Beside a document that is open, in the root but in no folder of the workspace, its own binary is.
        client.open(_SOUND, (place.other / "a.spvasm").as_uri())
        assert not await _refused(client, "spvls/disassemble", {"uri": (place.other / "a.spv").as_uri()})
        assert await _refused(client, "spvls/disassemble", {"uri": (place.other / "b.spv").as_uri()})

    asyncio.run(run())


def test_over_standard_streams_a_file_outside_of_the_workspace_is_opened_and_written(place: _Place) -> None:
    async def run() -> None:
        client = await place.client(limited=False)
        client.open(_SOUND, "untitled:x")
        for method, params in _naming(place.outside / "a.spvasm")[:-1]:
            assert not await _refused(client, method, params), method

    asyncio.run(run())


def test_a_client_does_not_choose_its_own_limits(place: _Place) -> None:
    async def run() -> None:
        client = await place.client(limited=True, folders=[place.outside, Path("/")])
        assert await _refused(client, "spvls/disassemble", {"uri": (place.outside / "a.spv").as_uri()})
        assert await client.request("workspace/symbol", {"query": ""}) == []
        assert (await client.request("workspace/diagnostic", {"previousResultIds": []}))["items"] == []

    asyncio.run(run())


def test_links_out_of_the_workspace_are_not_followed(place: _Place) -> None:
    async def run() -> set[str]:
        client = await place.client(limited=True)
        answer = await client.request("workspace/diagnostic", {"previousResultIds": []})
        return {report["uri"] for report in answer["items"]}

    assert asyncio.run(run()) == {(place.workspace / "a.spvasm").as_uri()}


def test_with_force_only_modules_are_overwritten_in_a_limited_session(place: _Place) -> None:
    target = place.workspace / "precious.txt"
    target.write_text("precious, and longer than a header of twenty bytes")

    async def run() -> Any:
        client = await place.client(limited=True)
        client.open(_SOUND, "untitled:x")
        request = {"textDocument": {"uri": "untitled:x"}, "target": target.as_uri(), "force": True}
        return await client.request("spvls/writeBinary", request)

    assert not asyncio.run(run())["written"]
    assert target.read_text().startswith("precious")


def test_what_settings_and_modules_name_is_within_reach_too(place: _Place) -> None:
    profile = place.outside / "profile.json"
    profile.write_text('{"capabilities": {}}')
    (place.outside / "spvls.toml").write_text('target-env = "vulkan1.2"\n')
    (place.workspace / "shader.glsl").write_text("")
    (place.outside / "shader.glsl").write_text("")
    names = ["shader.glsl", "../../outside/shader.glsl", "//machine/share/shader.glsl", "/dev/zero"]
    text = "".join(f'%s{at} = OpString "{name}"\nOpLine %s{at} 1 1\n' for at, name in enumerate(names))

    async def run() -> None:
        client = await place.client(limited=True)
        for settings in ({"device": {"profile": str(profile)}}, {"khronosGrammar": str(place.outside)}):
            client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": settings}})
            assert "outside of the folders" in (await client.heard("window/showMessage"))["message"]
        uri = (place.outside / "a.spvasm").as_uri()
        client.open(_SOUND, uri)
        summary = await client.request("spvls/summary", {"textDocument": {"uri": uri}})
        assert summary["targetEnv"] != "vulkan1.2"
        uri = (place.workspace / "b.spvasm").as_uri()
        client.open(text, uri)
        found = await client.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert [os.path.basename(link["target"]) for link in found] == ["shader.glsl"]
        for at in range(len(names)):
            where = {"textDocument": {"uri": uri}, "position": {"line": 2 * at + 1, "character": 1}}
            assert len(await client.request("textDocument/definition", where)) == (at == 0)

    asyncio.run(run())


@pytest.mark.parametrize("uri", ["file:///a%00b.spv", "file://[", "file:", "https://example.org/a.spv", "spvls-listing:x", ""])
@pytest.mark.parametrize("limited", [False, True])
def test_what_is_not_the_address_of_a_file_is_refused(place: _Place, uri: str, limited: bool) -> None:
    async def run() -> None:
        client = await place.client(limited=limited)
        client.open(_SOUND, uri)
        with pytest.raises(RequestError) as refused:
            await client.request("spvls/disassemble", {"uri": uri})
        assert refused.value.code == -32803

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["fifo", "device", "folder"])
def test_what_is_not_a_regular_file_is_neither_read_nor_written(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.spv"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()

    async def run() -> None:
        client = Client()
        await client.start()
        client.open(_SOUND, "untitled:x")
        with pytest.raises(RequestError, match="not a regular file"):
            await client.request("spvls/disassemble", {"uri": path.as_uri()})
        with pytest.raises(RequestError, match="not a regular file"):
            await client.request("workspace/textDocumentContent", {"uri": path.as_uri().replace("file:", "spvls-words:")})
        target = {"textDocument": {"uri": "untitled:x"}, "target": path.as_uri(), "force": True}
        answer = await client.request("spvls/writeBinary", target)
        assert (answer["written"], "not a regular file" in answer["reason"]) == (False, True)

    asyncio.run(run())
