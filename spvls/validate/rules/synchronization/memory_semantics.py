"""Memory semantics (SPIR-V 3.2.24)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, MemoryModel, MemorySemantics
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.scopes import INVOCATION, role, word
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_IGNORED = {
    MemorySemantics.SubgroupMemory: "SubgroupMemory", MemorySemantics.CrossWorkgroupMemory: "CrossWorkgroupMemory",
    MemorySemantics.AtomicCounterMemory: "AtomicCounterMemory",
}  # fmt: skip


@instruction_rule(
    "synchronization/memory-semantics-have-effect",
    spv.OpMemoryBarrier,
    spv.OpControlBarrier,
    section=sections.MEMORY_SEMANTICS,
    severity=Severity.INFORMATION,
    apis="vulkan",
)
def memory_semantics_have_effect(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, semantics must not rely on SubgroupMemory, CrossWorkgroupMemory or AtomicCounterMemory.

    Vulkan ignores these bits: a barrier with them orders no more than without them. Code that relies on them may read old values.
    To order accesses to buffers, images or Workgroup memory, use UniformMemory, ImageMemory or WorkgroupMemory. The rule checks
    only OpControlBarrier and OpMemoryBarrier, with constant semantics that cannot be specialized.

    Information only, because Vulkan does not forbid the bits.
    """
    operand_index = len(inst.operands) - 1
    bits = context.module.integer(id_at(inst, operand_index))
    if bits is None:
        return
    names = [name for bit, name in _IGNORED.items() if bits & bit]
    if names:
        yield Finding(inst, operand_index, f"{operand(inst, operand_index)} has {listed(names, 'and')}, which Vulkan ignores")


_ACQUIRE, _RELEASE, _ACQUIRE_RELEASE = MemorySemantics.Acquire, MemorySemantics.Release, MemorySemantics.AcquireRelease
_SEQUENTIAL = MemorySemantics.SequentiallyConsistent
_ORDERS = _ACQUIRE | _RELEASE | _ACQUIRE_RELEASE | _SEQUENTIAL
_UNIFORM, _OUTPUT = MemorySemantics.UniformMemory, MemorySemantics.OutputMemory
_CLASSES = _UNIFORM | MemorySemantics.WorkgroupMemory | MemorySemantics.ImageMemory | _OUTPUT
_MAKE_AVAILABLE, _MAKE_VISIBLE, _VOLATILE = MemorySemantics.MakeAvailable, MemorySemantics.MakeVisible, MemorySemantics.Volatile
_CLASS_NAMES = "UniformMemory, WorkgroupMemory, ImageMemory or OutputMemory"

_VULKAN_MODEL = MemoryModel.Vulkan

_ARRIVE, _WAIT = spv.OpControlBarrierArriveEXT, spv.OpControlBarrierWaitEXT
_EXCHANGES = (spv.OpAtomicCompareExchange, spv.OpAtomicCompareExchangeWeak)

_PLACES: dict[int, tuple[int, ...]] = {
    spv.OpControlBarrier: (2,),
    spv.OpControlBarrierArriveEXT: (2,),
    spv.OpControlBarrierWaitEXT: (2,),
    spv.OpMemoryBarrier: (1,),
    spv.OpMemoryNamedBarrier: (2,),
    **{name: (2, 3) if name in _EXCHANGES else (2,) for name in traits.ATOMICS},
}
"""Where each opcode has its semantics; the scope of memory stands right before the first."""


def _spelled(semantics: int) -> str:
    named = [e.name for e in enumerants("MemorySemantics", semantics)]
    return "|".join(named) if semantics and named else "Relaxed"


class _Semantics:
    """A constant mask of memory semantics at its place, and how findings on it are made."""

    def __init__(self, module: Module, inst: Instruction, operand_index: int, mask: int) -> None:
        self.module = module
        self.inst = inst
        self.operand_index = operand_index
        self.mask = mask
        self.opcode = inst.opcode.value
        self.is_vulkan = module.environment.api == "vulkan" or module.memory_model == _VULKAN_MODEL

    def fault(self, message: str, vuid: str | None = None, bits: int = 0, link: str = "which") -> Finding:
        """That a mask is wrong as a whole, or, where there are some, in these bits."""
        what = f"has {_spelled(bits)}, {link}" if bits else f"is {_spelled(self.mask)}:"
        if vuid is not None and self.module.environment.api != "vulkan":
            vuid = None
        return Finding(self.inst, self.operand_index, f"{role(self.inst, self.operand_index)} {what} {message}", vuid=vuid)

    def orders(self) -> tuple[str, ...]:
        """The memory orders that may stand here, but for SequentiallyConsistent."""
        if self.operand_index == 3 or self.opcode == spv.OpAtomicLoad or (self.is_vulkan and self.opcode == _WAIT):
            return ("Acquire",)
        if self.opcode in (spv.OpAtomicStore, spv.OpAtomicFlagClear) or (self.is_vulkan and self.opcode == _ARRIVE):
            return ("Release",)
        return ("Acquire", "Release", "AcquireRelease")

    def fitting_orders(self) -> tuple[str, ...]:
        """Those of them that MakeAvailable and MakeVisible permit where they stand, or all if there are none."""
        excluded = {name for bit, name in ((_MAKE_AVAILABLE, "Acquire"), (_MAKE_VISIBLE, "Release")) if self.mask & bit}
        return tuple(name for name in self.orders() if name not in excluded) or self.orders()

    def lacks(self, bit: int, order: str, vuid: str) -> Finding:
        """That a bit stands without this order and without AcquireRelease."""
        if self.fitting_orders() == ("AcquireRelease",):
            return self.fault("together require AcquireRelease", vuid, _MAKE_AVAILABLE | _MAKE_VISIBLE)
        permitted = [name for name in self.orders() if name in (order, "AcquireRelease")]
        needs = f"requires {listed(permitted)}"
        if not permitted:
            who = "a failed comparison" if self.operand_index == 3 else self.inst.opcode.name
            needs = f"requires {order} or AcquireRelease, neither of which {who} may have"
        return self.fault(needs, vuid, bit)


def _capability(s: _Semantics) -> Finding | None:
    """Bits that take a capability."""
    if s.mask & _UNIFORM and not s.module.has_capability(Capability.Shader):
        return s.fault("requires the capability Shader", bits=_UNIFORM)
    if s.module.has_capability(Capability.VulkanMemoryModel):
        return None
    for bit in (_OUTPUT, _MAKE_AVAILABLE, _MAKE_VISIBLE, _VOLATILE):
        if s.mask & bit:
            but = " and must not be used with barriers" if bit == _VOLATILE and s.inst.opcode.class_ == "Barrier" else ""
            return s.fault(f"requires the capability VulkanMemoryModel{but}", bits=bit)
    return None


def _order(s: _Semantics) -> Finding | None:
    """At most one memory order, and one that the instruction can have."""
    orders = s.mask & _ORDERS
    prefix = "VUID-StandaloneSpirv-MemorySemantics-"
    if orders & (orders - 1):
        strongest = "SequentiallyConsistent" if orders & _SEQUENTIAL and not s.is_vulkan else s.orders()[-1]
        return s.fault(f"at most one memory order is permitted; use {strongest} instead", f"{prefix}10865", orders, "but")
    if s.is_vulkan and orders & _SEQUENTIAL:
        where = "in Vulkan" if s.module.environment.api == "vulkan" else "with the memory model Vulkan"
        return s.fault(f"must not be used {where}; use {s.orders()[-1]}", f"{prefix}10866", _SEQUENTIAL)
    if s.opcode in (spv.OpAtomicStore, spv.OpAtomicFlagClear) and orders & (_ACQUIRE | _ACQUIRE_RELEASE):
        return s.fault(f"{s.inst.opcode.name} does not read and must not acquire; use Release", f"{prefix}10867", orders, "but")
    if s.opcode == spv.OpAtomicLoad and orders & (_RELEASE | _ACQUIRE_RELEASE):
        return s.fault("OpAtomicLoad does not write and must not release; use Acquire", f"{prefix}10868", orders, "but")
    if s.is_vulkan and s.opcode == spv.OpMemoryBarrier and not orders:
        return s.fault(f"OpMemoryBarrier requires {listed(s.fitting_orders())}", f"{prefix}10869")
    if s.is_vulkan and s.opcode == spv.OpControlBarrierArriveEXT and orders & ~_RELEASE:
        return s.fault("OpControlBarrierArriveEXT may only have the memory order Release", f"{prefix}13556", orders, "but")
    if s.is_vulkan and s.opcode == spv.OpControlBarrierWaitEXT and orders & ~_ACQUIRE:
        return s.fault("OpControlBarrierWaitEXT may only have the memory order Acquire", f"{prefix}13557", orders, "but")
    return None


def _storage(s: _Semantics) -> Finding | None:
    """An order, and the memory that it orders."""
    if not s.is_vulkan:
        return None
    prefix = "VUID-StandaloneSpirv-MemorySemantics-"
    if s.mask & _ORDERS and not s.mask & _CLASSES:
        return s.fault(f"also requires {_CLASS_NAMES}", f"{prefix}10870", s.mask & _ORDERS)
    if s.mask & _CLASSES and not s.mask & _ORDERS:
        return s.fault(f"also requires the memory order {listed(s.fitting_orders())}", f"{prefix}10871", s.mask & _CLASSES)
    return None


def _availability(s: _Semantics) -> Finding | None:
    prefix = "VUID-StandaloneSpirv-MemorySemantics-"
    if s.mask & _MAKE_AVAILABLE and not s.mask & (_RELEASE | _ACQUIRE_RELEASE):
        return s.lacks(_MAKE_AVAILABLE, "Release", f"{prefix}10872")
    if s.mask & _MAKE_VISIBLE and not s.mask & (_ACQUIRE | _ACQUIRE_RELEASE):
        return s.lacks(_MAKE_VISIBLE, "Acquire", f"{prefix}10873")
    if s.mask & _VOLATILE and s.inst.opcode.class_ == "Barrier":
        return s.fault("must not be used with barriers", f"{prefix}13551", _VOLATILE)
    return None


def _unequal(s: _Semantics) -> Finding | None:
    """The semantics of a failed comparison ask for no more than those of a successful one."""
    if s.operand_index != 3:
        return None
    prefix = "VUID-StandaloneSpirv-UnequalMemorySemantics-"
    if s.mask & (_RELEASE | _ACQUIRE_RELEASE):
        return s.fault("a failed comparison does not write and must not release", f"{prefix}10875", s.mask & _ORDERS, "but")
    known = word(s.module, s.inst.operands[2]).number
    equal = known or 0
    shown = _spelled(equal) if known is not None else "not known"
    if (s.mask & _SEQUENTIAL and not equal & _SEQUENTIAL) or (s.mask & _ACQUIRE and not equal & _ORDERS):
        order = _spelled(equal & _ORDERS) if known is not None else "not known"
        return s.fault(f"must not be stronger than the memory order of Equal ({order})", f"{prefix}10876", s.mask & _ORDERS)
    more = s.mask & ~equal
    if s.is_vulkan and more & _CLASSES:
        return s.fault(f"is permitted only if Equal has it too; Equal is {shown}", f"{prefix}10877", more & _CLASSES)
    if s.is_vulkan and more & _MAKE_VISIBLE:
        return s.fault(f"is permitted only if Equal has it too; Equal is {shown}", f"{prefix}10878", _MAKE_VISIBLE)
    if s.is_vulkan and more & _VOLATILE:
        return s.fault(f"is permitted only if Equal has it too; Equal is {shown}", f"{prefix}10879", _VOLATILE)
    if s.is_vulkan and equal & ~s.mask & _VOLATILE:
        return s.fault("Equal has Volatile, so Unequal must have Volatile too", f"{prefix}10879")
    return None


def _invocation(s: _Semantics) -> Finding | None:
    if not s.is_vulkan or not s.mask & _ORDERS:
        return None
    scope = _PLACES[s.opcode][0] - 1
    if word(s.module, s.inst.operands[scope]).number != INVOCATION:
        return None
    message = "the memory scope Invocation requires Relaxed semantics"
    if s.opcode == spv.OpMemoryBarrier:
        message += ", which OpMemoryBarrier must not have; use another scope"
    return s.fault(message, "VUID-StandaloneSpirv-None-04641")


_CHECKS = (_capability, _order, _storage, _availability, _unequal, _invocation)


def _mask_fault(module: Module, inst: Instruction, operand_index: int) -> Finding | None:
    name = inst.operands[operand_index]
    is_int32, mask = word(module, name)
    if is_int32 is None or not isinstance(name, str):
        return None
    subject = role(inst, operand_index)
    if not is_int32:
        what = module.spell(module.type_of(name))
        return Finding(inst, operand_index, f"{subject} is {what}, expected a 32-bit integer")
    if mask is None:
        if not module.has_capability(Capability.Shader):
            return None
        if not module.has_capability(Capability.CooperativeMatrixNV):
            made = f"{subject} is the result of {module.opcode_name_of(name)}"
            return Finding(inst, operand_index, f"{made}, but the capability Shader requires an OpConstant")
        if not module.is_constant(name):
            return Finding(
                inst, operand_index, f"{subject} is not a constant; the capability Shader requires a constant"
            )
        return None
    semantics = _Semantics(module, inst, operand_index, mask)
    for check in _CHECKS:
        fault = check(semantics)
        if fault is not None:
            return fault
    return None


@instruction_rule("synchronization/memory-semantics-fit-instruction", *_PLACES, section=sections.MEMORY_SEMANTICS)
def memory_semantics_fit_instruction(inst: Instruction, context: RuleContext) -> Findings:
    """Memory semantics must be a 32-bit integer with at most one memory order that fits the instruction.

    The semantics say which accesses to memory other invocations see, and in which order. If they contradict the instruction, a
    driver may omit a barrier or reject the module. The rule checks atomic instructions, and barriers that have semantics.

    OpAtomicLoad must not have Release or AcquireRelease, and OpAtomicStore and OpAtomicFlagClear not Acquire or AcquireRelease.
    MakeAvailable requires Release or AcquireRelease, and MakeVisible Acquire or AcquireRelease. Barriers must not have Volatile.
    Most of this is not in SPIR-V itself but in Vulkan; as in spirv-val, it is checked in all environments. The limits of OpenCL are
    not checked.

    The semantics of a failed comparison (Unequal) must not have Release or AcquireRelease, and their order must not be stronger
    than that of Equal: as in spirv-val, SequentiallyConsistent requires the same in Equal, and Acquire any order there. An Equal
    whose value is not known counts as Relaxed.

    With Shader, semantics must be an OpConstant (as in spirv-val, OpConstantNull is accepted too), or with CooperativeMatrixNV
    (SPV_NV_cooperative_matrix) any constant. UniformMemory requires Shader; OutputMemory, MakeAvailable, MakeVisible and Volatile
    require VulkanMemoryModel (SPV_KHR_vulkan_memory_model). For AtomicCounterMemory, see `id/constant-is-enumerant`.

    In Vulkan, OpMemoryBarrier must have an order, an order requires UniformMemory, WorkgroupMemory, ImageMemory or OutputMemory,
    and each of these requires an order. With the scope Invocation, only Relaxed is permitted. Of these memory bits and MakeVisible,
    Equal must have each that Unequal has; both or neither must have Volatile. Of the orders, OpControlBarrierArriveEXT
    (SPV_EXT_split_barrier) may only have Release, and OpControlBarrierWaitEXT only Acquire. As in spirv-val, all this is also
    checked with the memory model Vulkan in other environments. SPIR-V itself forbids SequentiallyConsistent with that memory
    model; Vulkan always does.
    """
    for operand_index in _PLACES[inst.opcode.value]:
        if operand_index < len(inst.operands):
            fault = _mask_fault(context.module, inst, operand_index)
            if fault is not None:
                yield fault
                return
