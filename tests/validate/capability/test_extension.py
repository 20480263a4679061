"""Rules of `capability/extension`: OpExtension."""

from __future__ import annotations

from tests.validate.check import check


def test_extensions_are_known_and_of_their_version() -> None:
    text = 'OpCapability Shader\nOpCapability Linkage\nOpExtension "{}"{}\nOpMemoryModel Logical GLSL450'
    check(text.format("SPV_KHR_multiview", ""))
    (diagnostic,) = check(text.format("SPV_KHR_multivew", ' ; warning: capability/extension-is-known `"SPV_KHR_multivew"`'))
    assert "did you mean SPV_KHR_multiview" in diagnostic.message
    check(text.format("SPV_EXT_mesh_shader", " ; error: capability/extension-fits-version"), env="spv1.3")
    check(text.format("SPV_EXT_mesh_shader", ""), env="spv1.4")
