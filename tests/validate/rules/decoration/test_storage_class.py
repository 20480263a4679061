"""Rules of `decoration/storage_class`: decorations by storage class."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.sources.annotation import annotation_module


@pytest.mark.parametrize(
    ("line", "vuid"),
    [
        ("OpDecorate %in Location 0", None),
        ("OpDecorate %variable Location 0", "VUID-StandaloneSpirv-Location-06672"),
        ("OpDecorate %variable Binding 0", "VUID-StandaloneSpirv-DescriptorSet-06491"),
        ("OpDecorate %variable Flat", "VUID-StandaloneSpirv-Flat-04670"),
        ("OpDecorate %in Index 0", None),
    ],
)
def test_storage_classes_in_vulkan(line: str, vuid: str | None) -> None:
    found = [d for d in spvls.validate(annotation_module(line), target_env="vulkan1.3") if d.rule == "decoration/fits-vulkan-storage-class"]
    assert [d.vuid for d in found] == ([vuid] if vuid or "Index" in line else [])
