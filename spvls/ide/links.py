"""Addresses of the published specifications."""

from __future__ import annotations

import re

from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode

#: What an address can be made of.
_NAME = re.compile(r"[A-Za-z0-9_.]+").fullmatch

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

#: Extensions whose pages have no anchors at their instructions.
_WITHOUT_ANCHORS = frozenset(
    {
        "SPV_AMD_shader_ballot", "SPV_AMD_shader_fragment_mask", "SPV_INTEL_function_pointers",
        "SPV_INTEL_memory_access_aliasing", "SPV_INTEL_unstructured_loop_controls",
    }
)  # fmt: skip


def of_entity(entity: Entity, known: ExtendedSet | None = None) -> str | None:
    """Where an entry is specified: its own place on a page where it has one, else its section, else the page.

    `known` is the extended set of an extended instruction, or of an enumerant that only that set has.
    """
    if isinstance(entity, ExtendedInstruction):
        page = of_set(known, known.name) if known is not None else None
        anchored = page is not None and known is not None and known.name.startswith("NonSemantic.")
        return f"{page}#{entity.name}" if anchored else page
    if isinstance(entity, Enumerant) and known is not None and entity.kind in known.kinds:
        return of_set(known, known.name)
    if entity.extensions and entity.version is None:
        page = of_extension(entity.extensions[0])
        anchored = isinstance(entity, Opcode) and entity.extensions[0] not in _WITHOUT_ANCHORS
        return f"{page}#{entity.name}" if page is not None and anchored else page
    if isinstance(entity, Opcode):
        return f"{SPECIFICATION}#{entity.name}"
    return f"{SPECIFICATION}#{_anchor(entity.kind)}" if isinstance(entity, Enumerant) else None


def of_extension(name: str) -> str | None:
    """Where an extension is specified."""
    parts = name.split("_", 2)
    if len(parts) < 3 or parts[0] != "SPV" or not _NAME(name):
        return None
    return f"https://github.khronos.org/SPIRV-Registry/extensions/{parts[1]}/{name}.html"


def of_set(known: ExtendedSet | None, import_name: str) -> str | None:
    """Where an extended instruction set is specified."""
    name = known.name if known is not None else import_name
    if not _NAME(name):
        return None
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
