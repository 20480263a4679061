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
from spvls.grammar.environments import environment
from spvls.grammar.records import Entity, Version
from spvls.ide.documentation.example_declarations import ORDER, Declarations
from spvls.module.sections import Section
from spvls.record import NamedTuple
from spvls.syntax.operand_decls import declared_operands, enumerants
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_STORAGE_ONLY = {"8": r"8BitAccess|Constant8", "16": r"16BitAccess|Constant16|Output16|Float16Buffer", "64": r"(?!)"}
"""Capabilities that admit numbers of a width in memory alone; where one is declared, the width needs no other."""

_OF_VENDOR = re.compile(r"(?!KHR|EXT)[A-Z]{2,}$")


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
    version = environment(example.environment).version
    own, conditional = _parted(sections[Section.CAPABILITIES], "OpCapability ")
    stage = stages().get(declared.stage, Stage((), {}))
    capabilities = [*stage.capabilities, *example.capabilities, *own]
    own, conditional_extensions = _parted(sections[Section.EXTENSIONS], "OpExtension ")
    extensions = [*example.extensions, *(name.strip('"') for name in own)]
    _add_entry_point(stage, declared, version)
    body = [*conditional, *conditional_extensions, *(line for section in ORDER[2:] for line in sections[section])]
    needed = list(_needs("\n".join(body)))
    for entity in sorted(needed, key=lambda entity: len(entity.capabilities)):
        _enable(entity, capabilities, kernel=declared.kernel)
    _add_features(capabilities, sections[Section.TYPES], kernel=declared.kernel)
    known = tables.kind("Capability")
    for entity in [*needed, *filter(None, map(known.get, dict.fromkeys(capabilities)))]:
        in_core = entity.version is not None and entity.version <= version
        if entity.extensions and not in_core and not set(entity.extensions) & set(extensions):
            extensions.append(entity.extensions[0])
    sections[Section.CAPABILITIES] = [f"OpCapability {name}" for name in dict.fromkeys(capabilities)] + conditional
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


def _enable(entity: Entity, capabilities: list[str], *, kernel: bool) -> None:
    """Adds one of the capabilities that enable something, rather not one of a vendor, unless one of them is there."""
    present = set(tables.capability_values(capabilities))
    present = present.union(*map(tables.implied_capabilities, present))
    if entity.capabilities and present.isdisjoint(tables.capability_values(entity.capabilities)):
        other = "Shader" if kernel else "Kernel"
        capabilities.append(min(entity.capabilities, key=lambda name: (name == other, bool(_OF_VENDOR.search(name)))))


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
