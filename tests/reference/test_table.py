"""The table of sites is whole, and takes what modules reach."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from spvls.validate.engine.explanation import explained
from tests.corpus import ROOT
from tests.reference.__main__ import _fault
from tests.reference.adoption import wanted, write_witnesses
from tests.reference.cases import Case, own_cases, recorded_cases
from tests.reference.inventory import Meeting, adopted, filled, kind_of
from tests.reference.sites import Site
from tests.reference.table import TABLE, Row, counts, read_table, write_table

KEY = re.compile(r"[\w/]+\.(?:cpp|h):[\w:]+:[0-9a-f]{8}(?::\d+)?")
KINDS = {"universal", "vulkan", "opencl", "opengl", "text"}
ROWS = list(read_table().values())
OWN = {case.name: case for case in own_cases()}


def test_the_table_is_written_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sites.tsv"
    write_table(ROWS, path)
    assert path.read_bytes() == TABLE.read_bytes()


def test_rows_name_sites_environments_and_rules_that_there_are() -> None:
    assert [row.site for row in ROWS if not KEY.fullmatch(row.site)] == []
    assert {kind for row in ROWS for kind in row.environments} <= KINDS
    assert {rule for row in ROWS for rule in row.rules} <= {*explained()}


def test_witnesses_are_modules_of_the_project() -> None:
    assert {row.witness for row in ROWS if row.witness} <= {*OWN}
    assert [row.site for row in ROWS if row.witness and not row.rules] == []


def test_reasons_name_differences_that_there_are() -> None:
    modules = {path.stem for path in (Path(__file__).parent / "differences").glob("*.spvasm")}
    named = {name for row in ROWS for name in row.differences}
    assert named
    assert named <= modules


@pytest.mark.parametrize("line", ["a.cpp:f:00000000\tvulkan", "a.cpp:f:00000000\t\t\t\t\t"])
def test_a_line_that_is_no_row_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "sites.tsv"
    path.write_text(TABLE.read_text("utf-8").partition("\n")[0] + "\n" + line + "\n", "utf-8")
    with pytest.raises(ValueError, match=r"sites\.tsv:2"):
        read_table(path)


def test_own_cases_are_files_of_the_project() -> None:
    assert all((ROOT / case.name.partition("#")[0]).is_file() and case.own for case in OWN.values())


def test_recorded_cases_are_read_in_either_order_of_octets(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"id": "a", "env": "spv1.3", "words": "0723020300010000"}\n'
        '{"key": "b", "env": "vulkan1.1", "words": "0302230700000100", "options": {"max-id-bound": 9}}\n'
        '{"id": "c", "text": "OpNop"}\n'
        '{"id": "d", "file": "gone"}\n'
    )
    found = list(recorded_cases(path))
    assert [case.name for case in found] == ["cases.jsonl#a", "cases.jsonl#b", "cases.jsonl#c"]
    assert found[0].module == found[1].module == bytes.fromhex("0302230700000100")
    assert (found[1].env, found[1].options) == ("vulkan1.1", {"max_id_bound": 9})


def _met(
    name: str, rules: tuple[str, ...], *, own: bool = True, kinds: tuple[str, ...] = ("universal",), text: str = "x"
) -> Meeting:
    return Meeting(Case(name, text, "spv1.6", own=own), "a.cpp:f:0", ("a.cpp:g:0",), kinds, rules, 1, "", "wrong")


def test_a_row_takes_rules_environments_and_the_witness_that_fits_best() -> None:
    rows = adopted({}, [Site(key, "a.cpp", key[6], 1, 1) for key in ("a.cpp:f:0", "a.cpp:g:0", "a.cpp:h:0")])
    meetings = [
        _met("tests/short", ("b/c", "d/e"), text=""),
        _met("fixtures/rules/b/c.spvasm", ("b/c",), kinds=("vulkan",)),
        _met("other", ("b/c",), own=False),
        _met("tests/elsewhere", ()),
    ]
    first, second, third = filled(rows, meetings)
    assert first == Row("a.cpp:f:0", ("universal", "vulkan"), ("b/c", "d/e"), "fixtures/rules/b/c.spvasm")
    assert (second.rules, second.witness) == (first.rules, first.witness)
    assert third == Row("a.cpp:h:0")


def test_what_a_row_says_already_stays() -> None:
    row = Row("a.cpp:f:0", ("opencl",), ("x/y",), "fixtures/a.spvasm", "a note")
    (again,) = filled([row], [_met("tests/short", ("b/c",))])
    assert again == Row("a.cpp:f:0", ("opencl", "universal"), ("x/y",), "fixtures/a.spvasm", "a note")


def test_a_module_that_is_not_the_projects_is_no_witness() -> None:
    (row,) = filled([Row("a.cpp:f:0")], [_met("other", ("b/c",), own=False)])
    assert (row.rules, row.witness) == (("b/c",), "")


def test_mutants_are_wanted_for_sites_without_a_witness() -> None:
    rows = {row.site: row for row in (Row("a"), Row("b", witness="w"), Row("c", note="unreachable: never"))}
    entries = [
        {"site": site, "own": own, "words": words}
        for site, own, words in (
            ("a", True, "0102"),
            ("a", True, "01"),
            ("a", False, ""),
            ("b", True, "01"),
            ("c", True, "01"),
            ("d", True, ""),
        )
    ]
    assert wanted(entries, rows) == {"a": entries[1]}


def test_witnesses_are_put_to_those_that_there_are(tmp_path: Path) -> None:
    folder = tmp_path / "witnesses"
    assert write_witnesses({"val/a_b.cpp:g": "; spvls: target-env=vulkan1.1\n    OpNop\n"}, folder) == 1
    assert write_witnesses({"val/a_b.cpp:f": "    OpNop\n", "val/a_b.cpp:g": "    OpKill\n", "c.cpp:f": "    OpNop\n"}, folder) == 2
    assert {path.name for path in folder.iterdir()} == {"a-b.spvasm", "c.spvasm"}
    assert (folder / "a-b.spvasm").read_text() == (
        "//--- val/a_b.cpp:f\n    OpNop\n\n//--- val/a_b.cpp:g\n; spvls: target-env=vulkan1.1\n    OpNop\n"
    )


def test_why_a_module_is_no_witness() -> None:
    row = Row("a.cpp:f:0", rules=("b/c",), witness="w")
    assert _fault(row, _met("w", ("b/c", "d/e"))) == ""
    assert _fault(row, replace(_met("w", ("b/c",)), site="a.cpp:h:0", checks=())) == "is refused at a.cpp:h:0"
    assert _fault(row, _met("w", ("d/e",))) == "has d/e at that place, not b/c"
    assert _fault(row, None) == "is not refused, or is not a module of the project"


def test_counts_are_by_file_and_of_all() -> None:
    rows = [
        Row("a.cpp:f:0", witness="w", rules=("b/c",)),
        Row("a.cpp:g:0", rules=("b/c",)),
        Row("b.cpp:f:0", note="unreachable: the parser refuses it before"),
        Row("b.cpp:g:0", rules=("b/c",), note="differs: clusters-of-15"),
    ]
    assert counts(rows) == [("a.cpp", 2, 1, 0, 1), ("b.cpp", 2, 0, 2, 0), ("all", 4, 1, 2, 1)]


def test_kinds_of_environments() -> None:
    assert [kind_of(name) for name in ("spv1.0", "vulkan1.2", "opencl2.0", "opengl4.5")] == [
        "universal",
        "vulkan",
        "opencl",
        "opengl",
    ]
