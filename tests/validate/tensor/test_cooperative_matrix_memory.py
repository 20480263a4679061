"""Rules of `tensor/cooperative_matrix_memory`: loads, stores, length, coordinates."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.cooperative_matrix import cooperative_matrix_module
from tests.validate.sources.cooperative_memory import COOPERATIVE_MEMORY_LAYOUT, COOPERATIVE_MEMORY_POINTERS

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


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %blocked %four",
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %blocked %eight ; error: tensor/blocked-stride-is-supported `%eight`",
        "%r = OpCooperativeMatrixLoadKHR %c16x16 %start %by_row %eight",
        "OpCooperativeMatrixStoreKHR %start %c %blocked %three ; error: tensor/blocked-stride-is-supported `%three`",
    ],
)
def test_blocked_layouts(line: str) -> None:
    declarations = """
        %by_row = OpConstant %uint 0
        %blocked = OpConstant %uint 4202
        %words = OpTypeArray %float %sixteen
        %shared_words = OpTypePointer Workgroup %words
        %shared_word = OpTypePointer Workgroup %float
        %memory = OpVariable %shared_words Workgroup
    """
    text = cooperative_matrix_module(
        f"%start = OpAccessChain %shared_word %memory %zero\n{line}",
        declarations=declarations,
        interface="%memory",
        capabilities="CooperativeMatrixLayoutsARM",
        extensions="SPV_ARM_cooperative_matrix_layouts",
    )
    check(text, env="spv1.6")


def matrices(line: str, declarations: str = "", functions: str = "", capabilities: str = "", extensions: str = "") -> str:
    return shader(
        COOPERATIVE_MEMORY_POINTERS + line,
        MATRICES + declarations,
        capabilities=f"CooperativeMatrixKHR VulkanMemoryModel {capabilities}",
        extensions=f"SPV_KHR_cooperative_matrix {extensions}",
        memory_model="Vulkan",
        annotations=COOPERATIVE_MEMORY_LAYOUT,
        interface="%buffer %x",
        functions=functions,
    )


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero %four",
        "%r = OpCooperativeMatrixLoadKHR %vec4 %p %zero %four ; error: tensor/matrix-memory-holds-numbers `%vec4`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %f %zero %four ; error: tensor/matrix-memory-holds-numbers `%f`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %all %zero %four ; error: tensor/matrix-memory-holds-numbers `%all`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %u %four ; error: tensor/matrix-layout-is-constant `%u`",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero ; error: tensor/matrix-layout-is-constant",
        "%r = OpCooperativeMatrixLoadKHR %matrix %p %zero %f ; error: tensor/matrix-layout-is-constant `%f`",
        "OpCooperativeMatrixStoreKHR %p %m %zero %four",
        "OpCooperativeMatrixStoreKHR %p %v4 %zero %four ; error: tensor/matrix-memory-holds-numbers `%v4`",
        "%r = OpCooperativeMatrixLengthKHR %uint %matrix",
        "%r = OpCooperativeMatrixLengthKHR %int %matrix ; error: tensor/matrix-length-is-unsigned `%int`",
        "%r = OpCooperativeMatrixLengthKHR %uint %vec4 ; error: tensor/matrix-length-is-unsigned `%vec4`",
    ],
)
def test_matrices(line: str) -> None:
    check(matrices(line), env="spv1.6")


def test_matrices_in_vulkan_are_in_shared_memory() -> None:
    line = "%r = OpCooperativeMatrixLoadKHR %matrix %x %zero %four"
    check(matrices(line), env="spv1.6")
    check(matrices(f"{line} ; error: tensor/matrix-memory-holds-numbers `%x`"), env="vulkan1.3")


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %m %u",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec3 %m %u ; error: tensor/matrix-coordinate-is-integer-pair `%uvec3`",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %v2 %u ; error: tensor/matrix-coordinate-is-integer-pair `%v2`",
        "%r = OpCooperativeMatrixGetCoordinateEXT %uvec2 %m %f ; error: tensor/matrix-coordinate-is-integer-pair `%f`",
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
        "%r = OpCooperativeMatrixLoadNV %matrix %y %four %true ; error: tensor/matrix-memory-holds-numbers `%y`",
        "%r = OpCooperativeMatrixLoadNV %matrix %x %f %true ; error: tensor/matrix-order-is-constant-bool `%f`",
        "%r = OpCooperativeMatrixLoadNV %matrix %x %four %b ; error: tensor/matrix-order-is-constant-bool `%b`",
        "%r = OpCooperativeMatrixLengthNV %uint %matrix",
    ],
)
def test_older_matrices(line: str) -> None:
    text = shader(line, NV, capabilities="CooperativeMatrixNV", extensions="SPV_NV_cooperative_matrix", interface="%x %y")
    check(text, env="spv1.4")


DECODING = """
    %layout = OpTypeTensorLayoutNV %two %zero
    %address = OpTypePointer PhysicalStorageBuffer %float ; warning: type/physical-pointer-fits-addressing-model
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
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %n %t None None ; error: tensor/tensor-addressing-operands-match `%n`",
            ("%float", "%decodes", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %u None None ; error: tensor/tensor-addressing-operands-match `%u`",
            ("%float", "%decodes", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None DecodeFunc %decode ; error: "
            "tensor/tensor-addressing-operands-match `%decode`",
            ("%uint", "%gives_uint", "%address"),
        ),
        (
            "%r = OpCooperativeMatrixLoadTensorNV %matrix %p %m %t None DecodeFunc %decode ; error: "
            "tensor/tensor-addressing-operands-match `%decode`",
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
