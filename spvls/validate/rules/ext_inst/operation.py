"""Instructions of extended sets as rules see them, and what checks of them have in common.

The operands of an `ExtendedOperation` are those behind the set and the instruction's number, as the set counts them.
"""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import FPEncoding
from spvls.grammar.records import ExtendedInstruction, ExtendedSet
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import AnyKind, bits_wide, dimension, width
from spvls.validate.checks.operation import Check, Operation, counted, first_fault
from spvls.validate.checks.wording import listed, made_by
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext

RUNS = (spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR)
"""The opcodes that run an instruction of an extended set."""

GRAPH_SETS = ("TOSA.001000.1", "Arm.MotionEngine.100")
"""The sets whose instructions are operators of graphs."""

_ENCODINGS = frozenset({FPEncoding.BFloat16KHR, FPEncoding.Float8E4M3EXT, FPEncoding.Float8E5M2EXT})


class Imported(NamedTuple):
    """An imported set: the string that names it, and the set."""

    name: str
    set: ExtendedSet

    @property
    def revision(self) -> int:
        """The revision that the import asks for; 0 where it says none."""
        return self.set.revision_of(self.name) or 0


class ExtendedOperation(Operation):
    """`name` is that of the instruction in its set; `opcode` stays OpExtInst."""

    __slots__ = ("imported", "instruction")

    def __init__(
        self, inst: Instruction, context: RuleContext, imported: Imported, instruction: ExtendedInstruction
    ) -> None:
        super().__init__(inst, context)
        self.imported = imported
        self.instruction = instruction
        self.operands = inst.operands[2:]
        self._first = 2
        self.name = instruction.name

    def role(self, at: int) -> str:
        declared = self.instruction.operands
        if at < len(declared):
            return declared[at].name
        return declared[-1].name if declared and declared[-1].quantifier == "*" else ""


def imported(name: str, context: RuleContext) -> Imported | None:
    """The set that an id imports, where it is a known one."""
    sets: dict[str, Imported | None] = context.memo("extended/imported", dict)
    if name not in sets:
        import_name = context.module.import_name(name)
        known = tables.extended_set(import_name) if import_name is not None else None
        sets[name] = Imported(import_name, known) if import_name is not None and known is not None else None
    return sets[name]


def operation_of(inst: Instruction, context: RuleContext, *set_names: str) -> ExtendedOperation | None:
    """What an OpExtInst runs, where it is an instruction of one of these sets."""
    found = known_operation_of(inst, context)
    return found if found is not None and found.imported.set.name in set_names else None


def known_operation_of(inst: Instruction, context: RuleContext) -> ExtendedOperation | None:
    """What an OpExtInst runs, where it is an instruction of a known set.

    Many rules ask this of an instruction in turn, so the last answer is kept.
    """
    last = context.memo("extended/last", _Last)
    if last.inst is not inst:
        last.inst, last.operation = inst, _operation(inst, context)
    return last.operation


class _Last:
    """The instruction that was asked for last, and what it runs."""

    __slots__ = ("inst", "operation")

    def __init__(self) -> None:
        self.inst: Instruction | None = None
        self.operation: ExtendedOperation | None = None


def _operation(inst: Instruction, context: RuleContext) -> ExtendedOperation | None:
    operands = inst.operands
    if len(operands) < 2 or not isinstance(operands[0], str) or not isinstance(operands[1], int):
        return None
    found = imported(operands[0], context)
    instruction = found.set.by_value(operands[1]) if found is not None else None
    if found is None or instruction is None:
        return None
    return ExtendedOperation(inst, context, found, instruction)


def rows(checks: tuple[Check, ...], names: str) -> dict[str, tuple[Check, ...]]:
    """The same checks for each of the instructions."""
    return dict.fromkeys(names.split(), checks)


def takes_values(op: Operation) -> Finding | None:
    """No operand is something without a value, such as a label; types are another rule's."""
    for at, name in enumerate(op.operands):
        if isinstance(name, str) and op.type(at) is None:
            definition = op.module.definition(name)
            if definition is not None and definition.type is None and not definition.opcode.is_type:
                return op.fault(at, f"{op.subject(at)} is {made_by(definition)}, expected a value")
    return None


def type_faults(op: Operation, checks: tuple[Check, ...]) -> Findings:
    """What is wrong with the types of an instruction of GLSL.std.450 or OpenCL.std, which has these checks."""
    fault = takes_values(op)
    encoded = _has_ieee_floats(op) if fault is None else None
    if fault is not None:
        yield fault
    elif encoded is None:
        yield from first_fault(op, checks)
    else:
        found = next(first_fault(op, checks), encoded)
        yield found if found.operand_index == encoded.operand_index else encoded


def _has_ieee_floats(op: Operation) -> Finding | None:
    """GLSL.std.450 and OpenCL.std know no floats but those of IEEE 754."""
    if _is_encoded(op.result):
        return op.result_fault(_ieee_floats(op.result))
    found = (at for at, name in enumerate(op.operands) if isinstance(name, str) and _is_encoded(op.type(at)))
    at = next(found, None)
    return None if at is None else op.operand_fault(at, _ieee_floats(op.type(at)))


def _ieee_floats(type_: Type | None) -> str:
    """What may stand in the place of a type of other floats."""
    return "an IEEE 754 float" if type_ is not None and type_.is_scalar else "IEEE 754 floats as components"


def _is_encoded(type_: Type | None) -> bool:
    scalar = type_.scalar if type_ is not None else None
    return scalar is not None and scalar.encoding in _ENCODINGS


def result_has_width(*widths: int) -> Check:
    """The scalars of the result have one of these widths, in bits."""

    def check(op: Operation) -> Finding | None:
        if op.result is None or width(op.result) in widths:
            return None
        return op.result_fault(f"{_any_of(widths)} bits", have=bits_wide(op.result))

    return check


def operand_has_width(at: int, *widths: int) -> Check:
    """The scalars of an operand have one of these widths, in bits."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or width(type_) in widths:
            return None
        return op.operand_fault(at, f"{_any_of(widths)} bits", have=bits_wide(type_))

    return check


def result_has_count(*counts: int, unnamed: int | None = None) -> Check:
    """The result has so many components, or so many; or `unnamed`, which messages do not recommend."""
    permitted = {*counts, unnamed}

    def check(op: Operation) -> Finding | None:
        if op.result is None or dimension(op.module, op.result) in permitted:
            return None
        return op.result_fault(f"{_any_of(counts)} components", have=counted(dimension(op.module, op.result)))

    return check


def operand_has_count(at: int, *counts: int, unnamed: int | None = None) -> Check:
    """An operand has so many components, or so many; or `unnamed`, which messages do not recommend."""
    permitted = {*counts, unnamed}

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or dimension(op.module, type_) in permitted:
            return None
        return op.operand_fault(at, f"{_any_of(counts)} components", have=counted(dimension(op.module, type_)))

    return check


def has_scalar_of_result(at: int) -> Check:
    """The components of an operand have the type of the result's components."""

    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None:
            return None
        scalar, wanted = type_.scalar, result.scalar
        if scalar is None or wanted is None or scalar.id == wanted.id:
            return None
        return op.operand_fault(at, f"components of type {op.spell(wanted)} to match the result type")

    return check


def in_storage(at: int, *storage_classes: int) -> Check:
    """A pointer points into one of these storage classes."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or not type_.is_pointer or type_.storage in storage_classes:
            return None
        return op.operand_fault(at, f"a pointer to the storage class {listed([*map(storage_name, storage_classes)])}")

    return check


def points_to_result(at: int) -> Check:
    """A pointer points to the result type."""

    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None or type_.element_id == result.id:
            return None
        return op.operand_fault(at, f"a pointer to {op.spell(result)} to match the result type")

    return check


def pointee_is(at: int, kind: AnyKind) -> Check:
    """What a typed pointer points to belongs to a kind."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        pointee = pointee_of(type_)
        if type_ is None or (pointee is not None and kind.holds(pointee)) or _is_unknown(type_):
            return None
        return op.operand_fault(at, f"a pointer to {kind.name}")

    return check


def unless_untyped(at: int, checked: Check) -> Check:
    """A pointer passes a check, or is untyped, or leads to an untyped pointer."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        is_untyped = type_ is not None and spv.OpTypeUntypedPointerKHR in op.module.contents(type_.id)
        return None if is_untyped else checked(op)

    return check


def pointee_has_count_of_result(at: int) -> Check:
    """The integers that a pointer points to are as many as the components of the result."""

    def check(op: Operation) -> Finding | None:
        pointee = pointee_of(op.type(at))
        if pointee is None or op.result is None:
            return None
        wanted = dimension(op.module, op.result)
        if dimension(op.module, pointee) == wanted:
            return None
        whose = f"the result type {op.spell(op.result)}"
        if not wanted:
            return op.operand_fault(at, f"a pointer to a vector of integers with as many components as {whose}")
        if wanted == 1:
            return op.operand_fault(at, f"a pointer to an integer scalar, because {whose} is a scalar")
        return op.operand_fault(at, f"a pointer to a vector of {wanted} integers, because {whose} has {counted(wanted)}")

    return check


def pointee_of(type_: Type | None) -> Type | None:
    """What a typed pointer points to; None where that is not known."""
    return type_.pointee if type_ is not None else None


def _is_unknown(pointer: Type) -> bool:
    """Whether the declaration of what a typed pointer points to is missing."""
    return pointer.kind == spv.OpTypePointer and pointer.pointee is None


def bits_of(widths: tuple[int, ...]) -> str:
    """Widths as an attribute: `32-bit`, `16- or 32-bit`."""
    return f"{listed([f'{width}-' for width in widths])}bit"


def _any_of(numbers: tuple[int, ...]) -> str:
    return listed([str(number) for number in numbers if number])
