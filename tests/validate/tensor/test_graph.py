"""Rules of `tensor/graph`: graphs: their types, entry points, inputs and outputs (SPV_ARM_graph)."""

from __future__ import annotations

import pytest

from tests.validate.check import check

GRAPH = """\
OpCapability Shader
OpCapability GraphARM
OpCapability TensorsARM
OpCapability VulkanMemoryModel
OpExtension "SPV_ARM_graph"
OpExtension "SPV_ARM_tensors"
OpMemoryModel Logical Vulkan
%uint = OpTypeInt 32 0
%ulong = OpTypeFloat 32
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%far = OpConstant %ulong 2
%tensor = OpTypeTensorARM %uint %two
%tensors = OpTypeArray %tensor %two
%ptr = OpTypePointer UniformConstant %tensor
%ptrs = OpTypePointer UniformConstant %tensors
%in = OpVariable %ptr UniformConstant
%out = OpVariable %ptr UniformConstant
%many = OpVariable %ptrs UniformConstant
%private = OpTypePointer Private %tensor
%wrong = OpVariable %private Private
%type = OpTypeGraphARM 1 %tensor %tensor
%type_many = OpTypeGraphARM 1 %tensors %tensors
%constant = OpGraphConstantARM %tensor 7
{entry}
%g = OpGraphARM %type
%i = OpGraphInputARM %tensor %zero
{body}
OpGraphEndARM
"""
ENTRY = 'OpGraphEntryPointARM %g "g" %in %out'
BODY = "OpGraphSetOutputARM %i %zero"


def graph(entry: str = ENTRY, body: str = BODY) -> str:
    return GRAPH.format(entry=entry, body=body)


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        'OpGraphEntryPointARM %g "g" %in ; error: tensor/graph-entry-point-matches-interface',
        'OpGraphEntryPointARM %g "g" %in %many ; error: tensor/graph-entry-point-matches-interface `%many`',
        'OpGraphEntryPointARM %zero "g" %in %out ; error: tensor/graph-entry-point-matches-interface `%zero`',
        f'{ENTRY}\nOpGraphEntryPointARM %g "g" %in %out ; error: tensor/graph-entry-points-are-unique `"g"`',
        f"{ENTRY}\n%again = OpGraphConstantARM %tensor 7 ; error: tensor/graph-entry-points-are-unique `7`",
        f"{ENTRY}\n%k = OpGraphConstantARM %uint 8 ; error: tensor/graph-constant-is-tensor `%uint`",
        f"{ENTRY}\n%t = OpTypeGraphARM 1 %tensor ; error: tensor/graph-type-takes-tensors",
        f"{ENTRY}\n%t = OpTypeGraphARM 1 %tensor %uint ; error: tensor/graph-type-takes-tensors `%uint`",
    ],
)
def test_graph_entry_points(entry: str) -> None:
    check(graph(entry), env="spv1.5")


def test_inputs_and_outputs_are_uniform_constants() -> None:
    text = graph('OpGraphEntryPointARM %g "g" %in %wrong')
    check(text.replace("%private Private", "%private Private ; error: tensor/graph-entry-points-are-unique `%wrong`"), env="spv1.5")


def test_there_is_a_graph_entry_point() -> None:
    text = graph("").replace("OpCapability GraphARM", "OpCapability GraphARM ; error: tensor/graph-entry-points-are-unique")
    check(text, env="spv1.5")


def test_a_graph_is_of_a_graph_type() -> None:
    text = graph().replace("OpGraphARM %type", "OpGraphARM %tensor ; error: tensor/graph-has-graph-type `%tensor`")
    check(text, env="spv1.5")


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        "OpGraphSetOutputARM %i %two ; error: tensor/graph-body-matches-interface `%two`",
        "OpGraphSetOutputARM %i %far ; error: tensor/graph-body-matches-interface `%far`",
        "OpGraphSetOutputARM %zero %zero ; error: tensor/graph-body-matches-interface `%zero`",
        "OpGraphSetOutputARM %i %zero %zero ; error: tensor/graph-body-matches-interface `%zero`",
        f"{BODY}\nOpGraphSetOutputARM %i %zero ; error: tensor/graph-body-matches-interface `%zero`",
        f"{BODY}\n%x = OpCopyObject %tensor %i ; error: tensor/graph-body-matches-interface",
        f"{BODY}\n%j = OpGraphInputARM %tensor %zero ; error: tensor/graph-body-matches-interface",
        "%j = OpGraphInputARM %tensor %zero ; error: tensor/graph-body-matches-interface `%zero`\nOpGraphSetOutputARM %i %zero",
    ],
)
def test_graph_bodies(body: str) -> None:
    check(graph(body=body), env="spv1.5")


def test_a_graph_has_an_output() -> None:
    text = graph(body="").replace("OpGraphEndARM", "OpGraphEndARM ; error: tensor/graph-body-matches-interface")
    check(text, env="spv1.5")


@pytest.mark.parametrize(
    "body",
    [
        "OpGraphSetOutputARM %i %zero %zero\nOpGraphSetOutputARM %i %zero %one",
        "OpGraphSetOutputARM %i %zero %zero\nOpGraphSetOutputARM %i %zero %zero ; error: tensor/graph-body-matches-interface `%zero`",
        "OpGraphSetOutputARM %i %zero %two ; error: tensor/graph-body-matches-interface `%two`",
    ],
)
def test_elements_of_outputs(body: str) -> None:
    text = graph('OpGraphEntryPointARM %g "g" %many %many', body).replace("OpGraphARM %type", "OpGraphARM %type_many")
    check(text.replace("OpGraphInputARM %tensor %zero", "OpGraphInputARM %tensor %zero %one"), env="spv1.5")
