"""The operations that OpSpecConstantOp may name (SPIR-V 3.3.7, and the extensions that add to it)."""

from __future__ import annotations

_NAMES = """
SConvert UConvert FConvert ConvertFToS ConvertFToU ConvertSToF ConvertUToF ConvertPtrToU ConvertUToPtr
GenericCastToPtr PtrCastToGeneric Bitcast QuantizeToF16
SNegate FNegate IAdd ISub IMul UDiv SDiv UMod SRem SMod FAdd FSub FMul FDiv FRem FMod
ShiftRightLogical ShiftRightArithmetic ShiftLeftLogical BitwiseOr BitwiseXor BitwiseAnd Not
VectorShuffle CompositeExtract CompositeInsert Select
LogicalOr LogicalAnd LogicalNot LogicalEqual LogicalNotEqual
IEqual INotEqual ULessThan SLessThan UGreaterThan SGreaterThan
ULessThanEqual SLessThanEqual UGreaterThanEqual SGreaterThanEqual
AccessChain InBoundsAccessChain PtrAccessChain InBoundsPtrAccessChain
UntypedAccessChainKHR UntypedInBoundsAccessChainKHR UntypedPtrAccessChainKHR UntypedInBoundsPtrAccessChainKHR
CooperativeMatrixLengthKHR CooperativeMatrixLengthNV
"""

SPECIALIZABLE = frozenset({f"Op{name}" for name in _NAMES.split()})
