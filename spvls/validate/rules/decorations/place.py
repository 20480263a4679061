"""The storage classes and execution models that decorations belong to (SPIR-V 2.16.2, 3.2.19)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import value
from spvls.validate.applied import ANNOTATING, applied_among
from spvls.validate.entry import model_name
from spvls.validate.finding import Finding, Note
from spvls.validate.interface import IN_OUT, OUTPUT, listed
from spvls.validate.operand_at import word_at
from spvls.validate.rule import Findings, Scene, instruction_rule
from spvls.validate.storage_class import storage_name, storages
from spvls.validate.wording import listed as in_a_row

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


@instruction_rule("decoration/storage-class", *ANNOTATING, section="3.2.19", severity=Severity.WARNING)
def storage_class(inst: Instruction, scene: Scene) -> Findings:
    """Decorations of interfaces are on variables of an interface.

    Interpolation is for inputs and outputs, Stream, Index and captured buffers for outputs, Location for these and for
    UniformConstant. Vulkan makes errors of some; elsewhere the reference validator does not look.

    Bad:  `OpDecorate %private_variable Flat`
    Good: `OpDecorate %input_variable Flat`
    """
    module = scene.module
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


def _models(names: str) -> frozenset[int]:
    return frozenset(value("ExecutionModel", name) for name in names.split())


_VERTEX_PROCESSING = _models("Vertex TessellationControl TessellationEvaluation Geometry MeshNV MeshEXT")

#: The models whose interfaces have a decoration, and how they are called.
_MODELS: dict[str, tuple[frozenset[int], str]] = {
    "Patch": (_models("TessellationControl TessellationEvaluation"), "tessellation"),
    "Stream": (_models("Geometry"), "Geometry"),
    "Index": (_models("Fragment"), "Fragment"),
    "XfbBuffer": (_VERTEX_PROCESSING, "models that process vertices"),
    "XfbStride": (_VERTEX_PROCESSING, "models that process vertices"),
}
_MESH = _models("MeshNV MeshEXT TaskNV TaskEXT Fragment")


@instruction_rule("decoration/execution-model", "OpEntryPoint", section="3.2.19", severity=Severity.WARNING)
def execution_model(inst: Instruction, scene: Scene) -> Findings:
    """What an entry point lists has decorations of its execution model.

    Patch belongs to tessellation, Stream to Geometry, Index to Fragment, and captured buffers to models that process vertices.

    Bad:  `OpEntryPoint Fragment %main "main" %x` and `OpDecorate %x Patch`
    Good: the variable without Patch.
    """
    module = scene.module
    model = word_at(inst, 0)
    for variable in listed(inst, module):
        if variable.storage not in IN_OUT:
            continue
        for found in module.decorations(variable.name):
            models, what = _MODELS.get(found.name, (None, ""))
            if models is None or model in models or (model in _MESH and module.has_capability("MeshShadingNV")):
                continue
            if found.name == "Index" and variable.storage != OUTPUT:
                continue  # said of the storage class
            note = Note(found.record, OPCODE, f"{found.name} is set here")
            message = f"%{variable.name} is decorated {found.name}, which is for {what}, and this is {model_name(model or 0)}"
            yield Finding(inst, variable.place, message, (note,))
            return


#: Kinds of interpolation that exclude each other on one object or member.
_EXCLUSIVE = (frozenset({"NoPerspective", "Flat"}), frozenset({"Patch", "Centroid", "Sample"}))
_INTERPOLATION = frozenset().union(*_EXCLUSIVE)


@instruction_rule("decoration/interpolation", *ANNOTATING, section="2.16.2", severity=Severity.WARNING)
def interpolation(inst: Instruction, scene: Scene) -> Findings:
    """An object or member is interpolated in one way: NoPerspective or Flat, and one of Patch, Centroid and Sample.

    Bad:  `OpDecorate %x Centroid` and `OpDecorate %x Sample`
    Good: one of them.
    """
    module = scene.module
    for item in applied_among(inst, module, _INTERPOLATION):
        for group in _EXCLUSIVE:
            if item.decoration not in group:
                continue
            seen = scene.shared("interpolated", dict[tuple[str, int | None, str], Instruction])
            for other in group - {item.decoration}:
                first = seen.get((item.target, item.member, other))
                if first is not None:
                    note = Note(first, OPCODE, f"{other} is set here")
                    what = f"%{item.target}" if item.member is None else f"member {item.member} of %{item.target}"
                    yield Finding(inst, 0, f"{what} is decorated both {other} and {item.decoration}", (note,))
                    break
            seen[(item.target, item.member, item.decoration)] = inst


@instruction_rule("decoration/interpolation-top-level", "OpEntryPoint", section="2.16.2", severity=Severity.WARNING)
def interpolation_top_level(inst: Instruction, scene: Scene) -> Findings:
    """In structures of inputs and outputs only the outermost members say how they are interpolated.

    Bad:  `OpMemberDecorate %inner 0 Flat` where `%inner` is a member of the structure that is the input.
    Good: `OpMemberDecorate %outer 0 Flat`
    """
    module = scene.module
    for variable in listed(inst, module):
        outer = _without_arrays(variable.type)
        if variable.storage not in IN_OUT or outer is None or not outer.is_struct:
            continue
        found = _decorated_inside(outer, module)
        if found is not None:
            note = Note(found, OPCODE, "it is decorated here")
            message = f"%{variable.name} has a structure in its structure, a member of which says how it is interpolated"
            yield Finding(inst, variable.place, message, (note,))
            return


def _decorated_inside(outer: Type, module: Module) -> Instruction | None:
    """An interpolation of a member of a structure inside of a structure."""
    waiting = [inner for member in outer.members if (inner := _without_arrays(member)) is not None and inner.is_struct]
    seen: set[str] = set()
    while waiting:
        inner = waiting.pop()
        if inner.id in seen:
            continue
        seen.add(inner.id)
        for found in module.decorations(inner.id):
            if found.member is not None and found.name in _INTERPOLATION:
                return found.record
        waiting.extend(deeper for member in inner.members if (deeper := _without_arrays(member)) and deeper.is_struct)
    return None


def _without_arrays(type_: Type | None) -> Type | None:
    while type_ is not None and type_.is_array:
        type_ = type_.element
    return type_
