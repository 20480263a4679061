"""Families of opcodes that many ask for, by the values of `spvls.grammar.spv`."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.typed import Final

ACCESS_CHAINS: Final = frozenset(
    {spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain}
)
"""Access chains on typed pointers."""

UNTYPED_ACCESS_CHAINS: Final = frozenset(
    {
        spv.OpUntypedAccessChainKHR, spv.OpUntypedInBoundsAccessChainKHR, spv.OpUntypedPtrAccessChainKHR,
        spv.OpUntypedInBoundsPtrAccessChainKHR,
    }
)  # fmt: skip

POINTER_ACCESS_CHAINS: Final = frozenset(
    {
        spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain, spv.OpUntypedPtrAccessChainKHR,
        spv.OpUntypedInBoundsPtrAccessChainKHR,
    }
)  # fmt: skip
"""Access chains with the operand Element, which steps over whole objects."""

VARIABLES: Final = frozenset({spv.OpVariable, spv.OpUntypedVariableKHR})

TAKES_FUNCTIONS: Final = frozenset(
    {
        spv.OpFunctionCall, spv.OpEnqueueKernel, spv.OpGetKernelNDrangeSubGroupCount, spv.OpGetKernelNDrangeMaxSubGroupSize,
        spv.OpGetKernelWorkGroupSize, spv.OpGetKernelPreferredWorkGroupSizeMultiple, spv.OpGetKernelLocalSizeForSubgroupCount,
        spv.OpGetKernelMaxNumSubgroups, spv.OpCooperativeMatrixPerElementOpNV, spv.OpCooperativeMatrixPerElementOpEXT,
        spv.OpCooperativeMatrixReduceNV, spv.OpCooperativeMatrixReduceEXT, spv.OpCooperativeMatrixLoadTensorNV,
        spv.OpConstantFunctionPointerINTEL, spv.OpTaskSequenceCreateALTERA, spv.OpTaskSequenceCreateINTEL,
        spv.OpConditionalEntryPointINTEL,
    }
)  # fmt: skip
"""Instructions that name a function as an operand."""

TERMINATORS: Final = frozenset(
    {
        spv.OpBranch, spv.OpBranchConditional, spv.OpSwitch, spv.OpReturn, spv.OpReturnValue, spv.OpKill, spv.OpUnreachable,
        spv.OpTerminateInvocation, spv.OpIgnoreIntersectionKHR, spv.OpTerminateRayKHR, spv.OpEmitMeshTasksEXT, spv.OpAbortKHR,
    }
)  # fmt: skip
"""Instructions that end a block."""

MERGES: Final = frozenset({spv.OpSelectionMerge, spv.OpLoopMerge})

IMPLICIT_LOD: Final = frozenset(
    {
        spv.OpImageSampleImplicitLod, spv.OpImageSampleDrefImplicitLod, spv.OpImageSampleProjImplicitLod,
        spv.OpImageSampleProjDrefImplicitLod, spv.OpImageSparseSampleImplicitLod, spv.OpImageSparseSampleDrefImplicitLod,
        spv.OpImageSparseSampleProjImplicitLod, spv.OpImageSparseSampleProjDrefImplicitLod,
    }
)  # fmt: skip

EXPLICIT_LOD: Final = frozenset(
    {
        spv.OpImageSampleExplicitLod, spv.OpImageSampleDrefExplicitLod, spv.OpImageSampleProjExplicitLod,
        spv.OpImageSampleProjDrefExplicitLod, spv.OpImageSparseSampleExplicitLod, spv.OpImageSparseSampleDrefExplicitLod,
        spv.OpImageSparseSampleProjExplicitLod, spv.OpImageSparseSampleProjDrefExplicitLod,
    }
)  # fmt: skip

TANGLED_CLASSES: Final = frozenset({"Group", "Non-Uniform", "Derivative"})
"""Classes of which all instructions are tangled (SPIR-V 2.2.5)."""

TANGLED: Final = IMPLICIT_LOD | {
    spv.OpControlBarrier, spv.OpGroupReserveReadPipePackets, spv.OpGroupReserveWritePipePackets, spv.OpGroupCommitReadPipe,
    spv.OpGroupCommitWritePipe, spv.OpImageQueryLod, spv.OpCooperativeMatrixLoadKHR, spv.OpCooperativeMatrixStoreKHR,
    spv.OpCooperativeMatrixMulAddKHR, spv.OpCooperativeMatrixLoadTensorNV, spv.OpCooperativeMatrixStoreTensorNV,
    spv.OpCooperativeMatrixReduceEXT, spv.OpCooperativeMatrixConvertUseEXT, spv.OpCooperativeMatrixTransposeNV,
    spv.OpCooperativeMatrixPerElementOpEXT,
}  # fmt: skip
"""Other tangled instructions: by which invocations communicate, so that they depend on the control flow that leads to them. See
SPV_KHR_cooperative_matrix and SPV_NV_cooperative_matrix2 for those on matrices."""

GATHERS: Final = frozenset(
    {spv.OpImageGather, spv.OpImageDrefGather, spv.OpImageSparseGather, spv.OpImageSparseDrefGather, spv.OpImageGatherQCOM}
)

DEPTH_COMPARISONS: Final = frozenset(
    {
        spv.OpImageSampleDrefImplicitLod, spv.OpImageSampleDrefExplicitLod, spv.OpImageSampleProjDrefImplicitLod,
        spv.OpImageSampleProjDrefExplicitLod, spv.OpImageDrefGather, spv.OpImageSparseSampleDrefImplicitLod,
        spv.OpImageSparseSampleDrefExplicitLod, spv.OpImageSparseSampleProjDrefImplicitLod,
        spv.OpImageSparseSampleProjDrefExplicitLod, spv.OpImageSparseDrefGather,
    }
)  # fmt: skip
"""Image instructions with the operand Dref."""

PROJECTIVE: Final = frozenset(
    {
        spv.OpImageSampleProjImplicitLod, spv.OpImageSampleProjExplicitLod, spv.OpImageSampleProjDrefImplicitLod,
        spv.OpImageSampleProjDrefExplicitLod, spv.OpImageSparseSampleProjImplicitLod, spv.OpImageSparseSampleProjExplicitLod,
        spv.OpImageSparseSampleProjDrefImplicitLod, spv.OpImageSparseSampleProjDrefExplicitLod,
    }
)  # fmt: skip
"""Image instructions that divide the coordinate by its last component."""

SPARSE: Final = frozenset(
    {
        spv.OpImageSparseSampleImplicitLod, spv.OpImageSparseSampleExplicitLod, spv.OpImageSparseSampleDrefImplicitLod,
        spv.OpImageSparseSampleDrefExplicitLod, spv.OpImageSparseSampleProjImplicitLod,
        spv.OpImageSparseSampleProjExplicitLod, spv.OpImageSparseSampleProjDrefImplicitLod,
        spv.OpImageSparseSampleProjDrefExplicitLod, spv.OpImageSparseFetch, spv.OpImageSparseGather,
        spv.OpImageSparseDrefGather, spv.OpImageSparseRead,
    }
)  # fmt: skip
"""Image instructions whose result is a structure of a residency code and a texel."""

DERIVATIVES: Final = frozenset(
    {
        spv.OpDPdx, spv.OpDPdy, spv.OpFwidth, spv.OpDPdxFine, spv.OpDPdyFine, spv.OpFwidthFine, spv.OpDPdxCoarse,
        spv.OpDPdyCoarse, spv.OpFwidthCoarse,
    }
)  # fmt: skip

MODIFYING_ATOMICS: Final = frozenset(
    {
        spv.OpAtomicExchange, spv.OpAtomicCompareExchange, spv.OpAtomicIIncrement, spv.OpAtomicIDecrement, spv.OpAtomicIAdd,
        spv.OpAtomicISub, spv.OpAtomicSMin, spv.OpAtomicUMin, spv.OpAtomicSMax, spv.OpAtomicUMax, spv.OpAtomicAnd, spv.OpAtomicOr,
        spv.OpAtomicXor, spv.OpAtomicFAddEXT, spv.OpAtomicFMinEXT, spv.OpAtomicFMaxEXT,
    }
)  # fmt: skip
"""Atomic instructions that compute or exchange a value in memory."""

ATOMICS: Final = MODIFYING_ATOMICS | {
    spv.OpAtomicLoad, spv.OpAtomicStore, spv.OpAtomicCompareExchangeWeak, spv.OpAtomicFlagTestAndSet, spv.OpAtomicFlagClear,
}  # fmt: skip
"""The opcodes of atomic instructions (SPIR-V 3.3.18)."""

DESCRIPTORS: Final = frozenset(
    {spv.OpTypeImage, spv.OpTypeSampler, spv.OpTypeAccelerationStructureKHR, spv.OpTypeTensorARM, spv.OpTypeBufferEXT}
)
"""The types of the descriptors that a heap holds (SPV_EXT_descriptor_heap)."""



def opcodes(names: str, prefix: str = "Op", suffix: str = "") -> tuple[int, ...]:
    """The opcodes of these names, which white space separates, each between `prefix` and `suffix`.

    Raises AttributeError for a name that no opcode has.
    """
    return tuple(getattr(spv, f"{prefix}{name}{suffix}") for name in names.split())
