"""Settings: read, asked for, and followed when they change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from spvls.server.settings import InlayHintSettings, Settings, read_settings
from tests.server.client import CAPABILITIES, URI, Client, Json, edit

_VULKAN = """\
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
"""


def test_settings_of_every_sort() -> None:
    given: Json = {
        "targetEnv": "vulkan1.2",
        "validation": {"scalarBlockLayout": True, "maxStructDepth": 3},
        "device": {"version": "1.1", "features": ["shaderInt64"], "extensions": None, "profile": None},
        "rules": {"layout/section": "off", "a/b": "hint"},
        "inlayHints": {"types": False, "memberDecorations": False},
        "codeLens": False,
        "format": "nested",
    }
    settings, problems = read_settings(given)
    assert problems == []
    assert settings == Settings(
        target_env="vulkan1.2",
        options={"scalar_block_layout": True, "max_struct_depth": 3, "device": "1.1,features,shaderInt64"},
        rules={"layout/section": "off", "a/b": "hint"},
        inlay_hints=InlayHintSettings(types=False, member_decorations=False),
        code_lens=False,
        nested_format=True,
    )


@pytest.mark.parametrize("given", [None, {}, [], "x", {"targetEnv": None}])
def test_nothing_set_is_no_problem(given: Any) -> None:
    assert read_settings(given) == (Settings(), [])


@pytest.mark.parametrize(
    "given",
    [
        {"targetEnv": "vulkan7"},
        {"targetEnv": 5},
        {"validation": {"nonesuch": True}},
        {"validation": {"maxStructDepth": "many"}},
        {"validation": []},
        {"device": "1.2"},
        {"device": {"version": 1.2}},
        {"device": {"profile": "no such file.json"}},
        {"rules": {"a/b": "loud"}},
        {"inlayHints": {"nonesuch": True}},
        {"format": "pretty"},
        {"khronosGrammar": 1},
    ],
)
def test_what_is_wrong_is_told_and_does_not_count(given: Json) -> None:
    settings, problems = read_settings(given)
    assert settings == Settings()
    assert len(problems) == 1


async def _env(client: Client) -> str:
    summary = await client.request("spvls/summary", {"textDocument": {"uri": URI}})
    env: str = summary["targetEnv"]
    return env


def test_the_options_of_the_start_count() -> None:
    async def run() -> None:
        client = Client()
        await client.start(options={"targetEnv": "vulkan1.1"})
        client.open(_VULKAN)
        assert await _env(client) == "vulkan1.1"

    asyncio.run(run())


def test_what_is_set_wrong_is_shown_once() -> None:
    async def run() -> list[str]:
        client = Client()
        await client.start(options={"targetEnv": "vulkan7"})
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"targetEnv": "vulkan7"}}})
        return [message["params"]["message"] for message in client.said]

    (message,) = asyncio.run(run())
    assert message.startswith("spvls.targetEnv is 'vulkan7', and must be one of")


def test_settings_that_are_pushed_are_followed() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(_VULKAN)
        before = await client.pull()
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"targetEnv": "vulkan1.3"}}})
        await client.heard("workspace/diagnostic/refresh")
        assert await _env(client) == "vulkan1.3"
        after = await client.pull(previous=before["resultId"])
        assert after["kind"] == "full"
        assert after["items"] != before["items"]

    asyncio.run(run())


def test_settings_are_asked_for_each_document() -> None:
    workspace = {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}
    capabilities = {**CAPABILITIES, "workspace": workspace}

    async def run() -> None:
        client = Client()
        chosen = {None: "vulkan1.0", URI: "opencl2.0"}
        client.settings = lambda item: {"targetEnv": chosen.get(item.get("scopeUri"))}
        await client.start(capabilities)
        registered = await client.heard("client/registerCapability")
        assert registered["registrations"][0]["method"] == "workspace/didChangeConfiguration"
        client.open(_VULKAN)
        while await _env(client) != "opencl2.0":
            await asyncio.sleep(0)
        chosen[URI] = "opengl4.5"
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        while await _env(client) != "opengl4.5":
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(run(), 20))


def test_rules_can_be_turned_off_and_changed_in_weight() -> None:
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpStore %a %b\n"

    async def run() -> None:
        client = Client()
        await client.start()
        client.open(text)
        items = (await client.pull())["items"]
        rules = {item["code"] for item in items}
        assert rules
        rule = sorted(rules)[0]
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"rules": {rule: "hint"}}}})
        items = (await client.pull())["items"]
        assert {item["severity"] for item in items if item["code"] == rule} == {4}
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"rules": {rule: "off"}}}})
        assert {item["code"] for item in (await client.pull())["items"]} == rules - {rule}

    asyncio.run(run())


def test_the_header_of_the_text_chooses_the_environment() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("; spvls: target-env=vulkan1.2\nOpNop\n")
        assert await _env(client) == "vulkan1.2"
        client.change([{"text": "; Version: 1.1\nOpNop\n"}], 2)
        assert await _env(client) == "spv1.1"

    asyncio.run(run())


def test_the_settings_of_the_project_count_below_those_of_the_editor(tmp_path: Path) -> None:
    config = tmp_path / "spvls.toml"
    config.write_text('target-env = "vulkan1.1"\n[rules]\n"syntax/*" = "off"\n')
    uri = (tmp_path / "a.spvasm").as_uri()
    text = "OpCapability Shadre\nOpMemoryModel Logical GLSL450\n"

    async def env(client: Client) -> Any:
        return (await client.request("spvls/summary", {"textDocument": {"uri": uri}}))["targetEnv"]

    async def rules(client: Client) -> set[str]:
        return {item["code"] for item in (await client.pull(uri))["items"]}

    async def run() -> None:
        client = Client()
        await client.start()
        client.open(text, uri)
        assert await env(client) == "vulkan1.1"
        assert "syntax/unknown-enumerant" not in await rules(client)
        client.change([edit((0, 0), (0, 0), "; spvls: target-env=vulkan1.2\n")], 2, uri)
        assert await env(client) == "vulkan1.2"
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"rules": {"syntax/*": "warning"}}}})
        assert "syntax/unknown-enumerant" in await rules(client)
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"targetEnv": "opencl2.0"}}})
        assert await env(client) == "vulkan1.2", "a comment of the text comes first"
        client.change([edit((0, 0), (1, 0), "")], 3, uri)
        assert await env(client) == "opencl2.0"
        client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {}}})
        assert await env(client) == "vulkan1.1"

    asyncio.run(run())


def test_the_settings_of_the_project_are_followed(tmp_path: Path) -> None:
    config = tmp_path / "spvls.toml"
    uri = (tmp_path / "a.spvasm").as_uri()

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n", uri)
        config.write_text('target-env = "vulkan1.1"\nnonesuch = 1\n')
        changed = {"changes": [{"uri": config.as_uri(), "type": 1}]}
        client.notify("workspace/didChangeWatchedFiles", changed)
        summary = await client.request("spvls/summary", {"textDocument": {"uri": uri}})
        assert summary["targetEnv"] == "vulkan1.1"
        shown = await client.heard("window/showMessage")
        assert shown["message"].startswith(f"{config}:2: there is no setting nonesuch")

    asyncio.run(run())


def test_a_device_is_followed() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open("; Version: 1.0\nOpCapability Shader\nOpCapability Linkage\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n")
        assert (await client.pull())["items"] == []
        for features, rules in (([], ["capability/device-has-features"]), (["shaderInt64"], [])):
            client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": {"device": {"features": features}}}})
            await client.heard("workspace/diagnostic/refresh")
            assert [item["code"] for item in (await client.pull())["items"]] == rules

    asyncio.run(run())


@pytest.mark.parametrize("text", ['target-env = ["a"]', "x = " + "[" * 100_000, "x = " + "1" * 5000, "é = 1\nx = \"é\" \\"])
def test_a_bad_file_of_the_project_is_a_finding_there_and_the_rest_has_defaults(tmp_path: Path, text: str) -> None:
    config = tmp_path / "spvls.toml"
    config.write_text(text)
    uri = (tmp_path / "a.spvasm").as_uri()

    async def run() -> None:
        client = Client()
        await client.start()
        client.open("OpNop\n", uri)
        summary = await client.request("spvls/summary", {"textDocument": {"uri": uri}})
        assert summary["targetEnv"] == "spv1.6"
        assert (await client.pull(uri))["items"]
        published = await client.heard("textDocument/publishDiagnostics")
        assert published["uri"] == config.as_uri()
        assert [item["severity"] for item in published["diagnostics"]] == [1]
        assert str(published["diagnostics"][0]["code"]).startswith("config/")
        config.write_text("")
        client.said.clear()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert await client.heard("textDocument/publishDiagnostics") == {"uri": config.as_uri(), "diagnostics": []}

    asyncio.run(asyncio.wait_for(run(), 20))


@pytest.mark.parametrize(
    "given",
    [
        {"targetEnv": ["a"]},
        {"targetEnv": {"a": []}},
        {"format": []},
        {"validation": {"maxStructDepth": 10**4200}},
        {"validation": {"imageDescriptorLayout": "9" * 5000}},
        {"device": {"profile": "/dev/zero"}},
        {"device": {"profile": "\x00"}},
        {"device": {"version": "1." + "9" * 5000}},
        {"device": {"features": [[]]}},
        {"rules": {"a/b": ["error"]}},
        {"inlayHints": {"types": [[1]]}},
        {"x" * 10: 1, "rules": {"r" * 10_000: "s" * 10_000}},
    ],
)
def test_settings_of_the_wrong_type_are_told_and_do_not_count(given: Json) -> None:
    settings, problems = read_settings(given)
    assert settings == Settings()
    assert len(problems) == 1
    assert len(problems[0]) < 1000


def test_many_wrong_settings_are_told_in_part() -> None:
    _, problems = read_settings({"rules": {f"a/{number}": "loud" for number in range(60_000)}})
    assert len(problems) == 21
    assert problems[-1] == "spvls: 59980 more settings are wrong"
