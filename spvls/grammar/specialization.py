"""The operations that OpSpecConstantOp may name (SPIR-V 3.3.7, and the extensions that add to it)."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.typed import Final

SPECIALIZABLE: Final = frozenset(
    {
        spv.OpSConvert, spv.OpUConvert, spv.OpFConvert, spv.OpConvertFToS, spv.OpConvertFToU, spv.OpConvertSToF,
        spv.OpConvertUToF, spv.OpConvertPtrToU, spv.OpConvertUToPtr, spv.OpGenericCastToPtr, spv.OpPtrCastToGeneric,
        spv.OpBitcast, spv.OpQuantizeToF16, spv.OpSNegate, spv.OpFNegate, spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpUDiv,
        spv.OpSDiv, spv.OpUMod, spv.OpSRem, spv.OpSMod, spv.OpFAdd, spv.OpFSub, spv.OpFMul, spv.OpFDiv, spv.OpFRem,
        spv.OpFMod, spv.OpShiftRightLogical, spv.OpShiftRightArithmetic, spv.OpShiftLeftLogical, spv.OpBitwiseOr,
        spv.OpBitwiseXor, spv.OpBitwiseAnd, spv.OpNot, spv.OpVectorShuffle, spv.OpCompositeExtract, spv.OpCompositeInsert,
        spv.OpSelect, spv.OpLogicalOr, spv.OpLogicalAnd, spv.OpLogicalNot, spv.OpLogicalEqual, spv.OpLogicalNotEqual,
        spv.OpIEqual, spv.OpINotEqual, spv.OpULessThan, spv.OpSLessThan, spv.OpUGreaterThan, spv.OpSGreaterThan,
        spv.OpULessThanEqual, spv.OpSLessThanEqual, spv.OpUGreaterThanEqual, spv.OpSGreaterThanEqual, spv.OpAccessChain,
        spv.OpInBoundsAccessChain, spv.OpPtrAccessChain, spv.OpInBoundsPtrAccessChain, spv.OpUntypedAccessChainKHR,
        spv.OpUntypedInBoundsAccessChainKHR, spv.OpUntypedPtrAccessChainKHR, spv.OpUntypedInBoundsPtrAccessChainKHR,
        spv.OpCooperativeMatrixLengthKHR, spv.OpCooperativeMatrixLengthNV,
    }
)  # fmt: skip
"""Their opcodes."""
