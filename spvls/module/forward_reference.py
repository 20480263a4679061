"""Which operands may name an id that is defined later (SPIR-V 2.4, 2.16.1)."""

from __future__ import annotations

from spvls.grammar import spv

#: Opcodes all of whose operands may name what is defined later (SPIR-V 2.4).
_ALL_FORWARD = frozenset(
    {
        spv.OpExecutionMode, spv.OpExecutionModeId, spv.OpEntryPoint, spv.OpName, spv.OpMemberName, spv.OpSelectionMerge,
        spv.OpLoopMerge, spv.OpBranch, spv.OpDecorate, spv.OpDecorateId, spv.OpDecorateString, spv.OpMemberDecorate,
        spv.OpMemberDecorateString, spv.OpMemberDecorateIdEXT, spv.OpTypeStruct, spv.OpTypeForwardPointer,
        spv.OpConditionalEntryPointINTEL, spv.OpConditionalCapabilityINTEL, spv.OpConditionalExtensionINTEL,
        spv.OpExtInstWithForwardRefsKHR, spv.OpTypeStructContinuedINTEL,
    }
)  # fmt: skip

#: For other opcodes, the first operand from which on operands may; and the one after the last, where there is one.
_FORWARD_FROM = {
    spv.OpGroupDecorate: (1, None),
    spv.OpGroupMemberDecorate: (1, None),
    spv.OpBranchConditional: (1, None),
    spv.OpSwitch: (1, None),
    spv.OpPhi: (0, None),
    spv.OpFunctionCall: (0, 1),
    spv.OpGraphEntryPointARM: (0, 1),
    spv.OpEnqueueKernel: (6, 7),
    spv.OpGetKernelNDrangeSubGroupCount: (1, 2),
    spv.OpGetKernelNDrangeMaxSubGroupSize: (1, 2),
    spv.OpGetKernelWorkGroupSize: (0, 1),
    spv.OpGetKernelPreferredWorkGroupSizeMultiple: (0, 1),
    spv.OpGetKernelLocalSizeForSubgroupCount: (1, 2),
    spv.OpGetKernelMaxNumSubgroups: (0, 1),
    spv.OpCooperativeMatrixPerElementOpNV: (1, 2),
    spv.OpCooperativeMatrixPerElementOpEXT: (1, 2),
    spv.OpCooperativeMatrixReduceNV: (2, 3),
    spv.OpCooperativeMatrixReduceEXT: (2, 3),
    spv.OpCooperativeMatrixLoadTensorNV: (5, None),
    spv.OpConstantFunctionPointerINTEL: (0, 1),
    spv.OpTaskSequenceCreateALTERA: (0, 1),
    spv.OpAsmCallINTEL: (0, 0),
}


def may_be_forward(opcode: int, operand_index: int) -> bool:
    """Whether an operand may name an id that is defined later."""
    if opcode in _ALL_FORWARD:
        return True
    if opcode not in _FORWARD_FROM:
        return False
    first, end = _FORWARD_FROM[opcode]
    return operand_index >= first and (end is None or operand_index < end)
