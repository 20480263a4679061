"""What there is to know of an extension, and of an extended instruction set, as Markdown: hover and `spvls doc` show these."""

from __future__ import annotations

from functools import cache

from spvls.grammar import tables
from spvls.grammar.history import promotion
from spvls.grammar.keys import keys, resolve
from spvls.grammar.records import Enumerant, ExtendedSet, Opcode
from spvls.grammar.reference import client_facts
from spvls.ide.documentation import links
from spvls.text.escaping import code_link, code_span

_MOST = 30
"""So many names of entries are listed at once; of more only how many they are."""


def extension_markdown(name: str) -> str:
    """What an extension enables, the version that has it in the core, what Vulkan says of it."""
    entities = _brought().get(name, ())
    parts = [f"Extension {code_link(name, links.of_extension(name))}"]
    groups: dict[str, list[str]] = {}
    for entity in entities:
        groups.setdefault(entity.kind if isinstance(entity, Enumerant) else "Instructions", []).append(entity.name)
    facts = [f"{group}: {_listed(names)}" for group, names in groups.items()]
    known = tables.extended_set(name)
    if known is not None:
        facts.append(f"Extended instructions: {_listed(list(known.entries))}")
    elif not entities:
        facts.append("Adds no names: it changes what is allowed, or what something means")
    taken = promotion(name)
    if taken is not None:
        facts.append(f"In the core since SPIR-V {taken.version}" + (f", {taken.but}" if taken.but else ""))
    facts += client_facts(name)
    return "\n\n".join([*parts, "\n".join(f"- {fact}" for fact in facts)])


def set_markdown(known: ExtendedSet, import_name: str) -> str:
    """What a string that imports an extended instruction set names."""
    title = code_link(import_name, links.of_set(known, import_name))
    parts = [f"Extended instruction set {title} of {len(known.entries)} instruction{'' if len(known.entries) == 1 else 's'}"]
    if len(known.entries) <= _MOST:
        parts.append(_listed(list(known.entries)))
    if known.name.startswith("NonSemantic."):
        parts.append("Non-semantic: removing its instructions never changes what a module does.")
    return "\n\n".join(parts)


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(code_span, names[:_MOST]))
    return shown if len(names) <= _MOST else f"{shown} and {len(names) - _MOST} more"


@cache
def _brought() -> dict[str, tuple[Opcode | Enumerant, ...]]:
    """The opcodes and enumerants that name an extension, or a capability that only an extension brings, by extension."""
    found: dict[str, list[Opcode | Enumerant]] = {}
    for key in keys():
        subject = resolve(key)
        if subject is None or not isinstance(subject.record, Opcode | Enumerant) or subject.set is not None:
            continue
        entity = subject.record
        names = links.enabling_extensions(entity)
        for name in names:
            found.setdefault(name, []).append(entity)
    return {name: tuple(entities) for name, entities in found.items()}
