"""The pages of instructions, extended instruction sets, enumerants and extensions, as hover and `spvls doc` show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import playground

from spvls.grammar import docs, glossary, tables
from spvls.grammar.keys import Subject
from spvls.grammar.records import ExtendedSet, Opcode, OperandKind
from spvls.ide.documentation.docs_markdown import docs_markdown, key_of, signature
from spvls.ide.documentation.example import complete
from spvls.ide.documentation.extension_markdown import extension_markdown, set_markdown
from spvls.text.escaping import code_block, code_span, link

Pages = Iterator[tuple[str, str]]
_HOME = "reference"

_INTRODUCTION = """\
# Reference

What hover shows of each name, on one page; `spvls doc NAME` shows the same in a terminal, and `spvls doc NAME --module` the whole
module that an example is a part of.

- [Instructions](instructions/index.md), by the groups of the specification
- [Extended instructions](extended/index.md), by their sets
- [Enumerants](enumerants/index.md), by the kind of operand
- [Extensions](extensions.md)
- [Glossary](glossary.md): the terms of the specification
- [Limits](limits.md): what every consumer accepts of a module
- [Text and header](text.md): the forms of the assembly language, and the first words of a binary
"""


def pages(*, has_playground: bool) -> Pages:
    """Names and contents of the pages."""
    yield f"{_HOME}/index.md", _INTRODUCTION
    yield from _instructions(has_playground=has_playground)
    yield from _sets(has_playground=has_playground)
    yield from _kinds(has_playground=has_playground)
    extensions = [f"## {name}\n\n{extension_markdown(name)}" for name in sorted(tables.extension_names())]
    yield f"{_HOME}/extensions.md", _joined("# Extensions", extensions)
    terms = [f"## {term.name}\n\n{term.section}\n\n{_linked(term)}" for term in glossary.terms().values()]
    yield f"{_HOME}/glossary.md", _joined("# Glossary", terms)
    for page, title, members in (("text", "Text and header", docs.syntax_keys()), ("limits", "Limits", docs.limit_keys())):
        forms = [f"## {key}\n\n{entry.markdown}" for key in members if (entry := docs.lookup(key)) is not None]
        yield f"{_HOME}/{page}.md", _joined(f"# {title}", forms)


def _linked(term: glossary.Term) -> str:
    """What a term means, with links to the other terms that it names."""
    return "\n\n".join(glossary.linked(term.markdown.split("\n\n"), besides=term))


def _instructions(*, has_playground: bool) -> Pages:
    opcodes = sorted(tables.opcodes(), key=lambda opcode: (opcode.class_ == "Reserved", opcode.class_, opcode.name))
    parts = []
    for class_, members in groupby(opcodes, lambda opcode: opcode.class_):
        listed = [_item(opcode, f"{opcode.name}.md") for opcode in members]
        parts += [f"## {class_.replace('_', ' ')}", "\n".join(listed)]
    yield f"{_HOME}/instructions/index.md", _joined("# Instructions", parts)
    for opcode in opcodes:
        name = f"{_HOME}/instructions/{opcode.name}.md"
        entry = _entry(Subject(opcode.name, opcode), name, has_playground=has_playground)
        path = f"[Instructions](index.md) / [{opcode.class_.replace('_', ' ')}](index.md#{_anchor(opcode.class_)})"
        yield name, f"# {opcode.name}\n\n{path}\n\n{entry}"


def _item(opcode: Opcode, address: str) -> str:
    entry = docs.lookup(opcode.name)
    return f"- {link(code_span(opcode.name), address)}" + (f": {entry.summary}" if entry is not None else "")


def _sets(*, has_playground: bool) -> Pages:
    listed = []
    for known in tables.extended_sets():
        name = f"{_HOME}/extended/{known.name}.md"
        listed.append(f"- {link(code_span(known.name), f'{known.name}.md')}, {len(known.entries)} instructions")
        parts = [set_markdown(known, known.name)]
        for record in known.all:
            subject = Subject(key_of(record, known), record, known)
            parts += [f"## {record.name}", _entry(subject, name, has_playground=has_playground)]
        for kind in known.kinds.values():
            parts += [f"## {kind.name}", *_members(kind, known, name, "###", has_playground=has_playground)]
        yield name, _joined(f"# {known.name}", parts)
    yield f"{_HOME}/extended/index.md", _joined("# Extended instructions", ["\n".join(listed)])


def _kinds(*, has_playground: bool) -> Pages:
    listed = []
    for kind in sorted(tables.kinds(), key=lambda kind: kind.name):
        if kind.entries:
            name = f"{_HOME}/enumerants/{kind.name}.md"
            listed.append(f"- {link(code_span(kind.name), f'{kind.name}.md')}: {_few(kind)}")
            yield name, _joined(f"# {kind.name}", _members(kind, None, name, "##", has_playground=has_playground))
    yield f"{_HOME}/enumerants/index.md", _joined("# Enumerants", ["\n".join(listed)])


def _few(kind: OperandKind, most: int = 6) -> str:
    names = list(kind.entries)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(code_span, names[:most])) + more


def _members(kind: OperandKind, known: ExtendedSet | None, page: str, level: str, *, has_playground: bool) -> Iterator[str]:
    for record in kind.all:
        yield f"{level} {record.name}"
        yield _entry(Subject(key_of(record, known), record, known), page, has_playground=has_playground)


def _entry(subject: Subject, page: str, *, has_playground: bool) -> str:
    """What hover shows, with a link to the module that the example is a part of."""
    record, known = subject.record, subject.set
    text = docs_markdown(record, None, known, with_signature=" " in signature(record, known))
    entry = docs.lookup(subject.key)
    if not has_playground or entry is None or entry.example is None or entry.example.language != "spirv":
        return text
    block = code_block(entry.example.code, entry.example.language)
    opened = playground.link("Open the whole module in the playground", page, complete(entry.example))
    return text.replace(block, f"{block}\n\n{opened}", 1)


def _joined(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([title, *parts])


def _anchor(class_: str) -> str:
    """The anchor of a heading, as the extension `toc` makes it."""
    return class_.replace("_", "-").lower()
