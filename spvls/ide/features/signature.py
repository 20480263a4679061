"""Signature help: the operands of the instruction that is being typed, the active one marked."""

from __future__ import annotations

from spvls.diagnostic import Position
from spvls.grammar import docs
from spvls.ide.documentation.docs_markdown import head, key_of, placeholder
from spvls.ide.features.completion_context import completion_context_at
from spvls.ide.source.form import form_of
from spvls.ide.source.source_module import SourceModule
from spvls.record import NamedTuple


class Parameter(NamedTuple):
    """A stretch of the signature's label, and what is to be said of it."""

    start: int
    end: int
    documentation: str


class Signature(NamedTuple):
    """Three lines: the form, what the parameter at the cursor is, what the instruction does. `active` is the index of the
    parameter; None past the last one."""

    label: str
    documentation: str
    parameters: tuple[Parameter, ...]
    active: int | None


def signature_help(source: SourceModule, position: Position) -> Signature | None:
    """The signature of the instruction at a position."""
    context = completion_context_at(source, position)
    if context is None or context.opcode is None:
        return None
    form = form_of(context.opcode, context.operand_words, source.module)
    label = head(context.opcode)
    parameters: list[Parameter] = []
    for at, decl in enumerate(form.decls):
        start = len(label) + 1
        label = f"{label} {placeholder(decl.declared)}"
        parameters.append(Parameter(start, len(label), form.phrase(at)))
    entry = docs.lookup(key_of(*form.subject))
    return Signature(label, entry.summary if entry is not None else "", tuple(parameters), form.places[-1])
