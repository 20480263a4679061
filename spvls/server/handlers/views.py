"""What views beside the text show: control flow, the summary of the module; and documents that are made of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from spvls.grammar.environments import environments
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.ide.features.target import comment_edits, target_choices
from spvls.ide.source.source_lines import source_text
from spvls.ide.source.source_module import SourceModule
from spvls.ide.to_json import to_json
from spvls.ide.words.encoding import LiveEncoding
from spvls.server.convert import Json
from spvls.server.disk import in_thread
from spvls.server.handlers.binary import listing
from spvls.server.host_document import HostDocument
from spvls.server.params import choice_of, position_of, uri_of
from spvls.server.protocol import ContentModified, RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.source_documents import SCHEME, parsed
from spvls.server.time_slicing import StaleError
from spvls.syntax.operand_decls import capability_names
from spvls.text.escaping import visible
from spvls.text.files import read_file

if TYPE_CHECKING:
    from spvls.ide.flow.graph import FlowGraph
    from spvls.ide.summary.summary import ModuleHeader, Summary


def register(server: SpirvServer) -> None:
    server.protocol.schemes = (*CONTENTS, SCHEME)
    _register_environments(server)

    @server.feature("spvls/summary")
    async def summary(params: Any) -> Json:
        session = _session(server, params)
        form = choice_of(params, "format", ("json", "text"))
        answer = _outline(session)
        if form is not None:
            from spvls.ide.summary.text import summary_lines

            whole = await _summary(server, session)
            if form == "json":
                answer["details"] = to_json(whole, session.convert.to_range, visible)
            else:
                answer["lines"] = to_json(tuple(summary_lines(whole)), session.convert.to_range)
        return {"documentVersion": session.version, "range": _lines(session), **answer}

    @server.feature("spvls/cfg")
    async def control_flow(params: Any) -> Json:
        from spvls.ide.flow.graph import flow_graphs

        session = _session(server, params)
        given = params.get("position")
        form = choice_of(params, "format", tuple(DRAWINGS))
        around = given is not None and params.get("all") is not True
        position = session.convert.position(position_of(given)) if around else None
        version = session.version
        graphs = list(flow_graphs(session.source_module, position))
        functions: list[Json] = [to_json(graph, session.convert.to_range, visible) for graph in graphs]
        if form is not None:
            # A picture of a large function takes a while, and its graph is no longer bound to the text.
            for graph, function in zip(graphs, functions, strict=True):
                function[form] = await in_thread(DRAWINGS[form], graph)
        return {"version": version, "functions": functions}

    @server.feature("spvls/example")
    async def example(params: Any) -> Json | None:
        from spvls.ide.documentation.example_at import example_at

        position = position_of(params.get("position"))
        session = server.session(uri_of(params), position)
        found = example_at(session.source_module, session.convert.position(position))
        return None if found is None else found._asdict()

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        scheme, _, rest = params.uri.partition(":")
        make, of_source = CONTENTS.get(scheme), parsed(params.uri)
        if make is None and of_source is None:
            raise RequestFailed(f"{params.uri}: there are {', '.join(f'{name}:' for name in server.protocol.schemes)}")
        subject = f"file:{rest}" if of_source is None else of_source.document
        document = server.documents.document(subject)
        if document is not None:
            server.binaries.show(document, params.uri)
            source = _module_of(document, subject, of_source.module if of_source is not None else 0)
        else:
            # What is not open is read for this answer alone.
            path = server.reach.path(subject)
            try:
                data = await server.disk.access(read_file, path)
            except OSError as error:
                raise RequestFailed(f"{path} cannot be read: {error.strerror or error}") from None
            source = await in_thread(_source, path, data, of_source.module if of_source is not None else None)
        if make is not None:
            return types.TextDocumentContentResult(make(source))
        carried = source_text(source, of_source.number) if of_source is not None else None
        if carried is None:
            raise RequestFailed(f"{subject} does not carry this source")
        return types.TextDocumentContentResult(carried)


def _register_environments(server: SpirvServer) -> None:
    @server.feature("spvls/environments")
    async def target_environments(params: Any) -> Json:
        session = _session(server, params)
        source = session.source_module
        named = choice_of(params, "comment", (*environments(), ""))
        answer = {
            "version": session.version,
            "current": source.environment.name,
            "decidedBy": session.decided_by,
            "takesComment": not session.span.quoted,
        }
        if named is None:
            return {**answer, "environments": to_json(tuple(target_choices(source)), session.convert.to_range, visible)}
        edits = () if session.span.quoted else comment_edits(source, named or None)
        return {**answer, "edits": session.convert.to_edits(edits)}


def _session(server: SpirvServer, params: Any) -> Session:
    """The module that a view is about: that at its position, or else the one before it, or the first one of the document."""
    uri, given = uri_of(params), params.get("position")
    return server.session_near(uri, position_of(given) if given is not None else None)


def _lines(session: Session) -> Json:
    """The lines of a module in its document."""
    first, end = session.span.first, session.span.end
    return {"start": {"line": first, "character": 0}, "end": {"line": end, "character": 0}}


def _module_of(document: HostDocument, address: str, index: int) -> SourceModule:
    if index >= len(document.modules):
        raise RequestFailed(f"{address} has no module" + (f" {index + 1}" if document.modules else ""))
    return document.modules[index].source_module


def _outline(session: Session) -> Json:
    """The little that is at hand without making words."""
    module = session.source_module.module
    major, minor = module.version
    return {
        "version": f"{major}.{minor}",
        "targetEnv": session.source_module.environment.name,
        "decidedBy": session.decided_by,
        "capabilities": sorted(capability_names(module.declarations.declared_capabilities)),
        "extensions": sorted(map(visible, module.declarations.extensions)),
        "entryPoints": [visible(point.name.decode("utf-8", "replace")) for point in module.declarations.entry_points],
        "instructions": sum(len(chunk.records) for chunk in module.chunks),
        "functions": sum(chunk.is_function for chunk in module.chunks),
    }


async def _summary(server: SpirvServer, session: Session) -> Summary:
    try:
        encoding = await server.binaries.words(session)
    except StaleError:
        raise ContentModified from None
    from spvls.ide.summary.reflection import summarize

    return summarize(session.source_module, _header(encoding))


def _header(encoding: LiveEncoding) -> ModuleHeader:
    from spvls.ide.summary.summary import ModuleHeader

    header = encoding.header
    return ModuleHeader(header.version, header.generator, header.bound, header.schema, len(encoding.all_words()))


def _source(path: str, data: bytes, index: int | None) -> SourceModule:
    """The module of a file, a binary as its listing; of a text with several the one of an index. Raises RequestFailed."""
    if not path.endswith(".spv"):
        text = data.decode("utf-8", "replace")
        if index is None:
            return SourceModule(text)
        host = HostText(text, language_of(path))
        if index >= len(host.spans):
            raise RequestFailed(f"{path} has no module {index + 1}")
        return SourceModule(host.module_text(host.spans[index]))
    found = listing(data, {})
    if found["error"] is not None:
        raise RequestFailed(f"{path}: {found['error']}")
    return SourceModule(found["text"])


def _encoded(source: SourceModule) -> LiveEncoding:
    encoding = LiveEncoding(source)
    encoding.refresh()
    return encoding


def _svg(graph: FlowGraph) -> Any:
    from spvls.ide.flow.svg import svg_part

    return svg_part(graph)


def _flow_lines(graph: FlowGraph) -> Any:
    from spvls.ide.flow.text import flow_lines

    return to_json(tuple(flow_lines(graph)))


def _dot(graph: FlowGraph) -> str:
    from spvls.ide.flow.dot import dot

    return dot([graph])


def _mermaid(graph: FlowGraph) -> str:
    from spvls.ide.flow.mermaid import mermaid

    return mermaid([graph])


DRAWINGS: dict[str, Callable[[FlowGraph], Any]] = {"svg": _svg, "text": _flow_lines, "dot": _dot, "mermaid": _mermaid}
"""How the flow of a function can be shown; the answer is in the field of that name."""


def _words(source: SourceModule) -> str:
    from spvls.ide.words.listing import words_lines

    return "".join(f"{line}\n" for line in words_lines(source, _encoded(source)))


def _summary_text(source: SourceModule) -> str:
    from spvls.ide.summary.reflection import summarize
    from spvls.ide.summary.text import summary_lines

    return "".join(f"{line.text}\n" for line in summary_lines(summarize(source, _header(_encoded(source)))))


def _flow_text(source: SourceModule) -> str:
    from spvls.ide.flow.graph import flow_graphs
    from spvls.ide.flow.text import text

    return "\n".join(map(text, flow_graphs(source)))


CONTENTS: dict[str, Callable[[SourceModule], str]] = {
    "spvls-listing": lambda source: source.text,
    "spvls-words": _words,
    "spvls-summary": _summary_text,
    "spvls-cfg": _flow_text,
}
"""Documents made of others by their schemes: `spvls-words:///x/a.spvasm` has the words of `file:///x/a.spvasm`."""
