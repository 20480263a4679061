"""Rules of `pointer/access_chain`: access chains."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

DECLARATIONS = """
    %k0 = OpConstant %int 0
    %minus = OpConstant %int -1
    %array = OpTypeArray %vec4 %four
    %struct = OpTypeStruct %uint %array
    %to_struct = OpTypePointer Private %struct
    %to_uint = OpTypePointer Private %uint
    %to_float = OpTypePointer Private %float
    %to_vec4 = OpTypePointer Private %vec4
    %to_shared = OpTypePointer Workgroup %float
    %x = OpVariable %to_struct Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpAccessChain %to_float %x %one %two %three",
        "%p = OpAccessChain %to_uint %x %zero",
        "%p = OpAccessChain %to_float %x %zero ; error: pointer/access-chain-reaches-result-type `%to_float`",
        "%p = OpAccessChain %to_uint %x %two ; error: pointer/access-chain-reaches-result-type `%two`",
        "%p = OpAccessChain %to_uint %x %u ; error: pointer/access-chain-reaches-result-type `%u`",
        "%p = OpAccessChain %to_vec4 %x %one %f ; error: pointer/access-chain-reaches-result-type `%f`",
        "%p = OpAccessChain %to_vec4 %x %one %minus ; error: pointer/access-chain-reaches-result-type `%minus`",
        "%p = OpAccessChain %to_uint %x %zero %zero ; error: pointer/access-chain-reaches-result-type `%zero`",
        "%p = OpAccessChain %float %x %zero ; error: pointer/access-chain-gives-pointer `%float`",
        "%p = OpAccessChain %to_uint %u2 %zero ; error: pointer/access-chain-base-is-pointer `%u2`",
        "%p = OpInBoundsAccessChain %to_shared %x %one %one %one ; error: pointer/access-chain-keeps-storage-class `%to_shared`",
    ],
)
def test_typed_chains(line: str) -> None:
    check(shader(line, DECLARATIONS), env="spv1.3")


def test_the_result_type_follows_the_indexes() -> None:
    line = "%p = OpAccessChain %to_float %x %one %two ; error: pointer/access-chain-reaches-result-type"
    [found] = check(shader(line, DECLARATIONS), env="spv1.3")
    assert "vec4<f32>" in found.message
    assert [edit.text for fix in found.fixes for edit in fix.edits] == ["%to_vec4"]


def test_negative_indexes_with_relaxed_pointers() -> None:
    line = "%p = OpAccessChain %to_vec4 %x %one %minus"
    check(shader(line, DECLARATIONS), env="spv1.3", options={"relax_logical_pointer": True})


def test_chains_go_only_so_deep() -> None:
    line = "%p = OpAccessChain %to_float %x %one %two %three"
    check(shader(line, DECLARATIONS), env="spv1.3", options={"max_access_chain_indexes": 3})
    comment = " ; error: pointer/chain-indexes-are-within-limit `%three`"
    check(shader(line + comment, DECLARATIONS), env="spv1.3", options={"max_access_chain_indexes": 2})


UNTYPED = """
    %uints = OpTypeArray %uint %four
    %block = OpTypeStruct %uint
    %blocks = OpTypeArray %block %four
    %ptr = OpTypeUntypedPointerKHR StorageBuffer
    %shared = OpTypeUntypedPointerKHR Workgroup
    %typed = OpTypePointer StorageBuffer %uint
    %x = OpUntypedVariableKHR %ptr StorageBuffer %uints
    %y = OpUntypedVariableKHR %ptr StorageBuffer %blocks
"""


@pytest.mark.parametrize(
    "line",
    [
        "%p = OpUntypedAccessChainKHR %ptr %uints %x %one",
        "%p = OpUntypedAccessChainKHR %ptr %blocks %y %one %zero",
        "%p = OpUntypedAccessChainKHR %typed %uints %x %one ; error: pointer/access-chain-gives-pointer `%typed`",
        "%p = OpUntypedAccessChainKHR %shared %uints %x %one ; error: pointer/access-chain-keeps-storage-class `%shared`",
        "%p = OpUntypedAccessChainKHR %ptr %typed %x %one ; error: pointer/untyped-base-type-matches-base `%typed`",
        "%p = OpUntypedAccessChainKHR %ptr %blocks %x %one ; error: pointer/untyped-base-type-matches-base `%blocks`",
        "%p = OpUntypedAccessChainKHR %ptr %uints %u %one ; error: pointer/access-chain-base-is-pointer `%u`",
        "%p = OpUntypedAccessChainKHR %ptr %uint %x %one ; error: pointer/access-chain-reaches-result-type `%one`",
    ],
)
def test_untyped_chains(line: str) -> None:
    text = shader(
        line,
        UNTYPED,
        capabilities="UntypedPointersKHR",
        extensions="SPV_KHR_untyped_pointers",
        annotations="OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %uints ArrayStride 4",
    )
    check(text, env="spv1.3")
