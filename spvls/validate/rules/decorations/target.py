"""What each decoration may decorate (SPIR-V 3.2.18)."""

from __future__ import annotations

from collections.abc import Callable

from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.applied import decoration_of
from spvls.validate.finding import Delete, Finding, Mend, Note
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.wording import listed

_VARIABLES = ("OpVariable", "OpUntypedVariableKHR")
_SPECIALIZABLE = ("OpSpecConstantTrue", "OpSpecConstantFalse", "OpSpecConstant", "OpSpecConstantDataKHR")
_STRIDED = ("OpTypeArray", "OpTypeRuntimeArray", "OpTypePointer", "OpTypeUntypedPointerKHR")
_OBJECTS = (*_VARIABLES, "OpFunctionParameter", "OpRawAccessChainNV", "OpBufferPointerEXT")
_CONSTANTS = ("OpConstant", "OpSpecConstant", "OpUndef")

_WORKGROUP_SIZE = value("BuiltIn", "WorkgroupSize")

Fault = Callable[[Instruction, Instruction, Module], str | None]


def _one_of(opcodes: tuple[str, ...], what: str) -> Fault:
    def check(inst: Instruction, target: Instruction, module: Module) -> str | None:
        return None if target.opcode.name in opcodes else what

    return check


def _memory_object(inst: Instruction, target: Instruction, module: Module) -> str | None:
    if target.opcode.name not in _OBJECTS:
        return "a memory object: a variable or a parameter that is a pointer"
    type_ = module.type(target.type)
    return "a pointer" if type_ is not None and not type_.is_pointer else None


def _built_in(inst: Instruction, target: Instruction, module: Module) -> str | None:
    opcode = target.opcode.name
    if word_at(inst, 2) == _WORKGROUP_SIZE and module.has_capability("Shader"):
        return None if opcode.startswith(_CONSTANTS) else "a constant, as WorkgroupSize is"
    return None if opcode in _VARIABLES else "a variable"


#: What the target of each decoration has to be.
_TARGETS: dict[str, Fault] = {
    "SpecId": _one_of(_SPECIALIZABLE, "a scalar specialization constant"),
    "ArrayStride": _one_of(_STRIDED, "an array or a pointer type"),
    "BuiltIn": _built_in,
    **dict.fromkeys(
        ("Block", "BufferBlock", "GLSLShared", "GLSLPacked", "CPacked"), _one_of(("OpTypeStruct",), "a structure type")
    ),
    **dict.fromkeys(
        ("Invariant", "Constant", "Location", "Index", "Binding", "DescriptorSet", "InputAttachmentIndex"),
        _one_of(_VARIABLES, "a variable"),
    ),
    **dict.fromkeys(
        (
            "NoPerspective", "Flat", "Patch", "Centroid", "Sample", "Restrict", "Aliased", "Volatile", "Coherent",
            "NonWritable", "NonReadable", "XfbBuffer", "XfbStride", "Component", "Stream", "RestrictPointer", "AliasedPointer",
        ),
        _memory_object,
    ),
}  # fmt: skip


@instruction_rule("decoration/target", "OpDecorate", section="3.2.19")
def target(inst: Instruction, scene: Scene) -> Findings:
    """A decoration decorates what it is meant for.

    Block and its like are for structure types, ArrayStride for arrays and pointers, SpecId for scalar specialization constants,
    those of interfaces and bindings for variables, and those of memory for variables and pointer parameters. BuiltIn is for
    variables and members, WorkgroupSize for a constant.

    Bad:  `OpDecorate %int Block`
    Good: `OpDecorate %S Block` with `%S = OpTypeStruct %int`
    """
    decoration = decoration_of(inst)
    check = _TARGETS.get(decoration.name) if decoration is not None else None
    name = id_at(inst, 0)
    if decoration is None or check is None or name is None:
        return
    module = scene.module
    definition = module.definition(name)
    if definition is None or definition.opcode.name == "OpDecorationGroup" or _not_in_vulkan(decoration.name, module):
        return
    wanted = check(inst, definition, module)
    if wanted is not None:
        note = Note(definition, RESULT, f"%{name} is defined here, by {definition.opcode.name}")
        mend = Mend("Remove the decoration", (Delete(inst),), preferred=False)
        yield Finding(inst, 0, f"%{name} is not {wanted}, and {decoration.name} is for such", (note,), (mend,))


def _not_in_vulkan(decoration: str, module: Module) -> bool:
    return decoration in ("GLSLShared", "GLSLPacked") and module.environment.api == "vulkan"


@instruction_rule(
    "vulkan/glsl-layout", "OpDecorate", section="3.2.19", vuid="VUID-StandaloneSpirv-GLSLShared-04669", apis="vulkan"
)
def glsl_layout(inst: Instruction, scene: Scene) -> Findings:
    """Vulkan has no GLSLShared and no GLSLPacked: blocks have explicit offsets.

    Bad:  `OpDecorate %S GLSLShared`
    Good: `OpMemberDecorate %S 0 Offset 0`
    """
    decoration = decoration_of(inst)
    if decoration is not None and decoration.name in ("GLSLShared", "GLSLPacked"):
        mend = Mend("Remove the decoration", (Delete(inst),))
        yield Finding(inst, 1, f"{decoration.name} must not be used in Vulkan, where blocks have offsets", mends=(mend,))


#: The storage classes that Vulkan has a decoration in, and the rule that says so.
_CLASSES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "Index": (("Output",), None),
    **dict.fromkeys(
        ("Location", "Component"),
        (
            (
                "Input", "Output", "RayPayloadKHR", "IncomingRayPayloadKHR", "HitAttributeKHR", "CallableDataKHR",
                "IncomingCallableDataKHR", "ShaderRecordBufferKHR", "HitObjectAttributeNV", "HitObjectAttributeEXT",
                "TileImageEXT",
            ),
            "VUID-StandaloneSpirv-Location-06672",
        ),
    ),
    **dict.fromkeys(
        ("Binding", "DescriptorSet"),
        (
            ("StorageBuffer", "Uniform", "UniformConstant", "TileAttachmentQCOM"),
            "VUID-StandaloneSpirv-DescriptorSet-06491",
        ),
    ),
    "InputAttachmentIndex": (("UniformConstant",), "VUID-StandaloneSpirv-InputAttachmentIndex-06678"),
    **dict.fromkeys(("Flat", "NoPerspective", "Centroid", "Sample"), (("Input", "Output"), "VUID-StandaloneSpirv-Flat-04670")),
    "PerVertexKHR": (("Input",), "VUID-StandaloneSpirv-PerVertexKHR-06777"),
}  # fmt: skip
_CLASS_VALUES = {name: frozenset(value("StorageClass", c) for c in classes) for name, (classes, _) in _CLASSES.items()}


@instruction_rule("vulkan/decoration-storage-class", "OpDecorate", section="3.2.19", apis="vulkan")
def storage_class(inst: Instruction, scene: Scene) -> Findings:
    """In Vulkan, decorations of variables belong to certain storage classes.

    Locations are for inputs, outputs and the data that ray tracing shaders hand over; interpolation for inputs and outputs;
    bindings for uniforms, storage buffers and resources; input attachments for resources.

    Bad:  `OpDecorate %private_variable Location 0`
    Good: `OpDecorate %input_variable Location 0`
    """
    decoration = decoration_of(inst)
    name = id_at(inst, 0)
    if decoration is None or decoration.name not in _CLASSES or name is None:
        return
    module = scene.module
    definition = module.definition(name)
    if definition is None or definition.opcode.name not in _OBJECTS:
        return
    type_ = module.type(definition.type)
    if type_ is None or not type_.is_pointer or type_.storage in _CLASS_VALUES[decoration.name]:
        return
    classes, vuid = _CLASSES[decoration.name]
    usual = [c for c in classes if not c.endswith(("NV", "QCOM", "EXT"))]
    message = f"%{name} is {module.spell(type_)}, and {decoration.name} is for the storage class {listed(usual)}"
    mend = Mend("Remove the decoration", (Delete(inst),), preferred=False)
    if decoration.name in ("Location", "Component"):
        note = Note(inst, OPCODE, "it is decorated here")
        yield Finding(definition, RESULT, message, (note,), (mend,), vuid)
    else:
        yield Finding(inst, 0, message, (), (mend,), vuid)
