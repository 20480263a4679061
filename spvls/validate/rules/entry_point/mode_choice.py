"""Modes that exclude or require each other (SPIR-V 2.16.1, 2.16.2, 3.2.5)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv
from spvls.grammar.enumerants import BuiltIn, Capability, ExecutionMode, ExecutionModel
from spvls.grammar.operand_index import (
    OpEntryPoint_EntryPoint,
    OpEntryPoint_ExecutionModel,
    OpExecutionMode_EntryPoint,
    OpExecutionMode_Mode,
)
from spvls.module.declarations import mode_name
from spvls.module.interface import OUTPUT
from spvls.module.operand_at import id_at, word_at
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import mode_of, model_name
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, FindingFix, InsertAfter, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule

_SIZES = frozenset({ExecutionMode.LocalSize, ExecutionMode.LocalSizeId, ExecutionMode.LocalSizeHint, ExecutionMode.LocalSizeHintId})

#: Modes that exclude each other for one width of floats.
OPPOSITE_MODES = {
    ExecutionMode.DenormFlushToZero: ExecutionMode.DenormPreserve,
    ExecutionMode.DenormPreserve: ExecutionMode.DenormFlushToZero,
    ExecutionMode.RoundingModeRTE: ExecutionMode.RoundingModeRTZ,
    ExecutionMode.RoundingModeRTZ: ExecutionMode.RoundingModeRTE,
}
_EXCLUDED = {
    **OPPOSITE_MODES,
    ExecutionMode.DerivativeGroupQuadsKHR: ExecutionMode.DerivativeGroupLinearKHR,
    ExecutionMode.DerivativeGroupLinearKHR: ExecutionMode.DerivativeGroupQuadsKHR,
}
_FRAGMENT = ExecutionModel.Fragment


class Choice(NamedTuple):
    """`modes` of which entry points of these `models` have `at_least` to one; `what` is what the modes determine."""

    models: tuple[int, ...]
    at_least: int
    what: str
    modes: tuple[int, ...]


_TESSELLATION = (ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation)

_CHOICES = (
    Choice((ExecutionModel.Fragment,), 1, "origin", (ExecutionMode.OriginUpperLeft, ExecutionMode.OriginLowerLeft)),
    Choice(
        (ExecutionModel.Fragment,),
        0,
        "execution mode for depth modifications",
        (ExecutionMode.DepthGreater, ExecutionMode.DepthLess, ExecutionMode.DepthUnchanged),
    ),
    Choice(
        (ExecutionModel.Fragment,),
        0,
        "interlock mode",
        (
            ExecutionMode.PixelInterlockOrderedEXT,
            ExecutionMode.PixelInterlockUnorderedEXT,
            ExecutionMode.SampleInterlockOrderedEXT,
            ExecutionMode.SampleInterlockUnorderedEXT,
            ExecutionMode.ShadingRateInterlockOrderedEXT,
            ExecutionMode.ShadingRateInterlockUnorderedEXT,
        ),
    ),
    Choice(
        (ExecutionModel.Fragment,),
        0,
        "execution mode for the front stencil reference",
        (ExecutionMode.StencilRefUnchangedFrontAMD, ExecutionMode.StencilRefLessFrontAMD, ExecutionMode.StencilRefGreaterFrontAMD),
    ),
    Choice(
        (ExecutionModel.Fragment,),
        0,
        "execution mode for the back stencil reference",
        (ExecutionMode.StencilRefUnchangedBackAMD, ExecutionMode.StencilRefLessBackAMD, ExecutionMode.StencilRefGreaterBackAMD),
    ),
    Choice(
        _TESSELLATION,
        0,
        "tessellation spacing",
        (ExecutionMode.SpacingEqual, ExecutionMode.SpacingFractionalOdd, ExecutionMode.SpacingFractionalEven),
    ),
    Choice(_TESSELLATION, 0, "primitive type", (ExecutionMode.Triangles, ExecutionMode.Quads, ExecutionMode.Isolines)),
    Choice(_TESSELLATION, 0, "vertex order", (ExecutionMode.VertexOrderCw, ExecutionMode.VertexOrderCcw)),
    Choice(
        (ExecutionModel.Geometry,),
        1,
        "input primitive",
        (
            ExecutionMode.InputPoints,
            ExecutionMode.InputLines,
            ExecutionMode.InputLinesAdjacency,
            ExecutionMode.Triangles,
            ExecutionMode.InputTrianglesAdjacency,
        ),
    ),
    Choice(
        (ExecutionModel.Geometry,),
        1,
        "output primitive",
        (ExecutionMode.OutputPoints, ExecutionMode.OutputLineStrip, ExecutionMode.OutputTriangleStrip),
    ),
    Choice(
        (ExecutionModel.MeshEXT,),
        1,
        "output primitive",
        (ExecutionMode.OutputPoints, ExecutionMode.OutputLinesEXT, ExecutionMode.OutputTrianglesEXT),
    ),
    Choice((ExecutionModel.MeshEXT,), 1, "maximum number of output vertices", (ExecutionMode.OutputVertices,)),
    Choice((ExecutionModel.MeshEXT,), 1, "maximum number of output primitives", (ExecutionMode.OutputPrimitivesEXT,)),
)


@instruction_rule("entry-point/one-exclusive-mode-is-set", spv.OpEntryPoint, section=sections.SHADER_VALIDATION_RULES)
def one_exclusive_mode_is_set(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point must not have two modes of an exclusive group, and must have one of a required group.

    Each group of modes selects one setting of the pipeline. With two modes of a group, drivers may differ in which of them they
    use; without a required mode, they have no setting. Only modules with the capability Shader are checked. Of each OpEntryPoint,
    only the first fault is reported.

    A fragment shader must have one origin, and may have one of DepthGreater, DepthLess and DepthUnchanged, one assertion of
    SPV_AMD_shader_early_and_late_fragment_tests about the stencil of each side and one interlock mode of
    SPV_EXT_fragment_shader_interlock. A tessellation shader may have one spacing, one primitive and one vertex order. A geometry
    shader must have one input and one output primitive. A MeshEXT shader (SPV_EXT_mesh_shader) must have one output primitive,
    OutputVertices and OutputPrimitivesEXT. MeshNV and OpConditionalEntryPointINTEL are not checked.
    """
    module = context.module
    name, model = id_at(inst, OpEntryPoint_EntryPoint), word_at(inst, OpEntryPoint_ExecutionModel)
    if name is None or model is None or not module.has_capability(Capability.Shader):
        return
    modes = module.execution_modes(name)
    for choice in _CHOICES:
        if model not in choice.models:
            continue
        found = [mode for mode in modes if mode.value in choice.modes]
        distinct = dict.fromkeys(mode.name for mode in found)
        if len(distinct) > 1:
            notes = tuple(Note(mode.record, 1, f"{mode.name} is set here") for mode in found)
            message = f"%{name} has more than one {choice.what}: {listed(tuple(distinct), 'and')} must not be used together"
            yield Finding(inst, OpEntryPoint_EntryPoint, message, notes)
            return
        if not found and choice.at_least:
            mode = choice.modes[0]
            permitted = choice.modes[:1] if choice.what == "origin" and module.environment.api == "vulkan" else choice.modes
            names = listed([mode_name(value) for value in permitted])
            message = f"%{name} has no {choice.what}: {model_name(model)} entry points require the execution mode {names}"
            numbers = mode in (ExecutionMode.OutputVertices, ExecutionMode.OutputPrimitivesEXT)
            yield Finding(inst, OpEntryPoint_EntryPoint, message, fixes=() if numbers else _add_mode(inst, context, name, mode))
            return


def _add_mode(inst: Instruction, context: RuleContext, name: str, mode: int) -> tuple[FindingFix, ...]:
    declared = context.module.declarations
    modes = [*declared.records(spv.OpExecutionMode), *declared.records(spv.OpExecutionModeId)]
    behind = (modes or declared.records(spv.OpEntryPoint) or [inst])[-1]
    sure = mode == ExecutionMode.OriginUpperLeft
    text = mode_name(mode)
    return (FindingFix(f"Set the mode {text}", (InsertAfter(behind, f"OpExecutionMode %{name} {text}"),), sure),)


@instruction_rule(
    "entry-point/modes-do-not-conflict",
    spv.OpExecutionMode,
    spv.OpExecutionModeId,
    section=sections.UNIVERSAL_VALIDATION_RULES,
    severity=Severity.WARNING,
)
def modes_do_not_conflict(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point must not have two execution modes that conflict.

    A consumer may follow only one of them, and drivers may differ in which. For one width of floats, DenormPreserve excludes
    DenormFlushToZero, and RoundingModeRTE excludes RoundingModeRTZ. Only one of LocalSize, LocalSizeId, LocalSizeHint and
    LocalSizeHintId may be set, and only one of DerivativeGroupQuadsKHR and DerivativeGroupLinearKHR
    (SPV_KHR_compute_shader_derivatives). `entry-point/one-exclusive-mode-is-set`, `entry-point/fast-math-default-stands-alone` and
    `entry-point/workgroup-size-is-set` check some other modes.

    A warning, because spirv-val does not check this.
    """
    mode = mode_of(inst)
    if mode is None or not inst.operands or (mode.value not in _SIZES and mode.value not in _EXCLUDED):
        return
    module, target = context.module, str(inst.operands[OpExecutionMode_EntryPoint])
    sizes = mode.value in _SIZES
    others = _SIZES - {mode.value} if sizes else {_EXCLUDED[mode.value]}
    modes = module.declarations.first_modes
    found = [other for value in others for other in modes.get((target, value, None if sizes else inst.operands[2:]), ())]
    for other in sorted(found, key=lambda other: (other.record.opcode.value, module.global_place(other.record))):
        if module.precedes(other.record, inst):
            note = Note(other.record, OPCODE, f"{other.name} is set here")
            width = "" if sizes or len(inst.operands) < 3 else f" for {shown(inst.operands[2])}-bit floats"
            message = f"{mode.name} conflicts with {other.name}; %{target} may have only one of them{width}"
            yield Finding(inst, OpExecutionMode_Mode, message, (note,))
            return


@instruction_rule(
    "entry-point/depth-replacing-matches-frag-depth", spv.OpEntryPoint, section=sections.EXECUTION_MODE, severity=Severity.WARNING
)
def depth_replacing_matches_frag_depth(inst: Instruction, context: RuleContext) -> Findings:
    """A fragment shader must have the mode DepthReplacing if and only if it writes FragDepth.

    The behavior is undefined if there is only one of the two. With the write and without the mode, a driver may run the depth test
    before the shader and ignore the value. The rule does not look for writes, but for an output FragDepth that OpEntryPoint lists.
    In Vulkan, it only reports the mode without the output; an output that is used without the mode is an error of
    `interface/built-in-fits-vulkan-model`, and one that is only listed is not reported. OpConditionalEntryPointINTEL is not
    checked.

    A warning, because spirv-val checks only use without the mode, in Vulkan.
    """
    if word_at(inst, OpEntryPoint_ExecutionModel) != _FRAGMENT or len(inst.operands) < 2:
        return
    module = context.module
    entry = str(inst.operands[OpEntryPoint_EntryPoint])
    mode = next((m for m in module.execution_modes(entry) if m.value == ExecutionMode.DepthReplacing), None)
    built_ins = module.built_in_variables()
    operand_index = next(
        (
            operand_index
            for operand_index, name in enumerate(inst.operands)
            if operand_index >= 3
            and any(u.value == BuiltIn.FragDepth and u.storage == OUTPUT for u in built_ins.get(str(name), ()))
        ),
        None,
    )
    if mode is not None and operand_index is None:
        why = f"because %{entry} has the execution mode DepthReplacing"
        message = f"the OpEntryPoint of %{entry} must list an output decorated with BuiltIn FragDepth, {why}"
        yield Finding(mode.record, 1, message)
    elif mode is None and operand_index is not None and module.environment.api != "vulkan":
        output = f"the output %{inst.operands[operand_index]!s}, which is decorated with BuiltIn FragDepth"
        message = f"%{entry} must have the execution mode DepthReplacing, because the OpEntryPoint of %{entry} lists {output}"
        yield Finding(inst, operand_index, message)
