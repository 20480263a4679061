"""The server: a connection to one client, its documents and its settings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from spvls import __version__
from spvls.diagnostic import Edit
from spvls.server import handlers
from spvls.server.binaries import Binaries
from spvls.server.convert import ClientPosition, Json
from spvls.server.disk import Disk, promptly
from spvls.server.folders import Folders
from spvls.server.host_document import HostDocument
from spvls.server.linked import LinkedTexts
from spvls.server.protocol import NoModule, Protocol, RequestFailed
from spvls.server.publisher import Publisher
from spvls.server.reach import Reach, path_of
from spvls.server.session import Session
from spvls.server.settings import Settings
from spvls.server.workspace import SessionWorkspace
from spvls.text.escaping import notification
from spvls.validate.config import Config, config_for

log = logging.getLogger(__name__)


class SpirvServer(LanguageServer):
    """Serves one client. What it serves is registered by the modules of `spvls.server.handlers`."""

    protocol: Protocol

    def __init__(self, roots: Sequence[str] = ()) -> None:
        """`roots` are the folders that requests are limited to; see `Reach`."""
        super().__init__("spvls", __version__, protocol_cls=Protocol)
        self.settings = Settings()
        self._supported: dict[str, bool] = {}
        #: Called, in any thread, when the process of the client has ended.
        self.client_gone: Callable[[], object] = lambda: None
        #: Called with the address of each document that is closed.
        self.when_closed: list[Callable[[str], object]] = []
        self.disk = Disk()
        self.reach = Reach(self, roots)
        self.diagnostics = Publisher(self)
        self.binaries = Binaries(self)
        self.when_closed += [self.diagnostics.closed, self.binaries.closed]
        self.folders = Folders(self)
        self.linked = LinkedTexts(self)
        for module in iter_modules(handlers.__path__, handlers.__name__ + "."):
            import_module(module.name).register(self)

    def supports(self, capability: str) -> bool:
        """Whether the client says that it can do something, such as `text_document.diagnostic`. The last name may be of a list."""
        known = self._supported.get(capability)
        if known is None:
            value: Any = self.client_capabilities
            for name in capability.split("."):
                value = name in value if isinstance(value, list | tuple) else getattr(value, name, None)
            known = self._supported[capability] = value is not None and value is not False
        return known

    @property
    def documents(self) -> SessionWorkspace:
        """The documents that are open."""
        workspace = self.workspace
        assert isinstance(workspace, SessionWorkspace)
        return workspace

    def document(self, uri: str) -> HostDocument:
        """The open document of that address; RequestFailed where there is none."""
        found = self.documents.document(uri)
        if found is None:
            raise RequestFailed(f"{uri} is not open")
        return found

    def session(self, uri: str, position: ClientPosition | None = None) -> Session:
        """The module at a position of an open document, without a position its first one; NoModule where there is none."""
        document = self.document(uri)
        if position is not None:
            found = document.module_at(position)
        else:
            found = next(iter(document.modules), None)
        if found is None:
            raise NoModule
        return found

    def session_near(self, uri: str, position: ClientPosition | None) -> Session:
        """As `session`; outside of modules the last one that begins before the position, or else the first one."""
        found = self.document(uri).module_near(position) if position is not None else self.session(uri)
        if found is None:
            raise NoModule
        return found

    def referred(self, data: object) -> Session:
        """The module that the data of an earlier answer names; NoModule where it is there no more."""
        found = self.documents.referred(data)
        if found is None:
            raise NoModule
        return found

    def config_of(self, uri: str) -> Config:
        """What the project of a document asks of the validator, in the nearest `spvls.toml`."""
        try:
            return promptly(self._config_of, uri)
        except TimeoutError:
            log.warning("the file system does not answer: the settings of the project of %s are not known", uri)
            return Config()

    def _config_of(self, uri: str) -> Config:
        path = path_of(uri) if uri.startswith("file:") else None
        return config_for(path, self.reach.allows) if path is not None else Config()

    def workspace_edit(self, session: Session, edits: Sequence[Edit]) -> Json:
        """Edits of one module, bound to the version of its document where the client knows how."""
        return self.document_edit(session, session.convert.to_edits(edits))

    def document_edit(self, session: Session | HostDocument, changes: list[Json]) -> Json:
        """Edits of one document, bound to its version where the client knows how."""
        if not self.supports("workspace.workspace_edit.document_changes"):
            return {"changes": {session.uri: changes}}
        document = {"uri": session.uri, "version": session.version}
        return {"documentChanges": [{"textDocument": document, "edits": changes}]}

    def edits(self, session: Session, edits: Sequence[Edit]) -> list[types.TextEdit]:
        """Edits as records, for answers that are records."""
        return [_text_edit(change) for change in session.convert.to_edits(edits)]

    def typed_workspace_edit(self, session: Session, edits: Sequence[Edit]) -> types.WorkspaceEdit:
        """As `workspace_edit`, as a record."""
        changes = self.edits(session, edits)
        if not self.supports("workspace.workspace_edit.document_changes"):
            return types.WorkspaceEdit(changes={session.uri: changes})
        document = types.OptionalVersionedTextDocumentIdentifier(session.uri, session.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, list(changes))])

    def show(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Show a message to the user."""
        self.window_show_message(types.ShowMessageParams(kind, notification(message)))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Errors are for the log; requests are answered with theirs."""
        log.error("%s", error, exc_info=error)


def _text_edit(change: Json) -> types.TextEdit:
    start, end = change["range"]["start"], change["range"]["end"]
    span = types.Range(types.Position(**start), types.Position(**end))
    return types.TextEdit(span, change["newText"])
