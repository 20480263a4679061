"""What has no effect is taken away: stores, functions, copies; what a loop does not change is moved out of it."""

from __future__ import annotations

import pytest

from tests.ide.refactor.shaders import body, changed, done, keys, shader

_ARRAY = """\
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%three = OpConstant %uint 3
%triple = OpTypeArray %float %three
%local_triple = OpTypePointer Function %triple"""


def test_a_variable_that_is_only_stored_to_goes_with_its_stores() -> None:
    text = shader(
        "%x‸ = OpVariable %local_triple Function\n%p = OpAccessChain %local_float %x %two\nOpStore %p %one\nOpStore %out %one",
        _ARRAY,
        'OpName %x "x"\nOpName %p "p"',
    )
    assert changed(text, "remove-stores") == (
        [
            'OpName %x "x"',
            'OpName %p "p"',
            "%x = OpVariable %local_triple Function",
            "%p = OpAccessChain %local_float %x %two",
            "OpStore %p %one",
        ],
        [],
    )


@pytest.mark.parametrize(
    "lines",
    ["", "OpStore %x %one\n%a = OpLoad %float %x", "OpStore %x %one Volatile", "OpStore %x %one\n%y = OpCopyObject %local_float %x"],
)
def test_a_variable_that_something_else_sees_stays(lines: str) -> None:
    assert "remove-stores" not in keys(shader(f"%x‸ = OpVariable %local_float Function\n{lines}"))


_UNCALLED = "%idle = OpFunc‸tion %float None %idle_fn\n%p = OpFunctionParameter %float\n%start = OpLabel\nOpReturnValue %p\nOpFunctionEnd"


def test_a_function_that_nothing_calls_goes_with_its_names() -> None:
    text = shader("", "%idle_fn = OpTypeFunction %float %float", 'OpName %idle "idle"\nOpName %p "p"', _UNCALLED)
    after = done(text, "remove-uncalled")
    assert "%idle " not in after and "OpFunctionParameter" not in after and after.endswith("OpReturn\nOpFunctionEnd\n")


def test_a_function_that_is_called_or_an_entry_point_stays() -> None:
    called = shader("%r = OpFunctionCall %float %idle %one", "%idle_fn = OpTypeFunction %float %float", functions=_UNCALLED)
    assert "remove-uncalled" not in keys(called)
    assert "remove-uncalled" not in keys(shader("OpNop").replace("%main = OpFunction", "%main = OpFunc‸tion"))


def test_a_copy_of_a_copy_is_what_was_copied() -> None:
    text = shader(
        "%a = OpLoad %float %in\n%b = OpCopyObject %float %a\n%c‸ = OpCopyObject %float %b\n%d = OpFAdd %float %c %b\nOpStore %out %d"
    )
    assert body(text, "forward-copy")[2:6] == [
        "%a = OpLoad %float %in",
        "%b = OpCopyObject %float %a",
        "%d = OpFAdd %float %a %b",
        "OpStore %out %d",
    ]


def test_a_copy_of_an_undefined_value_stays_because_its_uses_agree() -> None:
    undefined = "%a = OpUndef %float\n%b‸ = OpCopyObject %float %a\n%c = OpFSub %float %b %b\nOpStore %out %c"
    assert "forward-copy" not in keys(shader(undefined))
    assert "forward-copy" in keys(shader(undefined.replace("OpUndef %float", "OpLoad %float %in")))


_LOOP = """\
%a = OpLoad %float %in
OpBranch %head
%head = OpLabel
%i = OpPhi %float %zero %entry %more %next
OpLoopMerge %end %next None
OpBranch %test
%test = OpLabel
%c = OpFOrdLessThan %bool %i %a
OpBranchConditional %c %next %end
%next = OpLabel
{line}
%more = OpFAdd %float %i %one
OpBranch %head
%end = OpLabel
OpStore %out %i"""


def test_what_a_loop_does_not_change_is_moved_before_it() -> None:
    made = body(shader(_LOOP.format(line="%k‸ = OpFMul %float %a %one ; k")), "move-out-of-loop")
    assert made[2:5] == ["%a = OpLoad %float %in", "%k = OpFMul %float %a %one", "OpBranch %head"]


@pytest.mark.parametrize(
    "line",
    [
        "%k‸ = OpFMul %float %i %one",
        "%k‸ = OpLoad %float %in",
        "%j = OpFAdd %float %i %one\n%k‸ = OpFMul %float %j %one",
    ],
)
def test_what_a_loop_may_change_stays(line: str) -> None:
    assert "move-out-of-loop" not in keys(shader(_LOOP.format(line=line)))
