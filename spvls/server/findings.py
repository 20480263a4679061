"""Findings in the protocol's terms."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Diagnostic, Position, Range, Severity, SourceLine
from spvls.ide.documentation.rule_page import page_of
from spvls.server.convert import Converter, Json
from spvls.server.session import Session
from spvls.server.source_documents import place_of_source
from spvls.text.encoding import ColumnCodec
from spvls.text.escaping import visible

SOURCE = "spvls"

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFORMATION: 3, Severity.HINT: 4}
_TAGS = {"unnecessary": 1, "deprecated": 2}
_TOP = Range(Position(0, 0), Position(0, 0))


def to_json(found: list[Diagnostic], session: Session, *, related: bool, tags: bool, contents: bool = False) -> Iterator[Json]:
    """Findings of a document as plain JSON; `related`, `tags` and `contents` say whether the client knows what to do with these,
    the last with documents that the server makes."""
    uri, to_range = session.uri, session.convert.to_range
    for diagnostic in found:
        item: Json = {
            "range": to_range(diagnostic.range or _TOP),
            "severity": _SEVERITIES[diagnostic.severity],
            "code": diagnostic.rule,
            "source": SOURCE,
            "message": visible(message_of(diagnostic)),
        }
        page = page_of(session.source_module, diagnostic)
        if page is not None:
            item["codeDescription"] = {"href": page}
        if tags and diagnostic.tags:
            item["tags"] = [_TAGS[tag] for tag in diagnostic.tags]
        if related and (diagnostic.related or diagnostic.source):
            others = item["relatedInformation"] = [
                {"location": {"uri": uri, "range": to_range(other.range)}, "message": visible(other.message)}
                for other in diagnostic.related
            ]
            if diagnostic.source is not None:
                place = place_of_source(session, diagnostic.source) if contents and diagnostic.source.text is not None else None
                others.append(
                    {"location": place or {"uri": uri, "range": item["range"]}, "message": _compiled_from(diagnostic.source)}
                )
        yield item


def _compiled_from(line: SourceLine) -> str:
    text = f": {line.text.strip()}" if line.text is not None else ""
    return visible(f"compiled from {line.place}{text}")


def config_json(problem: Diagnostic, lines: list[str], codec: ColumnCodec) -> Json:
    """What is wrong with a configuration of these lines, as plain JSON."""
    return host_json(problem, Converter(codec, lines))


def host_json(problem: Diagnostic, convert: Converter) -> Json:
    """A finding about a text that is not a module, as plain JSON."""
    return placed_json(problem, convert.to_range(problem.range or _TOP))


def placed_json(problem: Diagnostic, place: Json) -> Json:
    """A finding at a range of the client, as plain JSON."""
    return {
        "range": place,
        "severity": _SEVERITIES[problem.severity],
        "code": problem.rule,
        "source": SOURCE,
        "message": visible(problem.message),
    }


def message_of(diagnostic: Diagnostic) -> str:
    """The message, with the valid-usage id that it is about."""
    return diagnostic.message if diagnostic.vuid is None else f"{diagnostic.message} ({diagnostic.vuid})"
