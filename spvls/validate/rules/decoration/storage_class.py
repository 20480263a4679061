"""Decorations by storage class (SPIR-V 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.operand_index import OpDecorate_Target, OpVariable_StorageClass
from spvls.module.operand_at import id_at, word_at
from spvls.module.storage_class import storage_name, storages
from spvls.module.variable import VARIABLES, held_by
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.checks.applied import ANNOTATING, applied_among, decoration_of
from spvls.validate.checks.wording import listed
from spvls.validate.checks.wording import listed as in_a_row
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_INTERFACE = ("Input", "Output")
_LOCATED = (
    "Input", "Output", "UniformConstant", "RayPayloadKHR", "IncomingRayPayloadKHR", "HitAttributeKHR", "CallableDataKHR",
    "IncomingCallableDataKHR", "ShaderRecordBufferKHR", "HitObjectAttributeNV", "HitObjectAttributeEXT", "TileImageEXT",
)  # fmt: skip

#: The storage classes that a decoration of a variable is for.
_CLASSES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("NoPerspective", "Flat", "Patch", "Centroid", "Sample"), _INTERFACE),
    **dict.fromkeys(("Stream", "Index", "XfbBuffer", "XfbStride"), ("Output",)),
    "Patch": (*_INTERFACE, "TaskPayloadWorkgroupEXT"),
    "Location": _LOCATED,
}
_CLASS_VALUES = {name: storages(" ".join(classes)) for name, classes in _CLASSES.items()}

#: Of these, those that a rule of Vulkan speaks of.
_IN_VULKAN = frozenset({"NoPerspective", "Flat", "Centroid", "Sample", "Location", "Index"})
_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_OBJECTS = (*_VARIABLES, spv.OpFunctionParameter, spv.OpRawAccessChainNV, spv.OpBufferPointerEXT)
_INPUT_OR_OUTPUT = storages("Input Output")


@instruction_rule("decoration/fits-storage-class", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """Decorations of interfaces are on variables of an interface.

    Interpolation is for inputs and outputs, Stream, Index and captured buffers for outputs, Location for these and for
    UniformConstant. Vulkan makes errors of some; elsewhere the reference validator does not look.
    """
    module = context.module
    vulkan = module.environment.api == "vulkan"
    for item in applied_among(inst, module, _CLASS_VALUES):
        classes = _CLASS_VALUES[item.decoration]
        if item.member is not None or (vulkan and item.decoration in _IN_VULKAN):
            continue
        target = module.definition(item.target)
        type_ = module.type(target.type) if target is not None else None
        if target is None or type_ is None or target.faults or not type_.is_pointer or type_.storage in classes:
            continue
        usual = [name for name in _CLASSES[item.decoration] if name in (*_INTERFACE, "UniformConstant")]
        note = Note(target, OPCODE, f"%{item.target} is defined here")
        message = f"%{item.target} is in {storage_name(type_.storage)}, and {item.decoration} is for {in_a_row(usual)}"
        yield Finding(inst, 0, message, (note,))


#: The storage classes that Vulkan has a decoration in, and the rule that says so.
_VULKAN_CLASSES: dict[str, tuple[tuple[str, ...], str | None]] = {
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
_VULKAN_CLASS_VALUES = {
    name: frozenset(value("StorageClass", c) for c in classes) for name, (classes, _) in _VULKAN_CLASSES.items()
}


@instruction_rule("decoration/fits-vulkan-storage-class", spv.OpDecorate, section=sections.DECORATION, apis="vulkan")
def fits_vulkan_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, decorations of variables belong to certain storage classes.

    Locations are for inputs, outputs and the data that ray tracing shaders hand over; interpolation for inputs and outputs;
    bindings for uniforms, storage buffers and resources; input attachments for resources.
    """
    decoration = decoration_of(inst)
    name = id_at(inst, OpDecorate_Target)
    if decoration is None or decoration.name not in _VULKAN_CLASSES or name is None:
        return
    module = context.module
    definition = module.definition(name)
    if definition is None or definition.opcode.value not in _OBJECTS:
        return
    type_ = module.type(definition.type)
    if type_ is None or not type_.is_pointer or type_.storage in _VULKAN_CLASS_VALUES[decoration.name]:
        return
    classes, vuid = _VULKAN_CLASSES[decoration.name]
    usual = [c for c in classes if not c.endswith(("NV", "QCOM", "EXT"))]
    message = f"%{name} is {module.spell(type_)}, and {decoration.name} is for the storage class {listed(usual)}"
    fix = FindingFix("Remove the decoration", (Delete(inst),), preferred=False)
    if decoration.name in ("Location", "Component"):
        note = Note(inst, OPCODE, "it is decorated here")
        yield Finding(definition, RESULT, message, (note,), (fix,), vuid)
    else:
        yield Finding(inst, OpDecorate_Target, message, (), (fix,), vuid)


@instruction_rule(
    "decoration/invariant-is-on-interface",
    *VARIABLES,
    section=sections.DECORATION,
    vuid="VUID-StandaloneSpirv-Invariant-04677",
    apis="vulkan",
)
def invariant_is_on_interface(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan only variables in Input and Output, and their members, are decorated Invariant."""
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    if own is None or own in _INPUT_OR_OUTPUT or inst.result is None:
        return
    held = held_by(inst, module)
    if module.has_decoration(inst.result, "Invariant"):
        yield Finding(
            inst, OpVariable_StorageClass, f"%{inst.result} is decorated Invariant, and in {storage_name(own)}, not Input or Output"
        )
    elif held is not None and held.is_struct and any(d.name == "Invariant" for d in module.decorations(held.id)):
        message = f"%{held.id} is decorated Invariant, and the variable is in {storage_name(own)}, not Input or Output"
        yield Finding(inst, OpVariable_StorageClass, message)
