"""Memory operands (SPIR-V 2.16.1, 3.2.25, 3.3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import the_class
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.limits import Limit, limits
from spvls.validate.checks.memory_operands import ACCESSES, ALIGNED, AVAILABLE, NON_PRIVATE, VISIBLE, has_masks, masks
from spvls.validate.checks.scopes import memory_scope_fault, memory_scope_limits
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Append, BumpVersion, Finding, FindingFix, Replace, Step
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_SHARED = frozenset(
    {
        StorageClass.Uniform,
        StorageClass.Workgroup,
        StorageClass.CrossWorkgroup,
        StorageClass.Generic,
        StorageClass.Image,
        StorageClass.StorageBuffer,
        StorageClass.PhysicalStorageBuffer,
    }
)


def _pointers(inst: Instruction, module: Module) -> Iterator[tuple[int, Type]]:
    for operand_index in ACCESSES[inst.opcode.value].pointers:
        type_ = module.type_of(inst.operands[operand_index]) if operand_index < len(inst.operands) else None
        if type_ is not None and type_.is_pointer:
            yield operand_index, type_


@instruction_rule("memory/availability-fits-access", *ACCESSES, section=sections.MEMORY_OPERANDS)
def availability_fits_access(inst: Instruction, context: RuleContext) -> Findings:
    """MakePointerAvailable must be on a write, MakePointerVisible on a read, both with NonPrivatePointer.

    With these operands (SPV_KHR_vulkan_memory_model), a write is made available to other invocations, and a read sees what has been
    made available. On the other kind of access the operand has no meaning, and invocations that depend on it may read stale data
    from a cache. Without NonPrivatePointer the access does not take part in the ordering between invocations. For memory such as
    Private, remove the operand instead, because `memory/non-private-memory-is-shared` forbids NonPrivatePointer.

    Each of the two also requires a memory scope: a 32-bit integer, in shaders a constant that cannot be specialized. The value and
    the exceptions are those of `synchronization/memory-scope-is-permitted`. A copy with one mask reads
    and writes with it; with two masks, it reads with the second and writes with the first. OpUntypedGroupAsyncCopyKHR and
    OpSubgroupBlockPrefetchINTEL are not checked.
    """
    if not has_masks(inst):
        return
    access = ACCESSES[inst.opcode.value]
    found = list(masks(inst))
    for at, mask in enumerate(found):
        reads = access.reads and not (len(found) == 2 and at == 0)
        writes = access.writes and not (len(found) == 2 and at == 1)
        for bit, name, allowed, what in (
            (AVAILABLE, "MakePointerAvailable", writes, "a read, only with a write"),
            (VISIBLE, "MakePointerVisible", reads, "a write, only with a read"),
        ):
            if not mask.bits & bit:
                continue
            if not allowed:
                message = f"the memory operand {name} must not be used with {what}"
                if len(found) == 2:
                    message += f"; of the two masks, the {'second is for the read' if at else 'first is for the write'}"
                yield Finding(inst, mask.operand_index, message)
                return
            if not mask.bits & NON_PRIVATE:
                private = next((pair for pair in _pointers(inst, context.module) if pair[1].storage not in _SHARED), None)
                if private is not None:
                    where = f"{operand(inst, private[0])} points to {the_class(private[1].storage)}"
                    message = f"{where}, for which the memory operand {name} must not be used"
                    yield Finding(inst, mask.operand_index, message)
                    return
                fixes = (
                    FindingFix(
                        "Add NonPrivatePointer",
                        (Replace(inst, mask.operand_index, _with(inst, mask.operand_index, "NonPrivatePointer")),),
                    ),
                )
                message = f"the memory operand {name} requires the memory operand NonPrivatePointer"
                yield Finding(inst, mask.operand_index, message, fixes=fixes)
                return
            if mask.parameters[bit] < len(inst.operands):
                fault = memory_scope_fault(context.module, inst, mask.parameters[bit])
                if fault is not None:
                    yield fault
                    return


@limits(*ACCESSES)
def _scopes(inst: Instruction, module: Module) -> Iterable[Limit]:
    return _scope_limits(inst, module) if has_masks(inst) else ()


def _scope_limits(inst: Instruction, module: Module) -> Iterator[Limit]:
    for mask in masks(inst):
        for bit in (AVAILABLE, VISIBLE):
            if mask.bits & bit and mask.parameters[bit] < len(inst.operands):
                yield from memory_scope_limits(module, inst, mask.parameters[bit])


@instruction_rule(
    "memory/non-private-memory-is-shared", *ACCESSES, section=sections.UNIVERSAL_VALIDATION_RULES, after=(availability_fits_access,)
)
def non_private_memory_is_shared(inst: Instruction, context: RuleContext) -> Findings:
    """NonPrivatePointer may only be used with storage classes that permit it, such as StorageBuffer.

    The operand makes an access take part in the ordering between invocations (SPV_KHR_vulkan_memory_model). Memory such as Function
    or Private belongs to one invocation, so there is nothing to order. The permitted storage classes are Uniform, Workgroup,
    CrossWorkgroup, Generic, Image and StorageBuffer. The rule, like spirv-val, also accepts PhysicalStorageBuffer, but reports
    ShaderRecordBufferKHR, which SPV_KHR_ray_tracing permits. Where any mask of a copy has the operand, both of its pointers are
    checked. OpUntypedGroupAsyncCopyKHR and OpSubgroupBlockPrefetchINTEL are not checked.
    """
    if not has_masks(inst):
        return
    operand_index = next((mask.operand_index for mask in masks(inst) if mask.bits & NON_PRIVATE), None)
    if operand_index is None:
        return
    for at, type_ in _pointers(inst, context.module):
        if type_.storage not in _SHARED:
            where = f"points to {the_class(type_.storage)}"
            message = f"{operand(inst, at)} {where}, for which the memory operand NonPrivatePointer must not be used"
            yield Finding(inst, operand_index, message)
            return


def largest_scalar(type_: Type | None) -> int:
    """The size of the largest scalar in a type, in bytes; 0 where there is none. Pointers to PhysicalStorageBuffer are scalars
    of 64 bits."""
    inside = parts(type_, lambda found: found.is_composite)
    return max((_scalar_size(found) for found in inside), default=0)


def _scalar_size(type_: Type) -> int:
    if type_.is_pointer and type_.storage == _PHYSICAL_STORAGE_BUFFER:
        return 8
    return (type_.width + 7) // 8 if type_.is_numeric else 0


@instruction_rule("memory/alignment-fits-access", *ACCESSES, section=sections.MEMORY_OPERANDS)
def alignment_fits_access(inst: Instruction, context: RuleContext) -> Findings:
    """Aligned must be a power of two; loads, stores and copies in PhysicalStorageBuffer must have it.

    A compiler may use the alignment to choose the widest memory instruction. An address in PhysicalStorageBuffer
    (SPV_KHR_physical_storage_buffer) comes from the application, so a compiler may not know otherwise how it is aligned. With an
    alignment that is wrong or missing, a device may fault or access other memory.

    Vulkan requires the operand in each instruction that can have it and accesses PhysicalStorageBuffer, and for loads and stores an
    alignment that is a multiple of the size of the largest scalar in the type that is pointed to. The rule requires both of loads,
    stores and copies, also of cooperative and predicated ones, in all environments. A copy with two masks requires such an Aligned
    in both. Through untyped pointers, the size is compared for loads, OpStore and OpPredicatedStoreINTEL, by the type of the
    value. spirv-val checks less: for example, it permits cooperative loads and stores without memory operands.

    SPV_NV_raw_access_chains requires Aligned also for a load or store through the result of OpRawAccessChainNV; outside of
    PhysicalStorageBuffer, only the power of two is checked. OpUntypedGroupAsyncCopyKHR and OpSubgroupBlockPrefetchINTEL are not
    checked.
    """
    module = context.module
    if not has_masks(inst) and not module.has_capability(Capability.PhysicalStorageBufferAddresses):
        return
    physical = any(type_.storage == _PHYSICAL_STORAGE_BUFFER for _, type_ in _pointers(inst, module))
    vulkan = module.environment.api == "vulkan"
    found = list(masks(inst))
    size = _largest_accessed(inst, module) if physical else 0
    if physical and not (found and all(mask.bits & ALIGNED for mask in found)):
        vuid = "VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708" if vulkan else None
        fixes: tuple[FindingFix, ...] = ()
        lacking = next((mask for mask in found if not mask.bits & ALIGNED), None)
        if size:
            # The alignment comes before what other bits ask for, but for Volatile, which asks for nothing.
            step: Step = Append(inst, f"Aligned {size}")
            if lacking is not None:
                step = Replace(inst, lacking.operand_index, f"{_with(inst, lacking.operand_index, 'Aligned')} {size}")
            fixes = (FindingFix(f"Add Aligned {size}", (step,)),)
        operand_index = found[0].operand_index if found else OPCODE
        both = " in both masks" if len(found) == 2 else ""
        message = f"{inst.opcode.name} on PhysicalStorageBuffer requires the memory operand Aligned{both}"
        yield Finding(inst, operand_index, message, (), fixes, vuid)
        return
    for mask in found:
        at = mask.parameters.get(ALIGNED)
        alignment = inst.operands[at] if at is not None and at < len(inst.operands) else None
        if at is None or not isinstance(alignment, int):
            continue
        if alignment == 0 or alignment & (alignment - 1):
            yield Finding(inst, at, f"the memory operand Aligned is {alignment}, expected a power of two")
        elif alignment < size:
            vuid = "VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314" if vulkan else None
            message = (
                f"the memory operand Aligned is {alignment}, expected at least {size}, "
                f"the size in bytes of the largest scalar that {inst.opcode.name} accesses"
            )
            fixes = (FindingFix(f"Change the alignment to {size}", (Replace(inst, at, str(size)),), preferred=False),)
            yield Finding(inst, at, message, fixes=fixes, vuid=vuid)


def _with(inst: Instruction, operand_index: int, bit: str) -> str:
    """The mask at a place with one more bit, as it is written; by the names of its bits where there is no text."""
    if inst.text:
        start, end = inst.span(operand_index)
        written = inst.text[start:end]
    else:
        written = "|".join(enumerant.name for enumerant in enumerants("MemoryAccess", word_at(inst, operand_index) or 0))
    return bit if written in ("", "None") else f"{written}|{bit}"


def _largest_accessed(inst: Instruction, module: Module) -> int:
    """The size of the largest scalar that is read from or written to PhysicalStorageBuffer, in bytes; 0 where it is not known."""
    if inst.opcode.value in (spv.OpLoad, spv.OpPredicatedLoadINTEL):
        return largest_scalar(module.type(inst.type))
    if inst.opcode.value in (spv.OpStore, spv.OpPredicatedStoreINTEL) and len(inst.operands) > 1:
        return largest_scalar(module.type_of(inst.operands[1]))
    physical = [type_ for _, type_ in _pointers(inst, module) if type_.storage == _PHYSICAL_STORAGE_BUFFER]
    return max((largest_scalar(type_.pointee or module.type(inst.type)) for type_ in physical), default=0)


@instruction_rule("memory/second-mask-fits-version", spv.OpCopyMemory, spv.OpCopyMemorySized, section=sections.MEMORY_INSTRUCTIONS)
def second_mask_fits_version(inst: Instruction, context: RuleContext) -> Findings:
    """Before SPIR-V 1.4, OpCopyMemory and OpCopyMemorySized must not have two masks of memory operands.

    In those versions, one mask applies to both the read and the write. A consumer of one of them does not know the second mask, and
    may reject the instruction or read its operands wrongly.
    """
    found = list(masks(inst))
    if len(found) == 2 and context.module.version < (1, 4):
        fixes = (FindingFix("Raise the version to SPIR-V 1.4", (BumpVersion(inst, (1, 4)),)),)
        have = ".".join(map(str, context.module.version))
        message = f"a second mask of memory operands requires SPIR-V 1.4; this module is SPIR-V {have}"
        yield Finding(inst, found[1].operand_index, message, fixes=fixes)
