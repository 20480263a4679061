"""OpVariable: type, class, number, use (SPIR-V 2.4, 2.16.1, 2.17, 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import StorageClass
from spvls.grammar.operand_index import OpUntypedVariableKHR_StorageClass, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.functions import Function
from spvls.module.operand_at import word_at
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.descriptors import heaps
from spvls.validate.checks.dominance import is_after_function
from spvls.validate.engine.finding import PAUSE, Finding, FindingFix, Replace
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule, module_rule
from spvls.validate.fixes.common import pointing_to

_FUNCTION = StorageClass.Function
_GENERIC = StorageClass.Generic
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_NOWHERE = frozenset({StorageClass.Generic, StorageClass.PhysicalStorageBuffer})
_NOT_GLOBAL = _NOWHERE | {StorageClass.Function}
_WORKGROUP = StorageClass.Workgroup
_FUNCTION_OR_PRIVATE = frozenset({StorageClass.Function, StorageClass.Private})


@instruction_rule("memory/variable-has-pointer-type", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS)
def variable_has_pointer_type(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpVariable must be OpTypePointer.

    The result of a variable is its address, and the type that the pointer points to says how much memory the variable occupies.
    For OpUntypedVariableKHR (SPV_KHR_untyped_pointers), the result type must be OpTypeUntypedPointerKHR.
    """
    type_ = context.module.type(inst.type)
    wanted = spv.OpTypePointer if inst.opcode.value == spv.OpVariable else spv.OpTypeUntypedPointerKHR
    if type_ is not None and type_.kind != wanted:
        kind = f"{'a typed' if wanted == spv.OpTypePointer else 'an untyped'} pointer ({tables.opcode_name(wanted)})"
        message = f"the result type of {inst.opcode.name} is {context.module.spell(type_)}, expected {kind}"
        yield Finding(inst, TYPE, message)


def _misplaced(inst: Instruction, context: RuleContext) -> bool:
    own = word_at(inst, OpVariable_StorageClass)
    return own != _GENERIC and context.is_in_function != (own == _FUNCTION) and not is_after_function(context)


@instruction_rule("memory/variable-class-matches-place", *VARIABLES, section=sections.LOGICAL_LAYOUT)
def variable_class_matches_place(inst: Instruction, context: RuleContext) -> Findings:
    """A variable in a function must be in the storage class Function, and a variable outside must not be.

    A variable in Function is created for each call of its function, so it must be in the function that owns it. All other variables
    belong to the module and are declared once, before the functions. A consumer that finds a variable in the wrong place
    cannot decide when to create it. Generic is left to `memory/variable-class-is-not-generic`, and what is after
    an OpFunctionEnd to `function/body-is-made-of-blocks`.
    """
    if word_at(inst, OpVariable_StorageClass) is None or not _misplaced(inst, context):
        return
    if not context.is_in_function:
        message = f"%{inst.result} is outside of functions and must not be in the storage class Function"
        yield Finding(inst, OpVariable_StorageClass, message)
    else:
        where = the_class(word_at(inst, OpVariable_StorageClass))
        message = f"%{inst.result} is declared in a function and is in {where}, expected Function"
        yield Finding(inst, OpVariable_StorageClass, message)


@instruction_rule(
    "memory/variable-class-matches-type", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS, after=(variable_class_matches_place,)
)
def variable_class_matches_type(inst: Instruction, context: RuleContext) -> Findings:
    """The storage class of a variable must be that of its pointer type.

    The variable says where its memory is, and its type says how the memory is accessed. If they differ, a device may use the
    instructions for one kind of memory on addresses of another. Variables in Generic are left to
    `memory/variable-class-is-not-generic`, and those that `memory/variable-class-matches-place` reports to that rule. Where
    a variable cannot be in the storage class of the type, for example in a function, a fix may give OpVariable another type.
    """
    type_ = context.module.type(inst.type)
    own = word_at(inst, OpVariable_StorageClass)
    if type_ is None or not type_.is_pointer or own is None or own == type_.storage or own == _GENERIC:
        return
    wanted, spelled = storage_name(type_.storage), context.module.spell(type_)
    fixes: tuple[FindingFix, ...] = (FindingFix(f"Write {wanted}", (Replace(inst, 0, wanted),)),)
    fixed = context.is_in_function or (type_.storage in _NOT_GLOBAL and own not in _NOWHERE)
    if context.is_in_function or type_.storage in _NOT_GLOBAL:
        fixes = pointing_to(inst, type_.pointee, own, context.module) if type_.pointee is not None and own not in _NOWHERE else ()
    message = f"operand Storage Class is {storage_name(own)}, expected {wanted} to match the result type {spelled}"
    if fixed:
        message = f"operand Storage Class is {storage_name(own)}, but the result type of {inst.opcode.name} is {spelled}"
        message += f", expected a pointer to {the_class(own)}"
    yield Finding(inst, OpVariable_StorageClass, message, (), fixes)


@instruction_rule("memory/variable-class-is-not-generic", *VARIABLES, section=sections.MEMORY_INSTRUCTIONS)
def variable_class_is_not_generic(inst: Instruction, context: RuleContext) -> Findings:
    """A variable must not be in the storage class Generic.

    Generic describes pointers to memory of several kinds; it is not a kind of memory. A consumer cannot decide where to create the
    variable. Declare it in Function, Workgroup or CrossWorkgroup, and cast the pointer with OpPtrCastToGeneric.
    """
    if word_at(inst, OpVariable_StorageClass) == _GENERIC:
        message = f"%{inst.result} must not be in {the_class(_GENERIC)}, which has no memory of its own"
        yield Finding(inst, OpVariable_StorageClass, message)


@instruction_rule("memory/untyped-variable-names-data-type", spv.OpUntypedVariableKHR, section=sections.MEMORY_INSTRUCTIONS)
def untyped_variable_names_data_type(inst: Instruction, context: RuleContext) -> Findings:
    """An untyped variable in Function, Private or Workgroup must have a Data Type.

    The pointer of an untyped variable does not say what it points to. The module allocates the memory in these storage classes, so
    a consumer must know how much memory the variable occupies. In shaders, `interface/workgroup-blocks-are-aliased` requires a
    Block as the Data Type of the variables in Workgroup that an entry point lists.

    In Vulkan, untyped variables in other storage classes must have a Data Type as well, except those in UniformConstant with the
    built-in ResourceHeapEXT or SamplerHeapEXT (SPV_EXT_descriptor_heap).
    """
    own = word_at(inst, OpUntypedVariableKHR_StorageClass)
    if len(inst.operands) > 1 or own is None:
        return
    is_always = own in _FUNCTION_OR_PRIVATE or own == _WORKGROUP
    in_vulkan = context.module.environment.api == "vulkan" and own != StorageClass.UniformConstant
    if is_always or in_vulkan:
        message = f"{'' if is_always else 'in Vulkan, '}OpUntypedVariableKHR in {the_class(own)} requires the operand Data Type"
        vuid = "VUID-StandaloneSpirv-OpUntypedVariableKHR-11167" if in_vulkan else None
        yield Finding(inst, OPCODE, message, vuid=vuid)
    elif context.module.environment.api == "vulkan" and not heaps(context.module, str(inst.result)):
        wanted = "in Vulkan, it requires one, or the decoration BuiltIn ResourceHeapEXT or SamplerHeapEXT"
        message = f"%{inst.result} has no operand Data Type; {wanted}"
        yield Finding(inst, OPCODE, message, vuid="VUID-StandaloneSpirv-OpUntypedVariableKHR-11347")


@instruction_rule("memory/variable-class-is-not-physical", *VARIABLES, section=sections.UNIVERSAL_VALIDATION_RULES)
def variable_class_is_not_physical(inst: Instruction, context: RuleContext) -> Findings:
    """A variable must not be in the storage class PhysicalStorageBuffer.

    Memory in PhysicalStorageBuffer (SPV_KHR_physical_storage_buffer) is allocated by the application, which passes its address. A
    module cannot create such memory. Load the pointer from a buffer, or convert it from an integer.
    """
    if word_at(inst, OpVariable_StorageClass) == _PHYSICAL_STORAGE_BUFFER:
        where = the_class(_PHYSICAL_STORAGE_BUFFER)
        message = f"%{inst.result} must not be in {where}, whose memory the application allocates"
        yield Finding(inst, OpVariable_StorageClass, message)


@module_rule("memory/global-variables-are-within-limit", section=sections.UNIVERSAL_LIMITS)
def global_variables_are_within_limit(context: RuleContext) -> Findings:
    """A module must not have more global variables than the limit, which is 65,535 by default.

    Every consumer must support at least 65,535 variables outside of functions; with more, a driver may reject the module or exhaust
    its tables. The option `max-global-variables` sets another limit. The rule counts OpVariable only, as spirv-val does, and not
    untyped variables.
    """
    limit = context.options.max_global_variables
    variables = [*context.module.declarations.records(spv.OpVariable)]
    if len(variables) > limit:
        message = f"the module has {len(variables)} global variables; the limit is {limit}"
        yield Finding(variables[limit], OPCODE, message)


@module_rule("memory/local-variables-are-within-limit", section=sections.UNIVERSAL_LIMITS)
def local_variables_are_within_limit(context: RuleContext) -> Findings:
    """A module must not have more variables in functions than the limit, which is 524,287 by default.

    Every consumer must support at least 524,287 local variables; with more, a driver may reject the module or exhaust its tables.
    All functions are counted together. The option `max-local-variables` sets another limit. The rule counts OpVariable only, as
    spirv-val does, and not untyped variables.
    """
    limit = context.options.max_local_variables
    if context.module.instruction_count <= limit:
        return
    count = 0
    for function in context.module.functions():
        variables = [record for record in function.variables if record.opcode.value == spv.OpVariable]
        if count <= limit < count + len(variables):
            variable = variables[limit - count]
            message = f"with %{variable.result}, the module has {limit + 1} local variables; the limit is {limit}"
            yield Finding(variable, OPCODE, message)
        count += len(variables)


@function_rule(
    "memory/variable-is-loaded", spv.OpStore, section=sections.MEMORY_INSTRUCTIONS, severity=Severity.HINT, tags="unnecessary"
)
def variable_is_loaded(function: Function, context: RuleContext) -> Findings:
    """A variable of a function that is stored to must be used in another way as well.

    Nothing sees what is stored to such a variable, because it ends with the call of its function. It may be left over from a
    change, or another variable is loaded by mistake. An action of editors removes it with its stores.

    Names and decorations do not count as another use, nor does an OpAccessChain or OpInBoundsAccessChain that leads to nothing but
    OpStore. All other uses count, among them volatile stores, OpCopyMemory to the variable and debug instructions. Untyped
    variables are not checked, nor those in decoration groups. Reported only with advice, as in editors.
    """
    if not context.options.advice or not function.whole or function.entry is None:
        return
    from spvls.validate.checks.simplification import unread

    for record in function.variables:
        yield PAUSE
        if _is_local(record) and unread(record, context.module):
            yield Finding(record, RESULT, f"the variable %{record.result} is stored to but never loaded")


@function_rule("memory/variable-is-needed", spv.OpVariable, section=sections.SSA_FORM, severity=Severity.HINT)
def variable_is_needed(function: Function, context: RuleContext) -> Findings:
    """A variable of a function must have other uses than whole loads and stores.

    The values that are stored can take the place of such a variable, with OpPhi where branches meet. Later tools then know each
    value without an analysis of memory. An action of editors makes the change.

    Debug instructions count as other uses, names do not. A variable is reported only if it is loaded, if its loads and stores have
    no memory operands other than Aligned and Nontemporal, and if neither it nor a value loaded from it is in a decoration group or
    has a decoration other than RelaxedPrecision. It must hold Booleans, numbers, or vectors (OpTypeVector), matrices, arrays with a
    length or structures of these; 8- and 16-bit integers and 16-bit IEEE 754 floats require the capability Int8, Int16 or Float16.
    Untyped variables are not reported. Reported only with the option `simplifications`.
    """
    if not context.options.simplifications or not function.is_sound:
        return
    from spvls.validate.checks.simplification import promotion_of

    for record in function.variables:
        yield PAUSE
        if _is_local(record) and promotion_of(record, function, context.module) is not None:
            is_written = len(record.operands) > 1 or any(
                user.opcode.value == spv.OpStore for user in context.module.users(str(record.result))
            )
            instead = "the values stored to it" if is_written else "OpUndef, because nothing is stored to it"
            yield Finding(record, RESULT, f"the variable %{record.result} can be replaced by {instead}")


def _is_local(record: Instruction) -> bool:
    is_function = word_at(record, OpVariable_StorageClass) == _FUNCTION
    return record.opcode.value == spv.OpVariable and record.result is not None and is_function
