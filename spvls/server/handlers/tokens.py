"""Semantic tokens: all of a document, a range of it, or what has changed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from lsprotocol import types

from spvls.ide.features.tokens import MODIFIERS, TYPES, WIDTH, SemanticTokens, delta, tokens_in_lines
from spvls.server.convert import Json
from spvls.server.garbage import give_back
from spvls.server.host_document import HostDocument
from spvls.server.protocol import ContentModified, Raw
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError, in_time_slices

_LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


class _SentTokens:
    """The tokens of a document, and which of them the client has."""

    def __init__(self, document: HostDocument) -> None:
        self.document = document
        self._known: dict[int, tuple[Session, SemanticTokens]] = {}
        self.serial = 0
        self.data: array[int] = array("I")

    async def current(self) -> array[int]:
        """All tokens of the document, each relative to the one before it."""
        modules = self.document.modules
        self._known = {id(session): self._tokens(session) for session in modules}
        try:
            await in_time_slices(self.document, (step for session in modules for step in self._known[id(session)][1].steps()))
        except StaleError:
            raise ContentModified from None
        return joined((session, self._known[id(session)][1].data()) for session in modules)

    def text(self, data: array[int]) -> str:
        """The tokens as the text of a JSON array."""
        if len(self.document.modules) == 1 and self.document.modules[0].is_whole:
            return self._known[id(self.document.modules[0])][1].text()
        return _numbers(data)

    def sent(self, data: array[int]) -> str:
        """Record what is sent, and return its result id."""
        self.serial += 1
        self.data = data
        return str(self.serial)

    def _tokens(self, session: Session) -> tuple[Session, SemanticTokens]:
        return self._known.get(id(session)) or (session, SemanticTokens(session.source_module, session.units))


def joined(modules: Iterable[tuple[Session, array[int]]]) -> array[int]:
    """The tokens of modules, each relative to the one before it, as those of their document."""
    answer = array("I")
    line, column = 0, 0
    for session, data in modules:
        if not data:
            continue
        if session.is_whole:
            return data
        placed = session.placed_tokens(data)
        if placed[0] < line:
            continue
        first = len(answer)
        answer.extend(placed)
        answer[first] -= line
        if not answer[first]:
            answer[first + 1] -= column
        line += sum(answer[first::WIDTH])
        column = 0
        for at in range(len(placed) - WIDTH, -1, -WIDTH):
            column += placed[at + 1]
            if placed[at]:
                break
    return answer


def register(server: SpirvServer) -> None:
    known: dict[str, _SentTokens] = {}

    def forget(uri: str) -> None:
        known.pop(uri, None)
        give_back(known)

    server.when_closed.append(forget)

    def document_tokens(uri: str) -> _SentTokens:
        document = server.document(uri)
        found = known.get(uri)
        if found is None or found.document is not document:
            found = known[uri] = _SentTokens(document)
        return found

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    async def full(params: types.SemanticTokensParams) -> Raw:
        document = document_tokens(params.text_document.uri)
        data = await document.current()
        return Raw(f'{{"resultId":"{document.sent(data)}","data":{document.text(data)}}}')

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, _LEGEND)
    async def full_delta(params: types.SemanticTokensDeltaParams) -> Raw:
        document = document_tokens(params.text_document.uri)
        data = await document.current()
        if params.previous_result_id != str(document.serial):
            return Raw(f'{{"resultId":"{document.sent(data)}","data":{document.text(data)}}}')
        edits = ",".join(
            f'{{"start":{start},"deleteCount":{count},"data":{_numbers(come)}}}'
            for start, count, come in delta(document.data, data)
        )
        return Raw(f'{{"resultId":"{document.sent(data)}","edits":[{edits}]}}')

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
    def some(params: types.SemanticTokensRangeParams) -> Json:
        def within(session: Session) -> array[int]:
            span = session.convert.range(params.range)
            return tokens_in_lines(session.source_module, span.start.line, span.end.line, session.units)

        modules = server.document(params.text_document.uri).modules_in(params.range)
        return {"data": joined((session, within(session)) for session in modules).tolist()}


def _numbers(data: array[int]) -> str:
    return f"[{','.join(map(str, data))}]"
