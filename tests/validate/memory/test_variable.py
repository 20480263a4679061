"""Rules of `memory/variable`: OpVariable: type, class, number."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader
from tests.validate.sources.layout import LAYOUT_FUNCTION, LAYOUT_HEAD, LAYOUT_MODEL, LAYOUT_SELECTION, LAYOUT_TYPES
from tests.validate.sources.variable import bound_variable

DECLARATIONS = """
    %c = OpConstant %float 1
    %private = OpTypePointer Private %float
    %function = OpTypePointer Function %float
    %input = OpTypePointer Input %float
    %uniform_bool = OpTypePointer Uniform %bool
    %output_bool = OpTypePointer Output %bool
    %to_private = OpTypePointer Function %private
    %global = OpVariable %private Private
"""


def test_limits_on_variables_and_cases() -> None:
    pointer = "%ptr = OpTypePointer Private %bool\n%a = OpVariable %ptr Private\n%b = OpVariable %ptr Private"
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + pointer, options={"max_global_variables": 2})
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + pointer + " ; error: memory/global-variables-are-within-limit", options={"max_global_variables": 1})
    local = "%ptr = OpTypePointer Function %bool\n" + LAYOUT_FUNCTION.replace(
        "OpReturn", "%a = OpVariable %ptr Function\n%b = OpVariable %ptr Function{}\nOpReturn"
    )
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + local.format(""), options={"max_local_variables": 2})
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + local.format(" ; error: memory/local-variables-are-within-limit"), options={"max_local_variables": 1})
    switch = "%int = OpTypeInt 32 0\n%zero = OpConstant %int 0\n" + LAYOUT_SELECTION.format("").replace(
        "OpBranchConditional %true %a %b", "OpSwitch %zero %end 1 %a 2 %b{}"
    )
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + switch.replace("{}", ""), options={"max_switch_branches": 2})
    check(LAYOUT_HEAD + LAYOUT_MODEL + LAYOUT_TYPES + switch.replace("{}", " ; error: control-flow/switch-cases-are-within-limit `2`"), options={"max_switch_branches": 1})


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpVariable %private Private %c",
        "%x = OpVariable %private Private %zero ; error: memory/initializer-type-matches-variable `%zero`",
        "%x = OpVariable %float Private ; error: memory/variable-has-pointer-type `%float`",
        "%x = OpVariable %input Private ; error: memory/variable-class-matches-type `Private`",
        "%x = OpVariable %function Function ; error: memory/variable-class-matches-place `Function`",
        "%x = OpVariable %input Input %c ; error: memory/initializer-fits-storage-class `%c`",
        "%x = OpVariable %uniform_bool Uniform ; error: memory/bool-is-not-external `%uniform_bool`",
        "%x = OpVariable %output_bool Output ; error: memory/bool-is-not-external `%output_bool`",
    ],
)
def test_global_variables(line: str) -> None:
    check(shader("", DECLARATIONS + line))


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpVariable %function Function %c",
        "%x = OpVariable %private Private ; error: memory/variable-class-matches-place `Private`",
        "%x = OpVariable %function Function %main ; error: memory/initializer-is-constant `%main` ; error: "
        "id/operand-is-value `%main`",
        "%x = OpVariable %to_private Function ; error: pointer/variable-holds-permitted-pointer `%to_private`",
    ],
)
def test_local_variables(line: str) -> None:
    check(shader(line, DECLARATIONS))


def test_generic_variables() -> None:
    lines = "%p = OpTypePointer Generic %float\n%x = OpVariable %p Generic ; error: memory/variable-class-is-not-generic"
    check(kernel("", lines, capabilities="GenericPointer Int64"))


def test_there_are_no_variables_of_addresses() -> None:
    lines = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%x = OpVariable %p PhysicalStorageBuffer ; error: memory/variable-class-is-not-physical"
    text = shader("", lines, capabilities="PhysicalStorageBufferAddresses").replace("Logical", "PhysicalStorageBuffer64")
    check(text, env="spv1.5")


def untyped(line: str, declarations: str = "") -> str:
    pointers = "\n".join(f"%{name} = OpTypeUntypedPointerKHR {name}" for name in ("StorageBuffer", "Workgroup"))
    return shader(
        "", f"{declarations}{pointers}\n{line}", capabilities="UntypedPointersKHR", extensions="SPV_KHR_untyped_pointers"
    )


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpUntypedVariableKHR %StorageBuffer StorageBuffer",
        "%x = OpUntypedVariableKHR %Workgroup Workgroup %uint",
        "%x = OpUntypedVariableKHR %Workgroup Workgroup ; error: memory/untyped-variable-names-data-type",
        "%x = OpUntypedVariableKHR %StorageBuffer StorageBuffer %zero ; error: id/operand-is-type `%zero`",
    ],
)
def test_untyped_variables(line: str) -> None:
    check(untyped(line), env="spv1.4")


def test_open_arrays_of_descriptors() -> None:
    check(bound_variable("UniformConstant", "%images", capabilities="RuntimeDescriptorArray"), env="vulkan1.2")
