"""OpExecutionMode and OpExecutionModeId: what each mode applies to (SPIR-V 3.2.5)."""

from __future__ import annotations

from spvls.grammar import tables
from spvls.grammar.records import Enumerant
from spvls.module.module import Module
from spvls.syntax.instruction import OPCODE, Instruction, shown
from spvls.syntax.operand_decls import value
from spvls.validate.entry import mode_of, models_of
from spvls.validate.finding import Delete, Finding, Mend, Note, Replace
from spvls.validate.operand_at import id_at, word_at
from spvls.validate.rule import Findings, Scene, instruction_rule, module_rule
from spvls.validate.wording import listed

_MODES = ("OpExecutionMode", "OpExecutionModeId")
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

_CONSTANTS = ("OpConstant", "OpSpecConstant", "OpUndef")

_FAST_MATH = {name: value("FPFastMathMode", name) for name in ("Fast", "AllowContract", "AllowReassoc", "AllowTransform")}
_FAST_MATH_MASK = 0x7FFFF


@instruction_rule("entry-point/mode-target", *_MODES, section="3.3.5")
def mode_target(inst: Instruction, scene: Scene) -> Findings:
    """An execution mode names the function of an entry point.

    Bad:  `OpExecutionMode %helper OriginUpperLeft` where no OpEntryPoint names `%helper`.
    Good: `OpExecutionMode %main OriginUpperLeft`
    """
    target = id_at(inst, 0)
    if target is not None and scene.module.definition(target) is not None and not models_of(scene.module, target):
        yield Finding(inst, 0, f"%{target} is the function of no OpEntryPoint, and execution modes are for entry points")


@instruction_rule("entry-point/mode-form", *_MODES, section="3.3.5")
def mode_form(inst: Instruction, scene: Scene) -> Findings:
    """Modes whose operands are ids are set by OpExecutionModeId, all others by OpExecutionMode.

    Bad:  `OpExecutionMode %main LocalSizeId %x %y %z`
    Good: `OpExecutionModeId %main LocalSizeId %x %y %z`
    """
    mode = mode_of(inst)
    if mode is None:
        return
    right = "OpExecutionModeId" if _takes_ids(mode) else "OpExecutionMode"
    if inst.opcode.name != right:
        what = "takes ids" if _takes_ids(mode) else "takes no ids"
        mend = Mend(f"Change to {right}", (Replace(inst, OPCODE, right),))
        yield Finding(inst, OPCODE, f"the execution mode {mode.name} {what}: set it by {right}", mends=(mend,))


@instruction_rule("execution-mode/models", *_MODES, section="3.2.5")
def models(inst: Instruction, scene: Scene) -> Findings:
    """A mode is set only for entry points of an execution model that has it.

    The geometry of primitives is for geometry, tessellation and mesh shaders, depth and stencil for fragment shaders, hints for
    kernels, and the size of a workgroup for what runs in workgroups.

    Bad:  `OpExecutionMode %main DepthReplacing` for a vertex shader.
    Good: the same for a fragment shader.
    """
    mode = mode_of(inst)
    allowed = _FOR.get(mode.name) if mode is not None else None
    if mode is None or allowed is None:
        return
    for model in models_of(scene.module, inst.operands[0]):
        if model not in allowed:
            where = listed([name for name in allowed if name in ("Geometry", "GLCompute") or _usable(name, scene.module)])
            yield Finding(inst, 1, f"the execution mode {mode.name} is for {where}, and {shown(inst.operands[0])} is {model}")
            return


def _usable(model: str, module: Module) -> bool:
    """Whether a model may be spoken of: those of extensions only where the module has them."""
    enumerant = tables.kind("ExecutionModel").get(model)
    return enumerant is not None and (enumerant.version is not None or module.availability.of(enumerant) is None)


@instruction_rule("execution-mode/environment", *_MODES, section="3.2.5", apis="vulkan")
def environment(inst: Instruction, scene: Scene) -> Findings:
    """Vulkan has its origin at the upper left, pixel centres at half integers, and LocalSizeId from version 1.3 on.

    LocalSizeId came with the feature maintenance4, which `--allow-localsizeid` stands for in earlier versions.

    Bad:  `OpExecutionMode %main OriginLowerLeft`
    Good: `OpExecutionMode %main OriginUpperLeft`
    """
    mode = mode_of(inst)
    match mode.name if mode is not None else "":
        case "OriginLowerLeft":
            mend = Mend("Change to OriginUpperLeft", (Replace(inst, 1, "OriginUpperLeft"),))
            message = "Vulkan has its origin at the upper left: OriginLowerLeft must not be used"
            yield Finding(inst, 1, message, mends=(mend,), vuid="VUID-StandaloneSpirv-OriginLowerLeft-04653")
        case "PixelCenterInteger":
            mend = Mend("Remove the mode", (Delete(inst),))
            message = "in Vulkan, pixel centres are at half integers: PixelCenterInteger must not be used"
            yield Finding(inst, 1, message, mends=(mend,), vuid="VUID-StandaloneSpirv-PixelCenterInteger-04654")
        case "LocalSizeId" if scene.module.environment.api_version < (1, 3) and not scene.options.allow_localsizeid:
            yield Finding(inst, 1, "LocalSizeId is for Vulkan 1.3 and later, or the feature maintenance4 (--allow-localsizeid)")
        case "OutputVertices" | "OutputPrimitivesEXT" as name:
            if word_at(inst, 2) == 0 and scene.module.has_capability("MeshShadingEXT"):
                vuid = f"VUID-StandaloneSpirv-MeshEXT-{'07330' if name == 'OutputVertices' else '07331'}"
                yield Finding(inst, 2, f"in mesh shaders {name} is greater than 0", vuid=vuid)
        case "TileShadingRateQCOM":
            for place in (2, 3):
                rate = word_at(inst, place) or 0
                if rate & rate - 1:
                    yield Finding(inst, place, f"the tile shading rate is a power of two, not {rate}")
                    return


@instruction_rule("execution-mode/extra-ids-constant", "OpExecutionModeId", section="3.2.5")
def extra_ids_constant(inst: Instruction, scene: Scene) -> Findings:
    """The ids that a mode takes are constants; FPFastMathDefault takes a type, and a mask that cannot be specialized.

    FPFastMathDefault names a scalar float type and a 32-bit integer constant, which holds known bits of the fast math mode
    without Fast; AllowTransform in it comes with AllowContract and AllowReassoc.

    Bad:  `OpExecutionModeId %main LocalSizeId %int_type %y %z`
    Good: `OpExecutionModeId %main LocalSizeId %uint_8 %uint_8 %uint_1`
    """
    mode = mode_of(inst)
    if mode is None or not _takes_ids(mode) or mode.name == "MaximumRegistersIdINTEL":
        return
    if mode.name == "FPFastMathDefault":
        yield from _fast_math_default(inst, scene.module)
        return
    for place in range(2, len(inst.operands)):
        name = id_at(inst, place)
        opcode = scene.module.opcode_of(name) if name is not None else ""
        if opcode and not opcode.startswith(_CONSTANTS):
            yield Finding(inst, place, f"%{name} is no constant, and the operands of {mode.name} are constants")
            return


def _fast_math_default(inst: Instruction, module: Module) -> Findings:
    target, mask = id_at(inst, 2), id_at(inst, 3)
    if target is None or mask is None or module.definition(target) is None or module.definition(mask) is None:
        return
    type_ = module.type(target)
    if type_ is None or not type_.is_float:
        yield Finding(inst, 2, f"%{target} is no scalar float type, and FPFastMathDefault is for one")
        return
    bits = module.integer(mask)
    if bits is None:
        yield Finding(inst, 3, f"%{mask} is no constant integer that stays as it is, and the fast math default is one")
    elif bits & ~_FAST_MATH_MASK:
        yield Finding(inst, 3, f"%{mask} is {bits:#x}, which has bits that are no fast math mode")
    elif bits & _FAST_MATH["Fast"]:
        yield Finding(inst, 3, f"%{mask} has the bit Fast, which the fast math default must not have")
    elif bits & _FAST_MATH["AllowTransform"]:
        lacking = [name for name in ("AllowContract", "AllowReassoc") if not bits & _FAST_MATH[name]]
        if lacking:
            yield Finding(inst, 3, f"%{mask} has the bit AllowTransform, and lacks {listed(lacking, 'and')} that go with it")


@instruction_rule("execution-mode/fast-math-default-alone", "OpExecutionModeId", section="3.2.5")
def fast_math_default_alone(inst: Instruction, scene: Scene) -> Findings:
    """FPFastMathDefault takes the place of ContractionOff and SignedZeroInfNanPreserve, and does not go with them.

    Bad:  `OpExecutionMode %main ContractionOff` along with `OpExecutionModeId %main FPFastMathDefault %float %none`
    Good: the latter alone.
    """
    mode = mode_of(inst)
    target = id_at(inst, 0)
    if mode is None or mode.name != "FPFastMathDefault" or target is None:
        return
    for other in scene.module.execution_modes(target):
        if other.name in ("ContractionOff", "SignedZeroInfNanPreserve"):
            note = Note(other.record, 1, f"{other.name} is set here")
            yield Finding(inst, 1, f"FPFastMathDefault does not go with {other.name} on one entry point", (note,))
            return


@instruction_rule("entry-point/workgroup-size-nonzero", *_MODES, section="2.16.1")
def workgroup_size_nonzero(inst: Instruction, scene: Scene) -> Findings:
    """No dimension of a workgroup is zero.

    Bad:  `OpExecutionMode %main LocalSize 8 8 0`
    Good: `OpExecutionMode %main LocalSize 8 8 1`
    """
    mode = mode_of(inst)
    if mode is None or mode.name not in ("LocalSize", "LocalSizeId"):
        return
    sizes = [scene.module.integer(o) if isinstance(o, str) else o for o in inst.operands[2:5]]
    if 0 in sizes and None not in sizes:
        place = 2 + sizes.index(0)
        size = " × ".join(map(str, sizes))
        yield Finding(inst, place, f"a workgroup of {size} invocations is none: every dimension is at least 1")


@module_rule("execution-mode/no-duplicates", section="3.2.5")
def no_duplicates(scene: Scene) -> Findings:
    """A mode is set once for an entry point; the float controls once for each width or type.

    Bad:  `OpExecutionMode %main LocalSize 8 8 1` twice.
    Good: `OpExecutionMode %main DenormPreserve 16` and `OpExecutionMode %main DenormPreserve 32`
    """
    for target, modes in scene.module.declarations.execution_modes.items():
        seen: dict[object, Instruction] = {}
        for mode in modes:
            key = (mode.name, mode.params[:1]) if mode.name in _PER_OPERAND else mode.name
            first = seen.setdefault(key, mode.record)
            if mode.name and first is not mode.record:
                note = Note(first, 1, "it is set here first")
                mend = Mend("Remove the second", (Delete(mode.record),), preferred=first.operands == mode.record.operands)
                yield Finding(mode.record, 1, f"{mode.name} is set for %{target} already", (note,), (mend,))


def _takes_ids(mode: Enumerant) -> bool:
    return any(operand.kind.startswith("Id") for operand in mode.parameters)
