"""Specialization over the protocol: constants, the module with values, and the preview of them."""

from __future__ import annotations

from typing import Any

import pytest

import spvls
from tests.corpus import FIXTURES, text_of
from tests.server.client import CAPABILITIES, URI, Client, RequestError
from tests.server.test_views import ask

_TEXT = text_of(FIXTURES / "transform" / "specialized.comp.spvasm")
_DOCUMENT = {"textDocument": {"uri": URI}}
_ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 200, "character": 0}}
_REFRESHING = {
    **CAPABILITIES,
    "workspace": {**CAPABILITIES["workspace"], "inlayHint": {"refreshSupport": True}},
    "experimental": {"commands": ["spvls.specialize"]},
}


def line_of(part: str) -> int:
    return next(at for at, line in enumerate(_TEXT.splitlines()) if part in line)


async def command(client: Client, name: str, **params: Any) -> Any:
    argument = {**_DOCUMENT, **params}
    return await client.request("workspace/executeCommand", {"command": f"spvls.server.{name}", "arguments": [argument]})


async def hints(client: Client) -> set[tuple[int, str]]:
    found = await client.request("textDocument/inlayHint", {**_DOCUMENT, "range": _ALL})
    return {(hint["position"]["line"], hint["label"]) for hint in found}


async def gray(client: Client) -> list[tuple[int, int]]:
    """The lines of blocks that are grayed out."""
    report = await client.request("textDocument/diagnostic", _DOCUMENT)
    blocks = [item for item in report["items"] if item["code"] == "specialization/unreachable-block"]
    assert all(item["tags"] == [1] and item["severity"] == 4 for item in blocks)
    return [(item["range"]["start"]["line"], item["range"]["end"]["line"]) for item in blocks]


def edited(answer: Any) -> str:
    lines = _TEXT.splitlines(keepends=True)
    for edit in sorted(answer["documentChanges"][0]["edits"], key=lambda edit: edit["range"]["start"]["line"], reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        after = lines[end["line"]][end["character"] :]
        lines[start["line"] : end["line"] + 1] = [lines[start["line"]][: start["character"]] + edit["newText"] + after]
    return "".join(lines)


def test_the_constants_of_a_module() -> None:
    answer = ask(lambda client: client.request("spvls/specialization", _DOCUMENT), _TEXT)
    assert answer["preview"] is None
    first = answer["constants"][0]
    assert first["range"]["start"]["line"] == line_of("%width = OpSpecConstant")
    assert {key: first[key] for key in ("id", "specId", "name", "type", "default", "values")} == {
        "id": "width", "specId": 0, "name": "width", "type": "u32", "default": "8", "values": "0 to 4294967295",
    }  # fmt: skip


def test_a_module_with_values() -> None:
    params = {**_DOCUMENT, "values": {"0": 16, "fast": True, "scale": "0.25"}, "full": True}
    answer = ask(lambda client: client.request("spvls/specialize", params), _TEXT)
    text = edited(answer["edit"])
    assert answer["unfolded"] == [] and not spvls.validate(text)
    assert "%width = OpConstant %uint 16 ; columns" in text and "%scale = OpConstant %float 0.25" in text
    assert "%both = OpConstantTrue %bool" in text and "OpSpec" not in text


@pytest.mark.parametrize(
    ("values", "said"),
    [({"0": -1}, "0: `-1` has a sign"), ({"nothing": 1}, "there is no specialization constant nothing"), ({"0": [1]}, "values is not"), (3, "values is not")],
)
def test_values_that_are_not_taken(values: object, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        ask(lambda client: client.request("spvls/specialize", {**_DOCUMENT, "values": values}), _TEXT)


def test_a_command_has_the_client_apply_the_edit() -> None:
    async def run(client: Client) -> Any:
        waiting = client.send("workspace/executeCommand", {"command": "spvls.server.specialize", "arguments": [{**_DOCUMENT, "values": {"1": 2}}]})
        applied = await client.heard("workspace/applyEdit")
        return applied, waiting

    applied, _ = ask(run, _TEXT)
    assert applied["label"] == "Specialize" and "%height = OpConstant %uint 2" in edited(applied["edit"])


def test_the_preview_shows_values_and_grays_blocks_out_until_it_ends() -> None:
    async def run(client: Client) -> None:
        plain = await hints(client), await gray(client)
        assert plain[1] == [] and (line_of("OpTypeArray %float %area"), "= 32 (default)") in plain[0]
        await command(client, "previewSpecialization", values={"width": 4, "fast": "true"})
        assert await client.heard("workspace/inlayHint/refresh") is None
        shown = await hints(client)
        assert {
            (line_of("%width = "), "= 4"), (line_of("%area = "), "= 16"), (line_of("%both = "), "= true"), (line_of("%wider = "), "= false"),
            (line_of("OpTypeArray %float %area"), "= 16"),
        } <= shown  # fmt: skip
        assert await gray(client) == [
            (line_of(f"%{name} = OpLabel"), line_of(f"%{name} = OpLabel") + length)
            for name, length in (("slow", 3), ("wide", 1), ("join", 1), ("second", 1))
        ]
        assert (await client.request("spvls/specialization", _DOCUMENT))["preview"] == {"width": "4", "fast": "true"}
        # An edit is followed.
        at = {"line": line_of("%mode = "), "character": _TEXT.splitlines()[line_of("%mode = ")].index("-1")}
        client.change([{"range": {"start": at, "end": {**at, "character": at["character"] + 2}}, "text": "2"}], 2)
        assert (line_of("%first = OpLabel"), line_of("%first = OpLabel") + 1) in await gray(client)
        await command(client, "previewSpecialization", values=None)
        assert await gray(client) == [] and (line_of("%width = "), "= 8") not in await hints(client)

    ask(run, _TEXT, _REFRESHING)


def test_a_preview_with_wrong_values_is_refused() -> None:
    with pytest.raises(RequestError, match="fast: `maybe` is not a truth value"):
        ask(lambda client: command(client, "previewSpecialization", values={"fast": "maybe"}), _TEXT)


def test_actions_follow_the_preview_and_what_the_client_knows() -> None:
    async def titles(client: Client, line: int) -> dict[str, str]:
        place = {"line": line, "character": 0}
        params = {**_DOCUMENT, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
        actions = await client.request("textDocument/codeAction", params)
        return {action["title"]: action["kind"] for action in actions if "pecializ" in action["title"]}

    async def run(client: Client) -> None:
        begin, end = "Preview the default values of specialization constants", "End the preview of specialization constants"
        full = "Give specialization constants their default values"
        assert await titles(client, 0) == {full: "source.specialize", "Specialize with…": "source.specialize", begin: "source.specialize"}
        assert (await titles(client, line_of("%width = ")))["Specialize with…"] == "refactor.rewrite"
        await command(client, "previewSpecialization", values={})
        assert {begin, end} & {*await titles(client, 0)} == {end}

    ask(run, _TEXT, _REFRESHING)

    async def without(client: Client) -> None:
        assert "Specialize with…" not in await titles(client, 0)

    ask(without, _TEXT)
    assert ask(lambda client: titles(client, 0), "OpNop\n", _REFRESHING) == {}
