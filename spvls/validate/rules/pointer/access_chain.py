"""Access chains (SPIR-V 2.17, 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.operand_index import OpUntypedAccessChainKHR_Base, OpUntypedAccessChainKHR_BaseType
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.pointers import LOGICAL_MODELS, bases
from spvls.validate.checks.wording import counted, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import pointing_to
from spvls.validate.rules.function.declaration import spelled_apart
from spvls.validate.rules.pointer.chain import CHAINS, UNTYPED_CHAINS, chain, is_block

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer


@instruction_rule("pointer/access-chain-gives-pointer", *CHAINS, section=sections.MEMORY_INSTRUCTIONS)
def access_chain_gives_pointer(inst: Instruction, context: RuleContext) -> Findings:
    """An access chain must give a typed pointer, or an untyped one if the chain is untyped.

    The result is the address of a part of the base object. For a typed access chain the type is OpTypePointer, which says what the
    address points to; for an untyped access chain it is OpTypeUntypedPointerKHR. A result that is not a pointer cannot be loaded
    from or stored to. As in spirv-val, a vector of pointers is reported, also with SPV_INTEL_masked_gather_scatter. For
    OpRawAccessChainNV see `pointer/raw-chain-points-into-buffer`, and for access chains in OpSpecConstantOp
    `constant/spec-operation-is-valid`.
    """
    type_ = context.module.type(inst.type)
    wanted = spv.OpTypeUntypedPointerKHR if inst.opcode.value in UNTYPED_CHAINS else spv.OpTypePointer
    if type_ is not None and type_.kind != wanted:
        kind = "a typed" if wanted == spv.OpTypePointer else "an untyped"
        expected = f"{kind} pointer ({tables.opcode_name(wanted)})"
        yield Finding(inst, TYPE, f"the result type %{inst.type} is {context.module.spell(type_)}, expected {expected}")


@instruction_rule("pointer/access-chain-base-is-pointer", *CHAINS, section=sections.MEMORY_INSTRUCTIONS)
def access_chain_base_is_pointer(inst: Instruction, context: RuleContext) -> Findings:
    """The Base of an access chain must be a pointer, and a typed one unless the chain is untyped.

    An access chain computes the address of a part from the address in Base. A typed chain finds the part by the type that Base
    points to, which the type of an untyped pointer does not say. To read a part of a value that is not in memory, use for example
    OpCompositeExtract. As in spirv-val, vectors of pointers are reported, which SPV_INTEL_masked_gather_scatter permits.
    OpRawAccessChainNV is not checked. For access chains in OpSpecConstantOp see `constant/spec-operation-is-valid`.
    """
    module = context.module
    found = chain(inst, module)
    base = found.base
    if base is None or base.kind == spv.OpTypePointer or (base.is_pointer and inst.opcode.value in UNTYPED_CHAINS):
        return
    wanted = "a pointer" if inst.opcode.value in UNTYPED_CHAINS else "a typed pointer (OpTypePointer)"
    yield Finding(inst, found.base_place, f"{operand(inst, found.base_place)} is {module.spell(base)}, expected {wanted}")


@instruction_rule("pointer/access-chain-keeps-storage-class", *CHAINS, section=sections.MEMORY_INSTRUCTIONS)
def access_chain_keeps_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """The result of an access chain must have the storage class of its Base.

    An access chain selects a part of an object, which is in the same memory as the object. With another storage class a device may
    use the instructions for another kind of memory on the address. No fix is offered for untyped results.

    For vectors of pointers (SPV_INTEL_masked_gather_scatter) see `pointer/access-chain-base-is-pointer`, for OpRawAccessChainNV
    `pointer/raw-chain-points-into-buffer`, and for access chains in OpSpecConstantOp `constant/spec-operation-is-valid`.
    """
    module = context.module
    type_ = module.type(inst.type)
    found = chain(inst, module)
    base = found.base
    if type_ is None or base is None or not (type_.is_pointer and base.is_pointer) or type_.storage == base.storage:
        return
    expected = f"{storage_name(base.storage)} to match {operand(inst, found.base_place)}"
    message = f"the result type %{inst.type} points to {the_class(type_.storage)}, expected {expected}"
    fixes = pointing_to(inst, type_.pointee, base.storage, module) if type_.pointee is not None else ()
    yield Finding(inst, TYPE, message, (), fixes)


@instruction_rule("pointer/untyped-base-type-matches-base", *UNTYPED_CHAINS, section=sections.MEMORY_INSTRUCTIONS)
def untyped_base_type_matches_base(inst: Instruction, context: RuleContext) -> Findings:
    """The Base Type of an untyped access chain must not be a pointer, or reinterpret an array of blocks.

    The indexes step through Base Type, and a pointer has no parts. An array of blocks is an array of descriptors, not memory: if
    either Base Type or the type of what the variable holds is an OpTypeArray of blocks or of arrays of blocks, the other must be
    the same array, so that the first index selects the descriptor.

    As in spirv-val, both are checked of pointer access chains too, for which SPV_KHR_untyped_pointers requires neither. The
    variable is only found if Base is it or a copy of it (OpCopyObject). Run-time arrays do not count as arrays of blocks, nor does
    a structure that contains such an array.
    """
    module = context.module
    into = module.type(id_at(inst, OpUntypedAccessChainKHR_BaseType))
    if into is None:
        return
    if into.is_pointer:
        yield Finding(
            inst,
            OpUntypedAccessChainKHR_BaseType,
            f"operand Base Type (%{into.id}) is {module.spell(into)}, expected a type that is not a pointer",
        )
        return
    held = _held(inst, module)
    if held is None:
        return
    if into.id != held.id and (_is_block_array(module, into) or _is_block_array(module, held)):
        message = (
            f"operand Base Type (%{into.id}) is {module.spell(into)}, expected {module.spell(held)} (%{held.id}), the data type "
            f"of the variable that {operand(inst, OpUntypedAccessChainKHR_Base)} points into; with an array of blocks, "
            "both must be the same type"
        )
        yield Finding(inst, OpUntypedAccessChainKHR_BaseType, message)


def _held(inst: Instruction, module: Module) -> Type | None:
    """What the variable holds that is the base of a chain, copies of the pointer aside."""
    for maker in bases(module, id_at(inst, OpUntypedAccessChainKHR_Base)):
        match maker.opcode.value:
            case spv.OpCopyObject:
                continue
            case spv.OpVariable:
                pointer = module.type(maker.type)
                return pointer.pointee if pointer is not None else None
            case spv.OpUntypedVariableKHR:
                return module.type(id_at(maker, 1))
        return None
    return None


def _is_block_array(module: Module, type_: Type) -> bool:
    return type_.kind == spv.OpTypeArray and is_block(module, module.without_arrays(type_))


@instruction_rule("pointer/chain-indexes-are-within-limit", *CHAINS, section=sections.UNIVERSAL_LIMITS)
def chain_indexes_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An access chain must not have more indexes than the limit, which is 255 by default.

    Every consumer must support 255 indexes; with more, a driver may reject the module or overflow a buffer of fixed
    size. Not counted are the operand Element of a pointer access chain and, unlike in spirv-val, the Base Type of an untyped one
    (SPV_KHR_untyped_pointers). The option `max-access-chain-indexes` sets another limit.
    """
    limit = context.options.max_access_chain_indexes
    if len(inst.operands) <= limit:
        return
    first = chain(inst, context.module).first_index
    given = len(inst.operands) - first
    if given > limit:
        yield Finding(inst, first + limit, f"the access chain has {given} indexes, but the limit is {limit}")


@instruction_rule(
    "pointer/access-chain-reaches-result-type",
    *CHAINS,
    section=sections.MEMORY_INSTRUCTIONS,
    after=(chain_indexes_are_within_limit,),
)
def access_chain_reaches_result_type(inst: Instruction, context: RuleContext) -> Findings:
    """The indexes of an access chain must lead to the type that its result type points to.

    Each index selects a part of a composite type. If the part does not exist, or if it has another type, a consumer may
    compute an address outside of the object, or later read the bits as another value.

    Each index must be an integer scalar, and no index may follow after a type that has no parts. The index of a structure member
    must be an OpConstant (as in spirv-val, OpConstantNull is accepted too) and name a member. Indexes into vectors, matrices and
    arrays are compared with the number of elements by `pointer/access-chain-stays-in-bounds`. For an untyped chain the type that is
    reached is not compared. For access chains in OpSpecConstantOp see `constant/spec-operation-is-valid`.

    With the addressing models Logical and PhysicalStorageBuffer64, a signed index that is a constant which cannot be specialized
    must not be negative (as in spirv-val, also with variable pointers and in pointer access chains), except for a pointer to
    PhysicalStorageBuffer or with the option `relax-logical-pointer` or `before-hlsl-legalization`.
    """
    module = context.module
    found = chain(inst, module)
    type_ = found.into
    if type_ is None or found.base is None or not found.base.is_pointer:
        return
    if type_.is_pointer and inst.opcode.value in UNTYPED_CHAINS:
        return
    for operand_index in range(found.first_index, len(inst.operands)):
        name = id_at(inst, operand_index)
        index = module.type_of(name)
        if index is None:
            if name is None or module.definition(name) is None or module.is_type(name):
                return
            continue
        if not index.is_int:
            yield Finding(inst, operand_index, f"index %{name} is {module.spell(index)}, expected an integer")
            return
        number = module.integer(name)
        if number is not None and number < 0 and _may_not_be_negative(inst, context):
            yield Finding(inst, operand_index, f"index %{name} is {number}, expected 0 or more with logical addressing")
            return
        if type_.is_struct:
            members = type_.members
            if number is None:
                made = f"is the result of {module.opcode_name_of(str(name))}, expected an OpConstant"
                yield Finding(inst, operand_index, f"index %{name} selects a member of %{type_.id} and {made}")
                return
            if not 0 <= number < len(members):
                there = f"%{type_.id} has {counted(len(members), 'member')}; numbering starts at 0"
                yield Finding(inst, operand_index, f"index %{name} is {number}, but {there}")
                return
            type_ = members[number]
        elif type_.is_composite or type_.kind == spv.OpTypeNodePayloadArrayAMDX:
            type_ = type_.element
        else:
            what = f"{module.spell(type_)} has no members or elements"
            yield Finding(inst, operand_index, f"index %{name} has nothing to select: {what}")
            return
        if type_ is None:
            return
    leads = "the indexes lead" if len(inst.operands) > found.first_index else "the access chain leads"
    yield from _reaches(inst, leads, type_, module)


def _may_not_be_negative(inst: Instruction, context: RuleContext) -> bool:
    result = context.module.type(inst.type)
    return (
        not context.options.relax_logical_pointer
        and context.module.addressing_model in LOGICAL_MODELS
        and (result is None or result.storage != _PHYSICAL_STORAGE_BUFFER)
    )


def _reaches(inst: Instruction, leads: str, type_: Type, module: Module) -> Findings:
    """The finding that a typed chain ends elsewhere than its result type says."""
    result = module.type(inst.type)
    wanted = result.pointee if result is not None else None
    if wanted is None or wanted.id == type_.id or result is None:
        return
    have, need = spelled_apart(module, type_.id, wanted.id)
    message = f"{leads} to {have}, but the result type %{inst.type} points to {need}"
    yield Finding(inst, TYPE, message, (), pointing_to(inst, type_, result.storage, module))
