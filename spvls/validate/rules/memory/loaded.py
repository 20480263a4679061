"""Variables of functions that are stored to for nothing, as advice (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import MemoryAccess, StorageClass
from spvls.grammar.operand_index import OpStore_Object, OpStore_Pointer, OpVariable_StorageClass
from spvls.module.functions import Function
from spvls.module.operand_at import id_at, word_at
from spvls.steps import PORTION
from spvls.syntax.instruction import RESULT, Instruction
from spvls.validate.engine.finding import PAUSE, Finding
from spvls.validate.engine.rule import Findings, RuleContext, function_rule

_CHAINS = frozenset({spv.OpAccessChain, spv.OpInBoundsAccessChain})
_MASK = OpStore_Object + 1


@function_rule("memory/variable-is-loaded", section=sections.MEMORY_INSTRUCTIONS, severity=Severity.HINT, tags="unnecessary")
def variable_is_loaded(function: Function, context: RuleContext) -> Findings:
    """A variable of a function that is stored to must be used in another way as well.

    Nothing sees what is stored to such a variable, because it ends with the call of its function. It is left over from a change, or
    another variable is loaded by mistake. An action of editors removes it with its stores.

    Volatile stores count as another use. Reported only with advice, as in editors.
    """
    if not context.options.advice or not function.whole or function.entry is None:
        return
    variables = {record.result: record for record in function.entry.records if _is_local(record)}
    if not variables:
        return
    roots = {name: name for name in variables}
    stored: set[str | None] = set()
    for at, record in enumerate(function.records):
        if not at % PORTION:
            yield PAUSE
        through = _stored_or_derived(record)
        for name in record.uses():
            root = roots.get(name)
            if root is None:
                continue
            if name != through:
                variables.pop(root, None)
            elif record.result is not None:
                roots[record.result] = root
            else:
                stored.add(root)
    for name, variable in variables.items():
        if name in stored:
            yield Finding(variable, RESULT, f"%{name} is stored to and never loaded")


def _is_local(record: Instruction) -> bool:
    is_function = word_at(record, OpVariable_StorageClass) == StorageClass.Function
    return record.opcode.value == spv.OpVariable and record.result is not None and is_function


def _stored_or_derived(record: Instruction) -> str | None:
    """The pointer that an instruction only stores through, or makes another pointer of."""
    if record.opcode.value in _CHAINS and record.result is not None:
        return id_at(record, 0)
    if record.opcode.value != spv.OpStore:
        return None
    mask = record.operands[_MASK] if len(record.operands) > _MASK else 0
    pointer = id_at(record, OpStore_Pointer)
    is_plain = isinstance(mask, int) and not mask & MemoryAccess.Volatile and pointer != id_at(record, OpStore_Object)
    return pointer if is_plain else None
