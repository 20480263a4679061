"""Pipes of OpenCL (SPIR-V 3.3.23)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AccessQualifier, StorageClass
from spvls.module.operand_at import word_at
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.validate.checks.kinds import BOOL, INT32, TYPED_POINTER, AnyKind, Declared
from spvls.validate.checks.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_PIPE = Declared("a pipe", "Pipe")
_RESERVATION = Declared("a reservation id", "ReserveId")
_READ, _WRITE = AccessQualifier.ReadOnly, AccessQualifier.WriteOnly
_OPERANDS: dict[str, AnyKind] = {"i": INT32, "r": _RESERVATION}
_GENERIC = StorageClass.Generic
_BOTH_WAYS = AccessQualifier.ReadWrite


def _has_access(at: int, access: int | None) -> Check:
    """A pipe that may be used in the way that the instruction does."""
    is_pipe = operand_is(at, _PIPE)

    def check(op: Operation) -> Finding | None:
        fault = is_pipe(op)
        pipe = op.type(at)
        if fault is not None or pipe is None:
            return fault
        if access is None and pipe.word(0) == _BOTH_WAYS:
            return op.fault(at, f"{op.subject(at)} is a ReadWrite pipe, expected a ReadOnly or WriteOnly pipe")
        if access is None or pipe.word(0) == access:
            return None
        have, want = (enumerants("AccessQualifier", a)[0].name for a in (pipe.word(0), access))
        return op.fault(at, f"{op.subject(at)} is a {have} pipe, expected a {want} pipe")

    return check


def _points_anywhere(at: int) -> Check:
    """A pointer to a packet, in any memory."""

    def check(op: Operation) -> Finding | None:
        pointer = op.type(at)
        if pointer is None or (TYPED_POINTER.holds(pointer) and pointer.storage == _GENERIC):
            return None
        typed = "" if TYPED_POINTER.holds(pointer) else "typed "
        return op.operand_fault(at, f"a {typed}pointer to the storage class Generic")

    return check


def _row(letters: str, access: int | None, result: AnyKind | None = None) -> tuple[Check, ...]:
    """`p` pipe, `r` reservation, `d` pointer to data, `i` 32-bit integer, `-` anything."""
    checks = [
        _has_access(at, access) if letter == "p" else _points_anywhere(at) if letter == "d" else operand_is(at, _OPERANDS[letter])
        for at, letter in enumerate(letters.split())
        if letter != "-"
    ]
    return (result_is(result), *checks) if result is not None else tuple(checks)


_PIPES: dict[int, tuple[Check, ...]] = {
    spv.OpGetNumPipePackets: _row("p i i", None, INT32),
    spv.OpGetMaxPipePackets: _row("p i i", None, INT32),
    spv.OpIsValidReserveId: _row("r", None, BOOL),
    spv.OpReadPipe: _row("p d i i", _READ, INT32),
    spv.OpReservedReadPipe: _row("p r i d i i", _READ, INT32),
    spv.OpReserveReadPipePackets: _row("p i i i", _READ, _RESERVATION),
    spv.OpCommitReadPipe: _row("p r i i", _READ),
    spv.OpGroupReserveReadPipePackets: _row("- p i i i", _READ, _RESERVATION),
    spv.OpGroupCommitReadPipe: _row("- p r i i", _READ),
    spv.OpWritePipe: _row("p d i i", _WRITE, INT32),
    spv.OpReservedWritePipe: _row("p r i d i i", _WRITE, INT32),
    spv.OpReserveWritePipePackets: _row("p i i i", _WRITE, _RESERVATION),
    spv.OpCommitWritePipe: _row("p r i i", _WRITE),
    spv.OpGroupReserveWritePipePackets: _row("- p i i i", _WRITE, _RESERVATION),
    spv.OpGroupCommitWritePipe: _row("- p r i i", _WRITE),
}


@instruction_rule("execution-model/pipe-types-match", *_PIPES, section=sections.PIPE_INSTRUCTIONS)
def pipe_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A pipe instruction must have a pipe with the right access qualifier, and 32-bit sizes and indexes.

    A runtime connects one kernel that writes with one that reads. A kernel that reads from a WriteOnly pipe or writes to a
    ReadOnly one may corrupt the packets of the other kernel. A pipe whose packets are counted must be ReadOnly or
    WriteOnly.

    The Pointer to the memory of a packet must be a typed pointer to the storage class Generic. A reservation must be of type
    OpTypeReserveId. Sizes, alignments, indexes, numbers of packets and results that are numbers must be 32-bit integers, and the
    result of OpIsValidReserveId Boolean. The Execution scope of group instructions is not checked, nor are OpReadPipeBlockingALTERA
    and OpWritePipeBlockingALTERA. For pipe storage see `execution-model/pipe-storage-types-match`. Of each instruction, only the
    first fault is reported.
    """
    return first_fault(Operation(inst, context), _PIPES[inst.opcode.value])


def _packets_are_aligned(op: Operation) -> Finding | None:
    """The last two operands are the size of a packet and its alignment, which divides it."""
    at = len(op.operands) - 1
    size, alignment = op.module.integer(op.id(at - 1)), op.module.integer(op.id(at))
    message = _misaligned(op.subject(at), size, alignment)
    return op.fault(at, message) if message is not None else None


def _misaligned(subject: str, size: int | None, alignment: int | None) -> str | None:
    if alignment is None or (alignment > 0 and (size is None or size % alignment == 0)):
        return None
    wanted = "at least 1" if size is None else f"a divisor of the Packet Size, which is {size}"
    return f"{subject} is {alignment}, expected {wanted}"


_PACKETS = [opcode for opcode in _PIPES if opcode != spv.OpIsValidReserveId]


@instruction_rule(
    "execution-model/pipe-packets-are-aligned",
    *_PACKETS,
    section=sections.PIPE_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(pipe_types_match,),
)
def pipe_packets_are_aligned(inst: Instruction, context: RuleContext) -> Findings:
    """The alignment of pipe packets must be greater than 0 and divide their size.

    Packets follow each other in memory. If the alignment does not divide the size, the second packet is not aligned, and a device
    may read it slowly or from a wrong address. Only constants that cannot be specialized are checked. Instructions of ALTERA are
    not checked; for OpConstantPipeStorage, see `execution-model/pipe-comes-from-pipe-storage`.
    """
    yield from first_fault(Operation(inst, context), (_packets_are_aligned,))


_STORAGE = Declared("a pipe storage object (OpTypePipeStorage)", "PipeStorage")
_STORED: dict[int, tuple[Check, ...]] = {
    spv.OpConstantPipeStorage: (result_is(_STORAGE),),
    spv.OpCreatePipeFromPipeStorage: (result_is(_PIPE), operand_is(0, _STORAGE)),
}


@instruction_rule("execution-model/pipe-storage-types-match", *_STORED, section=sections.PIPE_INSTRUCTIONS)
def pipe_storage_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """A pipe storage must be an OpTypePipeStorage, and a pipe that is made from one an OpTypePipe.

    A pipe storage holds the memory, the packet size and the capacity that a pipe uses. An object of another type has none of
    these, so that reads and writes of packets have no place. OpConstantPipeStorage gives a pipe storage, and
    OpCreatePipeFromPipeStorage makes a pipe from one. spirv-val does not check the operand of the latter, and rejects every
    OpConstantPipeStorage outside of functions.
    """
    return first_fault(Operation(inst, context), _STORED[inst.opcode.value])


@instruction_rule(
    "execution-model/pipe-comes-from-pipe-storage",
    spv.OpConstantPipeStorage,
    spv.OpCreatePipeFromPipeStorage,
    section=sections.PIPE_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(pipe_storage_types_match,),
)
def pipe_comes_from_pipe_storage(inst: Instruction, context: RuleContext) -> Findings:
    """A pipe storage must not be undefined or null, and its alignment must divide its packet size.

    An undefined or null pipe storage reserves no memory for packets. If the Packet Alignment of OpConstantPipeStorage is 0 or does
    not divide the Packet Size, packets after the first may be read from a wrong address. The Pipe Storage of
    OpCreatePipeFromPipeStorage must come from OpConstantPipeStorage; only OpUndef and OpConstantNull as the operand itself are
    reported.

    A warning, because spirv-val does not check this; it rejects every OpConstantPipeStorage outside of functions. An OpConstantNull
    of OpTypePipeStorage itself is an error; see `constant/null-constant-type-is-nullable`.
    """
    op = Operation(inst, context)
    if op.code == spv.OpCreatePipeFromPipeStorage:
        name = op.id(0)
        if name is not None and op.type(0) is not None and op.module.opcode_of(name) in (spv.OpUndef, spv.OpConstantNull):
            maker = op.module.opcode_name_of(name)
            yield op.fault(0, f"{op.subject(0)} is the result of {maker}, expected that of OpConstantPipeStorage")
    else:
        message = _misaligned("operand Packet Alignment", word_at(inst, 0), word_at(inst, 1))
        if message is not None:
            yield Finding(inst, 1, message)
