"""Vectors and matrices (SPIR-V 2.16.1, 3.3.6)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability
from spvls.grammar.operand_index import (
    OpTypeMatrix_ColumnCount,
    OpTypeMatrix_ColumnType,
    OpTypeVector_ComponentCount,
    OpTypeVector_ComponentType,
    OpTypeVectorIdEXT_ComponentCount,
)
from spvls.grammar.tables import NO_OPCODE
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import INT32
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule(
    "type/vector-components-are-scalar", spv.OpTypeVector, spv.OpTypeVectorIdEXT, section=sections.TYPE_DECLARATION_INSTRUCTIONS
)
def vector_components_are_scalar(inst: Instruction, context: RuleContext) -> Findings:
    """The components of a vector must be Booleans, integers, floats or, with a capability, pointers.

    Most instructions on vectors are defined component by component, as operations on scalars.

    With the capability MaskedGatherScatterINTEL (SPV_INTEL_masked_gather_scatter), the components of an OpTypeVector may be
    physical pointers; the rule, like spirv-val, then accepts each OpTypePointer. Booleans in an OpTypeVectorIdEXT require
    LongVectorEXT (SPV_EXT_long_vector).
    """
    module = context.module
    component = module.type(id_at(inst, OpTypeVector_ComponentType))
    by_id = inst.opcode.value == spv.OpTypeVectorIdEXT
    if component is None:
        return
    wanted = ", expected a scalar type"
    if component.is_bool and by_id and not module.has_capability(Capability.LongVectorEXT):
        wanted = "; without the capability LongVectorEXT, expected an integer or a float"
    elif component.is_scalar or (
        component.kind == spv.OpTypePointer and not by_id and module.has_capability(Capability.MaskedGatherScatterINTEL)
    ):
        return
    yield Finding(inst, OpTypeVector_ComponentType, f"{operand(inst, 0)} is {module.spell(component)}{wanted}")


@instruction_rule("type/vector-has-2-to-4-components", spv.OpTypeVector, section=sections.UNIVERSAL_VALIDATION_RULES)
def vector_has_2_to_4_components(inst: Instruction, context: RuleContext) -> Findings:
    """The Component Count of a vector must be 2, 3 or 4 unless a capability permits another.

    A driver need not support other counts; a capability says that the module needs them. The capability Vector16, which Vulkan does
    not support, also permits 8 and 16, and the capability LongVectorEXT of SPV_EXT_long_vector any count of at least 1; as in
    spirv-val, VectorAnyINTEL permits no others. For the count of OpTypeVectorIdEXT, see `type/vector-length-id-is-constant`.
    """
    count = word_at(inst, OpTypeVector_ComponentCount)
    module = context.module
    if count is None or count in (2, 3, 4):
        return
    long = module.has_capability(Capability.LongVectorEXT)
    if long and count >= 1:
        return
    vuid = "VUID-StandaloneSpirv-None-12295" if module.environment.api == "vulkan" and not long else None
    if count not in (8, 16):
        wanted = "at least 1" if long else "2, 3, 4, 8 or 16" if module.has_capability(Capability.Vector16) else "2, 3 or 4"
        wanted += f"; a count of {count} requires the capability LongVectorEXT" if count else ""
        yield Finding(inst, OpTypeVector_ComponentCount, f"operand Component Count is {count}, expected {wanted}", vuid=vuid)
    elif not module.has_capability(Capability.Vector16):
        needed = "LongVectorEXT" if module.environment.api == "vulkan" else "Vector16 or LongVectorEXT"
        message = f"operand Component Count is {count}, which requires the capability {needed}"
        yield Finding(inst, OpTypeVector_ComponentCount, message, vuid=vuid)


@instruction_rule("type/vector-length-id-is-constant", spv.OpTypeVectorIdEXT, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def vector_length_id_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The Component Count of OpTypeVectorIdEXT must be a 32-bit integer constant of at least 1.

    The size of the vector must be known when the pipeline or the kernel is created. Specialization constants have their values at
    that time; their defaults are not checked. OpUndef is not a constant here. The count is read as unsigned, also in a signed type.
    """
    name = id_at(inst, OpTypeVectorIdEXT_ComponentCount)
    module = context.module
    constant = module.constant(name)
    if name is None or module.opcode_of(name) == NO_OPCODE:
        return
    if module.opcode_of(name) == spv.OpUndef:
        constant = None
    if constant is None or constant.type is None or not INT32.holds(constant.type):
        have = f"the result of {module.opcode_name_of(name)}" if constant is None else module.spell(constant.type)
        message = f"{operand(inst, 1)} is {have}, expected a 32-bit integer constant"
        yield Finding(inst, OpTypeVectorIdEXT_ComponentCount, message)
    elif module.integer(name) == 0:
        yield Finding(inst, OpTypeVectorIdEXT_ComponentCount, f"{operand(inst, 1)} is 0, expected at least 1")


@instruction_rule("type/matrix-columns-are-float-vectors", spv.OpTypeMatrix, section=sections.UNIVERSAL_VALIDATION_RULES)
def matrix_columns_are_float_vectors(inst: Instruction, context: RuleContext) -> Findings:
    """The Column Type of a matrix must be a vector of floats.

    Matrix instructions multiply and add the components as floating-point numbers. For other types, use an array of vectors. The
    vector must be an OpTypeVector, not an OpTypeVectorIdEXT; its floats may have any width. As in spirv-val, it is not checked that
    a column has 2, 3 or 4 components, which SPV_EXT_long_vector requires.
    """
    column = context.module.type(id_at(inst, OpTypeMatrix_ColumnType))
    if column is None:
        return
    if column.kind != spv.OpTypeVector or (column.element is not None and not column.element.is_float):
        shown = context.module.spell(column)
        message = f"{operand(inst, 0)} is {shown}, expected an OpTypeVector of floats"
        yield Finding(inst, OpTypeMatrix_ColumnType, message)


@instruction_rule("type/matrix-has-2-to-4-columns", spv.OpTypeMatrix, section=sections.UNIVERSAL_VALIDATION_RULES)
def matrix_has_2_to_4_columns(inst: Instruction, context: RuleContext) -> Findings:
    """The Column Count of a matrix must be 2, 3 or 4.

    A driver need not support other counts; SPIR-V has no capability that permits them. A single column is a vector; use an array
    for more than four.
    """
    count = word_at(inst, OpTypeMatrix_ColumnCount)
    if count is not None and count not in (2, 3, 4):
        yield Finding(inst, OpTypeMatrix_ColumnCount, f"operand Column Count is {count}, expected 2, 3 or 4")
