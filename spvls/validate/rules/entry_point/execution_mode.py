"""Form, target and model of execution modes (SPIR-V 2.17, 3.2.5, 3.3.5)."""

from __future__ import annotations

from spvls.diagnostic import Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.operand_index import (
    OpEntryPoint_EntryPoint,
    OpEntryPoint_ExecutionModel,
    OpExecutionMode_EntryPoint,
    OpExecutionMode_Mode,
)
from spvls.grammar.records import Enumerant
from spvls.module.module import Module
from spvls.module.operand_at import id_at, word_at
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.syntax.operand_decls import value
from spvls.validate.checks.entry import mode_of, model_name, models_of
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Delete, Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule, module_rule

_FRAGMENT = value("ExecutionModel", "Fragment")
_COMPUTE = value("ExecutionModel", "GLCompute")
_TILE_SHADING = "TileShadingQCOM"
_MODES = (spv.OpExecutionMode, spv.OpExecutionModeId)
_TESSELLATION = "TessellationControl TessellationEvaluation"
_MESH = "MeshNV MeshEXT"

#: The execution models that modes are for; those of other modes are free.
_MODELS = {
    "Geometry": "Invocations InputPoints InputLines InputLinesAdjacency InputTrianglesAdjacency OutputLineStrip "
    "OutputTriangleStrip",
    f"Geometry {_MESH}": "OutputPoints",
    f"Geometry {_TESSELLATION}": "Triangles",
    f"Geometry {_TESSELLATION} {_MESH}": "OutputVertices",
    _TESSELLATION: "SpacingEqual SpacingFractionalEven SpacingFractionalOdd VertexOrderCw VertexOrderCcw PointMode Quads "
    "Isolines",
    _MESH: "OutputLinesEXT OutputTrianglesEXT OutputPrimitivesEXT",
    "Fragment GLCompute": "QuadDerivativesKHR",
    "Fragment": "PixelCenterInteger OriginUpperLeft OriginLowerLeft EarlyFragmentTests DepthReplacing DepthGreater DepthLess "
    "DepthUnchanged PostDepthCoverage NonCoherentColorAttachmentReadEXT NonCoherentDepthAttachmentReadEXT "
    "NonCoherentStencilAttachmentReadEXT PixelInterlockOrderedEXT PixelInterlockUnorderedEXT SampleInterlockOrderedEXT "
    "SampleInterlockUnorderedEXT ShadingRateInterlockOrderedEXT ShadingRateInterlockUnorderedEXT StencilRefReplacingEXT "
    "EarlyAndLateFragmentTestsAMD StencilRefUnchangedFrontAMD StencilRefGreaterFrontAMD StencilRefLessFrontAMD "
    "StencilRefUnchangedBackAMD StencilRefGreaterBackAMD StencilRefLessBackAMD RequireFullQuadsKHR",
    "Kernel": "LocalSizeHint VecTypeHint ContractionOff LocalSizeHintId",
    f"Kernel GLCompute {_MESH} TaskNV TaskEXT": "LocalSize LocalSizeId",
}
_FOR = {mode: tuple(models.split()) for models, modes in _MODELS.items() for mode in modes.split()}

#: Modes that an entry point may have once for each width or type that they name.
_PER_OPERAND = frozenset(
    {
        "DenormPreserve", "DenormFlushToZero", "SignedZeroInfNanPreserve", "RoundingModeRTE", "RoundingModeRTZ",
        "FPFastMathDefault", "RoundingModeRTPINTEL", "RoundingModeRTNINTEL", "FloatingPointModeALTINTEL",
        "FloatingPointModeIEEEINTEL",
    }
)  # fmt: skip
_MOST_MODES = 255


@instruction_rule("entry-point/tile-shading-fits-execution-model", spv.OpEntryPoint, section=sections.EXECUTION_MODE, apis="vulkan")
def tile_shading_fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """Tile shading is for compute and fragment shaders, and its modes for one of them each."""
    module = context.module
    name, model = id_at(inst, OpEntryPoint_EntryPoint), word_at(inst, OpEntryPoint_ExecutionModel)
    if name is None or model is None:
        return
    names = module.declarations.execution_mode_names.get(name, frozenset())
    tiles = module.has_capability(_TILE_SHADING)
    vuid = "VUID-StandaloneSpirv-"
    if "TileShadingRateQCOM" in names and model != _COMPUTE:
        yield Finding(
            inst, OpEntryPoint_ExecutionModel, "TileShadingRateQCOM is for compute shaders", vuid=f"{vuid}Execution-10688"
        )
    elif "NonCoherentTileAttachmentReadQCOM" in names and model != _FRAGMENT:
        yield Finding(
            inst,
            OpEntryPoint_ExecutionModel,
            "NonCoherentTileAttachmentReadQCOM is for fragment shaders",
            vuid=f"{vuid}Execution-10687",
        )
    elif tiles and model not in (_COMPUTE, _FRAGMENT):
        message = f"the capability {_TILE_SHADING} is for compute and fragment shaders, and this is a {model_name(model)} one"
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
    allowed = _FOR.get(mode.name) if mode is not None else None
    if mode is None or allowed is None:
        return
    for model in models_of(context.module, inst.operands[OpExecutionMode_EntryPoint]):
        if model not in allowed:
            where = listed([name for name in allowed if name in ("Geometry", "GLCompute") or _usable(name, context.module)])
            yield Finding(
                inst,
                OpExecutionMode_Mode,
                f"the execution mode {mode.name} is for {where}, and {shown(inst.operands[OpExecutionMode_EntryPoint])} is {model}",
            )
            return


def _usable(model: str, module: Module) -> bool:
    """Whether a model may be spoken of: those of extensions only where the module has them."""
    enumerant = tables.kind("ExecutionModel").get(model)
    return enumerant is not None and (enumerant.version is not None or module.availability.of(enumerant) is None)


@instruction_rule("entry-point/mode-fits-vulkan", *_MODES, section=sections.EXECUTION_MODE, apis="vulkan")
def mode_fits_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """Vulkan has its origin at the upper left, pixel centres at half integers, and LocalSizeId from version 1.3 on.

    LocalSizeId came with the feature maintenance4, which `--allow-localsizeid` stands for in earlier versions.
    """
    mode = mode_of(inst)
    match mode.name if mode is not None else "":
        case "OriginLowerLeft":
            fix = FindingFix("Change to OriginUpperLeft", (Replace(inst, 1, "OriginUpperLeft"),))
            message = "Vulkan has its origin at the upper left: OriginLowerLeft must not be used"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-OriginLowerLeft-04653")
        case "PixelCenterInteger":
            fix = FindingFix("Remove the mode", (Delete(inst),))
            message = "in Vulkan, pixel centres are at half integers: PixelCenterInteger must not be used"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-PixelCenterInteger-04654")
        case "LocalSizeId" if context.module.environment.api_version < (1, 3) and not context.options.allow_localsizeid:
            yield Finding(
                inst,
                OpExecutionMode_Mode,
                "LocalSizeId is for Vulkan 1.3 and later, or the feature maintenance4 (--allow-localsizeid)",
            )
        case "OutputVertices" | "OutputPrimitivesEXT" as name:
            if word_at(inst, 2) == 0 and context.module.has_capability("MeshShadingEXT"):
                vuid = f"VUID-StandaloneSpirv-MeshEXT-{'07330' if name == 'OutputVertices' else '07331'}"
                yield Finding(inst, 2, f"in mesh shaders {name} is greater than 0", vuid=vuid)
        case "TileShadingRateQCOM":
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
            key = (mode.name, mode.params[:1]) if mode.name in _PER_OPERAND else mode.name
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
