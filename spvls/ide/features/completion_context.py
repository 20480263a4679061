"""The context of completion: which instruction is being typed at a position, which of its words, how far."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spvls.diagnostic import Position, Range
from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import opcode_index, texts
from spvls.record import NamedTuple
from spvls.syntax.instruction import UNKNOWN, Instruction
from spvls.text.lines import content_length

_STATEMENT = re.compile(r"[ \t]*(?:%(?P<result>\w+)[ \t]*=[ \t]*(?P<opcode>\w*)|(?P<prefix>%?\w*))")
_REST_OF_WORD = re.compile(r"[^\s;,()\"|]*")
_BARE_TAIL = re.compile(r"[^\s;,()\"]*\Z")


class CompletionContext(NamedTuple):
    """The word that is being typed.

    `words` stand before it in the instruction, `prefix` is what of it stands before the cursor, `range` all of it; in a
    string, that is what stands between the quotes. Where an instruction is being begun, `opcode` is None, and `result` is
    the id before the equals sign, if there is one.
    """

    opcode: Opcode | None
    words: Sequence[str]
    prefix: str
    range: Range
    in_string: bool = False
    result: str | None = None
    record: Instruction | None = None

    @property
    def operand_words(self) -> Sequence[str]:
        """The words between the opcode and the one being typed."""
        at = opcode_index(self.words)
        return self.words[at + 1 :] if at is not None else ()


def completion_context_at(source: SourceModule, position: Position) -> CompletionContext | None:
    """What is being typed at a position; None in comments and after words that nothing can follow."""
    position = source.clamp(position)
    line = source.document.lines[position.line]
    before = line[: position.column]
    statement = _STATEMENT.fullmatch(before)
    if statement is not None:
        prefix = statement["prefix"] or statement["opcode"] or ""
        return CompletionContext(None, (), prefix, _word_range(line, position, prefix), result=statement["result"])
    found = _record_before(source, position)
    if found is None:
        return None
    first_line, record = found
    return _in_record(record, first_line, line, position)


def _record_before(source: SourceModule, position: Position) -> tuple[int, Instruction] | None:
    """The instruction that the word at a position belongs to, or would."""
    line = source.document.lines[position.line]
    starting = [record for record in source.document.records_on(position.line) if record.start < position.column]
    if starting:
        return position.line, starting[-1]
    blank = content_length(line) - len(line[: content_length(line)].lstrip())
    found = source.document.record_at(Position(position.line, blank))
    return found if found is not None and found[0] < position.line else None


def _in_record(record: Instruction, first_line: int, line: str, position: Position) -> CompletionContext | None:
    text = record.text
    # The lines of a record end where it does; the cursor may stand after that, on its last line.
    start_of_line = _offset_of_line(text, position.line - first_line)
    if start_of_line is None:
        return None
    written = text[: start_of_line] + line[: position.column]
    blank = Instruction(UNKNOWN, None, None, (), written, record.start, len(written))
    spans = blank.words()
    words = texts(blank, spans)
    at = opcode_index(words)
    opcode = tables.opcode(words[at]) if at is not None else None
    if opcode is None:
        return None
    if _in_comment(written, spans[-1].end if spans else record.start):
        return None
    last = words[-1]
    if last.startswith('"') and spans[-1].end == len(written) and not _is_closed(last):
        inside = last[1:]
        end = line.find('"', position.column)
        start = Position(position.line, position.column - len(inside.rpartition("\n")[2]))
        stop = Position(position.line, end if end >= 0 else position.column)
        return CompletionContext(opcode, words[:-1], inside, Range(start, stop), in_string=True, record=record)
    tail = _BARE_TAIL.search(written)
    prefix = tail[0] if tail is not None else ""
    typed = words[:-1] if prefix else words
    if opcode_index(typed) is None:
        return None  # the opcode itself, after another instruction
    return CompletionContext(opcode, typed, prefix, _word_range(line, position, prefix), record=record)


def _offset_of_line(text: str, number: int) -> int | None:
    """The offset in `text` at which its line `number` begins."""
    offset = 0
    for _ in range(number):
        found = text.find("\n", offset)
        if found < 0:
            return None
        offset = found + 1
    return offset


def _in_comment(written: str, end_of_words: int) -> bool:
    """Whether what follows the last word goes on in a comment."""
    rest = written[end_of_words:]
    return ";" in rest.rpartition("\n")[2]


def _is_closed(string: str) -> bool:
    """Whether a quoted word has its closing quote."""
    return len(string) > 1 and string.endswith('"') and not string[:-1].endswith("\\")


def _word_range(line: str, position: Position, prefix: str) -> Range:
    rest = _REST_OF_WORD.match(line, position.column, content_length(line))
    end = rest.end() if rest is not None else position.column
    return Range(Position(position.line, position.column - len(prefix)), Position(position.line, end))
