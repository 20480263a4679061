"""OpVariable: type, class, number (SPIR-V 2.16.1, 2.17, 3.2.6, 3.3.8)."""

from __future__ import annotations

from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.operand_index import OpUntypedVariableKHR_StorageClass, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.operand_at import word_at
from spvls.module.storage_class import storage_name
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.engine.finding import Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule
from spvls.validate.fixes.common import pointing_to

_FUNCTION = StorageClass.Function
_GENERIC = StorageClass.Generic
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_WORKGROUP = StorageClass.Workgroup
_FUNCTION_OR_PRIVATE = frozenset({StorageClass.Function, StorageClass.Private})


@instruction_rule("memory/variable-has-pointer-type", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS)
def variable_has_pointer_type(inst: Instruction, context: RuleContext) -> Findings:
    """A variable is a pointer: OpVariable a typed one, OpUntypedVariableKHR an untyped one."""
    type_ = context.module.type(inst.type)
    wanted = spv.OpTypePointer if inst.opcode.value == spv.OpVariable else spv.OpTypeUntypedPointerKHR
    if type_ is not None and type_.kind != wanted:
        message = f"%{inst.type} is {context.module.spell(type_)}, expected a pointer made by {tables.opcode_name(wanted)}"
        yield Finding(inst, TYPE, message)


def _misplaced(inst: Instruction, context: RuleContext) -> bool:
    inside = context.function is not None
    return word_at(inst, OpVariable_StorageClass) != _GENERIC and inside != (word_at(inst, OpVariable_StorageClass) == _FUNCTION)


@instruction_rule("memory/variable-class-matches-place", *VARIABLES, section=sections.STORAGE_CLASS)
def variable_class_matches_place(inst: Instruction, context: RuleContext) -> Findings:
    """Variables in a function are in the storage class Function, and no others are."""
    if word_at(inst, OpVariable_StorageClass) is None or not _misplaced(inst, context):
        return
    if context.function is None:
        yield Finding(inst, OpVariable_StorageClass, "variables in the storage class Function stand in a function")
    else:
        name = storage_name(word_at(inst, OpVariable_StorageClass))
        yield Finding(
            inst, OpVariable_StorageClass, f"a variable of a function is in the storage class Function; those in {name} are global"
        )


@instruction_rule(
    "memory/variable-class-matches-type", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS, after=(variable_class_matches_place,)
)
def variable_class_matches_type(inst: Instruction, context: RuleContext) -> Findings:
    """The storage class of a variable is that of its pointer type."""
    type_ = context.module.type(inst.type)
    own = word_at(inst, OpVariable_StorageClass)
    if type_ is None or not type_.is_pointer or own is None or own == type_.storage or own == _GENERIC:
        return
    wanted = storage_name(type_.storage)
    fixes: tuple[FindingFix, ...] = (FindingFix(f"Write {wanted}", (Replace(inst, 0, wanted),)),)
    if context.function is not None and type_.storage != _FUNCTION:
        fixes = pointing_to(inst, type_.pointee, _FUNCTION, context.module) if type_.pointee is not None else ()
    yield Finding(
        inst, OpVariable_StorageClass, f"%{inst.type} points to {wanted}, and the variable is in {storage_name(own)}", (), fixes
    )


@instruction_rule("memory/variable-class-is-not-generic", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS)
def variable_class_is_not_generic(inst: Instruction, context: RuleContext) -> Findings:
    """No variable lives in the storage class Generic; pointers to it are cast from others."""
    if word_at(inst, OpVariable_StorageClass) == _GENERIC:
        yield Finding(inst, OpVariable_StorageClass, "a variable cannot be in the storage class Generic")


@instruction_rule("memory/untyped-variable-names-data-type", spv.OpUntypedVariableKHR, section=sections.MEMORY_INSTRUCTIONS)
def untyped_variable_names_data_type(inst: Instruction, context: RuleContext) -> Findings:
    """An untyped variable in Function, Private or Workgroup says what it holds; in Vulkan all do but UniformConstant."""
    own = word_at(inst, OpUntypedVariableKHR_StorageClass)
    if len(inst.operands) > 1 or own is None:
        return
    if own in _FUNCTION_OR_PRIVATE or own == _WORKGROUP:
        message = f"an untyped variable in {storage_name(own)} needs a data type"
        yield Finding(inst, OPCODE, message)
    elif context.module.environment.api == "vulkan" and own != StorageClass.UniformConstant:
        message = f"in Vulkan an untyped variable in {storage_name(own)} needs a data type"
        yield Finding(inst, OPCODE, message, vuid="VUID-StandaloneSpirv-OpUntypedVariableKHR-11167")


@instruction_rule("memory/variable-class-is-not-physical", *VARIABLES, section=sections.UNIVERSAL_VALIDATION_RULES)
def variable_class_is_not_physical(inst: Instruction, context: RuleContext) -> Findings:
    """No variable lives in PhysicalStorageBuffer; pointers to it are addresses that come from elsewhere."""
    if word_at(inst, OpVariable_StorageClass) == _PHYSICAL_STORAGE_BUFFER:
        yield Finding(inst, OpVariable_StorageClass, "a variable cannot be in the storage class PhysicalStorageBuffer")


@module_rule("memory/global-variables-are-within-limit", section=sections.UNIVERSAL_LIMITS)
def global_variables_are_within_limit(context: RuleContext) -> Findings:
    """A module has at most 65,535 variables outside of its functions, or what `--max-global-variables` says."""
    declared = context.module.declarations
    limit = context.options.max_global_variables
    variables = [*declared.records(spv.OpVariable), *declared.records(spv.OpUntypedVariableKHR)]
    if len(variables) > limit:
        message = f"the module has {len(variables)} global variables, and {limit} at most are allowed"
        yield Finding(variables[limit], OPCODE, message)


@module_rule("memory/local-variables-are-within-limit", section=sections.UNIVERSAL_LIMITS)
def local_variables_are_within_limit(context: RuleContext) -> Findings:
    """The functions of a module have at most 524,287 variables together, or what `--max-local-variables` says."""
    limit = context.options.max_local_variables
    count = 0
    for function in context.module.functions():
        variables = function.variables
        if count <= limit < count + len(variables):
            message = f"this is the local variable number {limit + 1}, and {limit} at most are allowed in a module"
            yield Finding(variables[limit - count], OPCODE, message)
        count += len(variables)
