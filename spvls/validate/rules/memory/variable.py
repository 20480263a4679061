"""Variables: their storage class, what they hold, and what they begin with (SPIR-V 3.2.6, 3.3.8)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.finding import Finding, Mend, Replace
from spvls.validate.mends import pointing_to
from spvls.validate.operand_at import word_at
from spvls.validate.pointers import LOGICAL_MODELS
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage, storage_name, storages
from spvls.validate.variable import VARIABLES, held_by, initializer, initializer_place

_FUNCTION = storage("Function")
_GENERIC = storage("Generic")
_PHYSICAL_STORAGE_BUFFER = storage("PhysicalStorageBuffer")
_STORAGE_BUFFER = storage("StorageBuffer")
_WORKGROUP = storage("Workgroup")
_FUNCTION_OR_PRIVATE = storages("Function Private")


@instruction_rule("opcode/OpVariable/result-pointer", *VARIABLES, section="3.3.8")
def variable_type(inst: Instruction, scene: Scene) -> Findings:
    """A variable is a pointer: OpVariable a typed one, OpUntypedVariableKHR an untyped one.

    Bad:  `%x = OpVariable %float Private`
    Good: `%ptr = OpTypePointer Private %float` and `%x = OpVariable %ptr Private`
    """
    type_ = scene.module.type(inst.type)
    wanted = spv.OpTypePointer if inst.opcode.value == spv.OpVariable else spv.OpTypeUntypedPointerKHR
    if type_ is not None and type_.kind != wanted:
        message = f"%{inst.type} is {scene.module.spell(type_)}, expected a pointer made by {tables.opcode_name(wanted)}"
        yield Finding(inst, TYPE, message)


@instruction_rule("opcode/OpVariable/class-matches-type", *VARIABLES, section="3.3.8")
def class_matches_type(inst: Instruction, scene: Scene) -> Findings:
    """The storage class of a variable is that of its pointer type.

    Bad:  `%x = OpVariable %ptr_private Function`
    Good: `%x = OpVariable %ptr_private Private`
    """
    type_ = scene.module.type(inst.type)
    own = word_at(inst, 0)
    if type_ is None or not type_.is_pointer or own is None or own == type_.storage or own == _GENERIC:
        return
    if _misplaced(inst, scene):
        return
    wanted = storage_name(type_.storage)
    mends: tuple[Mend, ...] = (Mend(f"Write {wanted}", (Replace(inst, 0, wanted),)),)
    if scene.function is not None and type_.storage != _FUNCTION:
        mends = pointing_to(inst, type_.pointee, _FUNCTION, scene.module) if type_.pointee is not None else ()
    yield Finding(inst, 0, f"%{inst.type} points to {wanted}, and the variable is in {storage_name(own)}", (), mends)


@instruction_rule("opcode/OpVariable/class-not-generic", *VARIABLES, section="3.3.8")
def class_not_generic(inst: Instruction, scene: Scene) -> Findings:
    """No variable lives in the storage class Generic; pointers to it are cast from others.

    Bad:  `%x = OpVariable %ptr_generic Generic`
    Good: `%x = OpVariable %ptr_function Function` and `%p = OpPtrCastToGeneric %ptr_generic %x`
    """
    if word_at(inst, 0) == _GENERIC:
        yield Finding(inst, 0, "a variable cannot be in the storage class Generic")


def _misplaced(inst: Instruction, scene: Scene) -> bool:
    inside = scene.function is not None
    return word_at(inst, 0) != _GENERIC and inside != (word_at(inst, 0) == _FUNCTION)


@instruction_rule("opcode/OpVariable/function-class", *VARIABLES, section="3.2.6")
def function_class(inst: Instruction, scene: Scene) -> Findings:
    """Variables in a function are in the storage class Function, and no others are.

    Bad:  `%x = OpVariable %ptr Private` between OpLabel and OpFunctionEnd
    Good: `%x = OpVariable %ptr Private` before the first function
    """
    if word_at(inst, 0) is None or not _misplaced(inst, scene):
        return
    if scene.function is None:
        yield Finding(inst, 0, "variables in the storage class Function stand in a function")
    else:
        name = storage_name(word_at(inst, 0))
        yield Finding(inst, 0, f"a variable of a function is in the storage class Function; those in {name} are global")


@instruction_rule("opcode/OpUntypedVariableKHR/data-type", spv.OpUntypedVariableKHR, section="3.3.8")
def untyped_data_type(inst: Instruction, scene: Scene) -> Findings:
    """An untyped variable in Function, Private or Workgroup says what it holds; in Vulkan all do but UniformConstant.

    Bad:  `%x = OpUntypedVariableKHR %ptr Private`
    Good: `%x = OpUntypedVariableKHR %ptr Private %uint`
    """
    own = word_at(inst, 0)
    if len(inst.operands) > 1 or own is None:
        return
    if own in _FUNCTION_OR_PRIVATE or own == _WORKGROUP:
        message = f"an untyped variable in {storage_name(own)} needs a data type"
        yield Finding(inst, OPCODE, message)
    elif scene.module.environment.api == "vulkan" and own != storage("UniformConstant"):
        message = f"in Vulkan an untyped variable in {storage_name(own)} needs a data type"
        yield Finding(inst, OPCODE, message, vuid="VUID-StandaloneSpirv-OpUntypedVariableKHR-11167")


@instruction_rule("opcode/OpVariable/initializer-kind", *VARIABLES, section="3.3.8")
def initializer_kind(inst: Instruction, scene: Scene) -> Findings:
    """A variable begins with a constant, or with another variable of the module.

    Bad:  `%x = OpVariable %ptr Function %loaded`
    Good: `%x = OpVariable %ptr Function %zero`
    """
    name = initializer(inst)
    definition = scene.module.definition(name) if name is not None else None
    if definition is None or definition.type is None or definition.faults:
        return
    opcode = definition.opcode.value
    if opcode in VARIABLES:
        if word_at(definition, 0) != _FUNCTION:
            return
    elif opcode in CONSTANT_OPCODES and opcode != spv.OpUndef:
        return
    message = f"%{name} is the result of {definition.opcode.name}, and neither a constant nor a variable of the module"
    yield Finding(inst, initializer_place(inst), message)


@instruction_rule("opcode/OpVariable/initializer-type", *VARIABLES, section="3.3.8")
def initializer_type(inst: Instruction, scene: Scene) -> Findings:
    """What a variable begins with has the type of what it holds.

    Bad:  `%x = OpVariable %ptr_float Private %int_0`
    Good: `%x = OpVariable %ptr_float Private %float_0`
    """
    module = scene.module
    name = initializer(inst)
    held = held_by(inst, module)
    given = module.type_of(name)
    if held is not None and given is not None and held.id != given.id and not any(initializer_kind(inst, scene)):
        place = initializer_place(inst)
        yield Finding(inst, place, f"%{name} is {module.spell(given)}, expected {module.spell(held)}")


_NOT_INITIALIZED = storages("Input TaskPayloadWorkgroupEXT HitObjectAttributeNV HitObjectAttributeEXT")


@instruction_rule("memory/no-initializer", *VARIABLES, section="3.2.6")
def class_initializer(inst: Instruction, scene: Scene) -> Findings:
    """Variables in Input, TaskPayloadWorkgroupEXT and HitObjectAttributeNV have no initializer.

    Bad:  `%x = OpVariable %ptr_input Input %zero`
    Good: `%x = OpVariable %ptr_input Input`
    """
    if word_at(inst, 0) in _NOT_INITIALIZED and initializer(inst) is not None:
        if scene.module.environment.api == "vulkan":
            return  # where few classes have initializers, see vulkan/initializer-classes
        name = storage_name(word_at(inst, 0))
        yield Finding(inst, initializer_place(inst), f"a variable in {name} has no initializer")


@instruction_rule("memory/psb-no-variable", *VARIABLES, section="2.16.1")
def physical_storage_buffer(inst: Instruction, scene: Scene) -> Findings:
    """No variable lives in PhysicalStorageBuffer; pointers to it are addresses that come from elsewhere.

    Bad:  `%x = OpVariable %ptr PhysicalStorageBuffer`
    Good: `%p = OpLoad %ptr %member` where a buffer holds the address.
    """
    if word_at(inst, 0) == _PHYSICAL_STORAGE_BUFFER:
        yield Finding(inst, 0, "a variable cannot be in the storage class PhysicalStorageBuffer")


_HOLDS_BOOL = storages(
    "Workgroup CrossWorkgroup Private Function UniformConstant RayPayloadKHR IncomingRayPayloadKHR HitAttributeKHR "
    "CallableDataKHR IncomingCallableDataKHR TaskPayloadWorkgroupEXT HitObjectAttributeNV HitObjectAttributeEXT NodePayloadAMDX"
)
_INPUT_OR_OUTPUT = storages("Input Output")


@instruction_rule("opcode/OpTypeBool/no-physical-storage", *VARIABLES, section="3.3.6", severity=Severity.INFORMATION)
def addressed_bool(inst: Instruction, scene: Scene) -> Findings:
    """Where pointers are addresses, variables hold no truth values: these have no size and no bits in memory.

    The reference validator does not look, and most implementations give them an octet.

    Bad:  `%flag = OpVariable %pointer_to_bool Function` with `OpMemoryModel Physical64 OpenCL`
    Good: an 8-bit integer that is compared with 0.
    """
    module = scene.module
    held = held_by(inst, module)
    if held is None or module.addressing_model in LOGICAL_MODELS or module.addressing_model < 0:
        return
    if spv.OpTypeBool in module.contents(held.id, behind_pointers=False):
        message = f"the variable holds {module.spell(held)}, and truth values have no bits that an address could point to"
        yield Finding(inst, TYPE, message)


@instruction_rule("opcode/OpTypeBool/storage-classes", *VARIABLES, section="3.3.6")
def external_bool(inst: Instruction, scene: Scene) -> Findings:
    """Truth values stay inside of the shader: a variable that holds one is not in a storage class that others see.

    A Boolean has no bits that a buffer could hold. Built-in inputs and outputs, such as FrontFacing, may be Boolean.

    Bad:  `%ptr = OpTypePointer Uniform %bool` and `%x = OpVariable %ptr Uniform`
    Good: an integer in the buffer that is compared with 0.
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    if own is None or own in _HOLDS_BOOL or held is None or inst.result is None:
        return
    interface = own in _INPUT_OR_OUTPUT
    if interface and module.has_decoration(inst.result, "BuiltIn"):
        return
    if spv.OpTypeBool not in module.contents(held.id, behind_pointers=False) or not _has_bool(held, module, interface):
        return
    shown = f"the variable holds {module.spell(held)}, and truth values cannot be in {storage_name(own)}"
    if interface:
        vuid = "VUID-StandaloneSpirv-Input-07290" if module.environment.api == "vulkan" else None
        yield Finding(inst, TYPE, f"{shown} unless they are decorated BuiltIn", vuid=vuid)
    else:
        yield Finding(inst, TYPE, shown)


def _has_bool(type_: Type, module: Module, skip_built_in: bool) -> bool:
    """Whether a Boolean is in a type; structures of built-ins may be passed over."""
    if type_.is_bool:
        return True
    if skip_built_in and any(found.name == "BuiltIn" for found in module.decorations(type_.id)):
        return False
    parts = type_.members if type_.is_struct else (type_.element,)
    return any(part is not None and not part.is_pointer and _has_bool(part, module, skip_built_in) for part in parts)


@instruction_rule("pointer/logical-variable-no-pointer", *VARIABLES, section="2.16.1")
def variable_of_pointer(inst: Instruction, scene: Scene) -> Findings:
    """With logical addressing a variable holds pointers only as far as variable pointers are declared.

    Such a variable is in Function or Private, and the pointer points to StorageBuffer (VariablePointersStorageBuffer) or
    Workgroup (VariablePointers).

    Bad:  `%x = OpVariable %ptr_to_pointer Private` without `OpCapability VariablePointers`
    Good: an index in the variable, and an OpAccessChain where it is used.
    """
    module = scene.module
    own = word_at(inst, 0)
    held = held_by(inst, module)
    if held is None or not held.is_pointer or held.storage == _PHYSICAL_STORAGE_BUFFER:
        return
    if scene.options.relax_logical_pointer or module.addressing_model not in LOGICAL_MODELS or any(initializer_kind(inst, scene)):
        return
    shown = f"the variable holds {module.spell(held)}"
    if held.storage not in (_STORAGE_BUFFER, _WORKGROUP):
        yield Finding(inst, TYPE, f"{shown}; with logical addressing it could point to StorageBuffer or Workgroup alone")
        return
    needed = "VariablePointersStorageBuffer" if held.storage == _STORAGE_BUFFER else "VariablePointers"
    if not module.has_capability(needed):
        yield Finding(inst, TYPE, f"{shown}, which with logical addressing needs the capability {needed}")
    elif own not in _FUNCTION_OR_PRIVATE:
        yield Finding(inst, 0, f"{shown}; with logical addressing it is in Function or Private, not {storage_name(own)}")


_COOPERATIVE = frozenset({spv.OpTypeCooperativeMatrixKHR, spv.OpTypeCooperativeMatrixNV})


@instruction_rule("memory/cooperative-variable-class", *VARIABLES, section="3.2.6")
def cooperative_variable(inst: Instruction, scene: Scene) -> Findings:
    """Cooperative matrices and vectors are held by variables in Function and Private alone.

    Bad:  `%x = OpVariable %ptr_matrix Workgroup`
    Good: `%x = OpVariable %ptr_matrix Function`
    """
    module = scene.module
    held = held_by(inst, module)
    own = word_at(inst, 0)
    if held is None or own in _FUNCTION_OR_PRIVATE or own is None:
        return
    found = module.contents(held.id)
    vectors = spv.OpTypeVectorIdEXT in found and module.has_capability("CooperativeVectorNV")
    if vectors or not _COOPERATIVE.isdisjoint(found):
        what = "a cooperative vector" if vectors else "a cooperative matrix"
        yield Finding(inst, 0, f"a variable with {what} is in Function or Private, not {storage_name(own)}")
