"""Which ids would do for an operand of the instruction at the cursor: the rules of the validator are asked.

The instruction is completed with operands that are not known yet, and an id is put in the place of the cursor. Ids that are
alike, by their type and by the opcode that defines them, are asked about once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spvls.diagnostic import Position
from spvls.grammar import spv
from spvls.grammar.operand_walk import OperandDecl
from spvls.ide.features.completion_context import CompletionContext
from spvls.ide.source.operand_decls import word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import opcode_index, texts
from spvls.syntax.instruction import TYPE, Instruction
from spvls.syntax.scanner import scan
from spvls.validate.trial import Trial, Verdict

MOST_TRIALS = 64
"""Kinds of ids that the rules are asked about for one answer."""

_CANDIDATE = "spvls_candidate"
_UNKNOWN = "spvls_unknown"

_MOST_OPERANDS = 16
"""Operands that an instruction is completed with at most."""


def misfits(source: SourceModule, context: CompletionContext, position: Position, candidates: Iterable[Instruction]) -> set[str]:
    """The ids among those that the candidates define which are not defined in time, or with which the instruction has more
    errors than with others."""
    form = _completed(context, source)
    if form is None:
        return set()
    inst, operand_index = form
    trial = _trial_at(source, position)
    verdicts: dict[object, Verdict] = {}
    kinds: dict[str, object] = {}
    found: set[str] = set()
    for definition in candidates:
        name = definition.result or ""
        if not trial.is_available(name, inst, operand_index):
            found.add(name)
            continue
        kind = kinds[name] = name if definition.type is None else (definition.opcode.value, definition.type)
        if kind not in verdicts and len(verdicts) < MOST_TRIALS:
            verdicts[kind] = trial.verdict(_with(inst, operand_index, name), operand_index)
    least = min((verdict.others for verdict in verdicts.values() if not verdict.of_operand), default=0)
    refused = {kind for kind, verdict in verdicts.items() if verdict.of_operand or verdict.others > least}
    return found | {name for name, kind in kinds.items() if kind in refused}


def _completed(context: CompletionContext, source: SourceModule) -> tuple[Instruction, int] | None:
    """The instruction with an id of its own at the cursor and with all operands that it needs, and which operand the id is."""
    opcode, at = context.opcode, opcode_index(context.words)
    if opcode is None or at is None:
        return None
    words = [*context.words, f"%{_CANDIDATE}", *_words_after(context)]
    for _ in range(_MOST_OPERANDS):
        missing = word_decls(opcode, words[at + 1 :], source.module).following
        if missing is None or missing.declared.quantifier:
            break
        words.append(_any(missing))
    line = " ".join(words)
    _, inst = next(scan([line]), (0, None))
    if inst is None or inst.faults or inst.raw:
        return None
    if inst.type == _CANDIDATE:
        return inst, TYPE
    return (inst, inst.operands.index(_CANDIDATE)) if _CANDIDATE in inst.operands else None


def _words_after(context: CompletionContext) -> Sequence[str]:
    """The words of the instruction after the one that is being typed."""
    if context.record is None:
        return ()
    is_typed = context.range.start != context.range.end
    return texts(context.record, context.record.words())[len(context.words) + is_typed :]


def _any(decl: OperandDecl) -> str:
    """A word for an operand of which nothing is known yet."""
    if decl.kind.category == "id":
        return f"%{_UNKNOWN}"
    if decl.kind.name == "LiteralString":
        return '""'
    return decl.kind.all[0].name if decl.has_enumerants else "0"


def _with(inst: Instruction, operand_index: int, name: str) -> Instruction:
    if operand_index == TYPE:
        return Instruction(inst.opcode, name, inst.result, inst.operands, inst.text, inst.start, inst.end)
    operands = (*inst.operands[:operand_index], name, *inst.operands[operand_index + 1 :])
    return Instruction(inst.opcode, inst.type, inst.result, operands, inst.text, inst.start, inst.end)


def _trial_at(source: SourceModule, position: Position) -> Trial:
    chunk = source.document.chunk_at(position.line)
    defined: set[str] = set()
    block: str | None = None
    for line, record in source.placed(chunk):
        if line > position.line or (line == position.line and record.start >= position.column):
            break
        if record.result is not None:
            defined.add(record.result)
        if record.opcode.value == spv.OpLabel:
            block = record.result
    return Trial(source.module, source.module.function(chunk) if chunk.is_function else None, block, defined)
