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
from spvls.steps import PORTION
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.validate.checks.entry import mode_of, model_name, models_of
from spvls.validate.checks.wording import listed, operand
from spvls.validate.engine.finding import PAUSE, Delete, Finding, FindingFix, Note, Replace
from spvls.validate.engine.rule import AVAILABILITY, Findings, RuleContext, instruction_rule, module_rule

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


@instruction_rule("entry-point/tile-shading-fits-execution-model", spv.OpEntryPoint, section=sections.EXECUTION_MODE, apis="vulkan")
def tile_shading_fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, tile shading must be in compute or fragment shaders, and each mode of it in one of these.

    Tile shading runs invocations for the pixels of a tile in memory on the chip, which other stages do not access. So with the
    capability TileShadingQCOM, each entry point must be GLCompute or Fragment. TileShadingRateQCOM divides the tile among compute
    invocations, so it requires GLCompute. NonCoherentTileAttachmentReadQCOM lets loads ignore the order of rasterization, which
    only fragments have, so it requires Fragment. SPV_QCOM_tile_shading says this of the two modes without regard to Vulkan, but as
    in spirv-val, only modules for Vulkan are checked. The modes are checked even if the capability is not declared.
    OpConditionalEntryPointINTEL is not checked.
    """
    module = context.module
    name, model = id_at(inst, OpEntryPoint_EntryPoint), word_at(inst, OpEntryPoint_ExecutionModel)
    if name is None or model is None:
        return
    modes = module.declarations.modes_by_function.get(name, frozenset())
    tiles = module.has_capability(_TILE_SHADING)
    vuid = "VUID-StandaloneSpirv-"
    message = f"the execution model of %{name} is {model_name(model)}, "
    if ExecutionMode.TileShadingRateQCOM in modes and model != _COMPUTE:
        message += "expected GLCompute for the execution mode TileShadingRateQCOM"
        yield Finding(inst, OpEntryPoint_ExecutionModel, message, vuid=f"{vuid}Execution-10688")
    elif ExecutionMode.NonCoherentTileAttachmentReadQCOM in modes and model != _FRAGMENT:
        message += "expected Fragment for the execution mode NonCoherentTileAttachmentReadQCOM"
        yield Finding(inst, OpEntryPoint_ExecutionModel, message, vuid=f"{vuid}Execution-10687")
    elif tiles and model not in (_COMPUTE, _FRAGMENT):
        message += "but the capability TileShadingQCOM requires GLCompute or Fragment"
        yield Finding(inst, OpEntryPoint_ExecutionModel, message, vuid=f"{vuid}TileShadingQCOM-10686")


@instruction_rule("entry-point/mode-targets-entry-point", *_MODES, section=sections.MODE_SETTING_INSTRUCTIONS)
def mode_targets_entry_point(inst: Instruction, context: RuleContext) -> Findings:
    """An execution mode must name the function of an entry point.

    The mode sets how the client runs an entry point. Other functions are not run by the client, so the mode has no effect, and the
    entry point that it was meant for runs without it. The rule, like spirv-val, also accepts the function of an
    OpConditionalEntryPointINTEL (SPV_INTEL_function_variants).
    """
    target = id_at(inst, OpExecutionMode_EntryPoint)
    module = context.module
    if target is None or module.definition(target) is None or models_of(module, target):
        return
    subject = operand(inst, OpExecutionMode_EntryPoint)
    message = f"{subject} must be the function of an entry point, but no entry point names %{target}"
    yield Finding(inst, OpExecutionMode_EntryPoint, message)


@instruction_rule("entry-point/mode-form-matches-operands", *_MODES, section=sections.MODE_SETTING_INSTRUCTIONS)
def mode_form_matches_operands(inst: Instruction, context: RuleContext) -> Findings:
    """Modes whose operands are ids must be set by OpExecutionModeId, and all others by OpExecutionMode.

    The instruction determines whether the words after the mode are literals or ids. A consumer that reads an id as a literal takes
    the number of the id as the value, for example as the size of a workgroup. The quick fix changes each of the two opcodes to the
    other.
    """
    mode = mode_of(inst)
    if mode is None:
        return
    opcode = spv.OpExecutionModeId if takes_ids(mode) else spv.OpExecutionMode
    if inst.opcode.value != opcode:
        right = tables.opcode_name(opcode)
        takes = "takes an id" if len(mode.parameters) == 1 else "takes ids"
        what = takes if takes_ids(mode) else "does not take ids"
        fix = FindingFix(f"Change to {right}", (Replace(inst, OPCODE, right),))
        message = f"the execution mode {mode.name} {what} and must be set by {right}, not {inst.opcode.name}"
        yield Finding(inst, OPCODE, message, fixes=(fix,))


@instruction_rule("entry-point/mode-fits-execution-model", *_MODES, section=sections.EXECUTION_MODE, after=AVAILABILITY)
def mode_fits_execution_model(inst: Instruction, context: RuleContext) -> Findings:
    """An execution mode must only be set for an entry point of an execution model that has it.

    Another execution model has nothing for the mode to control, so a driver may ignore the mode or reject the module.

    Geometry only: Invocations, OutputLineStrip, OutputTriangleStrip and the Input… modes. Tessellation only: spacing, vertex
    order, PointMode, Quads and Isolines. Mesh models only: OutputLinesEXT, OutputTrianglesEXT and OutputPrimitivesEXT.
    OutputPoints requires Geometry or a mesh model, Triangles Geometry or tessellation, and OutputVertices one of all these.

    Modes of pixel centers, origin, depth, stencil, early tests, interlock, PostDepthCoverage, RequireFullQuadsKHR, and the
    NonCoherent… modes of EXT require Fragment; LocalSizeHint, LocalSizeHintId, VecTypeHint and ContractionOff Kernel; LocalSize and
    LocalSizeId Kernel, GLCompute, a task or a mesh model. As in spirv-val, QuadDerivativesKHR requires Fragment or GLCompute;
    SPV_KHR_quad_control names no execution model for it. Other modes are not checked here. Where a function is an entry point of
    several execution models, each of these models must have the mode.
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
                f"the execution mode {mode.name} requires the execution model {where}, but {target} has {model_name(model)}",
            )
            return


def _usable(model: int, module: Module) -> bool:
    """Whether a model may be spoken of: those of extensions only where the module has them."""
    enumerant = tables.kind("ExecutionModel").by_value(model)
    return enumerant is not None and (enumerant.version is not None or module.availability.of(enumerant) is None)


@instruction_rule("entry-point/mode-fits-vulkan", *_MODES, section=sections.EXECUTION_MODE, apis="vulkan")
def mode_fits_vulkan(inst: Instruction, context: RuleContext) -> Findings:
    """In Vulkan, an execution mode and its operands must be permitted by Vulkan.

    OriginLowerLeft and PixelCenterInteger must not be used: hardware may be set up for OriginUpperLeft and for pixel centers at
    half-integer coordinates, and a Vulkan driver need not implement other conventions.

    LocalSizeId requires the feature maintenance4, which Vulkan 1.3 has and the option `allow-localsizeid` adds to earlier versions.
    OutputVertices and OutputPrimitivesEXT of MeshEXT shaders (SPV_EXT_mesh_shader) must be greater than 0; as in spirv-val, the
    rule checks them in each module with the capability MeshShadingEXT, for other execution models too. The x and y rates of
    TileShadingRateQCOM (SPV_QCOM_tile_shading) must be powers of two; 0 is not reported. Other modes and operands are not checked
    here.
    """
    mode = mode_of(inst)
    match mode.value if mode is not None else None:
        case ExecutionMode.OriginLowerLeft:
            fix = FindingFix("Change to OriginUpperLeft", (Replace(inst, 1, "OriginUpperLeft"),))
            message = "the execution mode OriginLowerLeft must not be used in Vulkan; use OriginUpperLeft"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-OriginLowerLeft-04653")
        case ExecutionMode.PixelCenterInteger:
            fix = FindingFix("Remove the mode", (Delete(inst),))
            message = "PixelCenterInteger must not be used in Vulkan, where pixel centers are at half-integer coordinates"
            yield Finding(inst, OpExecutionMode_Mode, message, fixes=(fix,), vuid="VUID-StandaloneSpirv-PixelCenterInteger-04654")
        case ExecutionMode.LocalSizeId if context.module.environment.api_version < (1, 3) and not context.options.allow_localsizeid:
            before = "Vulkan {}.{}".format(*context.module.environment.api_version[:2])
            needed = "Vulkan 1.3 or the feature maintenance4 (option --allow-localsizeid)"
            message = f"LocalSizeId requires {needed}; the target is {before}"
            yield Finding(inst, OpExecutionMode_Mode, message)
        case ExecutionMode.OutputVertices | ExecutionMode.OutputPrimitivesEXT as value:
            if word_at(inst, 2) == 0 and context.module.has_capability(Capability.MeshShadingEXT):
                vuid = f"VUID-StandaloneSpirv-MeshEXT-{'07330' if value == ExecutionMode.OutputVertices else '07331'}"
                of = "Vertex count" if value == ExecutionMode.OutputVertices else "Primitive count"
                message = f"operand {of} of {mode_name(value)} is 0, expected at least 1 with the capability MeshShadingEXT"
                yield Finding(inst, 2, message, vuid=vuid)
        case ExecutionMode.TileShadingRateQCOM:
            for operand_index, dimension in ((2, "x"), (3, "y")):
                rate = word_at(inst, operand_index) or 0
                if rate & rate - 1:
                    message = f"operand {dimension} rate of TileShadingRateQCOM is {rate}, expected a power of two"
                    yield Finding(inst, operand_index, message)
                    return


@module_rule("entry-point/mode-is-set-once", section=sections.EXECUTION_MODE)
def mode_is_set_once(context: RuleContext) -> Findings:
    """A mode must be set only once for an entry point, unless its definition permits more settings.

    If the two settings differ, drivers may differ in which of them they use. Modes for floating-point arithmetic that name a width
    or type, such as DenormPreserve and FPFastMathDefault, may be set once for each width or type. Where the settings differ, the
    quick fix is a choice.
    """
    declared = context.module.declarations.execution_modes
    yield PAUSE
    for target, modes in declared.items():
        seen: dict[object, Instruction] = {}
        for at, mode in enumerate(modes):
            if not at % PORTION:
                yield PAUSE
            key = (mode.value, mode.params[:1]) if mode.value in _PER_OPERAND else mode.value
            first = seen.setdefault(key, mode.record)
            if mode.name and first is not mode.record:
                what = f"{mode.name} {shown(mode.params[0])}" if mode.params and mode.value in _PER_OPERAND else mode.name
                note = Note(first, 1, f"{what} is first set here")
                fix = FindingFix("Remove the second", (Delete(mode.record),), preferred=first.operands == mode.record.operands)
                message = f"the execution mode {what} is already set for %{target} and must be set only once"
                yield Finding(mode.record, 1, message, (note,), (fix,))


def takes_ids(mode: Enumerant) -> bool:
    return any(operand.kind.startswith("Id") for operand in mode.parameters)


@instruction_rule(
    "entry-point/modes-are-within-limit", spv.OpEntryPoint, section=sections.UNIVERSAL_LIMITS, severity=Severity.WARNING
)
def modes_are_within_limit(inst: Instruction, context: RuleContext) -> Findings:
    """An entry point must not have more execution modes than the limit, which is 255 by default.

    Every consumer must support 255. With more, a driver may reject the module or drop modes. The option `max-execution-modes` sets
    another limit. Entry points of OpConditionalEntryPointINTEL are not checked.
    """
    name = id_at(inst, OpEntryPoint_EntryPoint)
    modes = context.module.execution_modes(name) if name is not None else []
    limit = context.options.max_execution_modes
    if len(modes) > limit:
        message = f"%{name} has {len(modes)} execution modes; the limit is {limit}"
        yield Finding(inst, OpEntryPoint_EntryPoint, message)
