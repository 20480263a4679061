"""Constants that stand for data: words of an array, sizes of descriptors (SPV_KHR_constant_data, SPV_EXT_descriptor_heap)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables, traits
from spvls.grammar.operand_index import OpConstantSizeOfEXT_Type
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.wording import are_given, counted
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_DATA = (spv.OpConstantDataKHR, spv.OpSpecConstantDataKHR)


@instruction_rule("constant/data-has-integer-array-type", *_DATA, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def data_has_integer_array_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of constant data must be an array of integers.

    The operands of OpConstantDataKHR and OpSpecConstantDataKHR are raw words, which a consumer copies to the object. Arrays of
    other types, for example of floats, Booleans, pointers or vectors, are not permitted, nor are run-time arrays. The array must
    not have ArrayStride either, which the rule does not check.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind != spv.OpTypeArray or (type_.element is not None and not type_.element.is_int):
        wanted = "an array with a length" if type_.kind == spv.OpTypeRuntimeArray else "an array of integers"
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {module.spell(type_)}, expected {wanted}")


@instruction_rule("constant/data-fills-array", *_DATA, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def data_fills_array(inst: Instruction, context: RuleContext) -> Findings:
    """The literal words of constant data must be as many as the array of its result type occupies.

    This is for OpConstantDataKHR and OpSpecConstantDataKHR with an array of integers. Elements follow each other without padding;
    only the last word may have unused bits. With fewer words the last elements have no value, and with more a consumer that copies
    all of them may write past the end of the array. If the length can be specialized, the rule only requires that there is a word.
    spirv-val checks only OpConstantDataKHR.
    """
    module = context.module
    type_ = module.type(inst.type)
    element = type_.element if type_ is not None and type_.kind == spv.OpTypeArray else None
    if type_ is None or element is None or not element.is_int:
        return
    given = len(inst.operands)
    length = module.integer(type_.length_id)
    wanted = (length * element.width + 31) // 32 if length is not None else 0
    if not given:
        needed = counted(wanted, "word") if wanted else "at least one word"
        yield Finding(inst, OPCODE, f"the result type {module.spell(type_)} requires {needed} of data; {are_given(0)}")
    elif length is not None and given != wanted:
        operand_index = OPCODE if given < wanted else wanted
        message = f"the result type {module.spell(type_)} requires {counted(wanted, 'word')} of data; {are_given(given)}"
        yield Finding(inst, operand_index, message)


@instruction_rule("constant/size-is-of-descriptor-type", spv.OpConstantSizeOfEXT, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def size_is_of_descriptor_type(inst: Instruction, context: RuleContext) -> Findings:
    """The Type of OpConstantSizeOfEXT must be a type of descriptors, and the result an integer.

    Descriptors are OpTypeBufferEXT, images, samplers, acceleration structures and OpTypeTensorARM. Their size may differ between
    devices, so a module asks for it. Other types, such as OpTypeSampledImage, arrays and structures, are not types of descriptors.

    The result must be an integer scalar of 32 or 64 bits; where it is not, the Type is not checked.
    """
    module = context.module
    result = module.type(inst.type)
    if result is not None and not (result.is_int and result.width in (32, 64)):
        shown = module.spell(result)
        if shown == f"%{result.id}":  # of the kinds that are spelled by their ids alone
            shown = f"{shown} ({tables.opcode_name(result.kind)})"
        message = f"the result type of OpConstantSizeOfEXT is {shown}, expected a 32- or 64-bit integer"
        yield Finding(inst, TYPE, message)
        return
    type_ = module.type(id_at(inst, OpConstantSizeOfEXT_Type))
    if type_ is not None and type_.kind not in traits.DESCRIPTORS:
        expected = "an image, sampler, acceleration structure, tensor or OpTypeBufferEXT"
        message = f"operand Type (%{type_.id}) is {module.spell(type_)}, expected {expected}"
        yield Finding(inst, OpConstantSizeOfEXT_Type, message)
