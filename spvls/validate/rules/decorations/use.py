"""Decorations that say something of the decorated object: what it has to be like (SPIR-V 2.16, 3.2.18)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.applied import ANNOTATING, Applied, applied
from spvls.validate.finding import Delete, Finding, Mend, Note
from spvls.validate.operand_at import id_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.scopes import execution_scope_fault
from spvls.validate.storage_class import storages

_UNIFORM, _UNIFORM_CONSTANT = value("StorageClass", "Uniform"), value("StorageClass", "UniformConstant")
_BUFFERS = storages("StorageBuffer PhysicalStorageBuffer")
_LOCALS = storages("Function Private")
_IN_OUT = storages("Input Output")
_TILES = value("StorageClass", "TileAttachmentQCOM")
_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_STORAGE_IMAGE = 2


#: What decorations refer to, by the beginnings of opcodes.
_DECORATING = frozenset(
    {
        spv.OpUndef, spv.OpVariable, spv.OpUntypedVariableKHR, spv.OpAliasDomainDeclINTEL, spv.OpAliasScopeDeclINTEL,
        spv.OpAliasScopeListDeclINTEL,
    }
)  # fmt: skip


@instruction_rule("decoration/object", *ANNOTATING, section="3.2.19")
def decorated_object(inst: Instruction, scene: Scene) -> Findings:
    """What is decorated is such that the decoration makes sense for it.

    NonWritable and NonReadable are for what can be written at all: storage images, uniform and storage buffers, tensors, and
    from SPIR-V 1.4 on NonWritable for local variables; Uniform and UniformId for values; NoSignedWrap and NoUnsignedWrap for
    the arithmetic that may wrap; FPRoundingMode for conversions; RelaxedPrecision not for types; Coherent and Volatile not
    under the Vulkan memory model, which has memory operands for that.

    Bad:  `OpDecorate %quotient NoSignedWrap` with `%quotient = OpSDiv …`
    Good: `OpDecorate %sum NoSignedWrap` with `%sum = OpIAdd …`
    """
    module = scene.module
    for item in applied(inst, module):
        check = _CHECKS.get(item.decoration)
        definition = module.definition(item.target) if check is not None else None
        if check is None or definition is None or definition.faults:
            continue
        message = check(item, definition, module)
        if message is not None:
            note = Note(inst, OPCODE, "it is decorated here")
            mend = Mend("Remove the decoration", (Delete(inst),), preferred=False)
            yield Finding(definition, RESULT, message, (note,), (mend,))


def _writability(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None or target.opcode.value == spv.OpRawAccessChainNV:
        return None
    type_ = module.type(target.type)
    if target.opcode.value == spv.OpBufferPointerEXT:
        if type_ is not None and type_.storage == _UNIFORM and item.decoration == "NonWritable":
            return f"%{item.target} points into a uniform buffer, which nobody writes: NonWritable is not for it"
        return None
    if type_ is None or not type_.is_pointer or target.opcode.value not in (*_VARIABLES, spv.OpFunctionParameter):
        return None
    local = item.decoration == "NonWritable" and module.version >= (1, 4)
    if target.opcode.value in _VARIABLES and (type_.storage == _TILES or (local and type_.storage in _LOCALS)):
        return None
    if _is_buffer(target, type_, module) or _is_resource(type_, module):
        return None
    what = "a storage image, a tensor, a uniform or storage buffer" + (", or a local variable" if local else "")
    return f"%{item.target} is {module.spell(type_)}, and {item.decoration} is for {what}"


def _is_buffer(target: Instruction, pointer: Type, module: Module) -> bool:
    """Whether a pointer is to a block in a buffer, or to an array of such."""
    if pointer.storage != _UNIFORM and pointer.storage not in _BUFFERS:
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
    if module.has_decoration(pointee.id, "Block"):
        return True
    return pointer.storage == _UNIFORM and module.has_decoration(pointee.id, "BufferBlock")


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


def _uniformity(item: Applied, target: Instruction, module: Module) -> str | None:
    if item.member is not None:
        return None
    if target.type is None:
        return f"%{item.target} is no value that could be uniform: {item.decoration} is for values"
    type_ = module.type(target.type)
    if type_ is not None and type_.kind == spv.OpTypeVoid:
        return f"%{item.target} is void, and {item.decoration} is for values"
    return None


_WRAPPING = frozenset(
    {
        spv.OpIAdd, spv.OpISub, spv.OpIMul, spv.OpShiftLeftLogical, spv.OpSNegate, spv.OpExtInst, spv.OpExtInstWithForwardRefsKHR,
    }
)  # fmt: skip


def _wrapping(item: Applied, target: Instruction, module: Module) -> str | None:
    if target.opcode.value in _WRAPPING or item.member is not None:
        return None
    made = f"%{item.target} is the result of {target.opcode.name}"
    return f"{made}, and {item.decoration} is for sums, products and shifts to the left"


def _relaxed(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if not target.opcode.is_type or (item.member is not None and opcode == spv.OpTypeStruct):
        return None
    return f"%{item.target} is a type, and RelaxedPrecision is for values, variables and members"


_VULKAN_MODEL = value("MemoryModel", "Vulkan")


def _memory_qualifier(item: Applied, target: Instruction, module: Module) -> str | None:
    if module.memory_model != _VULKAN_MODEL:
        return None
    what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
    instead = "MakePointerAvailable and MakePointerVisible" if item.decoration == "Coherent" else "the memory operand Volatile"
    return f"{what} is decorated {item.decoration}, in place of which the Vulkan memory model has {instead}"


_CONVERSIONS = frozenset({spv.OpConvertFToU, spv.OpConvertFToS, spv.OpConvertSToF, spv.OpConvertUToF, spv.OpFConvert})


def _rounding(item: Applied, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.value
    if item.member is not None:
        return None
    if module.has_capability("Shader") and opcode != spv.OpFConvert:
        return f"%{item.target} is the result of {target.opcode.name}, and in shaders FPRoundingMode is for OpFConvert"
    if module.has_capability("Kernel"):
        divides = opcode == spv.OpFDiv or module.extended_instruction(target) == ("OpenCL.std", "sqrt")
        if divides and not module.has_capability("RoundedDivideSqrtINTEL"):
            return f"%{item.target} is a quotient or a root, whose rounding takes the capability RoundedDivideSqrtINTEL"
        if not divides and opcode not in _CONVERSIONS:
            return f"%{item.target} is the result of {target.opcode.name}, and FPRoundingMode is for conversions from or to floats"
    return None


_CHECKS: dict[str, Callable[[Applied, Instruction, Module], str | None]] = {
    "NonWritable": _writability,
    "NonReadable": _writability,
    "Uniform": _uniformity,
    "UniformId": _uniformity,
    "NoSignedWrap": _wrapping,
    "NoUnsignedWrap": _wrapping,
    "RelaxedPrecision": _relaxed,
    "FPRoundingMode": _rounding,
    "Coherent": _memory_qualifier,
    "Volatile": _memory_qualifier,
}


@instruction_rule("decoration/uniform-scope", spv.OpDecorateId, section="3.2.19")
def uniform_scope(inst: Instruction, scene: Scene) -> Findings:
    """UniformId names a scope of execution, in which the value is the same everywhere.

    Bad:  `OpDecorateId %x UniformId %int_99`
    Good: `OpDecorateId %x UniformId %subgroup` with `%subgroup = OpConstant %uint 3`
    """
    module = scene.module
    for item in applied(inst, module):
        definition = module.definition(item.target)
        if item.decoration == "UniformId" and definition is not None and _uniformity(item, definition, module) is None:
            fault = execution_scope_fault(module, inst, 2) or _no_value(inst, module)
            if fault is not None:
                yield Finding(
                    definition, RESULT, fault.message, (*fault.notes, Note(inst, 2, "the scope is set here")), vuid=fault.vuid
                )


def _no_value(inst: Instruction, module: Module) -> Finding | None:
    name = id_at(inst, 2)
    maker = module.definer(name) if name is not None else None
    if maker is None or maker.type is not None:
        return None
    return Finding(inst, 2, f"the scope %{name} is made by {maker.opcode.name}, expected a constant")


@instruction_rule("opcode/OpDecorateId/id-operand-kinds", spv.OpDecorateId, section="3.3.3", severity=Severity.WARNING)
def id_operand_kinds(inst: Instruction, scene: Scene) -> Findings:
    """The ids that a decoration takes are constants or variables, and with the extensions of Intel scopes of aliases.

    The reference validator does not look.

    Bad:  `OpDecorateId %x AlignmentId %sum` with `%sum = OpIAdd %uint %a %b`
    Good: `OpDecorateId %x AlignmentId %uint_16`
    """
    module = scene.module
    for place in range(2, len(inst.operands)):
        name = id_at(inst, place)
        maker = module.definer(name) if name is not None else None
        if maker is None or maker.opcode.is_constant or maker.opcode.value in _DECORATING:
            continue
        if not any(uniform_scope(inst, scene)):
            yield Finding(inst, place, f"%{name} is made by {maker.opcode.name}, expected a constant or a variable")
            return


@instruction_rule("decoration/component", *ANNOTATING, section="3.2.19")
def component(inst: Instruction, scene: Scene) -> Findings:
    """Component places an input or output among the four components of its location, where it has to find room.

    In Vulkan it is for scalars and vectors of numbers and arrays of them: of 16 or 32 bits up to the fourth component, of 64
    bits, which take two components each, from the first or third.

    Bad:  `OpDecorate %vec3_output Component 2`
    Good: `OpDecorate %vec2_output Component 2`
    """
    module = scene.module
    for item in applied(inst, module):
        definition = module.definition(item.target) if item.decoration == "Component" else None
        if definition is None:
            continue
        found = _component_fault(item, definition, module)
        if found is not None:
            message, vuid = found
            note = Note(inst, OPCODE, "it is decorated here")
            yield Finding(definition, RESULT, message, (note,), vuid=vuid)


def _component_fault(item: Applied, target: Instruction, module: Module) -> tuple[str, str | None] | None:
    start = item.params[0] if item.params else None
    type_ = module.type(target.type)
    if item.member is not None:
        struct = module.type(item.target)
        members = struct.members if struct is not None else ()
        type_ = members[item.member] if item.member < len(members) else None
    elif target.opcode.value == spv.OpVariable and type_ is not None and type_.is_pointer:
        if type_.storage not in _IN_OUT:
            if module.environment.api == "vulkan":
                return None  # Vulkan has a rule of its own on storage classes
            return f"%{item.target} is {module.spell(type_)}, and Component is for inputs and outputs", None
        type_ = type_.pointee
    elif type_ is not None and type_.kind == spv.OpTypePointer:
        type_ = type_.pointee
    if module.environment.api != "vulkan" or not isinstance(start, int):
        return None
    while type_ is not None and type_.kind == spv.OpTypeArray:
        type_ = type_.element
    if type_ is None:
        return None
    prefix = "VUID-StandaloneSpirv-Component-"
    scalar = type_.scalar
    if scalar is None or not scalar.is_numeric or type_.is_matrix or type_.is_cooperative_matrix:
        return f"Component is for scalars and vectors of numbers, and this is {module.spell(type_)}", f"{prefix}10583"
    if start > 3:
        return f"a location has the components 0 to 3, and no {start}", f"{prefix}04920"
    count = max(type_.count, 1)
    last = start + count * (2 if scalar.width == 64 else 1) - 1
    spelled = module.spell(type_)
    if scalar.width == 64 and count > 2:
        return f"{spelled} takes more than one location, and cannot be placed by Component", f"{prefix}07703"
    if scalar.width == 64 and start % 2:
        return f"{spelled} takes pairs of components, and starts at 0 or 2, not at {start}", f"{prefix}04923"
    if last > 3 and scalar.width in (16, 32, 64):
        vuid = "04922" if scalar.width == 64 else "04921"
        return f"{spelled} takes the components {start} to {last}, and a location ends with 3", prefix + vuid
    return None


_FAST_MATH = {name: value("FPFastMathMode", name) for name in ("AllowContract", "AllowReassoc", "AllowTransform")}


@instruction_rule("decoration/fast-math-mode", spv.OpDecorate, section="3.2.19")
def fast_math_mode(inst: Instruction, scene: Scene) -> Findings:
    """AllowTransform in a fast math mode comes with AllowContract and AllowReassoc, which it goes beyond.

    Bad:  `OpDecorate %sum FPFastMathMode AllowTransform`
    Good: `OpDecorate %sum FPFastMathMode AllowContract|AllowReassoc|AllowTransform`
    """
    if inst.operands[1:2] != (_FAST_MATH_MODE,):
        return
    bits = inst.operands[2] if len(inst.operands) > 2 else 0
    if isinstance(bits, int) and bits & _FAST_MATH["AllowTransform"]:
        lacking = [name for name in ("AllowContract", "AllowReassoc") if not bits & _FAST_MATH[name]]
        if lacking:
            yield Finding(inst, 2, f"AllowTransform goes with AllowContract and AllowReassoc, and {' and '.join(lacking)} lack")


_FAST_MATH_MODE = value("Decoration", "FPFastMathMode")


class _Seen:
    """The decorations of a chunk so far, by what they decorate."""

    def __init__(self) -> None:
        self.first: dict[tuple[str, int | None, str], Instruction] = {}


_REPEATABLE = frozenset(
    {"UserSemantic", "FuncParamAttr", "CacheControlLoadINTEL", "CacheControlStoreINTEL", "ConditionalINTEL"}
)

#: Pairs that exclude each other; those of members, and those of objects.
_EXCLUSIVE = {
    ("Block", False): "BufferBlock",
    ("Restrict", False): "Aliased",
    ("RestrictPointer", False): "AliasedPointer",
    ("RowMajor", True): "ColMajor",
    ("Offset", True): "OffsetIdEXT",
}
_EXCLUDES = {**_EXCLUSIVE, **{(other, member): name for (name, member), other in _EXCLUSIVE.items()}}


@instruction_rule("decoration/no-duplicates", spv.OpDecorate, spv.OpMemberDecorate, spv.OpMemberDecorateIdEXT, section="3.2.19")
def no_duplicates(inst: Instruction, scene: Scene) -> Findings:
    """One decoration stands once on an object or member, and decorations that contradict each other do not stand together.

    That are Block and BufferBlock, Restrict and Aliased, RowMajor and ColMajor, Offset and OffsetIdEXT. UserSemantic and
    parameter attributes may be repeated.

    Bad:  `OpDecorate %array ArrayStride 4` and `OpDecorate %array ArrayStride 8`
    Good: one of them.
    """
    module = scene.module
    seen = scene.shared("decorations", _Seen).first
    for item in applied(inst, module):
        key = item.target, item.member, item.decoration
        first = seen.setdefault(key, inst)
        other = seen.get((item.target, item.member, _EXCLUDES.get((item.decoration, item.member is not None), "")))
        definition = module.definition(item.target)
        if definition is None:
            continue
        what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
        mend = Mend("Remove the second decoration", (Delete(inst),), preferred=False)
        if first is not inst and item.decoration not in _REPEATABLE:
            notes = Note(first, OPCODE, "decorated here first"), Note(inst, OPCODE, "and here again")
            sure = Mend("Remove the second decoration", (Delete(inst),), preferred=first.operands == inst.operands)
            yield Finding(definition, RESULT, f"{what} is decorated {item.decoration} more than once", notes, (sure,))
        elif other is not None:
            name = _EXCLUDES[item.decoration, item.member is not None]
            notes = Note(other, OPCODE, f"{name} here"), Note(inst, OPCODE, f"and {item.decoration} here")
            yield Finding(definition, RESULT, f"{what} is decorated both {name} and {item.decoration}", notes, (mend,))
        elif item.decoration in _MATH_PAIR:
            pair = seen.get((item.target, item.member, _MATH_PAIR[item.decoration]))
            if pair is not None:
                note = Note(pair, OPCODE, f"{_MATH_PAIR[item.decoration]} here")
                yield Finding(
                    inst,
                    1,
                    f"{what} is decorated {_MATH_PAIR[item.decoration]} already, which excludes {item.decoration}",
                    (note,),
                )


#: These exclude each other as well.
_MATH_PAIR = {"FPFastMathMode": "NoContraction", "NoContraction": "FPFastMathMode"}
