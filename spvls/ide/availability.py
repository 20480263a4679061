"""What an entry of the grammar needs, and what of that a module has (SPIR-V 2.2.1, 3.2.30)."""

from __future__ import annotations

from collections.abc import Iterable

from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, Version
from spvls.module.module import Module


def is_capability(entity: Entity) -> bool:
    return isinstance(entity, Enumerant) and entity.kind == "Capability"


def conditions(entity: Entity, module: Module) -> list[str]:
    """The conditions of an entry as lines of Markdown, those that the module meets ticked."""
    lines: list[str] = []
    declarations = module.declarations
    if is_capability(entity):
        if entity.name in declarations.declared_capabilities:
            lines.append("Declared in this module")
        elif entity.name in declarations.capabilities:
            lines.append("Implied by what this module declares")
        if entity.capabilities:
            lines.append("Implies " + ", ".join(f"`{name}`" for name in entity.capabilities))
    elif entity.capabilities:
        lines.append("Enabled by " + _choice(entity.capabilities, declarations.capabilities))
    if entity.extensions:
        before = "Or by" if entity.capabilities and entity.version is not None else "Extension"
        lines.append(f"{before} {_choice(entity.extensions, declarations.extensions)}")
    since = _since(entity, module.version)
    if since:
        lines.append(since)
    if entity.provisional:
        lines.append("Provisional: may still change")
    return lines


def _choice(names: Iterable[str], declared: Iterable[str]) -> str:
    have = frozenset(declared)
    return " or ".join(f"`{name}` ✓" if name in have else f"`{name}`" for name in names)


def _since(entity: Entity, version: Version) -> str:
    if isinstance(entity, ExtendedInstruction):
        return ""
    if entity.version is None:
        return "In no version of the core"
    text = f"Since SPIR-V {shown(entity.version)}"
    if entity.last_version is not None:
        text += f", until {shown(entity.last_version)}"
    if not entity.version <= version <= (entity.last_version or version):
        text += f" (this module: {shown(version)})"
    return text


def shown(version: Version) -> str:
    """A version as people write it."""
    return f"{version[0]}.{version[1]}"
