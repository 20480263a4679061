"""Findings of a module of a host text, at their places in the host."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity
from spvls.host.host_text import HostText
from spvls.host.span import Form, ModuleSpan, Placement
from spvls.text.lines import content_length
from spvls.text.pattern import pattern

UNCLOSED = "host/unclosed-block"

# What a host puts text in the place of: `${name}`, `$name`, `{}`, `{name}`, `@name@`.
_PLACEHOLDER = pattern(r"\$\{|\$\w|\{\w*\}|@\w+@")


def in_host(found: Iterable[Diagnostic], host: HostText, span: ModuleSpan, text: str) -> list[Diagnostic]:
    """The findings of the module with this text that hold for what it is in its host, at their places there."""
    kept = holding(found, span, text)
    if not span.is_closed:
        return [unclosed(host, span)]
    if not span.quoted and span.first == 0 and span.column == 0:
        return list(kept)
    placement = host.placement(span)
    return [placed(diagnostic, placement) for diagnostic in kept]


def holding(found: Iterable[Diagnostic], span: ModuleSpan, text: str) -> Iterable[Diagnostic]:
    """The findings of the module with this text that hold for what it is in its host."""
    if span.form is Form.DIALECT or not span.is_closed:
        return ()
    return _of_fragment(found, span, text) if span.form is Form.FRAGMENT else found


def unclosed(host: HostText, span: ModuleSpan) -> Diagnostic:
    """The finding about a block that is not closed, at the line of the host that opens it."""
    line = max(span.first - 1, 0) if span.column == 0 else span.first
    where = Range(Position(line, 0), Position(line, content_length(host.lines[line])))
    return Diagnostic(
        UNCLOSED, Severity.WARNING, "the file ends before this block is closed; until it is, it is not validated", where
    )


def placed(diagnostic: Diagnostic, placement: Placement) -> Diagnostic:
    """A finding of a module at its place in the host."""
    to_range = placement.to_host_range
    return diagnostic._replace(
        range=to_range(diagnostic.range) if diagnostic.range is not None else None,
        related=tuple(Related(to_range(related.range), related.message) for related in diagnostic.related),
        fixes=tuple(
            Fix(fix.title, tuple(placed_edit(edit, placement) for edit in fix.edits), fix.preferred) for fix in diagnostic.fixes
        ),
    )


def placed_edit(edit: Edit, placement: Placement) -> Edit:
    """An edit of a module as one of its host."""
    return Edit(placement.to_host_range(edit.range), placement.to_host_text(edit.text))


def _of_fragment(found: Iterable[Diagnostic], span: ModuleSpan, text: str) -> Iterable[Diagnostic]:
    """The findings that hold for a part of a module: those of the syntax of lines that are surely whole."""
    lines = text.splitlines(keepends=True) or [""]
    last = len(lines) - 1 if not lines[-1].endswith("\n") else len(lines)
    for diagnostic in found:
        if not diagnostic.rule.startswith("syntax/") or diagnostic.range is None:
            continue
        start, end = diagnostic.range.start.line, diagnostic.range.end.line
        if span.is_joined and (start == 0 or end >= last):
            continue
        if not any(_PLACEHOLDER.search(line) for line in lines[start : end + 1]):
            yield diagnostic
