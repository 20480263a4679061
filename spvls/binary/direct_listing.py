"""Words to text without instructions between them: the way of the disassembler where the text shows nothing but the module.

An instruction whose layout is known, whose operands are one word each and which no other one depends on is checked where it
stands, and written from its words; any other is decoded first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spvls.binary.decode import Decoder
from spvls.binary.friendly_names import SAYING, Naming
from spvls.binary.listing import Listing, Style
from spvls.binary.operand_codecs import FLOAT, ID_CODEC, INTEGER, NAME, InstructionCodec
from spvls.binary.round_trip import READ_BY_OTHERS, RoundTrip
from spvls.binary.words import Words
from spvls.grammar import spv
from spvls.syntax.instruction import Instruction, Operand

_DECODED = SAYING | READ_BY_OTHERS
"""Opcodes of instructions that say something of ids, or are read by what others say."""


class _Skimmer(Decoder):
    """Decodes the instructions that have to be; `entries` has these, and for any other one its codec, and `starts` the word where
    each of them begins."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.entries: list[Instruction | InstructionCodec] = []
        self.starts: list[int] = []
        self._plain: dict[InstructionCodec, bool] = {}
        self._has_late_name = False

    def skim(self) -> None:
        """Go to the end of the file. Raises DecodeError at a faulty instruction."""
        words, end = self.words, len(self.words)
        layouts, plain, types = self._layouts, self._plain, self._types
        decoded = self.binary.instructions
        at = self.at
        while at < end:
            self.starts.append(at)
            layout = layouts.get(words[at])
            codec: InstructionCodec | None = None
            if layout is not None and not layout.declares and layout.opcode.value not in _DECODED:
                stop, head = at + layout.count, layout.head
                key = 0
                if layout.pivot and stop <= end:
                    key = words[at + layout.pivot]
                    if layout.second_pivot:
                        key = key << 32 | words[at + layout.second_pivot]
                known = layout.known.get(key) if stop <= end else None
                if known is not None and (plain[known.codec] if known.codec in plain else self._learn_plain(known.codec)):
                    operands = words[at + 1 + head : stop]
                    if 0 not in operands if known.readers is None else _accept(known.readers, operands):
                        result = words[at + head]
                        if not head:
                            codec = known.codec
                        elif result and words[at + 1] and result not in types:
                            codec = known.codec
                            types[result] = words[at + 1] if head == 2 else 0
            if codec is not None:
                self.entries.append(codec)
                at = stop
            else:
                self.at = at
                self.run(at + 1)
                self.entries.append(decoded[-1])
                self._has_late_name |= self._names_defined_id(decoded[-1])
                at = self.at

    def _names_defined_id(self, record: Instruction) -> bool:
        """Whether an instruction names an id after its definition, by which the id had its number for a name."""
        if record.raw or record.opcode.value not in (spv.OpName, spv.OpDecorate):
            return False
        return int(str(record.operands[0])) in self._types

    def _learn_plain(self, codec: InstructionCodec) -> bool:
        simple = (ID_CODEC, INTEGER, FLOAT)
        answer = all((codec_ in simple or codec_.role == NAME) and codec_.exact is None for codec_ in codec.operands or ())
        self._plain[codec] = answer
        return answer

    def names(self) -> dict[str, str] | None:
        """The names of ids other than their numbers; None where there are too many long ones, or the number of another id among
        them, which then has to be called otherwise, or where an id is named after its definition."""
        if self._has_late_name:
            return None
        naming = Naming()
        for record in self.binary.instructions:
            naming.follow(record)
        names = naming.names
        if naming.long() or any(name.isdigit() and name != number for number, name in names.items()):
            return None
        return names

    def lines(self, listing: Listing, names: dict[str, str]) -> Iterator[str]:
        """The lines of all instructions, those that were decoded as the listing has them."""
        words, layouts = self.words, self._layouts
        width, margin = listing.width, listing.margin
        shown = _Shown({number: f"%{number}" for number in range(min(self.binary.header.bound, len(words)))})
        shown.update({int(number): "%" + name for number, name in names.items()})
        writers: dict[InstructionCodec, list[Callable[[int], str]]] = {}
        decoded = 0
        for entry, at in zip(self.entries, self.starts, strict=True):
            if isinstance(entry, Instruction):
                yield listing.line(decoded)
                decoded += 1
                continue
            layout = layouts[words[at]]
            head, count = layout.head, layout.count
            if not head:
                line = f"{margin}{layout.opcode.name}"
            elif head == 1:
                line = f"{shown[words[at + 1]].rjust(width)} = {layout.opcode.name}"
            else:
                line = f"{shown[words[at + 2]].rjust(width)} = {layout.opcode.name} {shown[words[at + 1]]}"
            operands = words[at + 1 + head : at + count]
            if not operands:
                yield line
            elif entry.operands is None:
                yield f"{line} {' '.join([shown[word] for word in operands])}"
            else:
                if entry not in writers:
                    writers[entry] = [shown.__getitem__ if codec is ID_CODEC else codec.write for codec in entry.operands]
                yield f"{line} {' '.join([write(word) for write, word in zip(writers[entry], operands, strict=True)])}"


def _accept(readers: Sequence[Callable[[int], Operand]], operands: list[int]) -> bool:
    """Whether operands are what the readers of a layout take."""
    try:
        for read, word in zip(readers, operands):  # noqa: B905
            read(word)
    except KeyError:
        return False
    return True


class _Shown(dict[int, str]):
    """Ids as operands show them, by their words."""

    def __missing__(self, word: int) -> str:
        shown = self[word] = f"%{word}"
        return shown


def list_directly(words: Words, *, friendly_names: bool, indent: bool, visible: bool) -> list[str] | None:
    """The lines of a module; None where more has to be known to write them. Raises DecodeError."""
    skimmer = _Skimmer(words)
    skimmer.skim()
    binary = skimmer.binary
    names = skimmer.names() if friendly_names else {}
    if names is None or any(True for _ in RoundTrip(binary, words).in_literals()):
        return None
    return list(skimmer.lines(Listing(binary, names, Style(indent=indent, visible=visible)), names))
