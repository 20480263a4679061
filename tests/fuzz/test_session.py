"""Sessions are played, and what is wrong with a server is found, made smaller and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types

from spvls.server.handlers import reading
from spvls.server.host_document import HostDocument
from tests.fuzz.fuzz import main
from tests.fuzz.session import session
from tests.fuzz.session.author import methods
from tests.fuzz.session.params import params_type
from tests.fuzz.session.player import Message, Step
from tests.fuzz.session.session import Outcome, replay, round_of, smaller
from tests.fuzz.session.texts import edited

OPEN = Message("textDocument/didOpen", {"textDocument": {"uri": "file:///FOLDER/doc.spvasm", "languageId": "spirv", "version": 1, "text": "OpNop\n"}})
HOVER = Message("textDocument/hover", {"textDocument": {"uri": "file:///FOLDER/doc.spvasm"}, "position": {"line": 0, "character": 2}}, True)
CHANGE = Message(
    "textDocument/didChange",
    {"textDocument": {"uri": "file:///FOLDER/doc.spvasm", "version": 2}, "contentChanges": [{"text": "OpReturn\nOpNop\n"}]},
)
START = Message(
    "initialize",
    {
        "processId": None,
        "rootUri": None,
        "capabilities": {"general": {"positionEncodings": ["utf-16"]}, "textDocument": {"diagnostic": {}}},
        "initializationOptions": None,
    },
    True,
)
FAILING = [Step([START]), Step([OPEN]), Step([HOVER, HOVER]), Step([CHANGE]), Step([HOVER, HOVER, HOVER], compared=True)]


@pytest.mark.parametrize("seed", [3, 5])
def test_a_session(seed: int, tmp_path: Path) -> None:
    found = round_of(seed, tmp_path)
    assert found.message is None
    assert found.asked > 100
    assert found.compared > 30


def test_all_methods_are_among_those_that_are_sent() -> None:
    requests, notifications = methods()
    assert {"spvls/binary", "textDocument/diagnostic", "workspace/executeCommand", "codeLens/resolve"} <= {*requests}
    assert {"textDocument/didChange", "workspace/didChangeWorkspaceFolders", "exit"} <= {*notifications}
    assert all(params_type(name) is not None for name in requests if not name.startswith("spvls/") and name != "shutdown")


def test_the_text_of_the_client_is_that_of_an_editor() -> None:
    def change(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, object]:
        places = [{"line": line, "character": character} for line, character in (start, end)]
        return {"range": dict(zip(("start", "end"), places, strict=True)), "text": text}

    text = "a\U0001f600b\r\nc\rd"
    assert edited(text, [change((0, 3), (0, 4), "x")], "utf-16") == "a\U0001f600x\r\nc\rd"
    assert edited(text, [change((0, 2), (0, 3), "x")], "utf-16") == "ax" + "b\r\nc\rd"
    assert edited(text, [change((1, 0), (0, 99), "x")], "utf-8") == "a\U0001f600bxc\rd"
    assert edited(text, [change((-1, 5), (-1, 9), "x"), {"text": "y"}, change((7, 0), (7, 0), "z")], "utf-32") == "yz"


def test_an_exception_is_found_and_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(reading.hovers, "hover", fails)
    message = replay(FAILING, tmp_path, limited=False).message
    assert message is not None and message.startswith("error: textDocument/hover is answered with -32603")
    steps = smaller(FAILING, message, tmp_path, False)
    assert [[message.method for message in step.messages] for step in steps] == [["initialize"], ["textDocument/didOpen"], ["textDocument/hover"]]
    path = session._saved(steps, False, tmp_path)
    assert json.loads(path.read_text().splitlines()[-1])["messages"][0][0] == "textDocument/hover"
    assert main(["session", "--replay", str(path)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_an_answer_of_another_text_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert replay(FAILING, tmp_path, limited=False).message is None
    real = HostDocument.apply

    def forgetful(document: HostDocument, changes: list[types.TextDocumentContentChangeEvent], version: int) -> None:
        real(document, [] if version == 2 else changes, version)

    monkeypatch.setattr(HostDocument, "apply", forgetful)
    message = replay(FAILING, tmp_path, limited=False).message
    assert message is not None and message.startswith("differs: the text of")


def test_a_request_without_an_answer_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tests.fuzz.session.player.Player._answer", _times_out)
    message = replay(FAILING, tmp_path, limited=False).message
    assert message is not None and "TimeoutError" in message


async def _times_out(*_: object) -> None:
    raise TimeoutError


def test_sessions_in_processes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_ROUNDS_OF_A_JOB", 1)
    monkeypatch.setattr(session, "round_of", lambda _seed, _root: Outcome(5, 2, None, []))
    assert main(["session", "--count", "1", "--seed", "3"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "5 requests, 2 compared with a fresh server, 0 sessions failed"
