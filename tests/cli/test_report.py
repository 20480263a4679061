"""Findings as text, as JSON, as commands of GitHub."""

from __future__ import annotations

import json
import re

from spvls.cli.report import Listing, Tally, as_github, as_json, as_text, json_document
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity
from spvls.text.lines import split_lines

LINES = split_lines("%a = OpTypeVoid\n%b = OpTypeVoid ; twice\n%a = OpTypeVoid\n")
PLACE = Range(Position(2, 0), Position(2, 2))
FINDING = Diagnostic(
    "ssa/unique-definition",
    Severity.ERROR,
    "%a is defined: twice, 100% sure",
    PLACE,
    3,
    "VUID-Example-00001",
    (Related(Range(Position(0, 0), Position(0, 2)), "first here"),),
    (Fix("Rename it", (Edit(PLACE, "%c"),), preferred=False),),
    ("unnecessary",),
)


def test_text() -> None:
    assert as_text(Listing("a.spvasm", LINES), FINDING) == (
        "a.spvasm:3:1: error: %a is defined: twice, 100% sure [ssa/unique-definition, VUID-Example-00001]\n"
        "    3 | %a = OpTypeVoid\n"
        "      | ^^\n"
        "a.spvasm:1:1: note: first here\n"
        "    1 | %a = OpTypeVoid\n"
        "      | ^^\n"
        "      fix: Rename it"
    )


def test_colours_change_nothing_but_the_colour() -> None:
    coloured = as_text(Listing("a.spvasm", LINES, colour=True), FINDING)
    assert "\x1b[1;31merror:\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == as_text(Listing("a.spvasm", LINES), FINDING)


def test_a_finding_of_a_binary_shows_the_instruction_as_it_is_listed() -> None:
    finding = Diagnostic("id/x", Severity.WARNING, "what", instruction=2)
    listing = Listing("a.spv", split_lines('%1 = OpString "x\ny"\nOpNop\n'), [0, 2])
    assert as_text(listing, finding) == "a.spv: instruction 2: warning: what [id/x]\n      | OpNop\n      | ^^^^^"


def test_a_finding_of_a_whole_module_is_one_line() -> None:
    finding = Diagnostic("layout/x", Severity.HINT, "what")
    assert as_text(Listing("a.spv", [], []), finding) == "a.spv: hint: what [layout/x]"


def test_messages_cannot_reach_the_terminal() -> None:
    finding = Diagnostic("syntax/x", Severity.ERROR, "no \x1b[2J", PLACE)
    assert "\x1b" not in as_text(Listing("a", LINES), finding)


def test_json_says_all_there_is() -> None:
    assert json.loads(as_json(Listing("a.spvasm", LINES), FINDING)) == {
        "path": "a.spvasm",
        "rule": "ssa/unique-definition",
        "severity": "error",
        "message": "%a is defined: twice, 100% sure",
        "range": {"start": {"line": 2, "column": 0}, "end": {"line": 2, "column": 2}},
        "instruction": 3,
        "vuid": "VUID-Example-00001",
        "related": [
            {"range": {"start": {"line": 0, "column": 0}, "end": {"line": 0, "column": 2}}, "message": "first here"}
        ],
        "fixes": [
            {
                "title": "Rename it",
                "preferred": False,
                "edits": [{"range": {"start": {"line": 2, "column": 0}, "end": {"line": 2, "column": 2}}, "text": "%c"}],
            }
        ],
        "tags": ["unnecessary"],
    }


def test_a_report_of_any_length_is_one_json_object() -> None:
    for count in (0, 1, 3):
        entries = [as_json(Listing("a", LINES), FINDING)] * count
        report = json.loads("\n".join(json_document(entries, lambda: {"errors": 7})))
        assert len(report["findings"]) == count
        assert report["errors"] == 7


def test_github() -> None:
    assert as_github(Listing("dir,1/a.spvasm", LINES), FINDING) == (
        "::error file=dir%2C1/a.spvasm,title=ssa/unique-definition,line=3,endLine=3,col=1,endColumn=2"
        "::%25a is defined: twice, 100%25 sure"
    )
    wide = Diagnostic("syntax/string", Severity.WARNING, "open\nstring", Range(Position(0, 4), Position(2, 0)))
    assert as_github(Listing("a", LINES), wide) == "::warning file=a,title=syntax/string,line=1,endLine=3::open%0Astring"
    bare = Diagnostic("id/x", Severity.HINT, "what", instruction=4)
    assert as_github(Listing("a.spv", []), bare) == "::notice file=a.spv,title=id/x::instruction 4: what"


def test_tallies() -> None:
    findings = [Diagnostic("x/y", severity, "m") for severity in Severity]
    assert str(Tally.of(findings).plus(Tally(0, 1))) == "1 error, 2 warnings, 2 hints"
    assert str(Tally()) == "no findings"
