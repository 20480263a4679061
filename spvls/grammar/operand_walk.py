"""The walk over the operands of one instruction, in the order of its words (SPIR-V 2.3, 3.2, 3.3).

Which operand comes next depends on the grammar and on what was read so far: enumerants and the bits of masks have
parameters, OpSpecConstantOp has the operands of the opcode that it names, OpExtInst those of the instruction of the imported
set. Whoever reads an instruction asks `next` for the declaration of the next operand, reads it in its own way, and
passes its value back with `read` or `extended`. The walk knows neither text nor words, so all readers share it.

A literal of the kind `LiteralContextDependentNumber` has the result type of its instruction, or, where that has none, the type
of the first operand (SPIR-V 3.3.7 and 3.3.17): how many words it takes depends on another instruction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from spvls.grammar import spv, tables
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode, Operand, OperandKind

EXTENDED_INSTRUCTION = "LiteralExtInstInteger"
"""The kind of an operand that names an instruction of the set before it."""

INNER_OPCODE = "LiteralSpecConstantOpInteger"
"""The kind of an operand that names an opcode, whose operands follow."""

CONTEXT_DEPENDENT_NUMBER = "LiteralContextDependentNumber"
"""The kind of a literal whose width and encoding another instruction declares."""

_LATER_OPERANDS = Operand("IdRef", "", "*")

#: Parts of composites that the machine-readable grammar gives too wide a kind: a switch's literals have its selector's type.
_PARTS = {"PairLiteralIntegerIdRef": (CONTEXT_DEPENDENT_NUMBER, "IdRef")}


class OperandDecl:
    """An operand as the grammar declares it, with its kind, and the entity that takes it.

    `owner` is an opcode, an enumerant or an extended instruction; `set` is the extended set that an instruction's name, or an
    operand of that instruction, belongs to. A composite has `parts`. There can be any number of an operand that `repeats`. An
    instruction that ends before a `required` operand is incomplete. The value of a `deciding` operand may ask for more
    operands, which `OperandWalk.read` wants to know.
    """

    __slots__ = ("deciding", "declared", "is_mask", "kind", "owner", "parts", "repeats", "required", "set")

    def __init__(
        self,
        declared: Operand,
        kind: OperandKind,
        owner: Entity,
        set_: ExtendedSet | None,
        required: bool,
        parts: tuple[OperandDecl, ...] = (),
    ) -> None:
        self.declared = declared
        self.kind = kind
        self.owner = owner
        self.set = set_
        self.required = required
        self.parts = parts
        category = kind.category
        self.repeats = declared.quantifier == "*"
        self.is_mask = category == "mask"
        self.deciding = category == "mask" or category == "value" or kind.name == INNER_OPCODE

    def __repr__(self) -> str:
        return f"<OperandDecl {self.declared.kind}{self.declared.quantifier} {self.label!r} of {self.owner.name}>"

    @property
    def label(self) -> str:
        """The purpose of the operand, or else its kind."""
        return self.declared.name or self.declared.kind

    @property
    def has_enumerants(self) -> bool:
        return self.kind.category in ("value", "mask")

    def of_set(self, set_: ExtendedSet | None) -> OperandDecl:
        """The same declaration, of an instruction of that set."""
        return OperandDecl(self.declared, self.kind, self.owner, set_, self.required, self.parts)


_decls: dict[Entity, tuple[OperandDecl, ...]] = {}
_text_decls: dict[Opcode, tuple[OperandDecl, ...]] = {}
_argument_decls: dict[Opcode, tuple[OperandDecl, ...]] = {}


def decls_of(owner: Entity, set_: ExtendedSet | None = None) -> tuple[OperandDecl, ...]:
    """What an entity takes: an opcode all its operands, an enumerant its parameters, an extended instruction of `set_` those
    that follow its number."""
    found = _decls.get(owner)
    if found is None:
        found = _decls[owner] = tuple([_decl(operand, owner, set_) for operand in _operands(owner)])
        if isinstance(owner, ExtendedInstruction) and set_ is not None and set_.non_semantic:
            # A later revision of a non-semantic set may have given more operands to an instruction (SPIR-V 2.13).
            found = _decls[owner] = (*found, _decl(_LATER_OPERANDS, owner, set_))
    return found


def text_decls(opcode: Opcode) -> tuple[OperandDecl, ...]:
    """The operands that follow an opcode in the text: all but the result."""
    found = _text_decls.get(opcode)
    if found is None:
        found = tuple([decl for decl in decls_of(opcode) if decl.declared.kind != "IdResult"])
        _text_decls[opcode] = found
    return found


def argument_decls(opcode: Opcode) -> tuple[OperandDecl, ...]:
    """The operands of an opcode without the result type and the result."""
    found = _argument_decls.get(opcode)
    if found is None:
        found = _argument_decls[opcode] = decls_of(opcode)[opcode.has_type + opcode.has_result :]
    return found


def _operands(owner: Entity) -> tuple[Operand, ...]:
    if isinstance(owner, Enumerant):
        return owner.parameters
    return owner.operands if isinstance(owner, (Opcode, ExtendedInstruction)) else ()


def _kind(name: str, set_: ExtendedSet | None) -> OperandKind:
    if set_ is not None and name in set_.kinds:
        return set_.kinds[name]
    return tables.kind(name)


def _decl(operand: Operand, owner: Entity, set_: ExtendedSet | None) -> OperandDecl:
    kind = _kind(operand.kind, set_)
    required = not operand.quantifier
    if not kind.bases:
        return OperandDecl(operand, kind, owner, set_, required)
    bases = _PARTS.get(operand.kind, kind.bases)
    # A list of pairs of ids may end in the middle of a pair: it assembles, and a validator reports it.
    whole = required or not all(base.startswith("Id") for base in bases)
    parts = [OperandDecl(Operand(base, operand.name, ""), _kind(base, set_), owner, set_, whole) for base in bases]
    return OperandDecl(operand, kind, owner, set_, required, tuple(parts))


_ONE_WORD = frozenset({"LiteralInteger", "LiteralFloat"})


def is_word(decl: OperandDecl) -> bool:
    """Whether an operand is one word, whatever the module declares, and so are the parameters that it may ask for."""
    kind = decl.kind
    if kind.category == "literal":
        return kind.name in _ONE_WORD
    literals = [name for name in kind.parameter_kinds if name.startswith("Literal")]
    return _ONE_WORD.issuperset(literals) and all(map(is_word, decl.parts))


class OperandWalk:
    """A walk along the operands that `decls` declare, and those that their values ask for.

    `set` is the extended set whose instruction is being read.
    """

    __slots__ = ("_pending", "set")

    def __init__(self, decls: Sequence[OperandDecl]) -> None:
        self._pending = list(decls[::-1])
        self.set: ExtendedSet | None = None

    def next(self) -> OperandDecl | None:
        """The declaration of the next operand, never a composite; None where the instruction takes no more."""
        pending = self._pending
        while pending:
            decl = pending[-1]
            if not decl.repeats:
                pending.pop()
            if not decl.parts:
                return decl
            pending.extend(reversed(decl.parts))
        return None

    def read(self, decl: OperandDecl, value: int) -> bool:
        """Take note of the word that an operand has; whether it asks for operands of its own, which come next.

        Parameters of a mask follow in the order of its bits, the lowest first (SPIR-V 2.3). Values without a meaning ask for
        nothing.
        """
        kind = decl.kind
        if kind.category in ("value", "mask"):
            asks = False
            for enumerant in reversed(enumerants(kind, value)):
                if enumerant.parameters:
                    own = self.set if self.set is not None and enumerant.kind in self.set.kinds else None
                    self._pending.extend(reversed(decls_of(enumerant, own)))
                    asks = True
            return asks
        if kind.name == INNER_OPCODE:
            inner = tables.opcode_by_value(value)
            if inner is not None:
                self._pending.extend(reversed(argument_decls(inner)))
            return True
        return False

    @property
    def awaits_instruction(self) -> bool:
        """Whether the next operand names an instruction of the set that the operand before it imports."""
        return bool(self._pending) and self._pending[-1].declared.kind == EXTENDED_INSTRUCTION

    def extended(self, set_: ExtendedSet, instruction: ExtendedInstruction) -> None:
        """Go on with the operands of an extended instruction, in the place of those that any of them may have. With references
        forward, more ids may follow, as for the reference."""
        self.set = set_
        more = [decl for decl in self._pending if decl.owner.value == spv.OpExtInstWithForwardRefsKHR]
        self._pending = [*more, *reversed(decls_of(instruction, set_))]

    def missing(self) -> OperandDecl | None:
        """The operand that the instruction lacks if it ends here; None where it may."""
        for decl in reversed(self._pending):
            if decl.required:
                return decl.parts[0] if decl.parts else decl
        return None

    def rest(self) -> Iterator[OperandDecl]:
        """The declarations of the operands that are still to come; one that repeats, once; a composite as its parts, with its
        quantifier."""
        for decl in reversed(self._pending):
            if decl.declared is _LATER_OPERANDS:
                continue
            if not decl.parts:
                yield decl
            for part in decl.parts:
                declared = Operand(part.declared.kind, part.declared.name, decl.declared.quantifier)
                yield OperandDecl(declared, part.kind, part.owner, part.set, decl.required)


@lru_cache(maxsize=4096)
def enumerants(kind: OperandKind, value: int) -> tuple[Enumerant, ...]:
    """The enumerants that a value of a kind names: one, or one for each bit of a mask, in ascending order."""
    if kind.category == "value":
        found = kind.by_value(value)
        return (found,) if found is not None else ()
    if kind.category != "mask":
        return ()
    return tuple([enumerant for bit in bits_of(value) or (0,) if (enumerant := kind.by_value(bit)) is not None])


def bits_of(mask: int) -> tuple[int, ...]:
    """The bits of a mask, lowest first."""
    return tuple([1 << at for at in range(mask.bit_length()) if mask >> at & 1])


def _forget() -> None:
    _decls.clear()
    _text_decls.clear()
    _argument_decls.clear()
    enumerants.cache_clear()


tables.on_replace(_forget)
