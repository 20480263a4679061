"""Call and type hierarchies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lsprotocol import types

from spvls.ide.features import hierarchy
from spvls.ide.features.hierarchy import Call, Item
from spvls.server.convert import Json
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.text.escaping import visible


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare_calls(params: types.CallHierarchyPrepareParams) -> list[Json]:
        session = server.session(params.text_document.uri, params.position)
        item = hierarchy.prepare_calls(session.source_module, session.convert.position(params.position))
        return [_item(session, item, types.SymbolKind.Function)] if item is not None else []

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(params: types.CallHierarchyIncomingCallsParams) -> list[Json]:
        session = server.referred(params.item.data)
        name = _name(params.item.data)
        return _calls(session, "from", hierarchy.incoming_calls(session.source_module, name)) if name is not None else []

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(params: types.CallHierarchyOutgoingCallsParams) -> list[Json]:
        session = server.referred(params.item.data)
        name = _name(params.item.data)
        return _calls(session, "to", hierarchy.outgoing_calls(session.source_module, name)) if name is not None else []

    @server.feature(types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY)
    def prepare_types(params: types.TypeHierarchyPrepareParams) -> list[Json]:
        session = server.session(params.text_document.uri, params.position)
        item = hierarchy.prepare_types(session.source_module, session.convert.position(params.position))
        return [_item(session, item, types.SymbolKind.Class)] if item is not None else []

    @server.feature(types.TYPE_HIERARCHY_SUPERTYPES)
    def supertypes(params: types.TypeHierarchySupertypesParams) -> list[Json]:
        session = server.referred(params.item.data)
        found = hierarchy.built_of(session.source_module, _name(params.item.data) or "")
        return [_item(session, item, types.SymbolKind.Class) for item in found]

    @server.feature(types.TYPE_HIERARCHY_SUBTYPES)
    def subtypes(params: types.TypeHierarchySubtypesParams) -> list[Json]:
        session = server.referred(params.item.data)
        found = hierarchy.built_with(session.source_module, _name(params.item.data) or "")
        return [_item(session, item, types.SymbolKind.Class) for item in found]


def _calls(session: Session, end: str, calls: Iterable[Call]) -> list[Json]:
    """Calls with the item at their other end, which is under `from` or `to`."""
    return [
        {
            end: _item(session, call.item, types.SymbolKind.Function),
            "fromRanges": [session.convert.to_range(span) for span in call.ranges],
        }
        for call in calls
    ]


def _item(session: Session, item: Item, kind: types.SymbolKind) -> Json:
    """An entry point has nobody who calls it, and is not asked about."""
    shown = types.SymbolKind.Event if item.is_entry_point else kind
    return {
        "name": visible(item.name),
        "kind": shown.value,
        "detail": visible(item.detail),
        "uri": session.uri,
        "range": session.convert.to_range(item.range),
        "selectionRange": session.convert.to_range(item.selection),
        "data": session.reference if item.is_entry_point else {**session.reference, "id": item.id},
    }


def _name(data: Any) -> str | None:
    """The id that an item is of."""
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str) else None
