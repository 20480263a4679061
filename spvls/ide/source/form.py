"""The form of an instruction as it is written: its operands in order, and in which of them each word stands."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar.operand_walk import OperandDecl
from spvls.grammar.records import Entity, ExtendedInstruction, ExtendedSet, Opcode
from spvls.ide.documentation.docs_markdown import key_of, phrase_of
from spvls.ide.source.operand_decls import Imports, word_decls
from spvls.record import NamedTuple


class Form(NamedTuple):
    """`decls` are the operands, one that repeats once; `places` has the index into them of each word after the opcode, and
    last that of the next word, None for words that no operand takes."""

    opcode: Opcode
    decls: tuple[OperandDecl, ...]
    places: tuple[int | None, ...]

    @property
    def subject(self) -> tuple[Entity, ExtendedSet | None]:
        """What the instruction does its work by: an extended instruction where one is named, else the opcode."""
        for decl in self.decls:
            if isinstance(decl.owner, ExtendedInstruction):
                return decl.owner, decl.set
        return self.opcode, None

    def phrase(self, at: int) -> str:
        """What is to be said of the operand with that index."""
        decl = self.decls[at]
        before = sum(one.declared is decl.declared and one.owner is decl.owner for one in self.decls[:at])
        return phrase_of(decl.declared, key_of(decl.owner, decl.set), before)


def form_of(opcode: Opcode, words: Sequence[str], imports: Imports) -> Form:
    """The form of an instruction of which `words` follow the opcode so far."""
    found = word_decls(opcode, words, imports)
    decls: list[OperandDecl] = []
    places: list[int | None] = []
    for decl in found.words:
        if decl is not None:
            _add(decls, decl)
        places.append(len(decls) - 1 if decl is not None else None)
    following: int | None = None
    for decl in found.rest:
        _add(decls, decl)
        if following is None:
            following = len(decls) - 1
    return Form(opcode, tuple(decls), (*places, following))


def _add(decls: list[OperandDecl], decl: OperandDecl) -> None:
    if not decls or decls[-1].declared is not decl.declared or decl.declared.quantifier != "*":
        decls.append(decl)
