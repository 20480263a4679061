"""Constants: what each of them may make, and of what (SPIR-V 3.3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Severity
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.finding import Finding, Mend, Replace
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.wording import are_given, counted

_PHYSICAL_STORAGE_BUFFER = value("StorageClass", "PhysicalStorageBuffer")

_COMPOSITES = ("OpConstantComposite", "OpSpecConstantComposite")
_REPLICATES = ("OpConstantCompositeReplicateEXT", "OpSpecConstantCompositeReplicateEXT")
_UNDEFINED = frozenset({"OpUndef", "OpPoisonKHR"})
_SINGLE_VALUED = ("CooperativeMatrixKHR", "CooperativeMatrixNV")


def is_composite(type_: Type) -> bool:
    """Whether a constant composite can make the type: composites, and tensors of known shape."""
    return type_.is_composite or (type_.kind == "TensorARM" and len(type_.operands) == 3)


@instruction_rule(
    "opcode/constant-bool/result-bool",
    "OpConstantTrue",
    "OpConstantFalse",
    "OpSpecConstantTrue",
    "OpSpecConstantFalse",
    section="3.3.7",
)
def constant_bool(inst: Instruction, scene: Scene) -> Findings:
    """OpConstantTrue and its kin make values of the type bool.

    Bad:  `%yes = OpConstantTrue %int`
    Good: `%yes = OpConstantTrue %bool`
    """
    type_ = scene.module.type(inst.type)
    if type_ is not None and not type_.is_bool:
        yield Finding(inst, TYPE, f"{inst.opcode.name} makes a bool, and %{inst.type} is {scene.module.spell(type_)}")


@instruction_rule("opcode/constant-composite/result-composite", *_COMPOSITES, *_REPLICATES, section="3.3.7")
def composite_type(inst: Instruction, scene: Scene) -> Findings:
    """A constant composite is of a composite type.

    Bad:  `%v = OpConstantComposite %float %one %one`
    Good: `%v = OpConstantComposite %v2float %one %one`
    """
    type_ = scene.module.type(inst.type)
    if type_ is not None and not is_composite(type_):
        yield Finding(inst, TYPE, f"%{inst.type} is {scene.module.spell(type_)}, expected a composite type")


def _makes_composite(inst: Instruction, scene: Scene) -> Type | None:
    type_ = scene.module.type(inst.type)
    return type_ if type_ is not None and is_composite(type_) else None


def _constituents(inst: Instruction) -> Iterator[tuple[int, str]]:
    for place, operand in enumerate(inst.operands):
        if isinstance(operand, str):
            yield place, operand


@instruction_rule("opcode/constant-composite/constituent-kinds", *_COMPOSITES, *_REPLICATES, section="3.3.7")
def constituent_kinds(inst: Instruction, scene: Scene) -> Findings:
    """A constant composite is made of constants, undefined values among them.

    Bad:  `%a = OpConstantComposite %pointers %variable %variable`
    Good: `%a = OpConstantComposite %pointers %null %null`
    """
    module = scene.module
    for place, name in _constituents(inst):
        opcode = module.opcode_of(name)
        if not opcode or opcode in CONSTANT_OPCODES or opcode in _UNDEFINED or opcode.startswith("OpType"):
            continue
        if module.type_of(name) is not None:
            yield Finding(inst, place, f"%{name} is the result of {opcode}, and no constant")
            return


def _count(module: Module, type_: Type) -> int | None:
    """How many constituents a type has; None where that is not known."""
    if type_.kind in ("Vector", "Matrix"):
        return type_.count
    if type_.is_struct:
        return len(type_.member_ids)
    if type_.kind in ("Array", "VectorIdEXT"):
        return module.integer(type_.length_id)
    if type_.kind in _SINGLE_VALUED:
        return 1
    if type_.kind == "TensorARM":
        shape = module.constant(type_.name(2))
        return module.integer(id_at(shape.record, 0)) if shape is not None else None
    return None


@instruction_rule("opcode/constant-composite/constituent-count", *_COMPOSITES, section="3.3.7")
def constituent_count(inst: Instruction, scene: Scene) -> Findings:
    """A constant composite has one constituent for each component, column, element or member.

    Bad:  `%v = OpConstantComposite %v3float %one %one`
    Good: `%v = OpConstantComposite %v3float %one %one %one`
    """
    type_ = _makes_composite(inst, scene)
    wanted = _count(scene.module, type_) if type_ is not None else None
    given = len(inst.operands)
    if wanted is None or wanted == given or (given < wanted and scene.module.has_capability("LongCompositesINTEL")):
        return
    place = OPCODE if given < wanted else wanted
    yield Finding(inst, place, f"{scene.module.spell(type_)} has {counted(wanted, 'constituent')}, and {are_given(given)}")


def _fits(wanted: Type | None, given: Type) -> bool:
    """Whether a constituent is of the wanted type; a column by its component type and count."""
    if wanted is None or wanted.id == given.id:
        return True
    return wanted.is_vector and given.kind == wanted.kind and given.operands == wanted.operands


@instruction_rule("opcode/constant-composite/constituent-types", *_COMPOSITES, section="3.3.7")
def constituent_types(inst: Instruction, scene: Scene) -> Findings:
    """Each constituent of a constant composite has the type that its place asks for.

    Bad:  `%v = OpConstantComposite %v2float %one %int_1`
    Good: `%v = OpConstantComposite %v2float %one %one`
    """
    module = scene.module
    type_ = _makes_composite(inst, scene)
    if type_ is None or type_.kind == "TensorARM":
        return
    count = _count(module, type_)
    if count is not None and count != len(inst.operands):
        return
    members = type_.members
    for place, name in _constituents(inst):
        given = module.type_of(name)
        wanted = members[place] if type_.is_struct else type_.element
        if given is None:
            continue
        matches = _fits(wanted, given) if type_.is_matrix else wanted is None or wanted.id == given.id
        if not matches:
            yield Finding(inst, place, f"%{name} is {module.spell(given)}, expected {module.spell(wanted)}")
            return


@instruction_rule("opcode/constant-replicate/constituent-type", *_REPLICATES, section="3.3.7")
def replicated_type(inst: Instruction, scene: Scene) -> Findings:
    """The value that fills a replicated composite has the type of all of its elements.

    Bad:  `%v = OpConstantCompositeReplicateEXT %v4int %one` where `%one` is a float.
    Good: `%v = OpConstantCompositeReplicateEXT %v4int %int_1`
    """
    module = scene.module
    type_ = _makes_composite(inst, scene)
    name = id_at(inst, 0)
    given = module.type_of(name)
    if type_ is None or given is None:
        return
    for wanted in type_.members if type_.is_struct else (type_.element,):
        if wanted is not None and wanted.id != given.id:
            yield Finding(inst, 0, f"%{name} is {module.spell(given)}, expected {module.spell(wanted)}")
            return


@instruction_rule("opcode/OpConstantSampler/result-sampler", "OpConstantSampler", section="3.3.7")
def constant_sampler(inst: Instruction, scene: Scene) -> Findings:
    """OpConstantSampler makes a sampler.

    Bad:  `%s = OpConstantSampler %float None 0 Nearest`
    Good: `%s = OpConstantSampler %sampler None 0 Nearest`
    """
    type_ = scene.module.type(inst.type)
    if type_ is not None and type_.kind != "Sampler":
        yield Finding(inst, TYPE, f"%{inst.type} is {scene.module.spell(type_)}, expected a sampler type")


@instruction_rule("opcode/OpConstantSampler/param", "OpConstantSampler", section="3.3.7", severity=Severity.WARNING)
def sampler_coordinates(inst: Instruction, scene: Scene) -> Findings:
    """The coordinates of a constant sampler are normalized (1) or not (0). The reference validator does not look.

    Bad:  `%s = OpConstantSampler %sampler None 2 Nearest`
    Good: `%s = OpConstantSampler %sampler None 1 Nearest`
    """
    word = word_at(inst, 1)
    if word is not None and word > 1:
        yield Finding(inst, 1, f"Param is {word}, expected 0 (coordinates in texels) or 1 (normalized coordinates)")


@instruction_rule("opcode/OpConstantComposite/constituent-kinds", "OpConstantComposite", section="3.3.7", severity=Severity.WARNING)
def specialized_constituents(inst: Instruction, scene: Scene) -> Findings:
    """What is made of specialization constants is made by OpSpecConstantComposite: it changes with them.

    The reference validator does not look.

    Bad:  `%v = OpConstantComposite %v2float %spec %one` with `%spec = OpSpecConstant %float 2`
    Good: `%v = OpSpecConstantComposite %v2float %spec %one`
    """
    for place, name in _constituents(inst):
        if scene.module.opcode_of(name).startswith("OpSpecConstant"):
            mend = Mend("Change to OpSpecConstantComposite", (Replace(inst, OPCODE, "OpSpecConstantComposite"),))
            message = f"%{name} is a specialization constant, of which OpSpecConstantComposite makes composites"
            yield Finding(inst, place, message, (), (mend,))
            return


_NULLABLE = frozenset({"Bool", "Int", "Float", "Event", "DeviceEvent", "ReserveId", "Queue"})
_NULLABLE_BY_ELEMENT = frozenset(
    {"Array", "Matrix", "Vector", "VectorIdEXT", "CooperativeMatrixNV", "CooperativeMatrixKHR", "TensorARM"}
)


def _not_nullable(type_: Type, seen: frozenset[str] = frozenset()) -> Type | None:
    """The part of a type that has no null value, if there is one."""
    if type_.kind in _NULLABLE or type_.id in seen:
        return None
    if type_.is_pointer:
        return type_ if type_.storage == _PHYSICAL_STORAGE_BUFFER else None
    parts: tuple[Type | None, ...]
    if type_.kind == "TensorARM" and len(type_.operands) < 3:
        return type_
    if type_.kind in _NULLABLE_BY_ELEMENT:
        parts = (type_.element,)
    elif type_.is_struct:
        parts = type_.members
    else:
        return type_
    for part in parts:
        found = _not_nullable(part, seen | {type_.id}) if part is not None else None
        if found is not None:
            return found
    return None


@instruction_rule("opcode/OpConstantNull/result-kinds", "OpConstantNull", section="3.3.7")
def constant_null(inst: Instruction, scene: Scene) -> Findings:
    """OpConstantNull makes a scalar, a vector, a pointer, an event, a queue, or a composite of these.

    There is no null image or sampler, nor a null pointer to PhysicalStorageBuffer.

    Bad:  `%n = OpConstantNull %image`
    Good: `%n = OpConstantNull %v4float`
    """
    module = scene.module
    type_ = module.type(inst.type)
    culprit = _not_nullable(type_) if type_ is not None else None
    if type_ is None or culprit is None:
        return
    shown = f"%{inst.type} is {module.spell(type_)}"
    if culprit is not type_:
        shown = f"%{inst.type} contains {module.spell(culprit)}"
    yield Finding(inst, TYPE, f"{shown}, which has no null value")


@instruction_rule("opcode/OpConstantFunctionPointerINTEL/function", "OpConstantFunctionPointerINTEL", section="3.3.7")
def function_pointer(inst: Instruction, scene: Scene) -> Findings:
    """A constant function pointer names a function, and points to the type of that function.

    Bad:  `%p = OpConstantFunctionPointerINTEL %ptr_fn %main` where `%ptr_fn` points to another function type.
    Good: `%ptr_fn = OpTypePointer CodeSectionINTEL %fn` where `%fn` is the type of `%main`
    """
    module = scene.module
    type_ = module.type(inst.type)
    name = id_at(inst, 0)
    if type_ is None or name is None or module.definition(name) is None:
        return
    if not type_.is_pointer:
        yield Finding(inst, TYPE, f"%{inst.type} is {module.spell(type_)}, expected a pointer to a function type")
        return
    pointee = type_.pointee
    if pointee is not None and pointee.kind != "Function":
        yield Finding(inst, TYPE, f"%{inst.type} points to {module.spell(pointee)}, expected a function type")
        return
    definition = module.definition(name)
    if definition is not None and definition.opcode.name != "OpFunction":
        yield Finding(inst, 0, f"%{name} is the result of {definition.opcode.name}, expected a function")
        return
    function_type = module.type(id_at(definition, 1)) if definition is not None else None
    if pointee is not None and function_type is not None and function_type.id != pointee.id:
        yield Finding(inst, 0, f"%{name} is {module.spell(function_type)}, expected {module.spell(pointee)}")
