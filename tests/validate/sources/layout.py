"""Parts of modules for the tests of several subjects: layout."""

from __future__ import annotations

LAYOUT_HEAD = "OpCapability Shader\nOpCapability Linkage\n"
LAYOUT_MODEL = "OpMemoryModel Logical GLSL450\n"
LAYOUT_TYPES = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
LAYOUT_FUNCTION = "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
