"""Rules of `image/tile_image`: tile images."""

from __future__ import annotations

from tests.validate.check import check

_TILE = """OpCapability Shader
OpCapability TileImageColorReadAccessEXT
OpCapability TileImageDepthReadAccessEXT
OpExtension "SPV_EXT_shader_tile_image"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%main = OpFunction %void None %fn
%entry = OpLabel
"""


def test_tile_reads() -> None:
    check(f"{_TILE}%d = OpDepthAttachmentReadEXT %float\nOpReturn\nOpFunctionEnd\n", env="spv1.5")
    bad = "%d = OpDepthAttachmentReadEXT %uint ; error: image/tile-read-matches-attachment `%uint`"
    check(f"{_TILE}{bad}\nOpReturn\nOpFunctionEnd\n", env="spv1.5")
