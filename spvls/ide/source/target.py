"""What a position of the text is about: an id, a name of the grammar, a literal, a comment."""

from __future__ import annotations

from spvls.diagnostic import Position, Range
from spvls.grammar import tables
from spvls.grammar.operand_walk import OperandDecl
from spvls.grammar.records import Entity
from spvls.ide.source.operand_decls import entity_at, word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import Word, id_of, opcode_index, word_at
from spvls.record import NamedTuple
from spvls.syntax.instruction import UNKNOWN, Span
from spvls.syntax.report import range_in


class Target(NamedTuple):
    """A word, or the part of a mask, and what it stands for.

    At most one of `id` and `entity` is there; `decl` is None for the opcode, the result and words out of place.
    """

    word: Word
    text: str
    range: Range
    decl: OperandDecl | None = None
    id: str | None = None
    entity: Entity | None = None


def target_at(source: SourceModule, position: Position) -> Target | None:
    """What stands at a position."""
    word = word_at(source, position)
    return target_of(source, word, position) if word is not None else None


def target_of(source: SourceModule, word: Word, position: Position) -> Target:
    """What a word stands for; of a mask, the part at `position`."""
    text = word.text
    opcode_at = opcode_index(word.words)
    if opcode_at is None or word.at < opcode_at:
        return Target(word, text, word.range, id=id_of(text))
    if word.at == opcode_at:
        return Target(word, text, word.range, entity=tables.opcode(text))
    decl = decl_of(source, word)
    if decl is None:
        return Target(word, text, word.range, id=id_of(text))
    if decl.is_mask and "|" in text:
        return _part(word, decl, position)
    return Target(word, text, word.range, decl, id_of(text), entity_at(decl, text))


def decl_of(source: SourceModule, word: Word) -> OperandDecl | None:
    """The declaration of a word after the opcode."""
    opcode_at = opcode_index(word.words)
    opcode = tables.opcode(word.words[opcode_at]) if opcode_at is not None else None
    if opcode is None or opcode is UNKNOWN or opcode_at is None:
        return None
    before = word.words[opcode_at + 1 : word.at + 1]
    decls = word_decls(opcode, before, source.module).words
    return decls[-1] if decls else None


def _part(word: Word, decl: OperandDecl, position: Position) -> Target:
    """The enumerant of a mask at a position."""
    start = word.span.start
    for name in word.text.split("|"):
        end = start + len(name)
        where = range_in(word.record, word.line, *Span(start, end))
        if position <= where.end or end == word.span.end:
            return Target(word, name, where, decl, None, entity_at(decl, name))
        start = end + 1
    raise AssertionError("a mask has a part at each position")
