"""Cooperative matrices and vectors in memory."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader

MATRICES = """
    %matrix = OpTypeCooperativeMatrixKHR %float %three %four %four %zero
    %other = OpTypeCooperativeMatrixKHR %float %three %four %four %one
    %uint_matrix = OpTypeCooperativeMatrixKHR %uint %three %four %four %zero
    %m = OpUndef %matrix
    %n = OpUndef %uint_matrix
    %floats = OpTypeRuntimeArray %float
    %block = OpTypeStruct %floats
    %to_block = OpTypePointer StorageBuffer %block
    %to_floats = OpTypePointer StorageBuffer %floats
    %to_float = OpTypePointer StorageBuffer %float
    %private = OpTypePointer Private %float
    %buffer = OpVariable %to_block StorageBuffer
    %x = OpVariable %private Private
"""
LAYOUT = """
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %floats ArrayStride 4
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
"""
POINTERS = """
    %all = OpAccessChain %to_floats %buffer %zero
    %p = OpAccessChain %to_float %buffer %zero %zero
"""


def matrices(line: str, declarations: str = "", functions: str = "", capabilities: str = "", extensions: str = "") -> str:
    return shader(
        POINTERS + line,
        MATRICES + declarations,
        capabilities=f"CooperativeMatrixKHR VulkanMemoryModel {capabilities}",
        extensions=f"SPV_KHR_cooperative_matrix {extensions}",
        memory_model="Vulkan",
        annotations=LAYOUT,
        interface="%buffer %x",
        functions=functions,
    )


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero %four",
        "%r = OpCooperativeMatrixLoadKHR %vec4 %p %zero %four ; error: cooperative-matrix/memory `%vec4`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %f %zero %four ; error: cooperative-matrix/memory `%f`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %all %zero %four ; error: cooperative-matrix/memory `%all`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %u %four ; error: cooperative-matrix/layout `%u`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero ; error: cooperative-matrix/layout",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero %f ; error: cooperative-matrix/layout `%f`",
        "OpCooperativeMatrixStoreKHR %p %m %zero %four",
        "OpCooperativeMatrixStoreKHR %p %v4 %zero %four ; error: cooperative-matrix/memory `%v4`",
        "%r = OpCooperativeMatrixLengthKHR %uint %matrix",
        "%r = OpCooperativeMatrixLengthKHR %int %matrix ; error: cooperative-matrix/length `%int`",
        "%r = OpCooperativeMatrixLengthKHR %uint %vec4 ; error: cooperative-matrix/length `%vec4`",
    ],
)
def test_matrices(line: str) -> None:
    check(matrices(line), env="spv1.6")


def test_matrices_in_vulkan_are_in_shared_memory() -> None:
    line = "%r = OpCooperativeMatrixLoadKHR %matrix %x %zero %four"
    check(matrices(line), env="spv1.6")
    check(matrices(f"{line} ; error: cooperative-matrix/memory `%x`"), env="vulkan1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %m %u",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec3 %m %u ; error: cooperative-matrix/coordinate `%uvec3`",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %v2 %u ; error: cooperative-matrix/coordinate `%v2`",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %m %f ; error: cooperative-matrix/coordinate `%f`",
    ],
)
def test_coordinates(line: str) -> None:
    text = matrices(
        line, capabilities="CooperativeMatrixGetCoordinateEXT", extensions="SPV_EXT_cooperative_matrix_maintenance1"
    )
    check(text, env="spv1.6")


NV = """
    %matrix = OpTypeCooperativeMatrixNV %float %three %four %four
    %private = OpTypePointer Private %float
    %shared = OpTypePointer Workgroup %float
    %x = OpVariable %shared Workgroup
    %y = OpVariable %private Private
"""


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixLoadNV %matrix %x %four %true",
        "%r = OpCooperativeMatrixLoadNV %matrix %y %four %true ; error: cooperative-matrix/memory `%y`",
        "%r = OpCooperativeMatrixLoadNV %matrix %x %f %true ; error: cooperative-matrix/stride-and-order `%f`",
        "%r = OpCooperativeMatrixLoadNV %matrix %x %four %b ; error: cooperative-matrix/stride-and-order `%b`",
        "%r = OpCooperativeMatrixLengthNV %uint %matrix",
    ],
)
def test_older_matrices(line: str) -> None:
    text = shader(line, NV, capabilities="CooperativeMatrixNV", extensions="SPV_NV_cooperative_matrix", interface="%x %y")
    check(text, env="spv1.4")


DECODING = """
    %layout = OpTypeTensorLayoutNV %two %zero
    %address = OpTypePointer PhysicalStorageBuffer %float ; warning: memory/psb-addressing-model
    %pair = OpTypeArray %uint %two
    %decodes = OpTypeFunction %float %address %pair %pair
    %gives_uint = OpTypeFunction %uint %address %pair %pair
    %takes_float = OpTypeFunction %float %float %pair %pair
"""
DECODER = """
    %decode = OpFunction {result} None {type}
    %first = OpFunctionParameter {first}
    %second = OpFunctionParameter %pair
    %third = OpFunctionParameter %pair
    %begin = OpLabel
    OpUnreachable
    OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("line", "decoder"),
    [
        ("%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None None", ("%float", "%decodes", "%address")),
        ("%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None DecodeFunc %decode", ("%float", "%decodes", "%address")),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %n %t None None ; error: cooperative-matrix/tensor-operands `%n`",
            ("%float", "%decodes", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %u None None ; error: cooperative-matrix/tensor-operands `%u`",
            ("%float", "%decodes", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None DecodeFunc %decode ; error: "
            "cooperative-matrix/tensor-operands `%decode`",
            ("%uint", "%gives_uint", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None DecodeFunc %decode ; error: "
            "cooperative-matrix/tensor-operands `%decode`",
            ("%float", "%takes_float", "%float"),
        ),
    ],
)
def test_tensor_layouts(line: str, decoder: tuple[str, str, str]) -> None:
    result, type_, first = decoder
    text = matrices(
        f"%t = OpCreateTensorLayoutNV %layout\n{line}",
        DECODING,
        functions=DECODER.format(result=result, type=type_, first=first),
        capabilities="CooperativeMatrixTensorAddressingNV CooperativeMatrixBlockLoadsNV TensorAddressingNV "
        "PhysicalStorageBufferAddresses",
        extensions="SPV_NV_cooperative_matrix2 SPV_NV_tensor_addressing",
    )
    check(text, env="spv1.6")


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
        "%r = OpCooperativeVectorLoadNV %vector %p %zero ; error: cooperative-vector/memory `%p`",
        "%r = OpCooperativeVectorLoadNV %vec4 %all %zero ; error: cooperative-vector/vectors `%vec4`",
        "OpCooperativeVectorStoreNV %all %zero %v",
        "OpCooperativeVectorStoreNV %all %zero %v4 ; error: cooperative-vector/vectors `%v4`",
        "OpCooperativeVectorReduceSumAccumulateNV %all %zero %v",
        "OpCooperativeVectorReduceSumAccumulateNV %all %f %v ; error: cooperative-vector/vectors `%f`",
        "OpCooperativeVectorOuterProductAccumulateNV %all %zero %v %v %zero %one",
        "OpCooperativeVectorOuterProductAccumulateNV %all %zero %v %h %zero %one ; error: cooperative-vector/vectors `%h`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %four %zero %true",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %three %four %zero %true ; error: "
        "cooperative-vector/product `%three`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %three %zero %true ; error: "
        "cooperative-vector/product `%three`",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %one %four %four %zero %one ; error: "
        "cooperative-vector/product",
        "%r = OpCooperativeVectorMatrixMulNV %vector %v %one %all %zero %u %four %four %zero %true ; error: "
        "cooperative-vector/product `%u`",
    ],
)
def test_vectors(line: str) -> None:
    text = shader(
        POINTERS + line,
        VECTORS,
        capabilities="CooperativeVectorNV CooperativeVectorTrainingNV Float16",
        extensions="SPV_NV_cooperative_vector",
        annotations=LAYOUT,
        interface="%buffer",
    )
    check(text, env="spv1.6")
