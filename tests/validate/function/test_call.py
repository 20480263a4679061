"""Rules of `function/call`: function calls."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.function import FUNCTION_DECLARATIONS, FUNCTION_HELPER


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFunctionCall %float %helper %u %f",
        "%r = OpFunctionCall %uint %helper %u %f ; error: function/call-result-matches-function `%uint`",
        "%r = OpFunctionCall %float %c %u %f ; error: function/call-names-function `%c`",
        "%r = OpFunctionCall %float %helper %u ; error: function/argument-count-matches-parameters",
        "%r = OpFunctionCall %float %helper %u %f %f ; error: function/argument-count-matches-parameters `%f`",
        "%r = OpFunctionCall %float %helper %u %i ; error: function/argument-types-match-parameters `%i`",
    ],
)
def test_calls(line: str) -> None:
    check(shader(line, FUNCTION_DECLARATIONS, functions=FUNCTION_HELPER))


POINTERS = """
    %array = OpTypeArray %float %two
    %to_float = OpTypePointer {0} %float
    %to_array = OpTypePointer {0} %array
    %takes = OpTypeFunction %void %to_float
    %x = OpVariable %to_float {0}
    %a = OpVariable %to_array {0}
"""
TAKER = """
    %helper = OpFunction %void None %takes
    %p = OpFunctionParameter %to_float
    %begin = OpLabel
    OpReturn
    OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("storage", "capabilities", "argument", "comment"),
    [
        ("Private", "", "%x", ""),
        ("Private", "", "%e", " ; error: function/pointer-arguments-are-permitted `%e`"),
        ("Workgroup", "", "%e", " ; error: function/pointer-arguments-are-permitted `%e`"),
        ("Workgroup", "VariablePointers", "%e", ""),
        ("StorageBuffer", "VariablePointersStorageBuffer", "%x", ""),
        ("StorageBuffer", "", "%x", " ; error: function/pointer-arguments-are-permitted `%x`"),
        ("Output", "", "%x", " ; error: function/pointer-arguments-are-permitted `%x`"),
    ],
)
def test_pointers_that_are_passed(storage: str, capabilities: str, argument: str, comment: str) -> None:
    body = f"%e = OpAccessChain %to_float %a %one\n%r = OpFunctionCall %void %helper {argument}{comment}"
    text = shader(
        body,
        POINTERS.format(storage),
        capabilities=capabilities,
        functions=TAKER,
        annotations="OpDecorate %array ArrayStride 4" if storage == "StorageBuffer" else "",
        interface="%x %a",
        model="Vertex",
    )
    check(text, env="spv1.4")
    check(text.replace(comment, "") if comment else text, env="spv1.4", options={"relax_logical_pointer": True})


def test_pointers_to_like_types_before_legalization() -> None:
    declarations = """
        %one_struct = OpTypeStruct %float
        %same = OpTypeStruct %float
        %to_one = OpTypePointer Private %one_struct
        %to_same = OpTypePointer Private %same
        %takes = OpTypeFunction %void %to_same
        %x = OpVariable %to_one Private
    """
    taker = TAKER.replace("%to_float", "%to_same")
    line = "%r = OpFunctionCall %void %helper %x"
    options = {"before_hlsl_legalization": True}
    check(shader(line, declarations, functions=taker), env="spv1.3", options=options)
    wrong = f"{line} ; error: function/argument-types-match-parameters `%x`"
    check(shader(wrong, declarations, functions=taker), env="spv1.3")


def test_pointers_that_are_returned() -> None:
    declarations = """
        %p = OpTypePointer Private %uint
        %gives = OpTypeFunction %p
        %x = OpVariable %p Private
    """
    giver = """
        %helper = OpFunction %p None %gives
        %begin = OpLabel
        %y = OpCopyObject %p %x
        OpUnreachable
        OpFunctionEnd
    """
    line = "%r = OpFunctionCall %p %helper"
    check(shader(f"{line} ; error: function/returned-pointers-are-permitted `%p`", declarations, functions=giver), env="spv1.3")
    check(shader(line, declarations, functions=giver), env="spv1.3", options={"relax_logical_pointer": True})
