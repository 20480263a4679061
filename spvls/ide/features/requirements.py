"""What a module must still declare to use an entry of the grammar, and the edits that declare it."""

from __future__ import annotations

from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv, tables
from spvls.grammar.records import Entity, ExtendedInstruction
from spvls.ide.documentation.availability import is_capability
from spvls.ide.source.source_module import SourceModule
from spvls.module.availability import CAPABILITY, EXTENSION, REMOVED
from spvls.module.module import Module
from spvls.record import NamedTuple


class Requirement(NamedTuple):
    """A capability or an extension, or neither where only another version of SPIR-V would do."""

    capability: str | None = None
    extension: str | None = None

    @property
    def can_be_met(self) -> bool:
        """Whether a declaration is all that it takes."""
        return self.capability is not None or self.extension is not None

    @property
    def phrase(self) -> str:
        return " and ".join(name for name in (self.capability, self.extension) if name is not None) or "another version"


def requirement(module: Module, entity: Entity) -> Requirement | None:
    """What `entity` lacks; None where the module may use it as it stands."""
    if isinstance(entity, ExtendedInstruction):
        missing = entity.capabilities and not _has_any(module, entity.capabilities)
        return Requirement(_best_capability(module, entity.capabilities)) if missing else None
    lack = module.availability.of(entity)
    if lack is None:
        return None
    extension = lack.names[0] if lack.kind == EXTENSION else None
    if lack.kind == CAPABILITY:
        capability = _best_capability(module, lack.names)
        return Requirement(capability, _extension_of(module, capability))
    if lack.kind == REMOVED or not lack.names:
        return Requirement()
    wanted = entity.capabilities if not is_capability(entity) else ()
    missing = wanted and not _has_any(module, wanted)
    return Requirement(_best_capability(module, wanted) if missing else None, extension)


def _has_any(module: Module, names: tuple[str, ...]) -> bool:
    return any(map(module.has_capability, tables.capability_values(names)))


def _best_capability(module: Module, names: tuple[str, ...]) -> str:
    """Of capabilities that would do, the first that the module can declare without more."""
    for name in names:
        known = tables.kind("Capability").get(name)
        if known is not None and module.availability.of(known) is None:
            return name
    return names[0]


def _extension_of(module: Module, capability: str) -> str | None:
    """The extension that a capability takes, where the version does not have it."""
    known = tables.kind("Capability").get(capability)
    lack = module.availability.of(known) if known is not None else None
    return lack.names[0] if lack is not None and lack.kind == EXTENSION else None


def enabling_edits(source: SourceModule, needed: Requirement) -> tuple[Edit, ...]:
    """The edits that declare what is needed."""
    edits: list[Edit] = []
    if needed.capability is not None:
        edits.append(_insertion(source, (spv.OpCapability,), f"OpCapability {needed.capability}"))
    if needed.extension is not None:
        edits.append(_insertion(source, (spv.OpExtension, spv.OpCapability), f'OpExtension "{needed.extension}"'))
    return tuple(edits)


def _insertion(source: SourceModule, after: tuple[int, ...], text: str) -> Edit:
    """`text` on a line of its own after the last instruction of the first of the opcodes that there is, else on top."""
    placed = list(source.placed(source.document.chunks[0]))
    for opcode in after:
        last = next(((line, record) for line, record in reversed(placed) if record.opcode.value == opcode), None)
        if last is not None:
            line, record = last
            indent = record.text[: record.start].rpartition("\n")[2]
            end = source.range_of(record, None, line).end
            return Edit(Range(end, end), f"\n{indent if not indent.strip() else ''}{text}")
    if placed:
        line, record = placed[0]
        start = source.range_of(record, None, line).start
        indent = record.text[: record.start].rpartition("\n")[2]
        return Edit(Range(start, start), f"{text}\n{indent if not indent.strip() else ''}")
    lines = source.document.lines
    end = Position(len(lines) - 1, len(lines[-1]))
    return Edit(Range(end, end), f"{text}\n")
