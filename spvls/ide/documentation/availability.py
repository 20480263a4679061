"""What an entry of the grammar needs, what of that a module has, and what replaces it (SPIR-V 2.2.1, 2.21, 3.2.30)."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar.deprecation import Deprecation, deprecations, in_words
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, Opcode, Version
from spvls.grammar.tables import kinds
from spvls.ide.documentation import links
from spvls.module.module import Module
from spvls.syntax.operand_decls import capability_name
from spvls.text.escaping import code_link, code_span, struck


def is_capability(entity: Entity) -> bool:
    return isinstance(entity, Enumerant) and entity.kind == "Capability"


def conditions(entity: Entity, module: Module | None) -> list[str]:
    """The conditions of an entry as lines of Markdown, those that the module meets ticked."""
    lines: list[str] = []
    capabilities = module.declarations.capabilities if module is not None else frozenset()
    if is_capability(entity):
        if module is not None and entity.value in module.declarations.declared_capabilities:
            lines.append("Declared in this module ✓")
        elif entity.value in capabilities:
            lines.append("Implied by what this module declares ✓")
        if entity.capabilities:
            lines.append("Implies " + ", ".join(map(code_span, entity.capabilities)))
    elif entity.capabilities:
        lines.append("Enabled by " + _choice(entity.capabilities, map(capability_name, capabilities)))
    of_first = isinstance(entity, Opcode | Enumerant) and entity.version == (1, 0) and links.in_core(entity)
    extensions = entity.extensions if of_first else links.enabling_extensions(entity)
    if extensions:
        declared = module.declarations.extensions if module is not None else ()
        lines.append(f"{_by_extension(entity)} {_choice(extensions, declared)}")
    since = _since(entity, module.version if module is not None else None)
    if since:
        lines.append(since)
    if entity.provisional:
        lines.append("Provisional: may still change")
    return lines


def is_deprecated(key: str, module: Module | None) -> bool:
    """Whether the entry of that key had better not be used in a module, be it that an extension says so."""
    known = deprecations().get(key)
    return known is not None and _applies(known, module)


def deprecation_text(key: str, name: str, module: Module | None) -> str | None:
    """That an entry is deprecated, and what takes its place, as Markdown."""
    known = deprecations().get(key)
    if known is None:
        return None
    instead = in_words([[_linked(entity) for entity in way] for way in known.entities()])
    if _applies(known, module):
        by = f" by {code_span(known.extension)}" if known.extension is not None else ""
        return f"{struck(name)} is deprecated{by}: use {instead}."
    return f"Deprecated where {code_span(known.extension or '')} is declared: use {instead}."


def _applies(known: Deprecation, module: Module | None) -> bool:
    return known.extension is None or (module is not None and known.extension in module.declarations.extensions)


def _linked(entity: Entity) -> str:
    return code_link(entity.name, links.of_entity(entity))


def _choice(names: Iterable[str], declared: Iterable[str]) -> str:
    have = frozenset(declared)
    return " or ".join(f"{code_span(name)} ✓" if name in have else code_span(name) for name in names)


def _by_extension(entity: Entity) -> str:
    """What stands before the extensions that bring an entry."""
    if not links.in_core(entity) or isinstance(entity, ExtendedInstruction):
        return "Only with extension"
    if entity.version is None or entity.version == (1, 0):
        return "Or by extension"
    return f"Before SPIR-V {shown(entity.version)} by extension"


def _since(entity: Entity, version: Version | None) -> str:
    if isinstance(entity, ExtendedInstruction):
        return ""
    if isinstance(entity, Enumerant) and all(kind.name != entity.kind for kind in kinds()):
        return ""  # of an extended set
    of_extension = bool(links.extensions_of(entity))
    if entity.version is None:
        return "" if of_extension else "In no version of the core"
    if of_extension and entity.version == (1, 0):
        return ""
    text = f"Since SPIR-V {shown(entity.version)}"
    if entity.last_version is not None:
        text += f", until {shown(entity.last_version)}"
    if version is not None and not entity.version <= version <= (entity.last_version or version):
        text += f" (this module: {shown(version)})"
    return text


def shown(version: Version) -> str:
    """A version as people write it."""
    return f"{version[0]}.{version[1]}"
