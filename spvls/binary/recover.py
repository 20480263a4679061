"""Lists what can be read of a damaged module, and the rest as words, so that the text assembles to the same words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from spvls.binary.decode import DecodeError, Decoder
from spvls.binary.disassemble import DisassembleError
from spvls.binary.encode import encode
from spvls.binary.kept_numbers import kept_lines
from spvls.binary.listing import Listing, Style, header_lines
from spvls.binary.words import HEADER_WORDS, Words, read_any_words, version_fault
from spvls.grammar import tables
from spvls.grammar.records import Opcode
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_MARGIN = " " * 15
_WORDS_A_LINE = 8

#: The id that would need a bound of 33 bits.
_BEYOND = str(0xFFFFFFFF)

#: A place in the words where so many known instructions follow one another is taken for the start of one.
_CONVINCING = 3


class _Piece:
    """Words that belong together.

    `line` is their text where they are an instruction that the assembler makes again; `note` says why they are not.
    `bare` words stand without an opcode, and an instruction that `takes_more` would take them for its operands.
    """

    __slots__ = ("at", "bare", "line", "note", "stop", "takes_more")

    def __init__(
        self, at: int, stop: int, line: str | None, note: str, *, bare: bool = False, takes_more: bool = True
    ) -> None:
        self.at = at
        self.stop = stop
        self.line = line
        self.note = note
        self.bare = bare
        self.takes_more = takes_more


def recover(data: bytes) -> str:
    """The text of a module that may be damaged; ids are called by their number.

    What cannot be read, or not be written such that it assembles to the same words, stands as `OpUnknown(…)` or, where
    the word count is wrong too, as `!` and words, with a comment that says why. With numeric ids preserved, the text
    assembles to the words of the module.

    Raises DisassembleError where there is no header.
    """
    try:
        words = read_any_words(data)
    except DecodeError as error:
        raise DisassembleError(str(error), error.word) from None
    pieces = _read(words)
    while True:
        text = "\n".join(_lines(words, pieces))
        if not _demote(words, pieces, text):
            return text


def _read(words: Words) -> list[_Piece]:
    """The instructions that can be read, and the stretches between them."""
    decoder = Decoder(words)
    depths = _depths(words.words)
    pieces: list[_Piece] = []
    while decoder.at < len(words.words):
        try:
            decoder.run()
        except DecodeError as fault:
            at = decoder.at
            stop = decoder.at = _end_of_damage(words.words, depths, at)
            pieces.append(_Piece(at, stop, None, str(fault), bare=words.words[at] >> 16 != stop - at))
    listing = Listing(decoder.binary, {}, Style())
    for index, (at, record) in enumerate(zip(decoder.binary.offsets, decoder.binary.instructions, strict=True)):
        stop = at + (words.words[at] >> 16)
        line: str | None = listing.line(index)
        note = ""
        if _BEYOND in (record.result, *record.uses()):
            line, note = None, f"word {at}: an id is less than the bound, which no bound is for {_BEYOND}"
        pieces.append(_Piece(at, stop, line, note, takes_more=_takes_more(record.opcode)))
    pieces.sort(key=attrgetter("at"))
    return pieces


def _depths(words: list[int]) -> list[int]:
    """For each word, how many instructions that the grammar knows would follow one another if one began there, at most
    as many as convince; that the words run out at the end of one convinces too."""
    end = len(words)
    depths = [0] * end + [_CONVINCING]
    for at in range(end - 1, HEADER_WORDS - 1, -1):
        count = words[at] >> 16
        if 0 < count <= end - at:
            known = tables.opcode_by_value(words[at] & 0xFFFF) is not None
            depths[at] = min(depths[at + count] + known, _CONVINCING)
    return depths


def _end_of_damage(words: list[int], depths: list[int], at: int) -> int:
    """Where to read on behind the instruction at `at`: where its word count says, if that convinces, else at the first
    word that does."""
    stop = at + (words[at] >> 16)
    if at < stop <= len(words) and depths[stop] >= _CONVINCING:
        return stop
    return next(place for place in range(at + 1, len(depths)) if depths[place] >= _CONVINCING)


def _takes_more(opcode: Opcode) -> bool:
    """Whether words that follow an instruction could be read as further operands of it."""
    return any(
        operand.quantifier or tables.kind(operand.kind).category not in ("id", "literal") for operand in opcode.operands
    ) or any(operand.kind.startswith(("LiteralExtInst", "LiteralSpecConstantOp")) for operand in opcode.operands)


def _demote(words: Words, pieces: list[_Piece], text: str) -> bool:
    """Give up the lines that the assembler does not make the same words of; whether there were any."""
    version = (1, min(words.header.version >> 8 & 0xFF, 6))
    records = [record for _, record in scan(split_lines(text))]
    encoding = encode(records, version, preserve_numeric_ids=True)
    reasons = {at: fault.message for at, fault in reversed(encoding.faults)}
    found = False
    for index, statement in enumerate(_statements(pieces)):
        first, last = statement[0], statement[-1]
        if first.line is None:
            continue
        made = encoding.words[encoding.offsets[index] : encoding.offsets[index + 1]].tolist()
        if made != words.words[first.at : last.stop]:
            reason = reasons.get(index, "as text, this instruction assembles to other words")
            first.note = f"word {first.at}: {reason}"
            first.line = None
            found = True
    return found


def _statements(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces that the assembler reads as one: instructions one by one, bare words as long as they go on."""
    for bare, group in groupby(pieces, attrgetter("bare")):
        if bare:
            yield list(group)
        else:
            yield from ([piece] for piece in group)


def _lines(words: Words, pieces: list[_Piece]) -> Iterator[str]:
    yield from header_lines(words.header)
    yield from kept_lines(words.header, {})
    fault = version_fault(words.header)
    if fault is not None:
        yield f"; {fault}"
    _close(pieces)
    for piece in pieces:
        stretch = words.words[piece.at : piece.stop]
        if piece.bare:
            # The text of an instruction that only stands among bare words to be closed says best what it is.
            note = piece.note or f"word {piece.at}: {(piece.line or '').strip()}"
            yield from _bare_lines(stretch, note)
        elif piece.line is None:
            operands = "".join([f" {word}" for word in stretch[1:]])
            yield f"{_MARGIN}OpUnknown({stretch[0] & 0xFFFF}, {len(stretch)}){operands}  ; {_one_line(piece.note)}"
        else:
            yield piece.line
    if words.rest:
        shown = " ".join([f"0x{octet:02x}" for octet in words.rest])
        yield f"; the file ends inside a word, which no text can say: {shown}"
    yield ""


def _close(pieces: list[_Piece]) -> None:
    """Make bare what stands before bare words and would take these for its operands."""
    bare = False
    for piece in reversed(pieces):
        bare = piece.bare = piece.bare or (bare and (piece.takes_more or piece.line is None))


def _bare_lines(stretch: list[int], note: str) -> Iterator[str]:
    for start in range(0, len(stretch), _WORDS_A_LINE):
        shown = " ".join([f"!0x{word:08x}" for word in stretch[start : start + _WORDS_A_LINE]])
        yield f"{_MARGIN}{shown}" + (f"  ; {_one_line(note)}" if start == 0 else "")


def _one_line(note: str) -> str:
    return note if note.isprintable() else "".join([c if c.isprintable() else "\ufffd" for c in note])
