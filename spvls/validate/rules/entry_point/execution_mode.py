"""Form, target and model of execution modes (SPIR-V 2.17, 3.2.5, 3.3.5)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.enumerants import Capability, ExecutionMode, ExecutionModel
from spvls.grammar.operand_index import (
    OpEntryPoint_EntryPoint,
    OpEntryPoint_ExecutionModel,
    OpExecutionMode_EntryPoint,
    OpExecutionMode_Mode,
)
from spvls.grammar.records import Enumerant
from spvls.module.declarations import mode_name
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import mode_of, model_name, models_of
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_FRAGMENT = ExecutionModel.Fragment
_COMPUTE = ExecutionModel.GLCompute
_TILE_SHADING = Capability.TileShadingQCOM
_MODES = (spv.OpExecutionMode, spv.OpExecutionModeId)
_TESSELLATION = (ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation)
_MESH = (ExecutionModel.MeshNV, ExecutionModel.MeshEXT)

#: The execution models that modes are for; those of other modes are free.
_MODELS = {
    (ExecutionModel.Geometry,): (
        ExecutionMode.Invocations, ExecutionMode.InputPoints, ExecutionMode.InputLines,
        ExecutionMode.InputLinesAdjacency, ExecutionMode.InputTrianglesAdjacency, ExecutionMode.OutputLineStrip,
        ExecutionMode.OutputTriangleStrip,
    ),
    (ExecutionModel.Geometry, *_MESH): (ExecutionMode.OutputPoints,),
    (ExecutionModel.Geometry, *_TESSELLATION): (ExecutionMode.Triangles,),
    (ExecutionModel.Geometry, *_TESSELLATION, *_MESH): (ExecutionMode.OutputVertices,),
    _TESSELLATION: (
        ExecutionMode.SpacingEqual, ExecutionMode.SpacingFractionalEven, ExecutionMode.SpacingFractionalOdd,
        ExecutionMode.VertexOrderCw, ExecutionMode.VertexOrderCcw, ExecutionMode.PointMode, ExecutionMode.Quads,
        ExecutionMode.Isolines,
    ),
    _MESH: (ExecutionMode.OutputLinesEXT, ExecutionMode.OutputTrianglesEXT, ExecutionMode.OutputPrimitivesEXT),
    (ExecutionModel.Fragment, ExecutionModel.GLCompute): (ExecutionMode.QuadDerivativesKHR,),
    (ExecutionModel.Fragment,): (
        ExecutionMode.PixelCenterInteger, ExecutionMode.OriginUpperLeft, ExecutionMode.OriginLowerLeft,
        ExecutionMode.EarlyFragmentTests, ExecutionMode.DepthReplacing, ExecutionMode.DepthGreater,
        ExecutionMode.DepthLess, ExecutionMode.DepthUnchanged, ExecutionMode.PostDepthCoverage,
        ExecutionMode.NonCoherentColorAttachmentReadEXT, ExecutionMode.NonCoherentDepthAttachmentReadEXT,
        ExecutionMode.NonCoherentStencilAttachmentReadEXT, ExecutionMode.PixelInterlockOrderedEXT,
        ExecutionMode.PixelInterlockUnorderedEXT, ExecutionMode.SampleInterlockOrderedEXT,
        ExecutionMode.SampleInterlockUnorderedEXT, ExecutionMode.ShadingRateInterlockOrderedEXT,
        ExecutionMode.ShadingRateInterlockUnorderedEXT, ExecutionMode.StencilRefReplacingEXT,
        ExecutionMode.EarlyAndLateFragmentTestsAMD, ExecutionMode.StencilRefUnchangedFrontAMD,
        ExecutionMode.StencilRefGreaterFrontAMD, ExecutionMode.StencilRefLessFrontAMD,
        ExecutionMode.StencilRefUnchangedBackAMD, ExecutionMode.StencilRefGreaterBackAMD,
        ExecutionMode.StencilRefLessBackAMD, ExecutionMode.RequireFullQuadsKHR,
    ),
    (ExecutionModel.Kernel,): (
        ExecutionMode.LocalSizeHint, ExecutionMode.VecTypeHint, ExecutionMode.ContractionOff,
        ExecutionMode.LocalSizeHintId,
    ),
    (ExecutionModel.Kernel, ExecutionModel.GLCompute, *_MESH, ExecutionModel.TaskNV, ExecutionModel.TaskEXT): (
        ExecutionMode.LocalSize, ExecutionMode.LocalSizeId,
    ),
}  # fmt: skip
_FOR = {mode: models for models, modes in _MODELS.items() for mode in modes}

#: Modes that an entry point may have once for each width or type that they name.
_PER_OPERAND = frozenset(
    {
        ExecutionMode.DenormPreserve, ExecutionMode.DenormFlushToZero, ExecutionMode.SignedZeroInfNanPreserve,
        ExecutionMode.RoundingModeRTE, ExecutionMode.RoundingModeRTZ, ExecutionMode.FPFastMathDefault,
        ExecutionMode.RoundingModeRTPINTEL, ExecutionMode.RoundingModeRTNINTEL, ExecutionMode.FloatingPointModeALTINTEL,
        ExecutionMode.FloatingPointModeIEEEINTEL,
    }
)  # fmt: skip
_PLAIN = frozenset({ExecutionModel.Geometry, ExecutionModel.GLCompute})
_MOST_MODES = 255


@instruction_rule("entry-point/tile-shading-fits-execution-model", spv.OpEntryPoint, section=sections.EXECUTION_MODE, apis="vulkan")
def tile_shading_fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """Tile shading is for compute and fragment shaders, and its modes for one of them each."""
    module = context.module
    name, model = id_at(inst, OpEntryPoint_EntryPoint), word_at(inst, OpEntryPoint_ExecutionModel)
    if name is None or model is None:
        return
    modes = module.declarations.modes_by_function.get(name, frozenset())
    tiles = module.has_capability(_TILE_SHADING)
    vuid = "VUID-StandaloneSpirv-"
    if ExecutionMode.TileShadingRateQCOM in modes and model != _COMPUTE:
        yield Finding(
            inst, OpEntryPoint_ExecutionModel, "TileShadingRateQCOM is for compute shaders", vuid=f"{vuid}Execution-10688"
        )
    elif ExecutionMode.NonCoherentTileAttachmentReadQCOM in modes and model != _FRAGMENT:
        yield Finding(
            inst,
            OpEntryPoint_ExecutionModel,
            "NonCoherentTileAttachmentReadQCOM is for fragment shaders",
            vuid=f"{vuid}Execution-10687",
        )
    elif tiles and model not in (_COMPUTE, _FRAGMENT):
        message = f"the capability TileShadingQCOM is for compute and fragment shaders, and this is a {model_name(model)} one"
        yield Finding(inst, OpEntryPoint_ExecutionModel, message, vuid=f"{vuid}TileShadingQCOM-10686")


@instruction_rule("entry-point/mode-targets-entry-point", *_MODES, section=sections.MODE_SETTING_INSTRUCTIONS)
def mode_targets_entry_point(inst: Instruction, context: RuleContext) -> Findings:
    """An execution mode names the function of an entry point."""
    target = id_at(inst, OpExecutionMode_EntryPoint)
    if target is not None and context.module.definition(target) is not None and not models_of(context.module, target):
        yield Finding(
            inst,
            OpExecutionMode_EntryPoint,
            f"%{target} is the function of no OpEntryPoint, and execution modes are for entry points",
        )


@instruction_rule("entry-point/mode-form-matches-operands", *_MODES, section=sections.MODE_SETTING_INSTRUCTIONS)
def mode_form_matches_operands(inst: Instruction, context: RuleContext) -> Findings:
    """Modes whose operands are ids are set by OpExecutionModeId, all others by OpExecutionMode."""
    mode = mode_of(inst)
    if mode is None:
        return
    opcode = spv.OpExecutionModeId if takes_ids(mode) else spv.OpExecutionMode
    if inst.opcode.value != opcode:
        right = tables.opcode_name(opcode)
        what = "takes ids" if takes_ids(mode) else "takes no ids"
        fix = FindingFix(f"Change to {right}", (Replace(inst, OPCODE, right),))
        yield Finding(inst, OPCODE, f"the execution mode {mode.name} {what}: set it by {right}", fixes=(fix,))


@instruction_rule("entry-point/mode-fits-execution-model", *_MODES, section=sections.EXECUTION_MODE)
def mode_fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """A mode is set only for entry points of an execution model that has it.

    The geometry of primitives is for geometry, tessellation and mesh shaders, depth and stencil for fragment shaders, hints for
    kernels, and the size of a workgroup for what runs in workgroups.
    """
    mode = mode_of(inst)
    allowed = _FOR.get(mode.value) if mode is not None else None
    if mode is None or allowed is None:
        return
    for model in models_of(context.module, inst.operands[OpExecutionMode_EntryPoint]):
        if model not in allowed:
            target = shown(inst.operands[OpExecutionMode_EntryPoint])
            where = listed([model_name(other) for other in allowed if other in _PLAIN or _usable(other, context.module)])
            yield Finding(
                inst,
                OpExecutionMode_Mode,
                f"the execution mode {mode.name} is for {where}, and {target} is {model_name(model)}",
            )
            return


def _usable(model: int, module: Module) -> bool:
    """Whether a model may be spoken of: those of extensions only where the module has them."""
    enumerant = tables.kind("ExecutionModel").by_value(model)
    return enumerant is not None and (enumerant.version is not None or module.availability.of(enumerant) is None)


@instruction_rule("entry-point/mode-fits-vulkan", *_MODES, section=sections.EXECUTION_MODE, apis="vulkan")
def mode_fits_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """Vulkan has its origin at the upper left, pixel centres at half integers, and LocalSizeId from version 1.3 on.

    LocalSizeId came with the feature maintenance4, which `--allow-localsizeid` stands for in earlier versions.
    """
    mode = mode_of(inst)
    match mode.value if mode is not None else None:
        case ExecutionMode.OriginLowerLeft:
            fix = FindingFix("Change to OriginUpperLeft", (Replace(inst, 1, "OriginUpperLeft"),))
            message = "Vulkan has its origin at the upper left: OriginLowerLeft must not be used"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-OriginLowerLeft-04653")
        case ExecutionMode.PixelCenterInteger:
            fix = FindingFix("Remove the mode", (Delete(inst),))
            message = "in Vulkan, pixel centres are at half integers: PixelCenterInteger must not be used"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-PixelCenterInteger-04654")
        case ExecutionMode.LocalSizeId if context.module.environment.api_version < (1, 3) and not context.options.allow_localsizeid:
            yield Finding(
                inst,
                OpExecutionMode_Mode,
                "LocalSizeId is for Vulkan 1.3 and later, or the feature maintenance4 (--allow-localsizeid)",
            )
        case ExecutionMode.OutputVertices | ExecutionMode.OutputPrimitivesEXT as value:
            if word_at(inst, 2) == 0 and context.module.has_capability(Capability.MeshShadingEXT):
                vuid = f"VUID-StandaloneSpirv-MeshEXT-{'07330' if value == ExecutionMode.OutputVertices else '07331'}"
                yield Finding(inst, 2, f"in mesh shaders {mode_name(value)} is greater than 0", vuid=vuid)
        case ExecutionMode.TileShadingRateQCOM:
            for operand_index in (2, 3):
                rate = word_at(inst, operand_index) or 0
                if rate & rate - 1:
                    yield Finding(inst, operand_index, f"the tile shading rate is a power of two, not {rate}")
                    return


@module_rule("entry-point/mode-is-set-once", section=sections.EXECUTION_MODE)
def mode_is_set_once(context: RuleContext) -> Findings:
    """A mode is set once for an entry point; the float controls once for each width or type."""
    for target, modes in context.module.declarations.execution_modes.items():
        seen: dict[object, Instruction] = {}
        for mode in modes:
            key = (mode.value, mode.params[:1]) if mode.value in _PER_OPERAND else mode.value
            first = seen.setdefault(key, mode.record)
            if mode.name and first is not mode.record:
                note = Note(first, 1, "it is set here first")
                fix = FindingFix("Remove the second", (Delete(mode.record),), preferred=first.operands == mode.record.operands)
                yield Finding(mode.record, 1, f"{mode.name} is set for %{target} already", (note,), (fix,))


def takes_ids(mode: Enumerant) -> bool:
    return any(operand.kind.startswith("Id") for operand in mode.parameters)


@instruction_rule(
    "entry-point/modes-are-within-limit", spv.OpEntryPoint, section=sections.UNIVERSAL_LIMITS, severity=Severity.WARNING
)
def modes_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point has at most 255 execution modes.

    Bad:  300 OpExecutionMode for one entry point.
    Good: those that it needs.
    """
    name = id_at(inst, OpEntryPoint_EntryPoint)
    modes = context.module.execution_modes(name) if name is not None else []
    if len(modes) > _MOST_MODES:
        yield Finding(
            inst, OpEntryPoint_EntryPoint, f"%{name} has {len(modes)} execution modes, and {_MOST_MODES} are the most to count on"
        )
