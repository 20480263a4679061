"""Modules with literal words (`!N`, OpUnknown): checked as the binary that they make.

Only the words say what such instructions are. So the module is encoded and decoded again; what is found is shown where the
words come from, with the names of the text.
"""

from __future__ import annotations

from bisect import bisect_right

from spvls.binary.encode import Encoding, encode
from spvls.binary.partial import MALFORMED, decode_partly
from spvls.binary.preserved_ids import read_preserved
from spvls.binary.string_padding import unpadded_strings
from spvls.diagnostic import Diagnostic, Severity
from spvls.module.module import Module
from spvls.syntax.document import Document, chunks_of
from spvls.syntax.instruction import Fault, Instruction, Operand
from spvls.syntax.report import diagnostic, range_in
from spvls.validate.engine.chunk_check import readable


class RawModule:
    """`module` is what the words of a text say; `lines` says where each of its instructions comes from, by `id()`."""

    def __init__(self, module: Module, lines: dict[int, int]) -> None:
        self.module = module
        self.lines = lines


def read_raw(document: Document, module: Module) -> RawModule | Diagnostic | list[Diagnostic]:
    """The module that the words of a text make; a finding where they make none. Where the text does not encode, what keeps the
    instructions with literal words from it, which no rule looks at."""
    records = list(document.records())
    encoding = encode(records, module.version, preserved=read_preserved(document.lines))
    lines = {
        id(record): line
        for line in range(len(document.lines))
        for record in document.records_on(line)
    }
    if encoding.faults:
        return [
            diagnostic(records[at], fault, lines[id(records[at])], at + 1)
            for at, fault in encoding.faults
            if records[at].raw and not readable(records[at], module)[0]
        ]
    binary, is_whole = decode_partly(encoding.data())
    if not is_whole:
        at = _record_at(encoding, binary.offsets[-1])
        record = records[min(at, len(records) - 1)]
        where = range_in(record, lines[id(record)], record.start, record.end)
        return Diagnostic(MALFORMED, Severity.ERROR, binary.instructions[-1].faults[0].message, where, at + 1)
    bound = binary.header.bound
    for offset, instruction in zip(binary.offsets, binary.instructions, strict=True):
        if instruction.result is not None and not instruction.faults and int(instruction.result) >= bound:
            at = _record_at(encoding, offset)
            record = records[at]
            where = range_in(record, lines[id(record)], record.start, record.end)
            message = f"the result id is {instruction.result}, expected at most {bound - 1}, because the id bound is {bound}"
            return Diagnostic("id/is-below-bound", Severity.ERROR, message, where, at + 1)
    names = {str(number): name for name, number in encoding.numbering.items()}
    unpadded = {id(record): operand_index for record, operand_index in unpadded_strings(binary, encoding.data())}
    unpadded_found: list[tuple[Instruction, int]] = []
    found: list[Instruction] = []
    found_lines: dict[int, int] = {}
    for offset, instruction in zip(binary.offsets, binary.instructions, strict=True):
        origin = records[_record_at(encoding, offset)]
        renamed = _renamed(instruction, names, origin) if origin.raw or instruction.faults or instruction.raw else origin
        found.append(renamed)
        if id(instruction) in unpadded:
            unpadded_found.append((renamed, unpadded[id(instruction)]))
        found_lines[id(renamed)] = lines[id(origin)]
    raw = Module(chunks_of(found), module.environment, module.version)
    raw.header = module.header
    raw.unpadded_strings = tuple(unpadded_found)
    return RawModule(raw, found_lines)


def _record_at(encoding: Encoding, word: int) -> int:
    """The position of the instruction of the text that a word comes from."""
    return max(bisect_right(encoding.offsets, word) - 1, 0)


def _renamed(instruction: Instruction, names: dict[str, str], origin: Instruction) -> Instruction:
    def name(operand: Operand) -> Operand:
        return names.get(operand, operand) if isinstance(operand, str) else operand

    return Instruction(
        instruction.opcode,
        names.get(instruction.type, instruction.type) if instruction.type is not None else None,
        names.get(instruction.result, instruction.result) if instruction.result is not None else None,
        tuple(name(operand) for operand in instruction.operands),
        origin.text,
        origin.start,
        origin.end,
        tuple(Fault(fault.rule, fault.message, 0, origin.end - origin.start) for fault in instruction.faults),
        instruction.raw,
    )
