"""OpArrayLength: how long a run-time array is (SPIR-V 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability, Decoration, StorageClass
from spvls.grammar.operand_index import OpArrayLength_Structure
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.pointer.logical_pointer import has_logical_pointers
from spvls.validate.rules.pointer.variable_pointer import MAKERS

_LENGTHS = (spv.OpArrayLength, spv.OpUntypedArrayLengthKHR)
_UNIFORM = StorageClass.Uniform


def _pointer_place(inst: Instruction) -> int:
    return 0 if inst.opcode.value == spv.OpArrayLength else 1


@instruction_rule("memory/array-length-is-unsigned", *_LENGTHS, section=sections.MEMORY_INSTRUCTIONS)
def array_length_is_unsigned(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpArrayLength must be an unsigned integer of 32 or 64 bits.

    The result is a number of elements. A signed or narrow type may not represent all lengths that a buffer can have, and a
    comparison with such a length may give wrong results. 64 bits are defined by SPV_EXT_shader_64bit_indexing, and permitted here
    without it, as by spirv-val. The same applies to OpUntypedArrayLengthKHR (SPV_KHR_untyped_pointers).
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and not (type_.is_int and type_.width in (32, 64) and not type_.signed):
        shown = context.module.spell(type_)
        wanted = "u32 or u64" if context.module.has_capability(Capability.Shader64BitIndexingEXT) else "u32"
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {shown}, expected {wanted}")


@instruction_rule(
    "memory/array-length-names-runtime-array", *_LENGTHS, section=sections.MEMORY_INSTRUCTIONS, after=(array_length_is_unsigned,)
)
def array_length_names_runtime_array(inst: Instruction, context: RuleContext) -> Findings:
    """OpArrayLength must name a structure that ends with a run-time array, and the index of that member.

    The length is computed from the size of the bound buffer, the offset of the last member and its stride. For any other member a
    driver has nothing to compute it from.

    Structure must be a typed pointer for OpArrayLength. SPIR-V requires a logical one. As in spirv-val, a pointer to
    PhysicalStorageBuffer is only reported if it is loaded, selected, null, or the result of a function or of a pointer access
    chain, and not with the option `relax-logical-pointer` or `before-hlsl-legalization`.

    OpUntypedArrayLengthKHR (SPV_KHR_untyped_pointers) names the structure type itself. In the extension, its Pointer may also be a
    typed pointer; the rule, like spirv-val, permits only an untyped one. The rule does not check that this Pointer is that of a
    descriptor, or that the structure is a Block, as the extension requires.
    """
    module = context.module
    operand_index = _pointer_place(inst)
    name = id_at(inst, operand_index)
    pointer = module.type_of(name)
    if pointer is None:
        return
    wanted = spv.OpTypeUntypedPointerKHR if operand_index else spv.OpTypePointer
    if pointer.kind != wanted:
        what = f"{'an untyped' if operand_index else 'a typed'} pointer ({tables.opcode_name(wanted)})"
        yield Finding(inst, operand_index, f"{operand(inst, operand_index)} is {module.spell(pointer)}, expected {what}")
        return
    if pointer.storage == StorageClass.PhysicalStorageBuffer and module.opcode_of(name) in MAKERS and has_logical_pointers(context):
        found = f"{operand(inst, operand_index)} is a pointer to PhysicalStorageBuffer"
        yield Finding(inst, operand_index, f"{found}, expected a logical pointer")
        return
    structure = module.type(id_at(inst, OpArrayLength_Structure)) if operand_index else pointer.pointee
    if structure is None:
        return
    if not structure.is_struct:
        what = f"{operand(inst, OpArrayLength_Structure)} {'is' if operand_index else 'points to'}"
        yield Finding(inst, OpArrayLength_Structure, f"{what} {module.spell(structure)}, expected a structure")
        return
    members = structure.members
    last = members[-1] if members else None
    if not members or (last is not None and last.kind != spv.OpTypeRuntimeArray):
        what = f"the last member of %{structure.id} is {module.spell(last)}" if last else f"%{structure.id} has no members"
        yield Finding(inst, OpArrayLength_Structure, f"{what}, expected a run-time array")
        return
    if word_at(inst, operand_index + 1) not in (None, len(members) - 1):
        right = len(members) - 1
        fix = FindingFix(f"Write {right}", (Replace(inst, operand_index + 1, str(right)),))
        given = word_at(inst, operand_index + 1)
        message = f"operand Array member is {given}, expected {right}, the index of the run-time array in %{structure.id}"
        yield Finding(inst, operand_index + 1, message, (), (fix,))


@instruction_rule(
    "memory/array-length-avoids-uniform-block",
    *_LENGTHS,
    section=sections.MEMORY_INSTRUCTIONS,
    vuid="VUID-StandaloneSpirv-OpArrayLength-11805",
    apis="vulkan",
)
def array_length_avoids_uniform_block(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, OpArrayLength must not be used with a structure in Uniform that is decorated with Block.

    Such a structure is a uniform buffer. A driver need not provide the size of a uniform buffer to the shader, so it may not be
    able to compute the length. Use a Block in StorageBuffer. The same applies to OpUntypedArrayLengthKHR
    (SPV_KHR_untyped_pointers).
    """
    module = context.module
    operand_index = _pointer_place(inst)
    pointer = module.type_of(id_at(inst, operand_index))
    if pointer is None or pointer.storage != _UNIFORM:
        return
    structure = module.type(id_at(inst, OpArrayLength_Structure)) if operand_index else pointer.pointee
    if structure is not None and module.has_decoration(structure.id, Decoration.Block):
        what = f"{operand(inst, operand_index)} points to the Block %{structure.id} in Uniform"
        yield Finding(inst, operand_index, f"{what}, expected a Block in StorageBuffer")
