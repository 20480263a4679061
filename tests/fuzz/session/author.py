"""Draws the steps of a session, one after the other, knowing what was answered before."""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from spvls.server.server import SpirvServer
from tests.bench.modules import module_text
from tests.fuzz.session.params import OWN, Parameters, World, spoiled
from tests.fuzz.session.player import PULL, Json, Message, Player, Refused, Step
from tests.fuzz.session.texts import Draft, changes, draft
from tests.fuzz.session.workspace import Workspace
from tests.hostile import HARM, WORD
from tests.server.test_any_text import _FOLLOWING

STEPS = 60
"""Steps of a session."""

MOST_OPEN = 3
COMPARED = 30
"""Requests of a step whose answers are compared."""

SPOILED = 0.05
"""How often parameters are none that a client should send."""

_SYNC = frozenset({"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "workspace/didChangeConfiguration"})
_ENDING = frozenset({"initialize", "initialized", "shutdown", "exit"})
_WRITING = frozenset({"spvls/writeBinary", "workspace/executeCommand"})
_SELDOM = frozenset({"workspace/symbol", "workspace/diagnostic", "spvls/disassemble", "textDocument/declaration", "textDocument/implementation"})
"""Requests that read all files of the folder, or of which each answer takes long."""

_NOT_COMPARED = _WRITING | {"workspace/diagnostic", "completionItem/resolve", "codeAction/resolve", "codeLens/resolve"}


def methods() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All requests and all notifications that the server handles, those of pygls included."""
    protocol = SpirvServer().protocol
    names = sorted({*protocol.fm.features, *protocol.fm.builtin_features, PULL})
    requests = [name for name in names if name.startswith(OWN) or (name in types.METHOD_TO_TYPES and types.METHOD_TO_TYPES[name][1] is not None)]
    return tuple(requests), tuple(name for name in names if name not in requests)


_SETTINGS: tuple[Any, ...] = (
    None, {}, {"targetEnv": "vulkan1.2"}, {"targetEnv": "opencl2.2", "codeLens": False}, {"format": "nested"},
    {"inlayHints": {"offsets": True, "types": False}}, {"rules": {"id/*": "warning", "capability/*": "off"}},
    {"validation": {"scalarBlockLayout": True}}, {"device": {"version": "1.1", "features": ["shaderFloat16"]}},
    {"targetEnv": HARM, "rules": {HARM: HARM}, "validation": {HARM: 1}, "device": {HARM: 5}, "inlayHints": {WORD: 1}},
    {"device": {"profile": "/dev/zero"}}, {"khronosGrammar": "/dev"}, {"khronosGrammar": "/nowhere"}, HARM, 5, [],
)  # fmt: skip


class Author:
    """Draws for one session, from one source of chance."""

    def __init__(self, chance: random.Random, player: Player, workspace: Workspace) -> None:
        self._chance, self._player, self._workspace = chance, player, workspace
        self._requests, self._notifications = methods()
        self._items: dict[str, deque[Any]] = {name: deque(maxlen=20) for names in _FOLLOWING.values() for name in names}
        self._data: deque[Any] = deque(maxlen=20)
        self._versions = 0
        self._uris: list[str] = []

    def steps(self) -> Iterator[Step]:
        chance = self._chance
        yield Step([Message("initialize", self._initialize(), True)])
        if chance.random() < 0.2:
            yield Step([Message("initialized", {})])
        yield Step([self._open()])
        kinds: list[Callable[[], Step]] = [
            *[self._edit] * 26, *[self._ask] * 22, *[self._burst] * 16, *[self._compare] * 16, *[self._come_or_go] * 8,
            self._configure, self._configure, self._notify, self._notify,
        ]  # fmt: skip
        for _ in range(STEPS):
            yield chance.choice(kinds)()
            self._harvest()
        yield self._compare()
        if chance.random() < 0.2:
            yield from self._end()

    # Kinds of steps

    def _edit(self) -> Step:
        known = [uri for uri in self._uris if uri in self._texts()]
        if not known:
            return Step([self._open()])
        messages = []
        texts = {}
        for _ in range(self._chance.choice((1, 1, 1, 3))):
            uri = self._chance.choice(known)
            found = changes(self._chance, texts.get(uri, self._texts()[uri]), self._player.encoding)
            messages.append(self._change(uri, found))
            from tests.fuzz.session.texts import edited

            texts[uri] = edited(texts.get(uri, self._texts()[uri]), found, self._player.encoding)
        return Step(messages)

    def _ask(self) -> Step:
        return Step([self._request() for _ in range(self._chance.choice((1, 4, 12)))])

    def _burst(self) -> Step:
        """Requests and edits without waiting, and requests that are given up."""
        messages = []
        for _ in range(self._chance.randrange(2, 10)):
            kind = self._chance.random()
            known = [uri for uri in self._uris if uri in self._texts()]
            if kind < 0.2 and known:
                messages.append(self._change(self._chance.choice(known), _small(self._chance)))
            elif kind < 0.3:
                messages.append(Message(types.CANCEL_REQUEST, {"id": -self._chance.randrange(1, 5)}))
            else:
                messages.append(self._request())
        return Step(messages)

    def _compare(self) -> Step:
        """All findings, and requests of any kind."""
        pulls = [Message(PULL, {"textDocument": {"uri": uri}}, True) for uri in self._texts()] if self._player.pulls else []
        wanted = [name for name in self._requests if name not in _NOT_COMPARED | _ENDING | _SELDOM and (name != PULL or self._player.pulls)]
        names = [self._chance.choice(wanted) for _ in range(COMPARED)]
        if self._chance.random() < 0.15:
            names.append(self._chance.choice(sorted(_SELDOM - _NOT_COMPARED)))
        return Step([*pulls, *[self._request(name, sound=True) for name in names]], compared=True)

    def _come_or_go(self) -> Step:
        texts = self._texts()
        if len(texts) < MOST_OPEN and self._chance.random() < 0.6:
            return Step([self._open()])
        if not texts:
            return Step([self._open()])
        uri = self._chance.choice(list(texts))
        return Step([Message(types.TEXT_DOCUMENT_DID_CLOSE, {"textDocument": {"uri": uri}})])

    def _configure(self) -> Step:
        settings = {"spvls": self._chance.choice(_SETTINGS)} if self._chance.random() < 0.9 else HARM
        return Step([Message(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"settings": settings})])

    def _notify(self) -> Step:
        name = self._chance.choice([name for name in self._notifications if name not in _ENDING])
        if name in _SYNC:
            return Step([self._spoiled_sync()])
        params = self._parameters().of(name)
        sound = self._chance.random() >= SPOILED
        return Step([Message(name, params if sound else spoiled(self._chance, params), sound=sound)])

    def _spoiled_sync(self) -> Message:
        """A change of documents that cannot be read; one that can is none of these."""
        uri = self._chance.choice([*self._texts(), ""])
        known = self._player.documents.get(uri)
        if known is None:
            return Message(types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": {"uri": uri, "version": 1}, "contentChanges": []})
        return Message(
            types.TEXT_DOCUMENT_DID_CHANGE,
            self._chance.choice((
                {"textDocument": {"uri": uri, "version": "x"}, "contentChanges": [{"text": ""}]},
                {"textDocument": {"uri": uri, "version": known.version}, "contentChanges": 5},
                {"textDocument": {"uri": uri, "version": known.version}, "contentChanges": [{"range": {"start": {"line": 0}}, "text": "x"}]},
                {"textDocument": {"uri": uri}},
                [],
                None,
            )),
            sound=False,
        )  # fmt: skip

    def _end(self) -> Iterator[Step]:
        yield Step([Message("initialize", self._initialize(), True, sound=False)])
        yield Step([Message("shutdown", None, True)])
        self._player.is_over = True
        yield Step([self._request() for _ in range(5)])
        yield Step([Message("exit", None)])

    # Messages

    def _initialize(self) -> Json:
        chance = self._chance
        text: Json = {
            "definition": {"linkSupport": chance.random() < 0.5},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": chance.random() < 0.7},
            "rename": {"prepareSupport": True},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}}},
            "completion": {"completionItem": {"snippetSupport": chance.random() < 0.5}},
        }
        if chance.random() < 0.8:
            text["diagnostic"] = {}
        if chance.random() < 0.5:
            text["codeAction"]["resolveSupport"] = {"properties": ["edit"]}
        work: Json = {"workspaceEdit": {"documentChanges": chance.random() < 0.5}, "diagnostics": {"refreshSupport": True}}
        if chance.random() < 0.2:
            work["configuration"] = True
        if chance.random() < 0.5:
            work["textDocumentContent"] = {}
        here = self._workspace.uri if chance.random() < 0.8 else None
        return {
            "processId": None,
            "rootUri": here,
            "workspaceFolders": [{"uri": here, "name": "a"}] if here is not None else None,
            "capabilities": {
                "general": {"positionEncodings": [chance.choice(("utf-16", "utf-16", "utf-8", "utf-32"))]},
                "textDocument": text,
                "workspace": work,
            },
            "initializationOptions": chance.choice(_SETTINGS) if chance.random() < 0.4 else None,
        }

    def _texts(self) -> dict[str, str]:
        return {uri: known.text for uri, known in self._player.documents.items()}

    def _parameters(self) -> Parameters:
        player = self._player
        placed = self._workspace.placed
        world = World(
            self._texts(), placed(self._workspace.others()), placed(self._workspace.targets()), self._commands(), player.encoding,
            list(self._data), {name: list(items) for name, items in self._items.items()},
        )  # fmt: skip
        return Parameters(self._chance, world)

    def _commands(self) -> list[str]:
        return list(self._player.client.server.protocol.fm.commands)

    def _request(self, name: str | None = None, *, sound: bool | None = None) -> Message:
        chance = self._chance
        if name is None:
            name = chance.choice([name for name in self._requests if name not in _ENDING and (name != PULL or self._player.pulls)])
            if name in _SELDOM and chance.random() < 0.9:
                name = "textDocument/hover"
        params = self._parameters().of(name)
        if name == "workspace/diagnostic":
            params = {"previousResultIds": []}  # with all that is known it would wait for something new
        is_sound = chance.random() >= SPOILED if sound is None else sound
        return Message(name, params if is_sound else spoiled(chance, params), True, is_sound)

    def _open(self) -> Message:
        chance = self._chance
        chosen = draft(chance) if chance.random() < 0.998 else Draft("spirv", ".spvasm", module_text(lines=4000))
        uri = self._workspace.placed(chance.choice(self._workspace.documents())) + chosen.suffix
        self._uris.append(uri)
        self._versions += 1
        document = {"uri": uri, "languageId": chosen.language, "version": self._versions, "text": chosen.text}
        return Message(types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": document})

    def _change(self, uri: str, found: list[Json]) -> Message:
        self._versions += 1
        return Message(types.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": {"uri": uri, "version": self._versions}, "contentChanges": found})

    # Answers

    def _harvest(self) -> None:
        """Keep something of the answers for requests to come."""
        for message, answer in self._player.answers:
            items = answer.get("items") if isinstance(answer, dict) else answer
            if isinstance(answer, Refused) or not isinstance(items, list) or not items:
                continue
            for following in _FOLLOWING.get(message.method, ()):
                self._items[following].append(copy.deepcopy(self._chance.choice(items)))
            data = [item["data"] for item in items if isinstance(item, dict) and "data" in item]
            if data:
                self._data.append(copy.deepcopy(self._chance.choice(data)))


def _small(chance: random.Random) -> list[Json]:
    place = {"line": chance.randrange(40), "character": chance.randrange(20)}
    return [{"range": {"start": place, "end": place}, "text": chance.choice(("x", " ", "\n", '"'))}]


__all__ = ["Author", "methods"]
