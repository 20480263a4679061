"""Built-ins in Vulkan: the type, the storage class and the execution models that each may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, vulkan
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, StorageClass
from spvls.module.built_ins import BuiltInUse, pointed_to, uses_of
from spvls.module.declarations import DeclaredMode, EntryPoint, mode_name
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.types import Type
from spvls.module.variable import storage_name
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.syntax.operand_decls import capability_name, enumerant_name
from spvls.text.pattern import pattern
from spvls.validate.checks.applied import ANNOTATING, applied_among
from spvls.validate.checks.entry import entry_shown, model_name
from spvls.validate.checks.wording import counted, listed, made_by
from spvls.validate.engine.finding import PAUSE, Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule, module_rule

_FOR_EACH = frozenset(
    {
        BuiltIn.Position, BuiltIn.PointSize, BuiltIn.ClipDistance, BuiltIn.CullDistance, BuiltIn.PrimitiveId, BuiltIn.Layer,
        BuiltIn.ViewportIndex, BuiltIn.CullPrimitiveEXT, BuiltIn.PrimitiveShadingRateKHR, BuiltIn.ViewportMaskNV,
        BuiltIn.PositionPerViewNV, BuiltIn.ClipDistancePerViewNV, BuiltIn.CullDistancePerViewNV, BuiltIn.LayerPerViewNV,
        BuiltIn.MeshViewIndicesNV, BuiltIn.PrimitiveIndicesNV,
    }
)  # fmt: skip
"""Built-ins that have a value for each vertex or primitive in some stages, so that a variable may be an array of their type."""

_ARRAYED = _FOR_EACH | {BuiltIn.ViewportMaskPerViewNV}

_COUNTED_OTHERWISE = {BuiltIn.TileDimensionQCOM: "vec3<int32>"}
"""Built-ins that have three components by their extension and spirv-val, and two by the text of Vulkan."""

_UNSURE = frozenset({BuiltIn.BaryCoordNoPerspCentroidAMD})
"""Built-ins whose type in the valid-usage rules of Vulkan is another one than in their descriptions."""

_BUILT_IN = Decoration.BuiltIn
_WORKGROUP_SIZE = BuiltIn.WorkgroupSize
_LAYERED = frozenset({ExecutionModel.Vertex, ExecutionModel.TessellationEvaluation})
_LAYERS = {
    BuiltIn.Layer: (Capability.ShaderLayer, "04273"),
    BuiltIn.ViewportIndex: (Capability.ShaderViewportIndex, "04405"),
}
"""By built-in: the capability that it takes before the geometry stage, and the number of the rule."""

_OF_PRIMITIVES = (Capability.Geometry, Capability.Tessellation, Capability.MeshShadingNV, Capability.MeshShadingEXT)
"""Capabilities of stages that hand a PrimitiveId on to fragments."""


@cache
def _known(value: int) -> vulkan.BuiltIn | None:
    return vulkan.builtin(enumerant_name("BuiltIn", value))


def _storages(known: vulkan.BuiltIn) -> frozenset[str]:
    return frozenset(storage for storages in known.directions.values() for storage in storages)


_BY_MODEL = frozenset({BuiltIn.Position, BuiltIn.PointSize, BuiltIn.ClipDistance, BuiltIn.CullDistance})
"""Built-ins whose type depends on the execution model, so that it is wrong where an entry point uses them."""


@module_rule("interface/built-in-has-required-type", section=sections.BUILTIN, apis="vulkan", vuids=lambda: _type_vuids())
def built_in_has_required_type(context: RuleContext) -> Findings:
    """In Vulkan, a built-in must have the type that Vulkan defines for it.

    A driver may pass the value to or from the shader with this type. With another width or number of components it may copy too
    much or too little.

    Integers may be signed or unsigned. A variable may also be an array of that type for built-ins that have a value for each vertex
    or primitive in some stages, such as Position, ClipDistance and PrimitiveId; `interface/built-in-fits-vulkan-model` reports such
    arrays in Vertex and Fragment. TileDimensionQCOM must have three components, as its extension SPV_QCOM_tile_shading defines and
    as spirv-val checks, although the text of Vulkan says two. `interface/built-in-has-documented-type` checks
    BaryCoordNoPerspCentroidAMD, and `interface/workgroup-size-is-constant-vector` a constant that is WorkgroupSize. Built-ins that
    Vulkan does not define, untyped variables and lengths of arrays that can be specialized are not checked.

    A wrong type of Position, PointSize, ClipDistance or CullDistance is reported at the first use by an entry point, or at the
    declaration if there is none.
    """
    module = context.module
    for name, use, finding in module.derive("built-ins of other types", lambda: _type_faults(module)):
        first = _first_use(name, module) if use.value in _BY_MODEL else None
        if first is not None:
            note = Note(finding.record, finding.operand_index, f"{use.name} is declared here")
            yield finding._replace(record=first[0], operand_index=first[1], notes=(note,))
        else:
            yield finding


def _type_faults(module: Module) -> list[tuple[str, BuiltInUse, Finding]]:
    """The built-ins whose types are wrong, with their variables."""
    faults = ((name, use, _type_fault(use, module)) for name, uses in module.built_in_variables().items() for use in uses)
    return [(name, use, finding) for name, use, finding in faults if finding is not None]


def _type_fault(use: BuiltInUse, module: Module) -> Finding | None:
    known = _known(use.value)
    type_ = _type_of(use, module)
    if known is None or type_ is None or use.value in _UNSURE:
        return None
    form = _COUNTED_OTHERWISE.get(use.value, known.type)
    if _fits(form, type_, module):
        return None
    element = type_.element if type_.is_array else None
    arrayed = use.member is None and use.value in _FOR_EACH
    if (arrayed or use.value == BuiltIn.ViewportMaskPerViewNV) and element is not None and _fits(form, element, module):
        return None
    may_be_arrayed = use.member is None and (use.value in _BY_MODEL or use.value in _PER_PRIMITIVE)
    arrays = may_be_arrayed and type_.is_array and not form.startswith("array")
    arrays = arrays or use.value == BuiltIn.ViewportMaskPerViewNV
    source = "SPV_QCOM_tile_shading" if use.value in _COUNTED_OTHERWISE else "Vulkan"
    message = f"{use.name} is {module.spell(type_)}, but {source} requires {_spelled(form, arrays)}"
    vuid = _type_vuid(use, known, module)
    if use.struct is not None and use.member is not None:
        return Finding(use.struct.record, use.member, message, vuid=vuid)
    return Finding(use.variable, TYPE, message, vuid=vuid)


def _first_use(variable: str, module: Module) -> tuple[Instruction, int] | None:
    """Where a function of an entry point first uses a variable: the instruction, and the place of the operand."""
    for chunk in sorted(module.ids.using_chunks(variable), key=lambda chunk: chunk.first):
        function = chunk.records[0].result if chunk.is_function else None
        if function is None or not module.reached_from(function):
            continue
        for record in chunk.records:
            if variable in record.operands and module.is_in_function(record, chunk):
                return record, record.operands.index(variable)
    return None


def _type_vuid(use: BuiltInUse, known: vulkan.BuiltIn, module: Module) -> str | None:
    """The rule for the type, which is another one for the outputs of mesh shaders."""
    of_mesh = use.storage == StorageClass.Output and use.value in _PER_PRIMITIVE
    if not of_mesh or ExecutionModel.MeshEXT not in module.declarations.models:
        return known.type_vuid
    return f"VUID-{use.name}-{use.name}-{_PER_PRIMITIVE[use.value][-1]}"


@instruction_rule(
    "interface/built-in-has-documented-type",
    spv.OpVariable,
    section=sections.BUILTIN,
    severity=Severity.WARNING,
    apis="vulkan",
    vuids=lambda: ["VUID-BaryCoordNoPerspCentroidAMD-BaryCoordNoPerspCentroidAMD-04165"],
)
def built_in_has_documented_type(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, BaryCoordNoPerspCentroidAMD must be a vector of three 32-bit floats.

    A driver that writes three components, as the valid usage of Vulkan says, has no memory for all of them in a smaller variable.
    Untyped variables are not checked.

    A warning, because the valid usage of Vulkan requires three components, but its description of the built-in and
    SPV_AMD_shader_explicit_vertex_parameter two.
    """
    for use in uses_of(inst, context.module):
        known, type_ = _known(use.value), _type_of(use, context.module)
        if use.value in _UNSURE and known is not None and type_ is not None and not _fits(known.type, type_, context.module):
            have = context.module.spell(type_)
            message = f"{use.name} is {have}, but a Vulkan valid-usage rule requires {_spelled(known.type)}"
            yield Finding(inst, TYPE, message, vuid=known.type_vuid)
            return


def _type_of(use: BuiltInUse, module: Module) -> Type | None:
    if use.struct is not None and use.member is not None:
        members = use.struct.members
        return members[use.member] if use.member < len(members) else None
    pointer = module.type(use.variable.type)
    return pointer.pointee if pointer is not None else None


_FORM = pattern(r"(vec(\d)|mat(\d)x(\d)|array)<(.*?)(?:, (\d+))?>$")


def _fits(form: str, type_: Type, module: Module) -> bool:
    """Whether a type is of a form such as `vec3<int32>`; what is not declared counts as fitting."""
    match = _FORM.match(form)
    if match is None:
        if form == "bool":
            return type_.is_bool
        kind, width = (spv.OpTypeInt, form[3:]) if form.startswith("int") else (spv.OpTypeFloat, form[5:])
        return type_.kind == kind and (not width or type_.width == int(width))
    inner = type_.element
    if match[2]:
        right = type_.is_vector and type_.length == int(match[2])
    elif match[3]:
        right = type_.is_matrix and type_.count == int(match[3])
        return right and (inner is None or _fits(f"vec{match[4]}<{match[5]}>", inner, module))
    else:
        right = type_.is_array
        if right and match[6] and type_.length_id is not None:
            length = module.integer(type_.length_id)
            right = length is None or length == int(match[6])
    return right and (inner is None or _fits(match[5], inner, module))


def _spelled(form: str, arrays: bool = False) -> str:
    """The types of a form; with `arrays`, the arrays of these as well."""
    if form == "int":
        return "an integer scalar"
    forms = [form.replace("int32", name) for name in ("i32", "u32")] if "int32" in form else [form]
    forms = [f"an array of {one[6:-1]}" if one[:6] == "array<" and ", " not in one else one for one in forms]
    forms += [f"an array of {one}" for one in forms] if arrays else []
    return listed(forms).replace("float32", "f32")


@instruction_rule(
    "interface/built-in-fits-storage-class",
    spv.OpTypePointer,
    spv.OpVariable,
    spv.OpUntypedVariableKHR,
    section=sections.BUILTIN,
    apis="vulkan",
    vuids=lambda: vulkan.built_in_vuids("storage"),
)
def built_in_fits_storage_class(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a built-in must be in a storage class that Vulkan defines for it.

    Inputs are values that the device provides, and outputs are values that it consumes. A driver may have no source for a built-in
    that is only defined as an output, and may ignore writes to one that is only defined as an input.

    A storage class counts if Vulkan permits it in any execution model; `interface/built-in-fits-vulkan-model` checks each model.
    Members are checked only if a pointer or an untyped variable is declared for their structure. Where Vulkan has a valid usage for
    each group of models, the finding has the number of one of them, without regard to the model that uses the built-in.

    WorkgroupSize, which must decorate a constant, is checked by `interface/workgroup-size-is-constant-vector`, and descriptor heaps
    by `memory/resource-heap-is-uniform-constant`. Built-ins that Vulkan does not define are not checked.
    """
    module = context.module
    is_pointer = inst.opcode.value == spv.OpTypePointer
    for use in pointed_to(inst, module) if is_pointer else uses_of(inst, module):
        known = _known(use.value)
        if known is None or not known.directions:
            continue
        storage = storage_name(use.storage)
        allowed = _storages(known)
        if not allowed or storage in allowed or (use.struct is not None and inst.opcode.value == spv.OpVariable):
            continue
        both = [model for model, storages in known.directions.items() if len(storages) > 1]
        chosen = both or list(known.storage_vuids)
        vuid = known.storage_vuids.get(chosen[-1]) if chosen else None
        message = f"{use.name} is in the storage class {storage}, expected {listed(sorted(allowed))} in Vulkan"
        yield Finding(inst, 0, message, vuid=vuid)
        return


def _use_vuids() -> list[str]:
    """The valid usages of models, of storage classes by model and of what may not be an array, and those of single built-ins."""
    own = ["VUID-Layer-Layer-04273", "VUID-ViewportIndex-ViewportIndex-04405"]
    arrayed = [known for value in sorted(_ARRAYED) if (known := _known(value)) is not None and _may_be_in_single(known)]
    types = [known.type_vuid for known in arrayed if known.type_vuid is not None]
    depending = [known for known in vulkan.built_ins() if _depends_on_model(known)]
    storages = {
        known.storage_vuids[model]
        for known in depending
        for model, permitted in known.directions.items()
        if model in known.storage_vuids and frozenset(permitted) != _storages(known)
    }
    return [*vulkan.built_in_vuids("models", _depends_on_model), *sorted(storages), *types, *own]


def _depends_on_model(known: vulkan.BuiltIn) -> bool:
    return bool(known.directions) and "*" not in known.directions


def _may_be_in_single(known: vulkan.BuiltIn) -> bool:
    models = map(model_name, _SINGLE)
    return _depends_on_model(known) and not known.directions.keys().isdisjoint(models)


@function_rule("interface/built-in-fits-vulkan-model", section=sections.BUILTIN, apis="vulkan", vuids=_use_vuids)
def built_in_fits_vulkan_model(function: Function, context: RuleContext) -> Findings:
    """In Vulkan, an entry point that uses a built-in must have the execution model and mode for it.

    A driver may provide a built-in only in the stages that produce or consume it. In another stage an input may have no value, and
    an output may be ignored or the pipeline rejected.

    The storage class must be one that the model has; one that no model has is left to `interface/built-in-fits-storage-class`. In
    Vertex and Fragment the type must not be an array of values for each vertex or primitive. Variables decorated with PerVertexKHR
    may be such an array. FragDepth requires the execution mode DepthReplacing, as in spirv-val also where it is only read. In
    Vertex and TessellationEvaluation, Layer requires ShaderLayer and ViewportIndex requires ShaderViewportIndex;
    ShaderViewportIndexLayerEXT (SPV_EXT_shader_viewport_index_layer) is sufficient for both. PrimitiveId in Fragment requires
    Geometry, Tessellation, MeshShadingNV or MeshShadingEXT.

    Uses in the functions that an entry point calls count, and the use of a block is a use of all its built-ins. Not checked are,
    for example, untyped variables and built-ins that Vulkan permits in all models, such as SubgroupSize.
    """
    module = context.module
    variables = module.built_in_variables()
    if not variables:
        return
    entries = module.kinds_reached_from(function.name)
    if not entries:
        return
    reported: set[str] = set()
    for record in function.records:
        for operand_index, operand in enumerate(record.operands):
            if operand.__class__ is not str or operand in reported:
                continue
            for use in variables.get(str(operand), ()):
                finding = use_fault(record, operand_index, use, entries, module)
                if finding is not None:
                    reported.add(str(operand))
                    yield finding
                    break


def use_fault(
    record: Instruction, operand_index: int, use: BuiltInUse, entries: Sequence[EntryPoint], module: Module, arrays: bool = True
) -> Finding | None:
    """What is wrong with using a built-in from these entry points, maybe but for its being an array."""
    known = _known(use.value)
    if known is None or not known.directions or "*" in known.directions:
        return None
    storage = storage_name(use.storage)
    for entry in entries:
        model = model_name(entry.model)
        note = Note(entry.record, OPCODE, f"the entry point is declared here as {model}")
        allowed = known.directions.get(model)
        if allowed is None:
            models = listed(list(known.directions))
            message = f"{use.name} requires the execution model {models}, but is used by {entry_shown(entry)}"
            return Finding(record, operand_index, message, (note,), vuid=known.models_vuid)
        if storage not in allowed and storage in _storages(known):
            message = f"{use.name} is in the storage class {storage}, but {model} entry points require {listed(allowed)}"
            return Finding(record, operand_index, message, (note,), vuid=known.storage_vuids.get(model))
        finding = _condition(record, operand_index, use, entry, model, module)
        if finding is None and arrays:
            finding = _arrayed(record, operand_index, use, known, entry.model, module)
        if finding is not None:
            return finding
    return None


def _condition(
    record: Instruction, operand_index: int, use: BuiltInUse, entry: EntryPoint, model: str, module: Module
) -> Finding | None:
    """What single built-ins ask for besides."""
    name, value = use.name, use.value
    modes = {mode.value for mode in module.execution_modes(entry.function)}
    if value == BuiltIn.FragDepth and ExecutionMode.DepthReplacing not in modes:
        message = f"the entry point %{entry.function} uses FragDepth and must have the execution mode DepthReplacing"
        return Finding(record, operand_index, message, vuid="VUID-FragDepth-FragDepth-04216")
    if value in _LAYERS and entry.model in _LAYERED:
        capability, number = _LAYERS[value]
        if not any(map(module.has_capability, (Capability.ShaderViewportIndexLayerEXT, capability))):
            wanted = f"{capability_name(capability)} or " if module.version >= (1, 5) else ""  # a capability of SPIR-V 1.5
            message = f"{name} in a {model} entry point requires the capability {wanted}ShaderViewportIndexLayerEXT"
            return Finding(record, operand_index, message, vuid=f"VUID-{name}-{name}-{number}")
    of_primitives = value == BuiltIn.PrimitiveId and entry.model == ExecutionModel.Fragment
    if of_primitives and not any(map(module.has_capability, _OF_PRIMITIVES)):
        message = "PrimitiveId in a Fragment entry point requires the capability Geometry, Tessellation, "
        message += "MeshShadingNV or MeshShadingEXT"
        return Finding(record, operand_index, message, vuid="VUID-PrimitiveId-Fragment-04333")
    return None


def _arrayed(
    record: Instruction, operand_index: int, use: BuiltInUse, known: vulkan.BuiltIn, model: int, module: Module
) -> Finding | None:
    """What is an array in vertex and fragment shaders, where there is one value, and may be one in other models. Inputs of
    fragments may be decorated to have a value for each vertex."""
    type_ = _type_of(use, module) if model in _SINGLE and use.member is None and use.value in _ARRAYED else None
    if type_ is None or _fits(known.type, type_, module) or not type_.is_array:
        return None
    if use.variable.result is not None and module.has_decoration(use.variable.result, Decoration.PerVertexKHR):
        return None
    if use.value in _COUNTED_OTHERWISE or type_.element is None or not _fits(known.type, type_.element, module):
        return None
    message = f"{use.name} is {module.spell(type_)}, but {model_name(model)} entry points require {_spelled(known.type)}"
    return Finding(record, operand_index, message, vuid=known.type_vuid)


_SINGLE = frozenset({ExecutionModel.Vertex, ExecutionModel.Fragment})

_PRIMITIVES = {
    BuiltIn.PrimitivePointIndicesEXT: (ExecutionMode.OutputPoints, "07042", "07046"),
    BuiltIn.PrimitiveLineIndicesEXT: (ExecutionMode.OutputLinesEXT, "07048", "07052"),
    BuiltIn.PrimitiveTriangleIndicesEXT: (ExecutionMode.OutputTrianglesEXT, "07054", "07058"),
}
"""By built-in: the execution mode that it goes with, and the numbers of the rules for that and for its length."""

_CULL = BuiltIn.CullPrimitiveEXT
_CULL_VUID = "VUID-CullPrimitiveEXT-CullPrimitiveEXT-10591"

_PER_PRIMITIVE = {
    BuiltIn.PrimitiveId: ("07040", "10596", "10597", "10595"),
    BuiltIn.Layer: ("07039", "10593", "10594", "10592"),
    BuiltIn.ViewportIndex: ("07060", "10602", "10603", "10601"),
    BuiltIn.CullPrimitiveEXT: ("07038", "10589", "10590", "07036"),
    BuiltIn.PrimitiveShadingRateKHR: ("07059", "10599", "10600", "10598"),
}
"""By built-in of mesh shaders: the numbers of the rules for PerPrimitiveEXT, for the length of the array of a variable and of a
structure, and for the type."""


def _named(numbers: Mapping[int, Sequence[object]], chosen: slice) -> Iterator[tuple[str, object]]:
    """The names of built-ins, each with the chosen ones of its numbers."""
    return ((enumerant_name("BuiltIn", value), number) for value, every in numbers.items() for number in every[chosen])


def _type_vuids() -> list[str]:
    of_mesh = [f"VUID-{name}-{name}-{number}" for name, number in _named(_PER_PRIMITIVE, slice(3, None))]
    unsure = {known.type_vuid for use in _UNSURE if (known := _known(use)) is not None}
    return [vuid for vuid in (*vulkan.built_in_vuids("type"), *of_mesh) if vuid not in unsure]


def _mesh_vuids() -> list[str]:
    named = [*_named(_PRIMITIVES, slice(1, None)), *_named(_PER_PRIMITIVE, slice(None))]
    return [*(f"VUID-{name}-{name}-{number}" for name, number in named), _CULL_VUID]


@instruction_rule(
    "interface/primitive-built-in-is-decorated", spv.OpVariable, section=sections.BUILTIN, apis="vulkan", vuids=_mesh_vuids
)
def primitive_built_in_is_decorated(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, a per-primitive built-in of a mesh shader must be decorated with PerPrimitiveEXT.

    Without the decoration a driver may treat the output as one value for each vertex and read the wrong elements.

    The rule checks the outputs that MeshEXT entry points list, but not untyped variables. The built-ins are PrimitiveId, Layer,
    ViewportIndex, CullPrimitiveEXT and PrimitiveShadingRateKHR. The decoration may be on the variable or on the member. A variable
    with such a built-in must be an array, and a structure with such a member must be decorated with Block. The array, or the array
    of blocks, must have as many elements as the execution mode OutputPrimitivesEXT says.

    PrimitivePointIndicesEXT, PrimitiveLineIndicesEXT and PrimitiveTriangleIndicesEXT need not be decorated, but require the
    execution mode for their kind of primitive and as many elements as OutputPrimitivesEXT says. Lengths that can be specialized
    are not compared.

    A second CullPrimitiveEXT of an entry point is reported here if one of the two is a member, unless both are the same member of
    one structure. `interface/built-in-block-is-unique` reports two variables decorated with it.
    """
    module = context.module
    if not module.has_capability(Capability.MeshShadingEXT) or context.is_in_function or inst.result is None:
        return
    pointer = module.type(inst.type)
    array = pointer.pointee if pointer is not None else None
    for use in module.built_in_variables().get(inst.result, ()):
        for entry in module.declarations.entry_points:
            mesh = entry.model == ExecutionModel.MeshEXT and inst.result in entry.interface
            if not mesh or use.storage != StorageClass.Output:
                continue
            modes = {mode.value: mode for mode in module.execution_modes(entry.function)}
            finding = _culls_twice(inst, use, entry, module) or _mesh_fault(inst, use, array, modes, module)
            if finding is not None:
                yield finding
                return


def _culls_twice(inst: Instruction, use: BuiltInUse, entry: EntryPoint, module: Module) -> Finding | None:
    """A second CullPrimitiveEXT, where one of both is in a block; another rule reports two variables."""
    if use.value != _CULL:
        return None
    variables = module.built_in_variables()
    declared: dict[tuple[str, int | None], str] = {}
    for name in entry.interface:
        for other in variables.get(name, ()):
            if other.value == _CULL:
                declared.setdefault((other.struct.id if other.struct is not None else name, other.member), name)
    own = use.struct.id if use.struct is not None else str(inst.result), use.member
    if declared[own] != inst.result or len(declared) < 2 or all(member is None for _, member in declared):
        return None
    places = {one: module.global_place(module.decorations(one[0])[0].record) for one in declared}
    first = min(declared, key=lambda one: (-1, 0) if one[1] is None else (places[one], one[1]))
    if first == own:
        return None
    both = (f"%{name}" if member is None else f"member {member} of %{name}" for name, member in (first, own))
    message = f"{' and '.join(both)} are both CullPrimitiveEXT; an entry point may list at most one"
    return Finding(use.struct.record if use.struct is not None else inst, RESULT, message, vuid=_CULL_VUID)


def _mesh_fault(
    inst: Instruction, use: BuiltInUse, array: Type | None, modes: Mapping[int, DeclaredMode], module: Module
) -> Finding | None:
    name = use.name
    where, operand_index = (use.struct.record, use.member) if use.struct is not None and use.member is not None else (inst, TYPE)
    if use.value in _PRIMITIVES:
        mode, number, length_number = _PRIMITIVES[use.value]
        if mode not in modes:
            message = f"{name} requires the execution mode {mode_name(mode)}"
            return Finding(where, operand_index, message, vuid=f"VUID-{name}-{name}-{number}")
    elif use.value in _PER_PRIMITIVE:
        number, of_variable, of_structure, of_type = _PER_PRIMITIVE[use.value]
        length_number = of_variable if use.struct is None else of_structure
        owner = use.struct.id if use.struct is not None else str(inst.result)
        marked = any(
            decoration.value == Decoration.PerPrimitiveEXT and decoration.member in (None, use.member)
            for decoration in module.decorations(owner)
        )
        if not (marked or module.has_decoration(str(inst.result), Decoration.PerPrimitiveEXT)):
            message = f"{name} of a mesh shader must be decorated with PerPrimitiveEXT"
            return Finding(where, operand_index, message, vuid=f"VUID-{name}-{name}-{number}")
        if use.struct is None and array is not None and not array.is_array:
            message = f"{name} is {module.spell(array)}; in a mesh shader it must be an array with one element per primitive"
            return Finding(where, operand_index, message, vuid=f"VUID-{name}-{name}-{of_type}")
        if use.struct is not None and not module.has_decoration(owner, Decoration.Block):
            message = f"%{owner} contains {name} of a mesh shader and must be decorated with Block"
            return Finding(where, operand_index, message, vuid=f"VUID-{name}-{name}-{of_type}")
    else:
        return None
    most = modes.get(ExecutionMode.OutputPrimitivesEXT)
    count = most.params[0] if most is not None and most.params else None
    length = module.integer(array.length_id) if array is not None and array.length_id is not None else None
    if isinstance(count, int) and length is not None and length != count:
        what = name if use.struct is None else f"%{inst.result}, an array of blocks with {name},"
        message = f"{what} has {counted(length, 'element')}, but OutputPrimitivesEXT is {count}; the two must be equal"
        return Finding(where, operand_index, message, vuid=f"VUID-{name}-{name}-{length_number}")
    return None


_NO_MEMBERS = frozenset(
    {
        BuiltIn.SubgroupId, BuiltIn.NumSubgroups, BuiltIn.SubgroupSize, BuiltIn.SubgroupLocalInvocationId,
        BuiltIn.SubgroupEqMask, BuiltIn.SubgroupGeMask, BuiltIn.SubgroupGtMask, BuiltIn.SubgroupLeMask, BuiltIn.SubgroupLtMask,
        BuiltIn.ResourceHeapEXT, BuiltIn.SamplerHeapEXT,
    }
)  # fmt: skip


@instruction_rule(
    "interface/built-in-exists-in-vulkan",
    spv.OpDecorate,
    spv.OpMemberDecorate,
    spv.OpGroupMemberDecorate,
    section=sections.BUILTIN,
    apis="vulkan",
)
def built_in_exists_in_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, VertexId must not be used, and no member may be a built-in of subgroups or heaps.

    A Vulkan driver has no value for VertexId, so a shader must use VertexIndex.

    A driver need not look for built-ins of subgroups or heaps in blocks. SPV_EXT_descriptor_heap forbids ResourceHeapEXT and
    SamplerHeapEXT on members. As in spirv-val, SubgroupId, NumSubgroups, SubgroupSize, SubgroupLocalInvocationId and the masks of
    subgroups, such as SubgroupEqMask, must be variables by themselves, too.
    """
    module = context.module
    if inst.opcode.value == spv.OpDecorate:
        if inst.operands[1:3] == (_BUILT_IN, BuiltIn.VertexId):
            yield Finding(inst, 2, "VertexId does not exist in Vulkan; use VertexIndex")
        return
    for at, item in enumerate(applied_among(inst, module, (_BUILT_IN,))):
        if not (at + 1) % PORTION:
            yield PAUSE
        number = item.params[0] if item.params else None
        if number == BuiltIn.VertexId and item.record is inst:
            yield Finding(inst, 3, "VertexId does not exist in Vulkan; use VertexIndex")
        elif isinstance(number, int) and number in _NO_MEMBERS:
            type_ = module.type(item.target)
            name = enumerant_name("BuiltIn", number)
            message = f"{name} decorates a structure member, but may only decorate a variable"
            yield Finding(type_.record if type_ is not None else inst, OPCODE, message)
            return


@instruction_rule("interface/workgroup-size-is-constant-vector", *ANNOTATING, section=sections.BUILTIN, apis="vulkan")
def workgroup_size_is_constant_vector(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, WorkgroupSize must decorate a constant vector of three 32-bit integers.

    The size of the workgroup must be known when the pipeline is created, because a driver may compile the shader for this size. A
    specialization constant is permitted, OpUndef is not. A member with WorkgroupSize is reported at its structure. Of what a
    decoration group decorates, only the first fault is reported.
    """
    module = context.module
    for at, item in enumerate(applied_among(inst, module, (_BUILT_IN,))):
        if not (at + 1) % PORTION:
            yield PAUSE
        definition = module.definition(item.target)
        if definition is None or item.params[:1] != (_WORKGROUP_SIZE,):
            continue
        if item.member is not None or not definition.opcode.is_constant:
            target = f"%{item.target}"
            what = f"{target}, which is {made_by(definition)}" if item.member is None else f"member {item.member} of {target}"
            message = f"WorkgroupSize decorates {what}, but must decorate a constant in Vulkan"
            yield Finding(definition, OPCODE, message, vuid="VUID-WorkgroupSize-WorkgroupSize-04426")
            return
        type_ = module.type_of(item.target)
        if type_ is not None and not _fits("vec3<int32>", type_, module):
            message = f"WorkgroupSize is {module.spell(type_)}, but Vulkan requires {_spelled('vec3<int32>')}"
            yield Finding(definition, TYPE, message, vuid="VUID-WorkgroupSize-WorkgroupSize-04427")
            return
