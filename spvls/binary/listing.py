"""Decoded instructions to lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from spvls.binary.decode import Binary
from spvls.binary.nesting import arrange
from spvls.binary.operand_codecs import ID, INSTRUCTION, NAME, NUMBER, STRING, InstructionCodec, OperandCodec, word_count
from spvls.binary.words import Header
from spvls.grammar import spv, tables
from spvls.grammar.records import Opcode
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.text.escaping import visible_lines
from spvls.typed import Any

#: The id that would need a bound of 33 bits.
UNWRITABLE = str(0xFFFFFFFF)

_INDENT = 15
_LEVEL = "  "

#: Comments begin at this column, or after a longer line, and those of the lines below at the same one, up to the second.
_COMMENT_COLUMN = 50
_COMMENT_COLUMN_KEPT = 256

_RESET, _GREY, _RED, _GREEN, _YELLOW, _BLUE = "\x1b[0m", "\x1b[1;30m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m"

_PAINT: dict[str, Callable[[str], str]] = {
    ID: lambda text: f"{_YELLOW}{text}{_RESET}",
    NAME: lambda text: f"{text}{_RESET}",
    NUMBER: lambda text: f"{_RED}{text}{_RESET}{_RESET}",
    INSTRUCTION: lambda text: f"{_RED}{text}{_RESET}",
    STRING: lambda text: f'"{_GREEN}{text[1:-1]}{_RESET}"{_RESET}',
}


class Style(NamedTuple):
    """What a listing shows, and how."""

    indent: bool = True
    color: bool = False
    offsets: bool = False
    comment: bool = False
    nested_indent: bool = False
    reorder_blocks: bool = False
    visible: bool = False


class _Shown(dict[str, str]):
    """Ids as operands show them."""

    def __init__(self, names: dict[str, str], color: bool) -> None:
        self._names = names
        self._color = color

    def __missing__(self, id_: str) -> str:
        shown = "%" + self._names.get(id_, id_)
        if self._color:
            shown = _PAINT[ID](shown)
        self[id_] = shown
        return shown


def header_lines(header: Header) -> list[str]:
    """The comments that say what a module's header does."""
    tool, revision = header.generator >> 16, header.generator & 0xFFFF
    return [
        "; SPIR-V",
        f"; Version: {header.version >> 16 & 0xFF}.{header.version >> 8 & 0xFF}",
        f"; Generator: {tables.generator(tool) or f'Unknown({tool})'}; {revision}",
        f"; Bound: {header.bound}",
        f"; Schema: {header.schema}",
    ]


class Listing:
    """Lists the instructions of a module; `names` says what ids are called other than by their number. `width` and `margin` are for
    results, and for lines without one."""

    def __init__(self, binary: Binary, names: dict[str, str], style: Style) -> None:
        self._binary = binary
        self._style = style
        self._names = names
        self._ids = _Shown(names, style.color)
        self._writers: dict[InstructionCodec, tuple[Callable[[Any], str], ...]] = {}
        self.margin = " " * _INDENT if style.indent else ""
        self.width = _INDENT - 3 if style.indent else 0
        self._decorations: dict[str, list[str]] = {}
        self._column = 0
        self._as_words: dict[int, str] = {}
        self._words: Sequence[int] = ()

    def give_words(self, words: Sequence[int], reasons: Mapping[int, str]) -> None:
        """Write some instructions, by their positions, such that the words of the file come back: those of literals and
        what follows them as `!N`, or all as `OpUnknown(…)` where an id cannot be written either. The reason is a comment.
        """
        self._words = words
        self._as_words.update(reasons)

    def lines(self) -> Iterator[str]:
        """The lines, without their breaks, where a string does not hold one."""
        style = self._style
        if style.nested_indent or style.reorder_blocks:
            yield from self._arranged()
        elif style.comment or style.offsets:
            sections = _Sections()
            for at, record in enumerate(self._binary.instructions):
                if style.comment and record.opcode.value not in sections.passed:
                    yield from self._section(sections, record)
                yield self._commented(at, self.line(at))
        else:
            yield from map(self.line, range(len(self._binary.instructions)))

    def line(self, at: int, inner: str = "") -> str:
        """One instruction, by its position; `inner` stands between the result and the opcode."""
        record, codec = self._binary.instructions[at], self._binary.codecs[at]
        if record.raw:
            return f"{self.margin}{inner}{_words_as_they_are(record)}"
        reason = self._as_words.get(at)
        operands = self._operands(record, codec) if record.operands else ""
        if reason is not None:
            start = self._first_literal(record, codec)
            if start is None:
                begin = self._binary.offsets[at]
                stretch = self._words[begin : begin + (self._words[begin] >> 16)]
                return f"{self.margin}{inner}{unknown_line(stretch, reason)}"
            note = f"{operands.rstrip()}: {reason}" if operands.strip() else reason
            operands = f"{self._given(at, record, codec, start)}  ; {one_line(note)}"
        result = record.result
        if result is None:
            line = f"{self.margin}{inner}{record.opcode.name}"
        else:
            name = ("%" + self._names.get(result, result)).rjust(self.width)
            if self._style.color:
                name = f"{_BLUE}{name}{_RESET}"
            line = f"{name} = {inner}{record.opcode.name}"
        if record.type is not None:
            line = f"{line} {self._ids[record.type]}"
        return f"{line} {operands}" if operands else line

    def _given(self, at: int, record: Instruction, codec: InstructionCodec, start: int) -> str:
        """The operands with `!N` for the words of all but ids from operand `start` on."""
        assert codec.operands is not None
        word = self._binary.offsets[at] + 1 + record.opcode.has_type + record.opcode.has_result
        written: list[str] = []
        for place, (operand_codec, operand) in enumerate(zip(codec.operands, record.operands, strict=True)):
            size = word_count(operand)
            if operand_codec.role == ID:
                written.append(self._ids[str(operand)])
            elif place < start:
                written.append(operand_codec.write(operand))
            else:
                written += [f"!0x{value:08x}" for value in self._words[word : word + size]]
            word += size
        return " ".join(written)

    def _first_literal(self, record: Instruction, codec: InstructionCodec) -> int | None:
        """The operand from which on words are written; None where that would not help."""
        if UNWRITABLE in (record.type, record.result) or UNWRITABLE in record.operands:
            return None
        if record.opcode.value == spv.OpTypeFloat:
            return None  # a float type is refused where its encoding has another width
        for place, operand in enumerate(codec.operands or ()):
            if operand.role not in (ID, NAME) or (operand.exact is not None and not operand.exact(record.operands[place])):
                return place
        return None

    def _operands(self, record: Instruction, codec: InstructionCodec) -> str:
        ids = self._ids.__getitem__
        if codec.operands is None:
            return " ".join(map(ids, record.operands))  # type: ignore[arg-type]
        writers = self._writers.get(codec)
        if writers is None:
            of_operands = [ids if operand.role == ID else self._writer(operand) for operand in codec.operands]
            writers = self._writers[codec] = tuple(of_operands)
        return " ".join([write(operand) for write, operand in zip(writers, record.operands)])  # noqa: B905

    def _writer(self, codec: OperandCodec) -> Callable[[Any], str]:
        write = codec.write
        show = visible_lines if codec.role == STRING and self._style.visible else None
        paint = _PAINT[codec.role] if self._style.color else None
        if show is not None and paint is not None:
            return lambda operand: paint(show(write(operand)))
        change = show or paint
        return write if change is None else lambda operand: change(write(operand))

    # Comments

    def _section(self, sections: _Sections, record: Instruction) -> Iterator[str]:
        if record.opcode.value == spv.OpFunction and record.result is not None:
            yield ""
            if self._style.nested_indent:
                yield ""
            yield f"{self.margin}; Function {self._names.get(record.result, record.result)}"
        title = sections.begun_by(record)
        if title:
            yield ""
            yield f"{self.margin}; {title}"

    def _commented(self, at: int, line: str) -> str:
        """A line with its comment: the offset in bytes, the number of a named id, the decorations of a result."""
        record = self._binary.instructions[at]
        style = self._style
        comments = []
        if style.offsets:
            offset = f"0x{self._binary.offsets[at] * 4:08x}"
            comments.append(f"{_GREY}{offset}{_RESET}" if style.color else offset)
        if style.comment and not record.raw:
            if record.opcode.value == spv.OpDecorate:
                self._note_decoration(at)
            elif record.opcode.value == spv.OpName:
                comments.append(f"id %{record.operands[0]!s}")
            decorations = self._decorations.get(record.result) if record.result is not None else None
            if decorations:
                comments.append(", ".join(decorations))
        if not comments:
            self._column = 0
            return line
        length = _visible_length(line)
        column = max(length + 2, self._column, _COMMENT_COLUMN) + 3 & ~3
        self._column = min(column, _COMMENT_COLUMN_KEPT)
        return f"{line}{' ' * (column - length)}; {', '.join(comments)}"

    def _note_decoration(self, at: int) -> None:
        record = self._binary.instructions[at]
        target = record.operands[0]
        assert isinstance(target, str)
        shown = self._operands(record, self._binary.codecs[at])
        self._decorations.setdefault(target, []).append(shown[len(self._ids[target]) + 1 :])

    # Blocks

    def _arranged(self) -> Iterator[str]:
        """The lines with the blocks of functions nested or ordered, which takes whole functions."""
        sections = _Sections()
        blocks: list[list[int]] = []
        instructions = self._binary.instructions
        comment = self._style.comment
        for at, record in enumerate(instructions):
            opcode = record.opcode.value
            if comment and opcode not in sections.passed:
                yield from self._section(sections, record)
            if opcode == spv.OpLabel and not record.raw:
                blocks.append([at])
            elif blocks and opcode != spv.OpFunctionEnd:
                blocks[-1].append(at)
            else:
                if blocks:
                    yield from self._blocks(blocks)
                    blocks = []
                yield self._with_comment(at, "")
        yield from self._blocks(blocks)

    def _blocks(self, blocks: Sequence[Sequence[int]]) -> Iterator[str]:
        if not blocks:
            return
        instructions = self._binary.instructions
        levels, order = arrange([[instructions[at] for at in block] for block in blocks])
        nested = self._style.nested_indent
        for index in order if self._style.reorder_blocks else range(len(blocks)):
            if nested:
                yield ""
            inner = _LEVEL * levels[index] if nested else ""
            for at in blocks[index]:
                yield self._with_comment(at, inner)
                if nested and at == blocks[index][0]:
                    inner += _LEVEL

    def _with_comment(self, at: int, inner: str) -> str:
        line = self.line(at, inner)
        return self._commented(at, line) if self._style.comment or self._style.offsets else line


class _Sections:
    """Which sections of the module have begun (SPIR-V 2.4); opcodes that are `passed` begin none any more."""

    def __init__(self) -> None:
        self._begun: set[str] = set()
        self.passed: set[int] = set()

    def begun_by(self, record: Instruction) -> str | None:
        """The title of the section that an instruction is the first of."""
        title = _section_of(record.opcode)
        if record.opcode.value != spv.OpFunction:
            self.passed.add(record.opcode.value)
        if title is None or title in self._begun:
            return None
        self._begun.add(title)
        return title


def _section_of(opcode: Opcode) -> str | None:
    if opcode.class_ == "Annotation":
        return None if opcode.has_result else "Annotations"
    if opcode.class_ == "Debug":
        return "Debug Information"
    if opcode.is_type and opcode.has_result:
        return "Types, variables and constants"
    return None


def _words_as_they_are(record: Instruction) -> str:
    words = "".join([f" {word!s}" for word in record.operands])
    head = f"OpUnknown({record.opcode.value}, {len(record.operands) + 1})"
    return f"{head}{words}  ; note: ID bound may be incorrect after reassembly"


def unknown_line(stretch: Sequence[int], note: str) -> str:
    """The words of an instruction as they are, with a note."""
    first = stretch[0]
    shown = "".join([f" {word}" for word in stretch[1:]])
    return f"OpUnknown({first & 0xFFFF}, {len(stretch)}){shown}  ; {one_line(note)}"


def one_line(note: str) -> str:
    """A text that can stand in a comment."""
    return note if note.isprintable() else "".join([c if c.isprintable() else "\ufffd" for c in note])


def _visible_length(line: str) -> int:
    """The bytes of a line in UTF-8 that a terminal shows."""
    if "\x1b" in line:
        # A sequence of a string counts like one of a color: from the escape to the next m.
        before, *sequences = line.split("\x1b")
        line = before + "".join([sequence.partition("m")[2] for sequence in sequences])
    return len(line) if line.isascii() else len(line.encode("utf-8", "surrogateescape"))
