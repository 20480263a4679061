"""Summaries as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.ide.documentation.demangle import demangled
from spvls.ide.flow.wording import counted
from spvls.ide.summary.block_members import BlockLayout, BlockMember
from spvls.ide.summary.kernel_text import reflection_lines
from spvls.ide.summary.summary import (
    CarriedSource,
    EntryPointSummary,
    InterfaceVariable,
    Resource,
    SpecConstant,
    Summary,
    Workgroup,
)
from spvls.ide.summary.table import Row, SummaryLine, section, table
from spvls.text.escaping import visible


def summary_lines(summary: Summary) -> list[SummaryLine]:
    """All of a summary, in sections; those that would be empty are left out, but for capabilities."""
    lines = (*_head(summary), *_sections(summary))
    return [line._replace(text=visible(line.text)) for line in lines]


def text(summary: Summary) -> str:
    """The lines as one text."""
    return "".join(f"{line.text}\n" for line in summary_lines(summary))


def _head(summary: Summary) -> Iterator[SummaryLine]:
    sizes = summary.sizes
    yield SummaryLine(f"SPIR-V {summary.version} · {summary.target_env} · {summary.generator}")
    parts = [counted(sizes.instructions, "instruction"), counted(sizes.words, "word"), counted(sizes.words * 4, "byte")]
    parts += [counted(sizes.functions, "function"), counted(sizes.blocks, "block")]
    if sizes.declarations:
        parts.append(counted(sizes.declarations, "declaration"))
    yield SummaryLine(" · ".join([*parts, f"bound {summary.bound}", *([f"schema {summary.schema}"] if summary.schema else [])]))
    models = [name for name in (summary.addressing_model, summary.memory_model) if name is not None]
    yield SummaryLine("Memory model: " + (" ".join(models) or "none"))


def _sections(summary: Summary) -> Iterator[SummaryLine]:
    yield from section("Capabilities", [((found.name,), found.range) for found in summary.capabilities] or [(("none",), None)])
    yield from section("Extensions", [((found.name,), found.range) for found in summary.extensions])
    yield from section("Imports", [((found.name, f"%{found.id}"), found.range) for found in summary.imports])
    for point in summary.entry_points:
        yield from _entry_point(point)
    if summary.resources:
        yield SummaryLine("")
        yield SummaryLine("Resources")
        several = len(summary.entry_points) > 1
        rows = [_resource(found, several=several) for found in summary.resources]
        for found, line in zip(summary.resources, table(rows), strict=True):
            yield line
            yield from _block(found.block)
    for constants in summary.push_constants:
        yield SummaryLine("")
        size = f" · {block_size(constants.block)}" if constants.block is not None else ""
        yield SummaryLine(f"Push constants {titled(constants.id, constants.name)}{size}", constants.range)
        yield from _block(constants.block)
    yield from section("Specialization constants", [_constant(found) for found in summary.spec_constants])
    yield from section("Sources", [_source(found) for found in summary.sources])
    yield from reflection_lines(summary.reflection)
    if summary.requirements:
        yield SummaryLine("")
        yield SummaryLine("Needs of a Vulkan device")
        for needed in summary.requirements:
            yield SummaryLine(f"  {needed.name}", needed.asked_by[0].range)
            yield from (SummaryLine(f"      {asked.name}", asked.range) for asked in needed.asked_by)


def _entry_point(point: EntryPointSummary) -> Iterator[SummaryLine]:
    yield SummaryLine("")
    spelled = demangled(point.name)
    title = [f'Entry point "{point.name}"', *([spelled] if spelled is not None else []), point.model, f"%{point.id}"]
    yield SummaryLine(" · ".join(title), point.range)
    if point.workgroup is not None:
        yield SummaryLine(f"  workgroup  {workgroup_text(point.workgroup)}", point.range)
    if point.modes:
        yield SummaryLine(f"  modes      {', '.join(point.modes)}", point.range)
    rows: list[Row] = []
    for variable in (*point.parameters, *point.interface):
        rows.append((_variable_cells(variable), variable.range))
        rows.extend((_variable_cells(member, "  "), variable.range) for member in variable.members)
    yield from table(rows)


def _variable_cells(variable: InterfaceVariable, indent: str = "") -> tuple[str, ...]:
    return (
        indent + (variable.storage or "parameter"),
        place_text(variable),
        titled(variable.id, variable.name),
        variable.type,
        ", ".join(variable.flags),
    )


def place_text(variable: InterfaceVariable) -> str:
    """Where an interface variable lies: its built-in, its location and component, or its set and binding."""
    if variable.built_in is not None:
        return variable.built_in
    parts = (
        ("location", variable.location),
        ("component", variable.component),
        ("index", variable.source_index),
        ("set", variable.set),
        ("binding", variable.binding),
    )
    return " ".join(f"{name} {number}" for name, number in parts if number is not None)


def titled(id_: str, name: str) -> str:
    """An id with the name that OpName or OpMemberName gives it."""
    shown = [f"%{id_}"] if id_ else []
    return " ".join([*shown, *([name] if name and name != id_ else [])])


def workgroup_text(workgroup: Workgroup) -> str:
    """The size of a workgroup, as its factors."""
    size = " × ".join("?" if part is None else str(part) for part in workgroup.size)
    return f"{size} ({workgroup.source}{', specialized' if workgroup.specialized else ''})"


def _resource(resource: Resource, *, several: bool) -> Row:
    """With `several` entry points, those that use it are named."""
    number = {1: "", 0: "[]", None: "[?]"}.get(resource.descriptors, f"[{resource.descriptors}]")
    place = [f"set {'?' if resource.set is None else resource.set}"]
    place.append(f"binding {'?' if resource.binding is None else resource.binding}")
    shown = [block_size(resource.block) if resource.block is not None else resource.type, *resource.flags]
    if several:
        shown.append(f"used by {' and '.join(resource.used_by) or 'no entry point'}")
    cells = (*place, resource.kind + number, titled(resource.id, resource.name), ", ".join(shown))
    return cells, resource.range


def block_size(block: BlockLayout) -> str:
    """How large a block is."""
    name = block.name if not block.name.startswith("%") else ""
    return f"{name}, {counted(block.size, 'byte')}{' and more' if block.unbounded else ''}".removeprefix(", ")


def _block(block: BlockLayout | None) -> Iterator[SummaryLine]:
    if block is None:
        return
    rows = [(cells, None) for cells in _members(block.members, 0)]
    yield from table(rows, "      ")


def _members(members: Sequence[BlockMember], depth: int) -> Iterator[tuple[str, ...]]:
    for member in members:
        name = member.name or f"member {member.place}"
        notes = [f"stride {member.stride}"] if member.stride is not None else []
        if member.matrix_stride is not None:
            notes.append(f"{'rows' if member.row_major else 'columns'} every {member.matrix_stride}")
        notes += member.decorations
        at = "?" if member.offset is None else str(member.offset)
        size = "" if member.size is None else counted(member.size, "byte")
        yield ("  " * depth + f"{at:>4}", name, member.type, size, ", ".join(notes))
        yield from _members(member.members, depth + 1)


def _constant(constant: SpecConstant) -> Row:
    spec_id = "no SpecId" if constant.spec_id is None else f"SpecId {constant.spec_id}"
    uses = f"used by {', '.join(constant.used_by)}" if constant.used_by else "not used"
    cells = (spec_id, titled(constant.id, constant.name), constant.type, f"= {constant.default}", constant.values, uses)
    return cells, constant.range


def _source(source: CarriedSource) -> Row:
    size = "text not in the module" if source.bytes is None else counted(source.bytes, "byte")
    return (source.name, source.language, size), None
