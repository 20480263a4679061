"""An instruction as rules on operand and result types see it, and the checks that their tables are made of.

A table gives each opcode a row of checks; the first that fails is the fault of the instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spvls.grammar import spv, tables, traits
from spvls.grammar.records import Opcode
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction, Operand
from spvls.validate.checks.kinds import COOPERATIVE, AnyKind, bits_wide, dimension, width
from spvls.validate.checks.wording import named, operand
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext
from spvls.validate.fixes.common import converted


class Operation:
    """`opcode` and `operands` are those of an OpSpecConstantOp's inner operation; else the instruction's own.

    `code` and `name` are the opcode's value and name."""

    __slots__ = ("_first", "code", "context", "inst", "module", "name", "opcode", "operands", "result")

    def __init__(self, inst: Instruction, context: RuleContext) -> None:
        self.inst = inst
        self.context = context
        self.module: Module = context.module
        self.opcode: Opcode = inst.opcode
        self.operands: tuple[Operand, ...] = inst.operands
        self._first = 0
        if self.opcode.value == spv.OpSpecConstantOp and inst.operands and isinstance(inst.operands[0], int):
            self.opcode = tables.opcode_by_value(inst.operands[0]) or self.opcode
            self.operands = inst.operands[1:]
            self._first = 1
        self.code: int = self.opcode.value
        self.name: str = self.opcode.name
        self.result: Type | None = context.module.type(inst.type)

    def id(self, at: int) -> str | None:
        """The operand at a place, where it is an id."""
        operand = self.operands[at] if at < len(self.operands) else None
        return operand if isinstance(operand, str) else None

    def word(self, at: int) -> int | None:
        """The operand at a place, where it is one word."""
        operand = self.operands[at] if at < len(self.operands) else None
        return operand if isinstance(operand, int) else None

    def type(self, at: int) -> Type | None:
        """The type of an operand; None where it is unknown, or is not a value."""
        return self.module.type_of(self.operands[at]) if at < len(self.operands) else None

    def role(self, at: int) -> str:
        """What the grammar calls an operand; empty for one of many."""
        arguments = self.opcode.arguments
        return arguments[at].name if at < len(arguments) and arguments[at].quantifier != "*" else ""

    def subject(self, at: int) -> str:
        """An operand as messages name it: `operand Base (%x)`."""
        many = self.opcode.arguments[-1:]
        name = self.role(at) or (many[0].name if many and many[0].quantifier == "*" else "")
        return named(name, f"%{self.id(at)}")

    def spell(self, type_: Type | None) -> str:
        return self.module.spell(type_)

    def _predicate(self, type_: Type | None) -> str:
        """The same after `is`: `a sampler`, but `f32`."""
        return f"{_ARTICLES.get(type_.kind, '') if type_ is not None else ''}{self.spell(type_)}"

    def told_apart(self, type_: Type, wanted: Type) -> tuple[str, str]:
        """The id of a type, if it is spelled like the one that is `wanted`, and the spelling of that, then with its id; of two
        sorts of cooperative matrices, their opcodes."""
        expected = self.spell(wanted)
        if type_.is_cooperative_matrix and wanted.is_cooperative_matrix and type_.kind != wanted.kind:
            return tables.opcode_name(type_.kind), f"{expected} ({tables.opcode_name(wanted.kind)})"
        return (f"%{type_.id}", f"{expected} (%{wanted.id})") if self.spell(type_) == expected else ("", expected)

    def operand_fault(self, at: int, expected: str, fixes: tuple[FindingFix, ...] = (), have: str = "") -> Finding:
        """That an operand's type is not what is expected, or that `have` of it is not."""
        message = f"{self.subject(at)} is {self._predicate(self.type(at))}{have and f' ({have})'}, expected {expected}"
        return self.fault(at, message, fixes)

    def result_fault(self, expected: str, fixes: tuple[FindingFix, ...] = (), have: str = "") -> Finding:
        """The same of the result type."""
        message = f"the result type of {self.name} is {self._predicate(self.result)}{have and f' ({have})'}, expected {expected}"
        return Finding(self.inst, TYPE, message, (), fixes)

    def fault(
        self, at: int, message: str, fixes: tuple[FindingFix, ...] = (), vuid: str | None = None, notes: tuple[Note, ...] = ()
    ) -> Finding:
        """A fault at an operand, or at OPCODE, TYPE or RESULT."""
        return Finding(self.inst, at + self._first if at >= 0 else at, message, notes, fixes, vuid)

    def place(self, at: int) -> int:
        """The place of an operand among those of the instruction."""
        return at + self._first

    def retype(self, type_: Type) -> tuple[FindingFix, ...]:
        """The quick fix that gives the instruction another result type."""
        return (FindingFix(f"Make the result type %{type_.id}", (Replace(self.inst, TYPE, f"%{type_.id}"),)),)

    def convert(self, at: int, wanted: Type) -> tuple[FindingFix, ...]:
        """The quick fix that converts an operand to a type; constants have no instruction to do so."""
        if not self.context.is_in_function:
            return ()
        return converted(self.inst, at + self._first, wanted, self.module)


_ARTICLES = {spv.OpTypeSampler: "a ", spv.OpTypeEvent: "an ", spv.OpTypeQueue: "a ", spv.OpTypePipe: "a "}
"""What messages put before types that are spelled as plain words."""

Check = Callable[[Operation], Finding | None]


def first_fault(op: Operation, checks: Iterable[Check]) -> Findings:
    """The finding of the first check that fails."""
    for check in checks:
        finding = check(op)
        if finding is not None:
            yield finding
            return


def result_is(kind: AnyKind) -> Check:
    """The result type belongs to a kind."""

    def check(op: Operation) -> Finding | None:
        if op.result is None or kind.holds(op.result):
            return None
        return op.result_fault(kind.name, have=_matrix_kind(op.result, kind))

    return check


def operand_is(at: int, kind: AnyKind) -> Check:
    """The type of an operand belongs to a kind."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or kind.holds(type_):
            return None
        return op.operand_fault(at, kind.name, have=_matrix_kind(type_, kind))

    return check


_COOPERATIVE = traits.opcodes(COOPERATIVE, "OpType")


def _matrix_kind(type_: Type, wanted: AnyKind) -> str:
    """The opcode of a cooperative matrix where one of another opcode is wanted, which is spelled like it."""
    return tables.opcode_name(type_.kind) if type_.is_cooperative_matrix and any(map(wanted.takes, _COOPERATIVE)) else ""


def is_result_type(at: int, *, retype: bool = False) -> Check:
    """An operand has the result type; with `retype`, the fault can be corrected at the result type."""

    def check(op: Operation) -> Finding | None:
        type_ = op.type(at)
        if type_ is None or op.result is None or type_.id == op.result.id:
            return None
        fixes = op.convert(at, op.result)
        if retype and _is_of_a_kind(type_, op.result):
            fixes = (*op.retype(type_), *(fix._replace(preferred=False) for fix in fixes))
        have, wanted = op.told_apart(type_, op.result)
        if type_.is_vector and op.result.is_vector and type_.kind != op.result.kind:
            have, wanted = tables.opcode_name(type_.kind), f"{wanted} ({tables.opcode_name(op.result.kind)})"
        return op.operand_fault(at, f"{wanted} to match the result type", fixes, have)

    return check


def _is_of_a_kind(one: Type, other: Type) -> bool:
    """Whether what takes values of one type may as well take those of another: both are of floats, or of integers, …"""
    mine, theirs = one.scalar, other.scalar
    if mine is None or theirs is None:
        return one.kind == other.kind
    return mine.kind == theirs.kind


def is_type_of(at: int, other: int) -> Check:
    """Two operands have the same type."""

    def check(op: Operation) -> Finding | None:
        type_, wanted = op.type(at), op.type(other)
        if type_ is None or wanted is None or type_.id == wanted.id:
            return None
        have, expected = op.told_apart(type_, wanted)
        return op.operand_fault(at, f"{expected} to match {op.subject(other)}", op.convert(at, wanted), have)

    return check


def has_count_of_result(at: int) -> Check:
    """An operand has as many components as the result."""

    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None:
            return None
        have, wanted = dimension(op.module, type_), dimension(op.module, result)
        if have == wanted:
            return None
        whose = f"the result type {op.spell(result)}"
        if type_.is_cooperative_matrix or result.is_cooperative_matrix:
            what = "a cooperative matrix" if result.is_cooperative_matrix else "a scalar or vector"
            return op.operand_fault(at, f"{what} to match {whose}")
        return count_fault(op, at, have, wanted, whose)

    return check


def count_fault(op: Operation, at: int, have: int, wanted: int, whose: str) -> Finding:
    """That an operand has other components than are `wanted`; 0 stands for a number that can be specialized."""
    if not wanted:
        return op.operand_fault(at, f"a number of components given by the same specialization constant as in {whose}")
    given = counted(have) if have else "a number of components that can be specialized"
    return op.operand_fault(at, f"{counted(wanted)} to match {whose}", have=given)


def has_width_of_result(at: int) -> Check:
    """The components of an operand are as wide as those of the result."""

    def check(op: Operation) -> Finding | None:
        type_, result = op.type(at), op.result
        if type_ is None or result is None or width(type_) == width(result):
            return None
        expected = f"{width(result)} bits to match the result type {op.spell(result)}"
        return op.operand_fault(at, expected, have=bits_wide(type_))

    return check


def is_constant(at: int) -> Check:
    """An operand is made by a constant instruction."""

    def check(op: Operation) -> Finding | None:
        name = op.id(at)
        if name is None or op.module.definition(name) is None or is_constant_id(op.module, name):
            return None
        return op.fault(at, f"{op.subject(at)} is not a constant; {op.name} requires a constant")

    return check


def is_constant_id(module: Module, name: str) -> bool:
    """Whether an id is made by a constant instruction, specialization constants among them, OpUndef not."""
    return module.is_constant(name)


def unlike(inst: Instruction, at: int, have: object, expected: str) -> Finding:
    """That an operand, or the result type, is not what is expected."""
    what = f"the result type of {inst.opcode.name}" if at == TYPE else operand(inst, at)
    return Finding(inst, at, f"{what} is {have}, expected {expected}")


def counted(count: int) -> str:
    """`count` components, in words."""
    return "1 component" if count == 1 else f"{count} components" if count else "an unknown number of components"
