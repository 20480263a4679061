"""What a rule finds, in terms of instructions; places in the text come later."""

from __future__ import annotations

from collections.abc import Generator, Sized

from spvls.grammar.records import Version
from spvls.record import NamedTuple
from spvls.steps import Steps
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, UNKNOWN, Instruction
from spvls.typed import TypeVar

__all__ = [
    "HEADER", "OPCODE", "PAUSE", "RESULT", "TYPE", "Delete", "Finding", "FindingFix", "InsertAfter", "InsertBefore", "Note",
    "Replace",
]  # fmt: skip

Value = TypeVar("Value")

#: Stands for the module as a whole in findings that no instruction is to blame for; in a text, its very beginning. What is
#: put before it stands before the first instruction.
HEADER = Instruction(UNKNOWN, None, None, ())

#: Stands for the first instruction after the annotations, in steps that put something before it.
AFTER_ANNOTATIONS = Instruction(UNKNOWN, None, None, ())

#: Stands for the first function, in steps that put a declaration before it.
AFTER_DECLARATIONS = Instruction(UNKNOWN, None, None, ())


class Note(NamedTuple):
    """Another place that a finding speaks of."""

    record: Instruction
    operand_index: int
    message: str


class Replace(NamedTuple):
    """Write `text` in the place of an operand, of the opcode, of the result type or of the result; "" removes an operand."""

    record: Instruction
    operand_index: int
    text: str


class InsertBefore(NamedTuple):
    """Put an instruction on a line of its own before `record`."""

    record: Instruction
    text: str


class InsertAfter(NamedTuple):
    """Put an instruction on a line of its own after `record`."""

    record: Instruction
    text: str


class Append(NamedTuple):
    """Write `text` after the last operand of `record`."""

    record: Instruction
    text: str


class Delete(NamedTuple):
    """Take `record` away."""

    record: Instruction


class ReplaceAllUses(NamedTuple):
    """Put the id `by` in the place of the result of `record` wherever that is used, and take `record` away, along with
    what names and decorates it. What uses it is looked up when the edits are made."""

    record: Instruction
    by: str


class BumpVersion(NamedTuple):
    """Let the text say that it is of this version of SPIR-V, or for an environment that has it."""

    record: Instruction
    version: Version


Step = Replace | InsertBefore | InsertAfter | Append | Delete | ReplaceAllUses | BumpVersion


class FindingFix(NamedTuple):
    """A quick fix: its title, and what it does; `preferred` where it is the one sure answer."""

    title: str
    steps: tuple[Step, ...]
    preferred: bool = True


class Finding(NamedTuple):
    """`place` is the index of the operand at fault, or OPCODE, TYPE or RESULT. `vuid` overrides that of the rule."""

    record: Instruction
    operand_index: int
    message: str
    notes: tuple[Note, ...] = ()
    fixes: tuple[FindingFix, ...] = ()
    vuid: str | None = None


PAUSE = Finding(HEADER, OPCODE, "")
"""What a rule that takes long yields now and then in the place of a finding: others may have their turn."""

def pausing(steps: Steps[Value]) -> Generator[Finding, None, Value]:
    """Work in short steps within a rule: what comes of it, with a pause between two steps."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            value: Value = done.value
            return value
        yield PAUSE


MANY = 64
"""Findings of a rule between two pauses: each may take a while, with what it proposes."""

LONG = 500
"""Operands of an instruction, and instructions of a function, from which on the checker pauses after each rule."""


def is_long(parts: Sized) -> bool:
    """Whether rules on something of so many parts may take so long that others must have their turn in between."""
    return len(parts) >= LONG
