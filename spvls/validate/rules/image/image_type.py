"""Image types as the rules of image instructions see them (SPIR-V 3.3.6, OpTypeImage)."""

from __future__ import annotations

from spvls.grammar import spv, traits
from spvls.grammar.enumerants import Dim, ImageFormat
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.operand_decls import enumerants

DIM_1D, DIM_2D, DIM_3D = Dim.Dim1D, Dim.Dim2D, Dim.Dim3D
CUBE, RECT, BUFFER = Dim.Cube, Dim.Rect, Dim.Buffer
SUBPASS, TILE = Dim.SubpassData, Dim.TileImageDataEXT
UNKNOWN_FORMAT = ImageFormat.Unknown

MIPMAPPED = frozenset({DIM_1D, DIM_2D, DIM_3D, CUBE})
"""Dims of images that have levels of detail."""

_PLANE = {DIM_1D: 1, BUFFER: 1, DIM_2D: 2, RECT: 2, SUBPASS: 2, TILE: 2, DIM_3D: 3, CUBE: 3}

FETCHES = frozenset({spv.OpImageFetch, spv.OpImageSparseFetch})
READS = frozenset({spv.OpImageRead, spv.OpImageSparseRead})
ACCESSES = READS | {spv.OpImageWrite}
RESERVED = traits.SPARSE & traits.PROJECTIVE
"""Sparse projective sampling: named by the specification, and not to be used."""


class Image(NamedTuple):
    """The operands of an OpTypeImage."""

    type: Type
    sampled_type: Type | None
    dim: int
    depth: int
    arrayed: int
    multisampled: int
    sampled: int
    format: int

    @property
    def access(self) -> int:
        """The access qualifier; -1 where there is none."""
        return self.type.word(7)

    @property
    def plane(self) -> int:
        """How many components a coordinate in one layer has; a cube's is a direction."""
        return _PLANE.get(self.dim, 0)

    @property
    def dim_name(self) -> str:
        return "".join(enumerant.name for enumerant in enumerants("Dim", self.dim))


def image_of(type_: Type | None) -> Image | None:
    """The image that a type is, or that a sampled image is made of."""
    if type_ is not None and type_.kind == spv.OpTypeSampledImage:
        type_ = type_.element
    if type_ is None or type_.kind != spv.OpTypeImage or len(type_.operands) < 7:
        return None
    return Image(type_, type_.element, *(type_.word(at) for at in range(1, 7)))
