"""NonSemantic.Graph.DebugInfo: what graphs, operations and tensors were called."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.module.operand_at import id_at
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import RUNS, ExtendedOperation, operation_of

_SET = "NonSemantic.Graph.DebugInfo"

#: What makes an operand, by its name: an opcode, or an instruction of the set.
_MAKERS: dict[str, int | str] = {"Graph": spv.OpGraphARM, "DebugGraph": "DebugGraph", "Name": spv.OpString}


@instruction_rule("ext-inst/graph-debug-operands-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=(_SET,))
def graph_debug_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """Graph debug information must describe a graph, operation or tensor, and have an OpString as name.

    A tool shows the string as the name of the graph, operation or tensor. If an operand is something else, the tool has no name or
    nothing to show it for.

    A DebugGraph must describe an OpGraphARM, and a DebugTensor a tensor, or a structure or array of tensors. A DebugOperation must
    name the DebugGraph of its graph and list at least one instruction, and only those in this graph; as in spirv-val, the graph
    itself is accepted too. The result type must be void. The rule is for the set NonSemantic.Graph.DebugInfo, and graphs are of the
    extension SPV_ARM_graph.
    """
    op = operation_of(inst, context, _SET)
    if op is None:
        return
    result = op.module.type(inst.type)
    if result is not None and result.kind != spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {op.name} is {op.spell(result)}, expected void")
        return
    for at in range(min(len(op.operands), 2)):
        name = op.id(at)
        maker = _maker(op, name) if name is not None else ""
        made_by = _MAKERS.get(op.role(at))
        wanted = tables.opcode_name(made_by) if isinstance(made_by, int) else made_by
        if name is None or not maker:
            continue
        if wanted is not None and maker != wanted:
            have, what = (f"{'an' if one[0] == 'O' else 'a'} {one}" for one in (maker, wanted))
            yield op.fault(at, f"{op.subject(at)} is {have}, expected {what}")
            return
        if wanted is None and _parts(op.type(at)) is None:
            shown = "not a value" if op.type(at) is None else op.spell(op.type(at))
            yield op.fault(at, f"{op.subject(at)} is {shown}, expected a tensor or a composite of tensors")
            return
    if op.name == "DebugOperation":
        yield from _described(op)


def _described(op: ExtendedOperation) -> Findings:
    """What is wrong with the instructions of a DebugOperation."""
    if len(op.operands) < _FIRST_DESCRIBED + 1:
        yield Finding(op.inst, OPCODE, "DebugOperation has no operand Instructions, expected at least one instruction of the graph")
        return
    debug_graph = op.module.definition(op.id(0) or "")
    graph = id_at(debug_graph, 2) if debug_graph is not None else None
    inside = _results_in(op, graph) if graph is not None else None
    for at in range(_FIRST_DESCRIBED, len(op.operands) if inside is not None else 0):
        if inside is not None and op.id(at) not in inside:
            message = f"{op.subject(at)} is not defined in the graph %{graph}, expected the result of an instruction in it"
            yield op.fault(at, message)
            return


_FIRST_DESCRIBED = 2


def _results_in(op: ExtendedOperation, graph: str) -> set[str] | None:
    """The results from OpGraphARM to its OpGraphEndARM; None where there is no such graph."""
    record = op.module.definition(graph)
    if record is None or record.opcode.value != spv.OpGraphARM:
        return None
    found = {graph}
    inside = False
    for chunk in op.module.chunks:
        for one in chunk.records:
            if one is record:
                inside = True
            elif inside and one.opcode.value == spv.OpGraphEndARM:
                return found
            elif inside and one.result is not None:
                found.add(one.result)
    return found


@instruction_rule("ext-inst/graph-debug-index-selects-part", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, sets=(_SET,))
def graph_debug_index_selects_part(inst: Instruction, context: RuleContext) -> Findings:
    """A DebugTensor must have an Index for a composite of tensors, and none for a single tensor.

    The Index selects the tensor that the name is for. Without it a tool cannot know which part has the name; for a single tensor
    there is nothing to select. The set permits each constant instruction of type u32; like spirv-val, the rule accepts only
    OpConstant. Unlike in spirv-val, the Index must also be less than the number of parts. A composite is a structure or an array.
    DebugTensor is an instruction of NonSemantic.Graph.DebugInfo.
    """
    op = operation_of(inst, context, _SET)
    parts = _parts(op.type(0)) if op is not None and op.name == "DebugTensor" else None
    if op is None or parts is None:
        return
    name, type_ = op.id(2), op.type(2)
    if name is None:
        if parts:
            yield op.fault(0, f"{op.subject(0)} is {op.spell(op.type(0))}, for which DebugTensor requires the operand Index")
    elif not parts:
        yield op.fault(2, f"{op.subject(0)} is a single tensor, for which DebugTensor must not have the operand Index")
    elif type_ is not None:
        number = op.module.integer(name)
        count = _count(op, op.type(0))
        if not (type_.is_int and type_.width == 32 and not type_.signed):
            yield op.operand_fault(2, "an OpConstant of type u32")
        elif op.module.opcode_of(name) != spv.OpConstant:
            yield op.fault(2, f"{op.subject(2)} is an {op.module.opcode_name_of(name)}, expected an OpConstant")
        elif number is not None and count is not None and number >= count:
            struct = op.type(0)
            parts_of = "members" if struct is not None and struct.is_struct else "elements"
            wanted = f"must be less than the number of {parts_of} of {op.subject(0)}, which is {count}"
            yield op.fault(2, f"{op.subject(2)} is {number}, but {wanted}")


def _maker(op: ExtendedOperation, name: str) -> str:
    """What makes an id: an instruction of the set, or else an opcode; empty where nothing does."""
    definition = op.module.definition(name)
    ran = op.module.extended_instruction(definition) if definition is not None else None
    if ran is not None and ran[0].startswith(_SET):
        return ran[1]
    return definition.opcode.name if definition is not None else ""


def _parts(type_: Type | None) -> bool | None:
    """Whether a type is a composite of tensors; None where it is not a tensor either."""
    if type_ is None:
        return None
    if type_.is_struct or type_.is_array:
        parts = type_.members if type_.is_struct else (type_.element,)
        return True if all(part is None or part.kind == spv.OpTypeTensorARM for part in parts) else None
    return False if type_.kind == spv.OpTypeTensorARM else None


def _count(op: ExtendedOperation, type_: Type | None) -> int | None:
    if type_ is None:
        return None
    return len(type_.member_ids) if type_.is_struct else op.module.integer(type_.length_id)
