"""Rules of `pointer/logical_pointer`: where logical pointers may occur."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader
from tests.validate.sources.pointer import POINTER_DECLARATIONS, POINTER_LAYOUT, pointer_module


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpSelect %to_uint %b %m %n",
        "%r = OpSelect %private %b %v %other ; error: pointer/logical-operand-is-permitted `%v`",
        "%r = OpSelect %shared %b %w %w ; error: pointer/logical-operand-is-permitted `%w`",
        "%r = OpSelect %to_uint %b %m %k ; error: pointer/selected-pointers-share-variable",
    ],
)
def test_selections(line: str) -> None:
    check(pointer_module(line), env="spv1.4")


@pytest.mark.parametrize(
    ("line", "capabilities"),
    [
        ("%null = OpConstantNull %to_uint", "VariablePointersStorageBuffer"),
        ("%null = OpConstantNull %to_uint ; error: pointer/logical-result-is-permitted `%to_uint`", ""),
        ("%null = OpConstantNull %private ; error: pointer/logical-result-is-permitted `%private`", "VariablePointers"),
    ],
)
def test_null_pointers(line: str, capabilities: str) -> None:
    check(shader("", POINTER_DECLARATIONS + line, capabilities=capabilities, annotations=POINTER_LAYOUT), env="spv1.3")


def test_casts_are_not_for_logical_pointers() -> None:
    line = "%r = OpBitcast %private %v ; error: pointer/logical-operand-is-permitted `%v`"
    check(shader(line, POINTER_DECLARATIONS, annotations=POINTER_LAYOUT), env="spv1.3")
    lines = "%p = OpTypePointer Function %uint\n%q = OpTypePointer Function %float"
    check(kernel("%v = OpVariable %p Function\n%r = OpBitcast %q %v", lines, capabilities="Int64"))


def test_variables_of_pointers_need_variable_pointers() -> None:
    lines = """
        %p = OpTypePointer Workgroup %float
        %pp = OpTypePointer Private %p
        %x = OpVariable %pp Private{}
        %pw = OpTypePointer Workgroup %p
    """
    check(shader("", lines.format(""), capabilities="VariablePointers"), env="spv1.4")
    text = shader("", lines.format(" ; error: pointer/variable-holds-permitted-pointer"))
    check(text, env="spv1.4")
    check(shader("", lines.format("")), env="spv1.4", options={"relax_logical_pointer": True})
    shared = "%y = OpVariable %pw Workgroup ; error: pointer/variable-holds-permitted-pointer `Workgroup`"
    check(shader("", lines.format("") + shared, capabilities="VariablePointers"), env="spv1.4")
