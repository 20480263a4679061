"""The other ends of linkage: which texts of the workspace export what another one imports, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spvls.ide.features.exports import linkages
from spvls.ide.source.occurrences import occurrences
from spvls.record import NamedTuple
from spvls.server.convert import Json
from spvls.server.host_document import HostDocument
from spvls.server.session import Session
from spvls.server.time_slicing import Clock

if TYPE_CHECKING:
    from spvls.server.server import SpirvServer


class End(NamedTuple):
    """A function or variable of some text, in the client's units: its instruction, its id, and where else the text has the id."""

    uri: str
    name: bytes
    is_import: bool
    range: Json
    selection: Json
    uses: tuple[Json, ...]


class LinkedTexts:
    """Finds ends by the names that they are linked by, in open documents and in files."""

    def __init__(self, server: SpirvServer) -> None:
        self._server = server
        self._files: dict[str, tuple[str, list[End]]] = {}

    async def others(self, session: Session, name: bytes, *, imports: bool) -> list[End]:
        """What other texts than that of `session` import, or export, under a name."""
        clock = Clock()
        documents, folders = self._server.documents, self._server.folders
        found: list[End] = []
        for file in await folders.files():
            if documents.document(file.uri) is not None:
                continue
            known = self._files.get(file.uri)
            if known is None or known[0] != file.state:
                known = self._files[file.uri] = file.state, _ends(await folders.read(file))
            found += known[1]
            await clock.pause()
        for other in documents.all_documents():
            if other is not session.document:
                found += _ends(other)
                await clock.pause()
        return [end for end in found if end.name == name and end.is_import is imports]


def _ends(document: HostDocument | None) -> list[End]:
    return [
        End(
            session.uri,
            linkage.name,
            linkage.is_import,
            session.convert.to_range(linkage.range),
            session.convert.to_range(linkage.selection),
            tuple(
                session.convert.to_range(found.range)
                for found in occurrences(session.source_module, linkage.id)
                if not found.defines
            ),
        )
        for session in (document.modules if document is not None else ())
        for linkage in linkages(session.source_module)
    ]
