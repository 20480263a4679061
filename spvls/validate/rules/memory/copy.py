"""Copies (SPIR-V 2.16.1, 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpCopyMemory_Source, OpCopyMemory_Target, OpCopyMemorySized_Size
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.variable import storage_name
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.function.declaration import spelled_apart

_COPIES = (spv.OpCopyMemory, spv.OpCopyMemorySized)


@instruction_rule("memory/copy-takes-pointers", *_COPIES, section=sections.MEMORY_INSTRUCTIONS)
def copy_takes_pointers(inst: Instruction, context: RuleContext) -> Findings:
    """Target and Source of a memory copy must be pointers; those of OpCopyMemory not to void.

    OpCopyMemory takes the number of bytes from the type that is pointed to, and void has no size. For the same reason at least one
    of its pointers must be typed (SPV_KHR_untyped_pointers). OpCopyMemorySized has an operand for the size, so this rule permits
    any two pointers.
    """
    module = context.module
    typed = False
    for operand_index in (0, 1):
        type_ = module.type_of(id_at(inst, operand_index))
        if type_ is None:
            return
        if not type_.is_pointer:
            yield Finding(inst, operand_index, f"{operand(inst, operand_index)} is {module.spell(type_)}, expected a pointer")
            return
        typed = typed or type_.kind == spv.OpTypePointer
        if inst.opcode.value == spv.OpCopyMemory and type_.pointee is not None and type_.pointee.kind == spv.OpTypeVoid:
            yield Finding(inst, operand_index, f"{operand(inst, operand_index)} points to void, expected a type with a size")
            return
    if inst.opcode.value == spv.OpCopyMemory and not typed:
        both = f"{operand(inst, 0)} and {operand(inst, 1)}"
        yield Finding(inst, OPCODE, f"{both} are both untyped pointers; at least one must be typed")


@instruction_rule("memory/copied-pointees-match", spv.OpCopyMemory, section=sections.MEMORY_INSTRUCTIONS)
def copied_pointees_match(inst: Instruction, context: RuleContext) -> Findings:
    """Both pointers of OpCopyMemory must point to the same type.

    The copy is like a load followed by a store, without conversion. With two types the size may be ambiguous, and the bits may have
    another meaning in the target. The storage classes of the pointers may differ. Untyped pointers are not compared, nor
    pointers to void, which `memory/copy-takes-pointers` reports.
    """
    module = context.module
    target, source = (module.type_of(id_at(inst, operand_index)) for operand_index in (0, 1))
    to = target.pointee if target is not None else None
    from_ = source.pointee if source is not None else None
    if to is not None and from_ is not None and to.id != from_.id and spv.OpTypeVoid not in (to.kind, from_.kind):
        have, need = spelled_apart(module, from_.id, to.id)
        message = (
            f"{operand(inst, OpCopyMemory_Source)} points to {have}, "
            f"expected {need} to match what {operand(inst, OpCopyMemory_Target)} points to"
        )
        yield Finding(inst, OpCopyMemory_Source, message)


@instruction_rule("memory/copy-has-fixed-size", spv.OpCopyMemory, section=sections.MEMORY_INSTRUCTIONS, severity=Severity.WARNING)
def copy_has_fixed_size(inst: Instruction, context: RuleContext) -> Findings:
    """OpCopyMemory must not copy a run-time array or a type that contains one.

    The number of bytes comes from the type, and the length of a run-time array is known only when the module runs. A compiler may
    reject the copy, or copy nothing or only the members before the array. What pointers lead to does not count.

    A warning, because spirv-val does not check this.
    """
    module = context.module
    for operand_index in (0, 1):
        type_ = module.type_of(id_at(inst, operand_index))
        held = type_.pointee if type_ is not None else None
        if held is not None and spv.OpTypeRuntimeArray in module.contents(held.id, behind_pointers=False):
            what = "is" if held.kind == spv.OpTypeRuntimeArray else "contains"
            message = f"{operand(inst, operand_index)} points to {module.spell(held)}, which {what} a run-time array, "
            message += "expected a type of fixed size"
            yield Finding(inst, operand_index, message)
            return


@instruction_rule("memory/copy-size-is-positive-integer", spv.OpCopyMemorySized, section=sections.MEMORY_INSTRUCTIONS)
def copy_size_is_positive_integer(inst: Instruction, context: RuleContext) -> Findings:
    """The Size of OpCopyMemorySized must be an integer, and a constant Size must be greater than 0.

    The operand is a number of bytes. A copy of no bytes does nothing, and a compiler that reads a negative constant as an unsigned
    number may copy past the end of both objects. The values of specialization constants are not checked.
    """
    module = context.module
    name = id_at(inst, OpCopyMemorySized_Size)
    type_ = module.type_of(name)
    if type_ is None:
        return
    if not type_.is_int:
        subject = operand(inst, OpCopyMemorySized_Size)
        yield Finding(inst, OpCopyMemorySized_Size, f"{subject} is {module.spell(type_)}, expected an integer")
        return
    size = module.integer(name)
    if size is not None and size <= 0:
        yield Finding(inst, OpCopyMemorySized_Size, f"{operand(inst, OpCopyMemorySized_Size)} is {size}, expected at least 1")


_8_BIT = {
    StorageClass.StorageBuffer: (Capability.StorageBuffer8BitAccess, Capability.UniformAndStorageBuffer8BitAccess),
    StorageClass.Uniform: (Capability.UniformAndStorageBuffer8BitAccess,),
    StorageClass.PushConstant: (Capability.StoragePushConstant8,),
    StorageClass.Workgroup: (Capability.WorkgroupMemoryExplicitLayout8BitAccessKHR,),
}
_16_BIT = {
    StorageClass.StorageBuffer: (Capability.StorageBuffer16BitAccess, Capability.UniformAndStorageBuffer16BitAccess),
    StorageClass.Uniform: (Capability.UniformAndStorageBuffer16BitAccess,),
    StorageClass.PushConstant: (Capability.StoragePushConstant16,),
    StorageClass.Input: (Capability.StorageInputOutput16,),
    StorageClass.Output: (Capability.StorageInputOutput16,),
    StorageClass.Workgroup: (Capability.WorkgroupMemoryExplicitLayout16BitAccessKHR,),
}


def _has_access(module: Module, class_: int, table: dict[int, tuple[int, ...]]) -> bool:
    return any(map(module.has_capability, table.get(class_, ())))


@instruction_rule("memory/copy-size-fits-access-width", spv.OpCopyMemorySized, section=sections.UNIVERSAL_VALIDATION_RULES)
def copy_size_fits_access_width(inst: Instruction, context: RuleContext) -> Findings:
    """In shaders, a constant Size of a copy must be a multiple of 4, unless smaller access is declared.

    A device that accesses memory only in units of 32 bits may copy too much or too little if the size is not a multiple of 4. The
    size may be a multiple of 2 if the module declares 8- or 16-bit access (SPV_KHR_8bit_storage, SPV_KHR_16bit_storage, and for
    Workgroup SPV_KHR_workgroup_memory_explicit_layout) to the storage class of each pointer, for example with
    StorageBuffer16BitAccess, and any number if it declares 8-bit access to both. As in spirv-val, no such capability counts for
    PhysicalStorageBuffer.

    Vulkan requires this, while SPV_KHR_untyped_pointers only says what 8- and 16-bit access permits; the rule, like spirv-val,
    applies it in all environments, to modules with the capability Shader. As in spirv-val, no size is reported with the capability
    Int8, and no multiple of 2 with Int16. Specialization constants and constants of other widths than 32 bits are not checked.
    """
    module = context.module
    name = id_at(inst, OpCopyMemorySized_Size)
    size, type_ = module.integer(name), module.type_of(name)
    if size is None or size <= 0 or size % 4 == 0 or not module.has_capability(Capability.Shader):
        return
    if type_ is None or type_.width != 32:
        return
    types = [module.type_of(id_at(inst, operand_index)) for operand_index in (0, 1)]
    classes = [type_.storage for type_ in types if type_ is not None and type_.is_pointer]
    if len(classes) != 2 or module.has_capability(Capability.Int8):
        return
    bytes_ = all(_has_access(module, class_, _8_BIT) for class_ in classes)
    halves = bytes_ or module.has_capability(Capability.Int16) or all(
        _has_access(module, class_, _16_BIT) or _has_access(module, class_, _8_BIT) for class_ in classes
    )
    step = 1 if bytes_ else 2 if halves else 4
    if size % step:
        vuid = "VUID-RuntimeSpirv-Size-11165" if module.environment.api == "vulkan" else None
        to, from_ = map(storage_name, classes)
        tables = (_8_BIT,) if step == 2 else (_8_BIT, _16_BIT)
        closed = [c for c in dict.fromkeys(reversed(classes)) if not any(_has_access(module, c, table) for table in tables)]
        if StorageClass.PhysicalStorageBuffer in closed:
            lacking = "does not declare Int8" if step == 2 else "declares neither Int8 nor Int16"
        else:
            accesses = "8-bit" if step == 2 else "8- or 16-bit"
            lacking = f"declares no capability for {accesses} access to {listed([*map(storage_name, closed)])}"
        message = (
            f"{operand(inst, OpCopyMemorySized_Size)} is {size}, expected a multiple of {step} for a copy "
            f"from {from_} to {to}: the module {lacking}"
        )
        yield Finding(inst, OpCopyMemorySized_Size, message, vuid=vuid)
