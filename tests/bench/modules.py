"""Modules of any size, like those that compilers make: globals, then functions with loops, selections and calls."""

from __future__ import annotations

from collections.abc import Iterator

_GLOBALS = """\
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %position %colour
OpExecutionMode %main OriginUpperLeft
OpSource GLSL 450
OpName %main "main"
OpName %colour "colour"
OpDecorate %uv Location 0
OpDecorate %position Location 1
OpDecorate %colour Location 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpMemberDecorate %Block 1 Offset 16
OpDecorate %block DescriptorSet 0
OpDecorate %block Binding 0
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%fn_main = OpTypeFunction %void
%fn_shade = OpTypeFunction %v4float %v4float %int
%Block = OpTypeStruct %v4float %float
%ptr_block = OpTypePointer Uniform %Block
%ptr_tint = OpTypePointer Uniform %v4float
%ptr_in_2 = OpTypePointer Input %v2float
%ptr_in_4 = OpTypePointer Input %v4float
%ptr_out = OpTypePointer Output %v4float
%ptr_local = OpTypePointer Function %v4float
%uv = OpVariable %ptr_in_2 Input
%position = OpVariable %ptr_in_4 Input
%colour = OpVariable %ptr_out Output
%block = OpVariable %ptr_block Uniform
%int_0 = OpConstant %int 0
%int_1 = OpConstant %int 1
%int_8 = OpConstant %int 8
%float_0 = OpConstant %float 0
%float_1 = OpConstant %float 1
%grey = OpConstantComposite %v4float %float_1 %float_1 %float_1 %float_0
"""

_FUNCTION = """\
OpName %shade_N "shade_N"
%shade_N = OpFunction %v4float None %fn_shade
%base_N = OpFunctionParameter %v4float
%count_N = OpFunctionParameter %int
%entry_N = OpLabel
%kept_N = OpVariable %ptr_local Function
OpStore %kept_N %base_N
%tint_at_N = OpAccessChain %ptr_tint %block %int_0
%tint_N = OpLoad %v4float %tint_at_N
OpBranch %head_N
%head_N = OpLabel
%i_N = OpPhi %int %int_0 %entry_N %next_N %again_N
%sum_N = OpPhi %v4float %grey %entry_N %total_N %again_N
%more_N = OpSLessThan %bool %i_N %count_N
OpLoopMerge %done_N %again_N None
OpBranchConditional %more_N %body_N %done_N
%body_N = OpLabel
%old_N = OpLoad %v4float %kept_N
%scaled_N = OpFMul %v4float %old_N %tint_N
%root_N = OpExtInst %v4float %glsl Sqrt %scaled_N
%x_N = OpCompositeExtract %float %root_N 0
%low_N = OpFOrdLessThan %bool %x_N %float_1
OpSelectionMerge %joined_N None
OpBranchConditional %low_N %raise_N %lower_N
%raise_N = OpLabel
%raised_N = OpFAdd %v4float %root_N %grey
OpBranch %joined_N
%lower_N = OpLabel
%lowered_N = OpFSub %v4float %root_N %grey
OpBranch %joined_N
%joined_N = OpLabel
%either_N = OpPhi %v4float %raised_N %raise_N %lowered_N %lower_N
OpStore %kept_N %either_N
%total_N = OpFAdd %v4float %sum_N %either_N
OpBranch %again_N
%again_N = OpLabel
%next_N = OpIAdd %int %i_N %int_1
OpBranch %head_N
%done_N = OpLabel
%mixed_N = OpVectorShuffle %v4float %sum_N %tint_N 0 5 2 7
OpReturnValue %mixed_N
OpFunctionEnd
"""

_NAME, _BODY = _FUNCTION.split("\n", 1)
_BODY_LINES = _BODY.count("\n")
_LINES_A_FUNCTION = _BODY_LINES + 2  # with its name, and its call in main


def module_text(*, functions: int | None = None, lines: int = 1000) -> str:
    """A valid module of so many functions beside main, or else of about so many lines."""
    if functions is None:
        functions = max(1, (lines - _GLOBALS.count("\n")) // _LINES_A_FUNCTION)
    return "".join(_parts(functions))


def _parts(functions: int) -> Iterator[str]:
    head, seam, tail = _GLOBALS.partition("OpDecorate")
    numbers = [str(number) for number in range(functions)]
    yield head
    for number in numbers:
        yield _NAME.replace("N ", number + " ").replace('N"', number + '"') + "\n"
    yield seam + tail
    for number in numbers:
        yield _BODY.replace("_N", "_" + number)
    yield "%main = OpFunction %void None %fn_main\n%entry = OpLabel\n%value = OpLoad %v4float %position\n"
    last = "value"
    for number in numbers:
        yield f"%call_{number} = OpFunctionCall %v4float %shade_{number} %{last} %int_8\n"
        last = f"call_{number}"
    yield f"OpStore %colour %{last}\nOpReturn\nOpFunctionEnd\n"
