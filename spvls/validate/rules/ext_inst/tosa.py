"""TOSA.001000.1: operators on tensors in graphs; spirv-val checks none of their operands."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.wording import counted, listed
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.ext_inst.operation import GRAPH_SETS, RUNS, ExtendedOperation, operation_of, takes_values
from spvls.validate.rules.ext_inst.tensor_kind import extent, is_constant_in_graph, rank, tensors
from spvls.validate.rules.ext_inst.tosa_operator import CHOICES, LIMITS, OPERATORS, RESULT, SCALARS, Operator

_SET = "TOSA.001000.1"
_SPECTRUM = tensors("f32", 3)


@instruction_rule(
    "ext-inst/tosa-operands-match", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=(_SET,)
)
def tosa_operands_match(inst: Instruction, context: RuleContext) -> Findings:
    """The operands of a TOSA operator must be constants and tensors of the required types and ranks.

    A driver may select an implementation by the types and ranks when it compiles the graph. For other types or ranks the operator
    is not defined.

    Attributes come first and must be constants: u32 numbers, Booleans, and rank-1 tensors of u32 for lists such as stride and pad.
    min_val and max_val have the element type of the input. Zero points must be constant tensors with one element. Integer types
    must have signedness 0. OpGraphConstantARM of SPV_ARM_graph and specialization constants count as constants. The types and ranks
    of tensors are those of the set, such as rank 4 for CONV2D. Not all that the set requires is checked: for example, 8-bit floats
    are accepted in SELECT and RESIZE, and neither an unknown rank nor whether the shape of RESHAPE is a constant is checked. Only
    the first operand that is wrong is reported.

    A warning, because spirv-val does not check the set TOSA.001000.1.
    """
    op = operation_of(inst, context, _SET)
    if op is not None:
        fault = takes_values(op)
        yield from (fault,) if fault is not None else _operand_faults(op, OPERATORS[op.name])


@instruction_rule(
    "ext-inst/tosa-result-matches", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=(_SET,)
)
def tosa_result_matches(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a TOSA operator must have the element types and ranks that the set requires.

    The operator defines what it computes; a tensor of another type or rank may lack a place for elements, or receive wrong bits.
    The result of a Fourier transform must be a structure of two rank-3 tensors of f32: the real and the imaginary part. All other
    operators give one tensor: for example, a comparison gives a tensor of Booleans, and CONV2D one of rank 4.

    The types and ranks are those of TOSA.001000.1. 8-bit floats from SELECT and RESIZE, which the set does not define, are not
    reported. Many operators permit several types; see `ext-inst/tosa-element-types-match` for the one that fits the operands.
    Integers must have signedness 0, and the 48-bit integers of TOSA have 64 bits. Of tensors of unknown rank, only the element type
    is checked. Operators are in graphs of SPV_ARM_graph.

    A warning, because spirv-val does not check the set TOSA.001000.1.
    """
    op = operation_of(inst, context, _SET)
    if op is None or op.result is None:
        return
    wanted = OPERATORS[op.name].result
    if wanted is None:
        parts = op.result.members
        if len(parts) != 2 or not all(part is None or _SPECTRUM.holds(op.module, part) for part in parts):
            yield op.result_fault("a structure of two rank-3 tensors of f32")
    elif not wanted.holds(op.module, op.result):
        yield op.result_fault(wanted.name)


@instruction_rule(
    "ext-inst/tosa-element-types-match",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(tosa_operands_match, tosa_result_matches),
    sets=(_SET,),
)
def tosa_element_types_match(inst: Instruction, context: RuleContext) -> Findings:
    """The element types of the tensors of a TOSA operator must match.

    With other types a sum may overflow, or a driver may have no implementation.

    For most operators, the result and the tensors that it is computed from must have the same element type. Some give another one:
    for example, convolutions and MATMUL sum 8-bit integers to 32 bits and 16-bit integers to 48 bits in a 64-bit type, and
    comparisons give Booleans. The zero point of an input or of the output has the type of that tensor, and the bias of a
    convolution that of the result. The input and the weight of a convolution are not compared, and neither are the input and the
    result of CAST and RESCALE. Operators are in graphs of SPV_ARM_graph.

    A warning, because spirv-val does not check the set TOSA.001000.1.
    """
    op = operation_of(inst, context, _SET)
    if op is None:
        return
    operator = OPERATORS[op.name]
    first = op.type(_place(op, next(iter(operator.inputs))))
    given = first.element if first is not None else None
    made = op.result.element if op.result is not None else None
    wanted = operator.gives.get(op.spell(given)) if given is not None else None
    if wanted is not None and made is not None and op.spell(made) not in wanted.split():
        role = next(iter(operator.inputs))
        expected = f"a tensor of {listed(wanted.split())}, because {op.subject(_place(op, role))} is a tensor of {op.spell(given)}"
        yield op.result_fault(expected)
        return
    for row in operator.alike:
        finding = _unlike(op, row)
        if finding is not None:
            yield finding
            return


@instruction_rule(
    "ext-inst/tosa-ranks-match",
    *RUNS,
    section=sections.EXTENSION_INSTRUCTIONS,
    severity=Severity.WARNING,
    after=(tosa_operands_match, tosa_result_matches),
    sets=(_SET,),
)
def tosa_ranks_match(inst: Instruction, context: RuleContext) -> Findings:
    """The tensors of a TOSA operator that works element by element must have the same rank.

    Elements are combined at the same coordinates. Dimensions of size 1 are repeated as needed, but missing dimensions are not
    added: use RESHAPE first. Operators that reduce or move elements must keep the rank too, except for RESHAPE; the result of
    ARGMAX must have one dimension less than its input, or one if the input has one, where the set would give rank 0. Zero points,
    lists and others that must have rank 1, such as the shift of MUL, are exempt. For operators with fixed ranks, such as
    convolutions and GATHER, see `ext-inst/tosa-operands-match` and `ext-inst/tosa-result-matches`. Tensors without a known rank are
    not checked. Operators are in graphs of SPV_ARM_graph.

    A warning, because spirv-val does not check the set TOSA.001000.1.
    """
    op = operation_of(inst, context, _SET)
    if op is None or op.result is None:
        return
    module = op.module
    if op.name == "ARGMAX":
        place = _place(op, "input")
        type_ = op.type(place)
        given, made = rank(module, type_) if type_ is not None else None, rank(module, op.result)
        if given is not None and made is not None and made != max(1, given - 1):
            expected = f"expected {max(1, given - 1)}, because {op.subject(place)} has rank {given}"
            yield op.fault(TYPE, f"the result type of ARGMAX has rank {made}, {expected}")
        return
    ranks = [(at, known) for at, type_ in _tensors(op, OPERATORS[op.name].level) if (known := rank(module, type_)) is not None]
    for at, known in ranks[1:]:
        if known != ranks[0][1]:
            who = f"the result type of {op.name}" if at == TYPE else op.subject(at)
            yield op.fault(at, f"{who} has rank {known}, expected rank {ranks[0][1]} to match {op.subject(ranks[0][0])}")
            return


@instruction_rule(
    "ext-inst/tosa-attributes-are-in-range", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING, sets=(_SET,)
)
def tosa_attributes_are_in_range(inst: Instruction, context: RuleContext) -> Findings:
    """An attribute of a TOSA operator must have a value that is defined for it.

    An axis must be a dimension of the tensor, counted from 0; nan_mode must be 1 or 2, acc_type 1 to 4, but not 4 (INT48) for
    AVG_POOL2D, rounding_mode 1 to 3, and mode 1 or 2. For another value the operator is not defined: a driver may reject the graph
    or write outside of a tensor. Only constants that cannot be specialized are checked. Other attributes, such as strides, are
    not checked, nor is the axis of a tensor of unknown rank, nor whether acc_type fits the input. Operators are in graphs of
    SPV_ARM_graph.

    A warning, because spirv-val does not check the set TOSA.001000.1.
    """
    op = operation_of(inst, context, _SET)
    if op is None:
        return
    for at in range(len(op.operands)):
        role = op.role(at)
        choices = CHOICES.get(role)
        number = op.module.integer(op.operands[at]) if choices is not None or role == "axis" else None
        if number is None:
            continue
        if choices is None:
            tensor = op.type(len(op.operands) - 1)
            known = rank(op.module, tensor) if tensor is not None and tensor.kind == spv.OpTypeTensorARM else None
            if known is not None and not 0 <= number < known:
                last = op.subject(len(op.operands) - 1)
                dimensions = f"0 {'or' if known == 2 else 'to'} {known - 1}" if known > 1 else "0"
                yield op.fault(at, f"{op.subject(at)} is {number}, expected {dimensions}, because {last} has rank {known}")
                return
        elif number not in choices or (op.name == "AVG_POOL2D" and choices[number] == "INT48"):
            names = [f"{value} ({name})" for value, name in choices.items() if op.name != "AVG_POOL2D" or name != "INT48"]
            yield op.fault(at, f"{op.subject(at)} is {number}, expected {listed(names)}")
            return


@instruction_rule(
    "ext-inst/graph-operators-are-in-graphs", *RUNS, section=sections.EXTENSION_INSTRUCTIONS, severity=Severity.WARNING,
    sets=GRAPH_SETS,
)
def graph_operators_are_in_graphs(inst: Instruction, context: RuleContext) -> Findings:
    """Operators of TOSA.001000.1 and Arm.MotionEngine.100 must be in graphs, not in functions.

    A data graph pipeline runs a graph of operators on whole tensors. The invocations of a shader or kernel do not run such an
    operator, so a driver may have no code for it in a function. Graphs are of SPV_ARM_graph. The set Arm.ExperimentalMLOperations
    is not checked, nor are operators that are neither in a function nor in a graph.
    """
    op = operation_of(inst, context, *GRAPH_SETS)
    if op is None or not context.is_in_function:
        return
    if inst.result not in context.chunk_state("of graphs", lambda: _of_graphs(context)):
        yield op.fault(-1, f"{op.name} of {op.imported.name} must be in a graph, not in a function")


def _of_graphs(context: RuleContext) -> frozenset[str | None]:
    """The results after the end of the function, where graphs stand."""
    records = context.function.records if context.function is not None else []
    end = next((at for at, record in enumerate(records) if record.opcode.value == spv.OpFunctionEnd), len(records))
    return frozenset(record.result for record in records[end:])


def _operand_faults(op: ExtendedOperation, operator: Operator) -> Findings:
    """What is wrong with operands taken alone; the first finding is the one to report."""
    for at in range(len(op.operands)):
        fault = _operand_fault(op, operator, at)
        if fault is not None:
            yield fault
            return


def _operand_fault(op: ExtendedOperation, operator: Operator, at: int) -> Finding | None:
    role, name, type_ = op.role(at), op.id(at), op.type(at)
    tensor = operator.inputs.get(role)
    length = operator.lists.get(role)
    is_attribute = tensor is None
    if name is None or type_ is None:
        return None
    if (is_attribute or role.endswith("_zp")) and not is_constant_in_graph(op.module, name):
        return op.fault(at, f"{op.subject(at)} must be a constant")
    if role in operator.lists:
        tensor = tensors("u32", 1, length)
    if tensor is not None:
        count = extent(op.module, type_) if tensor.length and type_.kind == spv.OpTypeTensorARM else None
        have = f"rank 1, {counted(count, 'element')}" if count is not None else ""
        return None if tensor.holds(op.module, type_) else op.operand_fault(at, tensor.name, have=have)
    wanted = SCALARS.get(role)
    if role in LIMITS:
        input_ = op.type(_place(op, "input"))
        element = input_.element if input_ is not None and input_.kind == spv.OpTypeTensorARM else None
        wanted = op.spell(element) if element is not None else None
    if wanted is None or op.spell(type_) == wanted:
        return None
    why = f" to match the elements of {op.subject(_place(op, 'input'))}" if role in LIMITS else ""
    return op.operand_fault(at, f"{wanted}{why}")


def _place(op: ExtendedOperation, role: str) -> int:
    """Where an operand stands."""
    return next((at for at in range(len(op.operands)) if op.role(at) == role), len(op.operands))


def _tensors(op: ExtendedOperation, names: tuple[str, ...]) -> Iterator[tuple[int, Type]]:
    """Operands, and the result, with their types; a name may stand for several operands."""
    for at in range(len(op.operands)):
        type_ = op.type(at) if op.role(at) in names else None
        if type_ is not None:
            yield at, type_
    if RESULT in names and op.result is not None:
        yield TYPE, op.result


def _unlike(op: ExtendedOperation, names: tuple[str, ...]) -> Finding | None:
    """The first of several tensors whose elements are not those of the first."""
    found = [(at, type_.element) for at, type_ in _tensors(op, names)]
    known = [(at, element) for at, element in found if element is not None]
    for at, element in known[1:]:
        if element.id != known[0][1].id:
            expected = f"a tensor of {op.spell(known[0][1])} to match {op.subject(known[0][0])}"
            return op.result_fault(expected) if at == TYPE else op.operand_fault(at, expected)
    return None
