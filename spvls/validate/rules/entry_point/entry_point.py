"""OpEntryPoint and its function (SPIR-V 2.4, 2.16.1, 2.16.2, 3.3.5)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import Capability, Decoration, ExecutionModel
from spvls.grammar.operand_index import OpEntryPoint_EntryPoint, OpEntryPoint_ExecutionModel
from spvls.module.functions import Function
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, Instruction
from spvls.validate.checks.entry import is_imported, linkage, model_name, vulkan
from spvls.validate.checks.wording import counted, made_by, operand
from spvls.validate.engine.finding import HEADER, Finding, FindingFix, InsertAfter, Note
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, function_rule, instruction_rule, module_rule
from spvls.validate.fixes.declare import takes

_KERNEL = ExecutionModel.Kernel


@module_rule("entry-point/module-has-entry-point", section=sections.UNIVERSAL_VALIDATION_RULES)
def module_has_entry_point(context: RuleContext) -> Findings:
    """A module must have an entry point unless it declares the capability Linkage or GraphARM.

    A client selects the code to run by the name of an entry point. A module without one can only be linked into another module,
    which the capability Linkage says (Vulkan does not support it), or provide graphs, which require the capability GraphARM. An
    OpConditionalEntryPointINTEL is an entry point too. A module without OpMemoryModel is not checked. No fix is offered in Vulkan,
    or if the module has no OpCapability.
    """
    declared = context.module.declarations
    if declared.records(spv.OpEntryPoint) or declared.records(spv.OpConditionalEntryPointINTEL):
        return
    if declared.capabilities.isdisjoint((Capability.Linkage, Capability.GraphARM)) and declared.memory_model_record is not None:
        fixes: tuple[FindingFix, ...] = ()
        capabilities = declared.records(spv.OpCapability)
        may_link = takes(context.module, Capability.Linkage)
        if capabilities and may_link:
            fixes = (FindingFix("Declare the capability Linkage", (InsertAfter(capabilities[-1], "OpCapability Linkage"),), False),)
        links = " or declare the capability Linkage" if may_link else ""
        message = f"the module has no OpEntryPoint; it must have one{links}"
        yield Finding(declared.memory_model_record or HEADER, OPCODE, message, fixes=fixes)


@instruction_rule(
    "entry-point/function-is-void-without-parameters",
    spv.OpEntryPoint,
    section=sections.MODE_SETTING_INSTRUCTIONS,
    after=AVAILABILITY,
)
def function_is_void_without_parameters(inst: Instruction, context: RuleContext) -> Findings:
    """The function of an entry point must return void, and may only have parameters in a kernel.

    The client that starts the entry point takes no result. A shader gets and provides data through the variables of its interface.
    A kernel may have parameters, which the client sets. Vulkan forbids results and parameters of entry points; as in spirv-val,
    modules for other environments are checked too. Entry Point must be the result of OpFunction. OpConditionalEntryPointINTEL is
    not checked. Of each instruction, only the first fault is reported.
    """
    module = context.module
    name = id_at(inst, OpEntryPoint_EntryPoint)
    definition = module.definition(name) if name is not None else None
    if name is None or definition is None:
        return
    if definition.opcode.value != spv.OpFunction:
        note = Note(definition, OPCODE, f"%{name} is defined here")
        message = f"{operand(inst, OpEntryPoint_EntryPoint)} is {made_by(definition)}, expected a function"
        yield Finding(inst, OpEntryPoint_EntryPoint, message, (note,))
        return
    vuid = vulkan(module, "VUID-StandaloneSpirv-None-04633")
    returned = module.type(definition.type)
    function_type = module.type(id_at(definition, 1))
    if function_type is None or function_type.kind != spv.OpTypeFunction:
        return
    parameters = len(function_type.member_ids)
    model = word_at(inst, OpEntryPoint_ExecutionModel)
    if parameters and model != _KERNEL:
        note = Note(definition, 1, f"the type of %{name} is {module.spell(function_type)}")
        message = f"%{name} has {counted(parameters, 'parameter')}, expected 0 with the execution model {model_name(model or 0)}"
        yield Finding(inst, OpEntryPoint_EntryPoint, message, (note,), vuid=vuid)
    elif returned is not None and returned.kind != spv.OpTypeVoid:
        note = Note(definition, TYPE, f"the result type of %{name} is {module.spell(returned)}")
        message = f"%{name} returns {module.spell(returned)}, but the function of an entry point must return void"
        yield Finding(inst, OpEntryPoint_EntryPoint, message, (note,), vuid=vuid)


@module_rule("entry-point/name-is-unique-per-model", section=sections.MODE_SETTING_INSTRUCTIONS)
def name_is_unique_per_model(context: RuleContext) -> Findings:
    """Two entry points of one execution model must not have the same name.

    A client selects an entry point by its execution model and name. If two entry points have both in common, drivers may differ in
    which one they run. OpConditionalEntryPointINTEL is not checked.
    """
    seen: dict[tuple[int, bytes], Instruction] = {}
    for entry in context.module.declarations.entry_points:
        if entry.record.opcode.value != spv.OpEntryPoint:
            continue
        first = seen.setdefault((entry.model, entry.name), entry.record)
        if first is not entry.record:
            note = Note(first, 2, "the other entry point is here")
            name = entry.name.decode("utf-8", "replace")
            other = f"another {model_name(entry.model)} entry point (%{id_at(first, OpEntryPoint_EntryPoint)})"
            message = f'{other} already has the name "{name}"; the names must differ'
            yield Finding(entry.record, 2, message, (note,))


@module_rule("entry-point/function-is-not-called", section=sections.UNIVERSAL_VALIDATION_RULES)
def function_is_not_called(context: RuleContext) -> Findings:
    """The function of an entry point must not be called by OpFunctionCall.

    A driver may compile the beginning and the end of an invocation into the function, such as reads of its arguments or inputs and
    writes of its outputs. A call would run that again in the middle of an invocation. Instead, call a function that the entry
    point calls too.
    """
    module = context.module
    for name in dict.fromkeys(entry.function for entry in module.declarations.entry_points):
        definition = module.definition(name)
        callers = module.callgraph.callers(name)
        if callers and definition is not None and definition.opcode.value == spv.OpFunction:
            message = f"%{name} is the function of an entry point and must not be called, but %{min(callers)} calls it"
            yield Finding(definition, 0, message)


#: Calls of a circle that a message lists.
_MOST_STEPS = 20


@module_rule(
    "entry-point/reaches-no-recursion",
    section=sections.LOGICAL_LAYOUT,
    vuid="VUID-StandaloneSpirv-None-04634",
    apis="vulkan",
)
def reaches_no_recursion(context: RuleContext) -> Findings:
    """In Vulkan, a function that an entry point reaches must not call itself, directly or through others.

    SPIR-V itself permits recursion. But a device for graphics need not have a stack for calls, and a driver may replace each call
    by the body of the function. With recursion a driver may not finish compiling, or the memory of one call may overwrite that of
    another. Where the function of an entry point is called, `entry-point/function-is-not-called` reports that, and what the
    function reaches is not checked here. For each function of an entry point, only one cycle of calls is reported.
    """
    module = context.module
    for name in dict.fromkeys(entry.function for entry in module.declarations.entry_points):
        definition = module.definition(name)
        if definition is None or definition.opcode.value != spv.OpFunction or module.callgraph.callers(name):
            continue
        way = module.callgraph.recursion(name)
        if way:
            steps = [f"%{step}" for step in way]
            if len(steps) > _MOST_STEPS:
                steps[_MOST_STEPS // 2 : -_MOST_STEPS // 2] = ["…"]
            shown = " → ".join(steps)
            yield Finding(definition, 0, f"in Vulkan, the entry point %{name} must not reach a recursive call: {shown}")


@function_rule("entry-point/function-has-no-linkage", section=sections.UNIVERSAL_VALIDATION_RULES)
def function_has_no_linkage(function: Function, context: RuleContext) -> Findings:
    """The function of an entry point must not be decorated with LinkageAttributes.

    Entry points are selected by the name in OpEntryPoint. LinkageAttributes gives a second name that a linker resolves: if
    exported, other modules could call the function, which must not be called; if imported, it has no body to start.
    """
    module = context.module
    decoration = linkage(module, function.name) if module.uses_decoration(Decoration.LinkageAttributes) else None
    if decoration is None:
        return
    if function.name in module.declarations.models_by_function:
        note = Note(decoration.record, 1, f"the linkage of %{function.name} is set here")
        message = f"%{function.name} is the function of an entry point and must not be decorated with LinkageAttributes"
        yield Finding(function.record, RESULT, message, (note,))


@function_rule("entry-point/shader-stage-is-complete", section=sections.SHADER_VALIDATION_RULES, severity=Severity.WARNING)
def shader_stage_is_complete(function: Function, context: RuleContext) -> Findings:
    """In a module with the capability Shader, an entry point must not reach an imported function.

    A driver compiles a stage from one module. An imported function has no body there, so the driver may reject the pipeline, or a
    call to the function may do nothing. Kernel entry points are checked too.
    """
    module = context.module
    if not module.has_capability(Capability.Shader) or not module.uses_decoration(Decoration.LinkageAttributes):
        return
    if not function.is_declaration:
        return
    entry = next(iter(module.reached_from(function.name)), None)
    if entry is not None and is_imported(linkage(module, function.name)):
        note = Note(entry.record, OPCODE, "the entry point is declared here")
        what = f"the entry point %{entry.function} must not reach the imported function %{function.name}"
        message = f"with the capability Shader, {what}"
        yield Finding(function.record, RESULT, message, (note,))


_MESH_EXT = frozenset({ExecutionModel.TaskEXT, ExecutionModel.MeshEXT})
_MESH_NV = frozenset({ExecutionModel.TaskNV, ExecutionModel.MeshNV})


@module_rule("entry-point/mesh-models-are-of-one-extension", section=sections.EXECUTION_MODEL, vuids=lambda: [_MIXED_MESH])
def mesh_models_are_of_one_extension(context: RuleContext) -> Findings:
    """A module must not have entry points of both SPV_EXT_mesh_shader and SPV_NV_mesh_shader.

    The extensions define their execution models, TaskEXT and MeshEXT or TaskNV and MeshNV, with different built-ins and limits. A
    driver creates the pipeline by one of them. This is a rule of Vulkan, but as in spirv-val, modules for other environments are
    checked too.
    """
    entries = context.module.declarations.entry_points
    first = next((entry for entry in entries if entry.model in _MESH_EXT), None)
    other = next((entry for entry in entries if entry.model in _MESH_NV), None)
    if first is None or other is None:
        return
    note = Note(first.record, first.place, f"{model_name(first.model)} is used here")
    models = model_name(other.model), model_name(first.model)
    message = "the execution models {} and {} must not be used in the same module".format(*models)
    vuid = _MIXED_MESH if context.module.environment.api == "vulkan" else None
    yield Finding(other.record, other.place, message, (note,), vuid=vuid)


_MIXED_MESH = "VUID-StandaloneSpirv-MeshEXT-07102"
