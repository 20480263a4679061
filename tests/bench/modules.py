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


_WRONG = """\
%wrong_N = OpFAdd %int %count_N %count_N
%wrong_N = OpIAdd %float %count_N %count_N
%wrong_N = OpLogicalAnd %bool %count_N %more_N
OpStore %kept_N %count_N
%wrong_N = OpLoad %int %kept_N
%wrong_N = OpCompositeExtract %float %sum_N 7
%wrong_N = OpVectorShuffle %v4float %sum_N %sum_N 0 1 2 9
%wrong_N = OpExtInst %float %glsl Sqrt %count_N
%wrong_N = OpDot %float %sum_N %count_N
%wrong_N = OpSelect %int %count_N %count_N %count_N
%wrong_N = OpConvertFToS %int %count_N
%wrong_N = OpBitcast %v4float %count_N
%wrong_N = OpAccessChain %ptr_tint %block %int_8
%wrong_N = OpSLessThan %int %count_N %count_N
%wrong_N = OpFunctionCall %v4float %shade_0 %sum_N
%wrong_N = OpFunctionCall %int %shade_0 %sum_N %count_N
%wrong_N = OpFunctionCall %v4float %shade_0 %count_N %count_N
%wrong_N = OpCompositeConstruct %v4float %count_N
%wrong_N = OpShiftLeftLogical %float %count_N %count_N
%wrong_N = OpTranspose %v4float %sum_N
%wrong_N = OpCopyObject %int %sum_N
%wrong_N = OpImageSampleImplicitLod %v4float %count_N %uv
%wrong_N = OpAtomicLoad %int %kept_N %int_1 %int_0
OpMemoryBarrier %float_0 %int_0
OpControlBarrier %int_8 %int_1 %int_0
%wrong_N = OpLoad %float %count_N
%wrong_N = OpIAdd %int %missing_N %count_N
%wrong_N = OpVariable %ptr_local Function
%wrong_N = OpVariable %ptr_in_4 Input
OpFoo
%wrong_N = OpIAdd %int
%wrong_N = OpIAdd %int %count_N 5
%wrong_N = OpIAdd %int %count_N %count_N %count_N
OpIAdd %int %count_N %count_N
%wrong_N = OpStore %kept_N %sum_N
%wrong_N = OpDPdx %int %count_N
%wrong_N = OpArrayLength %int %block 0
OpCopyMemory %kept_N %block
%wrong_N = OpBitFieldInsert %float %count_N %count_N %int_0 %int_1
OpLine %count_N 1 1
%wrong_N = OpLoad %v4float %kept_N Volatle
%wrong_N = OpLoad %v4float %kept_N Aligned 3
OpStore %position %sum_N
%wrong_N = OpISub %int %entry_N %count_N
%wrong_N = OpISub %count_N %count_N %count_N
%wrong_N = OpSDiv %int %count_N %int_0
%wrong_N = OpImageTexelPointer %ptr_local %kept_N %count_N %int_0
%wrong_N = OpExtInst %float %glsl Foo %count_N
%wrong_N = OpIAddCarry %int %count_N %count_N
%wrong_N = OpInBoundsAccessChain %ptr_tint %count_N %int_0
"""
"""Instructions for the last block of a function; each has a finding of another rule."""

KINDS = tuple(_WRONG.splitlines())


def faulty_module_text(*, lines: int, findings: int) -> str:
    """A module of about so many lines, with so many findings of as many rules as there are `KINDS`, in all of its functions."""
    text = module_text(lines=lines - findings)
    functions = text.count("%mixed_")  # once where it is defined, and once where it is returned
    functions //= 2
    wrong: list[list[str]] = [[] for _ in range(functions)]
    for number in range(findings):
        at = number % functions
        wrong[at].append(KINDS[number % len(KINDS)].replace("%wrong_N", f"%wrong_{number}").replace("_N", f"_{at}"))
    head, *parts = text.split("%mixed_")
    for at, added in enumerate(wrong):
        head += "".join(f"{line}\n" for line in added) + "%mixed_" + parts[2 * at] + "%mixed_" + parts[2 * at + 1]
    return head


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
