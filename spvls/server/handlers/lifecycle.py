"""Start, settings, and the documents that are opened, changed and closed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from importlib import import_module

from lsprotocol import types

from spvls.diagnostic import Position
from spvls.grammar import docs, reference, tables
from spvls.ide.features.hover import hover
from spvls.ide.source.source_module import SourceModule
from spvls.server.configuration import Configuration
from spvls.server.garbage import Garbage, collect
from spvls.server.lifetime import watch
from spvls.server.publisher import start
from spvls.server.server import SpirvServer
from spvls.server.settings import SECTION
from spvls.server.time_slicing import leisure, turns
from spvls.server.workspace import SessionWorkspace
from spvls.syntax.wording import opcode_spelling
from spvls.validate.config import FILE_NAME
from spvls.validate.engine.rule import rule_named
from spvls.validate.engine.rule_index import RULES

_SAMPLE = """\
OpCapability Shader
%int = OpTypeInt 32 1
%one = OpConstant %int 1
"""
_PLACES = (Position(0, 0), Position(0, 13), Position(1, 0), Position(2, 0))
"""An opcode, an enumerant and ids of a module; hovers on them need what most hovers need."""

_FIRST = (types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DIAGNOSTIC, types.TEXT_DOCUMENT_HOVER)
"""What a client sends as soon as it has opened a document: the first of these must not be the slowest."""

_LATER = (
    "spvls.ide.features.completion", "spvls.ide.refactor.offers", "spvls.ide.transform.specialize", "spvls.ide.summary.text",
    "spvls.ide.summary.reflection", "spvls.ide.flow.text", "spvls.ide.flow.svg", "spvls.ide.flow.dot", "spvls.ide.flow.mermaid",
    "spvls.ide.words.listing", "spvls.ide.documentation.example_at", "spvls.binary.disassemble", "spvls.binary.recover",
    "spvls.validate.repair",
)  # fmt: skip
"""What some requests need: loaded by the first of them, or once there is time for it."""


def register(server: SpirvServer) -> None:
    configuration = Configuration(server)
    _register_session(server, configuration)
    _register_documents(server, configuration)


def _register_session(server: SpirvServer, configuration: Configuration) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        encoding = server.workspace.position_encoding
        server.protocol.use(
            SessionWorkspace(
                server.workspace.root_uri,
                params.workspace_folders or [],
                str(getattr(encoding, "value", encoding)),
                lambda: server.settings,
                server.config_of,
            )
        )
        if params.process_id is not None:
            watch(params.process_id, server.client_gone)
        server.settings = configuration.given(params.initialization_options)
        server.diagnostics.start()

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        if server.supports("workspace.did_change_configuration.dynamic_registration"):
            options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            register_later("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
        if server.supports("workspace.did_change_watched_files.dynamic_registration"):
            watcher = types.FileSystemWatcher(f"**/{FILE_NAME}")
            files = types.DidChangeWatchedFilesRegistrationOptions([watcher])
            register_later("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files)
        start(prepare())

    def register_later(name: str, method: str, options: object) -> None:
        registration = types.Registration(name, method, options)
        server.client_register_capability(types.RegistrationParams([registration]))

    async def prepare() -> None:
        await configuration.pull([])
        for method in _FIRST:
            server.protocol.prepare(method)
            await turns()
        for _ in _warm_up(server):
            await leisure.come()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(params: types.DidChangeConfigurationParams) -> None:
        configuration.changed(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri.endswith(f"/{FILE_NAME}") for change in params.changes):
            configuration.projects_changed()

    @server.feature(types.SET_TRACE)
    def trace_set(_params: types.SetTraceParams) -> None:
        """The client logs the messages itself."""


def _register_documents(server: SpirvServer, configuration: Configuration) -> None:
    garbage = Garbage()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document.is_large:
            gc.freeze()
        server.diagnostics.changed(document)
        configuration.show_problems(document.config)
        start(configuration.pull([document]))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        server.diagnostics.changed(document)
        server.binaries.changed(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        for forget in server.when_closed:
            forget(params.text_document.uri)
        garbage.document_closed()


def _warm_up(server: SpirvServer) -> Iterator[None]:
    """Load and read what every document needs, so that the first one does not wait for it; and spare it from collections to
    come."""
    sample = SourceModule(_SAMPLE)
    for place in _PLACES:
        hover(sample, place)
        yield
    for name in _LATER:
        import_module(name)
        yield
    for method in server.protocol.fm.features:
        server.protocol.prepare(method)
        yield
    for id_ in RULES:
        rule_named(id_)
        yield
    tables.opcodes()
    yield
    opcode_spelling()
    yield
    tables.kind("Capability").get("Shader")
    yield
    for folder in ("instructions", "enumerants", "extended"):
        for file in docs.files(folder):
            docs.texts(file)
        yield
    for key in ("Capability.Shader", "ImageFormat.Rgba8", "BuiltIn.Position", "ExecutionMode.OriginUpperLeft", "OpFAdd"):
        reference.client_facts(key)
        yield
    collect()
