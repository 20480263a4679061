"""Formatting: white space as the reference disassembler sets it, or nested by control flow, and nothing but white space.

Words, comments, blank lines and line breaks inside an instruction stay as they are; instructions that share a line get one
each. A lone carriage return becomes a line break that also ends comments. Formatting a formatted text changes nothing.

Every edit is proven before it is returned: the words and comments of the text after it are those of the text before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spvls.binary.nesting import arrange
from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk, Document
from spvls.syntax.instruction import Instruction
from spvls.syntax.peg import expression, pattern
from spvls.text.lines import position_in
from spvls.typed import Literal

Style = Literal["aligned", "nested"]

#: The column of opcodes: results are written to the left of it, as far as they fit.
OPCODE_COLUMN = 15
_NESTING = 2
_CONTINUATION = 4
_CLOSED = pattern("lone_word").fullmatch
_COMMENT = pattern("comment")
_TOKENS = re.compile("|".join(expression(rule) for rule in ("comment", "word", "rest"))).findall
#: What ends a line in an editor. One more carriage return comes from a text that was converted twice.
_BREAKS = re.compile(r"\r\r\n|\r\n|\n|\r").findall
_BYTE_ORDER_MARK = "\ufeff"


class WordsChangedError(Exception):
    """Formatting would change what a text says, which is a defect in the formatter: the text must stay as it is."""


class _Placed(NamedTuple):
    """An instruction, where its words begin and end, and how deep it is nested."""

    record: Instruction
    start: Position
    end: Position
    depth: int


def format_document(document: Document, style: Style = "aligned") -> list[Edit]:
    """The edits that format a document, in order and apart from each other. Raises WordsChangedError."""
    return _proven(document, _edits(document, style))


def _edits(document: Document, style: Style) -> list[Edit]:
    newline = _newline(document)
    edits: list[Edit] = []
    before = Position(0, 0)
    previous: _Placed | None = None
    for placed in _places(document, style):
        gap = _between(document, before, placed.start)
        edits.extend(_replacing(Range(before, placed.start), gap, _gap(gap, previous, placed, newline)))
        words = placed.record.text[placed.record.start : placed.record.end]
        edits.extend(_replacing(Range(placed.start, placed.end), words, _words(placed, newline)))
        before, previous = placed.end, placed
    last = _end(document)
    rest = _between(document, before, last)
    edits.extend(_replacing(Range(before, last), rest, _gap(rest, previous, None, newline)))
    return edits


def format_range(document: Document, span: Range, style: Style = "aligned") -> list[Edit]:
    """The edits that format the lines that a range touches. Raises WordsChangedError."""
    first, last = span.start.line, span.end.line
    inside = [edit for edit in _edits(document, style) if edit.range.start.line >= first and edit.range.end.line <= last]
    return _proven(document, inside)


def format_on_type(document: Document, position: Position, style: Style = "aligned") -> list[Edit]:
    """The edits that format the line above a line break that was just typed. Raises WordsChangedError."""
    line = position.line - 1
    return format_range(document, Range(Position(line, 0), Position(line, 0)), style) if line >= 0 else []


def formatted(text: str, style: Style = "aligned") -> str:
    """A text as it is when formatted. Raises WordsChangedError."""
    document = Document(text)
    return _applied(document, format_document(document, style))


def same_words(text: str, other: str) -> bool:
    """Whether two texts have the same words and comments in the same order; white space that ends a comment aside."""
    return _tokens(text) == _tokens(other)


def _tokens(text: str) -> list[str]:
    return [_trimmed(token) if token.startswith(";") else token for token in _TOKENS(text)]


def _trimmed(comment: str) -> str:
    return comment.rstrip(" \t\r")


def _proven(document: Document, edits: list[Edit]) -> list[Edit]:
    """The edits, once it is shown that they change no word. Raises WordsChangedError."""
    if edits and not same_words(document.text, _applied(document, edits)):
        raise WordsChangedError("formatting would change the words of this text; it stays as it is")
    return edits


def _applied(document: Document, edits: Sequence[Edit]) -> str:
    pieces: list[str] = []
    before = Position(0, 0)
    for span, replacement in edits:
        pieces += _between(document, before, span.start), replacement
        before = span.end
    return "".join([*pieces, _between(document, before, _end(document))])


def _newline(document: Document) -> str:
    """The line break to write: the first that also ends comments, which a lone carriage return does not."""
    first = next((line for line in document.lines if line.endswith("\n")), "")
    return "\r\n" if first.endswith("\r\n") else "\n"


def _end(document: Document) -> Position:
    return Position(len(document.lines) - 1, len(document.lines[-1]))


def _places(document: Document, style: Style) -> Iterator[_Placed]:
    for chunk in document.chunks:
        depths = _depths(chunk) if style == "nested" and chunk.is_function else {}
        lines = document.lines_of(chunk)
        for record in chunk.records:
            line = lines[id(record)]
            start = position_in(record.text, record.start, line)
            end = position_in(record.text, record.end, line)
            yield _Placed(record, start, end, depths.get(id(record), 0))


def _depths(chunk: Chunk) -> dict[int, int]:
    """How deep each instruction of a function is nested."""
    blocks: list[list[Instruction]] = []
    for record in chunk.records:
        if record.opcode.value == spv.OpLabel and record.result is not None:
            blocks.append([record])
        elif blocks and record.opcode.value != spv.OpFunctionEnd and not record.faults:
            blocks[-1].append(record)
    if not blocks:
        return {}
    levels = arrange(blocks).levels
    return {id(record): level for block, level in zip(blocks, levels, strict=True) for record in block}


def _between(document: Document, start: Position, end: Position) -> str:
    lines = document.lines
    if start.line == end.line:
        return lines[start.line][start.column : end.column]
    inner = lines[start.line + 1 : end.line]
    return "".join([lines[start.line][start.column :], *inner, lines[end.line][: end.column]])


def _replacing(span: Range, old: str, new: str) -> list[Edit]:
    """The edit that makes `new` of `old`, which stands in `span`; what both begin and end with is left alone."""
    if old == new:
        return []
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    # A break of two characters is not taken apart.
    head -= old[:head].endswith("\r")
    tail -= old[len(old) - tail :].startswith("\n") and old[: len(old) - tail].endswith("\r")
    end = len(old) - tail
    return [Edit(Range(_after(span.start, old[:head]), _after(span.start, old[:end])), new[head : len(new) - tail])]


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _after(start: Position, text: str) -> Position:
    """Where a text ends that begins at a position."""
    line, column = position_in(text, len(text))
    return Position(start.line + line, column if line else start.column + column)


def _indent(placed: _Placed) -> str:
    """The white space before an instruction: its opcode stands at the column of opcodes, further in where it is nested."""
    column = OPCODE_COLUMN + _NESTING * placed.depth
    record = placed.record
    if _is_marked(placed):
        return ""
    if record.text.startswith("%", record.start):
        result = record.words()[0]
        column -= result.end - result.start + len(" = ")
    return " " * max(column, 0)


def _is_marked(placed: _Placed) -> bool:
    """Whether an instruction starts with the byte order mark of the text, which stays in front."""
    record = placed.record
    return placed.start == (0, 0) and record.text.startswith(_BYTE_ORDER_MARK, record.start)


def _gap(gap: str, previous: _Placed | None, following: _Placed | None, newline: str) -> str:
    """What stands between two instructions: comments and blank lines kept, the next instruction on a line of its own."""
    if "\x00" in gap or (previous is not None and _ends_line(_last_word(previous.record))):
        return gap
    comments = _COMMENT.findall(gap)
    spaces = _COMMENT.split(gap)
    output: list[str] = []
    column = " " * (OPCODE_COLUMN + _NESTING * (following.depth if following is not None else 0))
    for number, comment in enumerate(comments):
        space = spaces[number]
        breaks = len(_BREAKS(space))
        kept = _trimmed(comment)
        if not breaks and number == 0:
            apart = previous is not None and (gap[0] != ";" or not _is_marked(previous))
            output.append(f"  {kept}" if apart else kept)
        else:
            margin = column if not space.endswith(("\n", "\r")) else ""
            output.append(newline * breaks + margin + kept)
    breaks = len(_BREAKS(spaces[-1]))
    if following is None:
        ended = bool(comments) or (previous is not None and (gap or _is_closed(previous.record)))
        return "".join(output) + (newline if ended else "")
    if previous is not None or comments:
        breaks = max(breaks, 1)
    return "".join(output) + newline * breaks + _indent(following)


def _last_word(record: Instruction) -> str:
    last = record.words()[-1]
    return record.text[last.start : last.end]


def _ends_line(word: str) -> bool:
    """Whether a word ends with an escaped carriage return, which for editors is one line break with a line feed after it."""
    return word.endswith("\r")


def _is_closed(record: Instruction) -> bool:
    """Whether the last word of an instruction ends where it seems to: a string without an end takes in what follows."""
    word = _last_word(record)
    return word in ("(", ")", ",") or _CLOSED(word) is not None


def _words(placed: _Placed, newline: str) -> str:
    """The words of an instruction with one space between, and line breaks where it has them."""
    record = placed.record
    spans = record.words()
    output: list[str] = []
    for number, span in enumerate(spans):
        word = record.text[span.start : span.end]
        if number:
            before = spans[number - 1]
            gap = record.text[before.end : span.start]
            output.append(_inner_gap(gap, record.text[before.start : before.end], word, placed, newline))
        output.append(word)
    return "".join(output)


def _inner_gap(gap: str, before: str, word: str, placed: _Placed, newline: str) -> str:
    """What stands between two words of an instruction."""
    if _ends_line(before):
        return gap
    margin = " " * (OPCODE_COLUMN + _NESTING * placed.depth + _CONTINUATION)
    if "\n" not in gap and "\r" not in gap:
        return "" if before == "(" or word in ("(", ")", ",") else " "
    comments = _COMMENT.findall(gap)
    spaces = _COMMENT.split(gap)
    output: list[str] = []
    for space, comment in zip(spaces, comments, strict=False):
        output.append((newline + margin if _BREAKS(space) else "  ") + _trimmed(comment))
    return "".join(output) + newline + margin
