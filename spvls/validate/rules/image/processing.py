"""QCOM image processing (SPIR-V 3.3.10)."""

from __future__ import annotations

from spvls.grammar import sections, spv, traits
from spvls.grammar.enumerants import Capability, Decoration
from spvls.grammar.operand_index import OpImageGatherQCOM_Mode
from spvls.module.decorations import decoration_name
from spvls.module.module import Module
from spvls.module.operand_at import id_at
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.operand_decls import capability_name
from spvls.validate.checks.kinds import INT32
from spvls.validate.checks.operation import Operation
from spvls.validate.checks.wording import operand
from spvls.validate.engine.finding import Finding, Note
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import ACCESSES, FETCHES

_TEXTURES = {
    spv.OpImageSampleWeightedQCOM: ((2, Decoration.WeightTextureQCOM),),
    **dict.fromkeys(
        (
            spv.OpImageBlockMatchSSDQCOM, spv.OpImageBlockMatchSADQCOM, spv.OpImageBlockMatchGatherSADQCOM,
            spv.OpImageBlockMatchGatherSSDQCOM,
        ),
        ((0, Decoration.BlockMatchTextureQCOM), (2, Decoration.BlockMatchTextureQCOM)),
    ),
}
"""By instruction: operands, and the decoration that the variables they come from have."""

_WINDOWS = (spv.OpImageBlockMatchWindowSADQCOM, spv.OpImageBlockMatchWindowSSDQCOM)

_CAPABILITIES = (Capability.TextureSampleWeightedQCOM, Capability.TextureBlockMatchQCOM, Capability.TextureBlockMatch2QCOM)
_MARKS = (Decoration.WeightTextureQCOM, Decoration.BlockMatchTextureQCOM, Decoration.BlockMatchSamplerQCOM)
_QUERIES = (
    spv.OpImageQueryFormat, spv.OpImageQueryOrder, spv.OpImageQuerySizeLod, spv.OpImageQuerySize, spv.OpImageQueryLod,
    spv.OpImageQueryLevels, spv.OpImageQuerySamples,
)  # fmt: skip


class _Source:
    """Where a texture comes from: its id, its load, the OpSampledImage around that, and the variables of texture and sampler."""

    __slots__ = ("join", "load", "sampler", "texture", "variable")

    def __init__(self, module: Module, name: str | None) -> None:
        made = module.definition(name) if name is not None else None
        self.join = made if made is not None and made.opcode.value == spv.OpSampledImage else None
        self.sampler: str | None = None
        self.texture = name
        if self.join is not None:
            self.sampler = _variable(module, id_at(self.join, 1))
            self.texture = id_at(self.join, 0)
            made = module.definition(self.texture) if self.texture is not None else None
        self.load = made if made is not None and made.opcode.value == spv.OpLoad else None
        self.variable = id_at(self.load, 0) if self.load is not None else None


def _variable(module: Module, name: object) -> str | None:
    made = module.definition(name) if isinstance(name, str) else None
    return id_at(made, 0) if made is not None and made.opcode.value == spv.OpLoad else None


@instruction_rule("image/processed-texture-is-decorated", *_TEXTURES, *_WINDOWS, section=sections.IMAGE_INSTRUCTIONS)
def processed_texture_is_decorated(inst: Instruction, context: RuleContext) -> Findings:
    """Weights and block-matched textures must be loaded through a pointer with their decoration.

    With the decoration, a driver can know the kind of descriptor before the shader runs; a descriptor of another kind may be read
    with the wrong layout.

    The weights of OpImageSampleWeightedQCOM (SPV_QCOM_image_processing) require WeightTextureQCOM, and both textures of block
    matching BlockMatchTextureQCOM. For OpImageBlockMatchWindowSADQCOM and OpImageBlockMatchWindowSSDQCOM
    (SPV_QCOM_image_processing2), the sampler must also be loaded through a pointer with BlockMatchSamplerQCOM; a pointer to a
    sampled image requires both.

    As in spirv-val, a texture must be the result of an OpLoad, or of an OpSampledImage of such a result. The Pointer of this OpLoad
    must have the decoration itself: one of the array that an access chain leads into does not count.
    """
    module = context.module
    windows = inst.opcode.value in _WINDOWS
    wanted = (
        ((0, Decoration.BlockMatchTextureQCOM), (2, Decoration.BlockMatchTextureQCOM)) if windows else _TEXTURES[inst.opcode.value]
    )
    for operand_index, mark in wanted:
        name = id_at(inst, operand_index)
        source = _Source(module, name)
        where = (source.join if windows else None) or source.load
        note = Note(inst, operand_index, f"{inst.opcode.name} is here")
        used = f"is used by {inst.opcode.name} and must be"
        loaded = f"{used} loaded from a variable that is decorated with"
        if source.load is None:
            made = module.definition(source.texture or "")
            if made is not None and not made.faults:
                message = f"%{source.texture} {loaded} {decoration_name(mark)}"
                yield Finding(made, OPCODE, message, (note,))
                return
        if source.variable is None or where is None:
            continue
        joined = module.definition(id_at(source.join, 1) or "") if source.join is not None else None
        if windows and joined is not None and source.sampler is None and not joined.faults:
            message = f"%{joined.result} {loaded} BlockMatchSamplerQCOM"
            yield Finding(joined, OPCODE, message, (note,))
            return
        if not module.has_decoration(source.variable, mark):
            message = f"%{source.variable} {used} decorated with {decoration_name(mark)}"
            yield Finding(where, 0, message, (note,))
            return
        sampler = source.variable if source.join is None else source.sampler
        if windows and sampler is not None and not module.has_decoration(sampler, Decoration.BlockMatchSamplerQCOM):
            at = 0 if source.join is None else 1
            message = f"%{sampler} {used} decorated with BlockMatchSamplerQCOM"
            yield Finding(where, at, message, (note,))
            return


@instruction_rule(
    "image/decorated-texture-is-not-sampled",
    *traits.IMPLICIT_LOD,
    *traits.EXPLICIT_LOD,
    *traits.GATHERS,
    *FETCHES,
    *ACCESSES,
    *_QUERIES,
    spv.OpImage,
    section=sections.IMAGE_INSTRUCTIONS,
)
def decorated_texture_is_not_sampled(inst: Instruction, context: RuleContext) -> Findings:
    """A texture decorated for image processing must not be sampled, read, written or queried otherwise.

    The descriptor of a variable with WeightTextureQCOM, BlockMatchTextureQCOM or BlockMatchSamplerQCOM is made for the weighted
    sampling or the block matching that the decoration names. Other instructions may read it in another layout and return undefined
    texels. As in spirv-val, no instruction of SPV_QCOM_image_processing and SPV_QCOM_image_processing2 is reported, not even one
    that the decoration is not made for, such as OpImageBoxFilterQCOM.

    The rule checks modules with the capability TextureSampleWeightedQCOM, TextureBlockMatchQCOM or TextureBlockMatch2QCOM. It finds
    the texture through OpSampledImage and OpLoad, whose Pointer must have the decoration itself: access chains are not followed,
    and neither is the sampler of an OpSampledImage. OpImage is reported too.
    """
    module = context.module
    if not any(map(module.has_capability, _CAPABILITIES)):
        return
    source = _Source(module, id_at(inst, 0))
    variable = source.variable
    for mark in _MARKS if variable is not None else ():
        if module.has_decoration(str(variable), mark):
            how = "is loaded" if source.join is None else "combines a sampler with an image loaded"
            loaded = f"{operand(inst, 0)} {how} from %{variable}, which is decorated with {decoration_name(mark)}"
            yield Finding(inst, 0, f"{loaded} and must not be used by {inst.opcode.name}")
            return


_MODES = {0: Capability.ImageGatherLinearQCOM} | dict.fromkeys((1, 2, 3), Capability.ImageGatherExtendedModesQCOM)


@instruction_rule("image/gather-mode-is-enabled", spv.OpImageGatherQCOM, section=sections.IMAGE_INSTRUCTIONS)
def gather_mode_is_enabled(inst: Instruction, context: RuleContext) -> Findings:
    """A module must declare the capability of each mode that it uses OpImageGatherQCOM with.

    Mode 0 requires ImageGatherLinearQCOM, and the modes 1 to 3 require ImageGatherExtendedModesQCOM. A device without the
    capability may not have the mode. Other values, which SPV_QCOM_image_processing3 does not define, are reported too. The Mode
    must be a 32-bit integer; its value is checked only if it is a constant that cannot be specialized. The extension requires a
    constant, which the rule, like spirv-val, does not check. The other operands are checked by `image/access-fits-image`.
    """
    op = Operation(inst, context)
    at = OpImageGatherQCOM_Mode
    type_ = op.type(at)
    if type_ is not None and not INT32.holds(type_):
        yield op.operand_fault(at, INT32.name)
        return
    mode = op.module.integer(op.id(at))
    if mode is not None and mode not in _MODES:
        yield op.fault(at, f"{op.subject(at)} is {mode}, expected a mode from 0 to 3")
        return
    needed = _MODES.get(mode) if mode is not None else None
    if needed is not None and not op.module.has_capability(needed):
        yield op.fault(at, f"{op.subject(at)} is {mode}, which requires the capability {capability_name(needed)}")
