"""Decorations by storage class (SPIR-V 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Decoration, StorageClass
from spvls.grammar.operand_index import OpDecorate_Target, OpVariable_StorageClass
from spvls.grammar.traits import VARIABLES
from spvls.module.operand_at import id_at, word_at
from spvls.module.variable import held_by, storage_name, the_class
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, Instruction
from spvls.validate.checks.applied import ANNOTATING, applied_among, decoration_of
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_INTERFACE = (StorageClass.Input, StorageClass.Output)
_LOCATED = (
    StorageClass.Input, StorageClass.Output, StorageClass.UniformConstant, StorageClass.RayPayloadKHR,
    StorageClass.IncomingRayPayloadKHR, StorageClass.HitAttributeKHR, StorageClass.CallableDataKHR,
    StorageClass.IncomingCallableDataKHR, StorageClass.ShaderRecordBufferKHR, StorageClass.HitObjectAttributeNV,
    StorageClass.HitObjectAttributeEXT, StorageClass.TileImageEXT,
)  # fmt: skip

#: The storage classes that a decoration of a variable is for.
_CLASSES: dict[int, tuple[int, ...]] = {
    **dict.fromkeys(
        (Decoration.NoPerspective, Decoration.Flat, Decoration.Patch, Decoration.Centroid, Decoration.Sample), _INTERFACE
    ),
    **dict.fromkeys((Decoration.Stream, Decoration.Index, Decoration.XfbBuffer, Decoration.XfbStride), (StorageClass.Output,)),
    Decoration.Patch: (*_INTERFACE, StorageClass.TaskPayloadWorkgroupEXT),
    Decoration.Location: _LOCATED,
}

#: Of these, those that a rule of Vulkan speaks of.
_IN_VULKAN = frozenset(
    {Decoration.NoPerspective, Decoration.Flat, Decoration.Centroid, Decoration.Sample, Decoration.Location, Decoration.Index}
)
_VARIABLES = (spv.OpVariable, spv.OpUntypedVariableKHR)
_OBJECTS = (*_VARIABLES, spv.OpFunctionParameter, spv.OpRawAccessChainNV, spv.OpBufferPointerEXT)
_INPUT_OR_OUTPUT = frozenset(_INTERFACE)
_LOCATED_IN = "Input, Output{}, TileImageEXT or a storage class of ray tracing"


@instruction_rule("decoration/fits-storage-class", *ANNOTATING, section=sections.DECORATION, severity=Severity.WARNING)
def fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """A decoration for interfaces must be on an object in a storage class that it is defined for.

    Other memory is not connected to a stage, so a driver may ignore the decoration.

    Flat, NoPerspective, Centroid, Sample and Patch require Input or Output. Patch on TaskPayloadWorkgroupEXT is not reported.
    Stream, Index, XfbBuffer and XfbStride require Output. Location permits Input, Output, UniformConstant and TileImageEXT
    (SPV_EXT_shader_tile_image); on the storage classes of ray tracing and hit objects it is not reported. Members are not checked.
    In Vulkan, Flat, NoPerspective, Centroid, Sample, Location and Index are left to `decoration/fits-vulkan-storage-class`, which
    does not check decorations through groups. For Component see `interface/component-fits-location`.
    """
    module = context.module
    decorations = _CLASSES.keys() - _IN_VULKAN if module.environment.api == "vulkan" else _CLASSES
    for at, item in enumerate(applied_among(inst, module, decorations)):
        if not (at + 1) % PORTION:
            yield PAUSE
        classes = _CLASSES[item.value]
        if item.member is not None:
            continue
        target = module.definition(item.target)
        type_ = module.type(target.type) if target is not None else None
        if target is None or type_ is None or target.faults or not type_.is_pointer or type_.storage in classes:
            continue
        names = [storage_name(class_) for class_ in classes if class_ in _INPUT_OR_OUTPUT]
        wanted = _LOCATED_IN.format(", UniformConstant") if item.value == Decoration.Location else listed(names)
        note = Note(target, OPCODE, f"%{item.target} is defined here")
        where = f"{the_class(type_.storage)}"
        message = f"%{item.target} is in {where}, but the decoration {item.name} requires {wanted}"
        yield Finding(inst, 0, message, (note,))


#: The storage classes that Vulkan has a decoration in, and the rule that says so.
_VULKAN_CLASSES: dict[int, tuple[tuple[int, ...], str | None]] = {
    Decoration.Index: ((StorageClass.Output,), None),
    Decoration.Location: (
        tuple(class_ for class_ in _LOCATED if class_ != StorageClass.UniformConstant),
        "VUID-StandaloneSpirv-Location-06672",
    ),
    Decoration.Component: (_INTERFACE, "VUID-StandaloneSpirv-Location-06672"),
    **dict.fromkeys(
        (Decoration.Binding, Decoration.DescriptorSet),
        (
            (StorageClass.StorageBuffer, StorageClass.Uniform, StorageClass.UniformConstant, StorageClass.TileAttachmentQCOM),
            "VUID-StandaloneSpirv-DescriptorSet-06491",
        ),
    ),
    Decoration.InputAttachmentIndex: ((StorageClass.UniformConstant,), "VUID-StandaloneSpirv-InputAttachmentIndex-06678"),
    **dict.fromkeys(
        (Decoration.Flat, Decoration.NoPerspective, Decoration.Centroid, Decoration.Sample),
        (_INTERFACE, "VUID-StandaloneSpirv-Flat-04670"),
    ),
    Decoration.PerVertexKHR: ((StorageClass.Input,), "VUID-StandaloneSpirv-PerVertexKHR-06777"),
}  # fmt: skip


@instruction_rule("decoration/fits-vulkan-storage-class", spv.OpDecorate, section=sections.DECORATION, apis="vulkan")
def fits_vulkan_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a decoration of a variable must be used with a storage class that permits it.

    Locations, bindings and interpolation are for variables that a shader shares with other stages or the application. On other
    variables a driver may ignore them or reject the pipeline.

    Location may be used in Input, Output, TileImageEXT and the storage classes of ray tracing and hit objects; Component, Flat,
    NoPerspective, Centroid and Sample in Input and Output, Index only in Output, and PerVertexKHR only in Input. For Component,
    Index, Flat, NoPerspective, Centroid and Sample, SPIR-V itself requires this too; for Component,
    VUID-StandaloneSpirv-Location-06672 permits more. Binding and DescriptorSet may be used in StorageBuffer, Uniform,
    UniformConstant and TileAttachmentQCOM, and InputAttachmentIndex only in UniformConstant. For Patch, Stream, XfbBuffer and
    XfbStride see `decoration/fits-storage-class`.

    The rule checks OpDecorate on variables, pointer parameters, and results of OpRawAccessChainNV and OpBufferPointerEXT, not
    decorations of members or through groups.
    """
    decoration = decoration_of(inst)
    name = id_at(inst, OpDecorate_Target)
    if decoration is None or decoration.value not in _VULKAN_CLASSES or name is None:
        return
    module = context.module
    definition = module.definition(name)
    if definition is None or definition.opcode.value not in _OBJECTS:
        return
    type_ = module.type(definition.type)
    if type_ is None or not type_.is_pointer or type_.storage in _VULKAN_CLASSES[decoration.value][0]:
        return
    classes, vuid = _VULKAN_CLASSES[decoration.value]
    if decoration.value == Decoration.Component and type_.storage in _VULKAN_CLASSES[Decoration.Location][0]:
        vuid = None
    wanted = _LOCATED_IN.format("") if decoration.value == Decoration.Location else listed([*map(storage_name, classes)])
    where = f"{the_class(type_.storage)}"
    message = f"%{name} is in {where}, but in Vulkan the decoration {decoration.name} requires {wanted}"
    fix = FindingFix("Remove the decoration", (Delete(inst),), preferred=False)
    if decoration.value in (Decoration.Location, Decoration.Component):
        note = Note(inst, OPCODE, f"{decoration.name} is set here")
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
    """In Vulkan, a variable decorated with Invariant must be in Input or Output.

    With the decoration, two shaders that compute an output in the same way give it the same value. A value that does not leave the
    shader is not compared with that of another, so a driver may ignore the decoration. On an input it is permitted, but Vulkan says
    that it has no effect. The rule also checks a variable whose type is a structure with the decoration on it or on a member, but
    not arrays of structures or structures in structures.
    """
    module = context.module
    own = word_at(inst, OpVariable_StorageClass)
    if own is None or own in _INPUT_OR_OUTPUT or inst.result is None or not module.uses_decoration(Decoration.Invariant):
        return
    held = held_by(inst, module)
    needed = "but in Vulkan the decoration Invariant"
    if module.has_decoration(inst.result, Decoration.Invariant):
        message = f"%{inst.result} is in {the_class(own)}, {needed} requires Input or Output"
        yield Finding(inst, OpVariable_StorageClass, message)
    elif held is not None and held.is_struct and any(d.value == Decoration.Invariant for d in module.decorations(held.id)):
        message = f"%{inst.result} holds %{held.id} and is in {the_class(own)}, {needed} of %{held.id} requires Input or Output"
        yield Finding(inst, OpVariable_StorageClass, message)
