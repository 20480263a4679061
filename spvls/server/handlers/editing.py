"""Changing a module: completion, signature help, rename, formatting, linked editing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from spvls.diagnostic import Edit, Position
from spvls.host.languages import SPIRV
from spvls.ide.features import rename as renaming
from spvls.ide.features.formatting import Style, WordsChangedError, format_document, format_on_type, format_range
from spvls.ide.features.linked import linked_ranges
from spvls.ide.features.signature import signature_help
from spvls.server.completion_list import ItemForm, completion_list, key_of_item
from spvls.server.convert import ClientRange, Json
from spvls.server.protocol import Raw, RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session

_COMPLETION = types.CompletionOptions(trigger_characters=["%", "|", " ", '"'], resolve_provider=True)
_SIGNATURE = types.SignatureHelpOptions(trigger_characters=[" "], retrigger_characters=[" ", "|"])
_ON_TYPE = types.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
_WORD = "%?[A-Za-z0-9_]+"


def register(server: SpirvServer) -> None:
    _register_completion(server)
    _register_renaming(server)
    _register_formatting(server)


def _register_completion(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, _COMPLETION)
    def completion(params: types.CompletionParams) -> Raw | None:
        from spvls.ide.features.completion import complete

        session = server.session(params.text_document.uri, params.position)
        typed = params.context.trigger_character if params.context is not None else None
        position = session.convert.position(params.position)
        if typed == " " and not session.source_module.document.lines[position.line][: position.column].strip():
            return None  # indentation
        found = complete(session.source_module, position)
        if found is None:
            return None
        return completion_list(found.candidates, session.convert.range_text(found.range), session.reference, ItemForm.of(server))

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from spvls.ide.features.completion import describe

        data: Any = item.data
        session = server.documents.referred(data)
        described = describe(session.source_module, key_of_item(item)) if session is not None else None
        if session is not None and described is not None:
            item.documentation = types.MarkupContent(types.MarkupKind.Markdown, described.markdown)
            if described.edits:
                item.additional_text_edits = server.edits(session, described.edits)
        return item

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, _SIGNATURE)
    def signature(params: types.SignatureHelpParams) -> Json | None:
        session = server.session(params.text_document.uri, params.position)
        found = signature_help(session.source_module, session.convert.position(params.position))
        if found is None:
            return None
        active = len(found.parameters) if found.active is None else found.active
        parameters = [
            {
                "label": [parameter.start, parameter.end],
                "documentation": {"kind": "markdown", "value": parameter.documentation},
            }
            for parameter in found.parameters
        ]
        shown = {
            "label": found.label,
            "documentation": {"kind": "markdown", "value": found.documentation},
            "parameters": parameters,
        }
        return {"signatures": [shown], "activeSignature": 0, "activeParameter": active}


def _register_renaming(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> Json | None:
        session = server.session(params.text_document.uri, params.position)
        found = renaming.prepare_rename(session.source_module, session.convert.position(params.position))
        if found is None:
            return None
        return {"range": session.convert.to_range(found[0]), "placeholder": found[1]}

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> Json:
        session = server.session(params.text_document.uri, params.position)
        try:
            edits = renaming.rename(session.source_module, session.convert.position(params.position), params.new_name)
        except renaming.RenameError as error:
            raise RequestFailed(str(error)) from None
        return server.workspace_edit(session, edits)

    @server.feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)
    def linked(params: types.LinkedEditingRangeParams) -> Json | None:
        session = server.session(params.text_document.uri, params.position)
        ranges = linked_ranges(session.source_module, session.convert.position(params.position))
        if not ranges:
            return None
        return {"ranges": [session.convert.to_range(span) for span in ranges], "wordPattern": _WORD}


def _register_formatting(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[Json]:
        """Of assembly text alone: another language has a formatter of its own."""
        document = server.document(params.text_document.uri)
        if document.host.language.name != SPIRV:
            return []
        return [edit for session in document.modules for edit in _formatted_whole(session)]

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def range_formatting(params: types.DocumentRangeFormattingParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        return [edit for session in document.modules_in(params.range) for edit in _formatted_range(session, params.range)]

    @server.feature(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, _ON_TYPE)
    def on_type_formatting(params: types.DocumentOnTypeFormattingParams) -> list[Json]:
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        return _formatted(session, lambda style: format_on_type(session.source_module.document, position, style))


def _formatted_whole(session: Session) -> list[Json]:
    """The edits that format a module; the empty lines between it and what follows it are not its own."""
    source = session.source_module.document
    if session.is_whole:
        return _formatted(session, lambda style: format_document(source, style))
    end = Position(len(source.lines) - 1, len(source.lines[-1]))
    return _formatted(session, lambda style: [edit for edit in format_document(source, style) if edit.range.end < end])


def _formatted_range(session: Session, given: ClientRange) -> list[Json]:
    span = session.convert.range(given)
    return _formatted(session, lambda style: format_range(session.source_module.document, span, style))


def _formatted(session: Session, edits: Callable[[Style], list[Edit]]) -> list[Json]:
    """Edits in the chosen style. Raises RequestFailed where they would change the words of the text."""
    try:
        return session.convert.to_edits(edits("nested" if session.settings.nested_format else "aligned"))
    except WordsChangedError as error:
        raise RequestFailed(str(error)) from error
