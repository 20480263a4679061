"""Tile images (SPIR-V 3.3.10)."""

from __future__ import annotations

from collections.abc import Iterator

from spvls.grammar import sections, spv
from spvls.grammar.enumerants import ExecutionModel
from spvls.module.module import Module
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.kinds import FLOAT32, INT32, SCALARS_AND_VECTORS, Kind
from spvls.validate.checks.limits import Limit, limits, only
from spvls.validate.checks.operation import Operation
from spvls.validate.engine.rule import Findings, RuleContext, instruction_rule
from spvls.validate.rules.image.image_type import TILE, image_of

_TILE_READS = (spv.OpColorAttachmentReadEXT, spv.OpDepthAttachmentReadEXT, spv.OpStencilAttachmentReadEXT)
_COLORS = Kind("an integer, a float, or a vector of either", "Int Float", SCALARS_AND_VECTORS)
_RESULTS = {
    spv.OpColorAttachmentReadEXT: _COLORS,
    spv.OpDepthAttachmentReadEXT: FLOAT32,
    spv.OpStencilAttachmentReadEXT: INT32,
}


@instruction_rule("image/tile-read-matches-attachment", *_TILE_READS, section=sections.IMAGE_INSTRUCTIONS)
def tile_read_matches_attachment(inst: Instruction, context: RuleContext) -> Findings:
    """The result type of a tile image read must match the attachment that it reads.

    With another type, the bits may be read as another number. OpColorAttachmentReadEXT must result in a scalar or vector of the
    sampled type of the tile image, OpDepthAttachmentReadEXT in a 32-bit float, and OpStencilAttachmentReadEXT in a 32-bit integer.
    The image of OpColorAttachmentReadEXT must have Dim TileImageDataEXT. Sample, where it is given, must be an integer; as in
    spirv-val, the rule also requires 32 bits. The instructions are those of SPV_EXT_shader_tile_image.
    """
    op = Operation(inst, context)
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
            what = "" if scalar is op.result else "components of type "
            yield op.result_fault(f"{what}{op.spell(sampled)}, the sampled type of the image")
            return
    given = op.type(sample)
    if given is not None and not INT32.holds(given):
        yield op.operand_fault(sample, INT32.name)


@limits(*_TILE_READS)
def _fragment(inst: Instruction, module: Module) -> Iterator[Limit]:
    yield only((ExecutionModel.Fragment,), f"{inst.opcode.name} requires the execution model Fragment")
