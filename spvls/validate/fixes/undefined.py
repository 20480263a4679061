"""Quick fixes that declare an id which is used and not defined: by what its name says, or by how it is used."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.binary.implied_declaration import implied_declarations, implied_id
from spvls.grammar import spv
from spvls.grammar.enumerants import ExecutionModel, StorageClass
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.next_number import next_location
from spvls.module.sections import Section, section_of
from spvls.module.variable import storage_name
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import AFTER_DECLARATIONS, Append, FindingFix, InsertAfter, InsertBefore, Replace, Step
from spvls.validate.engine.rule import RuleContext
from spvls.validate.fixes.common import decorating, is_interpolated, pointer_type

_INTERFACES = (ExecutionModel.Vertex, ExecutionModel.Fragment)
"""Execution models whose inputs and outputs have a Location, and are no arrays."""


def declarations(name: str, inst: Instruction, operand_index: int, context: RuleContext) -> tuple[FindingFix, ...]:
    """The fixes for an undefined id at its first use: what its name says comes first, and is preferred."""
    module = context.module
    known = implied_id(name, module)
    if known is not None:
        return (FindingFix(f"Change to %{known}", (Replace(inst, operand_index, f"%{known}"),)),)
    if context.function is None and section_of(inst.opcode) is not Section.TYPES:
        return ()
    lines = implied_declarations(name, module)
    if lines:
        place = context.record or inst if context.function is None else AFTER_DECLARATIONS
        return (FindingFix(f"Declare {lines[-1]}", (InsertBefore(place, "\n".join(lines)),)),)
    if context.function is None:
        return ()
    return tuple(_variables(name, inst, operand_index, context.function, module))


def _variables(name: str, inst: Instruction, operand_index: int, function: Function, module: Module) -> Iterator[FindingFix]:
    """Variables for a pointer that is loaded from or stored to."""
    if operand_index != 0 or inst.opcode.value not in _ACCESSES or not function.blocks:
        return
    stored = inst.operands[1] if inst.opcode.value == spv.OpStore else None
    held = module.value_type(stored) if isinstance(stored, str) else inst.type
    type_ = module.type(held) if held is not None else None
    if held is None or type_ is None or not module.is_global(held):
        return
    storage = _ACCESSES[inst.opcode.value]
    points = [point for point in module.declarations.entry_points if point.function == function.name]
    is_input = storage == StorageClass.Input
    passes = (type_.is_scalar or type_.is_vector) and type_.scalar is not None and type_.scalar.is_numeric
    if passes and len(points) == 1 and points[0].model in _INTERFACES and not (is_input and _is_stored_to(name, function)):
        pointer, line = pointer_type(held, storage, module)
        lines = [*filter(None, [line]), f"%{name} = OpVariable %{pointer} {storage_name(storage)}"]
        decorations = [f"OpDecorate %{name} Location {next_location(module, storage)}"]
        if is_input and points[0].model == ExecutionModel.Fragment and not is_interpolated(type_):
            decorations.append(f"OpDecorate %{name} Flat")
        steps: tuple[Step, ...] = (
            InsertBefore(AFTER_DECLARATIONS, "\n".join(lines)),
            *decorating(name, decorations, module),
            Append(points[0].record, f"%{name}"),
        )
        yield FindingFix(f"Declare %{name} as an {storage_name(storage).lower()} variable", steps, preferred=False)
    pointer, line = pointer_type(held, StorageClass.Function, module)
    entry = next(iter(function.blocks.values())).label
    own: tuple[Step, ...] = (InsertAfter(entry, f"%{name} = OpVariable %{pointer} Function"),)
    steps = (InsertBefore(AFTER_DECLARATIONS, line), *own) if line is not None else own
    yield FindingFix(f"Declare %{name} as a variable of the function", steps, preferred=False)


def _is_stored_to(name: str, function: Function) -> bool:
    return any(record.opcode.value == spv.OpStore and record.operands[:1] == (name,) for record in function.records)


_ACCESSES = {spv.OpLoad: StorageClass.Input, spv.OpStore: StorageClass.Output}
"""By opcode: the storage class of the interface variable that it may be about."""
