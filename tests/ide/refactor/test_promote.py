"""A variable of a function is replaced by its values, with OpPhi where several meet."""

from __future__ import annotations

import pytest

from tests.ide.refactor.shaders import body, changed, keys, shader

_KEY = "variable-to-values"


def test_a_load_becomes_what_was_stored() -> None:
    text = shader("%x‸ = OpVariable %local_float Function\nOpStore %x %one\n%a = OpLoad %float %x\nOpStore %out %a")
    assert body(text, _KEY)[2:3] == ["OpStore %out %one"]


def test_where_branches_meet_a_phi_chooses() -> None:
    text = shader(
        """\
%x‸ = OpVariable %local_float Function
%c = OpFOrdLessThan %bool %one %zero
OpStore %x %zero
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
%old = OpLoad %float %x
%more = OpFAdd %float %old %one
OpStore %x %more
OpBranch %end
%end = OpLabel
%a = OpLoad %float %x
OpStore %out %a"""
    )
    assert body(text, _KEY)[2:10] == [
        "%c = OpFOrdLessThan %bool %one %zero",
        "OpSelectionMerge %end None",
        "OpBranchConditional %c %then %end",
        "%then = OpLabel",
        "%more = OpFAdd %float %zero %one",
        "OpBranch %end",
        "%end = OpLabel",
        "%x_end = OpPhi %float %zero %entry %more %then",
    ]


_LOOP = """\
%x‸ = OpVariable %local_float Function{initial}
%y = OpVariable %local_float Function
OpBranch %head
%head = OpLabel
OpLoopMerge %end %next None
OpBranch %test
%test = OpLabel
%a = OpLoad %float %x
%c = OpFOrdLessThan %bool %a %one
OpBranchConditional %c %again %end
%again = OpLabel
%b = OpLoad %float %x
OpStore %y %b
%sum = OpFAdd %float %b %one
OpBranch %next
%next = OpLabel
OpStore %x %sum
OpBranch %head
%end = OpLabel
%r = OpLoad %float %y
OpStore %out %r"""


def test_a_loop_has_a_phi_in_its_header() -> None:
    made = body(shader(_LOOP.format(initial=" %zero")), _KEY)
    assert made[4:6] == ["%head = OpLabel", "%x_head = OpPhi %float %zero %entry %sum %next"]
    assert "%c = OpFOrdLessThan %bool %x_head %one" in made and "OpStore %y %x_head" in made
    assert sum("OpPhi" in line for line in made) == 1


def test_what_was_never_stored_is_undefined() -> None:
    added = changed(shader(_LOOP.format(initial="")), _KEY)[1]
    assert "%x_undefined = OpUndef %float" in added
    assert "%x_head = OpPhi %float %x_undefined %entry %sum %next" in added


def test_names_and_decorations_go_with_it() -> None:
    named = 'OpName %x "x"\nOpName %a "a"\nOpDecorate %x RelaxedPrecision\nOpDecorate %a RelaxedPrecision'
    text = shader(
        "%x‸ = OpVariable %local_float Function\nOpStore %x %one\n%a = OpLoad %float %x\nOpStore %out %a", annotations=named
    )
    assert changed(text, _KEY)[1] == ["OpStore %out %one"]


@pytest.mark.parametrize(
    "lines",
    [
        "OpStore %x %one",  # never loaded
        "OpStore %x %one Volatile\n%a = OpLoad %float %x",
        "%a = OpLoad %float %x Volatile",
        "%a = OpLoad %float %x\n%y = OpCopyObject %local_float %x",
    ],
)
def test_it_is_not_offered_where_something_else_sees_the_variable(lines: str) -> None:
    assert _KEY not in keys(shader(f"%x‸ = OpVariable %local_float Function\n{lines}"))
