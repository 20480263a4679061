"""Built-ins by SPIR-V itself (SPIR-V 3.2.20, 3.3.17)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import BuiltIn, Capability, Decoration, ExecutionModel, MemoryModel, StorageClass
from spvls.grammar.operand_index import OpLoad_Pointer
from spvls.module.built_ins import BuiltInUse
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.module.variable import storage_name, the_class
from spvls.syntax.instruction import OPCODE, TYPE, Instruction
from spvls.validate.checks.entry import entry_shown, model_name
from spvls.validate.checks.memory_operands import VOLATILE, masks
from spvls.validate.checks.wording import listed
from spvls.validate.checks.wording import operand as named
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, function_rule, instruction_rule

_INPUT, _OUTPUT = StorageClass.Input, StorageClass.Output
_CONTROL, _EVALUATION = ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation
_GROUPS = (
    ExecutionModel.GLCompute,
    ExecutionModel.Kernel,
    ExecutionModel.TaskNV,
    ExecutionModel.MeshNV,
    ExecutionModel.TaskEXT,
    ExecutionModel.MeshEXT,
)

_HITS = (ExecutionModel.IntersectionKHR, ExecutionModel.AnyHitKHR, ExecutionModel.ClosestHitKHR)

_IN, _OUT, _BOTH = (_INPUT,), (_OUTPUT,), (_INPUT, _OUTPUT)

_OUT_ANYWHERE = dict.fromkeys((ExecutionModel.Vertex, ExecutionModel.MeshNV, ExecutionModel.MeshEXT), _OUT)
_VERTICES = {**dict.fromkeys((_CONTROL, _EVALUATION, ExecutionModel.Geometry), _BOTH), **_OUT_ANYWHERE}

_GROUPED: tuple[tuple[tuple[int, ...], dict[int, tuple[int, ...]]], ...] = (
    ((BuiltIn.Position, BuiltIn.PointSize), _VERTICES),
    ((BuiltIn.ClipDistance, BuiltIn.CullDistance), {**_VERTICES, ExecutionModel.Fragment: _IN}),
    ((BuiltIn.VertexId, BuiltIn.VertexIndex, BuiltIn.InstanceIndex), {ExecutionModel.Vertex: _IN}),
    ((BuiltIn.InstanceId,), {ExecutionModel.Vertex: _IN, **dict.fromkeys(_HITS, _IN)}),
    ((BuiltIn.InvocationId,), {_CONTROL: _IN, ExecutionModel.Geometry: _IN}),
    (
        (BuiltIn.Layer, BuiltIn.ViewportIndex),
        {**_OUT_ANYWHERE, _EVALUATION: _OUT, ExecutionModel.Geometry: _OUT, ExecutionModel.Fragment: _IN},
    ),
    ((BuiltIn.TessLevelOuter, BuiltIn.TessLevelInner), {_CONTROL: _OUT, _EVALUATION: _IN}),
    ((BuiltIn.TessCoord,), {_EVALUATION: _IN}),
    ((BuiltIn.PatchVertices,), {_CONTROL: _IN, _EVALUATION: _IN}),
    (
        (
            BuiltIn.FragCoord,
            BuiltIn.PointCoord,
            BuiltIn.FrontFacing,
            BuiltIn.SampleId,
            BuiltIn.SamplePosition,
            BuiltIn.HelperInvocation,
        ),
        {ExecutionModel.Fragment: _IN},
    ),
    ((BuiltIn.SampleMask,), {ExecutionModel.Fragment: _BOTH}),
    ((BuiltIn.FragDepth,), {ExecutionModel.Fragment: _OUT}),
    (
        (
            BuiltIn.NumWorkgroups,
            BuiltIn.WorkgroupId,
            BuiltIn.LocalInvocationId,
            BuiltIn.GlobalInvocationId,
            BuiltIn.LocalInvocationIndex,
            BuiltIn.NumSubgroups,
            BuiltIn.SubgroupId,
        ),
        dict.fromkeys(_GROUPS, _IN),
    ),
    (
        (
            BuiltIn.WorkDim,
            BuiltIn.GlobalSize,
            BuiltIn.EnqueuedWorkgroupSize,
            BuiltIn.GlobalOffset,
            BuiltIn.GlobalLinearId,
            BuiltIn.SubgroupMaxSize,
            BuiltIn.NumEnqueuedSubgroups,
        ),
        {ExecutionModel.Kernel: _IN},
    ),
    (
        (BuiltIn.PrimitiveId,),
        {
            **dict.fromkeys((_CONTROL, _EVALUATION, ExecutionModel.Fragment, *_HITS), _IN),
            **dict.fromkeys((ExecutionModel.MeshNV, ExecutionModel.MeshEXT), _OUT),
            ExecutionModel.Geometry: _BOTH,
        },
    ),
)

#: The models that have a built-in, and the storage classes that it has there.
_MODELS = {value: models for values, models in _GROUPED for value in values}

#: Built-ins that are inputs wherever they are.
_INPUTS = frozenset({BuiltIn.DeviceIndex, BuiltIn.ViewIndex, BuiltIn.BaseVertex, BuiltIn.BaseInstance, BuiltIn.DrawIndex})


@function_rule("interface/built-in-fits-execution-model", section=sections.BUILTIN, severity=Severity.WARNING, apis="!vulkan")
def built_in_fits_execution_model(function: Function, context: RuleContext) -> Findings:
    """A built-in must be used as an input or output of an execution model that has it.

    A consumer may provide a built-in only to the execution models that produce or use it. Elsewhere an input may have no value, and
    an output may be ignored or the module rejected.

    SPIR-V names only some of the execution models that have a built-in; others are from extensions and Vulkan. Uses in the
    functions that an entry point calls count. DeviceIndex, ViewIndex, BaseVertex, BaseInstance and DrawIndex must not be outputs;
    their execution models are not checked. Not checked at all are for example SubgroupSize, most built-ins of extensions,
    members of blocks and untyped variables. For Vulkan see `interface/built-in-fits-vulkan-model` and
    `interface/built-in-fits-storage-class`.

    A warning, because spirv-val checks this only in Vulkan.
    """
    module = context.module
    variables = module.built_in_variables()
    entries = module.kinds_reached_from(function.name) if variables else ()
    if not entries:
        return
    reported: set[object] = set()
    for record in function.records:
        for operand_index, operand in enumerate(record.operands):
            if operand.__class__ is not str or operand in reported or operand not in variables:
                continue
            reported.add(operand)
            for use in variables[str(operand)]:
                if use.struct is not None:
                    continue  # a block has members for several models
                known = _MODELS.get(use.value)
                for entry in entries:
                    name = model_name(entry.model)
                    classes = _IN if use.value in _INPUTS else known.get(entry.model, ()) if known is not None else None
                    if classes is None or (classes and (use.storage in classes or use.storage not in _BOTH)):
                        continue
                    note = Note(entry.record, OPCODE, f"the entry point is declared here as {name}")
                    if not classes and known is not None:
                        models = listed([model_name(model) for model in known])
                        message = f"{use.name} requires the execution model {models}, but is used by {entry_shown(entry)}"
                    else:
                        wanted = f"{name} entry points require {listed([*map(storage_name, classes)])}"
                        message = f"{use.name} is in {the_class(use.storage)}, but {wanted}"
                    yield Finding(record, operand_index, message, (note,))
                    break


@instruction_rule(
    "interface/built-in-is-listed-once", spv.OpEntryPoint, section=sections.BUILTIN, severity=Severity.WARNING, apis="!vulkan"
)
def built_in_is_listed_once(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point must not list two variables of one storage class with the same built-in.

    A built-in input has one source and a built-in output one consumer. With two outputs, drivers may differ in which of the values
    they use. SPIR-V says this of variables that the functions of the entry point use; the rule includes others that are listed.

    Only Input and Output are checked, and not untyped variables. A member of a block is compared only with variables that are
    listed after it and decorated themselves. `interface/built-in-block-is-unique` reports two blocks of built-ins and, in Vulkan,
    two variables with the same built-in as errors, but does not check arrays of blocks.

    A warning, because spirv-val checks this only in Vulkan.
    """
    module = context.module
    built_ins = module.built_in_variables()
    seen: dict[tuple[int, int], str] = {}
    for operand_index, name in enumerate(inst.operands):
        for use in built_ins.get(str(name), ()) if operand_index >= 3 else ():
            first = seen.setdefault((use.value, use.storage), str(name))
            if first != name and use.storage in _BOTH and use.struct is None:
                what = "output" if use.storage == _OUTPUT else "input"
                message = f"the {what}s %{name!s} and %{first} both have BuiltIn {use.name}; "
                message += f"an entry point may list at most one such {what}"
                yield Finding(inst, operand_index, message)
                return


_ARRAYS = frozenset(
    {BuiltIn.ClipDistance, BuiltIn.CullDistance, BuiltIn.SampleMask, BuiltIn.TessLevelOuter, BuiltIn.TessLevelInner}
)
_PATCH = frozenset({BuiltIn.TessLevelOuter, BuiltIn.TessLevelInner})


@instruction_rule("interface/array-built-in-is-array", spv.OpVariable, section=sections.BUILTIN, severity=Severity.WARNING)
def array_built_in_is_array(inst: Instruction, context: RuleContext) -> Findings:
    """ClipDistance, CullDistance, SampleMask and the tessellation levels must be arrays.

    A driver may read or write one element for each plane, each 32 samples or each level. A scalar provides memory for only one of
    them.

    Where a tessellation entry point lists TessLevelOuter or TessLevelInner, the rule also reports a variable without Patch, because
    a patch has one set of levels. SPIR-V itself calls only ClipDistance and CullDistance arrays; for the others, and for Patch, the
    rule follows Vulkan.

    Variables in Input and Output are checked, but not members of blocks and untyped variables. The rule reports nothing in Vulkan,
    where `interface/built-in-has-required-type` reports other types than arrays as errors, and
    `interface/tessellation-level-is-per-patch` a missing Patch.

    A warning, because spirv-val checks this only in Vulkan.
    """
    module = context.module
    if context.is_in_function or inst.result is None:
        return
    for use in module.built_in_variables().get(inst.result, ()):
        if use.member is not None or use.value not in _ARRAYS or use.storage not in _BOTH:
            continue
        pointer = module.type(inst.type)
        held = pointer.pointee if pointer is not None else None
        if held is not None and not held.is_array and module.environment.api != "vulkan":
            yield Finding(inst, OPCODE, f"{use.name} is {module.spell(held)}, expected an array")
        elif _lacks_patch(use, inst.result, module) and module.environment.api != "vulkan" and _tessellates(inst.result, module):
            yield Finding(inst, OPCODE, f"{use.name} must be decorated with Patch")


@instruction_rule(
    "interface/tessellation-level-is-per-patch",
    spv.OpVariable,
    section=sections.BUILTIN,
    vuid="VUID-StandaloneSpirv-TessLevelInner-10880",
    apis="vulkan",
)
def tessellation_level_is_per_patch(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, the built-ins TessLevelInner and TessLevelOuter must be decorated with Patch.

    A patch has one set of tessellation levels. Without Patch, a driver may take the variable for one that has a value for each
    vertex, and reject it or read the levels from another place. For a member of a block, the rule accepts Patch on any member of
    the block or on the variable. Untyped variables are not checked.
    """
    module = context.module
    if context.is_in_function or inst.result is None:
        return
    for use in module.built_in_variables().get(inst.result, ()):
        if _lacks_patch(use, inst.result, module) and not _has_patch_member(use, module):
            yield Finding(inst, OPCODE, f"{use.name} must be decorated with Patch")
            return


def _lacks_patch(use: BuiltInUse, variable: str, module: Module) -> bool:
    return use.value in _PATCH and not module.has_decoration(variable, Decoration.Patch)


def _has_patch_member(use: BuiltInUse, module: Module) -> bool:
    return use.struct is not None and any(found.value == Decoration.Patch for found in module.decorations(use.struct.id))


def _tessellates(variable: str, module: Module) -> bool:
    return any(variable in entry.interface and entry.model in (_CONTROL, _EVALUATION) for entry in module.declarations.entry_points)


@instruction_rule(
    "interface/helper-invocation-is-volatile",
    spv.OpLoad,
    section=sections.CONTROL_FLOW_INSTRUCTIONS,
    severity=Severity.WARNING,
)
def helper_invocation_is_volatile(inst: Instruction, context: RuleContext) -> Findings:
    """From SPIR-V 1.6 on, HelperInvocation must be loaded as Volatile if invocations can be demoted.

    After an invocation executes OpDemoteToHelperInvocation, a load that is not Volatile gives an undefined value: a compiler may
    use the value of an earlier load, and the invocation may continue as if it were not a helper. Volatile must be on the load or on
    the variable; the memory model Vulkan permits it only on the load.

    The rule checks each load in modules that declare the capability DemoteToHelperInvocation, whether or not a demotion can precede
    it. It checks OpLoad of the whole variable, but not OpCopyMemory, copies of the pointer or untyped variables.

    A warning, because spirv-val does not check this.
    """
    module = context.module
    name = id_at(inst, OpLoad_Pointer)
    if name is None or module.version < (1, 6) or not module.has_capability(Capability.DemoteToHelperInvocation):
        return
    uses = module.built_in_variables().get(name, ())
    if not any(use.value == BuiltIn.HelperInvocation for use in uses) or module.has_decoration(name, Decoration.Volatile):
        return
    if not any(mask.bits & VOLATILE for mask in masks(inst)):
        subject = f"{named(inst, OpLoad_Pointer)} is the built-in HelperInvocation"
        either = "" if module.declarations.memory_model == MemoryModel.Vulkan else f", or %{name} must be decorated with Volatile"
        yield Finding(inst, OpLoad_Pointer, f"{subject}, so OpLoad must have the memory operand Volatile{either}")


@function_rule(
    "interface/workgroup-size-fits-execution-model",
    section=sections.BUILTIN,
    severity=Severity.WARNING,
    apis="!vulkan",
)
def workgroup_size_fits_execution_model(function: Function, context: RuleContext) -> Findings:
    """A constant decorated with WorkgroupSize must only be used in execution models that have workgroups.

    These are GLCompute, Kernel, and the task and mesh models (SPV_EXT_mesh_shader, SPV_NV_mesh_shader). Elsewhere invocations do
    not form workgroups, so the constant does not describe anything, and a consumer may reject the decoration.

    Uses in the functions that an entry point calls count, and uses of declarations that depend on the constant, directly or through
    other declarations. A function has one such finding. In Vulkan,
    `interface/workgroup-size-fits-vulkan-model` reports this as an error.

    A warning, because spirv-val checks this only in Vulkan.
    """
    return _workgroup_size_elsewhere(function, context)


@function_rule(
    "interface/workgroup-size-fits-vulkan-model",
    section=sections.BUILTIN,
    vuid="VUID-WorkgroupSize-WorkgroupSize-04425",
    apis="vulkan",
)
def workgroup_size_fits_vulkan_model(function: Function, context: RuleContext) -> Findings:
    """In Vulkan, a constant with WorkgroupSize must only be used by compute, task and mesh shaders.

    In other stages invocations do not form workgroups, so the constant does not describe anything, and a driver may reject the
    pipeline. Uses in the functions that an entry point calls count, and uses of declarations that depend on the constant, such as
    an array type. A function has one such finding. Kernel is not reported here, because Vulkan does not support its capability.
    """
    return _workgroup_size_elsewhere(function, context)


def _workgroup_size_elsewhere(function: Function, context: RuleContext) -> Findings:
    module = context.module
    if not module.declarations.workgroup_sizes:
        return
    made = module.declarations.made_of_workgroup_sizes
    entry = next((e for e in module.kinds_reached_from(function.name) if e.model not in _GROUPS), None)
    if entry is None:
        return
    for record in function.records:
        used = next((name for name in (*record.operands, record.type) if name.__class__ is str and name in made), None)
        if used is not None and module.opcode_of(made[str(used)]) not in traits.VARIABLES:
            name = model_name(entry.model)
            note = Note(entry.record, OPCODE, f"the entry point is declared here as {name}")
            size = made[str(used)]
            what = f"%{size} is" if used == size else f"%{used!s} depends on %{size},"
            message = f"{what} the WorkgroupSize, but the execution model {name} has no workgroups"
            yield Finding(record, TYPE if used == record.type else record.operands.index(used), message, (note,))
            return
