"""Marks are read as they are written, and a finding elsewhere, or another one, is not what is marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validate.cases import Frame, Mark, cases_in, found_in, marks, replace_case, settings, with_marks

HEAD = """\
; spvls: target-env=spv1.3
; options: max_struct_members=2 scalar_block_layout=true
    OpCapability Shader
    OpCapability Linkage
    OpMemoryModel Logical GLSL450
    %float = OpTypeFloat 32
"""
FAULTY = f"""{HEAD}
    %s = OpTypeStruct %float %float %float
;   ^^ error: type/struct-members-are-within-limit
    %v = OpTypeVector %float 9
    ;                        ^ error: type/vector-has-2-to-4-components
"""


def test_settings() -> None:
    assert settings(FAULTY).options == {"max_struct_members": 2, "scalar_block_layout": True}
    assert settings("; assemble: spv1.6\n").assemble == "spv1.6"
    assert settings("; revealed: a/b c/d\n").revealed == {"a/b", "c/d"}
    assert settings("    OpNop\n; options: max_struct_members=2\n").options == {}


def test_carets_stand_below_what_they_are_about() -> None:
    assert [*marks(FAULTY)] == [
        Mark(7, 4, 6, "error", "type/struct-members-are-within-limit"),
        Mark(9, 29, 30, "error", "type/vector-has-2-to-4-components"),
    ]


def test_several_on_one_line() -> None:
    text = "    OpNop\n    ;  ^ error: a/b\n    ;^ warning: c/d\n"
    assert [*marks(text)] == [Mark(0, 7, 8, "error", "a/b"), Mark(0, 5, 6, "warning", "c/d")]


def test_without_carets_it_is_the_instruction_or_the_module() -> None:
    assert [*marks("; a comment.\n; error: a/b\n    OpNop\n    ; hint: c/d\n")] == [
        Mark(None, None, None, "error", "a/b"),
        Mark(2, None, None, "hint", "c/d"),
    ]


def _agree(text: str) -> bool:
    return {*marks(text)} == {mark for mark, _ in found_in(text)}


def test_the_findings_are_those_that_are_marked() -> None:
    assert _agree(f"{HEAD}    %t = OpTypeStruct %float %float\n")
    assert _agree(FAULTY)


@pytest.mark.parametrize(
    ("mark", "holds"),
    [
        (";                        ^ error: type/vector-has-2-to-4-components", True),
        (";                       ^ error: type/vector-has-2-to-4-components", False),
        (";                        ^^ error: type/vector-has-2-to-4-components", False),
        (";                        ^ warning: type/vector-has-2-to-4-components", False),
        (";                        ^ error: type/vector-width", False),
        ("; error: type/vector-has-2-to-4-components", False),
        ("", False),
    ],
)
def test_a_mark_is_exact(mark: str, holds: bool) -> None:
    assert _agree(f"{HEAD}    %v = OpTypeVector %float 9\n    {mark}\n") is holds


def test_a_binary_is_checked_where_that_is_asked_for() -> None:
    header = "; spvls: target-env=vulkan1.2\n; assemble: spv1.6\n"
    found = found_in(f"{header}    OpCapability Shader\n    OpMemoryModel Logical GLSL450\n")
    assert Mark(None, None, None, "error", "module/version-fits-environment") in [mark for mark, _ in found]
    refused = found_in("; assemble: spv1.6\n    OpNop 1\n")
    assert [mark for mark, _ in refused] == [Mark(1, 10, 11, "error", "syntax/surplus-operand")]


def test_requirements_follow_in_parentheses() -> None:
    assert marks("    OpNop\n    ;^^ error: a/b (c/d e/f)\n    ; hint: g/h\n") == {
        Mark(0, 5, 7, "error", "a/b"): ("c/d", "e/f"),
        Mark(0, None, None, "hint", "g/h"): (),
    }


def _updated(text: str) -> str:
    return with_marks(text, {mark for mark, _ in found_in(text)}, lambda rule: ("x/y",) if rule.startswith("type/struct") else ())


def test_marks_are_written_where_they_are_read() -> None:
    unmarked = "".join(line for line in FAULTY.splitlines(keepends=True) if "^" not in line)
    once = _updated(unmarked)
    assert {*marks(once)} == {*marks(FAULTY)}
    assert "    ;                        ^ error: type/vector-has-2-to-4-components\n" in once
    assert ";   ^^ error: type/struct-members-are-within-limit (x/y)\n" in once
    assert _updated(once) == once


def test_a_requirement_is_kept_and_a_wrong_mark_is_not() -> None:
    wrong = FAULTY.replace("4-components", "4-components (p/q)").replace("                  ^ error", "                 ^ error")
    text = f"{wrong}    %w = OpTypeVector %float 3\n    ;    ^ error: a/b\n"
    assert "                        ^ error: type/vector-has-2-to-4-components (p/q)\n" in _updated(text)
    assert "a/b" not in _updated(text)


CASES = """\
; Two modules alone, and two that share lines.
//--- first
    OpNop

//--- second
; error: a/b
    OpNop

//===
; spvls: target-env=spv1.3
    OpCapability Shader
    ...
    OpKill

//--- third
; options: max_id_bound=9
    OpNop
    ;^^ error: c/d

//--- fourth
"""


def test_the_cases_of_a_file(tmp_path: Path) -> None:
    first, second, third, fourth = cases_in(CASES, tmp_path)
    assert (first.title, first.text) == ("first", "    OpNop\n\n")
    assert [*marks(second.text)] == [Mark(None, None, None, "error", "a/b")]
    top = "; spvls: target-env=spv1.3\n"
    inner = "    OpCapability Shader\n    OpNop\n    ;^^ error: c/d\n    OpKill\n"
    assert third.text == f"{top}; options: max_id_bound=9\n{inner}"
    assert fourth.text == f"{top}    OpCapability Shader\n    OpKill\n"


def test_a_case_alone_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.spvasm"
    path.write_text(CASES, "utf-8")
    cases = [*cases_in(CASES, path)]
    for case in cases:
        replace_case(case, case.text)
    assert path.read_text("utf-8") == CASES
    replace_case(cases[2], cases[2].text.replace("    ;^^ error: c/d\n", ""))
    replace_case(cases[0], "    OpKill\n\n")
    assert path.read_text("utf-8") == CASES.replace("    ;^^ error: c/d\n", "").replace("OpNop", "OpKill", 1)


def test_a_finding_in_shared_lines_is_refused() -> None:
    frame = Frame((), ("    OpNop", "    OpNop"), ("    OpKill",))
    assert frame.cut(frame.fill("    OpReturn\n")) == "    OpReturn\n"
    with pytest.raises(ValueError, match="a module of its own"):
        frame.cut("    OpNop\n    ;^^ error: a/b\n    OpNop\n    OpReturn\n    OpKill\n")


@pytest.mark.parametrize("text", ["    OpNop\n//--- a\n", "//--- a\n//--- a\n", "//===\n    OpNop\n//--- a\n"])
def test_a_file_that_has_no_such_form_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        list(cases_in(text, tmp_path))
