"""Rules of `entry_point/entry_point`: OpEntryPoint and its function."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.sources.annotation import ANNOTATION_FUNCTION, annotation_module
from tests.validate.sources.entry_point import ENTRY_POINT_TYPES, entry_point_module


def test_entry_points_are_not_linked() -> None:
    heading = annotation_module('OpEntryPoint Vertex %f "f"\nOpDecorate %f LinkageAttributes "f" Export')
    check(heading + ANNOTATION_FUNCTION.format(" ; error: entry-point/function-has-no-linkage `%f`"), env="spv1.3")


def test_a_module_has_an_entry_point() -> None:
    check("OpCapability Shader\nOpMemoryModel Logical GLSL450 ; error: entry-point/module-has-entry-point")
    check("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450")


@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ("%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd", ""),
        ("%main = OpConstant %uint 1", " ; error: entry-point/function-is-void-without-parameters `%main`"),
        (
            "%fu = OpTypeFunction %void %uint\n%main = OpFunction %void None %fu\n%p = OpFunctionParameter %uint\n"
            "%l = OpLabel\nOpReturn\nOpFunctionEnd",
            " ; error: entry-point/function-is-void-without-parameters `%main`",
        ),
        (
            "%gu = OpTypeFunction %uint\n%main = OpFunction %uint None %gu\n%l = OpLabel\nOpReturnValue %two\nOpFunctionEnd",
            " ; error: entry-point/function-is-void-without-parameters `%main`",
        ),
    ],
)
def test_the_function_of_an_entry_point(declared: str, fault: str) -> None:
    heading = (
        f'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"{fault}\n'
    )
    check(heading + ENTRY_POINT_TYPES + declared)


def test_entry_points_have_names_of_their_own() -> None:
    again = '\nOpEntryPoint Vertex %main "main" ; error: entry-point/name-is-unique-per-model `"main"`'
    check(entry_point_module("Vertex", at_entry=again))
    check(entry_point_module("Vertex", at_entry='\nOpEntryPoint GLCompute %main "main"'))


CALLER = "%main = OpFunction %void None %fn{}\n%entry = OpLabel\n%c = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"
CALLEE = "%f = OpFunction %void None %fn\n%l = OpLabel\n{}OpReturn\nOpFunctionEnd"


def test_entry_points_are_not_called() -> None:
    fault = " ; error: entry-point/function-is-not-called"
    call = "%d = OpFunctionCall %void %main\n"
    heading = 'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"\n'
    check(heading + ENTRY_POINT_TYPES + CALLER.format("") + CALLEE.format(""))
    check(heading + ENTRY_POINT_TYPES + CALLER.format(fault) + CALLEE.format(call))


def test_vulkan_has_no_recursion() -> None:
    heading = 'OpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main "main"\n'
    call = "%d = OpFunctionCall %void %f\n"
    text = heading + ENTRY_POINT_TYPES + CALLER.format(" ; error: entry-point/reaches-no-recursion") + CALLEE.format(call)
    check(text, env="vulkan1.3")
    assert not spvls.validate(text, target_env="spv1.6")
