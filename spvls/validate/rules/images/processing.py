"""Image processing and gathers of Qualcomm, and reads of tile images (SPV_QCOM_image_processing, SPV_EXT_shader_tile_image)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import spv, traits
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.finding import Finding, Note
from spvls.validate.images import FETCHES, TILE, image_of
from spvls.validate.kinds import FLOAT32, INT32, SCALARS_AND_VECTORS, VECTORS, Kind
from spvls.validate.limits import Limit, limits, only
from spvls.validate.operation import Operation
from spvls.validate.rule import Findings, Scene, instruction_rule

_TEXTURES = {
    spv.OpImageSampleWeightedQCOM: ((2, "WeightTextureQCOM"),),
    spv.OpImageBlockMatchSSDQCOM: ((0, "BlockMatchTextureQCOM"), (2, "BlockMatchTextureQCOM")),
    spv.OpImageBlockMatchSADQCOM: ((0, "BlockMatchTextureQCOM"), (2, "BlockMatchTextureQCOM")),
}
"""By instruction: operands, and the decoration that the variables they come from have."""

_WINDOWS = (
    spv.OpImageBlockMatchWindowSADQCOM, spv.OpImageBlockMatchWindowSSDQCOM, spv.OpImageBlockMatchGatherSADQCOM,
    spv.OpImageBlockMatchGatherSSDQCOM,
)  # fmt: skip

_CAPABILITIES = ("TextureSampleWeightedQCOM", "TextureBlockMatchQCOM", "TextureBlockMatch2QCOM")
_MARKS = ("WeightTextureQCOM", "BlockMatchTextureQCOM")


class _Source:
    """Where a texture comes from: its load, the OpSampledImage around that, and the variables behind texture and sampler."""

    __slots__ = ("join", "load", "sampler", "variable")

    def __init__(self, module: Module, name: str | None) -> None:
        made = module.definition(name) if name is not None else None
        self.join = made if made is not None and made.opcode.value == spv.OpSampledImage else None
        self.sampler: str | None = None
        if self.join is not None:
            self.sampler = _variable(module, self.join.operands[1])
            loaded = self.join.operands[0]
            made = module.definition(loaded) if isinstance(loaded, str) else None
        self.load = made if made is not None and made.opcode.value == spv.OpLoad else None
        self.variable = str(self.load.operands[0]) if self.load is not None else None


def _variable(module: Module, name: object) -> str | None:
    made = module.definition(name) if isinstance(name, str) else None
    return str(made.operands[0]) if made is not None and made.opcode.value == spv.OpLoad else None


@instruction_rule("image/qcom-textures", *_TEXTURES, *_WINDOWS, section="3.3.10")
def qcom_textures(inst: Instruction, scene: Scene) -> Findings:
    """The textures of image processing come from variables that are decorated for it; those of windows, their samplers too.

    Bad:  an OpImageBlockMatchSADQCOM on a texture without BlockMatchTextureQCOM.
    Good: `OpDecorate %target BlockMatchTextureQCOM`
    """
    module = scene.module
    windows = inst.opcode.value in _WINDOWS
    wanted = ((0, "BlockMatchTextureQCOM"), (2, "BlockMatchTextureQCOM")) if windows else _TEXTURES[inst.opcode.value]
    for place, mark in wanted:
        name = inst.operands[place]
        source = _Source(module, name if isinstance(name, str) else None)
        where = (source.join if windows else None) or source.load
        if source.variable is None or where is None:
            continue
        note = Note(inst, place, f"{inst.opcode.name} takes it from there")
        if not module.has_decoration(source.variable, mark):
            yield Finding(where, 0, f"%{source.variable} lacks the decoration {mark}", (note,))
            return
        if windows and source.sampler is not None and not module.has_decoration(source.sampler, "BlockMatchSamplerQCOM"):
            yield Finding(where, 1, f"%{source.sampler} lacks the decoration BlockMatchSamplerQCOM", (note,))
            return


@instruction_rule("image/qcom-misuse", *traits.IMPLICIT_LOD, *traits.EXPLICIT_LOD, *traits.GATHERS, *FETCHES, section="3.3.10")
def qcom_misuse(inst: Instruction, scene: Scene) -> Findings:
    """A texture that is decorated for image processing is not sampled otherwise.

    Bad:  `OpImageSampleImplicitLod` on a texture with BlockMatchTextureQCOM.
    Good: a second variable for the same texture.
    """
    module = scene.module
    if not any(module.has_capability(name) for name in _CAPABILITIES):
        return
    name = inst.operands[0]
    variable = _Source(module, name if isinstance(name, str) else None).variable
    for mark in _MARKS if variable is not None else ():
        if module.has_decoration(str(variable), mark):
            yield Finding(inst, 0, f"%{variable} has the decoration {mark}, and {inst.opcode.name} cannot use it")
            return


_GATHERED = Kind("a vector of integers or floats", "Int Float", VECTORS)
_MODES = {0: "ImageGatherLinearQCOM"} | dict.fromkeys((1, 2, 3), "ImageGatherExtendedModesQCOM")


@instruction_rule("image/qcom-gather", spv.OpImageGatherQCOM, section="3.3.10")
def qcom_gather(inst: Instruction, scene: Scene) -> Findings:
    """The mode of a gather has its capability, and the result is a vector.

    Bad:  mode 0 without ImageGatherLinearQCOM.
    Good: `OpCapability ImageGatherLinearQCOM`
    """
    op = Operation(inst, scene)
    if op.result is not None and not _GATHERED.holds(op.result):
        yield op.result_fault(_GATHERED.name)
        return
    at = len(op.operands) - 1
    mode = op.module.integer(op.id(at))
    needed = _MODES.get(mode) if mode is not None else None
    if needed is not None and not op.module.has_capability(needed):
        yield op.fault(at, f"this mode of gathering takes the capability {needed}")


_TILE_READS = (spv.OpColorAttachmentReadEXT, spv.OpDepthAttachmentReadEXT, spv.OpStencilAttachmentReadEXT)
_COLOURS = Kind("an integer or float, or a vector of such", "Int Float", SCALARS_AND_VECTORS)
_RESULTS = {
    spv.OpColorAttachmentReadEXT: _COLOURS,
    spv.OpDepthAttachmentReadEXT: FLOAT32,
    spv.OpStencilAttachmentReadEXT: INT32,
}


@instruction_rule("image/tile-read", *_TILE_READS, section="3.3.10")
def tile_read(inst: Instruction, scene: Scene) -> Findings:
    """A read of the current tile gives what the attachment holds: colours of the tile image, a float depth, a whole stencil.

    Bad:  `%d = OpDepthAttachmentReadEXT %uint`
    Good: `%d = OpDepthAttachmentReadEXT %float`
    """
    op = Operation(inst, scene)
    wanted = _RESULTS[op.code]
    if op.result is not None and not wanted.holds(op.result):
        yield op.result_fault(wanted.name)
        return
    sample = 0
    if op.code == spv.OpColorAttachmentReadEXT:
        sample = 1
        type_ = op.type(0)
        image = image_of(type_)
        if type_ is not None and (image is None or type_.kind != spv.OpTypeImage or image.dim != TILE):
            yield op.operand_fault(0, "an image of Dim TileImageDataEXT")
            return
        sampled = image.sampled_type if image is not None else None
        scalar = op.result.scalar if op.result is not None else None
        if sampled is not None and scalar is not None and scalar.id != sampled.id:
            yield op.result_fault(f"{op.spell(sampled)} components, the sampled type of the image")
            return
    given = op.type(sample)
    if given is not None and not INT32.holds(given):
        yield op.operand_fault(sample, INT32.name)


@limits(*_TILE_READS)
def _fragment(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield only("Fragment", f"{inst.opcode.name} is for the Fragment execution model")


