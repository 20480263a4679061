"""Specialization: the constants of a module, a preview of what values make of it, and the module with these values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from spvls.ide.documentation.value_text import plain_value
from spvls.module.specialization import spec_constants, spec_id
from spvls.module.specialization_values import Given, SpecializationError, given_values
from spvls.server.convert import Json
from spvls.server.params import position_of, uri_of, values_of
from spvls.server.protocol import RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.text.escaping import visible

if TYPE_CHECKING:
    from spvls.ide.transform.specialize import Specialized

PREVIEW = "spvls.server.previewSpecialization"


def register(server: SpirvServer) -> None:
    def session_of(params: Any) -> Session:
        """The module that parameters are about: that at their position, or the first one of the document."""
        uri = uri_of(params)
        given = params.get("position")
        return server.session(uri, position_of(given) if given is not None else None)

    @server.feature("spvls/specialization")
    def specialization(params: Any) -> Json:
        session = session_of(params)
        values = session.preview_values
        return {"constants": _constants(session), "preview": dict(values) if values is not None else None}

    @server.feature("spvls/specialize")
    def specialize_request(params: Any) -> Json:
        session = session_of(params)
        done = _specialized(session, params)
        return {"edit": server.workspace_edit(session, done.edits), "unfolded": list(done.unfolded)}

    @server.command("spvls.server.specialize")
    async def specialize_command(params: Any) -> Json:
        """Specialize an open document, for clients that have commands alone."""
        session = session_of(params)
        done = _specialized(session, params)
        edit = server.typed_workspace_edit(session, done.edits)
        await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, "Specialize"))
        return {"unfolded": list(done.unfolded)}

    @server.command(PREVIEW)
    def preview(params: Any) -> None:
        """Show what a module is with values for its constants, or, where there are none, as it is."""
        session = session_of(params)
        values = None if params.get("values") is None else values_of(params)
        if values is not None:
            _given(session, values)
        session.document.preview(session, values)
        server.diagnostics.settings_changed([session.document])


def _specialized(session: Session, params: Any) -> Specialized:
    from spvls.ide.transform.specialize import specialize

    given = _given(session, values_of(params))
    try:
        return specialize(session.source_module, given, full=params.get("full") is True)
    except SpecializationError as error:
        raise RequestFailed(visible(str(error))) from None


def _given(session: Session, values: Mapping[str, str]) -> dict[str, Given]:
    """Values by ids. Raises RequestFailed for what the module does not take."""
    try:
        return given_values(session.source_module.module, values.items())
    except SpecializationError as error:
        raise RequestFailed(visible(str(error))) from None


def _constants(session: Session) -> list[Json]:
    from spvls.ide.summary.reflection import values_of as possible_values

    module = session.source_module.module
    found = []
    for record in spec_constants(module):
        name = record.result or ""
        type_, constant = module.type(record.type), module.constant(name)
        found.append(
            {
                "id": name,
                "specId": spec_id(module, name),
                "name": visible(module.declarations.names.get(name, "")),
                "type": visible(module.spell(type_)),
                "default": plain_value(constant.value, constant.type) if constant is not None else "?",
                "values": possible_values(type_),
                "range": session.convert.to_range(session.source_module.range_of(record)),
            }
        )
    return found
