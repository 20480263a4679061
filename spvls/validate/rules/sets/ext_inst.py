"""Extended instruction sets: how they are imported, and where their instructions stand (SPIR-V 2.4, 3.3.4)."""

from __future__ import annotations

from spvls.grammar import spv, tables
from spvls.syntax.instruction import RESULT, Instruction
from spvls.syntax.nearest import Spelling
from spvls.validate.extended import RUNS, imported
from spvls.validate.finding import Finding, InsertBefore, Mend, Note, Replace
from spvls.validate.rule import Findings, Scene, instruction_rule

_NON_SEMANTIC_INFO = "SPV_KHR_non_semantic_info"

#: Sets whose import must name a revision that is known.
_REVISED = frozenset({"NonSemantic.ClspvReflection", "Arm.ExperimentalMLOperations"})

#: Sets that describe debug information, and which of their instructions stand in functions.
_IN_BODY = frozenset({"DebugScope", "DebugNoScope", "DebugDeclare", "DebugValue"})
_DEBUG_SETS = {
    "DebugInfo": _IN_BODY,
    "OpenCL.DebugInfo.100": _IN_BODY,
    "NonSemantic.Shader.DebugInfo": _IN_BODY | {"DebugLine", "DebugNoLine", "DebugFunctionDefinition"},
}

#: From which operand on the older sets of debug information may name what is defined later.
_FORWARD_FROM = {"DebugFunction": 11, "DebugTypeComposite": 11}

#: Sets whose instructions stand in graphs.
_GRAPH_SETS = ("TOSA.", "Arm.")


@instruction_rule("opcode/OpExtInstImport/nonsemantic-before-1.6", spv.OpExtInstImport, section="3.3.4")
def non_semantic_info(inst: Instruction, scene: Scene) -> Findings:
    """Before SPIR-V 1.6, importing a set whose name begins with `NonSemantic.` needs SPV_KHR_non_semantic_info.

    The extension is the promise that the instructions of such sets may be skipped; from 1.6 on, the core makes it.

    Bad:  `%p = OpExtInstImport "NonSemantic.DebugPrintf"` alone in SPIR-V 1.5.
    Good: `OpExtension "SPV_KHR_non_semantic_info"` before it.
    """
    name = _import_name(inst)
    module = scene.module
    if not name.startswith("NonSemantic.") or module.version >= (1, 6) or module.has_extension(_NON_SEMANTIC_INFO):
        return
    first = next(iter(module.declarations.records(spv.OpExtInstImport)), inst)
    mend = Mend(f"Declare {_NON_SEMANTIC_INFO}", (InsertBefore(first, f'OpExtension "{_NON_SEMANTIC_INFO}"'),))
    message = f'importing "{name}" needs OpExtension "{_NON_SEMANTIC_INFO}" before SPIR-V 1.6'
    yield Finding(inst, 0, message, (), (mend,))


@instruction_rule("opcode/OpExtInstImport/known-set", spv.OpExtInstImport, section="3.3.4")
def known_set(inst: Instruction, scene: Scene) -> Findings:
    """An imported set is one that a specification describes; of non-semantic ones, which may be skipped, any.

    Bad:  `%s = OpExtInstImport "GLSL.std.451"`
    Good: `%s = OpExtInstImport "GLSL.std.450"`
    """
    name = _import_name(inst)
    if not name or name.startswith("NonSemantic.") or tables.extended_set(name) is not None:
        return
    near = Spelling(set_.import_names[-1] for set_ in tables.extended_sets()).nearest(name)
    mends = (Mend(f"Change to {near}", (Replace(inst, 0, f'"{near}"'),)),) if near is not None else ()
    hint = f"; did you mean {near}?" if near is not None else ""
    yield Finding(inst, 0, f'there is no extended instruction set "{name}"{hint}', (), mends)


@instruction_rule("ext-inst/known-revision", spv.OpExtInstImport, section="3.3.4")
def revision(inst: Instruction, scene: Scene) -> Findings:
    """An import of a set that comes in revisions ends in the number of one that is known.

    It says which instructions the module may run, and with what operands.

    Bad:  `%r = OpExtInstImport "Arm.ExperimentalMLOperations."`
    Good: `%r = OpExtInstImport "Arm.ExperimentalMLOperations.1"`
    """
    name = _import_name(inst)
    known = tables.extended_set(name) if name else None
    if known is None or known.name not in _REVISED or known.prefix is None:
        return
    number = known.revision_of(name)
    revisions = f"{known.first_revision} to {known.revision}" if known.revision > known.first_revision else "1"
    if number is None:
        yield Finding(inst, 0, f'"{name}" does not end in a revision, a number: {known.name} has {revisions}')
    elif not known.first_revision <= number <= known.revision:
        yield Finding(inst, 0, f"{known.name} has no revision {number}, only {revisions}")


@instruction_rule("layout/nonsemantic-first-section", *RUNS, section="2.4")
def section(inst: Instruction, scene: Scene) -> Findings:
    """Extended instructions run in functions; non-semantic ones may stand among types and constants too.

    Of debug information, what describes the program stands there and nowhere else; what marks places in the code, such as
    DebugScope and DebugDeclare, stands in functions.

    Bad:  `%s = OpExtInst %void %debug DebugScope %unit` before the first function.
    Good: the same in a block of a function.
    """
    operands = inst.operands
    if len(operands) < 2 or not isinstance(operands[0], str) or not isinstance(operands[1], int):
        return
    found = imported(operands[0], scene)
    if found is None:
        return
    instruction = found.set.by_value(operands[1])
    if instruction is None:
        return
    in_body = _DEBUG_SETS.get(found.set.name)
    if in_body is not None:
        if (instruction.name in in_body) == (scene.function is not None):
            return
        if scene.function is None:
            message = f"{instruction.name} speaks of a place in the code, and belongs in a block of a function"
        else:
            message = f"{instruction.name} describes the program, and belongs before the first function"
        yield Finding(inst, 1, message)
    elif scene.function is None and not found.set.non_semantic and not found.set.name.startswith(_GRAPH_SETS):
        yield Finding(inst, 1, f"{instruction.name} of {found.name} belongs in a block of a function")


@instruction_rule("ext-inst/no-forward-operands", spv.OpExtInst, section="2.16.1")
def backward(inst: Instruction, scene: Scene) -> Findings:
    """Operands of non-semantic and debug instructions stand before them, like those of other instructions.

    OpExtInstWithForwardRefsKHR is for the others. The older sets of debug information need it not: functions that a
    DebugFunction describes, and members of a DebugTypeComposite, may come later there.

    Bad:  `%p = OpExtInst %void %reflection PropertyRequiredWorkgroupSize %kernel …` before `%kernel`.
    Good: `%kernel` first.
    """
    operands = inst.operands
    if len(operands) < 3 or not isinstance(operands[0], str) or not isinstance(operands[1], int):
        return
    name = scene.module.import_name(operands[0])
    found = imported(operands[0], scene)
    if name is None or not (name.startswith("NonSemantic.") or (found is not None and found.set.name in _DEBUG_SETS)):
        return
    instruction = found.set.by_value(operands[1]) if found is not None else None
    free_from = _FORWARD_FROM.get(instruction.name) if instruction is not None and name in _DEBUG_SETS else None
    for place, operand in enumerate(operands[2:], 2):
        if free_from is not None and place >= free_from:
            return
        if isinstance(operand, str) and operand not in scene.seen and _is_forward(operand, scene):
            definition = scene.module.definition(operand)
            notes = (Note(definition, RESULT, f"%{operand} is defined here"),) if definition is not None else ()
            yield Finding(inst, place, f"%{operand} is used before it is defined", notes)
            return


def _is_forward(name: str, scene: Scene) -> bool:
    """Whether an id that the chunk has not defined so far is defined further on, where that is sure."""
    if scene.function is None:
        return scene.module.definition(name) is not None
    return name in scene.function.names


def _import_name(inst: Instruction) -> str:
    named = inst.operands[0] if inst.operands else None
    return named.decode("utf-8", "replace") if isinstance(named, bytes) else ""
