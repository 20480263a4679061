"""OpRawAccessChainNV: pointers by stride, index and offset in bytes (SPV_NV_raw_access_chains)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import RawAccessChainOperands, StorageClass
from spvls.module.operand_at import id_at, word_at
from spvls.module.variable import storage_name
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_CLASSES = frozenset({StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer, StorageClass.Uniform})
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_PER_COMPONENT = RawAccessChainOperands.RobustnessPerComponentNV
_PER_ELEMENT = RawAccessChainOperands.RobustnessPerElementNV
_STRIDE, _INDEX, _OFFSET, _OPERANDS = 1, 2, 3, 4


@instruction_rule("pointer/raw-chain-points-into-buffer", spv.OpRawAccessChainNV, section=sections.MEMORY_INSTRUCTIONS)
def raw_chain_points_into_buffer(inst: Instruction, context: RuleContext) -> Findings:
    """OpRawAccessChainNV must give a typed buffer pointer, not to an OpTypeArray, matrix or structure.

    The instruction computes the address from a stride, an index and an offset in bytes, which requires the memory of a buffer:
    StorageBuffer, PhysicalStorageBuffer or Uniform. Loads and stores through the pointer are of single values, such as scalars and
    vectors. Run-time arrays are not reported. As in spirv-val, Base is not checked, nor are the uses of the result, which
    SPV_NV_raw_access_chains limits to OpLoad and OpStore.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind != spv.OpTypePointer:
        message = f"the result type %{inst.type} is {module.spell(type_)}, expected a typed pointer (OpTypePointer)"
        yield Finding(inst, TYPE, message)
    elif type_.storage not in _CLASSES:
        class_ = storage_name(type_.storage)
        expected = "expected StorageBuffer, PhysicalStorageBuffer or Uniform"
        message = f"the result type %{inst.type} points to the storage class {class_}, {expected}"
        yield Finding(inst, TYPE, message)
    elif type_.pointee is not None and type_.pointee.kind in (spv.OpTypeArray, spv.OpTypeMatrix, spv.OpTypeStruct):
        message = f"the result type %{inst.type} points to {module.spell(type_.pointee)}, expected a scalar or a vector"
        yield Finding(inst, TYPE, message)


@instruction_rule(
    "pointer/raw-chain-operands-are-integers",
    spv.OpRawAccessChainNV,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(raw_chain_points_into_buffer,),
)
def raw_chain_operands_are_integers(inst: Instruction, context: RuleContext) -> Findings:
    """The stride, index and offset of OpRawAccessChainNV must be integers, and the stride an OpConstant.

    The address is computed from the base: the product of stride and index, and the offset, are added to it in bytes. A device may
    encode the stride in the instruction, which requires a value that is known at compile time. The index and the offset must have
    32 bits. As in spirv-val, an access that ends beyond the stride is not reported.
    """
    module = context.module
    stride = id_at(inst, _STRIDE)
    if stride is not None and module.type_of(stride) is not None and module.opcode_of(stride) != spv.OpConstant:
        made = module.opcode_name_of(stride)
        yield Finding(inst, _STRIDE, f"{operand(inst, _STRIDE)} is the result of {made}, expected an OpConstant")
        return
    for operand_index in (_STRIDE, _INDEX, _OFFSET):
        type_ = module.type_of(id_at(inst, operand_index))
        if type_ is None:
            continue
        if not type_.is_int or (operand_index != _STRIDE and type_.width != 32):
            wanted = "an integer" if operand_index == _STRIDE else "a 32-bit integer"
            yield Finding(inst, operand_index, f"{operand(inst, operand_index)} is {module.spell(type_)}, expected {wanted}")
            return


@instruction_rule(
    "pointer/raw-chain-robustness-is-consistent",
    spv.OpRawAccessChainNV,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(raw_chain_operands_are_integers,),
)
def raw_chain_robustness_is_consistent(inst: Instruction, context: RuleContext) -> Findings:
    """OpRawAccessChainNV must not have both forms of robustness, nor any in PhysicalStorageBuffer.

    Robustness is optional. RobustnessPerComponentNV checks the offset of each scalar against the size of the buffer, and
    RobustnessPerElementNV the product of stride and index, once for the whole access: an access can be checked in only one of these
    ways. A pointer to PhysicalStorageBuffer has no buffer size to check against. With RobustnessPerElementNV, the stride must not
    be 0.
    """
    module = context.module
    mask = word_at(inst, _OPERANDS)
    if not mask:
        return
    type_ = module.type(inst.type)
    both = _PER_COMPONENT | _PER_ELEMENT
    if mask & _PER_ELEMENT and module.integer(id_at(inst, _STRIDE)) == 0:
        yield Finding(inst, _STRIDE, f"{operand(inst, _STRIDE)} is 0, expected a number other than 0 for RobustnessPerElementNV")
    elif mask & both and type_ is not None and type_.storage == _PHYSICAL_STORAGE_BUFFER:
        names = "RobustnessPerElementNV" if mask & _PER_ELEMENT else "RobustnessPerComponentNV"
        yield Finding(inst, _OPERANDS, f"{names} must not be used with pointers to PhysicalStorageBuffer")
    elif mask & both == both:
        yield Finding(inst, _OPERANDS, "RobustnessPerComponentNV and RobustnessPerElementNV must not be used together")
