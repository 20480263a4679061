"""Rules of `tensor/cooperative_vector`: cooperative vectors: loads, stores and products with matrices in memory (SPV_NV_cooperative_vector)."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.cooperative_memory import COOPERATIVE_MEMORY_LAYOUT, COOPERATIVE_MEMORY_POINTERS

VECTORS = """
    %half = OpTypeFloat 16
    %vector = OpTypeVectorIdEXT %float %four
    %halves = OpTypeVectorIdEXT %half %four
    %v = OpUndef %vector
    %h = OpUndef %halves
    %floats = OpTypeRuntimeArray %float
    %block = OpTypeStruct %floats
    %to_block = OpTypePointer StorageBuffer %block
    %to_floats = OpTypePointer StorageBuffer %floats
    %to_float = OpTypePointer StorageBuffer %float
    %private = OpTypePointer Private %float
    %buffer = OpVariable %to_block StorageBuffer
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeVectorLoadNV %vector %all %zero",
        "%r = OpCooperativeVectorLoadNV %vector %p %zero ; error: tensor/vector-memory-is-numeric-array `%p`",
        "%r = OpCooperativeVectorLoadNV %vec4 %all %zero ; error: tensor/vector-operands-are-cooperative `%vec4`",
        "OpCooperativeVectorStoreNV %all %zero %v",
        "OpCooperativeVectorStoreNV %all %zero %v4 ; error: tensor/vector-operands-are-cooperative `%v4`",
        "OpCooperativeVectorReduceSumAccumulateNV %all %zero %v",
        "OpCooperativeVectorReduceSumAccumulateNV %all %f %v ; error: tensor/vector-operands-are-cooperative `%f`",
        "OpCooperativeVectorOuterProductAccumulateNV %all %zero %v %v %zero %one",
        "OpCooperativeVectorOuterProductAccumulateNV %all %zero %v %h %zero %one ; error: tensor/vector-operands-are-cooperative `%h`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %four %zero %true",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %three %four %zero %true ; error: "
        "tensor/vector-product-sizes-match `%three`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %three %zero %true ; error: "
        "tensor/vector-product-sizes-match `%three`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %four %zero %one ; error: "
        "tensor/vector-product-sizes-match",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %u %four %four %zero %true ; error: "
        "tensor/vector-product-sizes-match `%u`",
    ],
)
def test_vectors(line: str) -> None:
    text = shader(
        COOPERATIVE_MEMORY_POINTERS + line,
        VECTORS,
        capabilities="CooperativeVectorNV CooperativeVectorTrainingNV Float16",
        extensions="SPV_NV_cooperative_vector",
        annotations=COOPERATIVE_MEMORY_LAYOUT,
        interface="%buffer",
    )
    check(text, env="spv1.6")
