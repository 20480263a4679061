"""Addresses of the published specifications."""

from __future__ import annotations

import re
from collections.abc import Collection

from spvls.grammar import registry, tables
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode
from spvls.grammar.sections import SPECIFICATION as SPECIFICATION

REGISTRY = "https://registry.khronos.org/SPIR-V/specs/unified1/"

#: Sections of the enumerants' kinds, where their anchor is not the kind's name in words joined by `_`.
_ANCHORS = {
    "BuiltIn": "BuiltIn",
    "MemoryAccess": "Memory_Operands",
    "MemorySemantics": "Memory_Semantics_-id-",
    "Scope": "Scope_-id-",
    "KernelEnqueueFlags": "Kernel_Enqueue_Flags",
}

_SETS = {
    "GLSL.std.450": REGISTRY + "GLSL.std.450.html",
    "OpenCL.std": REGISTRY + "OpenCL.ExtendedInstructionSet.100.html",
    "OpenCL.DebugInfo.100": REGISTRY + "OpenCL.DebugInfo.100.html",
    "DebugInfo": REGISTRY + "DebugInfo.html",
}

_VENDOR = re.compile(r"(?<=[a-z0-9])[A-Z]{2,}$")


def of_entity(entity: Entity, known: ExtendedSet | None = None, declared: Collection[str] = ()) -> str | None:
    """Where an entry is specified: its own place on a page where it has one, else its section, else the page; None where
    nothing is published.

    `known` is the extended set of an extended instruction, or of an enumerant that only that set has. Of several extensions
    that bring an entry it is one that is `declared`, else that of the entry's vendor, else one that vendors agreed on.
    """
    if isinstance(entity, ExtendedInstruction) or (isinstance(entity, Enumerant) and known and entity.kind in known.kinds):
        page = registry.page(known.name) if known is not None else None
        return page.at(entity.name) if page is not None else of_set(known, known.name if known is not None else "")
    kind = entity.kind if isinstance(entity, Enumerant) else ""
    section = _ANCHORS.get(kind, registry.section_anchor(kind))
    brought = extensions_of(entity)
    if not brought:
        if in_core(entity):
            return f"{SPECIFICATION}#{entity.name if isinstance(entity, Opcode) else section}"
        return SPECIFICATION if isinstance(entity, Opcode) else None
    pages = [page for name in _preferred(entity, brought, declared) if (page := registry.page(name)) is not None]
    return pages[0].at(entity.name, f"bookmark-{entity.name}", section, section.lower()) if pages else None


def in_core(entity: Entity) -> bool:
    """Whether a version of the specification has an entry, and a capability that enables it."""
    if isinstance(entity, ExtendedInstruction):
        return True
    if entity.version is None:
        return False
    if isinstance(entity, Enumerant) and any(map(registry.named_extensions, (entity.kind, f"{entity.kind}.{entity.name}"))):
        return False
    capabilities = _capabilities(entity)
    of_itself = isinstance(entity, Enumerant) and entity.kind == "Capability"
    return of_itself or not capabilities or any(capability.version is not None for capability in capabilities)


def extensions_of(entity: Entity) -> tuple[str, ...]:
    """The extensions that bring an entry; none for one of the core."""
    if in_core(entity):
        return ()
    if entity.extensions and isinstance(entity, Enumerant) and entity.kind == "Capability":
        return entity.extensions  # the capabilities that it implies have their own
    named = registry.named_extensions(f"{entity.kind}.{entity.name}" if isinstance(entity, Enumerant) else entity.name)
    if named:
        return named
    found = [*entity.extensions, *(name for capability in _capabilities(entity) for name in capability.extensions)]
    if not found and isinstance(entity, Enumerant):
        return registry.named_extensions(entity.kind)
    return tuple(dict.fromkeys(found))


def enabling_extensions(entity: Entity) -> tuple[str, ...]:
    """The extensions with which an entry can be used: those that bring it, or that bring one of the core to earlier versions."""
    if not in_core(entity):
        return extensions_of(entity)
    if entity.extensions or (isinstance(entity, Enumerant) and entity.kind == "Capability"):
        return entity.extensions
    of_each = [capability.extensions for capability in _capabilities(entity)]
    return tuple([name for name in of_each[0] if all(name in names for names in of_each)]) if of_each else ()


def of_extension(name: str) -> str | None:
    """Where an extension is specified."""
    page = registry.page(name)
    return page.address if page is not None and name.startswith("SPV_") else None


def of_set(known: ExtendedSet | None, import_name: str) -> str | None:
    """Where an extended instruction set is specified."""
    name = known.name if known is not None else import_name
    page = registry.page(name)
    return page.address if page is not None else _SETS.get(name)


def _capabilities(entity: Entity) -> list[Enumerant]:
    return [capability for name in entity.capabilities if (capability := tables.kind("Capability").get(name)) is not None]


def _preferred(entity: Entity, names: tuple[str, ...], declared: Collection[str]) -> list[str]:
    """Extensions, the first the one to read on about an entry."""
    match = _VENDOR.search(entity.name)
    vendors = [match[0].removesuffix("X") if match is not None else "KHR", "KHR", "EXT"]

    def rank(name: str) -> tuple[bool, int, bool]:
        vendor = name.split("_")[1].removesuffix("X")
        own = vendors.index(vendor) if vendor in vendors else len(vendors)
        return name not in declared, own, name not in entity.extensions

    return sorted(names, key=rank)
