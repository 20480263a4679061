"""Code actions: the fixes of findings, and refactorings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from spvls.diagnostic import Diagnostic, Edit, Position, Range
from spvls.ide.refactor.refactoring import SPECIALIZE, STRIP
from spvls.server.convert import Json
from spvls.server.findings import to_json
from spvls.server.handlers.specialization import PREVIEW
from spvls.server.params import place_of, text_of
from spvls.server.protocol import RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.text.edits import touch
from spvls.text.escaping import visible
from spvls.text.lines import clamp
from spvls.validate.engine.explanation import explanation
from spvls.validate.engine.rule_markdown import page_markdown

_OPTIONS = types.CodeActionOptions(
    code_action_kinds=[
        *("quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite"),
        *("source.organizeImports", "source.fixAll", STRIP, SPECIALIZE, "explain"),
    ],
    resolve_provider=True,
)

FIX_ALL = "source.fixAll"

_SPECIALIZE_WITH = "spvls.specialize"
"""The command of clients that ask for the values of constants."""

EXPLAIN = "explain"
"""The kind of actions that change nothing and explain a rule."""

_EXPLAIN_COMMAND = "spvls.server.explain"

LARGE = 2000
"""Lines of a document whose ids are all renamed only when that is asked for."""


def register(server: SpirvServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, _OPTIONS)
    def code_action(params: types.CodeActionParams) -> list[Json]:
        document = server.document(params.text_document.uri)
        only = [getattr(kind, "value", kind) for kind in params.context.only or ()]
        found: list[Json] = []
        touched = [(session, session.convert.range(params.range)) for session in document.modules_in(params.range)]
        if _wanted("quickfix", only):
            found += [action for session, span in touched for action in _quick_fixes(server, session, span)]
        if touched and _wanted(FIX_ALL, only):
            edits = [edit for session in document.modules for edit in session.convert.to_edits(sure_edits(session.findings()))]
            if edits and (only or len(edits) > 1):
                title = "Fix all that has one sure answer"
                found.append({"title": title, "kind": FIX_ALL, "edit": server.document_edit(document, edits)})
        if _wanted(EXPLAIN, only):
            found += [action for session, span in touched for action in _explanations(session, span)]
        home = document.module_at(params.range.start)
        if home is not None:
            span = home.convert.range(params.range)
            found += _refactorings(server, home, span, only)
            found += [action for action in _specializations(server, home, span.start) if _wanted(action["kind"], only)]
        return found

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolve(action: types.CodeAction) -> types.CodeAction:
        from spvls.ide.refactor.offers import edits_of

        data: Any = action.data
        session = server.documents.referred(data)
        if session is None or session.version != data.get("version"):
            return action
        lines = session.source_module.document.lines
        start, end = (clamp(lines, place_of(data, name)) for name in ("place", "end"))
        edits = edits_of(session.source_module, start, text_of(data, "key"), end)
        if edits is not None:
            action.edit = server.typed_workspace_edit(session, edits)
        return action

    @server.command(_EXPLAIN_COMMAND)
    def explain(rule: str) -> str | None:
        """What a rule checks, and why, as Markdown; shown to the user too, for clients that do nothing with answers."""
        about = explanation(rule)
        if about is None:
            raise RequestFailed(f"there is no rule {rule}")
        page = page_markdown(about)
        server.show(page, types.MessageType.Info)
        return page


def _refactorings(server: SpirvServer, session: Session, span: Range, only: list[str]) -> list[Json]:
    """The refactorings of a place or a selection; the client asks for their edits later where it can."""
    from spvls.ide.refactor.offers import refactorings

    found: list[Json] = []
    lazy = server.supports("text_document.code_action.resolve_support")
    for refactoring in refactorings(session.source_module, *span):
        if not _wanted(refactoring.kind, only):
            continue
        if not lazy and refactoring.whole and len(session.lines) > LARGE:
            continue  # too long for an answer that nobody may look at
        action: Json = {"title": visible(refactoring.title), "kind": refactoring.kind}
        if refactoring.refused:
            if not server.supports("text_document.code_action.disabled_support"):
                continue
            action["disabled"] = {"reason": visible(refactoring.refused)}
        elif lazy:
            data = {"version": session.version, "key": refactoring.key, "place": list(span.start), "end": list(span.end)}
            action["data"] = {**session.reference, **data}
        else:
            made = refactoring.edits()
            if not made:
                continue
            action["edit"] = server.workspace_edit(session, made)
        found.append(action)
    return found


def _specializations(server: SpirvServer, session: Session, place: Position) -> Iterator[Json]:
    """What can be done with the specialization constants of a module: specialize it with values, for which the client asks, and
    see before what it is with its defaults."""
    from spvls.ide.transform.actions import is_specializable

    source = session.source_module
    if session.preview_values is None and not is_specializable(source.module):
        return
    document = {"textDocument": {"uri": session.uri}, "position": session.convert.to_position(place)}
    experimental = server.client_capabilities.experimental
    commands = experimental.get("commands", ()) if isinstance(experimental, dict) else getattr(experimental, "commands", ())
    if _SPECIALIZE_WITH in (commands or ()):
        here = source.document.records_on(source.clamp(place).line)
        kind = "refactor.rewrite" if any(record.opcode.is_specialization for record in here) else SPECIALIZE
        yield _command_action("Specialize with…", kind, _SPECIALIZE_WITH, document)
    values: Json | None
    if session.preview_values is None:
        title, values = "Preview the default values of specialization constants", {}
    else:
        title, values = "End the preview of specialization constants", None
    yield _command_action(title, SPECIALIZE, PREVIEW, {**document, "values": values})


def _command_action(title: str, kind: str, command: str, argument: Json) -> Json:
    return {"title": title, "kind": kind, "command": {"title": title, "command": command, "arguments": [argument]}}


def sure_edits(found: list[Diagnostic]) -> list[Edit]:
    """The edits of all preferred fixes; where two touch each other, those of the first one."""
    from spvls.validate.repair import apart, fix_of

    fixes = [fix for diagnostic in found if (fix := fix_of(diagnostic)) is not None]
    return sorted(edit for at in apart(fixes, sharing=False) for edit in fixes[at].edits)


def _wanted(kind: str, only: list[str]) -> bool:
    return not only or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in only)


def _quick_fixes(server: SpirvServer, session: Session, span: Range) -> list[Json]:
    """The fixes of the findings that touch a range."""
    found: list[Json] = []
    for diagnostic in session.findings():
        if not diagnostic.fixes or diagnostic.range is None or not touch(diagnostic.range, span):
            continue
        for fix in diagnostic.fixes:
            action: Json = {
                "title": visible(fix.title),
                "kind": "quickfix",
                "diagnostics": _shown(session, diagnostic),
                "edit": server.workspace_edit(session, fix.edits),
            }
            if fix.preferred:
                action["isPreferred"] = True
            found.append(action)
    return found


def _explanations(session: Session, span: Range) -> list[Json]:
    """An explanation of each rule that a range has findings of."""
    touched: dict[str, list[Diagnostic]] = {}
    for diagnostic in session.findings():
        if diagnostic.range is not None and touch(diagnostic.range, span) and explanation(diagnostic.rule) is not None:
            touched.setdefault(diagnostic.rule, []).append(diagnostic)
    return [
        {
            "title": f"Explain {rule}",
            "kind": EXPLAIN,
            "diagnostics": [item for diagnostic in found for item in _shown(session, diagnostic)],
            "command": {"title": f"Explain {rule}", "command": _EXPLAIN_COMMAND, "arguments": [rule]},
        }
        for rule, found in touched.items()
    ]


def _shown(session: Session, diagnostic: Diagnostic) -> list[Json]:
    return list(to_json([diagnostic], session, related=True, tags=True))
