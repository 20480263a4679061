"""Lists what can be read of a damaged module, and the rest as words, so that the text assembles to the same words."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from spvls.binary.decode import Binary, DecodeError, Decoder
from spvls.binary.disassemble import DisassembleError
from spvls.binary.gc_pause import paused_gc
from spvls.binary.listing import Listing, Style, header_lines, one_line, unknown_line
from spvls.binary.preserved_ids import preserved_lines
from spvls.binary.round_trip import Loss, RoundTrip
from spvls.binary.words import HEADER_WORDS, Words, big_endian, read_any_words, version_fault
from spvls.grammar import tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, decls_of
from spvls.grammar.records import Opcode

_MARGIN = " " * 15
_BYTES_A_LINE = 32

#: A place in the words where so many known instructions follow one another is taken for the start of one.
_CONVINCING = 3


def recover(data: bytes) -> str:
    """The text of a module that may be damaged; ids are called by their number.

    What cannot be read, or not be written such that it assembles to the same words, stands as `OpUnknown(…)` or, where
    the word count is wrong too, as `!` and words, with a comment that says why. With numeric ids preserved, the text
    assembles to the words of the module.

    Raises DisassembleError where there is no header.
    """
    with paused_gc():
        try:
            words = read_any_words(data)
        except DecodeError as error:
            raise DisassembleError(str(error), error.word) from None
        damage = _Damage(words)
        damage.decoder.run()
        return "\n".join(_Text(words, damage.decoder.binary, damage).lines())


class _Damage:
    """Stretches of words that are not instructions, column by column.

    Each goes from word `begins` to `stops`, and stands before the instruction at position `before` of those that could be
    read; `messages` say what is wrong at `words`. `bare` stretches have no word count that fits.
    """

    def __init__(self, words: Words) -> None:
        self.decoder = Decoder(words, around=self._around)
        self.begins: list[int] = []
        self.stops: list[int] = []
        self.before: list[int] = []
        self.messages: list[str] = []
        self.words: list[int] = []
        self.bare: list[bool] = []
        self._all = words.words
        self._depths = bytearray()

    def _around(self, at: int, message: str, word: int) -> int:
        """Take note of damage, and go on where the word count says if that convinces, else at the first word that does."""
        depths = self._depths = self._depths or _depths(self._all)
        stop = at + (self._all[at] >> 16)
        bare = not (at < stop < len(depths) and depths[stop] == _CONVINCING)
        if bare:
            stop = depths.index(_CONVINCING, at + 1)
        self.begins.append(at)
        self.stops.append(stop)
        self.before.append(len(self.decoder.binary.offsets))
        self.messages.append(message)
        self.words.append(word)
        self.bare.append(bare and self._all[at] >> 16 != stop - at)
        return stop


def _depths(words: list[int]) -> bytearray:
    """For each word, how many instructions that the grammar knows would follow one another if one began there, at most
    as many as convince; that the words run out at the end of one convinces too."""
    end = len(words)
    depths = bytearray(end + 1)
    depths[end] = _CONVINCING
    known: dict[int, bool] = {}
    for at in range(end - 1, HEADER_WORDS - 1, -1):
        word = words[at]
        stop = at + (word >> 16)
        if at < stop <= end:
            depth = depths[stop]
            if depth < _CONVINCING:
                value = word & 0xFFFF
                is_known = known.get(value)
                if is_known is None:
                    is_known = known[value] = tables.opcode_by_value(value) is not None
                depth += is_known
            depths[at] = depth
    return depths


class _Text:
    """How instructions and the damage between them are written.

    `given_up` says which instructions are written as words, and why. Those that are `bare` and the bare stretches of
    damage stand without an opcode, and what would take such words for its operands is bare in front of them.
    """

    def __init__(self, words: Words, binary: Binary, damage: _Damage) -> None:
        self._words = words
        self._binary = binary
        self._damage = damage
        self._given_up: dict[int, str] = {}
        self._bare: set[int] = set()
        self._takes_more: dict[int, bool] = {}
        self._listing = Listing(binary, {}, Style())
        self._trip = RoundTrip(binary, words)
        pending: list[Loss] = []
        for at in [at for at, bare in enumerate(damage.bare) if bare]:
            self._close(damage.before[at], at, pending)
        self._give_up([*self._trip.by_value(), *pending])
        self._give_up(self._trip.by_codec(self._listing, self._given_up.keys() | self._bare))

    def _give_up(self, losses: Iterable[Loss]) -> None:
        """Write instructions as words, and so those that are read by what they declare, and so on."""
        bare = self._damage.bare
        before = self._damage.before
        pending = list(losses)
        while pending:
            at, reason = pending.pop()
            if at in self._given_up:
                continue
            self._given_up[at] = reason
            if at in self._bare:
                continue
            self._mute(at, pending)
            following = bisect_left(before, at + 1)
            is_damage = following < len(before) and before[following] == at + 1
            if bare[following] if is_damage else at + 1 in self._bare:
                self._close(at + 1, following, pending)

    def _mute(self, at: int, pending: list[Loss]) -> None:
        """Give up what is read by what an instruction declares that has no line any more."""
        name = self._binary.instructions[at].result
        readers = self._trip.relying.get(name) if name is not None else None
        if readers:
            reason = f"as text, this is read by what %{name} declares, which is shown as words"
            pending.extend([(reader, reason) for reader in readers])

    def _close(self, at: int, damage: int, pending: list[Loss]) -> None:
        """Make bare what stands before bare words, after so many instructions and so much damage, and would take them."""
        before, bare = self._damage.before, self._damage.bare
        while True:
            if damage and before[damage - 1] == at:
                damage -= 1
                if bare[damage]:
                    return
                bare[damage] = True
            elif at:
                at -= 1
                if at in self._bare:
                    return
                if at not in self._given_up:
                    if not self._is_open(self._binary.instructions[at].opcode):
                        return
                    self._mute(at, pending)
                self._bare.add(at)
            else:
                return

    def _is_open(self, opcode: Opcode) -> bool:
        """Whether words that follow an instruction could be read as further operands of it."""
        answer = self._takes_more.get(opcode.value)
        if answer is None:
            answer = self._takes_more[opcode.value] = any(
                not decl.required or decl.deciding or decl.parts or decl.kind.name == EXTENDED_INSTRUCTION
                for decl in decls_of(opcode)
            )
        return answer

    def lines(self) -> Iterator[str]:
        """The lines, without their breaks."""
        words, damage = self._words, self._damage
        yield from header_lines(words.header)
        yield from preserved_lines(words.header, {})
        fault = version_fault(words.header)
        if fault is not None:
            yield f"; {fault}"
        data = big_endian(array("I", words.words))
        count = len(self._binary.instructions)
        special = iter([*sorted(self._given_up.keys() | self._bare), count])
        next_special = next(special)
        done = 0
        stretches = zip(
            damage.begins, damage.stops, damage.before, damage.messages, damage.words, damage.bare, strict=True
        )
        for begin, stop, before, message, word, bare in stretches:
            while next_special < before:
                yield from map(self._listing.line, range(done, next_special))
                yield from self._special(next_special, data)
                done = next_special + 1
                next_special = next(special)
            if done < before:
                yield from map(self._listing.line, range(done, before))
                done = before
            if bare:
                yield from _bare_lines(data[4 * begin : 4 * stop], f"word {word}: {message}")
            else:
                yield _MARGIN + unknown_line(words.words[begin:stop], f"word {word}: {message}")
        while done < count:
            yield from map(self._listing.line, range(done, next_special))
            if next_special < count:
                yield from self._special(next_special, data)
            done = next_special + 1
            next_special = next(special, count)
        if words.rest:
            shown = " ".join([f"0x{byte:02x}" for byte in words.rest])
            yield f"; the file ends inside a word, which text cannot express: {shown}"
        yield ""

    def _special(self, at: int, data: bytes) -> Iterator[str]:
        """An instruction that is written as words."""
        begin = self._binary.offsets[at]
        stop = begin + (self._words.words[begin] >> 16)
        # The text of an instruction that only stands among bare words to be closed says best what it is.
        note = f"word {begin}: {self._given_up.get(at) or self._listing.line(at).strip()}"
        if at in self._bare:
            yield from _bare_lines(data[4 * begin : 4 * stop], note)
        else:
            yield _MARGIN + unknown_line(self._words.words[begin:stop], note)


def _bare_lines(data: bytes, note: str) -> Iterator[str]:
    """Literal words, given as big-endian bytes."""
    for start in range(0, len(data), _BYTES_A_LINE):
        shown = data[start : start + _BYTES_A_LINE].hex(" ", 4).replace(" ", " !0x")
        yield f"{_MARGIN}!0x{shown}" if start else f"{_MARGIN}!0x{shown}  ; {one_line(note)}"
