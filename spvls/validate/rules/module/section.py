"""Order of the sections, and what stands once in a module (SPIR-V 2.4)."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.module.dependencies import GLOBALS, Facts
from spvls.module.module import Module
from spvls.module.operand_at import word_at
from spvls.module.sections import Section, section_of
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, UNKNOWN, Instruction
from spvls.validate.engine.finding import HEADER, PAUSE, Delete, Finding, FindingFix, InsertBefore, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule


class _Progress:
    """How far the global part has come: the last section, the instruction that began it, and what was complained of."""

    def __init__(self) -> None:
        self.section = Section.CAPABILITIES
        self.opener: Instruction | None = None
        self.reported: set[int] = set()
        self.told_outside = False
        self.told_model = False


@module_rule("module/sections-are-in-order", section=sections.LOGICAL_LAYOUT)
def sections_are_in_order(context: RuleContext) -> Findings:
    """The instructions of a module must be in their sections, and the sections must be in order.

    A consumer may read the module once, and rely at each point on what has come before. It may reject or ignore an instruction in a
    later section.

    The sections are capabilities, extensions, imports, the memory model, OpSamplerImageAddressingModeNV (SPV_NV_bindless_texture),
    entry points, execution modes, sources and strings, names, OpModuleProcessed, decorations, and then types, constants and global
    variables. OpLine, OpNoLine and extended instructions belong to the last of these: if one is too early but after OpMemoryModel,
    what follows it and belongs before it is reported. For extended instructions see also
    `ext-inst/instruction-is-in-permitted-section`.

    The rule checks the instructions before the first function or graph. Of several that are misplaced for the same reason, only the
    first is reported. A second OpMemoryModel is left to `module/memory-model-is-declared-once`.
    """
    module = context.module
    misplaced: list[Finding] | None = module.known(_MISPLACED)
    if misplaced is None:
        found = yield from _misplaced(module)
        reads = module.reads
        misplaced = module.derive(_MISPLACED, lambda: _following(found, reads, module))
    yield from misplaced


_MISPLACED = "instructions out of their section"


def _following(found: list[Finding], reads: Facts, module: Module) -> list[Finding]:
    """The findings, which follow from the instructions before the first function, and from what was read to find them."""
    module.reads.add(reads)
    module.reads.module.discard(_MISPLACED)
    module.reads.module.add(GLOBALS)
    return found


def _misplaced(module: Module) -> Generator[Finding, None, list[Finding]]:
    """What there is to find in the global part as it is; pauses."""
    progress = _Progress()
    found: list[Finding] = []
    for at, record in enumerate(module.chunks[0].records, 1):
        if not at % PORTION:
            yield PAUSE
        section = section_of(record.opcode)
        if section is progress.section or (section is Section.FUNCTIONS and progress.told_outside and not _is_of_graph(record)):
            continue
        if record.faults or record.opcode is UNKNOWN or record.raw:
            continue
        if not module.resolved(record).faults:
            found.extend(_order(record, progress, module))
            if progress.section is Section.FUNCTIONS:
                break  # graphs, whose rules are their own
    return found


def _order(inst: Instruction, progress: _Progress, module: Module) -> Iterator[Finding]:
    """What is wrong with the place of an instruction that is of another section than the one before."""
    section = section_of(inst.opcode)
    if section is Section.FUNCTIONS:
        if _is_of_graph(inst):
            progress.section = section
        elif not progress.told_outside:
            progress.told_outside = True
            yield from _outside(inst)
    elif section > progress.section:
        model = module.declarations.memory_model_record
        if progress.section < Section.MEMORY_MODEL < section and model is not None:
            if not progress.told_model:
                progress.told_model = True
                note = Note(model, OPCODE, "the memory model is declared here")
                message = f"{inst.opcode.name} must come after OpMemoryModel"
                fix = FindingFix("Move OpMemoryModel before it", (InsertBefore(inst, _text(model)), Delete(model)))
                yield Finding(inst, OPCODE, message, (note,), (fix,))
            return
        progress.section, progress.opener = section, inst
    elif progress.opener is not None:
        opener = progress.opener
        is_second_model = section is Section.MEMORY_MODEL and inst is not module.declarations.memory_model_record
        if id(opener) in progress.reported or is_second_model:
            return
        progress.reported.add(id(opener))
        message = f"{inst.opcode.name} must come before the {_title(progress)}"
        note = Note(opener, OPCODE, f"the section of the {_title(progress)} begins here")
        yield Finding(inst, OPCODE, message, (note,), (_move(inst, opener),))


def _is_of_graph(inst: Instruction) -> bool:
    return inst.opcode.class_ == "Graph"


def _title(progress: _Progress) -> str:
    return progress.section.title.removeprefix("the ")


def _move(inst: Instruction, before: Instruction) -> FindingFix:
    return FindingFix(f"Move it before {before.opcode.name}", (InsertBefore(before, _text(inst)), Delete(inst)))


def _text(record: Instruction) -> str:
    return record.text[record.start : record.end]


def _outside(inst: Instruction) -> Iterator[Finding]:
    match inst.opcode.value:
        case spv.OpLabel | spv.OpFunctionParameter | spv.OpFunctionEnd:
            where = "a function"
        case _:
            where = "a block of a function"
    yield Finding(inst, OPCODE, f"{inst.opcode.name} must be in {where}, but no function has begun")


@module_rule("module/memory-model-is-declared-once", section=sections.LOGICAL_LAYOUT)
def memory_model_is_declared_once(context: RuleContext) -> Findings:
    """A module must have exactly one OpMemoryModel.

    Without it a consumer does not know the size of pointers or how accesses are ordered, and with two of them it may follow either.
    Where an instruction must come after the missing one, a fix adds what the capabilities call for: Logical Vulkan for
    VulkanMemoryModel, else Logical GLSL450 for Shader, else, as a choice, Physical64 OpenCL for Kernel with Addresses. With
    PhysicalStorageBufferAddresses it is PhysicalStorageBuffer64 instead of Logical.
    """
    models = context.module.declarations.records(spv.OpMemoryModel)
    for second in models[1:]:
        note = Note(models[0], OPCODE, "the memory model is declared here")
        yield Finding(second, OPCODE, "the module must have only one OpMemoryModel", (note,), (_remove(second),))
    if not models:
        last = HEADER
        for chunk in context.module.chunks:
            for record in chunk.records:
                if record.opcode.value == spv.OpMemoryModel:
                    return  # it is there, and what is wrong with it has been said
                if record.faults or record.opcode is UNKNOWN:
                    continue
                last = record
                if section_of(record.opcode) > Section.MEMORY_MODEL:
                    message = f"the module has no OpMemoryModel; one must come before {record.opcode.name}"
                    yield Finding(record, OPCODE, message, fixes=_models(record, context.module))
                    return
        yield Finding(last, OPCODE, "the module has no OpMemoryModel, but must have one")


def _models(record: Instruction, module: Module) -> tuple[FindingFix, ...]:
    """The quick fix that adds the memory model that the capabilities call for."""
    sure = True
    addressing = "PhysicalStorageBuffer64" if module.has_capability(Capability.PhysicalStorageBufferAddresses) else "Logical"
    if module.has_capability(Capability.VulkanMemoryModel):
        model = f"{addressing} Vulkan"
    elif module.has_capability(Capability.Shader):
        model = f"{addressing} GLSL450"
    elif module.has_capability(Capability.Kernel) and module.has_capability(Capability.Addresses):
        model, sure = "Physical64 OpenCL", False
    else:
        return ()
    return (FindingFix(f"Add OpMemoryModel {model}", (InsertBefore(record, f"OpMemoryModel {model}"),), sure),)


def _remove(record: Instruction) -> FindingFix:
    return FindingFix("Remove it", (Delete(record),))


_HANDLE_WIDTHS = (32, 64)


@instruction_rule(
    "module/sampler-addressing-is-32-or-64-bits", spv.OpSamplerImageAddressingModeNV, section=sections.RESERVED_INSTRUCTIONS
)
def sampler_addressing_is_32_or_64_bits(inst: Instruction, context: RuleContext) -> Findings:
    """The Bit Width of OpSamplerImageAddressingModeNV must be 32 or 64.

    The number says how many bits a handle of an image, a sampler or a sampled image has. SPV_NV_bindless_texture defines no other
    width.
    """
    width = word_at(inst, 0)
    if width is not None and width not in _HANDLE_WIDTHS:
        yield Finding(inst, 0, f"operand Bit Width is {width}, expected 32 or 64")


@module_rule("module/sampler-addressing-is-declared-once", section=sections.RESERVED_INSTRUCTIONS)
def sampler_addressing_is_declared_once(context: RuleContext) -> Findings:
    """A module with BindlessTextureNV must have exactly one OpSamplerImageAddressingModeNV.

    Without it a consumer does not know the size of handles; with two of them it may follow either. SPV_NV_bindless_texture does not
    say how many a module must have; as in spirv-val, it is one. A second one is an error also without the capability. Unlike in
    spirv-val, a missing one is not reported if only OpConditionalCapabilityINTEL declares the capability.
    """
    found = context.module.declarations.records(spv.OpSamplerImageAddressingModeNV)
    if not found:
        for capability in context.module.declarations.records(spv.OpCapability):
            if word_at(capability, 0) == Capability.BindlessTextureNV:
                message = "the capability BindlessTextureNV requires an OpSamplerImageAddressingModeNV, but the module has none"
                yield Finding(capability, 0, message)
                return
    for second in found[1:]:
        yield Finding(second, OPCODE, "the module must have only one OpSamplerImageAddressingModeNV")
