"""Rules of `image/sampled_image`: OpSampledImage, OpImage."""

from __future__ import annotations

from tests.validate.check import check
from tests.validate.sources.image import image_module


def test_sampled_images_are_used_in_their_block() -> None:
    body = (
        "%late = OpSampledImage %simg %i %s ; error: image/sampled-image-stays-in-block\nOpBranch %next\n%next = OpLabel\n"
        "%r = OpImageSampleImplicitLod %v4 %late %xy"
    )
    check(image_module(body), env="spv1.5")
