"""Rules of `image/access`: sampling, fetching, reading, writing."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.image import image_module

GOOD = [
    "%r = OpImageSampleImplicitLod %v4 %si %xy",
    "%r = OpImageSampleImplicitLod %v4 %si %xy Bias|ConstOffset %f0 %ij",
    "%r = OpImageSampleExplicitLod %v4 %si %xy Grad %xy %xy",
    "%r = OpImageSampleProjImplicitLod %v4 %si %xyz",
    "%r = OpImageSampleDrefExplicitLod %float %si %xy %f0 Lod %f0",
    "%r = OpImageSampleImplicitLod %v4 %sc %xyz",
    "%r = OpImageGather %v4 %si %xy %i0",
    "%r = OpImageFetch %v4 %i %ij Lod %i0",
    "%r = OpImageFetch %v4 %m %ij Sample %i0",
    "%r = OpImageRead %v4 %st %ij",
    "OpImageWrite %st %ij %white",
    "%r = OpImageQuerySizeLod %i2 %i %i0",
    "%r = OpImageQuerySize %i2 %st",
    "%r = OpImageQuerySamples %int %m",
    "%r = OpImageQueryLevels %int %i",
    "%r = OpImageQueryLod %v2 %si %xy",
    "%r = OpImage %img %si",
    "%r = OpImageTexelPointer %texel %sto %ij %i0",
]

BAD = [
    ("%r = OpImageSampleImplicitLod %v4 %si %f0", "image/access-fits-image", "%f0"),
    ("%r = OpImageSampleImplicitLod %v3 %si %xy", "image/access-fits-image", "%v3"),
    ("%r = OpImageSampleImplicitLod %u4 %si %xy", "image/access-fits-image", "%u4"),
    ("%r = OpImageSampleImplicitLod %v4 %i %xy", "image/access-fits-image", "%i"),
    ("%r = OpImageSampleImplicitLod %v4 %si %ij", "image/access-fits-image", "%ij"),
    ("%r = OpImageSampleImplicitLod %v4 %sm %xy", "image/access-fits-image", "%sm"),
    ("%r = OpImageSampleImplicitLod %v4 %si %xy Lod %f0", "image/access-fits-image", "Lod"),
    ("%r = OpImageSampleExplicitLod %v4 %si %xy Lod|Grad %f0 %xy %xy", "image/access-fits-image", "Lod|Grad"),
    ("%r = OpImageSampleExplicitLod %v4 %si %xy Grad %xy %xyz", "image/access-fits-image", "%xyz"),
    ("%r = OpImageSampleImplicitLod %v4 %si %xy Offset|ConstOffset %ij %ij", "image/access-fits-image", "Offset|ConstOffset"),
    ("%r = OpImageSampleImplicitLod %v4 %sc %xyz ConstOffset %ij", "image/access-fits-image", "ConstOffset"),
    ("%r = OpImageSampleDrefImplicitLod %float %si %xy %i0", "image/access-fits-image", "%i0"),
    ("%r = OpImageGather %v4 %si %xy %f0", "image/access-fits-image", "%f0"),
    ("%r = OpImageFetch %v4 %cu %ij", "image/access-fits-image", "%cu"),
    ("%r = OpImageFetch %v4 %m %ij", "image/access-fits-image", "%ij"),
    ("%r = OpImageRead %v4 %i %ij", "image/access-fits-image", "%i"),
    ("OpImageWrite %st %ij %ij", "image/access-fits-image", "%ij"),
    ("%r = OpImageQuerySizeLod %int %i %i0", "image/query-fits-image", "%int"),
    ("%r = OpImageQuerySize %i2 %i", "image/query-fits-image", "%i"),
    ("%r = OpImageQuerySamples %int %i", "image/query-fits-image", "%i"),
    ("%r = OpImageQueryLevels %float %i", "image/query-fits-image", "%float"),
    ("%r = OpImageQueryLod %v4 %si %xy", "image/query-fits-image", "%v4"),
    ("%r = OpImage %storage %si", "image/image-matches-sampled-image", "%storage"),
    ("%r = OpImageTexelPointer %itexel %sto %ij %i0", "image/texel-pointer-fits-image", "%itexel"),
    ("%r = OpImageTexelPointer %texel %sto %ij %i1", "image/texel-pointer-fits-image", "%i1"),
    ("%r = OpSampledImage %scube %i %s", "image/sampled-image-matches-operands", "%i"),
    ("%r = OpSampledImage %simg %i %i", "image/sampled-image-matches-operands", None),
]


@pytest.mark.parametrize("line", GOOD)
def test_good(line: str) -> None:
    check(image_module(line), env="spv1.5")


@pytest.mark.parametrize(("line", "rule", "part"), BAD)
def test_bad(line: str, rule: str, part: str | None) -> None:
    mark = f" ; error: {rule}" + (f" `{part}`" if part else "")
    check(image_module(line + mark), env="spv1.5")
