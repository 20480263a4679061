"""Findings as SARIF 2.1.0, the Static Analysis Results Interchange Format, for code scanning."""

from __future__ import annotations

import os
from collections.abc import Iterator
from urllib.parse import quote

import spvls
from spvls.cli.fingerprint import NAME
from spvls.cli.formats.json_object import separated
from spvls.cli.markdown import WIDTH, render
from spvls.cli.outcome import Format, Listing, Outcome, Totals, local_path, numbered
from spvls.diagnostic import Diagnostic, Fix, Range, Severity, SourceLine
from spvls.ide.documentation.rule_page import page_of_rule
from spvls.text.escaping import json_text, notification
from spvls.typed import Any
from spvls.validate.engine.explanation import explanation
from spvls.validate.engine.rule import find_rule
from spvls.validate.engine.rule_markdown import page_markdown

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def as_result(listing: Listing, finding: Diagnostic, fingerprint: str) -> str:
    """A finding as a `result` (3.27)."""
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS.get(finding.severity, "note"),
        "message": _message(numbered(finding)),
        "locations": [_location(listing, finding.range, finding.instruction)],
        "partialFingerprints": {NAME: fingerprint},
    }
    others = [(related.message, _location(listing, related.range)) for related in finding.related]
    if finding.source is not None:
        others.append((f"the instruction comes from {finding.source.place}", _source_location(finding.source)))
    if others:
        result["relatedLocations"] = [
            {"id": number, "message": _message(message), **place} for number, (message, place) in enumerate(others, 1)
        ]
    if finding.fixes:
        result["fixes"] = [_fix(listing, fix) for fix in finding.fixes]
    tags = [*finding.tags, *([finding.vuid] if finding.vuid is not None else [])]
    if tags:
        result["properties"] = {"tags": tags}
    return json_text(result)


def document(outcomes: Iterator[Outcome], totals: Totals) -> Iterator[str]:
    """A log with one run (3.14): the results, one a line, then the tool with the rules that they are of."""
    head = {"$schema": SCHEMA, "version": "2.1.0"}
    yield f'{json_text(head)[:-1]}, "runs": [{{"columnKind": "unicodeCodePoints", "results": ['
    yield from separated(entry.text for outcome in outcomes for entry in outcome.entries)
    driver = {
        "name": "spvls",
        "semanticVersion": spvls.__version__,
        "rules": [_rule(name) for name in sorted({found.rule for found in totals.tally.by_rule()})],
    }
    failures = [{"level": "error", "message": _message(failure)} for failure in totals.failures]
    invocation = {"executionSuccessful": not failures, "toolExecutionNotifications": failures}
    yield f"], {json_text({'tool': {'driver': driver}, 'invocations': [invocation]})[1:]}]}}"


def uri_of(path: str) -> str:
    """The address of a file from the working directory on, or from the root where it does not lie below that."""
    local = local_path(path)
    if os.path.isabs(local) or local.startswith(os.pardir):
        return f"file://{_quoted(os.path.abspath(path))}"
    return _quoted(local)


def _quoted(path: str) -> str:
    return quote(os.fsencode(path).replace(os.fsencode(os.sep), b"/"))


def _rule(name: str) -> dict[str, Any]:
    """What is to be known of a rule (3.49)."""
    found = explanation(name)
    described: dict[str, Any] = {"id": name}
    if found is None:
        return described
    page = page_markdown(found)
    shown = {"text": render(page, WIDTH, color=False), "markdown": page}
    described |= {"shortDescription": {"text": found.title}, "help": shown}
    known = find_rule(name)
    if known is not None:
        described["defaultConfiguration"] = {"level": _LEVELS.get(known.severity, "note")}
        described["properties"] = {"tags": sorted({name.partition("/")[0], *known.apis})}
    address = page_of_rule(name)
    return described if address is None else {**described, "helpUri": address}


def _location(listing: Listing, place: Range | None, instruction: int | None = None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri_of(listing.path)}}
    if place is not None:
        return {"physicalLocation": {**physical, "region": _region(place)}}
    if instruction is None:
        return {"physicalLocation": physical}
    return {"physicalLocation": physical, "logicalLocations": [{"name": f"instruction {instruction}"}]}


def _source_location(source: SourceLine) -> dict[str, Any]:
    """A line of a source by the name that the module has for it, with its text (3.29.13) where the module carries it."""
    region: dict[str, Any] = {"startLine": source.line}
    if source.column:
        region["startColumn"] = source.column
    if source.text is not None:
        region["snippet"] = {"text": source.text}
    name = quote(source.file.replace("\\", "/").encode("utf-8", "surrogatepass"))
    return {"physicalLocation": {"artifactLocation": {"uri": name}, "region": region}}


def _region(place: Range) -> dict[str, int]:
    (line, column), (end_line, end_column) = place
    return {"startLine": line + 1, "startColumn": column + 1, "endLine": end_line + 1, "endColumn": end_column + 1}


def _fix(listing: Listing, fix: Fix) -> dict[str, Any]:
    replacements = [{"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.text}} for edit in fix.edits]
    change = {"artifactLocation": {"uri": uri_of(listing.path)}, "replacements": replacements}
    return {"description": _message(fix.title), "artifactChanges": [change], "properties": {"sure": fix.preferred}}


def _message(text: str) -> dict[str, str]:
    """A message (3.11), in which a viewer would make links of `[text](address)`."""
    return {"text": notification(text)}


FORMAT = Format(as_result, document, fingerprints=True)
