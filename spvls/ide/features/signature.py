"""Signature help: the operands of the instruction that is being typed, the active one marked."""

from __future__ import annotations

from typing import NamedTuple

from spvls.diagnostic import Position
from spvls.ide.documentation.docs_markdown import docs_markdown, head, placeholder
from spvls.ide.features.completion_context import completion_context_at
from spvls.ide.source.form import form_of, phrase
from spvls.ide.source.source_module import SourceModule
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


def signature_help(source: SourceModule, position: Position) -> Signature | None:
    """The signature of the instruction at a position."""
    context = completion_context_at(source, position)
    if context is None or context.opcode is None:
        return None
    form = form_of(context.opcode, context.operand_words, source.module)
    label = head(context.opcode)
    parameters: list[Parameter] = []
    for decl in form.decls:
        start = len(label) + 1
        label = f"{label} {placeholder(decl.declared)}"
        said = phrase(decl)
        parameters.append(Parameter(start, len(label), f"{code_span(decl.declared.kind)}{': ' + said if said else ''}"))
    active = form.places[-1]
    entity, known = form.subject
    marked = form.decls[active].declared if active is not None else None
    text = docs_markdown(entity, source.module, known, active=marked, with_signature=False)
    return Signature(label, text, tuple(parameters), active)
