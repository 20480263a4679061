"""Decorations without effect (warnings) (SPIR-V 2.18.2, 3.2.19)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, Dim, MemoryModel, Scope, StorageClass
from spvls.grammar.operand_index import OpDecorate_Decoration, OpDecorate_Target
from spvls.module.decorations import MEMBER_DECORATES
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.module.types import Type
from spvls.module.variable import held_by, the_class
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import enumerant_name
from spvls.validate.checks.applied import ANNOTATING, Applied, applied_among
from spvls.validate.checks.wording import made_by
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.decoration.member import NOT_FOR_MEMBERS

_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_OUTPUT = StorageClass.Output
_UNIFORM_CONSTANT = StorageClass.UniformConstant
_BUFFERS = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer, StorageClass.PhysicalStorageBuffer})
_COUNTED = frozenset({StorageClass.Uniform, StorageClass.StorageBuffer})
_INTERFACE = frozenset({StorageClass.Input, StorageClass.Output})
_SUBPASS = Dim.SubpassData
_STORAGE_IMAGE = 2
_INVOCATION = Scope.Invocation
_VULKAN_MODEL = MemoryModel.Vulkan

_TO_INTEGER = frozenset({spv.OpConvertFToU, spv.OpConvertFToS, spv.OpUConvert, spv.OpSConvert})
_FAST_MATH = frozenset({spv.OpFAdd, spv.OpFSub, spv.OpFMul, spv.OpFDiv, spv.OpFRem, spv.OpFMod, spv.OpFmaKHR})
_FAST_MATH_CAPABILITIES = (Capability.FloatControls2, Capability.FPFastMathModeINTEL)
_FAST_MATH_SINCE_1_6 = frozenset(
    {
        spv.OpFNegate, spv.OpOrdered, spv.OpUnordered, spv.OpExtInst, spv.OpFOrdEqual, spv.OpFUnordEqual, spv.OpFOrdNotEqual,
        spv.OpFUnordNotEqual, spv.OpFOrdLessThan, spv.OpFUnordLessThan, spv.OpFOrdGreaterThan, spv.OpFUnordGreaterThan,
        spv.OpFOrdLessThanEqual, spv.OpFUnordLessThanEqual, spv.OpFOrdGreaterThanEqual, spv.OpFUnordGreaterThanEqual,
    }
)  # fmt: skip
_NOT_COMPUTED = frozenset(
    {
        spv.OpCopyObject, spv.OpLoad, spv.OpAccessChain, spv.OpInBoundsAccessChain, spv.OpCompositeConstruct,
        spv.OpCompositeExtract, spv.OpCompositeInsert, spv.OpVectorShuffle, spv.OpPhi, spv.OpSelect, spv.OpFunction,
        spv.OpFunctionCall, spv.OpFunctionParameter, spv.OpLabel, spv.OpString,
    }
)  # fmt: skip

Fitting = Callable[[Applied, Instruction, Module], "str | None"]
"""What is wrong with a decoration of a target, as a clause after the target's name; None where nothing is."""
_OPENCL = MemoryModel.OpenCL
_RESTRICT, _ALIASED = Decoration.Restrict, Decoration.Aliased
_DECLARING = (spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpFunctionParameter)


_IMAGE = "a storage image whose Dim is not SubpassData"
_SHARED = f"a block in StorageBuffer, a BufferBlock in Uniform, or {_IMAGE}"
_HOLDING_IMAGES = frozenset({_UNIFORM_CONSTANT, StorageClass.TileImageEXT, StorageClass.TileAttachmentQCOM})


def _made(target: Instruction) -> str:
    return f"is {made_by(target)}"


def _placed(target: Instruction) -> str:
    """Which storage class a variable is in; what else another target is."""
    return f"is in {the_class(word_at(target, 0))}" if target.opcode.value in _VARIABLES else _made(target)


def _matrix_member(item: Applied, target: Instruction, module: Module) -> str | None:
    type_ = _member_type(item, module)
    held = module.without_arrays(type_)
    if item.member is None or held is None or held.is_matrix:
        return None
    return f"has the type {module.spell(type_)}, but the decoration {item.name} requires a matrix or an array of matrices"


def _member_type(item: Applied, module: Module) -> Type | None:
    struct = module.type(item.target) if item.member is not None else None
    return module.type(struct.name(item.member or 0)) if struct is not None and struct.is_struct else None


def _pointer(item: Applied, target: Instruction, module: Module) -> str | None:
    type_ = module.type(target.type)
    if type_ is None or not type_.is_pointer:
        kind = f"is {module.spell(type_)}" if type_ is not None else f"is {made_by(target)}"
        return f"{kind}, but the decoration {item.name} requires a pointer"
    name = "Alignment" if item.value == Decoration.AlignmentId else "Max Byte Offset"
    for operand in item.params:
        type_ = module.type_of(operand)
        if type_ is not None and not type_.is_int:
            given = f"operand {name} (%{operand!s}) is {module.spell(type_)}"
            return f"is decorated with {item.name}, whose {given}, expected an integer"
    return None


def _value(item: Applied, target: Instruction, module: Module) -> str | None:
    return None if target.type is not None else f"{_made(target)}, but the decoration {item.name} requires a value"


def _of_opcodes(opcodes: frozenset[int], what: str) -> Fitting:
    def check(item: Applied, target: Instruction, module: Module) -> str | None:
        opcode = target.opcode.value
        return None if opcode in opcodes else f"{_made(target)}, but the decoration {item.name} requires {what}"

    return check


def _computed(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if target.type is not None and opcode not in _NOT_COMPUTED and opcode not in _VARIABLES:
        return None
    return f"{_made(target)}, but the decoration {item.name} requires the result of an arithmetic instruction"


def _unsigned_wrap(item: Applied, target: Instruction, module: Module) -> str | None:
    unsigned = "the result of OpIAdd, OpISub, OpIMul, OpShiftLeftLogical or an extended instruction that permits it"
    return f"{_made(target)}, but the decoration {item.name} requires {unsigned}" if target.opcode.value == spv.OpSNegate else None


def _fast_math(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if opcode in _FAST_MATH or any(module.has_capability(name) for name in _FAST_MATH_CAPABILITIES):
        return None
    if opcode in _FAST_MATH_SINCE_1_6:
        permitted = module.version >= (1, 6)
        return None if permitted else f"{_made(target)}, for which {item.name} requires SPIR-V 1.6 or the capability FloatControls2"
    return f"{_made(target)}, but the decoration {item.name} requires the result of floating-point arithmetic"


def _input_attachment(item: Applied, target: Instruction, module: Module) -> str | None:
    held = _held(target, module)
    if held is None or (held.kind == spv.OpTypeImage and held.word(1) == _SUBPASS):
        return None
    return f"holds {module.spell(held)}, but the decoration {item.name} requires an image with Dim SubpassData"


def _held(target: Instruction, module: Module) -> Type | None:
    """What a variable holds, or an array that it holds is made of."""
    return module.without_arrays(held_by(target, module)) if target.opcode.value in _VARIABLES else None


def _offset(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None or (target.opcode.value in _VARIABLES and word_at(target, 0) == _OUTPUT):
        return None
    wanted = "Output" if target.opcode.value in _VARIABLES else "a structure member or an Output variable"
    return f"{_placed(target)}, but the decoration Offset requires {wanted}"


def _invariant(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is None or module.has_decoration(item.target, Decoration.Block):
        return None
    return f"is decorated with Invariant, which requires %{item.target} to be decorated with Block"


def _counter_buffer(item: Applied, target: Instruction, module: Module) -> str | None:
    if target.opcode.value not in _VARIABLES or word_at(target, 0) not in _COUNTED:
        wanted = "" if target.opcode.value in _VARIABLES else "a variable in "
        return f"{_placed(target)}, but the decoration CounterBuffer requires {wanted}Uniform or StorageBuffer"
    counter = item.params[0] if item.params else None
    definition = module.definition(counter) if isinstance(counter, str) else None
    if definition is None or (definition.opcode.value in _VARIABLES and word_at(definition, 0) in _COUNTED):
        return None
    buffer = f"is decorated with CounterBuffer, whose operand Counter Buffer (%{counter!s}) {_placed(definition)}"
    return f"{buffer}, expected a Uniform or StorageBuffer variable"


def _user_semantic(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None:
        return None
    is_variable = target.opcode.value in _VARIABLES
    if is_variable and word_at(target, 0) in _INTERFACE:
        return None
    wanted = "Input or Output" if is_variable else "an Input or Output variable or a structure member"
    return f"{_placed(target)}, but the decoration UserSemantic requires {wanted}"


def _uniform_scope(item: Applied, target: Instruction, module: Module) -> str | None:
    scope = module.integer(item.params[0]) if item.params and module.environment.api != "vulkan" else None
    return "has the UniformId scope Invocation, expected Subgroup or a larger scope" if scope == _INVOCATION else None


def _shared_memory(item: Applied, target: Instruction, module: Module) -> str | None:
    """Memory that others see or that is written by others: storage images and blocks in buffers; some built-ins change too."""
    if item.member is not None or target.opcode.value not in _VARIABLES or target.result is None:
        return None
    if module.memory_model == _VULKAN_MODEL:
        return None  # which has no such decorations
    word = word_at(target, 0)
    if word in _BUFFERS or module.has_decoration(target.result, Decoration.BuiltIn) or word is None:
        return None
    held = _held(target, module)
    if word in _HOLDING_IMAGES:
        if held is None or held.kind != spv.OpTypeImage:
            return None
        if held.word(1) != _SUBPASS and held.word(5) == _STORAGE_IMAGE:
            return None
        return f"holds {module.spell(held)}, but the decoration {item.name} requires {_IMAGE}"
    return f"{_placed(target)}, but the decoration {item.name} requires {_SHARED}"


def _no_subpass(item: Applied, target: Instruction, module: Module) -> str | None:
    held = _held(target, module)
    if item.member is None and held is not None and held.kind == spv.OpTypeImage and held.word(1) == _SUBPASS:
        return f"holds {module.spell(held)}, but the decoration {item.name} requires {_IMAGE}"
    return None


def _relaxed(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if opcode == spv.OpQuantizeToF16:
        return f"{_made(target)}, on which RelaxedPrecision has no effect"
    type_ = _member_type(item, module) if item.member is not None else module.type(target.type)
    verb = "returns" if opcode == spv.OpFunction else "is"
    if target.opcode.class_ == "Relational_and_Logical" and type_ is not None and (type_.scalar or type_).kind == spv.OpTypeBool:
        type_, verb = module.type_of(id_at(target, 0)), "has operands of type"
    if type_ is not None and type_.kind == spv.OpTypeVoid:
        return "returns void, but the decoration RelaxedPrecision requires a numeric result" if opcode == spv.OpFunction else None
    held = module.without_arrays(type_.pointee if type_ is not None and type_.kind == spv.OpTypePointer else type_)
    scalar = held.scalar if held is not None else None
    if scalar is None or (scalar.is_numeric and scalar.width == 32):
        return None
    return f"{verb} {module.spell(type_)}, but the decoration RelaxedPrecision requires 32-bit integers or 32-bit floats"


_FITTING: dict[int, Fitting] = {
    **dict.fromkeys((Decoration.RowMajor, Decoration.ColMajor, Decoration.MatrixStride), _matrix_member),
    **dict.fromkeys((Decoration.Alignment, Decoration.MaxByteOffset, Decoration.AlignmentId, Decoration.MaxByteOffsetId), _pointer),
    **dict.fromkeys((Decoration.Volatile, Decoration.Coherent), _shared_memory),
    **dict.fromkeys((Decoration.NonWritable, Decoration.NonReadable), _no_subpass),
    Decoration.SaturatedConversion: _of_opcodes(
        _TO_INTEGER, "the result of OpConvertFToU, OpConvertFToS, OpUConvert or OpSConvert"
    ),
    Decoration.NoContraction: _computed,
    Decoration.NoUnsignedWrap: _unsigned_wrap,
    Decoration.FPFastMathMode: _fast_math,
    Decoration.NonUniform: _value,
    Decoration.InputAttachmentIndex: _input_attachment,
    Decoration.Offset: _offset,
    Decoration.Invariant: _invariant,
    Decoration.CounterBuffer: _counter_buffer,
    Decoration.UserSemantic: _user_semantic,
    Decoration.UniformId: _uniform_scope,
    Decoration.RelaxedPrecision: _relaxed,
}
_FITTING_MEMBERS = _FITTING.keys() - {Decoration.Offset, Decoration.UserSemantic} - NOT_FOR_MEMBERS


@instruction_rule("decoration/has-meaning-for-target", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def has_meaning_for_target(inst: Instruction, context: RuleContext) -> Findings:
    """A decoration must be on a target for which the specification defines it.

    A consumer may ignore the decoration, or apply it in a way that its author does not expect. The rule checks the decorations that
    are named here.

    RowMajor, ColMajor and MatrixStride require members that are matrices or arrays of matrices. Alignment, MaxByteOffset and their
    forms with an Id require pointers, and these forms integers as operands. NonUniform requires a value, InputAttachmentIndex an
    image or array of images whose Dim is SubpassData, and UserSemantic a variable in Input or Output, or a member. Invariant on a
    member requires a structure decorated with Block. Offset is for members; the rule also accepts a variable in Output, which
    Vulkan has for transform feedback. CounterBuffer and its operand require variables in Uniform; the rule also accepts
    StorageBuffer for both. The scope of UniformId must not be Invocation; in Vulkan, only `decoration/uniform-id-names-scope`
    reports this.

    NoContraction requires an arithmetic instruction; the rule only reports targets that are clearly none, for example a variable or
    the result of OpLoad. SaturatedConversion requires a conversion to integers, of which the rule accepts OpConvertFToU,
    OpConvertFToS, OpUConvert and OpSConvert. NoUnsignedWrap must not be on OpSNegate.

    FPFastMathMode (SPIR-V 3.2.14) requires OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod or OpFmaKHR (SPV_KHR_fma). Since SPIR-V
    1.6, it may also be on OpFNegate, OpOrdered, OpUnordered, the comparisons OpFOrd… and OpFUnord…, and OpExtInst; whether the
    extended set permits it is not checked. With the capability FloatControls2 or FPFastMathModeINTEL, the target of FPFastMathMode
    is not checked.

    RelaxedPrecision (SPIR-V 2.14) requires 32-bit numbers; in a comparison, its operands must be such. The contents of structures,
    for example, are not checked. RelaxedPrecision is also reported on OpQuantizeToF16, where it has no effect, and on a function
    that returns void.

    Volatile and Coherent on a variable are for blocks in StorageBuffer, structures with BufferBlock in Uniform, and storage images.
    Some other variables, such as built-ins and all others in Uniform, are not reported. With the memory model Vulkan,
    `decoration/fits-target-object` reports both decorations instead. Volatile, Coherent, NonWritable and NonReadable must not be on
    a variable with an image whose Dim is SubpassData. Of each instruction, only the first fault is reported.

    A warning, because spirv-val does not check this, except the scope of UniformId on group operations and in Vulkan, where
    `decoration/uniform-id-names-scope` reports an error. `decoration/member-exists-and-fits` reports decorations that members
    must not have.
    """
    module = context.module
    for item in applied_among(inst, module, _FITTING if inst.opcode.value not in MEMBER_DECORATES else _FITTING_MEMBERS):
        target = module.definition(item.target)
        if target is None or target.faults or target.opcode.value == spv.OpDecorationGroup:
            continue
        clause = _FITTING[item.value](item, target, module)
        if clause is not None:
            what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
            note = Note(target, OPCODE, f"%{item.target} is defined here")
            yield Finding(inst, 0, f"{what} {clause}", (note,))
            return


@instruction_rule("decoration/aliasing-has-effect", spv.OpDecorate, section=sections.ALIASING, severity=Severity.HINT)
def aliasing_has_effect(inst: Instruction, context: RuleContext) -> Findings:
    """Restrict must be used with the memory model OpenCL to have an effect, and Aliased with the others.

    In the memory model OpenCL, variables and pointer parameters may alias unless they are decorated with Restrict. In the other
    memory models, they may be assumed not to alias unless they are decorated with Aliased. A decoration that only states the
    default can be removed.

    The rule checks OpDecorate on variables and pointer parameters that do not have both decorations. It does not check parameters
    that point to PhysicalStorageBuffer, for which SPV_KHR_physical_storage_buffer requires one of the two.
    """
    decoration = word_at(inst, OpDecorate_Decoration)
    if decoration not in (_RESTRICT, _ALIASED):
        return
    model, name = context.module.memory_model, id_at(inst, OpDecorate_Target)
    if model < 0 or name is None:
        return
    if context.module.opcode_of(name) not in _DECLARING or all(
        context.module.has_decoration(name, other) for other in (_RESTRICT, _ALIASED)
    ):
        return  # an error of another rule
    type_ = context.module.type_of(name)
    if type_ is None or not type_.is_pointer or type_.storage == StorageClass.PhysicalStorageBuffer:
        return
    if (decoration == _ALIASED) is (model == _OPENCL):
        what = "Aliased" if decoration == _ALIASED else "Restrict"
        default = f"the default with the memory model {enumerant_name('MemoryModel', model)}"
        yield Finding(inst, OpDecorate_Decoration, f"the decoration {what} of %{name} has no effect: {what} is {default}")
