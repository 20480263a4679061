"""Pipes of OpenCL (SPIR-V 3.3.23)."""

from __future__ import annotations

from spvls.syntax.instruction import Instruction
from spvls.syntax.shape import enumerants, value
from spvls.validate.finding import Finding
from spvls.validate.kinds import BOOL, INT32, TYPED_POINTER, AnyKind, Declared
from spvls.validate.operation import Check, Operation, first_fault, operand_is, result_is
from spvls.validate.rule import Findings, Scene, instruction_rule

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
