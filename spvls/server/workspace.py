"""The documents that the client has open, and the folders that it works in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from spvls.server.garbage import give_back
from spvls.server.host_document import HostDocument, ReadText
from spvls.server.session import Session
from spvls.server.settings import Settings
from spvls.text.encoding import ColumnCodec
from spvls.validate.config import Config


class SessionWorkspace(Workspace):
    """The workspace of pygls with documents of hosts."""

    def __init__(
        self,
        root_uri: str | None,
        folders: Sequence[types.WorkspaceFolder],
        encoding: str,
        settings: Callable[[], Settings],
        config_of: Callable[[str], Config],
    ) -> None:
        super().__init__(root_uri, types.TextDocumentSyncKind.Incremental, folders, encoding)
        self._codec = ColumnCodec(encoding)
        self._settings = settings
        self._config_of = config_of
        self._read: dict[str, ReadText] = {}

    @property
    def codec(self) -> ColumnCodec:
        """The client's units of columns."""
        return self._codec

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        text = source or ""
        read = self._read.pop(doc_uri, None)
        if read is not None and read.text != text:
            read = None
        return HostDocument(doc_uri, text, version, language_id, self._codec, self._settings(), self._config_of(doc_uri), read)

    def reading_steps(self, item: types.TextDocumentItem) -> Iterator[None]:
        """Read a text that is about to be opened, in short steps."""
        self._read[item.uri] = yield from ReadText.steps(item.uri, item.text, item.language_id)

    def remove_text_document(self, doc_uri: str) -> None:
        super().remove_text_document(doc_uri)
        give_back(self._text_documents, self._read)

    def document(self, uri: str) -> HostDocument | None:
        """The open document of that address."""
        found = self._text_documents.get(unquote(uri))
        return found if isinstance(found, HostDocument) else None

    def all_documents(self) -> Iterator[HostDocument]:
        """All open documents."""
        return (document for document in list(self._text_documents.values()) if isinstance(document, HostDocument))

    def referred(self, data: object) -> Session | None:
        """The module that the data of an answer names, which the client sends back."""
        document = self.document(str(data.get("uri"))) if isinstance(data, dict) else None
        index = data.get("module", 0) if isinstance(data, dict) else None
        if document is None or not isinstance(index, int) or not 0 <= index < len(document.modules):
            return None
        return document.modules[index]
