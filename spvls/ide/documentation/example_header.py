"""What a module needs around the lines of an example: capabilities, extensions, memory model, entry point.

`grammar/examples/stages.json` says what an entry point of each execution model has to bring.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from spvls.grammar import tables
from spvls.grammar.data_text import data_text
from spvls.grammar.docs import Example
from spvls.grammar.environments import Environment, environment
from spvls.grammar.records import Entity, Enumerant, Version
from spvls.ide.documentation.example_declarations import ORDER, Declarations
from spvls.module.availability import availability_of
from spvls.module.sections import Section
from spvls.record import NamedTuple
from spvls.syntax.operand_decls import declared_operands, enumerants
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_STORAGE_ONLY = {"8": r"8BitAccess|Constant8", "16": r"16BitAccess|Constant16|Output16|Float16(Buffer|ImageAMD)", "64": r"(?!)"}
"""Capabilities that admit numbers of a width in memory or images alone; where one is declared, the width needs no other."""

_VENDOR = re.compile(r"(?<=^SPV_)[A-Z]+|[A-Z]{2,}$")
"""Whose an extension or a capability is, as its name says."""

_PREFERRED = ("", "KHR", "EXT")
"""Whose come first where there are alternatives; those of vendors follow."""


class Stage(NamedTuple):
    """What an entry point of an execution model brings: capabilities, and the execution modes that it needs unless an
    example has one that begins as the pattern says."""

    capabilities: tuple[str, ...]
    modes: dict[str, str]


@cache
def stages() -> dict[str, Stage]:
    """The execution models that need more than the capability that enables them."""
    known = json.loads(data_text("examples/stages.json"))
    return {name: Stage(tuple(each.get("capabilities", ())), each.get("modes", {})) for name, each in known.items()}


def add_header(example: Example, declared: Declarations) -> None:
    """Adds what the sections need of a module around them: capabilities, extensions, memory model, entry point, modes."""
    sections = declared.sections
    target = environment(example.environment)
    own, conditional = _parted(sections[Section.CAPABILITIES], "OpCapability ")
    stage = stages().get(declared.stage, Stage((), {}))
    capabilities = [*stage.capabilities, *example.capabilities, *own]
    own_extensions, conditional_extensions = _parted(sections[Section.EXTENSIONS], "OpExtension ")
    extensions = [*example.extensions, *(name.strip('"') for name in own_extensions), *_imported(sections[Section.IMPORTS])]
    _add_entry_point(stage, declared, target.version)
    body = [*conditional, *conditional_extensions, *(line for section in ORDER[2:] for line in sections[section])]
    needed = list(_needs("\n".join(body)))
    _extend([entity for entity in needed if len(entity.extensions) == 1], extensions, target.version)
    for entity in sorted(needed, key=lambda entity: len(entity.capabilities)):
        _enable(entity, capabilities, extensions, target, kernel=declared.kernel)
    _add_features(capabilities, sections[Section.TYPES], kernel=declared.kernel)
    enabled = [found for found in map(tables.kind("Capability").get, dict.fromkeys(capabilities)) if found is not None]
    _extend([*needed, *enabled, *_implied(needed, enabled)], extensions, target.version)
    sections[Section.CAPABILITIES] = [f"OpCapability {name}" for name in _not_implied(enabled, own)] + conditional
    sections[Section.EXTENSIONS] = [f'OpExtension "{name}"' for name in dict.fromkeys(extensions)] + conditional_extensions
    if not sections[Section.MEMORY_MODEL]:
        addressing = "PhysicalStorageBuffer64" if "PhysicalStorageBufferAddresses" in capabilities else "Logical"
        model = f"{addressing} {'Vulkan' if 'VulkanMemoryModel' in capabilities else 'GLSL450'}"
        sections[Section.MEMORY_MODEL] = [f"OpMemoryModel {'Physical64 OpenCL' if declared.kernel else model}"]


def _add_entry_point(stage: Stage, declared: Declarations, version: Version) -> None:
    sections = declared.sections
    if not sections[Section.ENTRY_POINTS] and not declared.graph:
        interface = [name for name in declared.interface if version >= (1, 4) or _crosses_stages(name, sections)]
        listed = "".join(f" %{name}" for name in interface)
        sections[Section.ENTRY_POINTS] = [f'OpEntryPoint {declared.stage} %main "main"{listed}']
    chosen = [line.split()[2] for line in sections[Section.EXECUTION_MODES]]
    missing = [mode for family, mode in stage.modes.items() if not any(re.match(family, name) for name in chosen)]
    sections[Section.EXECUTION_MODES][:0] = [f"OpExecutionMode %main {mode}" for mode in missing]


def _crosses_stages(name: str, sections: dict[int, list[str]]) -> bool:
    return any(line.startswith(f"%{name} =") and line.endswith(("Input", "Output")) for line in sections[Section.TYPES])


def _imported(lines: list[str]) -> list[str]:
    """The imported sets that are extensions themselves."""
    return [name for line in lines if (name := line.split('"')[1]) in tables.extension_names()]


def _enable(entity: Entity, capabilities: list[str], extensions: list[str], target: Environment, *, kernel: bool) -> None:
    """Adds a capability that enables something, unless it is available without: of alternatives rather one of an extension that
    is there, then the best."""
    if not entity.capabilities:
        return
    known = tables.kind("Capability")
    present = frozenset(tables.capability_values(capabilities))
    available = availability_of(present, frozenset(extensions), target.version, target)
    wanted = [found for found in map(known.get, entity.capabilities) if found is not None]
    if any(each.value in available.capabilities for each in wanted) or (len(wanted) > 1 and available.of(entity) is None):
        return
    there = {*extensions, *(name for value in present if (found := known.by_value(value)) for name in found.extensions)}
    other = "Shader" if kernel else "Kernel"
    wanted.sort(key=lambda each: (each.name == other, there.isdisjoint(each.extensions), _rank(each.name)))
    capabilities.append(wanted[0].name)


def _extend(needed: list[Entity], extensions: list[str], version: Version) -> None:
    """Adds the extensions of what the version does not have, the best of alternatives unless one of them is there."""
    later = [entity for entity in needed if entity.version is None or entity.version > version]
    for entity in sorted(later, key=lambda entity: len(entity.extensions)):
        if entity.extensions and set(entity.extensions).isdisjoint(extensions):
            extensions.append(min(entity.extensions, key=_rank))


def _implied(needed: list[Entity], declared: list[Enumerant]) -> Iterator[Enumerant]:
    """The capabilities that enable something and that declared ones imply: their extensions are needed as well."""
    implied = frozenset().union(*(tables.implied_capabilities(capability.value) for capability in declared))
    known = tables.kind("Capability")
    for name in dict.fromkeys(name for entity in needed for name in entity.capabilities):
        capability = known.get(name)
        if capability is not None and capability.value in implied and capability not in declared:
            yield capability


def _rank(name: str) -> int:
    vendor = _VENDOR.search(name)
    tag = vendor[0] if vendor is not None else ""
    return _PREFERRED.index(tag) if tag in _PREFERRED else len(_PREFERRED)


def _not_implied(capabilities: list[Enumerant], own: list[str]) -> list[str]:
    """The names without those of capabilities that others imply, unless they are the example's own."""
    implied = frozenset().union(*(tables.implied_capabilities(capability.value) for capability in capabilities))
    return [each.name for each in capabilities if each.value not in implied or each.name in own]


def _add_features(capabilities: list[str], declarations: list[str], *, kernel: bool) -> None:
    """Adds the capabilities for numbers of unusual widths, and for the images of kernels."""
    for line in declarations:
        match = re.search(r"OpType(Int|Float) (8|16|64)\b(?! \d* ?[A-Z])", line)
        if match and match[0] != "OpTypeFloat 8" and not any(re.search(_STORAGE_ONLY[match[2]], name) for name in capabilities):
            capabilities.append(match[1] + match[2])
    if kernel and any(re.search("OpTypeImage|OpTypeSampler|OpConstantSampler", line) for line in declarations):
        capabilities.append("ImageBasic")
        if any(line.endswith("ReadWrite") for line in declarations):
            capabilities.append("ImageReadWrite")


def _parted(lines: list[str], opening: str) -> tuple[list[str], list[str]]:
    """What follows `opening` on the lines that begin with it, and the other lines."""
    return [line.removeprefix(opening) for line in lines if line.startswith(opening)], [
        line for line in lines if not line.startswith(opening)
    ]


def _needs(text: str) -> Iterator[Entity]:
    """The opcodes and enumerants of a text, the conditions of which a module has to fulfill."""
    for _, record in scan(split_lines(text)):
        yield record.opcode
        for declared, operand in declared_operands(record):
            if isinstance(operand, int) and declared.kind != "Capability":
                yield from enumerants(declared.kind, operand)
                inner = declared.kind == "LiteralSpecConstantOpInteger" and tables.opcode_by_value(operand)
                if inner:
                    yield inner
