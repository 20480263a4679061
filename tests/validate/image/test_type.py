"""Rules of `image/type`: OpTypeImage, OpTypeSampledImage."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.sources.image import image_module


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("%t = OpTypeImage %float SubpassData 0 0 0 1 Unknown", "image/image-type-is-consistent"),
        ("%t = OpTypeImage %float 2D 3 0 0 1 Unknown", "image/image-type-is-consistent"),
        ("%t = OpTypeImage %bool 2D 0 0 0 1 Unknown", "image/image-type-is-consistent"),
        ("%t = OpTypeSampledImage %storage", "image/sampled-image-type-fits-image"),
        ("%t = OpTypeSampledImage %float", "image/sampled-image-type-fits-image"),
    ],
)
def test_types(line: str, rule: str) -> None:
    check(image_module("", f"{line} ; error: {rule}\n"), env="spv1.5")
