"""What a decoration may decorate (errors) (SPIR-V 3.2.19)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, MemoryModel, StorageClass
from spvls.grammar.operand_index import OpDecorate_Target
from spvls.module.decorations import GROUP_DECORATES
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.applied import ANNOTATING, Applied, applied_among, decoration_of
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule

_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_SPECIALIZABLE = (spv.OpSpecConstantTrue, spv.OpSpecConstantFalse, spv.OpSpecConstant, spv.OpSpecConstantDataKHR)
_STRIDED = (spv.OpTypeArray, spv.OpTypeRuntimeArray, spv.OpTypePointer, spv.OpTypeUntypedPointerKHR)
_OBJECTS = (*_VARIABLES, spv.OpFunctionParameter, spv.OpRawAccessChainNV, spv.OpBufferPointerEXT)

_WORKGROUP_SIZE = BuiltIn.WorkgroupSize
_A_CONSTANT = "a constant"

Fault = Callable[[Instruction, Instruction, Module], str | None]
_UNIFORM, _UNIFORM_CONSTANT = StorageClass.Uniform, StorageClass.UniformConstant
_BUFFERS = frozenset({StorageClass.StorageBuffer, StorageClass.Uniform})
_LOCALS = frozenset({StorageClass.Function, StorageClass.Private})
_TILES = StorageClass.TileAttachmentQCOM
_STORAGE_IMAGE = 2


def _one_of(opcodes: tuple[int, ...], what: str) -> Fault:
    def check(inst: Instruction, target: Instruction, module: Module) -> str | None:
        return None if target.opcode.value in opcodes else what

    return check


def _memory_object(inst: Instruction, target: Instruction, module: Module) -> str | None:
    if target.opcode.value not in _OBJECTS:
        return "a memory object declaration (a variable or a parameter of pointer type)"
    type_ = module.type(target.type) if target.opcode.value not in _VARIABLES else None  # those of variables are reported there
    return "a pointer" if type_ is not None and not type_.is_pointer else None


def _declared_object(inst: Instruction, target: Instruction, module: Module) -> str | None:
    if target.opcode.value in (spv.OpRawAccessChainNV, spv.OpBufferPointerEXT):
        return "a memory object declaration (a variable or a parameter of pointer type)"
    return _memory_object(inst, target, module)


def _built_in(inst: Instruction, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if word_at(inst, 2) == _WORKGROUP_SIZE and module.has_capability(Capability.Shader):
        return None if target.opcode.is_constant else _A_CONSTANT
    return None if opcode in _VARIABLES else "a variable"


#: What the target of each decoration has to be.
_TARGETS: dict[int, Fault] = {
    Decoration.SpecId: _one_of(
        _SPECIALIZABLE, "the result of OpSpecConstant, OpSpecConstantTrue, OpSpecConstantFalse or OpSpecConstantDataKHR"
    ),
    Decoration.ArrayStride: _one_of(_STRIDED, "an array or pointer type"),
    Decoration.BuiltIn: _built_in,
    **dict.fromkeys(
        (Decoration.Block, Decoration.BufferBlock, Decoration.GLSLShared, Decoration.GLSLPacked, Decoration.CPacked),
        _one_of((spv.OpTypeStruct,), "a structure type"),
    ),
    **dict.fromkeys(
        (
            Decoration.Invariant, Decoration.Constant, Decoration.Location, Decoration.Index, Decoration.Binding,
            Decoration.DescriptorSet, Decoration.InputAttachmentIndex,
        ),
        _one_of(_VARIABLES, "a variable"),
    ),
    **dict.fromkeys(
        (
            Decoration.NoPerspective, Decoration.Flat, Decoration.Patch, Decoration.Centroid, Decoration.Sample,
            Decoration.Restrict, Decoration.Aliased, Decoration.Volatile, Decoration.Coherent, Decoration.NonWritable,
            Decoration.NonReadable, Decoration.XfbBuffer, Decoration.XfbStride, Decoration.Stream,
            Decoration.RestrictPointer, Decoration.AliasedPointer, Decoration.PerPrimitiveEXT,
        ),
        _memory_object,
    ),
    Decoration.Component: _declared_object,
}  # fmt: skip


@instruction_rule("decoration/fits-target-opcode", spv.OpDecorate, section=sections.DECORATION, after=AVAILABILITY)
def fits_target_opcode(inst: Instruction, context: RuleContext) -> Findings:
    """A decoration must have a target of the kind that it is defined for.

    A consumer reads a decoration where it processes that kind of instruction. On another target the decoration may be ignored, and
    the object that it was meant for lacks it.

    By OpDecorate, Block, BufferBlock, GLSLShared, GLSLPacked and CPacked require a structure type, ArrayStride an array or pointer
    type, and SpecId the result of OpSpecConstant, OpSpecConstantTrue, OpSpecConstantFalse or OpSpecConstantDataKHR
    (SPV_KHR_constant_data). Location, Index, Binding, DescriptorSet, InputAttachmentIndex, Invariant and Constant require a
    variable. BuiltIn requires a variable, but WorkgroupSize with the capability Shader a constant.

    Flat, NoPerspective, Centroid, Sample, Patch, PerPrimitiveEXT, Component, Stream, XfbBuffer, XfbStride, Restrict, Aliased,
    RestrictPointer, AliasedPointer, Volatile, Coherent, NonWritable and NonReadable require a variable or a pointer parameter.
    On the results of OpRawAccessChainNV (SPV_NV_raw_access_chains) and OpBufferPointerEXT (SPV_EXT_descriptor_heap), the rule
    reports only Component of this list.

    Many of these can also be on members, by OpMemberDecorate. In Vulkan, `block-layout/shared-and-packed-are-unused` reports
    GLSLShared and GLSLPacked, not this rule. `decoration/fits-target-object` checks other decorations, and some of these where
    OpGroupDecorate applies them.
    """
    decoration = decoration_of(inst)
    check = _TARGETS.get(decoration.value) if decoration is not None else None
    name = id_at(inst, OpDecorate_Target)
    if decoration is None or check is None or name is None:
        return
    module = context.module
    definition = module.definition(name)
    if definition is None or definition.opcode.value == spv.OpDecorationGroup or _not_in_vulkan(decoration.value, module):
        return
    wanted = check(inst, definition, module)
    if wanted is not None:
        note = Note(definition, RESULT, f"%{name} is defined here, by {definition.opcode.name or _UNKNOWN}")
        fix = FindingFix("Remove the decoration", (Delete(inst),), preferred=False)
        what = decoration.name
        if decoration.value == Decoration.BuiltIn:
            what += f" {enumerant_name('BuiltIn', word_at(inst, 2) or 0)}"
        if definition.opcode.value == spv.OpTypeStruct and decoration.value in _ALSO_OF_MEMBERS and wanted != _A_CONSTANT:
            wanted += " or a structure member (by OpMemberDecorate)"
        message = _misplaced(name, definition, wanted, what, module)
        yield Finding(inst, OpDecorate_Target, message, (note,), (fix,))


_UNKNOWN = "an unknown instruction"

#: Decorations of objects that members can have as well.
_ALSO_OF_MEMBERS = frozenset(
    {
        Decoration.BuiltIn, Decoration.Invariant, Decoration.Location, Decoration.Component, Decoration.NoPerspective,
        Decoration.Flat, Decoration.Patch, Decoration.Centroid, Decoration.Sample, Decoration.Volatile, Decoration.Coherent,
        Decoration.NonWritable, Decoration.NonReadable, Decoration.XfbBuffer, Decoration.XfbStride, Decoration.Stream,
        Decoration.PerPrimitiveEXT,
    }
)  # fmt: skip


def _misplaced(name: str, target: Instruction, wanted: str, decoration: str, module: Module) -> str:
    what = module.spell(module.type(target.type)) if wanted == "a pointer" else f"the result of {target.opcode.name or _UNKNOWN}"
    return f"%{name} is {what}, but the decoration {decoration} requires {wanted}"


def _not_in_vulkan(decoration: int, module: Module) -> bool:
    return decoration in (Decoration.GLSLShared, Decoration.GLSLPacked) and module.environment.api == "vulkan"


#: Decorations whose targets are also checked where a group applies them.
_OF_GROUPS = frozenset(
    {
        Decoration.Block,
        Decoration.BufferBlock,
        Decoration.Location,
        Decoration.Component,
        Decoration.NonWritable,
        Decoration.NonReadable,
    }
)


@instruction_rule("decoration/fits-target-object", *ANNOTATING, section=sections.DECORATION)
def fits_target_object(inst: Instruction, context: RuleContext) -> Findings:
    """A decoration must be on an object for which it has a meaning.

    A consumer that relies on the decoration may generate wrong code for another object, or ignore the decoration.

    NonWritable and NonReadable on a variable or parameter require a pointer to a storage image or a tensor (SPV_ARM_tensors), as in
    spirv-val only in UniformConstant, a block in StorageBuffer, or a structure with BufferBlock in Uniform. As in spirv-val, the
    rule also accepts a Block in Uniform, a storage image whose Dim is SubpassData (see `decoration/has-meaning-for-target`), an
    array of one dimension of any of these, and a variable in TileAttachmentQCOM (SPV_QCOM_tile_shading). From SPIR-V 1.4 on,
    NonWritable also permits variables in Function and Private. Any other untyped pointer must be to StorageBuffer or Uniform, and
    at least one untyped variable of its type must hold a block or have no Data Type. NonWritable must not be on an
    OpBufferPointerEXT to Uniform (SPV_EXT_descriptor_heap). Members are not checked.

    Uniform and UniformId require values of types other than void. NoSignedWrap requires OpIAdd, OpISub, OpIMul, OpSNegate,
    OpShiftLeftLogical or an extended instruction whose set permits it; NoUnsignedWrap requires one of these but OpSNegate. As in
    spirv-val, the rule accepts each extended instruction, and OpSNegate for both (`decoration/has-meaning-for-target` reports
    NoUnsignedWrap there). With the capability Shader, FPRoundingMode requires OpFConvert, as in spirv-val, though
    SPV_INTEL_rounded_divide_sqrt permits more. With Kernel and without Shader, FPRoundingMode requires OpConvertFToU,
    OpConvertFToS, OpConvertSToF, OpConvertUToF or OpFConvert, or with the capability RoundedDivideSqrtINTEL OpFDiv or sqrt.
    RelaxedPrecision must not be on types. With the memory model Vulkan, Coherent and Volatile must not be used, also on members:
    operands of each access replace them.

    Where OpGroupDecorate applies Block, BufferBlock, Location, Component, NonWritable or NonReadable, the target must also be as
    `decoration/fits-target-opcode` requires.
    """
    module = context.module
    for at, item in enumerate(applied_among(inst, module, _CHECKS if inst.opcode.value not in GROUP_DECORATES else _OF_ANY)):
        if not (at + 1) % PORTION:
            yield PAUSE
        check = _CHECKS.get(item.value)
        grouped = item.record is not inst and item.value in _OF_GROUPS and item.member is None
        definition = module.definition(item.target) if check is not None or grouped else None
        if definition is None or definition.faults:
            continue
        wanted = _TARGETS[item.value](item.record, definition, module) if grouped else None
        if wanted is not None:
            message: str | None = _misplaced(item.target, definition, wanted, item.name, module)
        else:
            message = check(item, definition, module) if check is not None else None
        if message is not None:
            note = Note(inst, OPCODE, f"{item.name} is set here")
            fix = FindingFix("Remove the decoration", (Delete(inst),), preferred=False)
            yield Finding(definition, RESULT, message, (note,), (fix,))


def _writability(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None or target.opcode.value == spv.OpRawAccessChainNV:
        return None
    type_ = module.type(target.type)
    if target.opcode.value == spv.OpBufferPointerEXT:
        if type_ is not None and type_.storage == _UNIFORM and item.value == Decoration.NonWritable:
            why = f"%{item.target} points to a uniform buffer, which is always read-only"
            return f"%{item.target} must not be decorated with NonWritable: {why}"
        return None
    if type_ is None or not type_.is_pointer or target.opcode.value not in (*_VARIABLES, spv.OpFunctionParameter):
        return None
    local = item.value == Decoration.NonWritable and module.version >= (1, 4)
    if target.opcode.value in _VARIABLES and (type_.storage == _TILES or (local and type_.storage in _LOCALS)):
        return None
    objects = [target]
    if type_.kind != spv.OpTypePointer:
        objects = [other for other in module.declarations.records(spv.OpUntypedVariableKHR) if other.type == target.type]
    if any(_is_buffer(found, type_, module) for found in objects) or _is_resource(type_, module):
        return None
    if item.value == Decoration.NonWritable and not local and target.opcode.value in _VARIABLES and type_.storage in _LOCALS:
        where, have = storage_name(type_.storage), ".".join(map(str, module.version))
        return f"%{item.target} is a variable in {where}; NonWritable on it requires SPIR-V 1.4, and this module is SPIR-V {have}"
    what = "a Function or Private variable, or " if local else ""
    what += "a pointer to a storage image or a tensor in UniformConstant, or to a block in Uniform or StorageBuffer"
    given = module.spell(type_)
    if type_.kind != spv.OpTypePointer:
        given += f" (%{type_.id})"
        if type_.storage in _BUFFERS:
            given += ", and no untyped variable of this type holds a block"
    return f"%{item.target} is {given}, but the decoration {item.name} requires {what}"


def _is_buffer(target: Instruction, pointer: Type, module: Module) -> bool:
    """Whether a pointer is to a block in a buffer, or to an array of such."""
    if pointer.storage not in _BUFFERS:
        return False
    if pointer.kind != spv.OpTypePointer:
        data = target.operands[1] if target.opcode.value in _VARIABLES and len(target.operands) > 1 else None
        pointee = module.type(data) if isinstance(data, str) else None
        if pointee is None:
            return True
    else:
        pointee = pointer.pointee
    if pointee is not None and pointee.is_array:
        pointee = pointee.element
    if pointee is None:
        return True
    if module.has_decoration(pointee.id, Decoration.Block):
        return True
    return pointer.storage == _UNIFORM and module.has_decoration(pointee.id, Decoration.BufferBlock)


def _is_resource(pointer: Type, module: Module) -> bool:
    pointee = pointer.pointee
    if pointer.storage != _UNIFORM_CONSTANT or pointee is None:
        return False
    if pointee.is_array:
        pointee = pointee.element
    return (
        pointee is None
        or pointee.kind == spv.OpTypeTensorARM
        or (pointee.kind == spv.OpTypeImage and pointee.word(5) == _STORAGE_IMAGE)
    )


_WRAPPING = frozenset(
    {
        spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpShiftLeftLogical, spv.OpSNegate, spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR,
    }
)  # fmt: skip


def _wrapping(item: Applied, target: Instruction, module: Module) -> str | None:
    if target.opcode.value in _WRAPPING or item.member is not None:
        return None
    negate = "OpSNegate, " if item.value == Decoration.NoSignedWrap else ""
    wanted = f"the result of OpIAdd, OpISub, OpIMul, {negate}OpShiftLeftLogical or an extended instruction that permits it"
    return f"%{item.target} is {made_by(target)}, but the decoration {item.name} requires {wanted}"


def _relaxed(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if not target.opcode.is_type or (item.member is not None and opcode == spv.OpTypeStruct):
        return None
    return f"%{item.target} is a type, but the decoration RelaxedPrecision requires a value, a variable or a structure member"


_VULKAN_MODEL = MemoryModel.Vulkan


def _memory_qualifier(item: Applied, target: Instruction, module: Module) -> str | None:
    if module.memory_model != _VULKAN_MODEL:
        return None
    what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
    type_ = module.type(target.type)
    is_image = type_ is not None and type_.is_pointer and type_.storage == _UNIFORM_CONSTANT
    kind, of = ("image", "Texel") if is_image else ("memory", "Pointer")
    instead = f"the {kind} operand {'VolatileTexel' if is_image else 'Volatile'}"
    if item.value == Decoration.Coherent:
        instead = f"the {kind} operand Make{of}Available to write and Make{of}Visible to read"
    return f"with the memory model Vulkan, {what} must not be decorated with {item.name}; use {instead}"


_CONVERSIONS = frozenset({spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertUToF, spv.OpFConvert})


def _rounding(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if item.member is not None:
        return None
    if module.has_capability(Capability.Shader) and opcode != spv.OpFConvert:
        made = f"%{item.target} is {made_by(target)}"
        return f"{made}, but with the capability Shader the decoration FPRoundingMode requires the result of OpFConvert"
    if module.has_capability(Capability.Kernel):
        divides = opcode == spv.OpFDiv or module.extended_instruction(target) == ("OpenCL.std", "sqrt")
        if divides and not module.has_capability(Capability.RoundedDivideSqrtINTEL):
            made = f"%{item.target} is the result of {'OpFDiv' if opcode == spv.OpFDiv else 'sqrt'}"
            return f"{made}, for which FPRoundingMode requires the capability RoundedDivideSqrtINTEL"
        if not divides and opcode not in _CONVERSIONS:
            made = f"%{item.target} is {made_by(target)}"
            last = ", OpFConvert, OpFDiv or sqrt" if module.has_capability(Capability.RoundedDivideSqrtINTEL) else " or OpFConvert"
            wanted = f"the result of OpConvertFToU, OpConvertFToS, OpConvertSToF, OpConvertUToF{last}"
            return f"{made}, but the decoration FPRoundingMode requires {wanted}"
    return None


def _uniformity(item: Applied, target: Instruction, module: Module) -> str | None:
    from spvls.validate.rules.decoration.uniformity import uniformity_fault  # few modules have such a decoration

    return uniformity_fault(item, target, module)


_CHECKS: dict[int, Callable[[Applied, Instruction, Module], str | None]] = {
    Decoration.NonWritable: _writability,
    Decoration.NonReadable: _writability,
    Decoration.Uniform: _uniformity,
    Decoration.UniformId: _uniformity,
    Decoration.NoSignedWrap: _wrapping,
    Decoration.NoUnsignedWrap: _wrapping,
    Decoration.RelaxedPrecision: _relaxed,
    Decoration.FPRoundingMode: _rounding,
    Decoration.Coherent: _memory_qualifier,
    Decoration.Volatile: _memory_qualifier,
}
_OF_ANY = _CHECKS.keys() | _OF_GROUPS
