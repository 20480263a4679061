"""Marks are read as they are written, and a finding elsewhere, or another one, is not what is marked."""

from __future__ import annotations

import pytest

from tests.validate.marked import Mark, found_in, marks, settings

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
    assert settings(FAULTY) == ({"max_struct_members": 2, "scalar_block_layout": True}, None)
    assert settings("; assemble: spv1.6\n") == ({}, "spv1.6")
    assert settings("    OpNop\n; options: max_struct_members=2\n") == ({}, None)


def test_carets_stand_below_what_they_are_about() -> None:
    assert marks(FAULTY) == [
        Mark(7, 4, 6, "error", "type/struct-members-are-within-limit"),
        Mark(9, 29, 30, "error", "type/vector-has-2-to-4-components"),
    ]


def test_several_on_one_line() -> None:
    text = "    OpNop\n    ;  ^ error: a/b\n    ;^ warning: c/d\n"
    assert marks(text) == [Mark(0, 7, 8, "error", "a/b"), Mark(0, 5, 6, "warning", "c/d")]


def test_without_carets_it_is_the_instruction_or_the_module() -> None:
    assert marks("; a comment.\n; error: a/b\n    OpNop\n    ; hint: c/d\n") == [
        Mark(None, None, None, "error", "a/b"),
        Mark(2, None, None, "hint", "c/d"),
    ]


def _agree(text: str) -> bool:
    return sorted(map(str, marks(text))) == sorted(str(mark) for mark, _ in found_in(text))


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
