"""Signature help: the operands of the instruction that is being typed, the active one marked."""

from __future__ import annotations

from typing import NamedTuple

from spvls.diagnostic import Position
from spvls.ide.assembly import Assembly
from spvls.ide.card import card, head, placeholder
from spvls.ide.caret import caret_at
from spvls.ide.form import form_of, phrase
from spvls.text.escaping import code_span


class Parameter(NamedTuple):
    """A stretch of the signature's label, and what is to be said of it."""

    start: int
    end: int
    documentation: str


class Signature(NamedTuple):
    """`active` is the index of the parameter at the cursor; None past the last one."""

    label: str
    documentation: str
    parameters: tuple[Parameter, ...]
    active: int | None


def signature_help(assembly: Assembly, position: Position) -> Signature | None:
    """The signature of the instruction at a position."""
    caret = caret_at(assembly, position)
    if caret is None or caret.opcode is None:
        return None
    form = form_of(caret.opcode, caret.operand_words, assembly.module)
    label = head(caret.opcode)
    parameters: list[Parameter] = []
    for decl in form.decls:
        start = len(label) + 1
        label = f"{label} {placeholder(decl.declared)}"
        said = phrase(decl)
        parameters.append(Parameter(start, len(label), f"{code_span(decl.declared.kind)}{': ' + said if said else ''}"))
    active = form.places[-1]
    entity, known = form.subject
    marked = form.decls[active].declared if active is not None else None
    text = card(entity, assembly.module, known, active=marked, with_signature=False)
    return Signature(label, text, tuple(parameters), active)
