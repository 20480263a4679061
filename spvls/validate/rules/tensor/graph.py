"""Graphs: their types, entry points, inputs and outputs (SPV_ARM_graph)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpGraphEntryPointARM_Graph, OpTypeGraphARM_NumInputs
from spvls.module.context_dependent import EXTENDED
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.sections import SOURCE_LINES
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, UNKNOWN, Instruction, shown
from spvls.validate.checks.operation import is_constant_id, unlike
from spvls.validate.checks.wording import are_given, counted, made_by, operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_UNIFORM_CONSTANT = StorageClass.UniformConstant


def _is_interface_type(type_: Type) -> bool:
    """Whether a graph may take or give it: a tensor, or an array of tensors."""
    element = type_.element if type_.is_array else type_
    return element is None or element.kind == spv.OpTypeTensorARM


def _graph_type(module: Module, name: str | None) -> Type | None:
    type_ = module.type(name)
    return type_ if type_ is not None and type_.kind == spv.OpTypeGraphARM else None


def _interface(type_: Type) -> list[str]:
    """The ids of a graph's inputs and outputs, in order."""
    return [operand for operand in type_.operands[1:] if isinstance(operand, str)]


@instruction_rule("tensor/graph-type-takes-tensors", spv.OpTypeGraphARM, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def graph_type_takes_tensors(inst: Instruction, context: RuleContext) -> Findings:
    """A graph must have at least one output, and inputs and outputs that are tensors or arrays of tensors.

    The application binds tensors to the graph; data of another type cannot be bound. A graph without an output computes nothing.
    The types of the inputs come first, and the rest are those of the outputs, so there must be more types than NumInputs says.
    For the graph of a pipeline, Vulkan also requires a Shape in each tensor type, which is not checked.
    """
    inputs = word_at(inst, OpTypeGraphARM_NumInputs)
    given = len(inst.operands) - 1
    if inputs is None:
        return
    if given <= inputs:
        types = f"only {are_given(given, 'type')}" if given else "no types are given"
        needs = "a graph must have at least one output type after its input types"
        at = OpTypeGraphARM_NumInputs if given < inputs else OPCODE
        yield Finding(inst, at, f"operand NumInputs is {inputs}, but {types}; {needs}")
        return
    for operand_index in range(1, len(inst.operands)):
        type_ = context.module.type(id_at(inst, operand_index))
        if type_ is not None and not _is_interface_type(type_):
            yield unlike(inst, operand_index, context.module.spell(type_), "a tensor or an array of tensors")
            return


@instruction_rule("tensor/graph-constant-is-tensor", spv.OpGraphConstantARM, section=sections.GRAPH_INSTRUCTIONS)
def graph_constant_is_tensor(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpGraphConstantARM must be a tensor.

    The application supplies the data of a graph constant as a tensor when it creates the pipeline. Data of another type cannot be
    supplied. For the constants of a pipeline, Vulkan also requires a Shape in the tensor type, which is not checked.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and type_.kind != spv.OpTypeTensorARM:
        yield unlike(inst, TYPE, context.module.spell(type_), "a tensor")


@instruction_rule("tensor/graph-has-graph-type", spv.OpGraphARM, section=sections.GRAPH_INSTRUCTIONS)
def graph_has_graph_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpGraphARM must be OpTypeGraphARM.

    The type lists the inputs and outputs of the graph. With another type, a driver cannot connect the graph to tensors.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and type_.kind != spv.OpTypeGraphARM:
        yield unlike(inst, TYPE, context.module.spell(type_), "a graph type (OpTypeGraphARM)")


@instruction_rule("tensor/graph-entry-point-matches-interface", spv.OpGraphEntryPointARM, section=sections.GRAPH_INSTRUCTIONS)
def graph_entry_point_matches_interface(inst: Instruction, context: RuleContext) -> Findings:
    """A graph entry point must name a graph, and a variable of the right type for each input and output.

    The variables, in the order of the graph type, say where the application binds the tensors of the graph. Without a variable, an
    input has no data; with one of another type, a driver may read the tensor in a wrong format. Only the first fault
    is reported. An id in the list that is not a variable is reported by `tensor/graph-entry-points-are-unique`.
    """
    module = context.module
    name = id_at(inst, OpGraphEntryPointARM_Graph)
    graph = module.definition(name) if name is not None else None
    if graph is None:
        return
    if graph.opcode.value != spv.OpGraphARM:
        yield unlike(inst, OpGraphEntryPointARM_Graph, made_by(graph), "a graph (OpGraphARM)")
        return
    type_ = _graph_type(module, graph.type)
    if type_ is None:
        return
    wanted = _interface(type_)
    given = inst.operands[2:]
    if len(wanted) != len(given):
        needs = f"requires {counted(len(wanted), 'variable')}, one for each input and each output"
        message = f"the entry point of graph %{name} {needs}, but {are_given(len(given))}"
        yield Finding(inst, OPCODE, message, (Note(type_.record, RESULT, f"the type of graph %{name} is declared here"),))
        return
    for operand_index, expected in enumerate(wanted, 2):
        pointer = module.type_of(id_at(inst, operand_index))
        pointee = pointer.pointee if pointer is not None else None
        if pointee is not None and pointee.id != expected:
            shown = f"{module.spell(pointee)} (%{pointee.id})"
            wants = f"expected {module.spell(module.type(expected))} (%{expected}) to match the type of graph %{name}"
            message = f"variable %{inst.operands[operand_index]!s} points to {shown}, {wants}"
            yield Finding(inst, operand_index, message)
            return


def _records(module: Module) -> Iterator[Instruction]:
    for chunk in module.chunks:
        for record in chunk.records:
            if not record.faults:
                yield record


@module_rule("tensor/graph-entry-points-are-unique", section=sections.GRAPH_INSTRUCTIONS)
def graph_entry_points_are_unique(context: RuleContext) -> Findings:
    """A module with GraphARM must have a graph entry point, and no two may have the same name.

    An application selects the entry point by its name, and supplies a graph constant by its GraphConstantID. If two have the same
    name or number, it is not defined which is meant. So the GraphConstantID of each OpGraphConstantARM must be different too. A
    graph entry point may list only OpVariables in the storage class UniformConstant; in each list, only the first id of something
    else is reported.
    """
    module = context.module
    if not module.has_capability(Capability.GraphARM):
        return
    names: dict[object, Instruction] = {}
    numbers: dict[object, Instruction] = {}
    for record in _records(module):
        if not record.operands:
            continue
        if record.opcode.value == spv.OpGraphEntryPointARM and len(record.operands) > 1:
            first = names.setdefault(record.operands[1], record)
            if first is not record:
                note = Note(first, 1, f"the Name {shown(record.operands[1])} is used here")
                message = f"the Name {shown(record.operands[1])} is already used by another graph entry point"
                yield Finding(record, 1, message, (note,))
            yield from _interface_variables(record, module)
        elif record.opcode.value == spv.OpGraphConstantARM:
            first = numbers.setdefault(record.operands[0], record)
            if first is not record:
                note = Note(first, RESULT, f"%{first.result} is declared here")
                message = f"the GraphConstantID {record.operands[0]!s} is already used by graph constant %{first.result}"
                yield Finding(record, 0, message, (note,))
    declared = module.declarations.declared_capabilities.get(Capability.GraphARM)
    if not names and declared is not None:
        yield Finding(declared, 0, "the capability GraphARM requires an OpGraphEntryPointARM, but the module has none")


def _interface_variables(record: Instruction, module: Module) -> Findings:
    for operand_index in range(2, len(record.operands)):
        name = id_at(record, operand_index)
        definition = module.definition(name) if name is not None else None
        if definition is None or definition.faults:
            continue
        if definition.opcode.value != spv.OpVariable or word_at(definition, 0) != _UNIFORM_CONSTANT:
            have, where = made_by(definition), "the storage class UniformConstant"
            if definition.opcode.value == spv.OpVariable:
                have, where = f"an OpVariable in the storage class {storage_name(word_at(definition, 0))}", "UniformConstant"
            message = f"%{name} is {have}, but the interface of a graph entry point may list only OpVariables in {where}"
            yield Finding(definition, RESULT, message, (Note(record, operand_index, f"the graph entry point lists %{name} here"),))
            return


@module_rule("tensor/graph-body-matches-interface", section=sections.GRAPH_INSTRUCTIONS)
def graph_body_matches_interface(context: RuleContext) -> Findings:
    """The body of a graph must begin with its inputs, end with its outputs, and match its graph type.

    By these instructions, a driver connects the graph to the tensors that the application binds. With another type, an input or
    output does not match its tensor; an output that is set twice has two values; a graph without an output computes nothing.
    OpGraphEndARM must follow the outputs. For the order, non-semantic OpExtInst instructions do not count, nor do OpLine and
    OpNoLine, which `tensor/graphs-are-made-of-graph-instructions` reports. Only modules with GraphARM are checked.

    Inputs and outputs are named by indexes, which must be 32-bit integers and, in Vulkan, constants. The index of an input must be
    less than the number of inputs, and the index of an output less than the number of outputs. No two instructions may name the
    same input or output, unless each of them names another element of an array of tensors by a second index, which must be less
    than the length of the array, if that is known. An instruction is not compared with the graph type if its first index can be
    specialized or is not a constant, nor with other instructions if either index is such. A graph must set at least one output, but
    otherwise inputs and outputs that no instruction names are not reported.
    """
    module = context.module
    if not module.has_capability(Capability.GraphARM):
        return
    graph: Instruction | None = None
    before = -1
    outputs = False
    seen: dict[tuple[int, int], list[tuple[Instruction, int | None]]] = {}
    for record in _records(module):
        opcode = record.opcode.value
        if opcode in SOURCE_LINES or (opcode == spv.OpExtInst and module.is_of_non_semantic_set(record)):
            continue
        if graph is not None and opcode in (spv.OpGraphARM, spv.OpGraphEntryPointARM):
            note = Note(graph, RESULT, f"the graph %{graph.result} begins here")
            message = f"graph %{graph.result} has no OpGraphEndARM before this {record.opcode.name}"
            yield Finding(record, OPCODE, message, (note,))
            return
        if opcode == spv.OpGraphARM:
            graph, outputs, seen = record, False, {}
        elif opcode == spv.OpGraphInputARM and before not in (spv.OpGraphARM, spv.OpGraphInputARM):
            yield Finding(record, OPCODE, "OpGraphInputARM must directly follow OpGraphARM or another OpGraphInputARM")
            return
        elif graph is not None and opcode == spv.OpGraphEndARM:
            if not outputs:
                yield Finding(record, OPCODE, f"graph %{graph.result} has no OpGraphSetOutputARM, expected at least one")
            graph = None
        elif graph is not None and opcode == spv.OpGraphSetOutputARM:
            outputs = True
        elif graph is not None and outputs:
            message = f"{record.opcode.name} must not come after an OpGraphSetOutputARM of graph %{graph.result}"
            yield Finding(record, OPCODE, message)
            return
        if graph is not None and opcode in _PLACES:
            fault = next(_interface_fault(record, graph, module, seen), None)
            if fault is not None:
                yield fault
        before = opcode
    if graph is not None:
        yield Finding(graph, RESULT, f"graph %{graph.result} has no OpGraphEndARM")


_IN_GRAPHS = frozenset(
    {
        spv.OpGraphEntryPointARM, spv.OpGraphARM, spv.OpGraphInputARM, spv.OpGraphSetOutputARM, spv.OpGraphEndARM,
        spv.OpCompositeExtract, *EXTENDED,
    }
)  # fmt: skip
"""What may be among graphs, which are the last section of a module."""


@module_rule("tensor/graphs-are-made-of-graph-instructions", section=sections.GRAPH_INSTRUCTIONS)
def graphs_are_made_of_graph_instructions(context: RuleContext) -> Findings:
    """After the first graph entry point or graph, a module may only have the instructions of graphs.

    These are graph entry points, graphs with their inputs and outputs, OpCompositeExtract and extended instructions; as in
    spirv-val, not OpLine or OpNoLine. Graphs are the last section of a module. A consumer that has read the types, constants and
    functions may reject others that follow, or miss them. Only modules with GraphARM are checked.

    An OpGraphSetOutputARM must be in a graph, and so must an OpCompositeExtract after the first graph entry point or graph. An
    extended instruction must be in a graph or a function, unless its set is non-semantic; before the first graph entry point or
    graph, debug information, such as that of OpenCL.DebugInfo.100, is not reported either. OpGraphEndARM must end a graph.
    """
    module = context.module
    if not module.has_capability(Capability.GraphARM):
        return
    among_graphs = among_functions = opened = False
    for record in _records(module):
        among_functions = among_functions or record.opcode.value == spv.OpFunction
        among_graphs = among_graphs or record.opcode.value in (spv.OpGraphEntryPointARM, spv.OpGraphARM)
        if among_graphs and record.opcode.value not in _IN_GRAPHS and record.opcode is not UNKNOWN:
            yield Finding(record, OPCODE, f"{record.opcode.name} must not be after the first graph entry point or graph")
            return
        if record.opcode.value == spv.OpGraphARM:
            opened = True
        elif opened:
            opened = record.opcode.value != spv.OpGraphEndARM
        elif record.opcode.value == spv.OpGraphEndARM:
            yield Finding(record, OPCODE, "OpGraphEndARM is not in a graph; it must end one that OpGraphARM begins")
            return
        elif _is_of_graph(record, module, among_graphs, among_functions):
            where = "in a function or between" if record.opcode.value in EXTENDED else "between"
            yield Finding(record, OPCODE, f"{record.opcode.name} must be {where} OpGraphARM and OpGraphEndARM")
            return


def _is_of_graph(record: Instruction, module: Module, among_graphs: bool, among_functions: bool) -> bool:
    if record.opcode.value in EXTENDED:
        if among_graphs:
            return not module.is_of_non_semantic_set(record)
        return not among_functions and not module.is_non_semantic(record)
    return record.opcode.value == spv.OpGraphSetOutputARM or (among_graphs and record.opcode.value == spv.OpCompositeExtract)


_PLACES = {spv.OpGraphInputARM: 0, spv.OpGraphSetOutputARM: 1}
"""The place of the index among the inputs or outputs; that of an element follows it."""

_VUIDS = {
    spv.OpGraphInputARM: "VUID-StandaloneSpirv-OpGraphInputARM-09931",
    spv.OpGraphSetOutputARM: "VUID-StandaloneSpirv-OpGraphSetOutputARM-09932",
}


def _interface_fault(
    record: Instruction,
    graph: Instruction,
    module: Module,
    seen: dict[tuple[int, int], list[tuple[Instruction, int | None]]],
) -> Findings:
    """What is wrong with an input or output of a graph; the first finding is the one to report."""
    opcode = record.opcode.value
    at = _PLACES[opcode]
    for operand_index in range(at, len(record.operands)):
        name = id_at(record, operand_index)
        type_ = module.type_of(name)
        if name is None or type_ is None:
            return
        if not (type_.is_int and type_.width == 32):
            yield unlike(record, operand_index, module.spell(type_), "a 32-bit integer")
        if module.environment.api == "vulkan" and not is_constant_id(module, name):
            message = f"{operand(record, operand_index)} is not a constant; Vulkan requires a constant"
            yield Finding(record, operand_index, message, vuid=_VUIDS[opcode])
    index = module.integer(id_at(record, at))
    graph_type_ = _graph_type(module, graph.type)
    if index is None or graph_type_ is None:
        return
    interface, first = _interface(graph_type_), graph_type_.word(0)
    parts = interface[:first] if at == 0 else interface[first:]
    what = "input" if at == 0 else "output"
    if not parts:
        yield Finding(record, at, f"{operand(record, at)} is {index}, but graph %{graph.result} has no {what}s")
        return
    if not 0 <= index < len(parts):
        yield unlike(record, at, index, f"less than {len(parts)}, the number of {what}s of graph %{graph.result}")
        return
    element = module.integer(id_at(record, at + 1)) if len(record.operands) > at + 1 else None
    whole = len(record.operands) <= at + 1
    yield from _element_fault(record, module, module.type(parts[index]), at, element, whole)
    if not whole and element is None:
        return
    others = seen.setdefault((opcode, index), [])
    for other, known in others:
        if whole or known is None or known == element:
            note = Note(other, OPCODE, f"the earlier {record.opcode.name} is here")
            part = "" if known is None else f"element {known} of "
            verb, passive = ("sets", "set") if at else ("names", "named")
            message = f"an earlier {record.opcode.name} already {verb} {part}{what} {index} of graph %{graph.result}"
            message += f"; each {'element' if part else what} must be {passive} only once"
            yield Finding(record, at, message, (note,))
            return
    others.append((record, element))


def _element_fault(record: Instruction, module: Module, type_: Type | None, at: int, element: int | None, whole: bool) -> Findings:
    if type_ is None:
        return
    wanted: Type | None = type_
    if not whole:
        if not type_.is_array:
            what = f"{'output' if at else 'input'} {module.integer(id_at(record, at))}"
            message = f"{operand(record, at + 1)} requires an array, but {what} is {module.spell(type_)}"
            yield Finding(record, at + 1, message)
            return
        length = module.integer(type_.length_id)
        if element is not None and length is not None and not 0 <= element < length:
            yield unlike(record, at + 1, element, f"less than {length}, the length of {module.spell(type_)}")
            return
        wanted = type_.element
    given = module.type(record.type) if at == 0 else module.type_of(id_at(record, 0))
    if given is not None and wanted is not None and given.id != wanted.id:
        types = [f"{module.spell(one)} (%{one.id})" for one in (given, wanted)]
        yield unlike(record, TYPE if at == 0 else 0, types[0], f"{types[1]} to match the graph type")
