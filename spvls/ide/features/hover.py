"""Hover: what stands under the cursor."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Position, Range
from spvls.grammar import docs, spv, tables
from spvls.grammar.records import Enumerant
from spvls.ide.documentation import links
from spvls.ide.documentation.docs_markdown import docs_markdown, operand_name
from spvls.ide.documentation.extension_markdown import extension_markdown, set_markdown
from spvls.ide.documentation.id_markdown import Encoded, id_markdown
from spvls.ide.documentation.literal_markdown import literal_markdown
from spvls.ide.source.form import form_of
from spvls.ide.source.source_lines import source_line_of
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.target import Target, target_at
from spvls.ide.source.word import opcode_index
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.fast_path import string_value
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.text.escaping import code_block, code_link, code_span, strong

Encoding = Callable[[], Encoded | None]
"""Gives the words of the text as it is now, if they are to be had."""


class Hover(NamedTuple):
    """Markdown, and the range of the text that it is about."""

    markdown: str
    range: Range


def hover(source: SourceModule, position: Position, encoded: Encoding | None = None) -> Hover | None:
    """What is to be said of a position; None where there is nothing.

    With `encoded`, which is asked only where it matters, the numbers and words of the binary are shown, and kinds of operands.
    """
    target = target_at(source, position)
    if target is None:
        return _header_hover(source, position)
    markdown = _markdown(source, target, encoded)
    return Hover(markdown, target.range) if markdown is not None else None


def _markdown(source: SourceModule, target: Target, encoded: Encoding | None) -> str | None:
    parts: list[str | None]
    with_kinds = encoded is not None
    if target.entity is not None:
        known = target.decl.set if target.decl is not None else None
        about = docs_markdown(target.entity, source.module, known, with_kinds=with_kinds)
        parts = [_operand(source, target, with_kinds) if isinstance(target.entity, Enumerant) else None, about]
        if target.decl is None:
            parts.append(_compiled_from(source, target.word.record))
    elif target.id is not None:
        words = encoded() if encoded is not None else None
        parts = [_operand(source, target, with_kinds), _meaning(source.module, target), id_markdown(source, target.id, words)]
        definition = source.module.ids.definition(target.id)
        parts.append(_compiled_from(source, definition) if definition is not None else None)
    else:
        parts = [_operand(source, target, with_kinds), _named_by_string(target), literal_markdown(source, target)]
    return "\n\n".join(filter(None, parts)) or None


def _compiled_from(source: SourceModule, record: Instruction) -> str | None:
    """The line of the source that an instruction comes from."""
    line = source_line_of(source, record)
    if line is None:
        return None
    place = f"Compiled from {code_span(line.place)}"
    return place if line.text is None else f"{place}:\n\n{code_block(line.text.strip(), '')}"


def _operand(source: SourceModule, target: Target, with_kind: bool) -> str | None:
    """Which operand of the instruction is at the cursor; None for words that are not operands."""
    words = target.word.words
    at = opcode_index(words)
    opcode = tables.opcode(words[at]) if at is not None else None
    if target.decl is None or opcode is None or at is None:
        return None
    form = form_of(opcode, words[at + 1 :], source.module)
    active = form.places[target.word.at - at - 1]
    if active is None:
        return None
    decl = form.decls[active]
    said, kind = form.phrase(active), f", {code_span(decl.declared.kind)}" if with_kind else ""
    name = f"{strong(operand_name(decl.declared))} of {code_link(opcode.name, links.of_entity(opcode))}{kind}"
    return f"{name}: {said}" if said else name


def _meaning(module: Module, target: Target) -> str | None:
    """What the constant of a scope or of memory semantics says."""
    kind = {"IdScope": "Scope", "IdMemorySemantics": "MemorySemantics"}.get(target.decl.kind.name if target.decl else "")
    value = module.integer(target.id) if kind is not None else None
    if kind is None or value is None:
        return None
    names = [enumerant.name for enumerant in enumerants(kind, value)]
    return f"{kind} {code_span('|'.join(names))}" if names else None


def _named_by_string(target: Target) -> str | None:
    """What the string of an extension or of an import names."""
    opcode = target.word.record.opcode.value
    if opcode not in (spv.OpExtension, spv.OpExtInstImport) or not target.text.startswith('"'):
        return None
    try:
        name = string_value(target.text).decode("utf-8", "replace")
    except ValueError:
        return None
    if opcode == spv.OpExtension:
        return extension_markdown(name) if name in tables.extension_names() else f"{code_span(name)} is not a registered extension"
    known = tables.extended_set(name)
    if known is None:
        return f"Extended instruction set {code_span(name)}, which is not known here"
    return set_markdown(known, name)


_FIELDS = {"Magic": "Magic", "Version": "Version", "Generator": "Generator", "Bound": "Bound", "Schema": "Schema"}


def _header_hover(source: SourceModule, position: Position) -> Hover | None:
    """What a line of the header comment is about."""
    position = source.clamp(position)
    line = source.document.lines[position.line].rstrip("\r\n")
    field = line.lstrip("; \t").partition(":")[0].strip()
    if not line.lstrip().startswith(";") or field not in _FIELDS or _first_line(source) < position.line:
        return None
    entry = docs.lookup(f"Header.{_FIELDS[field]}")
    if entry is None:
        return None
    start = line.index(field)
    span = Range(Position(position.line, start), Position(position.line, start + len(field)))
    return Hover("\n\n".join((entry.summary, *entry.paragraphs)), span)


def _first_line(source: SourceModule) -> int:
    """The line of the first instruction."""
    for chunk in source.document.chunks:
        for line, _ in source.placed(chunk):
            return line
    return len(source.document.lines)
