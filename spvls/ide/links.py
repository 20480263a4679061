"""Addresses of the published specifications."""

from __future__ import annotations

from spvls.grammar.records import Entity, Enumerant, ExtendedSet, Opcode

REGISTRY = "https://registry.khronos.org/SPIR-V/specs/unified1/"
SPECIFICATION = REGISTRY + "SPIRV.html"

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


def of_entity(entity: Entity) -> str | None:
    """Where the specification speaks of an opcode or an enumerant."""
    if isinstance(entity, Opcode):
        if entity.extensions and entity.version is None:
            return of_extension(entity.extensions[0])
        return f"{SPECIFICATION}#{entity.name}"
    if isinstance(entity, Enumerant):
        if entity.extensions and entity.version is None:
            return of_extension(entity.extensions[0])
        return f"{SPECIFICATION}#{_anchor(entity.kind)}"
    return None


def of_extension(name: str) -> str | None:
    """Where an extension is specified."""
    parts = name.split("_", 2)
    if len(parts) < 3 or parts[0] != "SPV":
        return None
    return f"https://github.khronos.org/SPIRV-Registry/extensions/{parts[1]}/{name}.html"


def of_set(known: ExtendedSet | None, import_name: str) -> str | None:
    """Where an extended instruction set is specified."""
    name = known.name if known is not None else import_name
    if name.startswith("NonSemantic."):
        return f"https://github.khronos.org/SPIRV-Registry/nonsemantic/{name}.html"
    if name.startswith("SPV_"):
        return of_extension(name)
    return _SETS.get(name)


def _anchor(kind: str) -> str:
    known = _ANCHORS.get(kind)
    if known is not None:
        return known
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in kind).lstrip("_")
    return words.replace("F_P_", "FP_")
