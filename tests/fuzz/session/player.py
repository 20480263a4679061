"""Plays a session to a server, and holds its answers against those of a fresh server that has the same texts."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.protocol import default_converter

from spvls.diagnostic import RULE_FAILED
from spvls.server import publisher
from spvls.server.server import SpirvServer
from tests.fuzz.limits import held
from tests.fuzz.session.params import HELD, OWN
from tests.fuzz.session.texts import edited
from tests.fuzz.session.workspace import Workspace
from tests.hostile import MARK
from tests.server.client import Client, RequestError
from tests.server.test_hostile import problems as what_acts
from tests.server.test_sync import patched

Json = dict[str, Any]

SECONDS = 10.0
"""Time of the processor that the messages of one step may take, all that they start included."""

GROWTH = 800 << 20

EXACT = frozenset({"spvls/disassemble", "workspace/textDocumentContent"})
"""Requests that are answered with whole texts, which are to be as they are."""

SHAPED = 8
"""One answer in so many has its shape checked against the protocol."""

_CONVERTER = default_converter()

PULL, TOKENS, DELTA, BINARY = (
    "textDocument/diagnostic", "textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta", "spvls/binary",
)  # fmt: skip

EXPECTED = {
    "a request was cancelled": types.LSPErrorCodes.RequestCancelled.value,
    "the text changed": types.LSPErrorCodes.ContentModified.value,
    "the text changed while it was checked": types.LSPErrorCodes.ServerCancelled.value,
    "there is no answer": types.LSPErrorCodes.RequestFailed.value,
}
"""Errors that any request may be answered with."""

REFUSALS = {types.ErrorCodes.InvalidParams.value, types.ErrorCodes.InvalidRequest.value, types.ErrorCodes.MethodNotFound.value}
"""Errors for those whose parameters or time is wrong."""

UNREADABLE = "a message that cannot be read"
"""What the log says of messages with wrong parameters."""


class Fault(Exception):  # noqa: N818 it is of the server, not of this program
    """Something that does not hold; the first word says of what kind it is."""


class Message(NamedTuple):
    """What a client sends. With `sound` nothing is wrong with its parameters. `$/cancelRequest` counts requests backwards."""

    method: str
    params: Any
    is_request: bool = False
    sound: bool = True


class Step(NamedTuple):
    """Messages that are sent in one go. The answers of a `compared` one are also asked of a fresh server."""

    messages: list[Message]
    compared: bool = False

    def to_json(self) -> Json:
        return {"messages": [list(message) for message in self.messages], "compared": self.compared}

    @classmethod
    def of(cls, given: Json) -> Step:
        return cls([Message(*message) for message in given["messages"]], given["compared"])


class Refused(NamedTuple):
    """An error in the place of a result."""

    code: int
    message: str


class Opened(NamedTuple):
    language: str
    version: int
    text: str


class _Log(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


class _Client(Client):
    """A client that knows which of its requests have been answered."""

    def __init__(self, server: SpirvServer) -> None:
        super().__init__(server)
        self.waiting: set[int] = set()
        self.faults: list[str] = []

    def write(self, data: bytes) -> None:
        message = json.loads(data)
        if "method" not in message and "id" in message and message["id"] is not None:
            if message["id"] not in self.waiting:
                self.faults.append(f"answered: {message['id']} was answered twice, or never asked")
                return
            self.waiting.discard(message["id"])
        super().write(data)

    def send(self, method: str, params: Any) -> int:
        self.waiting.add(self._last + 1)
        return super().send(method, params)


class Player:
    """Plays steps. `asked` counts requests, `compared` those whose answers were compared."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.client = _Client(self._server())
        self.documents: dict[str, Opened] = {}
        self.encoding = "utf-16"
        self.pulls = True
        self.is_over = False
        self.asked = self.compared = 0
        #: What the client has of each document: by method, and by address.
        self.held: dict[str, dict[str, Any]] = {PULL: {}, TOKENS: {}, BINARY: {}}
        #: The requests of the last step, and their answers.
        self.answers: list[tuple[Message, Any]] = []
        self._initialize: Json = {}
        self._settings: Any = None
        self._spoiled = False
        self._log = _Log()

    def _server(self) -> SpirvServer:
        return SpirvServer([str(self._workspace.folder)] if self._workspace.is_limited else ())

    # Steps

    async def play(self, steps: Iterator[Step]) -> None:
        """Raises Fault where something does not hold."""
        asyncio.get_running_loop().set_exception_handler(self._loop_failed)
        logging.getLogger().addHandler(self._log)
        try:
            for step in steps:
                with held(SECONDS, GROWTH):
                    await self._step(step)
                self._look()
            await asyncio.sleep(0)
            self._look()
        finally:
            logging.getLogger().removeHandler(self._log)

    async def _step(self, step: Step) -> None:
        if step.compared:
            await self._settle()
        requests: list[tuple[int, Message]] = []
        self.answers = []
        self._spoiled = not all(message.sound for message in step.messages)
        for message in step.messages:
            params = self._resolved(message)
            if message.method == "initialize":
                self._begin(params)
            if message.is_request:
                requests.append((self.client.send(message.method, params), message))
            elif message.method == types.CANCEL_REQUEST:
                self.client.notify(message.method, {"id": self.client._last + 1 + params["id"]})
            else:
                self._note(message, params)
                self.client.notify(message.method, params)
            if step.compared:  # what is found is shown of others only once it was pulled
                await self._take(requests)
        await self._take(requests)
        if not self.answers:
            await asyncio.sleep(0)
        if step.compared:
            await self._compare(step)

    async def _take(self, requests: list[tuple[int, Message]]) -> None:
        """Wait for the answers to requests, of which none is left then."""
        while requests:
            number, message = requests.pop(0)
            self.asked += 1
            self.answers.append((message, await self._answer(number, message)))

    def _resolved(self, message: Message) -> Any:
        """The parameters, with what the client holds in its place."""
        params = self._workspace.placed(message.params)
        if isinstance(params, dict) and message.sound:
            for name, key in (("previousResultId", "resultId"), ("since", "version")):
                if params.get(name) == HELD:
                    method = TOKENS if message.method == DELTA else message.method
                    known = self.held.get(method, {}).get(params["textDocument"]["uri"]) or {}
                    params[name] = known.get(key, "none")
        return params

    def _begin(self, params: Any) -> None:
        if self._initialize or not isinstance(params, dict):
            return
        self._initialize = params
        self.encoding = params["capabilities"]["general"]["positionEncodings"][0]
        self.pulls = "diagnostic" in params["capabilities"]["textDocument"]
        self._settings = self.client.settings = params["initializationOptions"]

    def _note(self, message: Message, params: Any) -> None:
        """Take note of what a notification does to the texts and settings of the client."""
        if not message.sound:
            return
        document = params.get("textDocument") if isinstance(params, dict) else None
        if message.method == types.TEXT_DOCUMENT_DID_OPEN:
            self._forget(document["uri"])
            self.documents[document["uri"]] = Opened(document["languageId"], document["version"], document["text"])
        elif message.method == types.TEXT_DOCUMENT_DID_CHANGE and document["uri"] in self.documents:
            known = self.documents[document["uri"]]
            text = edited(known.text, params["contentChanges"], self.encoding)
            self.documents[document["uri"]] = Opened(known.language, document["version"], text)
        elif message.method == types.TEXT_DOCUMENT_DID_CLOSE:
            self.documents.pop(document["uri"], None)
            self._forget(document["uri"])
        elif message.method == types.WORKSPACE_DID_CHANGE_CONFIGURATION:
            given = params["settings"]
            self.client.settings = given.get("spvls") if isinstance(given, dict) else None
            # With null a client that is asked says that it has none, and those that there are stay.
            if self.client.settings is not None or not self.client.server.supports("workspace.configuration"):
                self._settings = self.client.settings

    def _forget(self, uri: str) -> None:
        for known in self.held.values():
            known.pop(uri, None)

    async def _settle(self) -> None:
        """Wait until all that the server does by itself is done."""
        for _ in range(20):
            await asyncio.sleep(0)
        waited_for = set(publisher._running)
        if (waited_for and not self.pulls) or self.client.server.supports("workspace.configuration"):
            await asyncio.wait(waited_for or {asyncio.ensure_future(asyncio.sleep(0))}, timeout=20)

    # Answers

    async def _answer(self, number: int, message: Message) -> Any:
        """The result as the client holds it then, a `Refused` for an error that may be."""
        try:
            result = await self.client.answer(number)
        except TimeoutError:
            raise Fault(f"timeout: {message.method} has no answer") from None
        except RequestError as error:
            if error.code not in EXPECTED.values() and not (error.code in REFUSALS and self._may_be_refused(message)):
                raise Fault(f"error: {message.method} is answered with {error.code}: {error} {error.data}") from None
            return Refused(error.code, str(error))
        known = types.METHOD_TO_TYPES.get(message.method)
        if known is not None and known[1] is not None and number % SHAPED == 0:
            _CONVERTER.structure({"jsonrpc": "2.0", "id": 1, "result": result}, known[1])
        if message.sound and message.method not in EXACT and MARK in json.dumps(result) and MARK not in json.dumps(message.params):
            wrong = what_acts(result)
            if wrong:
                raise Fault(f"hostile: {message.method}: {wrong[:3]}")
        uri = message.params.get("textDocument", {}).get("uri") if message.sound and isinstance(message.params, dict) else None
        return self._hold(message.method, self._workspace.placed(message.params), uri, result) if isinstance(uri, str) else result

    def _may_be_refused(self, message: Message) -> bool:
        """Whether parameters that are drawn may be wrong: those of an item are perhaps those of an item of another kind."""
        method = message.method
        may_be_wrong = method.startswith(OWN) or method in ("initialize", "workspace/executeCommand") or method.endswith("/resolve")
        return may_be_wrong or not message.sound or self.is_over

    def _hold(self, method: str, params: Json, uri: str, result: Any) -> Any:
        """Take note of an answer, and make it whole where it tells what has changed."""
        uri = self._workspace.placed(uri)
        if method == PULL:
            if result["kind"] == "unchanged":
                result = {"kind": "full", "resultId": result["resultId"], "items": self._held(PULL, uri)["items"]}
            self.held[PULL][uri] = result
            failed = [item["message"] for item in result["items"] if item.get("code") == RULE_FAILED]
            if failed:
                raise Fault(f"rule: {failed[0]}")
        elif method in (TOKENS, DELTA):
            if "edits" in result:
                data = list(self._held(TOKENS, uri)["data"])
                for edit in reversed(result["edits"]):
                    data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit.get("data", [])
                result = {"resultId": result["resultId"], "data": data}
            self.held[TOKENS][uri] = result
        elif method == BINARY and result is not None and "range" not in params:
            if result.get("since") is not None:
                result = patched(self._held(BINARY, uri), result)
            self.held[BINARY][uri] = result
        return result

    def _held(self, method: str, uri: str) -> Any:
        known = self.held[method].get(uri)
        if known is None:
            raise Fault(f"differs: {method} tells what has changed, and was never answered")
        return known

    # Comparison

    async def _compare(self, step: Step) -> None:
        """Ask a fresh server the same."""
        fresh = _Client(self._server())
        fresh.settings = self._settings
        await fresh.answer(fresh.send("initialize", {**self._initialize, "initializationOptions": self._settings}))
        for uri, known in self.documents.items():
            fresh.open(known.text, uri, known.version, known.language)
            source = self.client.server.documents.document(uri)
            if source is None or source.source != known.text:
                raise Fault(f"differs: the text of {uri} is {None if source is None else source.source!r}, and must be {known.text!r}")
        if not self.pulls or self.client.server.supports("workspace.configuration"):
            await asyncio.wait(set(publisher._running) or {asyncio.ensure_future(asyncio.sleep(0))}, timeout=20)
        for message, own in self.answers:
            params = _as_asked_first(message.method, self._workspace.placed(message.params))
            number = fresh.send(TOKENS if message.method == DELTA else message.method, params)
            try:
                theirs = await fresh.answer(number)
            except RequestError as error:
                theirs = Refused(error.code, str(error))
            if _plain(own) != _plain(theirs):
                raise Fault(f"differs: {message.method} {json.dumps(params)[:300]}\n{_difference(_plain(own), _plain(theirs))}")
            self.compared += 1
        if not self.pulls:
            self._compare_pushed(fresh)

    def _compare_pushed(self, fresh: _Client) -> None:
        for uri in self.documents:
            pushed, expected = (_last_pushed(client.said, uri) for client in (self.client, fresh))
            if pushed != expected:
                raise Fault(f"differs: findings that were pushed for {uri}\n{_difference(pushed, expected)}")

    # Logs

    def _loop_failed(self, _loop: asyncio.AbstractEventLoop, context: Json) -> None:
        self.client.faults.append(f"raised: {context.get('message')}: {context.get('exception')!r}")

    def _look(self) -> None:
        """Raise what went wrong besides answers."""
        records, self._log.records = self._log.records, []
        for record in records:
            if record.getMessage().startswith(UNREADABLE) and self._spoiled:
                continue
            if record.exc_info:
                raise Fault(f"raised: {logging.Formatter().format(record)}")
        if self.client.faults:
            raise Fault(self.client.faults[0])
        if len(self.client.said) > 200:
            del self.client.said[:100]
        self._workspace.look()


def _as_asked_first(method: str, params: Any) -> Any:
    """The parameters without what the client holds already."""
    if not isinstance(params, dict):
        return params
    known = {"previousResultId", "since"} if method in (PULL, BINARY, DELTA) else set()
    return {name: value for name, value in params.items() if name not in known}


def _plain(answer: Any) -> Any:
    """An answer without the names of results."""
    if isinstance(answer, dict):
        return {name: _plain(value) for name, value in answer.items() if name != "resultId"}
    return [_plain(part) for part in answer] if isinstance(answer, list) else answer


def _last_pushed(said: list[Json], uri: str) -> Any:
    found = [message["params"] for message in said if message["method"] == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
    return next((params["diagnostics"] for params in reversed(found) if unquote(params["uri"]) == unquote(uri)), None)


def _difference(own: Any, fresh: Any, path: str = "") -> str:
    """Where two answers part."""
    if isinstance(own, dict) and isinstance(fresh, dict) and own.keys() == fresh.keys():
        return next(_difference(own[name], fresh[name], f"{path}.{name}") for name in own if own[name] != fresh[name])
    if isinstance(own, list) and isinstance(fresh, list) and len(own) == len(fresh):
        return next(_difference(one, other, f"{path}[{at}]") for at, (one, other) in enumerate(zip(own, fresh, strict=True)) if one != other)
    if isinstance(own, list) and isinstance(fresh, list):
        lost = [item for item in fresh if item not in own]
        stale = [item for item in own if item not in fresh]
        return f"{path}: of {len(own)} and {len(fresh)}, missing {str(lost)[:1500]}, stale {str(stale)[:1500]}"
    return f"{path}: {str(own)[:1500]}\nfresh: {str(fresh)[:1500]}"
