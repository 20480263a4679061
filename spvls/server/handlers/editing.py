"""Changing a module: rename."""

from __future__ import annotations

from lsprotocol import types

from spvls.ide import rename as renaming
from spvls.server.convert import Json
from spvls.server.protocol import RequestFailed
from spvls.server.server import SpirvServer


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> Json | None:
        session = server.session(params.text_document.uri)
        found = renaming.prepare_rename(session.assembly, session.convert.position(params.position))
        if found is None:
            return None
        return {"range": session.convert.to_range(found[0]), "placeholder": found[1]}

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> Json:
        session = server.session(params.text_document.uri)
        try:
            edits = renaming.rename(session.assembly, session.convert.position(params.position), params.new_name)
        except renaming.RenameError as error:
            raise RequestFailed(str(error)) from None
        return server.workspace_edit(session, edits)
