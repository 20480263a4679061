"""What a text declares for context-dependent operands, as it is read from top to bottom."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.module.context_dependent import numeric_type
from spvls.syntax.instruction import RESULT, Fault, Instruction, fault_at, shown
from spvls.syntax.nearest import Spelling
from spvls.syntax.number import NumericType, misfit
from spvls.syntax.wording import did_you_mean


class TextContext:
    """What the instructions so far declare about ids."""

    __slots__ = ("imports", "numeric", "types", "value_types")

    def __init__(self) -> None:
        self.types: set[str] = set()
        self.numeric: dict[str, NumericType] = {}
        self.value_types: dict[str, str] = {}
        self.imports: dict[str, str] = {}

    def numeric_type(self, name: str) -> NumericType | None:
        return self.numeric.get(name)

    def value_type(self, name: str) -> str | None:
        return self.value_types.get(name)

    def import_name(self, name: str) -> str | None:
        return self.imports.get(name)

    def follow(self, record: Instruction) -> Fault | None:
        """Take note of what `record` declares; a fault where the assembler rejects that."""
        name = record.result
        if name is None or record.faults:
            return None
        if record.type is not None:
            self.value_types[name] = record.type
            return None
        opcode = record.opcode
        if opcode.is_type:
            if name in self.types:
                message = f"%{name} already declares a type; another type must have a different id"
                return fault_at(record, RESULT, "syntax/duplicate-definition", message)
            self.types.add(name)
            fault = _count_fault(record)
            if fault is not None:
                return fault
            type_ = numeric_type(record)
            if type_ is not None:
                self.numeric[name] = type_
                return _encoding_fault(record, type_)
        elif opcode.value == spv.OpExtInstImport and record.operands and isinstance(record.operands[0], bytes):
            set_name = record.operands[0].decode("utf-8", "replace")
            if name in self.imports:
                message = f"%{name} already imports a set; another import must have a different id"
                return fault_at(record, RESULT, "syntax/duplicate-definition", message)
            self.imports[name] = set_name
            if not set_name.startswith("NonSemantic.") and tables.extended_set(set_name) is None:
                near = Spelling(known.name for known in tables.extended_sets()).nearest(set_name)
                message = f"there is no extended instruction set {set_name!r}{did_you_mean(near)}"
                return fault_at(record, 0, "syntax/extended-set", message, f'"{near}"' if near else None)
        return None


_COUNTS = {spv.OpTypeInt: (2, 2), spv.OpTypeFloat: (1, 2)}
"""How many operands a numeric type has at least and at most."""


def _count_fault(record: Instruction) -> Fault | None:
    """What is wrong with the number of operands of a numeric type: words written as `!N` can be too few or too many."""
    least, most = _COUNTS.get(record.opcode.value, (0, len(record.operands)))
    if least <= len(record.operands) <= most:
        return None
    wanted = str(least) if least == most else f"{least} or {most}"
    message = f"{record.opcode.name} requires {wanted} operands, but has {len(record.operands)}"
    rule = "syntax/missing-operand" if len(record.operands) < least else "syntax/surplus-operand"
    return fault_at(record, RESULT, rule, message)


def _encoding_fault(record: Instruction, type_: NumericType) -> Fault | None:
    """What is wrong with the floating-point encoding of a type."""
    if len(record.operands) < 2 or type_.kind != "float":
        return None
    if not type_.encoding:
        return fault_at(record, 1, "syntax/encoding", f"{shown(record.operands[1])} is not a known floating-point encoding")
    wanted = misfit(type_)
    if wanted is None:
        return None
    message = f"operand Width is {type_.width}, expected {wanted} to match the encoding {type_.encoding}"
    return fault_at(record, 0, "syntax/encoding", message, str(wanted))
