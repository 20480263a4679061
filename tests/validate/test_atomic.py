"""Atomics, barriers, scopes and memory semantics."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import kernel, shader

DECLARATIONS = """
    %shared_uint = OpTypePointer Workgroup %uint
    %shared_ulong = OpTypePointer Workgroup %ulong
    %shared_float = OpTypePointer Workgroup %float
    %shared_vec2 = OpTypePointer Workgroup %vec2
    %private_uint = OpTypePointer Private %uint
    %p = OpVariable %shared_uint Workgroup
    %pl = OpVariable %shared_ulong Workgroup
    %pf = OpVariable %shared_float Workgroup
    %pv = OpVariable %shared_vec2 Workgroup
    %private = OpVariable %private_uint Private
    %cross_device = OpConstant %uint 0
    %device = OpConstant %uint 1
    %workgroup = OpConstant %uint 2
    %invocation = OpConstant %uint 4
    %queue_family = OpConstant %uint 5
    %nowhere = OpConstant %uint 9
    %relaxed = OpConstant %uint 0
    %acquire = OpConstant %uint 2
    %release = OpConstant %uint 4
    %both = OpConstant %uint 6
    %acquire_release = OpConstant %uint 8
    %sequential = OpConstant %uint 16
    %workgroup_memory = OpConstant %uint 256
    %acquire_workgroup = OpConstant %uint 258
    %release_workgroup = OpConstant %uint 260
    %acquire_release_workgroup = OpConstant %uint 264
    %wide = OpConstant %ulong 1
    %specialized = OpSpecConstant %uint 1
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpAtomicIAdd %uint %p %device %relaxed %one",
        "%r = OpAtomicLoad %float %pf %device %relaxed",
        "OpAtomicStore %pf %device %relaxed %f",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %relaxed %one %two",
        "%r = OpAtomicIAdd %float %pf %device %relaxed %f ; error: atomic/operands `%float`",
        "%r = OpAtomicLoad %vec2 %pv %device %relaxed ; error: atomic/operands `%vec2`",
        "%r = OpAtomicIAdd %uint %u %device %relaxed %one ; error: atomic/operands `%u`",
        "%r = OpAtomicIAdd %uint %pf %device %relaxed %one ; error: atomic/operands `%pf`",
        "%r = OpAtomicIAdd %uint %p %device %relaxed %f ; error: atomic/operands `%f`",
        "%r = OpAtomicIAdd %ulong %pl %device %relaxed %l ; error: atomic/operands `%pl`",
        "%r = OpAtomicIAdd %uint %private %device %relaxed %one ; error: atomic/operands `%private`",
        "OpAtomicStore %p %device %relaxed %f ; error: atomic/operands `%f`",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %relaxed %one %f ; error: atomic/operands `%f`",
        "OpControlBarrier %workgroup %workgroup %acquire_release_workgroup",
        "OpControlBarrier %f %workgroup %relaxed ; error: scope/execution `%f`",
        "OpControlBarrier %nowhere %workgroup %relaxed ; error: scope/execution `%nowhere`",
        "OpControlBarrier %specialized %workgroup %relaxed ; error: scope/execution `%specialized`",
        "OpMemoryBarrier %wide %acquire ; error: scope/memory `%wide`",
        "OpMemoryBarrier %queue_family %acquire ; error: scope/memory `%queue_family`",
        "OpMemoryBarrier %device %both ; error: memory/semantics `%both`",
        "OpMemoryBarrier %device %f ; error: memory/semantics `%f`",
        "OpMemoryBarrier %device %specialized ; error: memory/semantics `%specialized`",
        "OpMemoryBarrier %device %sequential",
        "OpAtomicStore %p %device %acquire %one ; error: memory/semantics `%acquire`",
        "%r = OpAtomicLoad %uint %p %device %release ; error: memory/semantics `%release`",
        "%r = OpAtomicCompareExchange %uint %p %device %acquire %release %one %two ; error: memory/semantics `%release`",
        "%r = OpAtomicCompareExchange %uint %p %device %relaxed %acquire %one %two ; error: memory/semantics `%acquire`",
    ],
)
def test_spirv(line: str) -> None:
    check(shader(line, DECLARATIONS), env="spv1.3")


@pytest.mark.parametrize(
    ("line", "vuid"),
    [
        ("OpControlBarrier %workgroup %workgroup %acquire_release_workgroup", None),
        ("OpControlBarrier %device %workgroup %relaxed ; error: scope/execution", "None-04636"),
        ("OpMemoryBarrier %cross_device %acquire_workgroup ; error: scope/memory", "None-04638"),
        ("OpMemoryBarrier %device %sequential ; error: memory/semantics", "MemorySemantics-10866"),
        ("OpMemoryBarrier %device %relaxed ; error: memory/semantics", "MemorySemantics-10869"),
        ("OpMemoryBarrier %device %acquire ; error: memory/semantics", "MemorySemantics-10870"),
        ("OpControlBarrier %workgroup %device %workgroup_memory ; error: memory/semantics", "MemorySemantics-10871"),
        ("OpControlBarrier %workgroup %invocation %release_workgroup ; error: memory/semantics", "None-04641"),
        ("%r = OpAtomicIAdd %uint %p %device %relaxed %one", None),
    ],
)
def test_vulkan(line: str, vuid: str | None) -> None:
    found = check(shader(line, DECLARATIONS), env="vulkan1.1")
    assert [d.vuid for d in found] == ([f"VUID-StandaloneSpirv-{vuid}"] if vuid else [])


def test_capabilities_are_offered() -> None:
    line = "%r = OpAtomicIAdd %ulong %pl %device %relaxed %l ; error: atomic/operands"
    found = check(shader(line, DECLARATIONS), env="spv1.3")
    assert "OpCapability Int64Atomics" in found[0].fixes[0].edits[0].text


def test_availability_takes_the_vulkan_memory_model() -> None:
    declarations = DECLARATIONS + "%available = OpConstant %uint 8260"
    line = "OpMemoryBarrier %workgroup %available"
    check(shader(f"{line} ; error: memory/semantics", declarations), env="spv1.3")
    declarations = DECLARATIONS + "%available = OpConstant %uint 8452"
    check(shader(line, declarations, capabilities="VulkanMemoryModel", memory_model="Vulkan"), env="spv1.5")


@pytest.mark.parametrize(
    "line",
    [
        "%barrier = OpNamedBarrierInitialize %named %one",
        "%barrier = OpNamedBarrierInitialize %named %f ; error: barrier/named `%f`",
        "OpMemoryNamedBarrier %one %two %zero ; error: barrier/named `%one`",
        "%set = OpAtomicFlagTestAndSet %bool %flag %two %zero",
        "%set = OpAtomicFlagTestAndSet %uint %flag %two %zero ; error: atomic/operands `%uint`",
        "OpAtomicFlagClear %float_flag %two %zero ; error: atomic/operands `%float_flag`",
    ],
)
def test_kernels(line: str) -> None:
    declarations = """
        %named = OpTypeNamedBarrier
        %shared_uint = OpTypePointer Workgroup %uint
        %shared_float = OpTypePointer Workgroup %float
        %flag = OpVariable %shared_uint Workgroup
        %float_flag = OpVariable %shared_float Workgroup
    """
    check(kernel(line, declarations, capabilities="NamedBarrier Int64"), env="spv1.1")
