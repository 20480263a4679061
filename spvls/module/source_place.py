"""Which line of a source an instruction comes from, as line information says (OpLine and OpNoLine, SPIR-V 3.3.2; DebugLine and
DebugNoLine of NonSemantic.Shader.DebugInfo)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import SourceLine
from spvls.grammar import spv
from spvls.grammar.operand_index import OpLine_Column, OpLine_File, OpLine_Line
from spvls.grammar.traits import TERMINATORS
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.module.source_files import SourceFile
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction

_DEBUG_LINES = ("DebugLine", "DebugNoLine")
_SOURCE, _LINE, _END_LINE, _COLUMN, _END_COLUMN = range(2, 7)
"""Operands of the OpExtInst of a DebugLine."""


class SourcePlace(NamedTuple):
    """Lines `line` to `end_line` of a file, from 1; columns count from 1, and are 0 where they are not known. `record` says so."""

    file: SourceFile
    line: int
    column: int
    end_line: int
    end_column: int
    record: Instruction


class Cover(NamedTuple):
    """The line information that holds for an instruction, by the instruction that gives it, of each of the two kinds."""

    line: Instruction | None = None
    debug: Instruction | None = None


NOTHING = Cover()


class Covers:
    """The line information of the instructions of a module, as it is now."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._numbers: dict[int, int] = {}
        #: What holds before the first instruction of a chunk, by `id()` of the chunk.
        self._before: dict[int, Cover] = {}

    def of_chunk(self, chunk: Chunk) -> Iterator[Cover]:
        """That of each instruction of a chunk.

        It holds up to the end of the block, or the next one of its kind. An OpLine before a function stands in the chunk before it.
        """
        before = self._before_chunk(chunk)
        for record in chunk.records:
            cover = _after(self._module, record, before)
            yield cover
            before = NOTHING if record.opcode.value in TERMINATORS else cover

    def of(self, chunk: Chunk, at: int) -> Cover:
        """That of instruction `at` of a chunk; it looks back as far as the beginning of the block."""
        line = debug = None
        is_line_known = is_debug_known = False
        for index in range(at, -1, -1):
            record = chunk.records[index]
            opcode = record.opcode.value
            if opcode in TERMINATORS and index != at:
                return Cover(line, debug)
            if opcode in (spv.OpLine, spv.OpNoLine) and not is_line_known:
                line, is_line_known = record if opcode == spv.OpLine else None, True
            elif opcode in EXTENDED and not is_debug_known:
                named = _debug_line(self._module, record)
                if named is not None:
                    debug, is_debug_known = record if named == "DebugLine" else None, True
            if is_line_known and is_debug_known:
                return Cover(line, debug)
        return Cover(line if is_line_known else self._before_chunk(chunk).line, debug)

    def _before_chunk(self, chunk: Chunk) -> Cover:
        chunks = self._module.chunks
        if not self._numbers:
            self._numbers = {id(other): number for number, other in enumerate(chunks)}
        found: Cover | None = NOTHING
        passed: list[int] = []
        for number in range(self._numbers.get(id(chunk), 0), 0, -1):
            found = self._before.get(id(chunks[number]))
            if found is not None:
                break
            passed.append(id(chunks[number]))
            found = _at_end_of(chunks[number - 1])
            if found is not None:
                break
        self._before.update(dict.fromkeys(passed, found or NOTHING))
        return found or NOTHING


def source_place(module: Module, cover: Cover) -> SourcePlace | None:
    """The place that line information gives; that of a DebugLine, which has more to say, before that of an OpLine."""
    return _of_debug_line(module, cover.debug) or _of_line(module, cover.line)


def source_line(module: Module, cover: Cover) -> SourceLine | None:
    """The line that line information gives, with its text where the module carries it."""
    place = source_place(module, cover)
    if place is None:
        return None
    file, row = place.file, place.file.row(place.line)
    name = file.name.decode("utf-8", "replace")
    end_column = place.end_column if place.end_line == place.line else 0
    if row is None:
        return SourceLine(name, place.line, place.column, end_column, None, place.line - 1, file.number)
    text = file.lines[row].decode("utf-8", "replace")
    return SourceLine(name, place.line, place.column, end_column, text, row, file.number)


def _at_end_of(chunk: Chunk) -> Cover | None:
    """What holds after the last instruction of a chunk, where one of its own decides."""
    for record in reversed(chunk.records):
        opcode = record.opcode.value
        if opcode == spv.OpLine:
            return Cover(record)
        if opcode == spv.OpNoLine or opcode in TERMINATORS:
            return NOTHING
    return None


def _after(module: Module, record: Instruction, before: Cover) -> Cover:
    """The line information from an instruction on."""
    opcode = record.opcode.value
    if opcode == spv.OpLine:
        return before._replace(line=record)
    if opcode == spv.OpNoLine:
        return before._replace(line=None)
    if opcode in EXTENDED:
        named = _debug_line(module, record)
        if named is not None:
            return before._replace(debug=record if named == "DebugLine" else None)
    return before


def _debug_line(module: Module, record: Instruction) -> str | None:
    """The name of a DebugLine or DebugNoLine."""
    found = module.extended_instruction(record)
    return found[1] if found is not None and found[1] in _DEBUG_LINES else None


def _of_line(module: Module, record: Instruction | None) -> SourcePlace | None:
    if record is None or record.faults or len(record.operands) <= OpLine_Column:
        return None
    name, line, column = record.operands[OpLine_File], record.operands[OpLine_Line], record.operands[OpLine_Column]
    file = module.source_files.of(name) if isinstance(name, str) else None
    if file is None or not isinstance(line, int) or not isinstance(column, int) or not line:
        return None
    return SourcePlace(file, line, column, line, column, record)


def _of_debug_line(module: Module, record: Instruction | None) -> SourcePlace | None:
    if record is None or record.faults or len(record.operands) <= _END_COLUMN:
        return None
    name = record.operands[_SOURCE]
    file = module.source_files.of(name) if isinstance(name, str) else None
    line, end_line, column, end_column = (module.integer(record.operands[at]) for at in (_LINE, _END_LINE, _COLUMN, _END_COLUMN))
    if file is None or not line:
        return None
    end_line = max(line, end_line or line)
    if end_line == line:
        end_column = max(end_column or 0, column or 0)
    return SourcePlace(file, line, column or 0, end_line, end_column or 0, record)
