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
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule


@instruction_rule(
    "type/vector-components-are-scalar", spv.OpTypeVector, spv.OpTypeVectorIdEXT, section=sections.TYPE_DECLARATION_INSTRUCTIONS
)
def vector_components_are_scalar(inst: Instruction, context: RuleContext) -> Findings:
    """The components of a vector are scalars: Booleans, integers or floats; pointers with MaskedGatherScatterINTEL."""
    component = context.module.type(id_at(inst, OpTypeVector_ComponentType))
    if component is not None and not component.is_scalar:
        if component.is_pointer and context.module.has_capability(Capability.MaskedGatherScatterINTEL):
            return
        yield Finding(
            inst,
            OpTypeVector_ComponentType,
            f"a vector is made of scalars, and %{component.id} is {context.module.spell(component)}",
        )


@instruction_rule("type/vector-has-2-to-4-components", spv.OpTypeVector, section=sections.UNIVERSAL_VALIDATION_RULES)
def vector_has_2_to_4_components(inst: Instruction, context: RuleContext) -> Findings:
    """A vector has 2, 3 or 4 components, 8 or 16 with `Vector16`, any number with `LongVectorEXT`."""
    count = word_at(inst, OpTypeVector_ComponentCount)
    module = context.module
    if count is None or count in (2, 3, 4):
        return
    if module.has_capability(Capability.LongVectorEXT) and count >= 1:
        return
    if count not in (8, 16):
        vuid = "VUID-StandaloneSpirv-None-12295" if module.environment.api == "vulkan" else None
        yield Finding(inst, OpTypeVector_ComponentCount, f"a vector has 2, 3, 4, 8 or 16 components, not {count}", vuid=vuid)
    elif not module.has_capability(Capability.Vector16):
        yield Finding(
            inst, OpTypeVector_ComponentCount, f"vectors of {count} components need the capability Vector16 or LongVectorEXT"
        )


@instruction_rule("type/vector-length-id-is-constant", spv.OpTypeVectorIdEXT, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def vector_length_id_is_constant(inst: Instruction, context: RuleContext) -> Findings:
    """The component count of an OpTypeVectorIdEXT is a 32-bit integer constant of 1 or more."""
    name = id_at(inst, OpTypeVectorIdEXT_ComponentCount)
    module = context.module
    constant = module.constant(name)
    if name is None or module.opcode_of(name) == NO_OPCODE:
        return
    if constant is None or constant.type is None or not constant.type.is_int:
        yield Finding(inst, OpTypeVectorIdEXT_ComponentCount, f"the component count is an integer constant, and %{name} is none")
    elif (count := module.integer(name)) is not None and count < 1:
        yield Finding(inst, OpTypeVectorIdEXT_ComponentCount, f"a vector has at least one component, and %{name} is {count}")


@instruction_rule("type/matrix-columns-are-float-vectors", spv.OpTypeMatrix, section=sections.TYPE_DECLARATION_INSTRUCTIONS)
def matrix_columns_are_float_vectors(inst: Instruction, context: RuleContext) -> Findings:
    """The columns of a matrix are vectors of floats."""
    column = context.module.type(id_at(inst, OpTypeMatrix_ColumnType))
    if column is None:
        return
    shown = context.module.spell(column)
    if column.kind != spv.OpTypeVector:
        yield Finding(inst, OpTypeMatrix_ColumnType, f"the columns of a matrix are vectors, and %{column.id} is {shown}")
    elif column.element is not None and not column.element.is_float:
        yield Finding(inst, OpTypeMatrix_ColumnType, f"the columns of a matrix are vectors of floats, and %{column.id} is {shown}")


@instruction_rule("type/matrix-has-2-to-4-columns", spv.OpTypeMatrix, section=sections.UNIVERSAL_VALIDATION_RULES)
def matrix_has_2_to_4_columns(inst: Instruction, context: RuleContext) -> Findings:
    """A matrix has 2, 3 or 4 columns."""
    count = word_at(inst, OpTypeMatrix_ColumnCount)
    if count is not None and count not in (2, 3, 4):
        yield Finding(inst, OpTypeMatrix_ColumnCount, f"a matrix has 2, 3 or 4 columns, not {count}")
