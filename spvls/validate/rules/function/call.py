"""Function calls (SPIR-V 2.16.1, 3.3.9)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import AddressingModel, Capability, StorageClass
from spvls.grammar.operand_index import OpFunctionCall_Function
from spvls.grammar.tables import NO_OPCODE
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.type_walks import alike
from spvls.module.types import Type
from spvls.module.variable import the_class
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction, shown
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.wording import are_given, counted, made_by, operand
from spvls.validate.engine.finding import Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.common import converted
from spvls.validate.rules.function.declaration import spelled_apart

_WITH_LOGICAL_POINTERS = frozenset({AddressingModel.Logical, AddressingModel.PhysicalStorageBuffer64})
_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer
_STORAGE_BUFFER = StorageClass.StorageBuffer
_WORKGROUP = StorageClass.Workgroup
_UNIFORM_CONSTANT = StorageClass.UniformConstant
_ALWAYS = frozenset(
    {
        StorageClass.UniformConstant, StorageClass.Function, StorageClass.Private, StorageClass.Workgroup,
        StorageClass.AtomicCounter, StorageClass.TileImageEXT, StorageClass.ShaderRecordBufferKHR,
    }
)  # fmt: skip
_PASSED = (
    "UniformConstant, Function, Private, Workgroup, AtomicCounter, TileImageEXT, ShaderRecordBufferKHR or StorageBuffer"
    " (with the capability VariablePointersStorageBuffer)"
)
_OBJECTS = frozenset({spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpFunctionParameter})


def _callee(inst: Instruction, module: Module) -> tuple[Instruction, Type] | None:
    """The function that is called, and its type."""
    name = id_at(inst, OpFunctionCall_Function)
    function = module.definition(name) if name is not None else None
    if function is None or function.opcode.value != spv.OpFunction:
        return None
    type_ = module.type(id_at(function, 1))
    return (function, type_) if type_ is not None and type_.kind == spv.OpTypeFunction else None


@instruction_rule("function/call-names-function", spv.OpFunctionCall, section=sections.UNIVERSAL_VALIDATION_RULES)
def call_names_function(inst: Instruction, context: RuleContext) -> Findings:
    """OpFunctionCall must call a function.

    The operand Function determines which code runs next. Another id does not name a function to run, so a consumer cannot
    generate the call. A type, or an id without a value such as a label, is reported by `id/operand-is-value`.
    """
    name = id_at(inst, OpFunctionCall_Function)
    definition = context.module.definition(name) if name is not None else None
    if definition is not None and definition.opcode.value != spv.OpFunction:
        note = Note(definition, RESULT, f"%{name} is defined here")
        message = f"{operand(inst, OpFunctionCall_Function)} is {made_by(definition)}, expected a function"
        yield Finding(inst, OpFunctionCall_Function, message, (note,))


@instruction_rule("function/call-result-matches-function", spv.OpFunctionCall, section=sections.FUNCTION_INSTRUCTIONS)
def call_result_matches_function(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpFunctionCall must be the return type of the function.

    The function may leave its result in the registers or memory that its return type determines. If the caller expects another
    type, it may read other bits.
    """
    callee = _callee(inst, context.module)
    if callee is None or inst.type is None or callee[0].type in (None, inst.type):
        return
    function = callee[0]
    module = context.module
    given, wanted = spelled_apart(module, inst.type, function.type)
    fix = FindingFix(f"Make it %{function.type}", (Replace(inst, TYPE, f"%{function.type}"),))
    message = f"the result type of OpFunctionCall is {given}, but %{function.result} returns {wanted}"
    yield Finding(inst, TYPE, message, (Note(function, TYPE, f"%{function.result} is defined here"),), (fix,))


@instruction_rule("function/argument-count-matches-parameters", spv.OpFunctionCall, section=sections.UNIVERSAL_VALIDATION_RULES)
def argument_count_matches_parameters(inst: Instruction, context: RuleContext) -> Findings:
    """OpFunctionCall must have one argument for each parameter of the function.

    A parameter without an argument has no value, so the function may compute with an arbitrary one. With more arguments than
    parameters, a compiler may overwrite other values. The parameters are those that the function type lists.
    """
    callee = _callee(inst, context.module)
    if callee is None:
        return
    wanted, given = len(callee[1].member_ids), len(inst.operands) - 1
    if wanted != given:
        operand_index = wanted + 1 if given > wanted else OPCODE
        note = Note(callee[0], RESULT, f"%{callee[0].result} is defined here")
        yield Finding(
            inst,
            operand_index,
            f"%{inst.operands[OpFunctionCall_Function]!s} requires {counted(wanted, 'argument')}, but {are_given(given)}",
            (note,),
        )


@instruction_rule("function/argument-types-match-parameters", spv.OpFunctionCall, section=sections.UNIVERSAL_VALIDATION_RULES)
def argument_types_match_parameters(inst: Instruction, context: RuleContext) -> Findings:
    """Each argument of OpFunctionCall must have the type of its parameter.

    SPIR-V has no implicit conversions: the function reads the bits of the argument as a value of its parameter's type. With another
    type that may be another value.

    With the option `before-hlsl-legalization`, typed pointers also match if the types that they point to match member by member and
    each type of the argument has all decorations of the parameter's; the storage classes may differ. Only the first argument of
    another type is reported. For a wrong number of arguments, see `function/argument-count-matches-parameters`.
    """
    module = context.module
    callee = _callee(inst, module)
    if callee is None or len(callee[1].member_ids) != len(inst.operands) - 1:
        return
    for operand_index, wanted in enumerate(callee[1].members, 1):
        name = id_at(inst, operand_index)
        given = module.type_of(name)
        if given is None or wanted is None or given.id == wanted.id:
            continue
        if context.options.before_hlsl_legalization and _points_to_alike(module, given, wanted):
            continue
        have, need = spelled_apart(module, given.id, wanted.id)
        where = f"parameter {operand_index - 1} of %{callee[0].result}"
        message = f"{_argument(inst, operand_index)} is {have}, expected {need} to match {where}"
        note = Note(callee[0], RESULT, f"%{callee[0].result} is defined here")
        yield Finding(inst, operand_index, message, (note,), converted(inst, operand_index, wanted, module))
        return


def _argument(inst: Instruction, at: int) -> str:
    return f"argument {at - 1} ({shown(inst.operands[at])})"


def _decorated_alike(module: Module, given: Type, wanted: Type) -> bool:
    """Whether all decorations of `wanted` are on `given` as well."""
    mine = {(d.value, d.member, d.params) for d in module.decorations(given.id)}
    return all((d.value, d.member, d.params) in mine for d in module.decorations(wanted.id))


def _points_to_alike(module: Module, given: Type, wanted: Type) -> bool:
    if given.kind != spv.OpTypePointer or wanted.kind != spv.OpTypePointer or not _decorated_alike(module, given, wanted):
        return False
    one, other = given.pointee, wanted.pointee
    return one is not None and other is not None and alike(one, other, lambda mine, theirs: _match(module, mine, theirs))


def _match(module: Module, given: Type, wanted: Type) -> bool | None:
    """Whether two types match logically (SPIR-V 3.3.12, OpCopyLogical), decorations included; None where it is for their parts
    to match."""
    if given.id == wanted.id:
        return True
    if given.kind != wanted.kind or not _decorated_alike(module, given, wanted):
        return False
    if given.kind == spv.OpTypeArray:
        known = given.length_id == wanted.length_id and given.element is not None and wanted.element is not None
        return None if known else False
    return None if given.is_struct and None not in (*given.members, *wanted.members) else False


@instruction_rule(
    "function/pointer-arguments-are-permitted",
    spv.OpFunctionCall,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    after=(argument_types_match_parameters,),
)
def pointer_arguments_are_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """With logical addressing, a pointer argument must be a variable or a parameter, with few exceptions.

    A logical pointer need not be an address, so a compiler may resolve it to its object by inlining the call or by copying the
    object. The rule applies to typed and untyped pointers with the addressing models Logical and PhysicalStorageBuffer64, but not
    to pointers to PhysicalStorageBuffer. With the option `relax-logical-pointer` or `before-hlsl-legalization` nothing is checked.

    The pointer must also point to UniformConstant, Function, Private, Workgroup, AtomicCounter, TileImageEXT
    (SPV_EXT_shader_tile_image) or ShaderRecordBufferKHR (SPV_KHR_ray_tracing), or with the capability VariablePointersStorageBuffer
    to StorageBuffer. A pointer to StorageBuffer, or with VariablePointers to Workgroup, may be the result of any instruction. As in
    spirv-val, so may a pointer to UniformConstant, which SPIR-V permits only for elements of arrays of images or samplers. Also as
    in spirv-val, VariablePointersStorageBuffer does not suffice for Workgroup, and a pointer to an element of an array of images in
    TileImageEXT is reported, though SPIR-V permits both.
    """
    module = context.module
    callee = _callee(inst, module)
    if callee is None or module.addressing_model not in _WITH_LOGICAL_POINTERS or context.options.relax_logical_pointer:
        return
    for operand_index, wanted in enumerate(callee[1].members, 1):
        name = id_at(inst, operand_index)
        if name is None or wanted is None or not wanted.is_pointer or wanted.storage == _PHYSICAL_STORAGE_BUFFER:
            continue
        class_, subject = wanted.storage, _argument(inst, operand_index)
        buffers = module.has_capability(Capability.VariablePointersStorageBuffer)
        if class_ == _STORAGE_BUFFER and not buffers:
            message = f"{subject} is a pointer to the storage class StorageBuffer; with logical addressing, passing it requires"
            yield Finding(inst, operand_index, f"{message} the capability VariablePointersStorageBuffer")
            return
        if class_ not in _ALWAYS and class_ != _STORAGE_BUFFER:
            message = f"{subject} is a pointer to {the_class(class_)}; with logical addressing, a pointer argument must point to"
            yield Finding(inst, operand_index, f"{message} {_PASSED}")
            return
        maker = module.opcode_of(name)
        if maker in _OBJECTS or maker == NO_OPCODE or class_ == _UNIFORM_CONSTANT:
            continue
        if class_ == _STORAGE_BUFFER or (class_ == _WORKGROUP and module.has_capability(Capability.VariablePointers)):
            continue
        message = f"{subject} is the result of {module.opcode_name_of(name)}; "
        message += "with logical addressing, a pointer argument must be a variable or a parameter"
        if class_ == _WORKGROUP:
            message += ", unless the module declares the capability VariablePointers"
        yield Finding(inst, operand_index, message)
        return


@instruction_rule("function/returned-pointers-are-permitted", spv.OpFunctionCall, section=sections.UNIVERSAL_VALIDATION_RULES)
def returned_pointers_are_permitted(inst: Instruction, context: RuleContext) -> Findings:
    """A function may only return a logical pointer if variable pointers permit it.

    A logical pointer need not be an address, so a device may have no bits to return. The rule checks the result types of
    OpFunctionCall with the addressing models Logical and PhysicalStorageBuffer64, unless the option `relax-logical-pointer` or
    `before-hlsl-legalization` is set. See `function/returned-value-matches-function` for OpReturnValue.

    Pointers to StorageBuffer require the capability VariablePointersStorageBuffer, and pointers to Workgroup require
    VariablePointers. Pointers to PhysicalStorageBuffer are addresses, and may be returned. Pointers to other storage classes must
    not be returned. Typed and untyped pointers are checked.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None or not type_.is_pointer or type_.storage == _PHYSICAL_STORAGE_BUFFER:
        return
    if context.options.relax_logical_pointer or module.addressing_model not in _WITH_LOGICAL_POINTERS:
        return
    needed = {_STORAGE_BUFFER: Capability.VariablePointersStorageBuffer, _WORKGROUP: Capability.VariablePointers}.get(type_.storage)
    if needed is None:
        what = f"must not be a pointer to {the_class(type_.storage)}"
        yield Finding(inst, TYPE, f"with logical addressing, the result type of OpFunctionCall {what}")
    elif not module.has_capability(needed):
        required = f"with logical addressing, that requires the capability {capability_name(needed)}"
        yield Finding(inst, TYPE, f"this call returns {module.spell(type_)}; {required}")
