"""What each word of an instruction stands for, and what may still come: the declared operands along the words.

Words, not operands, are read, so that half-written instructions have declarations as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar import tables
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl, OperandWalk, text_decls
from spvls.grammar.records import Enumerant, ExtendedInstruction, Opcode
from spvls.ide.source.word import id_of
from spvls.record import NamedTuple
from spvls.typed import Protocol


class Imports(Protocol):
    """What a module says of the sets that it imports."""

    def import_name(self, name: str) -> str | None:
        """The name of the set that an id imports."""


class WordDecls(NamedTuple):
    """The declarations of the words after an opcode (None for words that no operand takes), and those still to come."""

    words: list[OperandDecl | None]
    rest: list[OperandDecl]

    @property
    def following(self) -> OperandDecl | None:
        """What the next word would be."""
        return self.rest[0] if self.rest else None


def word_decls(opcode: Opcode, words: Sequence[str], imports: Imports) -> WordDecls:
    """The declarations of `words`, which follow an opcode in the text."""
    walk = OperandWalk(text_decls(opcode))
    found: list[OperandDecl | None] = []
    for word in words:
        if word.startswith("!"):
            return WordDecls(found + [None] * (len(words) - len(found)), [])
        decl = walk.next()
        if decl is not None:
            decl = _read(walk, decl, word, imports)
        found.append(decl)
    return WordDecls(found, [decl.of_set(walk.set) if _names_instruction(decl) else decl for decl in walk.rest()])


def _names_instruction(decl: OperandDecl) -> bool:
    return decl.kind.name == EXTENDED_INSTRUCTION


def _read(walk: OperandWalk, decl: OperandDecl, word: str, imports: Imports) -> OperandDecl:
    """Pass what a word says to the walk; the declaration, with the set where the word names an instruction of it."""
    kind = decl.kind
    if decl.has_enumerants:
        known = [enumerant for name in word.split("|") if (enumerant := kind.get(name)) is not None]
        if known:
            value = 0
            for enumerant in known if decl.is_mask else known[:1]:
                value |= enumerant.value
            walk.read(decl, value)
    elif kind.category == "id":
        if walk.awaits_instruction:
            name = id_of(word)
            import_name = imports.import_name(name) if name is not None else None
            walk.set = tables.extended_set(import_name) if import_name is not None else None
    elif kind.name == INNER_OPCODE:
        inner = tables.opcode("Op" + word)
        if inner is not None:
            walk.read(decl, inner.value)
    elif _names_instruction(decl):
        set_ = walk.set
        instruction = set_.get(word) if set_ is not None else None
        if set_ is not None and instruction is not None:
            walk.extended(set_, instruction)
        return decl.of_set(set_)
    return decl


def entity_at(decl: OperandDecl, word: str) -> Enumerant | Opcode | ExtendedInstruction | None:
    """What of the grammar a word names that stands for an operand."""
    if decl.has_enumerants:
        return decl.kind.get(word)
    if _names_instruction(decl):
        return decl.set.get(word) if decl.set is not None else None
    if decl.kind.name == INNER_OPCODE:
        return tables.opcode("Op" + word)
    return None
