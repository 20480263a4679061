"""Block and BufferBlock (SPIR-V 2.2.2, 2.16.2, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpDecorate_Decoration, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.decorations import decoration_name
from spvls.module.interface import decorated_within
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.steps import PORTION, Steps
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.applied import decoration_of
from spvls.validate.checks.layout_rules import Layouts
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note, pausing
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import decorate

_BLOCKS = (Decoration.Block, Decoration.BufferBlock)
_UNIFORM = StorageClass.Uniform
_STORAGE_BUFFER = StorageClass.StorageBuffer
_WANTED = {_UNIFORM: _BLOCKS, _STORAGE_BUFFER: _BLOCKS[:1], StorageClass.PushConstant: _BLOCKS[:1]}
_VUIDS = {
    _UNIFORM: "VUID-StandaloneSpirv-Uniform-06676",
    _STORAGE_BUFFER: "VUID-StandaloneSpirv-PushConstant-06675",
    StorageClass.PushConstant: "VUID-StandaloneSpirv-PushConstant-06675",
}
_PHYSICAL = StorageClass.PhysicalStorageBuffer


@instruction_rule("block-layout/block-is-not-nested", spv.OpTypeStruct, section=sections.SHADER_VALIDATION_RULES)
def block_is_not_nested(inst: Instruction, context: RuleContext) -> Findings:
    """A structure decorated with Block or BufferBlock must not contain another such structure.

    A block is an interface as a whole, such as the memory of one descriptor, the push constants, or one set of inputs or outputs.
    There is nothing to bind to a block inside of another one. The rule includes blocks in inner structures and arrays, not those
    that a member points to.
    """
    module = context.module
    blocks = [module.decorated_with(block) for block in _BLOCKS]
    if inst.result is None or not any(inst.result in names for names in blocks) or sum(map(len, blocks)) < 2:
        return
    outer = module.type(inst.result)
    for at, inner in enumerate(parts(outer, lambda type_: type_.is_struct or type_.is_array)):
        if not (at + 1) % PORTION:
            yield PAUSE
        if inner is not outer and inner.is_struct and any(inner.id in names for names in blocks):
            note = Note(inner.record, RESULT, f"%{inner.id} is declared here")
            yield Finding(inst, RESULT, f"%{inst.result} is a block and must not contain the block %{inner.id}", (note,))
            return


@instruction_rule("block-layout/buffer-struct-is-block", *VARIABLES, section=sections.DECORATION, apis="vulkan")
def buffer_struct_is_block(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a structure in a buffer or in push constants must be decorated with Block.

    The decoration says that the structure describes a descriptor or the push constants. Without it a driver may reject the
    pipeline. A structure in Uniform may instead be decorated with BufferBlock, up to SPIR-V 1.3, which makes it a storage buffer;
    in StorageBuffer, BufferBlock is an error.

    The rule checks typed and untyped variables in Uniform, StorageBuffer and PushConstant that hold a structure or an array of
    structures. As in spirv-val, a decorated inner structure that is not in an array is sufficient. A structure with a run-time
    array may be reported by `type/runtime-array-is-last-member` or `memory/runtime-array-is-in-resource` instead. The options
    change at most the fix.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    held = unmarked(inst, module)
    if held is None or own is None:
        return
    vuid, decorations = _VUIDS[own], _WANTED[own]
    has_runtime_array = any(member.kind == spv.OpTypeRuntimeArray for member in held.member_types)
    if own == _STORAGE_BUFFER and decorated_within(held, Decoration.BufferBlock, module):
        if has_runtime_array and held is held_by(inst, module) and module.has_decoration(held.id, Decoration.BufferBlock):
            return
        inside = (found.id for found in parts(held, lambda found: found.is_struct))
        marked = next((id_ for id_ in inside if module.has_decoration(id_, Decoration.BufferBlock)), held.id)
        message = f"structure %{marked} is decorated with BufferBlock, but the storage class StorageBuffer requires Block"
        yield Finding(inst, TYPE, message, vuid=vuid)
    else:
        blamed: set[str] = context.chunk_state("block decorated", set)
        if held.id in blamed or has_runtime_array:
            return  # said of the run-time array
        blamed.add(held.id)
        if module.version > (1, 3):
            decorations = decorations[:1]
        expected = " or ".join(map(decoration_name, decorations))
        message = f"structure %{held.id} is used in {the_class(own)} and must be decorated with {expected}"
        note = Note(inst, RESULT, f"variable %{inst.result} uses %{held.id} here")
        fixes = yield from pausing(_as_block(held, own, context))
        yield Finding(held.record, RESULT, message, (note,), fixes, vuid=vuid)


def _as_block(type_: Type, storage_class: int, context: RuleContext) -> Steps[tuple[FindingFix, ...]]:
    """The quick fix that makes a structure a block, and lays it out where nothing says yet how; in short steps."""
    from spvls.validate.rules.block_layout.relayout import relayout  # few modules need it

    module = context.module
    layouts = Layouts(module, context.options)
    placed = yield from relayout(type_, layouts.mode(storage_class, is_buffer_block=False), layouts, module)
    for fix in decorate(type_.id, "Block", module):
        if placed and placed[0].preferred and not context.options.skip_block_layout:
            return (FindingFix(f"{fix.title} and lay it out", (*fix.steps, *placed[0].steps)),)
        return (fix,)
    return ()


def unmarked(variable: Instruction, module: Module) -> Type | None:
    """The structure of a variable in a buffer, or of its elements, where it is not a Block as it should be."""
    own = word_at(variable, 0)
    wanted = _WANTED.get(own) if own is not None else None
    held = held_by(variable, module)
    if held is not None and held.is_array:
        held = held.element
    if wanted is None or held is None or not held.is_struct:
        return None
    if own == _STORAGE_BUFFER and decorated_within(held, Decoration.BufferBlock, module):
        return held
    return None if any(decorated_within(held, decoration, module) for decoration in wanted) else held


@instruction_rule(
    "block-layout/shared-and-packed-are-unused",
    spv.OpDecorate,
    section=sections.DECORATION,
    vuid="VUID-StandaloneSpirv-GLSLShared-04669",
    apis="vulkan",
)
def shared_and_packed_are_unused(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the decorations GLSLShared and GLSLPacked must not be used.

    They leave the layout of a block to the driver, and an OpenGL application asks for the offsets afterwards. A Vulkan application
    cannot ask, so blocks in buffers must have explicit offsets, and a driver may reject the decorations.
    """
    decoration = decoration_of(inst)
    if decoration is not None and decoration.value in (Decoration.GLSLShared, Decoration.GLSLPacked):
        fix = FindingFix("Remove the decoration", (Delete(inst),))
        message = f"the decoration {decoration.name} must not be used in Vulkan, where blocks in buffers have explicit layouts"
        yield Finding(inst, OpDecorate_Decoration, message, fixes=(fix,))


@instruction_rule("block-layout/array-of-blocks-has-no-stride", spv.OpTypeArray, spv.OpTypeRuntimeArray, section=sections.TYPES)
def array_of_blocks_has_no_stride(inst: Instruction, context: RuleContext) -> Findings:
    """An array of blocks must not have an ArrayStride or ArrayStrideIdEXT.

    In an array of buffers, each buffer has its own descriptor, so the buffers need not be adjacent in memory. A consumer that uses
    the stride may compute an address outside of the first one.

    The rule checks arrays whose elements are structures decorated with Block or BufferBlock, in modules with Shader. For pointers
    see `block-layout/block-has-no-stride`.
    """
    module = context.module
    if inst.result is None or not _is_block(module.type(id_at(inst, 0)), module) or not module.has_capability(Capability.Shader):
        return
    for decoration in (Decoration.ArrayStride, Decoration.ArrayStrideIdEXT):
        stride = module.decoration(inst.result, decoration)
        if stride is not None:
            note = Note(stride.record, OPCODE, f"{stride.name} is set here")
            message = f"%{inst.result} is an array of blocks (%{id_at(inst, 0)}) and must not be decorated with {stride.name}"
            yield Finding(inst, 0, message, (note,))
            return


@instruction_rule("block-layout/block-has-no-stride", spv.OpTypePointer, section=sections.TYPES, severity=Severity.WARNING)
def block_has_no_stride(inst: Instruction, context: RuleContext) -> Findings:
    """A pointer to a block must not have an ArrayStride.

    Each buffer has its own descriptor, so the buffers of an array need not be adjacent in memory. A consumer that uses the stride
    may compute an address outside of the first buffer.

    The rule checks types declared by OpTypePointer that point directly to a structure decorated with Block or BufferBlock. Pointers
    to PhysicalStorageBuffer and modules with the capability VariablePointersStorageBuffer are not checked, because OpPtrAccessChain
    may need the stride there. ArrayStrideIdEXT on a pointer is reported by `block-layout/stride-id-is-for-descriptors`.
    """
    module = context.module
    pointee = module.type(id_at(inst, 1))
    if word_at(inst, OpVariable_StorageClass) == _PHYSICAL or inst.result is None or not _is_block(pointee, module):
        return
    if module.has_capability(Capability.VariablePointersStorageBuffer):
        return  # there a chain may lead from block to block, by the stride
    stride = module.decoration(inst.result, Decoration.ArrayStride)
    if stride is not None:
        note = Note(stride.record, OPCODE, "ArrayStride is set here")
        message = f"pointer type %{inst.result} points to a block (%{id_at(inst, 1)}) and must not be decorated with ArrayStride"
        yield Finding(inst, 1, message, (note,))


def _is_block(type_: Type | None, module: Module) -> bool:
    return type_ is not None and type_.is_struct and any(module.has_decoration(type_.id, name) for name in _BLOCKS)
