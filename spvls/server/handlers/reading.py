"""What is shown of a module without changing it: hover, hints, lenses, links, folding, selection."""

from __future__ import annotations

from itertools import chain
from typing import Any

from lsprotocol import types

from spvls.ide.features import hover as hovers
from spvls.ide.features.document_links import Link, document_links
from spvls.ide.features.folding import FoldKind, fold_steps, once
from spvls.ide.features.inlay import Hint, HintKind, hints
from spvls.ide.features.inline_values import inline_values
from spvls.ide.features.lens import LensKind, lenses, title
from spvls.ide.features.selection import selection_ranges
from spvls.ide.transform.specialization_preview import preview_hints
from spvls.server.convert import Json
from spvls.server.params import choice_of, text_of
from spvls.server.protocol import ContentModified
from spvls.server.reach import Reach, address_of
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError, in_time_slices
from spvls.text.escaping import visible
from spvls.validate.engine.explanation import explanation
from spvls.validate.engine.rule_markdown import hover_markdown

_FOLDS = {FoldKind.REGION: "region", FoldKind.COMMENT: "comment", FoldKind.IMPORTS: "imports"}


def register(server: SpirvServer) -> None:
    _register_hover(server)
    _register_hints(server)
    _register_lenses(server)
    _register_structure(server)


def _register_hover(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> Json | None:
        session = server.session(params.text_document.uri, params.position)
        position = session.convert.position(params.position)
        encoded = (lambda: server.binaries.encoding(session)) if session.settings.hover_details else None
        found = hovers.hover(session.source_module, position, encoded)
        explained = [
            (diagnostic.range, hover_markdown(about))
            for diagnostic in session.known_findings()
            if diagnostic.range is not None and diagnostic.range.start <= position <= diagnostic.range.end
            if (about := explanation(diagnostic.rule)) is not None
        ]
        if found is None and not explained:
            return None
        texts = list(dict.fromkeys([*(text for _, text in explained), *([found.markdown] if found is not None else [])]))
        return {
            "contents": {"kind": "markdown", "value": "\n\n---\n\n".join(texts)},
            "range": session.convert.to_range(found.range if found is not None else explained[0][0]),
        }


def _register_hints(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: types.InlayHintParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        chosen = document.settings.inlay_hints
        kinds = {
            HintKind.TYPE: chosen.types,
            HintKind.VALUE: chosen.values,
            HintKind.MEMBER: chosen.members,
            HintKind.NAME: chosen.names,
            HintKind.OFFSET: chosen.offsets,
            HintKind.DECORATION: chosen.decorations,
            HintKind.MEMBER_DECORATION: chosen.member_decorations,
            HintKind.TYPE_DECORATION: chosen.type_decorations,
        }
        wanted = frozenset(kind for kind, on in kinds.items() if on)
        found: list[tuple[Session, Hint]] = []
        try:
            for session in document.modules_in(params.range):
                encoded = await server.binaries.words(session) if chosen.offsets else None
                span = session.convert.range(params.range)
                preview = session.previewed()
                source = session.source_module
                steps = hints(source, span, wanted, encoded, preview.constants if preview is not None else None)
                if preview is not None:
                    steps = chain(steps, preview_hints(source, preview, span))
                found += [(session, hint) for hint in await in_time_slices(document, steps)]
        except StaleError:
            raise ContentModified from None
        return [
            {
                "position": session.convert.to_position(hint.position),
                "label": visible(hint.label),
                "kind": 1,
                "paddingLeft": hint.spaced == "left",
                "paddingRight": hint.spaced == "right",
            }
            for session, hint in found
        ]

    @server.feature(types.TEXT_DOCUMENT_INLINE_VALUE)
    def inline_value(params: types.InlineValueParams) -> list[Json]:
        return [
            {"range": session.convert.to_range(value.range), "text": visible(value.text)}
            for session in server.document(params.text_document.uri).modules_in(params.range)
            for value in inline_values(session.source_module, session.convert.range(params.range))
        ]


def _register_lenses(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def code_lens(params: types.CodeLensParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        if not document.settings.code_lens:
            return []
        try:
            steps = ((session, lens) for session in document.modules for lens in lenses(session.source_module))
            found = await in_time_slices(document, steps)
        except StaleError:
            raise ContentModified from None
        return [
            {
                "range": session.convert.to_range(lens.range),
                "data": {**session.reference, "kind": lens.kind.value, "name": lens.name},
            }
            for session, lens in found
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    def resolve_lens(lens: types.CodeLens) -> types.CodeLens:
        data: Any = lens.data
        session = server.documents.referred(data)
        kind = choice_of(data, "kind", tuple(kind.value for kind in LensKind)) if session is not None else None
        if session is not None and kind is not None:
            text = visible(title(session.source_module, LensKind(kind), text_of(data, "name")))
            lens.command = types.Command(title=text, command="")
        return lens


def _register_structure(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: types.DocumentLinkParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        placed = [(session, link) for session in document.modules for link in document_links(session.source_module)]
        where = [session.convert.to_range(link.range) for session, link in placed]
        targets = [link.address for _, link in placed]
        if any(link.file is not None for _, link in placed):
            targets = await server.disk.access(lambda: [_target(server.reach, document.uri, link) for _, link in placed])
        return [{"range": span, "target": target} for span, target in zip(where, targets, strict=True) if target is not None]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        found: list[Json] = []
        try:
            for session in document.modules:
                folds = await in_time_slices(document, fold_steps(session.source_module))
                line = session.convert.line
                found += [
                    {"startLine": line(fold.first), "endLine": line(fold.last), "kind": _FOLDS[fold.kind]} for fold in once(folds)
                ]
        except StaleError:
            raise ContentModified from None
        return found

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(params: types.SelectionRangeParams) -> list[Json]:
        found: list[Json] = []
        for position in params.positions:
            session = server.session(params.text_document.uri, position)
            inner: Json | None = None
            for span in reversed(selection_ranges(session.source_module, session.convert.position(position))):
                outer = inner
                inner = {"range": session.convert.to_range(span)}
                if outer is not None:
                    inner["parent"] = outer
            assert inner is not None
            found.append(inner)
        return found


def _target(reach: Reach, uri: str, link: Link) -> str | None:
    """The address that a link of a document leads to; files are looked for beside the document."""
    if link.file is None:
        return link.address
    path = reach.beside(uri, link.file)
    return address_of(path) if path is not None else None
