"""Which structures are blocks, where they are wanted, and what an interface may not carry."""

from __future__ import annotations

from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.finding import Delete, Finding, Mend, Note
from spvls.validate.interface import IN_OUT, decorated_within
from spvls.validate.layout_rules import Layouts, needs_layout
from spvls.validate.mends import decorate
from spvls.validate.operand_at import word_at
from spvls.validate.relayout import relayout
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name
from spvls.validate.variable import VARIABLES, held_by

_UNIFORM = storage("Uniform")
_STORAGE_BUFFER = storage("StorageBuffer")
_PHYSICAL = storage("PhysicalStorageBuffer")

_WANTED = {
    _UNIFORM: ("VUID-StandaloneSpirv-Uniform-06676", ("Block", "BufferBlock")),
    _STORAGE_BUFFER: ("VUID-StandaloneSpirv-PushConstant-06675", ("Block",)),
    storage("PushConstant"): ("VUID-StandaloneSpirv-PushConstant-06675", ("Block",)),
}


@instruction_rule("vulkan/block-decorated", *VARIABLES, section="3.2.19", apis="vulkan")
def decorated_block(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a structure in a buffer or in push constants is decorated Block; in Uniform it may be a BufferBlock instead.

    Bad:  `%ptr = OpTypePointer Uniform %struct` without a decoration of `%struct`
    Good: `OpDecorate %struct Block`
    """
    module = scene.module
    own = word_at(inst, 0)
    held = unmarked(inst, module)
    if held is None or own is None:
        return
    vuid, names = _WANTED[own]
    if own == _STORAGE_BUFFER and decorated_within(held, "BufferBlock", module):
        message = f"%{held.id} is a BufferBlock, and in StorageBuffer structures are decorated Block"
        yield Finding(inst, TYPE, message, vuid=vuid)
    else:
        blamed: set[str] = scene.shared("block decorated", set)
        if held.id in blamed or any(member is not None and member.kind == spv.OpTypeRuntimeArray for member in held.members):
            return  # said of the run-time array
        blamed.add(held.id)
        expected = " or ".join(names)
        message = f"%{held.id} is in {storage_name(own)}, and not decorated {expected}"
        note = Note(inst, RESULT, "the variable is here")
        yield Finding(held.record, RESULT, message, (note,), _as_block(held, own, scene), vuid=vuid)


def _as_block(type_: Type, storage_class: int, scene: Scene) -> tuple[Mend, ...]:
    """The quick fix that makes a structure a block, and lays it out where nothing says yet how."""
    module = scene.module
    layouts = Layouts(module, scene.options)
    placed = relayout(type_, layouts.mode(storage_class, is_buffer_block=False), layouts, module)
    for mend in decorate(type_.id, "Block", module):
        if placed and placed[0].preferred and not scene.options.skip_block_layout:
            return (Mend(f"{mend.title} and lay it out", (*mend.steps, *placed[0].steps)),)
        return (mend,)
    return ()


def unmarked(variable: Instruction, module: Module) -> Type | None:
    """The structure of a variable in a buffer, or of its elements, where it is no Block as it should be."""
    own = word_at(variable, 0)
    wanted = _WANTED.get(own) if own is not None else None
    held = held_by(variable, module)
    if held is not None and held.is_array:
        held = held.element
    if wanted is None or held is None or not held.is_struct:
        return None
    if own == _STORAGE_BUFFER and decorated_within(held, "BufferBlock", module):
        return held
    return None if any(decorated_within(held, name, module) for name in wanted[1]) else held


@instruction_rule(
    "vulkan/long-vector-layout",
    *VARIABLES,
    section="2.2.2",
    vuid="VUID-StandaloneSpirv-Function-12294",
    apis="vulkan",
)
def long_vector(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan no vector whose length can be specialized is in memory that is laid out.

    Bad:  `%v = OpTypeVectorIdEXT %float %spec_constant` in a buffer
    Good: `%v = OpTypeVectorIdEXT %float %uint_8`
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    if own is None or held is None or spv.OpTypeVectorIdEXT not in module.contents(held.id, behind_pointers=False):
        return
    if needs_layout(own, is_block=module.has_decoration(held.id, "Block"), is_heap=False):
        found = _specialized_vector(held, module)
        if found is not None:
            message = f"%{found.id} has a length that can be specialized, and stands in {storage_name(own)}, which is laid out"
            yield Finding(inst, TYPE, message)


def _specialized_vector(type_: Type | None, module: Module, depth: int = 0) -> Type | None:
    if type_ is None or depth > 255:
        return None
    if type_.kind == spv.OpTypeVectorIdEXT:
        length = module.constant(type_.length_id)
        return type_ if length is not None and length.specialized else None
    parts = type_.members if type_.is_struct else (type_.element,) if type_.is_array else ()
    return next((found for part in parts if (found := _specialized_vector(part, module, depth + 1)) is not None), None)


@instruction_rule("vulkan/interface-contents", spv.OpVariable, section="3.2.6", apis="vulkan")
def interface_contents(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan inputs and outputs hold no pointers into PhysicalStorageBuffer and no floats of 8 bits or less.

    Bad:  `%ptr = OpTypePointer Input %physical_pointer`
    Good: the address as a u64 or a vec2<u32>, and OpConvertUToPtr or OpBitcast.
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    if own not in IN_OUT or held is None:
        return
    contents = module.contents(held.id, behind_pointers=False)
    small = sorted(name for name in contents if isinstance(name, str) and name.startswith(("Float4E", "Float6E", "Float8E")))
    where = storage_name(own)
    if small:
        message = f"the variable holds {small[0]} numbers, which are not for {where}"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-OpTypeFloat-10823")
    elif spv.OpTypePointer in contents and _holds_physical(held, module):
        message = f"the variable holds a pointer into PhysicalStorageBuffer, which is passed in {where} as an integer"
        yield Finding(inst, TYPE, message, vuid="VUID-StandaloneSpirv-Input-09557")


def _holds_physical(type_: Type | None, module: Module) -> bool:
    seen: set[str] = set()
    waiting = [type_]
    while waiting:
        type_ = waiting.pop()
        if type_ is None or type_.id in seen:
            continue
        seen.add(type_.id)
        if type_.is_pointer and type_.storage == _PHYSICAL:
            return True
        if type_.is_struct:
            waiting.extend(type_.members)
        elif type_.is_array:
            waiting.append(type_.element)
    return False


@instruction_rule("vulkan/builtin-has-no-location", *VARIABLES, section="3.2.19", apis="vulkan")
def built_in_location(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan a built-in variable has no Location and no Component, nor has one whose members are built-in.

    Bad:  `OpDecorate %position BuiltIn Position` and `OpDecorate %position Location 0`
    Good: the first alone.
    """
    module = scene.module
    name = inst.result
    if name is None or word_at(inst, 0) not in IN_OUT:
        return
    held = held_by(inst, module)
    placing = [found for found in module.decorations(name) if found.name in ("Location", "Component")]
    target = held.id if held is not None and held.is_struct else name
    if placing and any(found.name == "BuiltIn" for found in module.decorations(target)):
        placed = module.in_order(placing)[0]
        message = f"%{name} is built in, and has a {placed.name} as well"
        note = Note(placed.record, OPCODE, f"{placed.name} stands here")
        mends: tuple[Mend, ...] = ()
        if placed.group is None:
            mends = (Mend(f"Remove the {placed.name}", (Delete(placed.record),)),)
        yield Finding(inst, RESULT, message, (note,), mends, vuid="VUID-StandaloneSpirv-Location-04915")
