"""Faults of instructions as findings with their place in the text."""

from __future__ import annotations

from spvls.diagnostic import Diagnostic, Edit, Fix, Position, Range, Severity
from spvls.syntax.instruction import Fault, Instruction
from spvls.text.lines import position_in


def range_in(record: Instruction, line: int, start: int, end: int) -> Range:
    """The range of `record.text[start:end]` when the record starts on `line`."""
    last = position_in(record.text, end, line)
    first = Position(line, start) if last.line == line else position_in(record.text, start, line)
    return Range(first, last)


def diagnostic(record: Instruction, fault: Fault, line: int | None, number: int | None) -> Diagnostic:
    """The finding for a fault of the instruction `number` (from 1) of the module, which starts on `line`; None in a binary."""
    if line is None:
        return Diagnostic(fault.rule, Severity.ERROR, fault.message, None, number)
    where = range_in(record, line, record.start + fault.start, record.start + fault.end)
    fixes: tuple[Fix, ...] = ()
    if fault.suggestion is not None:
        fixes = (Fix(f"Change to {fault.suggestion}", (Edit(where, fault.suggestion),)),)
    return Diagnostic(fault.rule, Severity.ERROR, fault.message, where, number, fixes=fixes)
