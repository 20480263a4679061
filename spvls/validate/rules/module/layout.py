"""The order of a module's sections, and of what a function is made of (SPIR-V 2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv
from spvls.module.context_dependent import EXTENDED
from spvls.module.functions import TERMINATORS, Function
from spvls.module.module import Module
from spvls.module.sections import FLOATING, SOURCE_LINES, Section, section_of
from spvls.syntax.instruction import OPCODE, UNKNOWN, Instruction
from spvls.validate.finding import HEADER, Delete, Finding, InsertAfter, InsertBefore, Mend, Note
from spvls.validate.rule import Findings, Scene, function_rule, instruction_rule, module_rule


class _Progress:
    """How far the global part has come: the last section, the instruction that began it, and what was complained of."""

    def __init__(self) -> None:
        self.section = Section.CAPABILITIES
        self.opener: Instruction | None = None
        self.told: set[int] = set()
        self.told_outside = False
        self.told_model = False


@instruction_rule("layout/section-order", section="2.4", every=True)
def section_order(inst: Instruction, scene: Scene) -> Findings:
    """The instructions before the first function stand in the order of their sections, and only there.

    Capabilities, extensions, imports, the memory model, entry points, execution modes, sources, names, decorations, and then
    types, constants and global variables: whoever reads a module from the top knows at each point what can no more come. OpLine
    may stand from the types on.

    Bad:  an `OpName` behind the first `OpTypeVoid`.
    Good: all `OpName` before the first decoration.
    """
    return _order(inst, scene) if scene.function is None else _NOTHING


_NOTHING: Findings = iter(())


def _order(inst: Instruction, scene: Scene) -> Findings:
    progress = scene.shared("layout", _Progress)
    section = section_of(inst.opcode)
    if progress.section is Section.FUNCTIONS:
        return  # graphs, whose rules are their own
    if section is Section.FUNCTIONS:
        if inst.opcode.class_ == "Graph":
            progress.section = section
        elif not progress.told_outside:
            progress.told_outside = True
            yield from _outside(inst)
        return
    record = scene.record or inst
    if section > progress.section:
        model = scene.module.declarations.memory_model_record
        if progress.section < Section.MEMORY_MODEL < section and model is not None:
            if not progress.told_model:
                progress.told_model = True
                note = Note(model, OPCODE, "the memory model is declared here")
                message = f"{inst.opcode.name} stands before OpMemoryModel, and belongs behind it"
                mend = Mend("Move OpMemoryModel before it", (InsertBefore(inst, _text(model)), Delete(model)))
                yield Finding(inst, OPCODE, message, (note,), (mend,))
            return
        progress.section, progress.opener = section, record
    elif section < progress.section and progress.opener is not None:
        opener = progress.opener
        if id(opener) in progress.told or (section is Section.MEMORY_MODEL and _is_second_model(record, scene)):
            return
        progress.told.add(id(opener))
        message = f"{inst.opcode.name} belongs with the {section.title.removeprefix('the ')}, before the {_title(progress)}"
        note = Note(opener, OPCODE, f"{opener.opcode.name} begins that section here")
        yield Finding(inst, OPCODE, message, (note,), (_move(inst, opener),))


def _title(progress: _Progress) -> str:
    return progress.section.title.removeprefix("the ")


def _is_second_model(record: Instruction, scene: Scene) -> bool:
    return record is not scene.module.declarations.memory_model_record


def _move(inst: Instruction, before: Instruction) -> Mend:
    return Mend(f"Move it before {before.opcode.name}", (InsertBefore(before, _text(inst)), Delete(inst)))


def _text(record: Instruction) -> str:
    return record.text[record.start : record.end]


def _outside(inst: Instruction) -> Iterator[Finding]:
    match inst.opcode.value:
        case spv.OpLabel:
            message = "a label begins a block, and blocks stand in functions"
        case spv.OpFunctionParameter | spv.OpFunctionEnd:
            message = f"{inst.opcode.name} stands in a function, and none has begun"
        case _:
            message = f"{inst.opcode.name} stands in a block of a function, and no function has begun"
    yield Finding(inst, OPCODE, message)


@module_rule("layout/memory-model-exactly-one", section="2.4")
def memory_model(scene: Scene) -> Findings:
    """A module has exactly one OpMemoryModel.

    It says how pointers and memory work in the whole module, so nothing that follows can be understood without it.

    Bad:  a module without `OpMemoryModel`, or with two.
    Good: `OpMemoryModel Logical GLSL450` once, behind the imports.
    """
    models = scene.module.declarations.records(spv.OpMemoryModel)
    for second in models[1:]:
        note = Note(models[0], OPCODE, "the memory model is declared here")
        yield Finding(second, OPCODE, "OpMemoryModel is declared once, and this is one more", (note,), (_remove(second),))
    if not models:
        last = HEADER
        for chunk in scene.module.chunks:
            for record in chunk.records:
                if record.opcode.value == spv.OpMemoryModel:
                    return  # it is there, and what is wrong with it has been said
                if record.faults or record.opcode is UNKNOWN:
                    continue
                last = record
                if section_of(record.opcode) > Section.MEMORY_MODEL:
                    message = f"{record.opcode.name} needs an OpMemoryModel before it"
                    yield Finding(record, OPCODE, message, mends=_models(record, scene.module))
                    return
        yield Finding(last, OPCODE, "the module lacks an OpMemoryModel")


def _models(record: Instruction, module: Module) -> tuple[Mend, ...]:
    """The quick fix that adds the memory model that the capabilities call for."""
    sure = True
    if module.has_capability("VulkanMemoryModel"):
        model = "Logical Vulkan"
    elif module.has_capability("Shader"):
        model = "Logical GLSL450"
    elif module.has_capability("Kernel") and module.has_capability("Addresses"):
        model, sure = "Physical64 OpenCL", False
    else:
        return ()
    return (Mend(f"Add OpMemoryModel {model}", (InsertBefore(record, f"OpMemoryModel {model}"),), sure),)


def _remove(record: Instruction) -> Mend:
    return Mend("Remove it", (Delete(record),))


@module_rule("layout/sampler-addressing-once", section="2.4")
def sampler_addressing(scene: Scene) -> Findings:
    """OpSamplerImageAddressingModeNV stands in a module once.

    Bad:  `OpSamplerImageAddressingModeNV 32` and `OpSamplerImageAddressingModeNV 64`
    Good: one of them
    """
    for second in scene.module.declarations.records(spv.OpSamplerImageAddressingModeNV)[1:]:
        yield Finding(second, OPCODE, "the addressing mode of samplers is declared once, and this is one more")


@function_rule("layout/function-definition-shape", section="2.4")
def function_shape(function: Function, scene: Scene) -> Findings:
    """A function is OpFunction, its parameters, blocks, and OpFunctionEnd; a block is a label, instructions and a terminator.

    Without its label a block could not be branched to; without its terminator, control would have no place to go.

    Bad:  `OpReturn` directly behind `OpFunction`.
    Good: `%entry = OpLabel` between them.
    """
    opened: Instruction | None = None
    labels = 0
    ended = False
    told = False
    for record in function.records[1:]:
        name = record.opcode.value
        if record.opcode is UNKNOWN or record.faults:
            opened = None if name in TERMINATORS else opened
            continue
        if name == spv.OpLabel:
            if ended:
                yield Finding(record, OPCODE, "a label begins a block, and blocks stand in functions")
            elif opened is not None:
                note = Note(opened, OPCODE, "the block begins here")
                message = (
                    f"block %{opened.result} has no end: a branch, a return or another terminator belongs before this label"
                )
                mends = (Mend(f"Branch to %{record.result}", (InsertBefore(record, f"OpBranch %{record.result}"),), False),)
                yield Finding(record, OPCODE, message, (note,), mends)
            opened, told = record, False
            labels += 1
        elif name == spv.OpFunctionParameter:
            if labels or ended:
                yield Finding(record, OPCODE, "parameters stand directly behind their OpFunction, before the first block")
        elif name == spv.OpFunctionEnd:
            if ended:
                yield Finding(record, OPCODE, "OpFunctionEnd ends a function, and none is open here")
            elif opened is not None:
                note = Note(opened, OPCODE, "the block begins here")
                message = f"block %{opened.result} has no end: a return or another terminator belongs before OpFunctionEnd"
                yield Finding(record, OPCODE, message, (note,), _returns(record, scene, function))
            opened, ended = None, True
        elif name not in SOURCE_LINES:
            section = section_of(record.opcode)
            if section is not Section.FUNCTIONS and name not in FLOATING:
                message = f"{record.opcode.name} belongs before the first function, with the {section.title.removeprefix('the ')}"
                yield Finding(record, OPCODE, message)
            elif record.opcode.class_ == "Graph":
                return  # graphs follow the functions, and have rules of their own
            elif opened is None and not told and not (record.opcode.value in EXTENDED and scene.module.is_non_semantic(record)):
                told = True
                where = "behind the end of its function" if ended else "in no block: an OpLabel belongs before it"
                yield Finding(record, OPCODE, f"{record.opcode.name} stands {where}", mends=() if ended else _label(record, labels))
            if name in TERMINATORS:
                opened = None


def _label(record: Instruction, labels: int) -> tuple[Mend, ...]:
    return (Mend("Put a label before it", (InsertBefore(record, f"%block_{labels} = OpLabel"),), preferred=False),)


def _returns(record: Instruction, scene: Scene, function: Function) -> tuple[Mend, ...]:
    type_ = scene.module.type(function.result_type)
    if type_ is None or type_.kind != spv.OpTypeVoid:
        return ()
    return (Mend("Return at its end", (InsertBefore(record, "OpReturn"),)),)


@module_rule("layout/function-end", section="2.4")
def function_end(scene: Scene) -> Findings:
    """Every function is closed by OpFunctionEnd before another begins.

    Bad:  `OpFunction … OpReturn` and then the next `OpFunction`.
    Good: `OpFunctionEnd` between them.
    """
    open_function: Function | None = None
    for function in scene.module.functions():
        if open_function is not None:
            note = Note(open_function.record, OPCODE, "this function is still open")
            message = f"%{open_function.name} is not closed: OpFunctionEnd belongs before the next OpFunction"
            mend = Mend("Close it", (InsertBefore(function.record, "OpFunctionEnd"),))
            yield Finding(function.record, OPCODE, message, (note,), (mend,))
        open_function = function if function.end is None else None
    if open_function is not None:
        mend = Mend("Close it", (InsertAfter(open_function.records[-1], "OpFunctionEnd"),))
        yield Finding(open_function.record, OPCODE, f"%{open_function.name} is not closed by OpFunctionEnd", mends=(mend,))


#: What a function without a body is made of.
_HEAD = frozenset({spv.OpFunction, spv.OpFunctionParameter, *SOURCE_LINES})


@module_rule("layout/function-declarations-first", section="2.4")
def declarations_first(scene: Scene) -> Findings:
    """Functions that are declared only, without a body, stand before those that are defined.

    Bad:  `OpFunction`, `OpFunctionEnd` behind a function with blocks.
    Good: the declaration before the first definition.
    """
    defined: Function | None = None
    for function in scene.module.functions():
        if not function.is_declaration:
            defined = defined or function
        elif defined is not None and function.end is not None and all(r.opcode.value in _HEAD for r in function.head):
            note = Note(defined.record, OPCODE, "the first function with a body")
            message = f"%{function.name} has no body: declarations stand before the first function with a body"
            yield Finding(function.end, OPCODE, message, (note,))
