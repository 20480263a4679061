"""ClspvReflection: that the kernels and arguments of a module fit together (SPIR-V 3.3.4)."""

from __future__ import annotations

from bisect import bisect_left, insort

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.clspv import KERNEL_ROLES, REFLECTION
from spvls.module.operand_at import id_at
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.engine.finding import Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.clspv_reflection import clspv_operands_have_required_kind, string_at
from spvls.validate.rules.ext_inst.operation import ExtendedOperation, operation_of

_ARGUMENT_COUNT = 4
_PUSH_CONSTANTS = (None, None)
"""The place of the push constants; buffers have a descriptor set and a binding."""


def place_of(op: ExtendedOperation, role: str) -> int | None:
    """The place of the operand that has a role in a reflection instruction, where it is given."""
    return next((at for at in range(len(op.operands)) if op.role(at) == role), None)


def number_of(op: ExtendedOperation, role: str) -> int | None:
    """The number that the operand with a role is."""
    at = place_of(op, role)
    return op.module.integer(op.id(at)) if at is not None else None


def kernel_of(op: ExtendedOperation) -> str | None:
    """The Kernel instruction that a reflection instruction is about; None where it is about all kernels."""
    return op.id(0) if op.name != "Kernel" and op.role(0) in KERNEL_ROLES else None


def declares_argument(op: ExtendedOperation) -> bool:
    """Whether an instruction declares an argument, as ArgumentStorageBuffer and its like do."""
    return op.name.startswith("Argument") and op.name != "ArgumentInfo"


@instruction_rule(
    "ext-inst/clspv-kernel-is-declared-once",
    spv.OpExtInst,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(clspv_operands_have_required_kind,),
    sets=(REFLECTION,),
)
def clspv_kernel_is_declared_once(inst: Instruction, context: RuleContext) -> Findings:
    """A function must not have two Kernel instructions of clspv reflection with the same name.

    The set NonSemantic.ClspvReflection does not say which one counts. A runtime may use the number of arguments, the flags and the
    attributes of either one. Only OpExtInst is checked, and instructions with the start of a function between them are not
    compared.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or op.name != "Kernel":
        return
    key = op.id(0), string_at(op, 1)
    first = context.chunk_state("clspv/kernels", dict[tuple[str | None, bytes | None], Instruction]).setdefault(key, inst)
    if first is not inst:
        note = Note(first, OPCODE, "the first Kernel instruction is here")
        named = f"the Name {shown(key[1])}" if key[1] is not None else "this Name"
        message = f"another Kernel instruction already declares the function %{key[0]} with {named}"
        yield op.fault(0, message, notes=(note,))


@instruction_rule(
    "ext-inst/clspv-ordinal-is-unique", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_ordinal_is_unique(inst: Instruction, context: RuleContext) -> Findings:
    """Two arguments of a kernel must not have the same ordinal.

    A runtime may look up an argument by its ordinal when the application sets it, and then set only one of the two. The arguments
    are the instructions of NonSemantic.ClspvReflection whose names begin with Argument, except for ArgumentInfo. Only OpExtInst is
    checked. Two arguments are compared if no OpFunction is between them.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or not declares_argument(op):
        return
    kernel, ordinal = kernel_of(op), number_of(op, "Ordinal")
    if kernel is None or ordinal is None:
        return
    first = context.chunk_state("clspv/ordinals", dict[tuple[str, int], Instruction]).setdefault((kernel, ordinal), inst)
    if first is not inst:
        note = Note(first, OPCODE, f"argument {ordinal} is first declared here")
        message = f"{op.subject(1)} is {ordinal}, which another argument of Kernel %{kernel} already has; the Ordinals must differ"
        yield op.fault(1, message, notes=(note,))


@instruction_rule(
    "ext-inst/clspv-ordinal-is-below-argument-count",
    spv.OpExtInst,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_ordinal_is_below_argument_count(inst: Instruction, context: RuleContext) -> Findings:
    """An Ordinal of clspv reflection must be less than the NumArguments of its Kernel.

    Ordinals count from 0. A runtime may reserve as many arguments as the Kernel says; another ordinal then has no argument that an
    application can set. All instructions with a Kernel and an Ordinal are checked. Before revision 5, a Kernel does not say how
    many arguments there are. Only OpExtInst is checked.
    """
    op = operation_of(inst, context, REFLECTION)
    kernel = kernel_of(op) if op is not None else None
    if op is None or kernel is None:
        return
    ordinal, definition = number_of(op, "Ordinal"), op.module.definition(kernel)
    if ordinal is None or definition is None:
        return
    if op.module.extended_instruction(definition) != (op.imported.name, "Kernel"):
        return
    declared = id_at(definition, _ARGUMENT_COUNT)
    count = op.module.integer(declared) if declared is not None else None
    if count is not None and ordinal >= count:
        note = Note(definition, _ARGUMENT_COUNT, f"NumArguments is {count}")
        numbers = f"0 {'or' if count == 2 else 'to'} {count - 1}" if count > 1 else "0"
        permitted = f"expected {numbers}" if count else "the kernel has no arguments"
        message = f"{op.subject(1)} is {ordinal}, but NumArguments of Kernel %{kernel} is {count}; {permitted}"
        yield op.fault(1, message, notes=(note,))


class _Stretch(NamedTuple):
    """Bytes of a block, from `start` to before `end`."""

    start: int
    end: int


class _Taken:
    """The bytes of a block that are taken, and by what: each stretch lies within the range of its instruction."""

    __slots__ = ("_by", "_stretches")

    def __init__(self) -> None:
        self._stretches: list[_Stretch] = []
        self._by: dict[_Stretch, Instruction] = {}

    def by(self, stretch: _Stretch) -> Instruction | None:
        """What has taken some of these bytes."""
        found = self._overlapping(stretch)
        return self._by[found[0]] if found else None

    def take(self, stretch: _Stretch, inst: Instruction) -> None:
        found = self._overlapping(stretch)
        added = [stretch]
        if found:
            first, last = found[0], found[-1]
            at = bisect_left(self._stretches, first)
            del self._stretches[at + 1 : at + len(found) - 1]
            added = [_Stretch(stretch.start, first.start), _Stretch(first.end, last.start), _Stretch(last.end, stretch.end)]
        for one in added:
            if one.start < one.end:
                insort(self._stretches, one)
                self._by[one] = inst

    def _overlapping(self, stretch: _Stretch) -> list[_Stretch]:
        """The stretches that have a byte in common with this one, in order."""
        at = bisect_left(self._stretches, (stretch.start,))
        first = at - 1 if at and self._stretches[at - 1].end > stretch.start else at
        last = bisect_left(self._stretches, (stretch.end,))
        return self._stretches[first:last]


_Block = tuple[int | None, int | None]


class _Ranges:
    """What is taken of each block: by the instructions of a kernel, by those of all kernels, and by any kernel's."""

    __slots__ = ("_of_any", "_of_kernel", "_shared")

    def __init__(self) -> None:
        self._of_kernel: dict[tuple[_Block, str], _Taken] = {}
        self._of_any: dict[_Block, _Taken] = {}
        self._shared: dict[_Block, _Taken] = {}

    def take(self, block: _Block, kernel: str | None, stretch: _Stretch, inst: Instruction) -> Instruction | None:
        """Take bytes of a block for a kernel, or for all of them; returns what has taken some of these bytes already."""
        shared, of_any = self._shared.setdefault(block, _Taken()), self._of_any.setdefault(block, _Taken())
        if kernel is None:
            found = shared.by(stretch) or of_any.by(stretch)
            shared.take(stretch, inst)
            return found
        own = self._of_kernel.setdefault((block, kernel), _Taken())
        found = own.by(stretch) or shared.by(stretch)
        own.take(stretch, inst)
        of_any.take(stretch, inst)
        return found


@instruction_rule(
    "ext-inst/clspv-ranges-do-not-overlap", spv.OpExtInst, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=(REFLECTION,),
)
def clspv_ranges_do_not_overlap(inst: Instruction, context: RuleContext) -> Findings:
    """Two values that a kernel reads must not have bytes of the push constants, or of a buffer, in common.

    A runtime writes each value at its Offset. Where two have bytes in common, the one that is written last replaces a part of the
    other. Ranges with a Size of 0 are not compared.

    The ranges of different kernels may overlap, because a runtime can write them for one kernel at a time. A range without a Kernel
    is one of all kernels. Ranges are the Offset and Size of instructions of NonSemantic.ClspvReflection. Only OpExtInst is checked.
    Two ranges are compared if no OpFunction is between their instructions.
    """
    op = operation_of(inst, context, REFLECTION)
    if op is None or (at := place_of(op, "Offset")) is None:
        return
    offset, size = number_of(op, "Offset"), number_of(op, "Size")
    if offset is None or not size:
        return
    is_pushed = place_of(op, "Binding") is None
    block = _PUSH_CONSTANTS if is_pushed else (number_of(op, "DescriptorSet"), number_of(op, "Binding"))
    if not is_pushed and None in block:
        return
    ranges = context.chunk_state("clspv/ranges", _Ranges)
    other = ranges.take(block, kernel_of(op), _Stretch(offset, offset + size), inst)
    if other is not None:
        where = "the push constants" if is_pushed else f"the buffer at binding {block[1]} of set {block[0]}"
        their = operation_of(other, context, REFLECTION) or op
        first = number_of(their, "Offset") or 0
        last = first + (number_of(their, "Size") or 0) - 1
        note = Note(other, OPCODE, f"{their.name} occupies bytes {first} to {last} here")
        what = f"bytes {first} to {last}, which {their.name} occupies"
        message = f"{op.name} occupies bytes {offset} to {offset + size - 1} of {where} and must not overlap {what}"
        yield op.fault(at, message, notes=(note,))
