"""Interfaces of entry points: the variables that they list, and those that their functions use (SPIR-V 3.3.5); which of them have
an element for each vertex (Vulkan, Location and Component Assignment)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration, ExecutionModel, StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.declarations import EntryPoint
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction

IN_OUT = frozenset({StorageClass.Input, StorageClass.Output})
OUTPUT = StorageClass.Output

INTERFACES = {spv.OpEntryPoint: 3, spv.OpConditionalEntryPointINTEL: 4}
"""Where the interface of an entry point begins; its function stands two operands before."""

_INPUTS = frozenset({ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry})
_OUTPUTS = frozenset({ExecutionModel.TessellationControl, ExecutionModel.MeshNV, ExecutionModel.MeshEXT})
"""Execution models whose inputs and whose outputs have an element for each vertex."""

_SINGLE = {
    ExecutionModel.TessellationControl: Decoration.Patch,
    ExecutionModel.TessellationEvaluation: Decoration.Patch,
    ExecutionModel.MeshNV: Decoration.PerTaskNV,
}
"""By execution model: the decoration of variables that are not for each vertex."""


class Variable(NamedTuple):
    """A variable that an entry point lists as its operand `operand_index`; `storage` is its storage class, `type` what it holds."""

    operand_index: int
    name: str
    record: Instruction
    storage: int
    type: Type | None


def is_per_vertex(model: int, storage: int, decorations: Collection[int] = ()) -> bool:
    """Whether a variable with such decorations has an element for each vertex."""
    if storage == StorageClass.Input and model == ExecutionModel.Fragment:
        return Decoration.PerVertexKHR in decorations
    models = _INPUTS if storage == StorageClass.Input else _OUTPUTS if storage == StorageClass.Output else frozenset[int]()
    return model in models and _SINGLE.get(model) not in decorations


def listed(inst: Instruction, module: Module) -> Iterator[Variable]:
    """The variables among the interface of an entry point, with those that it lists again."""
    for operand_index, name in enumerate(inst.operands):
        if operand_index < INTERFACES[inst.opcode.value] or not isinstance(name, str):
            continue
        record = module.definition(name)
        if record is not None and record.opcode.value in VARIABLES and not record.faults:
            held = held_by(record, module)
            yield Variable(operand_index, name, record, -1 if (word := word_at(record, 0)) is None else word, held)


def users(variable: str, module: Module) -> tuple[EntryPoint, ...]:
    """The entry points whose functions use a variable, themselves or by other global instructions, in the order of the text;
    for rules on the module."""
    ids, main = module.ids, module.chunks[0]
    declared = module.declarations.entry_points
    seen = {variable}
    waiting = [variable]
    functions: set[str] = set()
    entries, all_of_them = 0, (1 << len(declared)) - 1
    while waiting and entries != all_of_them:
        name = waiting.pop()
        for chunk in ids.using_chunks(name):
            if chunk is not main:
                function = chunk.records[0].result if chunk.is_function else None
                if function is None or function in functions:
                    continue
                if not any(module.is_in_function(use, chunk) for use in ids.scope(chunk).uses_of(name)):
                    continue
                functions.add(function)
                entries |= module.callgraph.reached_bits(function)
                if entries == all_of_them:
                    break
                continue
            for record in ids.scope(main).uses_of(name):
                if record.result is not None and record.result not in seen:
                    seen.add(record.result)
                    waiting.append(record.result)
    return module.callgraph.entry_points(entries)


def decorated_within(type_: Type | None, decoration: int, module: Module) -> bool:
    """Whether a structure, a member of it, or a structure that it holds as a member, has a decoration."""
    structures = (found for found in parts(type_, lambda found: found.is_struct) if found.is_struct or found is type_)
    return any(found.value == decoration for struct in structures for found in module.decorations(struct.id))
