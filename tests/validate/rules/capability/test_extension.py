"""Rules of `capability/extension`: OpExtension."""

from __future__ import annotations

import spvls


def test_a_misspelt_extension_is_corrected() -> None:
    text = 'OpCapability Shader\nOpCapability Linkage\nOpExtension "SPV_KHR_multivew"\nOpMemoryModel Logical GLSL450'
    (diagnostic,) = spvls.validate(text)
    assert "did you mean SPV_KHR_multiview" in diagnostic.message
