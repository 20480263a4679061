"""FPFastMathDefault (SPIR-V 3.2.5)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionMode, FPFastMathMode
from spvls.grammar.operand_index import OpExecutionModeId_EntryPoint, OpExecutionModeId_Mode
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import mode_of
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule


@module_rule("entry-point/fast-math-default-fits-decorations", section=sections.EXECUTION_MODE)
def fast_math_default_fits_decorations(context: RuleContext) -> Findings:
    """What an entry point with FPFastMathDefault reaches must not be decorated with NoContraction or Fast.

    FPFastMathDefault, of SPV_KHR_float_controls2, sets which transformations of floating-point arithmetic are permitted.
    NoContraction and the fast math mode Fast are the older way to say this, and could conflict with the default: a compiler may
    then apply transformations that one of them forbids. Only the first such OpDecorate is reported, at what it decorates or at a
    use of that. Decorations through groups, and on the function of an entry point itself, are not checked.
    """
    module = context.module
    if not module.has_capability(Capability.FloatControls2):
        return
    declared = module.declarations
    entries = {
        name for name, modes in declared.execution_modes.items() if any(m.value == ExecutionMode.FPFastMathDefault for m in modes)
    }
    if not entries:
        return
    for record in declared.records(spv.OpDecorate):
        word = word_at(record, 1)
        if word == _NO_CONTRACTION:
            what = "NoContraction"
        elif word == _FAST_MATH_MODE and (word_at(record, 2) or 0) & _FAST:
            what = "FPFastMathMode Fast"
        else:
            continue
        name = shown(record.operands[0])
        owner, user = _reaching(module, id_at(record, 0), entries)
        if user is not None:
            note = Note(record, 1, f"{what} is set here")
            fix = FindingFix("Remove the decoration", (Delete(record),), preferred=False)
            entry = next(e.function for e in module.reached_from(owner) if e.function in entries)
            why = f"the entry point %{entry}, which reaches {name}, has the execution mode FPFastMathDefault"
            message = f"{name} must not be decorated with {what}: {why}"
            yield Finding(user, OPCODE, message, (note,), (fix,))
            return


_NO_CONTRACTION = Decoration.NoContraction
_FAST_MATH_MODE = Decoration.FPFastMathMode
_FAST = FPFastMathMode.Fast
_OLDER_MODES = (ExecutionMode.ContractionOff, ExecutionMode.SignedZeroInfNanPreserve)


def _reaching(module: Module, name: str | None, entries: set[str]) -> tuple[str, Instruction | None]:
    """The instruction of that id, or the first that uses it, which one of the entry points reaches, after its function."""
    waiting = module.ids.definitions(name)[:1] if name is not None else []
    seen: set[int] = set()
    reached: list[tuple[Chunk, Instruction]] = []
    while waiting:
        chunk, record = waiting.pop()
        if id(record) in seen or (chunk.is_function and not module.is_in_function(record, chunk)):
            continue
        seen.add(id(record))
        if not chunk.is_function or record.opcode.value == spv.OpFunction:
            waiting.extend(module.ids.uses(record.result) if record.result is not None else ())
        elif any(entry.function in entries for entry in module.reached_from(_owner(chunk))):
            reached.append((chunk, record))
    first = min((chunk for chunk, _ in reached), key=lambda chunk: chunk.first, default=None)
    if first is None:
        return "", None
    found = {id(record) for _, record in reached}
    return _owner(first), next(record for record in first.records if id(record) in found)


def _owner(chunk: Chunk) -> str:
    return chunk.records[0].result or ""


@instruction_rule("entry-point/fast-math-default-stands-alone", spv.OpExecutionModeId, section=sections.EXECUTION_MODE)
def fast_math_default_stands_alone(inst: Instruction, context: RuleContext) -> Findings:
    """FPFastMathDefault must not be on an entry point with ContractionOff or SignedZeroInfNanPreserve.

    FPFastMathDefault replaces these two modes, and drivers may differ in which mode they follow. This holds even if
    SignedZeroInfNanPreserve names another width than that of the type that FPFastMathDefault names.
    """
    mode = mode_of(inst)
    target = id_at(inst, OpExecutionModeId_EntryPoint)
    if mode is None or mode.value != ExecutionMode.FPFastMathDefault or target is None:
        return
    modes = context.module.declarations.first_modes
    found = [other for value in _OLDER_MODES for other in modes.get((target, value, None), ())]
    if found:
        other = min(found, key=lambda other: (other.record.opcode.value, context.module.global_place(other.record)))
        note = Note(other.record, 1, f"{other.name} is set here")
        message = f"%{target} has the execution modes FPFastMathDefault and {other.name}, which must not be used together"
        yield Finding(inst, OpExecutionModeId_Mode, message, (note,))
