"""Boolean, null, undefined values, function pointers (SPIR-V 3.3.1, 3.3.7)."""

from __future__ import annotations

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, StorageClass
from spvls.grammar.operand_index import OpConstantFunctionPointerINTEL_Function
from spvls.module.operand_at import id_at
from spvls.module.type_walks import parts
from spvls.module.types import Type
from spvls.syntax.instruction import TYPE, Instruction
from spvls.validate.checks.kinds import capabilities_to_compute, has_small_types
from spvls.validate.checks.wording import made_by, the_capabilities
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.fixes.declare import every_capability_fix

_PHYSICAL_STORAGE_BUFFER = StorageClass.PhysicalStorageBuffer


@instruction_rule(
    "constant/boolean-constant-is-bool",
    spv.OpConstantTrue,
    spv.OpConstantFalse,
    spv.OpSpecConstantTrue,
    spv.OpSpecConstantFalse,
    section=sections.CONSTANT_CREATION_INSTRUCTIONS,
)
def boolean_constant_is_bool(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a Boolean constant must be OpTypeBool.

    OpTypeBool has no width and no bit pattern, so true and false are not numbers. For the numbers 1 and 0, use OpConstant, or
    OpSpecConstant if they can be specialized. OpConstantTrue, OpConstantFalse, OpSpecConstantTrue and OpSpecConstantFalse are
    checked.
    """
    type_ = context.module.type(inst.type)
    if type_ is not None and not type_.is_bool:
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} is {context.module.spell(type_)}, expected bool")


_NULLABLE = frozenset(
    {
        spv.OpTypeBool, spv.OpTypeInt, spv.OpTypeFloat, spv.OpTypeEvent, spv.OpTypeDeviceEvent, spv.OpTypeReserveId,
        spv.OpTypeQueue, spv.OpTypeAvcImePayloadINTEL, spv.OpTypeAvcRefPayloadINTEL, spv.OpTypeAvcSicPayloadINTEL,
        spv.OpTypeAvcImeResultINTEL, spv.OpTypeAvcImeResultSingleReferenceStreamoutINTEL,
        spv.OpTypeAvcImeResultDualReferenceStreamoutINTEL, spv.OpTypeAvcRefResultINTEL, spv.OpTypeAvcSicResultINTEL,
    }
)  # fmt: skip
_NULLABLE_BY_PARTS = frozenset(
    {
        spv.OpTypeStruct,
        spv.OpTypeArray,
        spv.OpTypeMatrix,
        spv.OpTypeVector,
        spv.OpTypeVectorIdEXT,
        spv.OpTypeCooperativeMatrixNV,
        spv.OpTypeCooperativeMatrixKHR,
        spv.OpTypeTensorARM,
    }
)


def _not_nullable(outer: Type) -> Type | None:
    inside = parts(outer, lambda type_: type_.kind in _NULLABLE_BY_PARTS)
    return next((type_ for type_ in inside if not _is_nullable(type_)), None)


def _is_nullable(type_: Type) -> bool:
    if type_.is_pointer:
        return type_.storage != _PHYSICAL_STORAGE_BUFFER
    if type_.kind == spv.OpTypeTensorARM:
        return len(type_.operands) > 2
    return type_.kind in _NULLABLE or type_.kind in _NULLABLE_BY_PARTS


@instruction_rule("constant/null-constant-type-is-nullable", spv.OpConstantNull, section=sections.CONSTANT_CREATION_INSTRUCTIONS)
def null_constant_type_is_nullable(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of OpConstantNull must have a null value.

    Booleans, numbers, pointers to other storage classes than PhysicalStorageBuffer, events, device events, queues, reservation ids
    and the payloads and results of motion estimation (IME, REF and SIC of SPV_INTEL_device_side_avc_motion_estimation) have one. So
    have vectors, matrices, arrays, structures, cooperative matrices and tensors with a shape (SPV_ARM_tensors) that are made of
    these. For other types, such as images and samplers, no null value is defined. SPIR-V forbids null pointers to
    PhysicalStorageBuffer here; run-time arrays are reported too, as in spirv-val.
    """
    module = context.module
    type_ = module.type(inst.type)
    culprit = _not_nullable(type_) if type_ is not None else None
    if type_ is None or culprit is None:
        return
    verb = "is" if culprit is type_ else "contains"
    shown = "a sampler" if culprit.kind == spv.OpTypeSampler else module.spell(culprit)
    if culprit.kind == spv.OpTypeRuntimeArray:
        shown += " (a run-time array)"
    elif culprit.kind == spv.OpTypeTensorARM:
        shown += " (without the operand Shape)"
    yield Finding(inst, TYPE, f"the result type of OpConstantNull {verb} {shown}, which has no null value")


@instruction_rule(
    "constant/function-pointer-matches-function", spv.OpConstantFunctionPointerINTEL, section=sections.CAPABILITY
)
def function_pointer_matches_function(inst: Instruction, context: RuleContext) -> Findings:
    """A constant function pointer must point to the type of the function that it names.

    The result type of OpConstantFunctionPointerINTEL (SPV_INTEL_function_pointers) must be a pointer to the OpTypeFunction of the
    OpFunction that its operand Function names. A call through the pointer passes parameters and takes the result as the type of the
    pointer specifies. With another type the caller and the function may disagree about registers and stack, and corrupt values that
    have nothing to do with the call. The extension permits only an OpTypePointer to CodeSectionINTEL; as in spirv-val, the storage
    class is not checked, and an untyped pointer, which has no type to compare, is accepted for any function.
    """
    module = context.module
    type_ = module.type(inst.type)
    name = id_at(inst, OpConstantFunctionPointerINTEL_Function)
    if type_ is None or name is None or module.definition(name) is None:
        return
    if not type_.is_pointer:
        given = f"the result type of {inst.opcode.name} is {module.spell(type_)}"
        yield Finding(inst, TYPE, f"{given}, expected a pointer to a function type")
        return
    pointee = type_.pointee
    if pointee is not None and pointee.kind != spv.OpTypeFunction:
        yield Finding(inst, TYPE, f"the result type %{inst.type} points to {module.spell(pointee)}, expected a function type")
        return
    definition = module.definition(name)
    if definition is not None and definition.opcode.value != spv.OpFunction:
        yield Finding(
            inst,
            OpConstantFunctionPointerINTEL_Function,
            f"operand Function (%{name}) is {made_by(definition)}, expected a function",
        )
        return
    function_type = module.type(id_at(definition, 1)) if definition is not None else None
    if pointee is not None and function_type is not None and function_type.id != pointee.id:
        yield Finding(
            inst,
            OpConstantFunctionPointerINTEL_Function,
            f"operand Function (%{name}) is {module.spell(function_type)}, "
            f"expected {module.spell(pointee)}, which the result type points to",
        )


@instruction_rule("constant/undef-has-value-type", spv.OpUndef, spv.OpPoisonKHR, section=sections.MISCELLANEOUS_INSTRUCTIONS)
def undef_has_value_type(inst: Instruction, context: RuleContext) -> Findings:
    """OpUndef and OpPoisonKHR must not be of void, nor of small numbers whose capability is missing.

    Void has no values. With Shader, 8- and 16-bit integers and 16-bit IEEE 754 floats require the capability Int8, Int16 or Float16
    here. Without it they may be loaded, stored and converted, for example, but a device may have no register to hold an undefined
    one. Composites of such numbers, or of pointers to them (not of OpTypeForwardPointer), are reported as well, and images and
    sampled images with such a Sampled Type. Tensors are not, nor is a pointer as the result type; for a pointer from OpUndef, see
    `capability/small-pointers-come-from-chains`.
    """
    module = context.module
    type_ = module.type(inst.type)
    if type_ is None:
        return
    if type_.kind == spv.OpTypeVoid:
        yield Finding(inst, TYPE, f"the result type of {inst.opcode.name} must not be void")
    elif not type_.is_pointer and module.has_capability(Capability.Shader) and has_small_types(module, type_.id):
        needed = capabilities_to_compute(module, type_.id)
        message = f"an {inst.opcode.name} of type {module.spell(type_)} requires {the_capabilities(needed)}"
        yield Finding(inst, TYPE, message, fixes=every_capability_fix(module, needed))
