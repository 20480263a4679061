"""The environments that a module can be meant for: what keeps it from each, and the comment that names one."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit, Position, Range, Severity
from spvls.grammar import spv
from spvls.grammar.environments import Environment, environments
from spvls.ide.source.source_module import SourceModule
from spvls.module.availability import EXTENSION, REMOVED, TOO_EARLY
from spvls.module.module import Module
from spvls.record import NamedTuple
from spvls.syntax.document import Document
from spvls.syntax.header import target_range
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics

_MODE = frozenset({spv.OpCapability, spv.OpExtension, spv.OpMemoryModel})
"""Instructions that say what a consumer must offer."""

_ABOUT = ("capability/", "module/memory-model-", "module/addressing-model-")
"""What findings on these instructions begin with that speak of the environment."""

_GROUPS = {"vulkan": "Vulkan", "": "SPIR-V alone", "opencl": "OpenCL", "opengl": "OpenGL"}
"""The groups of environments by their client API, in the order that they are offered in."""


class TargetChoice(NamedTuple):
    """An environment to choose: its `name`, its `title` in words, the `group` that it belongs to, and the newest `version` of
    SPIR-V that it takes. `obstacle` says why it does not take the module, None where it does."""

    name: str
    title: str
    group: str
    version: str
    obstacle: str | None


def target_choices(source: SourceModule) -> list[TargetChoice]:
    """All environments, by groups, the newest of each first."""
    known = sorted(environments().values(), key=lambda one: (one.api_version, one.version, not one.embedded), reverse=True)
    return [_choice(one, source) for api in _GROUPS for one in known if one.api == api]


def _choice(one: Environment, source: SourceModule) -> TargetChoice:
    number = ".".join(map(str, one.version))
    api_number = ".".join(map(str, one.api_version))
    if not one.api:
        title = f"SPIR-V {number}"
    else:
        title = f"{_GROUPS[one.api]} {api_number}" + (" embedded profile" if one.embedded else "")
        if one.name != f"{one.api}{api_number}" and not one.embedded:
            title += f" with SPIR-V {number}"
    return TargetChoice(one.name, title, _GROUPS[one.api], number, next(_obstacles(one, source), None))


def _obstacles(one: Environment, source: SourceModule) -> Iterator[str]:
    """Why an environment does not take a module. Of functions only the opcodes are looked at, so that the answer costs little."""
    header = source.header
    module = Module(source.document.chunks, one, header.version_in(one), ids=source.module.ids)
    said = [record.text for record in module.chunks[0].records if record.opcode.value in _MODE]
    document = Document("".join(text if text.endswith("\n") else f"{text}\n" for text in said))
    modes = Module(document.chunks, one, header.version_in(one))
    for finding in diagnostics(Checker(modes, Options()), document):
        if finding.severity is Severity.ERROR and finding.rule.startswith(_ABOUT):
            yield finding.message
    if header.version is not None and (1, header.version) > one.version:
        yield f"the module is SPIR-V 1.{header.version}"
    yield from _unavailable(module)


def _unavailable(module: Module) -> Iterator[str]:
    """The instructions that the version and the extensions of a module do not have: those of declarations, and of those of
    functions one of each opcode."""
    samples: dict[int, Instruction] = {}
    for chunk in module.chunks[1:]:
        for record in chunk.records:
            samples.setdefault(record.opcode.value, record)
    for record in (*module.chunks[0].records, *samples.values()):
        lack = module.availability.lack(record)
        if lack is None or record.faults:
            continue
        if lack.kind == TOO_EARLY and lack.entity.version is not None:
            yield f"{lack.entity.name} requires SPIR-V {'.'.join(map(str, lack.entity.version))}"
        elif lack.kind == EXTENSION:
            yield f"{lack.entity.name} requires {' or '.join(lack.names)}"
        elif lack.kind == REMOVED:
            yield f"{lack.entity.name} was removed from SPIR-V"


def comment_edits(source: SourceModule, name: str | None) -> tuple[Edit, ...]:
    """The edits after which a comment at the top of the text names an environment, or with None, none does."""
    lines = source.document.lines
    own = source.header.target_line if source.header.target is not None else None
    if own is not None:
        named = target_range(lines[own], own)
        if name is not None:
            return (Edit(named, name),)
        before, after = lines[own][: named.start.column], lines[own][named.end.column :]
        if "".join(before.split()) == ";spvls:target-env=" and not after.strip():
            return (Edit(Range(Position(own, 0), Position(own + 1, 0)), ""),)
        start = lines[own].rindex("target-env", 0, named.start.column)
        return (Edit(Range(Position(own, start), named.end), ""),)
    if name is None:
        return ()
    at = next((number for number, line in enumerate(lines) if not line.startswith(";")), len(lines) - 1)
    return (Edit(Range(Position(at, 0), Position(at, 0)), f"; spvls: target-env={name}\n"),)
