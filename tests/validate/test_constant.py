"""Constants, constant data, and what is computed by OpSpecConstantOp."""

from __future__ import annotations

import pytest

from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from tests.validate.check import check
from tests.validate.shaders import kernel, shader

DECLARATIONS = """
    %c = OpConstant %float 1
    %ci = OpConstant %int 1
    %c2 = OpConstantComposite %vec2 %c %c
    %c3 = OpConstantComposite %vec3 %c %c %c
    %array = OpTypeArray %float %two
    %struct = OpTypeStruct %float %vec2
    %open = OpTypeRuntimeArray %float
    %spec = OpSpecConstant %uint 3
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %sampler = OpTypeSampler
    %ptr = OpTypePointer Private %float
    %variable = OpVariable %ptr Private
    %holder = OpTypeStruct %image
"""


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantFalse %bool",
        "%k = OpConstantFalse %int ; error: opcode/constant-bool/result-bool `%int`",
        "%k = OpSpecConstantTrue %float ; error: opcode/constant-bool/result-bool `%float`",
        "%k = OpConstantComposite %array %c %c",
        "%k = OpConstantComposite %struct %c %c2",
        "%k = OpConstantComposite %mat2x2 %c2 %c2",
        "%k = OpSpecConstantComposite %uvec2 %spec %zero",
        "%k = OpConstantComposite %float %c ; error: opcode/constant-composite/result-composite `%float`",
        "%k = OpConstantComposite %vec2 %c %c %c ; error: opcode/constant-composite/constituent-count `%c`",
        "%k = OpConstantComposite %vec3 %c %c ; error: opcode/constant-composite/constituent-count",
        "%k = OpConstantComposite %struct %c2 %c ; error: opcode/constant-composite/constituent-types `%c2`",
        "%k = OpConstantComposite %mat2x2 %c2 %c3 ; error: opcode/constant-composite/constituent-types `%c3`",
        "%k = OpConstantComposite %array %c %ci ; error: opcode/constant-composite/constituent-types `%ci`",
        "%k = OpConstantNull %struct",
        "%k = OpConstantNull %image ; error: opcode/OpConstantNull/result-kinds `%image`",
        "%k = OpConstantNull %holder ; error: opcode/OpConstantNull/result-kinds `%holder`",
        "%k = OpConstantNull %open ; error: opcode/OpConstantNull/result-kinds `%open`",
    ],
)
def test_constants(line: str) -> None:
    check(shader("", DECLARATIONS + line))


def test_messages_name_the_part_without_null() -> None:
    line = "%k = OpConstantNull %holder ; error: opcode/OpConstantNull/result-kinds"
    [found] = check(shader("", DECLARATIONS + line))
    assert "contains image<2D, f32, sampled>" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantCompositeReplicateEXT %vec4 %c",
        "%k = OpConstantCompositeReplicateEXT %vec4 %ci ; error: opcode/constant-replicate/constituent-type `%ci`",
    ],
)
def test_replicated_constants(line: str) -> None:
    text = shader(
        "", DECLARATIONS + line, capabilities="ReplicatedCompositesEXT", extensions="SPV_EXT_replicated_composites"
    )
    check(text)


@pytest.mark.parametrize(
    "lines",
    [
        "%s = OpTypeSampler ; warning: capability/kernel-images\n%k = OpConstantSampler %s None 0 Nearest",
        "%k = OpConstantSampler %float None 0 Nearest ; error: opcode/OpConstantSampler/result-sampler `%float`",
        "%p = OpTypePointer CrossWorkgroup %float\n%v = OpVariable %p CrossWorkgroup\n%a = OpTypeArray %p %one\n"
        "%k = OpConstantComposite %a %v ; error: opcode/constant-composite/constituent-kinds `%v`",
    ],
)
def test_kernel_constants(lines: str) -> None:
    check(kernel("", lines, capabilities="LiteralSampler Int64"))


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantDataKHR %array 1 2",
        "%k = OpConstantDataKHR %float 1 ; error: opcode/constant-data/result-array `%float`",
        "%k = OpConstantDataKHR %array 1 ; error: opcode/constant-data/length",
        "%k = OpConstantDataKHR %array 1 2 3 ; error: opcode/constant-data/length `3`",
    ],
)
def test_constant_data(line: str) -> None:
    check(shader("", DECLARATIONS + line, capabilities="ConstantDataKHR", extensions="SPV_KHR_constant_data"))


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpSpecConstantOp %uint IAdd %spec %one",
        "%k = OpSpecConstantOp %float FAdd %c %c ; error: opcode/OpSpecConstantOp/opcode-allowed `FAdd`",
        "%k = OpSpecConstantOp %uint IAdd %spec %c ; error: opcode/OpSpecConstantOp/operand-rules `%c`",
        "%k = OpSpecConstantOp %bool IAdd %spec %one ; error: opcode/OpSpecConstantOp/operand-rules `%bool`",
        "%k = OpSpecConstantOp %float QuantizeToF16 %c",
    ],
)
def test_specialized_operations(line: str) -> None:
    check(shader("", DECLARATIONS + line))


def test_operands_of_specialized_operations_are_constants() -> None:
    lines = (
        "%p = OpTypePointer CrossWorkgroup %uint\n%v = OpVariable %p CrossWorkgroup\n"
        "%k = OpSpecConstantOp %ulong ConvertPtrToU %v ; error: opcode/OpSpecConstantOp/operand-kinds `%v`"
    )
    check(kernel("", lines, capabilities="Int64"))


def test_unsigned_conversion_came_to_shaders_with_1_4() -> None:
    line = "%k = OpSpecConstantOp %ulong UConvert %spec"
    check(shader("", f"{DECLARATIONS}{line}"), env="spv1.4")
    check(shader("", f"{DECLARATIONS}{line} ; error: opcode/OpSpecConstantOp/opcode-allowed `UConvert`"), env="spv1.3")


def test_small_constants_need_their_capability() -> None:
    lines = "%half = OpTypeFloat 16\n%k = OpConstant %half 1"
    check(shader("", lines, capabilities="Float16"))
    text = shader(
        "",
        f"{lines} ; error: type/storage16-constant `%half`",
        capabilities="StorageBuffer16BitAccess",
        extensions="SPV_KHR_16bit_storage",
    )
    check(text)


FUNCTIONS = """
    %code = OpTypePointer CodeSectionINTEL %fn
    %other = OpTypeFunction %uint
    %wrong = OpTypePointer CodeSectionINTEL %other
"""


@pytest.mark.parametrize(
    "line",
    [
        "%k = OpConstantFunctionPointerINTEL %code %main",
        "%k = OpConstantFunctionPointerINTEL %wrong %main ; error: opcode/OpConstantFunctionPointerINTEL/function `%main`",
        "%k = OpConstantFunctionPointerINTEL %uint %main ; error: opcode/OpConstantFunctionPointerINTEL/function `%uint`",
    ],
)
def test_function_pointers(line: str) -> None:
    text = kernel("", FUNCTIONS + line, capabilities="FunctionPointersINTEL Int64")
    check(text.replace("OpMemoryModel", 'OpExtension "SPV_INTEL_function_pointers"\nOpMemoryModel'))


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("%k = OpSpecConstantOp %uint ISub %one %two", 0xFFFFFFFF),
        ("%k = OpSpecConstantOp %int SDiv %minus7 %plus2", -3),
        ("%k = OpSpecConstantOp %int SRem %minus7 %plus2", -1),
        ("%k = OpSpecConstantOp %int SMod %minus7 %plus2", 1),
        ("%k = OpSpecConstantOp %ulong ShiftRightLogical %big %four", 0x100000000),
        ("%k = OpSpecConstantOp %uint UDiv %one %zero", None),
        ("%k = OpSpecConstantOp %uvec2 IAdd %pair %pair", (2, 4)),
        ("%k = OpSpecConstantOp %uint CompositeExtract %pair 1", 2),
        ("%k = OpSpecConstantOp %uvec2 CompositeInsert %four %pair 0", (4, 2)),
        ("%k = OpSpecConstantOp %uvec2 VectorShuffle %pair %pair 3 0", (2, 1)),
        ("%k = OpSpecConstantOp %bool ULessThan %one %two", True),
        ("%k = OpSpecConstantOp %uint Select %true %one %two", 1),
        ("%k = OpSpecConstantOp %float FMod %f7 %f2", 1.0),
        ("%k = OpSpecConstantOp %uint Bitcast %f2", 0x40000000),
        ("%k = OpSpecConstantOp %float Bitcast %bits2", 2.0),
        ("%k = OpSpecConstantOp %int SConvert %big", 0),
    ],
)
def test_values_of_operations(line: str, value: object) -> None:
    declarations = """
        %minus7 = OpConstant %int -7
        %plus2 = OpConstant %int 2
        %big = OpConstant %ulong 0x1000000000
        %pair = OpConstantComposite %uvec2 %one %two
        %f7 = OpConstant %float 7
        %f2 = OpConstant %float 2
        %bits2 = OpConstant %uint 0x40000000
    """
    module = Module(Document(shader("", declarations + line)).chunks, environment("spv1.6"))
    constant = module.constant("k")
    assert constant is not None
    assert constant.value == value
    assert constant.specialized
