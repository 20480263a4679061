"""Functions, parameters and calls."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %takes = OpTypeFunction %float %uint %float
    %c = OpConstant %float 1
"""
HELPER = """
    %helper = OpFunction %float None %takes
    %p = OpFunctionParameter %uint
    %q = OpFunctionParameter %float
    %begin = OpLabel
    OpReturnValue %q
    OpFunctionEnd
"""


def test_functions_are_of_their_type() -> None:
    check(shader("", DECLARATIONS, functions=HELPER))
    wrong = HELPER.replace("%uint", "%int ; error: opcode/OpFunctionParameter/type-order `%int`")
    [found] = check(shader("", DECLARATIONS, functions=wrong))
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%uint"]
    wrong = HELPER.replace("%takes", "%float ; error: opcode/OpFunction/function-type `%float`")
    check(shader("", DECLARATIONS, functions=wrong))
    wrong = HELPER.replace("OpFunction %float None %takes", "OpFunction %uint None %takes").replace("%q\n", "%p\n")
    wrong = wrong.replace("None %takes", "None %takes ; error: opcode/OpFunction/result-matches-type `%uint`")
    check(shader("", DECLARATIONS, functions=wrong))


def test_functions_have_no_parameters_beyond_their_type() -> None:
    more = "%r = OpFunctionParameter %float ; error: opcode/OpFunctionParameter/type-order `%r`\n    %begin"
    found = check(shader("", DECLARATIONS, functions=HELPER.replace("%begin", more)))
    assert "2 parameters" in found[0].message


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpFunctionCall %float %helper %u %f",
        "%r = OpFunctionCall %uint %helper %u %f ; error: opcode/OpFunctionCall/result-matches `%uint`",
        "%r = OpFunctionCall %float %c %u %f ; error: function/call-same-module `%c`",
        "%r = OpFunctionCall %float %helper %u ; error: function/call-argument-count",
        "%r = OpFunctionCall %float %helper %u %f %f ; error: function/call-argument-count `%f`",
        "%r = OpFunctionCall %float %helper %u %i ; error: function/call-argument-types `%i`",
    ],
)
def test_calls(line: str) -> None:
    check(shader(line, DECLARATIONS, functions=HELPER))


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
        ("Private", "", "%e", " ; error: pointer/call-storage-classes `%e`"),
        ("Workgroup", "", "%e", " ; error: pointer/call-storage-classes `%e`"),
        ("Workgroup", "VariablePointers", "%e", ""),
        ("StorageBuffer", "VariablePointersStorageBuffer", "%x", ""),
        ("StorageBuffer", "", "%x", " ; error: pointer/call-storage-classes `%x`"),
        ("Output", "", "%x", " ; error: pointer/call-storage-classes `%x`"),
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
    wrong = f"{line} ; error: function/call-argument-types `%x`"
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
    check(shader(f"{line} ; error: pointer/vp-return-types `%p`", declarations, functions=giver), env="spv1.3")
    check(shader(line, declarations, functions=giver), env="spv1.3", options={"relax_logical_pointer": True})


@pytest.mark.parametrize(
    ("storage", "model", "holds"),
    [
        ("Output", "GLCompute", False),
        ("Output", "Vertex", True),
        ("Workgroup", "Vertex", False),
        ("Workgroup", "GLCompute", True),
    ],
)
def test_storage_classes_belong_to_execution_models(storage: str, model: str, holds: bool) -> None:
    declarations = f"%p = OpTypePointer {storage} %vec4\n%x = OpVariable %p {storage}"
    text = shader(
        "OpStore %x %v4",
        declarations,
        model=model,
        interface="%x",
        annotations="OpDecorate %x Location 0" if storage == "Output" else "",
    )
    if not holds:
        text = text.replace("None %fn", "None %fn ; error: entry-point/execution-model")
    check(text, env="vulkan1.2")
