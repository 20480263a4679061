"""Quick fixes that give an OpPhi one pair for each predecessor of its block (SPIR-V 3.3.17)."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.finding import Append, FindingFix, InsertAfter, Replace
from spvls.validate.fixes.common import unused_id

_MOST_VALUES = 2
"""Values of other predecessors that are offered for one without."""


def without_pair(inst: Instruction, parent_index: int, first: int, missing: Sequence[str]) -> tuple[FindingFix, ...]:
    """Fixes for a parent that an OpPhi must not have, and that it names `first` at that place: its pair goes, or is that of the one
    predecessor that has none."""
    value, parent = (str(operand) for operand in inst.operands[parent_index - 1 : parent_index + 1])
    removed = Replace(inst, parent_index - 1, ""), Replace(inst, parent_index, "")
    repeats = first != parent_index and inst.operands[first - 1] == value
    remove = FindingFix(f"Remove %{value} from %{parent}", removed, preferred=repeats or not missing)
    if len(missing) != 1:
        return (remove,)
    moved = FindingFix(f"Let %{value} come from %{missing[0]}", (Replace(inst, parent_index, f"%{missing[0]}"),), preferred=False)
    return moved, remove


def with_pairs(inst: Instruction, missing: Sequence[str], usable: Sequence[str], module: Module) -> tuple[FindingFix, ...]:
    """Fixes for predecessors that an OpPhi has no value for: one of its values that is `usable` there as well, or an undefined
    one."""
    values = set(inst.operands[::2])
    fixes = [
        FindingFix(f"Take %{value} from {_listed(missing)}", (_pairs(inst, value, missing),), preferred=len(values) == 1)
        for value in usable[:_MOST_VALUES]
    ]
    type_ = module.type(inst.type)
    if type_ is not None and module.is_global(type_.id):
        known = next((one.result for one in module.chunks[0].records if _is_undefined(one, type_.id)), None)
        name = known or unused_id(f"undef_{type_.id}", module)
        declaring = () if known is not None else (InsertAfter(type_.record, f"%{name} = OpUndef %{type_.id}"),)
        title = f"Take an undefined value from {_listed(missing)}"
        fixes.append(FindingFix(title, (*declaring, _pairs(inst, name, missing)), preferred=False))
    return tuple(fixes)


def _pairs(inst: Instruction, value: str, parents: Sequence[str]) -> Append:
    return Append(inst, " ".join(f"%{value} %{parent}" for parent in parents))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"%{name}" for name in names)


def _is_undefined(record: Instruction, type_id: str) -> bool:
    return record.opcode.value == spv.OpUndef and record.type == type_id and not record.faults
