"""Start, settings, and the documents that come and go."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Iterable, Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from spvls.grammar import docs, reference, tables
from spvls.grammar.environments import DEFAULT, environment
from spvls.module.module import Module
from spvls.server.disk import promptly
from spvls.server.garbage import Garbage, collect
from spvls.server.host_document import HostDocument
from spvls.server.lifetime import watch
from spvls.server.protocol import RequestFailed
from spvls.server.publisher import start
from spvls.server.server import SpirvServer
from spvls.server.settings import SECTION, Settings, read_settings
from spvls.server.time_slicing import PAUSE
from spvls.server.workspace import SessionWorkspace
from spvls.syntax.document import Chunk
from spvls.text.files import read_text, require_regular
from spvls.validate.config import FILE_NAME, Config
from spvls.validate.engine.checker import Checker

log = logging.getLogger(__name__)

_MOST_SHOWN = 3
"""Messages about one file of settings."""


def register(server: SpirvServer) -> None:
    told: set[str] = set()
    garbage = Garbage()

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
        server.settings = understood(params.initialization_options)
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

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(params: types.DidChangeConfigurationParams) -> None:
        if server.supports("workspace.configuration"):
            start(pull_settings(list(server.documents.all_documents())))
            return
        given = params.settings
        server.settings = understood(given.get(SECTION) if isinstance(given, dict) else None)
        use(dict.fromkeys(server.documents.all_documents(), server.settings))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = server.document(params.text_document.uri)
        if document.is_large:
            gc.freeze()
        server.diagnostics.changed(document)
        show_problems(document.config)
        start(pull_settings([document]))

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

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        if any(change.uri.endswith(f"/{FILE_NAME}") for change in params.changes):
            use({document: document.settings for document in server.documents.all_documents()})

    @server.feature(types.SET_TRACE)
    def trace_set(_params: types.SetTraceParams) -> None:
        """The client logs the messages itself."""

    async def prepare() -> None:
        await pull_settings([])
        for _ in _warm_up():
            await asyncio.sleep(PAUSE)  # whatever the client wants comes first

    async def pull_settings(documents: list[HostDocument]) -> None:
        """Ask the client for its settings, for all and for each of some documents."""
        if not server.supports("workspace.configuration"):
            return
        scopes = [None, *(document.uri for document in documents)]
        items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
        try:
            answers = await server.workspace_configuration_async(types.ConfigurationParams(items))
        except JsonRpcException as error:
            log.warning("the client does not tell its settings: %s", error)
            return
        if len(answers) != len(scopes) or answers[0] is None:
            return
        server.settings = understood(answers[0])
        use({document: understood(answer) for document, answer in zip(documents, answers[1:], strict=True)})

    def use(chosen: dict[HostDocument, Settings]) -> None:
        """Give documents their settings."""
        changed = [
            document for document, settings in chosen.items() if document.configure(settings, server.config_of(document.uri))
        ]
        for document in changed:
            show_problems(document.config)
        server.diagnostics.settings_changed(changed)
        for document in changed:
            server.binaries.changed(document)

    def show_problems(config: Config) -> None:
        """Show what is wrong with the settings of a project, in their file and once as a message."""
        server.diagnostics.configured(config)
        _show_new(server, _problems(config), told)

    def understood(given: object) -> Settings:
        """Settings as the client gives them; what is wrong with them is shown, once."""
        try:
            settings, problems = promptly(read_settings, given, profile_text)
        except TimeoutError:
            settings, problems = server.settings, ["the file system does not answer: the settings stay as they were"]
        _show_new(server, problems, told)
        if settings.khronos_grammar is not None and settings.khronos_grammar not in told:
            told.add(settings.khronos_grammar)
            start(use_grammar(settings.khronos_grammar))
        return settings

    def profile_text(path: str) -> str:
        """The text of a profile of a device that the settings name. Raises OSError."""
        if not server.reach.allows(path):
            raise PermissionError(f"{path} is outside of the folders of this session")
        return read_text(path)

    async def use_grammar(folder: str) -> None:
        """Take the instructions of a newer grammar."""
        try:
            if not await server.disk.access(server.reach.allows, folder):
                raise RequestFailed("it is outside of the folders of this session")
            await server.disk.access(_require_regular_files, folder)
            source = await server.disk.access(tables.khronos_source, folder)
        except (OSError, ValueError, RequestFailed) as error:
            server.show(f"The grammar {folder} cannot be used: {error}")
            return
        tables.replace(source)
        use({document: document.settings for document in server.documents.all_documents()})


def _require_regular_files(folder: str) -> None:
    """Raise OSError where a folder of a grammar has a file that is none, such as a device or a named pipe."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            require_regular(os.stat(path), path)


def _problems(config: Config) -> list[str]:
    """What is wrong with the settings of a project, the first of it alone where it is much."""
    shown = [
        f"{config.path}:{problem.range.start.line + 1 if problem.range else 1}: {problem.message}"
        for problem in config.problems[:_MOST_SHOWN]
    ]
    more = len(config.problems) - len(shown)
    return [*shown, f"{config.path} has {more} more findings"] if more else shown


def _show_new(server: SpirvServer, problems: Iterable[str], told: set[str]) -> None:
    for problem in problems:
        if problem not in told:
            told.add(problem)
            server.show(problem)


def _warm_up() -> Iterator[None]:
    """Read what every document needs, so that the first one does not wait for it; and spare it from collections to come."""
    tables.opcode("OpNop")
    yield
    tables.kind("Capability").get("Shader")
    yield
    Checker(Module([Chunk(0, [])], environment(DEFAULT)))
    yield
    for folder in ("instructions", "enumerants", "extended"):
        for file in docs.files(folder):
            docs.texts(file)
        yield
    for key in ("Capability.Shader", "ImageFormat.Rgba8", "BuiltIn.Position", "ExecutionMode.OriginUpperLeft", "OpFAdd"):
        reference.client_facts(key)
        yield
    collect()
