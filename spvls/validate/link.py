"""Whether modules fit together when they are linked: what one imports, another has to export, as the same type (SPIR-V 2.13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.diagnostic import Diagnostic, Range, Severity
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, LinkageType
from spvls.module.module import Module
from spvls.module.type_identity import type_identities
from spvls.record import NamedTuple
from spvls.syntax.document import Document
from spvls.validate.checks.entry import linkage
from spvls.validate.engine.report import Places

UNRESOLVED = "link/import-is-exported"
MISMATCH = "link/types-match"
REPEATED = "link/export-is-unique"

_NAME = 2
"""The operand of OpDecorate that is the name to link by."""


class LinkEnd(NamedTuple):
    """A function or variable that other modules may know by `name`; `linkage` is a LinkageType.

    `identity` is the same for types that are declared alike, see `type_identities`; `spelled` is the type as people write it.
    `range` and `instruction` say where the name is given, as those of a `Diagnostic` do.
    """

    name: str
    linkage: int
    id: str
    identity: str
    spelled: str
    range: Range | None
    instruction: int | None


class LinkInput(NamedTuple):
    """A module to link, by the name that messages have for it."""

    name: str
    ends: tuple[LinkEnd, ...]


def link_ends(module: Module, document: Document | None) -> tuple[LinkEnd, ...]:
    """What a module exports and imports, in the order of the text; nothing for what is not decorated as it must be."""
    if not module.uses_decoration(Decoration.LinkageAttributes):
        return ()
    return tuple(sorted(_ends(module, Places(module, document)), key=lambda end: (end.instruction or 0, end.id)))


def _ends(module: Module, places: Places) -> Iterator[LinkEnd]:
    identities = type_identities(module)
    for name in module.decorated_with(Decoration.LinkageAttributes):
        decoration, definition = linkage(module, name), module.definition(name)
        if decoration is None or definition is None or definition.faults or len(decoration.params) < 2:
            continue
        if module.has_decoration(name, Decoration.BuiltIn):
            continue
        given, kind = decoration.params[0], decoration.params[1]
        if not isinstance(given, bytes) or not isinstance(kind, int):
            continue
        type_id = definition.type
        if definition.opcode.value == spv.OpFunction:
            function = module.function_named(name)
            type_id = function.type_id if function is not None else None
        yield LinkEnd(
            given.decode("utf-8", "replace"),
            kind,
            name,
            identities.get(type_id or "", ""),
            module.spell(module.type(type_id)),
            places.range(decoration.record, _NAME),
            places.number(decoration.record),
        )


def link_findings(inputs: Sequence[LinkInput]) -> list[list[Diagnostic]]:
    """What keeps modules from being linked, for each of them in turn."""
    exports: dict[str, list[tuple[int, LinkEnd]]] = {}
    for at, module in enumerate(inputs):
        for end in module.ends:
            if end.linkage != LinkageType.Import:
                exports.setdefault(end.name, []).append((at, end))
    for exported in exports.values():
        exported.sort(key=lambda found: found[1].linkage == LinkageType.WeakAMD)  # others take the place of a weak one
    return [
        [found for end in module.ends for found in _of_end(inputs, exports.get(end.name, []), at, end)]
        for at, module in enumerate(inputs)
    ]


def _of_end(
    inputs: Sequence[LinkInput], exported: list[tuple[int, LinkEnd]], at: int, end: LinkEnd
) -> Iterator[Diagnostic]:
    if end.linkage != LinkageType.Import:
        first, other = exported[0]
        is_merged = end.linkage == LinkageType.WeakAMD or end.linkage == other.linkage == LinkageType.LinkOnceODR
        if first != at and not is_merged:
            yield _finding(REPEATED, end, f'"{end.name}" is already exported by {_place(inputs[first], other)}')
        return
    if not exported:
        yield _finding(UNRESOLVED, end, f'"{end.name}" is imported by %{end.id}, and no module exports it')
        return
    first, other = exported[0]
    if not end.identity or not other.identity or end.identity == other.identity:
        return
    place = _place(inputs[first], other)
    if end.spelled == other.spelled:
        message = f'"{end.name}" is imported as {end.spelled}; the type that {place} exports has other members or another layout'
    else:
        message = f'"{end.name}" is imported as {end.spelled}, but exported as {other.spelled} by {place}'
    yield _finding(MISMATCH, end, message)


def _place(module: LinkInput, end: LinkEnd) -> str:
    if end.range is not None:
        return f"{module.name}:{end.range.start.line + 1}"
    return module.name if end.instruction is None else f"{module.name}, instruction {end.instruction}"


def _finding(rule: str, end: LinkEnd, message: str) -> Diagnostic:
    return Diagnostic(rule, Severity.ERROR, message, end.range, end.instruction)
