"""8- and 16-bit numbers that are stored only (SPIR-V 2.16.1, 2.16.2, 3.2.30)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import (
    OpCopyMemory_Target,
    OpVariable_StorageClass,
    OpVectorExtractDynamic_Index,
    OpVectorInsertDynamic_Index,
)  # fmt: skip
from spvls.grammar.traits import VARIABLES
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.type_walks import behind_pointers
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.steps import PORTION
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.kinds import capabilities_to_compute, has_small_types
from spvls.validate.checks.wording import only_stored, operand, small_numbers, the_capabilities
from spvls.validate.engine.finding import PAUSE, Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule
from spvls.validate.fixes.declare import every_capability_fix

_COPIES = (spv.OpCopyMemory, spv.OpCopyMemorySized)
_UNIFORM = StorageClass.Uniform
_WORKGROUP = StorageClass.Workgroup

#: What lets a variable in a storage class hold small numbers; for Uniform see `_uniform_allows`.
_STORAGE_CAPABILITIES = {
    8: {
        StorageClass.StorageBuffer: Capability.StorageBuffer8BitAccess,
        StorageClass.PhysicalStorageBuffer: Capability.StorageBuffer8BitAccess,
        _UNIFORM: Capability.UniformAndStorageBuffer8BitAccess,
        StorageClass.PushConstant: Capability.StoragePushConstant8,
        _WORKGROUP: Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,
    },
    16: {
        StorageClass.StorageBuffer: Capability.StorageBuffer16BitAccess,
        StorageClass.PhysicalStorageBuffer: Capability.StorageBuffer16BitAccess,
        _UNIFORM: Capability.UniformAndStorageBuffer16BitAccess,
        StorageClass.PushConstant: Capability.StoragePushConstant16,
        StorageClass.Input: Capability.StorageInputOutput16,
        StorageClass.Output: Capability.StorageInputOutput16,
        _WORKGROUP: Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    },
}
#: What lets small numbers be stored, by the capabilities that allow arithmetic as well.
_STORING = {
    (Capability.Int8,): (
        Capability.StorageBuffer8BitAccess, Capability.UniformAndStorageBuffer8BitAccess, Capability.StoragePushConstant8,
        Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,
    ),
    (Capability.Int16, Capability.Float16): (
        Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess,
        Capability.StoragePushConstant16, Capability.StorageInputOutput16,
        Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,
    ),
}  # fmt: skip

_MOVING = frozenset({spv.OpLoad, spv.OpCopyObject, spv.OpFConvert})
"""What may result in a number that is only stored."""

#: What may be done with a number that is only stored.
_PASSING = frozenset(
    {spv.OpDecorate, spv.OpDecorateId, spv.OpName, spv.OpCopyObject, spv.OpStore, spv.OpFConvert, spv.OpUConvert, spv.OpSConvert}
)
_MADE = (
    spv.OpCopyObject, spv.OpSelect, spv.OpPhi, spv.OpFunctionCall, spv.OpBitcast, spv.OpConvertUToPtr,
    spv.OpConstantNull, spv.OpLoad, spv.OpUndef,
)  # fmt: skip
_NUMBERS = {
    (spv.OpTypeInt, 8): Capability.Int8,
    (spv.OpTypeInt, 16): Capability.Int16,
    (spv.OpTypeFloat, 16): Capability.Float16,
}


@instruction_rule("capability/small-copies-are-enabled", *_COPIES, section=sections.UNIVERSAL_VALIDATION_RULES)
def small_copies_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """Memory with 8- or 16-bit numbers must not be copied without the capability to compute with them.

    The capabilities for 8- and 16-bit storage permit loads and stores of such numbers and conversions of their width, but no copies
    of memory. A device that has only these may have no instruction for such a copy. Load and store the numbers one by one, or
    declare Int8, Int16 or Float16.

    The rule checks OpCopyMemory and OpCopyMemorySized by what their Target points to, in modules with Shader. As in spirv-val,
    numbers also count where a pointer to a pointer leads to them, or a pointer in a structure or an array that OpTypeForwardPointer
    does not declare. The Sampled Type of an image counts too. An untyped Target, and floats with other encodings, such as bfloat16,
    are not checked.
    """
    module = context.module
    type_, _ = behind_pointers(module.type_of(id_at(inst, OpCopyMemory_Target)))
    if type_ is None or type_.is_pointer or not module.has_capability(Capability.Shader):
        return
    if has_small_types(module, type_.id):
        needed = the_capabilities(capabilities_to_compute(module, type_.id))
        message = f"copying a value of type {module.spell(type_)} in memory requires {needed}"
        yield Finding(inst, OpCopyMemory_Target, message)


def _small_widths(module: Module, name: str) -> Iterator[int]:
    """The widths of small numbers in a type that the module may not compute with."""
    lacking = capabilities_to_compute(module, name)
    if Capability.Int16 in lacking or Capability.Float16 in lacking:
        yield 16
    if Capability.Int8 in lacking:
        yield 8


@instruction_rule("capability/small-variables-are-enabled", *VARIABLES, section=sections.UNIVERSAL_VALIDATION_RULES)
def small_variables_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A variable with 8- or 16-bit numbers must have a capability that permits them in its storage class.

    Devices may support small numbers in some memories only: a load from another storage class may have no instruction, or use
    another layout.

    With Int8, Int16 or Float16, their numbers are not checked. Without them, 16-bit numbers require StorageBuffer16BitAccess in
    StorageBuffer and PhysicalStorageBuffer, UniformAndStorageBuffer16BitAccess in Uniform, StoragePushConstant16 in PushConstant,
    StorageInputOutput16 in Input and Output, and WorkgroupMemoryExplicitLayout16BitAccessKHR
    (SPV_KHR_workgroup_memory_explicit_layout) in Workgroup, where it is for blocks only, which is not checked. For 8-bit numbers
    there are corresponding capabilities, but none for Input and Output. In Uniform, the rule, like spirv-val, accepts the one for
    StorageBuffer for structures decorated with BufferBlock, and arrays (not of arrays) of them; SPIR-V permits this only for 16-bit
    numbers. Other storage classes require Int8, Int16 or Float16.

    For a variable that is itself a pointer to such numbers, the storage class of that pointer decides. Numbers that pointers in a
    structure or an array lead to, and those that an image has as its Sampled Type, count as numbers of the variable, in its own
    storage class, as in spirv-val. Tensors, arrays of node payloads, pointers declared by OpTypeForwardPointer, floats with an
    FP Encoding, and modules without Shader are not checked.
    """
    module = context.module
    held = held_by(inst, module)
    own = word_at(inst, OpVariable_StorageClass)
    if held is None or own is None or not module.has_capability(Capability.Shader):
        return
    lacking = capabilities_to_compute(module, held.id)
    for width in _small_widths(module, held.id):
        if held is not None and held.kind == spv.OpTypePointer:
            held, own = behind_pointers(held)
        needed = _STORAGE_CAPABILITIES[width].get(own)
        full = [capability for capability in lacking if (capability == Capability.Int8) == (width == 8)]
        if needed is None:
            message = f"variable %{inst.result} holds {small_numbers(full)}; in {the_class(own)}, this requires "
            message += the_capabilities(full)
            yield Finding(inst, OpVariable_StorageClass, message)
            return
        allowed, block = module.has_capability(needed), ""
        if own == _UNIFORM and not allowed:
            base = held.element if held is not None and held.is_array else held
            if base is not None and module.has_decoration(base.id, Decoration.BufferBlock):
                needed, block = _STORAGE_CAPABILITIES[width][StorageClass.StorageBuffer], "a BufferBlock in "
                allowed = module.has_capability(needed)
        if not allowed:
            message = f"variable %{inst.result} holds {small_numbers(full)}; in {block}{the_class(own)}, this requires "
            yield Finding(inst, OpVariable_StorageClass, message + _storing(needed, full, own, held, module))
            return


def _storing(needed: int, full: Sequence[int], own: int | None, held: Type | None, module: Module) -> str:
    """What permits small numbers in a storage class: the capability to store them there, or those to compute with them."""
    if own == _WORKGROUP and (held is None or not module.has_decoration(held.id, Decoration.Block)):
        return the_capabilities(full)  # the other is for blocks only
    other = f" or {capability_name(full[0])}" if len(full) == 1 else f", or {the_capabilities(full)}"
    return f"the capability {capability_name(needed)}{other}"


_LOADABLE = frozenset({spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeVector, spv.OpTypeMatrix})


@instruction_rule("capability/small-loads-are-not-aggregate", spv.OpLoad, section=sections.UNIVERSAL_VALIDATION_RULES)
def small_loads_are_not_aggregate(inst: Instruction, context: RuleContext) -> Findings:
    """8- and 16-bit numbers that may only be stored must be loaded as scalars, vectors or matrices.

    A structure or array that is loaded as a whole is a value with small members, which the device would have to keep in registers.
    Devices with only the storage capabilities need not support this. Load the members one by one, or declare Int8, Int16 or
    Float16.

    The vectors are those of OpTypeVector. As in spirv-val, a load of any other type that such numbers are part of is reported too,
    such as a cooperative matrix, but not of a tensor or a pointer. A load of a structure or array with pointers to such numbers
    is reported as well, unless OpTypeForwardPointer declares the pointers. Only OpLoad in modules with Shader is checked. Floats
    with other encodings, such as bfloat16, do not count.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or type_.kind in _LOADABLE or type_.is_pointer or not module.has_capability(Capability.Shader):
        return
    if has_small_types(module, type_.id):
        needed = the_capabilities(capabilities_to_compute(module, type_.id))
        message = f"loading a value of type {module.spell(type_)} as a whole requires {needed}"
        yield Finding(inst, TYPE, message)


#: What has a rule of its own, or is told of by what is wrong with its constituents.
_OTHERS = frozenset({spv.OpUndef, spv.OpConstantComposite, spv.OpSpecConstantComposite})


@instruction_rule(
    "capability/small-constants-are-enabled", *sorted(CONSTANT_OPCODES - _OTHERS), section=sections.UNIVERSAL_VALIDATION_RULES
)
def small_constants_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A constant must not contain 8- or 16-bit numbers that may only be stored.

    The storage capabilities permit loads, stores, OpCopyObject and width conversions of small numbers, but no constants: a device
    with only these need not be able to make such a value otherwise. Use a 32-bit constant and convert it in a function, or declare
    Int8, Int16 or Float16. Only modules with Shader are checked, and only the first constant of each type is reported. As in
    spirv-val, composites with pointers to such numbers count, unless OpTypeForwardPointer declares the pointer; tensors and
    pointers themselves do not, nor bfloat16 and other encodings.

    OpConstantComposite and OpSpecConstantComposite are checked by `capability/small-constituents-are-enabled`, OpUndef by
    `constant/undef-has-value-type`.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or type_.is_pointer or not module.has_capability(Capability.Shader):
        return
    if has_small_types(module, type_.id):
        reported: set[str] = context.chunk_state("small constants", set)
        if type_.id in reported:
            return
        reported.add(type_.id)
        needed = the_capabilities(capabilities_to_compute(module, type_.id))
        message = f"a constant of type {module.spell(type_)} requires {needed}"
        yield Finding(inst, TYPE, message)


@instruction_rule(
    "capability/float16-values-are-enabled", section=sections.CAPABILITY, severity=Severity.WARNING, where=lambda op: op.has_type
)
def float16_values_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """With Float16Buffer and without Float16, the result of an instruction must not be a 16-bit float.

    Float16Buffer permits pointers to 16-bit floats, and access through them only in instructions that allow it, such as
    `vload_half` and `vstore_half`. A device without Float16 may have no registers or arithmetic for values of this type. Checked is
    the result type of each instruction, also of constants and parameters: a 16-bit float, or a vector, matrix or cooperative matrix
    of them. OpLoad, OpCopyObject and OpFConvert are permitted with a capability such as StorageBuffer16BitAccess. Other types, such
    as structures and arrays, and other encodings, such as bfloat16, are not checked.

    A warning, because spirv-val does not check this without Shader. With Shader, constants and most uses of such values are also
    errors of other rules, such as `capability/small-constants-are-enabled` and `capability/small-values-are-only-stored`.
    """
    module = context.module
    if not module.has_capability(Capability.Float16Buffer) or module.has_capability(Capability.Float16):
        return
    if inst.opcode.value in _MOVING and any(map(module.has_capability, _STORING[Capability.Int16, Capability.Float16])):
        return
    type_ = module.type(inst.type)
    scalar = type_.scalar if type_ is not None else None
    if scalar is not None and scalar.is_float and scalar.width == 16 and scalar.encoding is None:
        message = f"{inst.opcode.name} with the result type {module.spell(type_)} requires the capability Float16"
        yield Finding(inst, TYPE, message)


_INDEXES = {spv.OpVectorExtractDynamic: OpVectorExtractDynamic_Index, spv.OpVectorInsertDynamic: OpVectorInsertDynamic_Index}
_OF_OTHER_PARTS = frozenset({spv.OpCompositeExtract, spv.OpCompositeConstructReplicateEXT})
_WITHOUT_OWN_RULE = frozenset(
    {
        spv.OpConvertUToPtr, spv.OpSatConvertSToU, spv.OpSatConvertUToS, spv.OpConvertBF16ToFINTEL, spv.OpBitcastExtractEXT,
        spv.OpConvertFToBF16INTEL, spv.OpRoundFToTF32INTEL, spv.OpConditionalCopyObjectINTEL, spv.OpBitCastArrayQCOM,
        spv.OpExtractSubArrayQCOM, spv.OpCompositeConstructCoopMatQCOM, spv.OpCompositeExtractCoopMatQCOM,
        spv.OpCooperativeMatrixConvertUseEXT, spv.OpCooperativeMatrixTransposeNV,
    }
)  # fmt: skip


@function_rule("capability/small-values-are-only-stored", section=sections.UNIVERSAL_VALIDATION_RULES)
def small_values_are_only_stored(function: Function, context: RuleContext) -> Findings:
    """If only storage permits 8- or 16-bit numbers, they may only be loaded, stored, copied or resized.

    Capabilities such as StorageBuffer16BitAccess permit small numbers in memory. A device that supports no more than these need not
    have arithmetic for them. OpLoad, OpStore, OpCopyObject, OpUConvert, OpSConvert and OpFConvert are permitted. For other uses,
    change the width first by one of the last three, or declare Int8, Int16 or Float16.

    Checked are the operands of instructions in functions, in modules with Shader and such a capability or Float16Buffer, also those
    of OpPhi, OpReturnValue, OpFunctionCall and, as in spirv-val, of non-semantic instructions. Composites with such numbers, or
    with pointers to them (not of OpTypeForwardPointer), and images and sampled images with such a Sampled Type count; tensors,
    pointers themselves, bfloat16 and 8-bit floats do not.

    Most conversions and composite instructions are left to rules of their own, such as `computation/conversion-types-match`, and
    loads of structures and arrays to `capability/small-loads-are-not-aggregate`.
    """
    if _stores_only(context.module):
        for record in function.records:
            at = _INDEXES.get(record.opcode.value)
            if at is not None:
                yield from _small_use(record, context.module, at)
            elif record.opcode.value in _OF_OTHER_PARTS:
                if not has_small_types(context.module, record.type):
                    yield from _small_use(record, context.module)
            elif record.opcode.value in _WITHOUT_OWN_RULE or (
                record.opcode.value not in _PASSING and record.opcode.class_ not in ("Conversion", "Composite")
            ):
                yield from _small_use(record, context.module)  # of the others, their own rules say more


@instruction_rule(
    "capability/small-constituents-are-enabled",
    spv.OpConstantComposite,
    spv.OpSpecConstantComposite,
    section=sections.UNIVERSAL_VALIDATION_RULES,
)
def small_constituents_are_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """The constituents of a constant must not be 8- or 16-bit numbers that may only be stored.

    The storage capabilities permit loads, stores, OpCopyObject and width conversions of small numbers, but no constants: a device
    with only these need not be able to make such a value without a load or a conversion. Declare Int8, Int16 or Float16, or use
    32-bit parts. OpConstantComposite and OpSpecConstantComposite are checked, in modules with Shader. A composite with such numbers
    counts too, and as in spirv-val a pointer to such a number or composite, unless OpTypeForwardPointer declares the pointer.
    Floats with other encodings, such as bfloat16, do not count.
    """
    if context.module.has_capability(Capability.Shader):
        yield from _small_use(inst, context.module, pointers=True)


def _small_use(inst: Instruction, module: Module, at: int | None = None, *, pointers: bool = False) -> Findings:
    """A use of a small number, or with `pointers` also of a pointer to one, or only one at that place."""
    for operand_index, name in enumerate(inst.operands):
        if not (operand_index + 1) % PORTION:
            yield PAUSE
        if at is not None and operand_index != at:
            continue
        type_ = module.type_of(name)
        if type_ is not None and (pointers or not type_.is_pointer) and has_small_types(module, type_.id):
            needed = capabilities_to_compute(module, type_.id)
            what = f"{operand(inst, operand_index)} of {inst.opcode.name} is {module.spell(type_)}"
            if type_.is_pointer:
                limit = f"without {the_capabilities(needed)}, a constant must not contain pointers to {small_numbers(needed)}"
            else:
                limit = only_stored(needed)
            yield Finding(inst, operand_index, f"{what}; {limit}", fixes=every_capability_fix(module, needed))
            return


def _stores_only(module: Module) -> bool:
    """Whether the module may have small numbers that it cannot compute with."""
    if not module.has_capability(Capability.Shader):
        return False
    if module.has_capability(Capability.Float16Buffer) and not module.has_capability(Capability.Float16):
        return True
    return any(
        any(map(module.has_capability, storing)) and not all(map(module.has_capability, full)) for full, storing in _STORING.items()
    )


@instruction_rule(
    "capability/small-pointers-come-from-chains", *_MADE, section=sections.UNIVERSAL_VALIDATION_RULES, severity=Severity.WARNING
)
def small_pointers_come_from_chains(inst: Instruction, context: RuleContext) -> Findings:
    """A pointer to an 8- or 16-bit number that may only be stored must be a variable or an access chain.

    From an access chain a consumer knows the object of the number, and can select the load for it. A pointer that is selected,
    loaded or cast may lack this, and a device with only the storage capabilities need not support it.

    Checked are the results of OpCopyObject, OpSelect, OpPhi, OpFunctionCall, OpBitcast, OpConvertUToPtr, OpConstantNull, OpLoad and
    OpUndef that are typed pointers to such a number or a vector, matrix or cooperative matrix of them, in modules with Shader.
    Function parameters, and pointers to other types, such as structures, arrays and floats with other encodings, are not checked.
    OpPtrAccessChain counts as an access chain, although SPIR-V does not list it here.

    A warning, because spirv-val does not check this, except for OpBitcast, which `computation/bitcast-keeps-bit-count` reports too.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or type_.kind != spv.OpTypePointer or not module.has_capability(Capability.Shader):
        return
    pointee = type_.pointee
    scalar = pointee.scalar if pointee is not None else None
    if scalar is None or not scalar.is_numeric or scalar.encoding is not None:
        return
    capability = _NUMBERS.get((scalar.kind, scalar.width))
    if capability is not None and not module.has_capability(capability):
        what = f"the result type of {inst.opcode.name} is {module.spell(type_)}"
        lack = f"without the capability {capability_name(capability)}, such a pointer must come from a variable or an access chain"
        yield Finding(inst, TYPE, f"{what}; {lack}")
