"""What each word of an instruction stands for, and what may still come: the declared operands along the words.

Words, not operands, are walked, so that half-written instructions have slots as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from spvls.grammar import tables
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode, OperandKind
from spvls.grammar.records import Operand as Declared
from spvls.ide.word import id_of
from spvls.syntax.shape import parts_of


class Imports(Protocol):
    """What a module says of the sets that it imports."""

    def import_name(self, name: str) -> str | None:
        """The name of the set that an id imports."""


class Slot(NamedTuple):
    """A declared operand. `owner` is what takes it: the opcode, an enumerant or an extended instruction.

    `set` is the extended set that an instruction's name, or an operand of that instruction, belongs to.
    """

    declared: Declared
    kind: OperandKind
    owner: Entity
    set: ExtendedSet | None = None

    @property
    def label(self) -> str:
        """The purpose of the operand, or else its kind."""
        return self.declared.name or self.declared.kind

    @property
    def is_mask(self) -> bool:
        return self.kind.category == "mask"


class Layout(NamedTuple):
    """The slots of the words after an opcode (None for words that no declaration speaks of), and those still to come."""

    slots: list[Slot | None]
    rest: list[Slot]

    @property
    def following(self) -> Slot | None:
        """What the next word would be."""
        return self.rest[0] if self.rest else None


_UNKNOWN_OPERAND = Declared("IdRef", "Operand", "*")


def layout(opcode: Opcode, words: Sequence[str], imports: Imports) -> Layout:
    """The slots of `words`, which follow an opcode in the text."""
    walk = _Walk(opcode, imports)
    slots: list[Slot | None] = []
    for word in words:
        if word.startswith("!"):
            return Layout(slots + [None] * (len(words) - len(slots)), [])
        slot = walk.next()
        slots.append(slot)
        if slot is not None:
            walk.read(slot, word)
    return Layout(slots, list(walk.remaining()))


class _Walk:
    def __init__(self, opcode: Opcode, imports: Imports) -> None:
        self.imports = imports
        self.set: ExtendedSet | None = None
        self.pending: list[tuple[Declared, Entity]] = []
        self._push([operand for operand in opcode.operands if operand.kind != "IdResult"], opcode)

    def _push(self, operands: Sequence[Declared], owner: Entity) -> None:
        self.pending.extend((operand, owner) for operand in reversed(operands))

    def _kind(self, name: str) -> OperandKind:
        own = self.set.kinds.get(name) if self.set is not None else None
        return own or tables.kind(name)

    def next(self) -> Slot | None:
        """The slot of the next word."""
        while self.pending:
            declared, owner = self.pending.pop()
            if declared.quantifier == "*":
                self.pending.append((declared, owner))
            kind = self._kind(declared.kind)
            if not kind.bases:
                return Slot(declared, kind, owner, self.set)
            self._push(parts_of(declared), owner)
        return None

    def read(self, slot: Slot, word: str) -> None:
        """Take note of what stands in a slot."""
        kind = slot.kind
        match kind.category:
            case "mask":
                found = {e.value: e for name in word.split("|") if (e := kind.get(name)) is not None}
                for bit in sorted(found, reverse=True):
                    self._push(found[bit].parameters, found[bit])
            case "value":
                enumerant = kind.get(word)
                if enumerant is not None:
                    self._push(enumerant.parameters, enumerant)
            case "id" if slot.declared.name == "Set" and self.set is None:
                name = id_of(word)
                import_name = self.imports.import_name(name) if name is not None else None
                self.set = tables.extended_set(import_name) if import_name is not None else None
            case "literal" if kind.name == "LiteralExtInstInteger":
                instruction = self.set.get(word) if self.set is not None else None
                self.pending.clear()
                self._push((_UNKNOWN_OPERAND,) if instruction is None else instruction.operands, instruction or slot.owner)
            case "literal" if kind.name == "LiteralSpecConstantOpInteger":
                inner = tables.opcode("Op" + word)
                if inner is not None:
                    self._push(inner.arguments, inner)

    def remaining(self) -> Iterator[Slot]:
        """The slots still to come; one that repeats, once."""
        while self.pending:
            declared, owner = self.pending.pop()
            kind = self._kind(declared.kind)
            if kind.bases:
                self._push([Declared(base, declared.name, declared.quantifier) for base in kind.bases], owner)
                continue
            yield Slot(declared, kind, owner, self.set)


def entity_at(slot: Slot, word: str) -> Enumerant | Opcode | ExtendedInstruction | None:
    """What of the grammar a word names in its slot."""
    if slot.kind.category in ("value", "mask"):
        return slot.kind.get(word)
    if slot.kind.name == "LiteralExtInstInteger":
        return slot.set.get(word) if slot.set is not None else None
    if slot.kind.name == "LiteralSpecConstantOpInteger":
        return tables.opcode("Op" + word)
    return None
