"""The disassembler: a binary module to text."""

from __future__ import annotations

from spvls.binary.decode import Binary, DecodeError, Decoder
from spvls.binary.direct_listing import list_directly
from spvls.binary.friendly_names import friendly_names as names_of
from spvls.binary.gc_pause import paused_gc
from spvls.binary.listing import Listing, Style, header_lines
from spvls.binary.preserved_ids import preserved_lines
from spvls.binary.round_trip import RoundTrip
from spvls.binary.words import Words, read_words
from spvls.grammar.environments import environment


class DisassembleError(ValueError):
    """A binary that is not a module; `word` counts the words of the file from 0, its header included."""

    def __init__(self, message: str, word: int) -> None:
        self.word = word
        super().__init__(message)


def disassemble(
    binary: bytes,
    *,
    target_env: str | None = None,
    friendly_names: bool = True,
    indent: bool = True,
    header: bool = True,
    color: bool = False,
    offsets: bool = False,
    comment: bool = False,
    nested_indent: bool = False,
    reorder_blocks: bool = False,
    handle_unknown_opcodes: bool = False,
    keep_ids: bool = False,
    visible: bool = False,
) -> str:
    """The text of a binary module of either byte order, or of a dump of one in hexadecimal digits.

    `friendly_names` calls ids by what they are, else by their number. `indent` aligns the results. `header` begins with
    what the module's header says. `color` adds colors for a terminal. `comment` titles the sections, and gives the
    numbers and decorations of ids; `offsets` gives where in the file each instruction begins, in bytes. `nested_indent`
    indents blocks by control flow, and `reorder_blocks` orders them by it. `handle_unknown_opcodes` takes instructions
    that the grammar does not have, as words. `keep_ids` adds what the assembler needs to give ids the same numbers again,
    and lists whatever text cannot express as words, so that the text assembles to the words of the module. Without it
    only numbers and strings are listed so, whose words would be lost unnoticed. `visible` writes control characters and the
    like in strings as escapes, for a terminal.
    `target_env` is there for symmetry: a module reads the same in every environment.

    Raises DisassembleError, and ValueError for an environment that does not exist.
    """
    if target_env is not None:
        environment(target_env)
    with paused_gc():
        try:
            words = read_words(binary)
            if not (color or offsets or comment or nested_indent or reorder_blocks or handle_unknown_opcodes or keep_ids):
                direct = list_directly(words, friendly_names=friendly_names, indent=indent, visible=visible)
                if direct is not None:
                    return "\n".join([*(header_lines(words.header) if header else ()), *direct, ""])
            decoder = Decoder(words, handle_unknown_opcodes)
            decoder.run()
        except DecodeError as error:
            raise DisassembleError(str(error), error.word) from None
        module = decoder.binary
        names = names_of(module.instructions) if friendly_names else {}
        lines = header_lines(module.header) if header else []
        if keep_ids:
            lines += preserved_lines(module.header, names)
        style = Style(indent, color, offsets, comment, nested_indent, reorder_blocks, visible)
        listing = Listing(module, names, style)
        listing.give_words(words.words, _losses(module, words, keep_ids))
        lines.extend(listing.lines())
        lines.append("")
        return "\n".join(lines)


def _losses(module: Binary, words: Words, keep_ids: bool) -> dict[int, str]:
    """The instructions to be written as words, by position, each with the reason."""
    trip = RoundTrip(module, words)
    if not keep_ids:
        return trip.with_readers(trip.in_literals())
    lost = trip.with_readers(trip.by_value())
    return trip.with_readers([*lost.items(), *trip.by_codec(Listing(module, {}, Style()), lost.keys())])
