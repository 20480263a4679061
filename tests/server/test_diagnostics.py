"""Findings reach the client: pulled where it can, pushed where it cannot, never both."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.client import URI, Client, Json, RequestError, edit, span

_FAULTY = "OpCapability Shadre\nOpMemoryModel Logical GLSL450\n"
_PUSH: Json = {"textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}}}


def _published(client: Client) -> list[Any]:
    return [message for message in client.said if message["method"] == "textDocument/publishDiagnostics"]


def test_a_client_that_pulls_is_not_pushed_to() -> None:
    async def run() -> None:
        client = Client()
        capable = await client.start()
        assert capable["diagnosticProvider"]["interFileDependencies"] is False
        client.open(_FAULTY)
        assert (await client.pull())["items"]
        client.change([edit((0, 0), (0, 0), " ")], 2)
        await asyncio.sleep(0.05)
        assert _published(client) == []

    asyncio.run(run())


def test_a_client_that_cannot_pull_is_pushed_to() -> None:
    async def run() -> None:
        client = Client()
        capable = await client.start(_PUSH)
        assert "diagnosticProvider" not in capable
        client.open(_FAULTY)
        first = await client.heard("textDocument/publishDiagnostics")
        assert (first["uri"], first["version"]) == (URI, 1)
        assert [item["code"] for item in first["diagnostics"]].count("syntax/unknown-enumerant") == 1
        client.change([edit((0, 13), (0, 19), "Shader")], 2)
        second = await client.heard("textDocument/publishDiagnostics")
        assert second["version"] == 2
        assert "syntax/unknown-enumerant" not in [item["code"] for item in second["diagnostics"]]

    asyncio.run(run())


def test_of_many_edits_only_the_last_is_pushed() -> None:
    async def run() -> None:
        client = Client()
        await client.start(_PUSH)
        client.open(_FAULTY)
        for version in range(2, 30):
            client.change([edit((0, 0), (0, 0), "\n")], version)
        assert (await client.heard("textDocument/publishDiagnostics"))["version"] == 29
        await asyncio.sleep(0.05)
        assert _published(client) == []

    asyncio.run(run())


def test_the_findings_of_a_closed_document_are_taken_back() -> None:
    async def run() -> None:
        client = Client()
        await client.start(_PUSH)
        client.open(_FAULTY)
        await client.heard("textDocument/publishDiagnostics")
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert await client.heard("textDocument/publishDiagnostics") == {"uri": URI, "diagnostics": []}

    asyncio.run(run())


def test_findings_that_are_the_same_are_not_sent_again() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(_FAULTY)
        first = await client.pull()
        again = await client.pull(previous=first["resultId"])
        assert again == {"kind": "unchanged", "resultId": first["resultId"]}
        client.change([edit((1, 0), (1, 0), " ")], 2)
        same = await client.pull(previous=first["resultId"])
        client.change([edit((0, 0), (0, 0), " ")], 3)
        other = await client.pull(previous=first["resultId"])
        assert other["kind"] == "full"
        assert other["resultId"] != first["resultId"]
        assert same["kind"] in ("full", "unchanged")

    asyncio.run(run())


def test_a_finding_in_the_terms_of_the_protocol() -> None:
    async def run() -> Json:
        client = Client()
        await client.start()
        client.open(_FAULTY)
        items = (await client.pull())["items"]
        return next(item for item in items if item["code"] == "syntax/unknown-enumerant")

    item = asyncio.run(run())
    assert item["range"] == span(0, 13, 19)
    assert item["severity"] == 1
    assert item["source"] == "spvls"
    assert "did you mean Shader" in item["message"]


def test_other_places_are_told_with_their_address() -> None:
    text = "%a = OpTypeVoid\n%a = OpTypeBool\n"

    async def run() -> list[Json]:
        client = Client()
        await client.start()
        client.open(text)
        items: list[Json] = (await client.pull())["items"]
        return items

    related = [other for item in asyncio.run(run()) for other in item.get("relatedInformation", ())]
    assert {"uri": URI, "range": span(0, 0, 2)} in [other["location"] for other in related]


def test_a_fix_is_offered_where_the_finding_is() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(_FAULTY)
        request = {"textDocument": {"uri": URI}, "range": span(0, 15, 15), "context": {"diagnostics": []}}
        actions = await client.request("textDocument/codeAction", request)
        (fix,) = [action for action in actions if action["kind"] == "quickfix"]
        assert fix["title"] == "Change to Shader"
        assert fix["isPreferred"] is True
        assert fix["diagnostics"][0]["code"] == "syntax/unknown-enumerant"
        change = fix["edit"]["documentChanges"][0]
        assert change["textDocument"] == {"uri": URI, "version": 1}
        assert change["edits"] == [{"range": span(0, 13, 19), "newText": "Shader"}]

    asyncio.run(run())


def test_all_sure_fixes_at_once() -> None:
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpNpo\nOpUndfe\n"

    async def run() -> Json:
        client = Client()
        await client.start()
        client.open(text)
        context = {"diagnostics": [], "only": ["source.fixAll"]}
        (action,) = await client.request(
            "textDocument/codeAction", {"textDocument": {"uri": URI}, "range": span(0, 0, 0), "context": context}
        )
        found: Json = action
        return found

    edits = asyncio.run(run())["edit"]["documentChanges"][0]["edits"]
    assert [change["newText"] for change in edits] == ["OpNop", "OpUndef"]


def test_hover_explains_the_rule_of_a_finding() -> None:
    async def run() -> Json:
        client = Client()
        await client.start()
        client.open("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %none \"x\"\nOpStore %none %none\n")
        (item, *_) = [item for item in (await client.pull())["items"] if item["code"] == "id/is-defined-before-use"]
        start = item["range"]["start"]
        found: Json = await client.at("textDocument/hover", start["line"], start["character"])
        return found

    markdown = asyncio.run(run())["contents"]["value"]
    assert markdown.startswith("**id/is-defined-before-use**: ")
    assert "**Example**\n\n```spirv\n" in markdown and "**References**" in markdown and "**Settings**" not in markdown


def test_many_findings_of_a_rule_in_a_function_are_one_as_settings_say() -> None:
    body = "".join(f"%d{at} = OpUDiv %uint %one %zero\n" for at in range(12))
    text = (
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n"
        f"%main = OpFunction %void None %fn\n%entry = OpLabel\n{body}OpReturn\nOpFunctionEnd\n"
    )

    async def run() -> list[Json]:
        client = Client()
        await client.start(options={"targetEnv": "spv1.5"})
        client.open(text)
        answers = [await client.pull()]
        for grouping in ("off", "warnings"):
            settings = {"targetEnv": "spv1.5", "groupFindings": grouping}
            client.notify("workspace/didChangeConfiguration", {"settings": {"spvls": settings}})
            answers.append(await client.pull(previous=answers[-1]["resultId"]))
        return answers

    together, apart, again = asyncio.run(run())
    of_rule = [[item for item in answer["items"] if item["code"] == "computation/divisor-is-nonzero"] for answer in (together, apart, again)]
    assert [len(items) for items in of_rule] == [1, 12, 1]
    assert of_rule[0][0]["message"].endswith("; this rule has 11 more findings in this function")
    lines = [place["location"]["range"]["start"]["line"] for place in of_rule[0][0]["relatedInformation"]]
    assert lines[-11:] == [item["range"]["start"]["line"] for item in of_rule[1][1:]]


_DISCARD = """\
; SPIR-V
; Version: 1.6
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%left = OpUndef %void
OpKill
OpFunctionEnd
"""


def test_what_is_deprecated_or_unnecessary_is_tagged_so() -> None:
    async def run(**settings: Any) -> list[Json]:
        client = Client()
        await client.start(options=settings)
        client.open(_DISCARD)
        items: list[Json] = (await client.pull())["items"]
        return items

    tags = {item["code"]: item["tags"] for item in asyncio.run(run()) if "tags" in item}
    assert tags == {"id/result-is-used": [1], "capability/core-use-is-not-deprecated": [2]}
    plain = asyncio.run(run(validation={"advice": False}))
    assert {item["code"] for item in plain if "tags" in item} == {"capability/core-use-is-not-deprecated"}


def test_a_finding_leads_to_the_page_of_its_rule() -> None:
    async def run() -> list[Json]:
        client = Client()
        await client.start()
        client.open(_DISCARD + "OpStore %x\n%5@ = OpNop\n")
        items: list[Json] = (await client.pull())["items"]
        return items

    pages = {item["code"]: item["codeDescription"]["href"] for item in asyncio.run(run())}
    specification = "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#"
    assert pages["capability/core-use-is-not-deprecated"] == f"{specification}_deprecation"
    assert pages["syntax/missing-operand"] == f"{specification}OpStore"
    assert pages["syntax/id"].endswith("/SPIRV-Tools/blob/main/docs/syntax.md")


def test_a_rule_is_explained_by_command() -> None:
    async def run() -> None:
        client = Client()
        await client.start()
        client.open(_FAULTY)
        request = {"textDocument": {"uri": URI}, "range": span(0, 15, 15), "context": {"diagnostics": []}}
        actions = await client.request("textDocument/codeAction", request)
        (action,) = [action for action in actions if action["kind"] == "explain"]
        assert action["title"] == "Explain syntax/unknown-enumerant"
        assert action["diagnostics"][0]["code"] == "syntax/unknown-enumerant"
        command = action["command"]
        answer = await client.request("workspace/executeCommand", {name: command[name] for name in ("command", "arguments")})
        assert "**Use instead**\n\n```spirv\n" in answer
        shown = await client.heard("window/showMessage")
        assert shown["type"] == 3
        assert shown["message"].startswith("# syntax/unknown-enumerant\n\n")
        with pytest.raises(RequestError, match="there is no rule x/y"):
            await client.request("workspace/executeCommand", {"command": command["command"], "arguments": ["x/y"]})

    asyncio.run(run())
