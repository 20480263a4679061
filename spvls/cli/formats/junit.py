"""Findings as a report of tests in the XML of JUnit: a suite for each file, a failed case for each finding."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.cli.excerpt import place_of
from spvls.cli.outcome import Format, Listing, Outcome, Totals, numbered
from spvls.diagnostic import Diagnostic
from spvls.text.escaping import xml_element, xml_text


def as_case(listing: Listing, finding: Diagnostic, _fingerprint: str) -> str:
    """A finding as a failed case."""
    line = listing.line_of(finding)
    place = f":{place_of(finding.range.start)}" if finding.range is not None else ""
    source = listing.lines[line].strip() if line is not None else ""
    kind = {"type": finding.severity.value, "message": numbered(finding)}
    failure = xml_element("failure", kind, xml_text(f"{listing.path}{place}: {source}"))
    return xml_element("testcase", {"classname": listing.path, "name": f"{finding.rule}{place}"}, failure)


def document(outcomes: Iterator[Outcome], totals: Totals) -> Iterator[str]:
    """The suites, under their counts; a file without findings is a suite with one case, which passed."""
    files = list(outcomes)
    tests = sum(max(1, len(outcome.entries)) for outcome in files)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    counts = {"tests": str(tests), "failures": str(totals.tally.total), "errors": str(len(totals.failures))}
    yield xml_element("testsuites", {"name": "spvls lint", **counts}, *map(_suite, files))


def _suite(outcome: Outcome) -> str:
    cases = [entry.text for entry in outcome.entries]
    case = {"classname": outcome.path, "name": "lint"}
    if outcome.failure is not None:
        cases = [xml_element("testcase", case, xml_element("error", {"message": outcome.failure}))]
    elif not cases:
        cases = [xml_element("testcase", case)]
    failed = len(outcome.entries)
    errors = str(int(outcome.failure is not None))
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": errors}
    return xml_element("testsuite", {"name": outcome.path, **counts}, *cases)


FORMAT = Format(as_case, document)
