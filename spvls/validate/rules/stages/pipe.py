"""Pipes of OpenCL (SPIR-V 3.3.23)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants, value
from spvls.validate.finding import Finding
from spvls.validate.kinds import BOOL, INT32, TYPED_POINTER, AnyKind, Declared
from spvls.validate.operand_at import word_at
from spvls.validate.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage

_PIPE = Declared("a pipe", "Pipe")
_RESERVATION = Declared("a reservation", "ReserveId")
_READ, _WRITE = value("AccessQualifier", "ReadOnly"), value("AccessQualifier", "WriteOnly")
_OPERANDS: dict[str, AnyKind] = {"i": INT32, "r": _RESERVATION, "d": TYPED_POINTER}


def _has_access(at: int, access: int | None) -> Check:
    """A pipe that may be used in the way that the instruction does."""
    is_pipe = operand_is(at, _PIPE)

    def check(op: Operation) -> Finding | None:
        fault = is_pipe(op)
        pipe = op.type(at)
        if fault is not None or pipe is None or access is None or pipe.word(0) == access:
            return fault
        have, want = (enumerants("AccessQualifier", a)[0].name for a in (pipe.word(0), access))
        return op.fault(at, f"{op.subject(at)} is a {have} pipe, expected a {want} one")

    return check


def _row(letters: str, access: int | None, result: AnyKind | None = None) -> tuple[Check, ...]:
    """`p` pipe, `r` reservation, `d` pointer to data, `i` 32-bit integer, `-` anything."""
    checks = [
        _has_access(at, access) if letter == "p" else operand_is(at, _OPERANDS[letter])
        for at, letter in enumerate(letters.split())
        if letter != "-"
    ]
    return (result_is(result), *checks) if result is not None else tuple(checks)


_PIPES: dict[str, tuple[Check, ...]] = {
    "OpGetNumPipePackets": _row("p i i", None, INT32),
    "OpGetMaxPipePackets": _row("p i i", None, INT32),
    "OpIsValidReserveId": _row("r", None, BOOL),
}
for _verb, _access in (("Read", _READ), ("Write", _WRITE)):
    _PIPES |= {
        f"Op{_verb}Pipe": _row("p d i i", _access, INT32),
        f"OpReserved{_verb}Pipe": _row("p r i d i i", _access, INT32),
        f"OpReserve{_verb}PipePackets": _row("p i i i", _access, _RESERVATION),
        f"OpCommit{_verb}Pipe": _row("p r i i", _access),
        f"OpGroupReserve{_verb}PipePackets": _row("- p i i i", _access, _RESERVATION),
        f"OpGroupCommit{_verb}Pipe": _row("- p r i i", _access),
    }


@instruction_rule("pipe/operands", *_PIPES, section="3.3.23")
def operands(inst: Instruction, scene: Scene) -> Findings:
    """A pipe is read where it is ReadOnly and written where it is WriteOnly; sizes, alignments and indexes have 32 bits.

    Packets are read into and written from what a pointer points to; a reservation is of type OpTypeReserveId.

    Bad:  `%s = OpReadPipe %uint %write_only_pipe %p %four %four`
    Good: `%s = OpReadPipe %uint %read_only_pipe %p %four %four`
    """
    return first_fault(Operation(inst, scene), _PIPES[inst.opcode.name])


_GENERIC = storage("Generic")
_BOTH_WAYS = value("AccessQualifier", "ReadWrite")


def _points_anywhere(op: Operation) -> Finding | None:
    at = 3 if "Reserved" in op.name else 1
    pointer = op.type(at)
    if pointer is None or not pointer.is_pointer or pointer.storage == _GENERIC:
        return None
    return op.operand_fault(at, "a pointer of storage class Generic to a packet")


def _has_one_way(op: Operation) -> Finding | None:
    pipe = op.type(0)
    if pipe is None or pipe.kind != "Pipe" or pipe.word(0) != _BOTH_WAYS:
        return None
    return op.fault(0, f"{op.subject(0)} is a ReadWrite pipe, expected a ReadOnly or a WriteOnly one")


def _packets_are_aligned(op: Operation) -> Finding | None:
    """The last two operands are the size of a packet and its alignment, which divides it."""
    at = len(op.operands) - 1
    size, alignment = op.module.integer(op.id(at - 1)), op.module.integer(op.id(at))
    message = _misaligned(size, alignment)
    return op.fault(at, message) if message is not None else None


def _misaligned(size: int | None, alignment: int | None) -> str | None:
    if alignment is None or (alignment > 0 and (size is None or size % alignment == 0)):
        return None
    return f"the alignment of packets is {alignment}, expected one above 0 that divides their size" + (
        f", {size}" if size is not None else ""
    )


_PACKETS = {
    name: (
        *((_points_anywhere,) if name.endswith(("Pipe",)) and "Commit" not in name else ()),
        *((_has_one_way,) if name.startswith("OpGet") else ()),
        _packets_are_aligned,
    )
    for name in _PIPES
    if name != "OpIsValidReserveId"
}


@instruction_rule("pipe/packets", *_PACKETS, section="3.3.23", severity=Severity.WARNING)
def packets(inst: Instruction, scene: Scene) -> Findings:
    """Packets are read into and written from generic pointers, in a size that their alignment divides.

    Pipes whose packets are counted are read or written, not both. The reference validator does not look.

    Bad:  `%s = OpReadPipe %uint %pipe %p %four %three`
    Good: `%s = OpReadPipe %uint %pipe %p %four %four`
    """
    if not any(operands(inst, scene)):
        yield from first_fault(Operation(inst, scene), _PACKETS[inst.opcode.name])


_STORAGE = Declared("a pipe storage", "PipeStorage")
_FROM_STORAGE = (result_is(_PIPE), operand_is(0, _STORAGE))


@instruction_rule(
    "pipe/storage", "OpConstantPipeStorage", "OpCreatePipeFromPipeStorage", section="3.3.23", severity=Severity.WARNING
)
def pipe_storage(inst: Instruction, scene: Scene) -> Findings:
    """A pipe is made from a pipe storage, which is a constant for packets whose alignment divides their size.

    The reference validator does not look.

    Bad:  `%s = OpConstantPipeStorage %storage 4 3 16`
    Good: `%s = OpConstantPipeStorage %storage 4 4 16`
    """
    op = Operation(inst, scene)
    if op.name == "OpCreatePipeFromPipeStorage":
        yield from first_fault(op, _FROM_STORAGE)
        name = op.id(0)
        opcode = op.module.opcode_of(name) if name is not None else ""
        if op.type(0) is not None and opcode in ("OpUndef", "OpConstantNull"):
            yield op.fault(0, f"{op.subject(0)} is made by {opcode}, expected an OpConstantPipeStorage")
    elif op.result is not None and not _STORAGE.holds(op.result):
        yield op.result_fault(_STORAGE.name)
    else:
        message = _misaligned(word_at(inst, 0), word_at(inst, 1))
        if message is not None:
            yield Finding(inst, 1, message)
