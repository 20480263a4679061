"""Semantic tokens: all of a document, a range of it, or what has changed."""

from __future__ import annotations

from array import array

from lsprotocol import types

from spvls.ide.tokens import MODIFIERS, TYPES, SemanticTokens, delta, tokens_in_lines
from spvls.server.convert import Json
from spvls.server.protocol import ContentModified, Raw
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.slices import StaleError, in_slices

_LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


class _Told:
    """The tokens of a document, and what the client was last told of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.tokens = SemanticTokens(session.source_module, session.convert.units)
        self.serial = 0
        self.data: array[int] = array("I")

    async def current(self) -> array[int]:
        try:
            await in_slices(self.session, self.tokens.steps())
        except StaleError:
            raise ContentModified from None
        return self.tokens.data()

    def tell(self, data: array[int]) -> str:
        """Take note of what is told; the name of that."""
        self.serial += 1
        self.data = data
        return str(self.serial)


def register(server: SpirvServer) -> None:
    known: dict[str, _Told] = {}
    server.when_closed.append(lambda uri: known.pop(uri, None))

    def told(uri: str) -> _Told:
        session = server.session(uri)
        found = known.get(uri)
        if found is None or found.session is not session:
            found = known[uri] = _Told(session)
        return found

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _LEGEND)
    async def full(params: types.SemanticTokensParams) -> Raw:
        document = told(params.text_document.uri)
        data = await document.current()
        return Raw(f'{{"resultId":"{document.tell(data)}","data":{document.tokens.text()}}}')

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, _LEGEND)
    async def full_delta(params: types.SemanticTokensDeltaParams) -> Raw:
        document = told(params.text_document.uri)
        data = await document.current()
        if params.previous_result_id != str(document.serial):
            return Raw(f'{{"resultId":"{document.tell(data)}","data":{document.tokens.text()}}}')
        edits = ",".join(
            f'{{"start":{start},"deleteCount":{count},"data":{_numbers(come)}}}'
            for start, count, come in delta(document.data, data)
        )
        return Raw(f'{{"resultId":"{document.tell(data)}","edits":[{edits}]}}')

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, _LEGEND)
    def some(params: types.SemanticTokensRangeParams) -> Json:
        session = server.session(params.text_document.uri)
        span = session.convert.range(params.range)
        data = tokens_in_lines(session.source_module, span.start.line, span.end.line, session.convert.units)
        return {"data": data.tolist()}


def _numbers(data: array[int]) -> str:
    return f"[{','.join(map(str, data))}]"
