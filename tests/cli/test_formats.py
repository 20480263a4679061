"""Findings in each format: what is said, and that its readers can read it."""

from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from jsonschema import Draft7Validator, FormatChecker
from markdown_it import MarkdownIt

from spvls.cli.formats import json_object, text
from spvls.cli.formats.json_object import as_json
from spvls.cli.formats.text import SHOWN_IN_FULL, as_text
from spvls.cli.formats.workflow import as_command
from spvls.cli.outcome import FORMATS, Entry, Listing, Outcome, Totals, format_named
from spvls.cli.tally import RuleCount, Tally
from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Related, Severity
from spvls.text.lines import split_lines
from tests.cli.conftest import Run
from tests.corpus import FIXTURES
from tests.schemas import published
from tests.validate.fixes import applied

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
    colored = as_text(Listing("a.spvasm", LINES, color=True), FINDING)
    assert "\x1b[1;31merror:\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == as_text(Listing("a.spvasm", LINES), FINDING)


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
    assert json.loads(as_json(Listing("a.spvasm", LINES), FINDING, "f")) == {
        "path": "a.spvasm",
        "module": None,
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
        "source": None,
        "fingerprint": "f",
    }


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_report_of_any_length_is_one_json_object(count: int) -> None:
    report = json.loads("\n".join(json_object.document(iter([_outcome(count), Outcome("b")]), Totals([]))))
    assert len(report["findings"]) == count


def _outcome(count: int, format_: str = "json") -> Outcome:
    """What comes of a file in which one finding is repeated."""
    made = format_named(format_).entry(Listing("a.spvasm", LINES), FINDING, "f")
    return Outcome("a.spvasm", (Entry(FINDING.rule, made),) * count, Tally([FINDING] * count))


def _document(format_: str, *outcomes: Outcome) -> str:
    """A whole report, the totals counted along."""
    totals = Totals([])

    def counted() -> Iterator[Outcome]:
        for outcome in outcomes:
            totals.add(outcome)
            yield outcome

    return "\n".join(format_named(format_).document(counted(), totals)) + "\n"


def test_findings_that_repeat_a_rule_come_after_the_others_a_line_each() -> None:
    found = Diagnostic("x/y", Severity.ERROR, "m")
    other = Outcome("b", (Entry("x/y", "b:1:1: error: m [x/y]\n    1 | line"),), Tally([found]))
    lines = _document("text", _outcome(SHOWN_IN_FULL + 2, "text"), other).split("\n")
    first = as_text(Listing("a.spvasm", LINES), FINDING).split("\n")[0]
    assert lines.count(first) == SHOWN_IN_FULL + 2
    heading = lines.index("ssa/unique-definition, 2 more:")
    assert lines[heading + 1 : heading + 3] == [first, first]
    assert lines.index("b:1:1: error: m [x/y]") < heading
    assert _document("text", _outcome(SHOWN_IN_FULL, "text")).count("more:") == 0


def test_many_findings_are_summed_up_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = _document("text", _outcome(text.SUMMARIZED + 1, "text"))
    assert shown.endswith("\n\n6  error  ssa/unique-definition\n6 errors in 1 file\n")
    assert _document("text", _outcome(text.SUMMARIZED, "text")).endswith("fix: Rename it\n5 errors in 1 file\n")


def test_the_summary_by_rule_fits_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    findings = [Diagnostic("syntax/unknown-opcode", Severity.ERROR, "m", fixes=FINDING.fixes)] * 6
    totals = Totals([])
    totals.add(Outcome("a", tally=Tally(findings)))
    (line,) = text.by_rule(totals)
    assert line.startswith("6  error  syntax/unknown-opcode  An instruction") and line.endswith("…") and len(line) == 60


def test_github() -> None:
    assert as_command(Listing("dir,1/a.spvasm", LINES), FINDING) == (
        "::error file=dir%2C1/a.spvasm,title=ssa/unique-definition,line=3,endLine=3,col=1,endColumn=2"
        "::%25a is defined: twice, 100%25 sure"
    )
    wide = Diagnostic("syntax/string", Severity.WARNING, "open\nstring", Range(Position(0, 4), Position(2, 0)))
    assert as_command(Listing("a", LINES), wide) == "::warning file=a,title=syntax/string,line=1,endLine=3::open%0Astring"
    bare = Diagnostic("id/x", Severity.HINT, "what", instruction=4)
    assert as_command(Listing("a.spv", []), bare) == "::notice file=a.spv,title=id/x::instruction 4: what"


def test_tallies() -> None:
    tally = Tally(Diagnostic("x/y", severity, "m") for severity in Severity)
    tally.add(Tally([Diagnostic("x/z", Severity.WARNING, "m", fixes=(Fix("f", ()),))]))
    assert str(tally) == "1 error, 2 warnings, 1 information, 1 hint"
    assert tally.by_rule()[:3] == [
        RuleCount("x/y", Severity.ERROR, 1, 0),
        RuleCount("x/y", Severity.WARNING, 1, 0),
        RuleCount("x/z", Severity.WARNING, 1, 1),
    ]
    assert str(Tally()) == "no findings"


# SARIF


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with faulty texts and a binary, one of them of a hostile name."""
    folder = tmp_path_factory.mktemp("faulty")
    for path in FIXTURES.glob("faulty/*"):
        shutil.copy(path, folder)
    for path in (path for name in ("interface", "block-layout", "module") for path in FIXTURES.glob(f"rules/{name}/*")):
        shutil.copy(path, folder / f"{path.parent.name}-{path.name}")
    (folder / "a b#[x](y)%41.spvasm").write_text('OpCapability Shader\n; ä𝄞\n%ä = OpStor "ä𝄞 ##[x]" %"\n')
    shutil.copy(FIXTURES / "binaries" / "structure.frag.spv", folder / "a.spv")
    return folder


def test_sarif_is_valid(run: Run, faulty: Path) -> None:
    report = json.loads(run("lint", "--format", "sarif", faulty, "missing").out)
    Draft7Validator(published("https://json.schemastore.org/sarif-2.1.0.json"), format_checker=FormatChecker()).validate(report)
    (found,) = report["runs"]
    results = found["results"]
    assert {"fixes", "relatedLocations"} <= {key for result in results for key in result}
    driver = found["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == sorted({result["ruleId"] for result in results})
    assert all(rule["help"]["markdown"] and rule["shortDescription"]["text"] for rule in driver["rules"])
    (invocation,) = found["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "missing: no such file or directory"


def test_sarif_says_what_json_says(run: Run, faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(faulty)
    results = json.loads(run("lint", "--format", "sarif", ".").out)["runs"][0]["results"]
    findings = json.loads(run("lint", "--format", "json", ".").out)["findings"]
    assert len(results) == len(findings) > 50
    for result, finding in zip(results, findings, strict=True):
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert (result["ruleId"], unquote(physical["artifactLocation"]["uri"])) == (finding["rule"], finding["path"])
        assert result["partialFingerprints"]["spvls/v1"] == finding["fingerprint"]
        assert len(result.get("relatedLocations", ())) == len(finding["related"])
        assert len(result.get("fixes", ())) == len(finding["fixes"])
        place = finding["range"]
        if place is None:
            assert "region" not in physical
            continue
        region = physical["region"]
        assert (region["startLine"], region["startColumn"]) == (place["start"]["line"] + 1, place["start"]["column"] + 1)
        assert (region["endLine"], region["endColumn"]) == (place["end"]["line"] + 1, place["end"]["column"] + 1)


def test_a_file_outside_of_the_folder_has_an_absolute_address(run: Run, faulty: Path) -> None:
    (result, *_) = json.loads(run("lint", "--format", "sarif", faulty / "ids.comp.spvasm").out)["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (faulty / "ids.comp.spvasm").resolve().as_uri()


# Fingerprints


def test_fingerprints_stay_when_lines_move(run: Run) -> None:
    source = (FIXTURES / "faulty" / "numbers.spvasm").read_text()
    Path("a.spvasm").write_text(source)
    Path("b.spvasm").write_text("; more\n\n" + source.replace("%byte =", "   %byte  ="))
    before, after = ([f["fingerprint"] for f in json.loads(run("lint", "--format=json", name).out)["findings"]] for name in ("a.spvasm", "b.spvasm"))
    assert sorted(before) == sorted(after)
    assert len(set(before)) == len(before) == 8


def test_fingerprints_of_findings_alike_differ(run: Run) -> None:
    Path("a.spvasm").write_text("OpNopp\n" * 3)
    found = json.loads(run("lint", "--format=json", "a.spvasm").out)["findings"]
    assert len({finding["fingerprint"] for finding in found}) == len(found) > 2


# Other formats


def test_junit_counts_its_cases(run: Run, faulty: Path) -> None:
    shutil.copy(FIXTURES / "shaders" / "transform.vert.spvasm", "good.spvasm")
    done = run("lint", "--format", "junit", faulty, "good.spvasm", "missing")
    root = ElementTree.fromstring(done.out)
    suites = root.findall("testsuite")
    for element in (root, *suites):
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(element.attrib[attribute]) == len(list(element.iter(tag)))
    by_name = {suite.attrib["name"]: suite for suite in suites}
    assert int(by_name["good.spvasm"].attrib["failures"]) == 0
    assert len(list(by_name["missing"].iter("error"))) == 1
    assert any("[x](y)" in name for name in by_name)


def test_gitlab_tells_issues_apart(run: Run, faulty: Path) -> None:
    shutil.copytree(faulty, "copy")
    issues = json.loads(run("lint", "--format", "gitlab", faulty, "copy").out)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) > 100
    for issue in issues:
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert issue["description"] and issue["check_name"]
        assert not issue["location"]["path"].startswith("./")
        assert issue["location"]["lines"]["begin"] >= 1


def test_the_suggestions_of_rdjson_are_the_sure_fixes(run: Run, faulty: Path) -> None:
    count = 0
    report = json.loads(run("lint", "--format", "rdjson", faulty).out)
    findings = json.loads(run("lint", "--format", "json", faulty).out)["findings"]
    for entry, finding in zip(report["diagnostics"], findings, strict=True):
        sure = [fix for fix in finding["fixes"] if fix["preferred"]]
        for suggestion, fix in zip(entry.get("suggestions", []), sure, strict=True):
            data = Path(finding["path"]).read_bytes()
            lines = data.splitlines(keepends=True)
            offsets = [sum(map(len, lines[: place["line"] - 1])) + place["column"] - 1 for place in suggestion["range"].values()]
            replaced = data[: offsets[0]] + suggestion["text"].encode() + data[offsets[1] :]
            edits = [Edit(Range(*(Position(**edit["range"][end]) for end in ("start", "end"))), edit["text"]) for edit in fix["edits"]]
            assert replaced == applied(data.decode(), edits).encode()
            count += 1
    assert count > 10


def test_a_message_in_rdjson_is_no_markdown(run: Run, faulty: Path) -> None:
    Path("a.spvasm").write_text("OpFoo![x](http://example.com)<b>@someone\n")
    for entry in json.loads(run("lint", "--format", "rdjson", "a.spvasm", faulty).out)["diagnostics"]:
        tokens = {token.type for inline in MarkdownIt("commonmark").parse(entry["message"]) for token in inline.children or ()}
        assert tokens <= {"text", "code_inline", "softbreak"}, entry["message"]


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_goes_to_a_file_as_it_is_printed(run: Run, faulty: Path, format_: str) -> None:
    printed = run("lint", "--format", format_, faulty)
    written = run("lint", "--format", format_, faulty, "--output", "report", terminal=True)
    assert (written.code, written.out) == (printed.code, "") == (1, "")
    assert Path("report").read_text() == printed.out


def test_a_report_is_written_whole_or_not_at_all(run: Run, faulty: Path) -> None:
    done = run("lint", faulty, "--output", "no/report")
    assert done.code == 2
    assert "no/report: no such file or directory" in done.err

