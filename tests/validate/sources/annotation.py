"""Parts of modules for the tests of several subjects: annotation."""

from __future__ import annotations

ANNOTATION_HEAD = "OpCapability Shader\nOpCapability Linkage\nOpCapability Matrix\n"
ANNOTATION_MODEL = "OpMemoryModel Logical GLSL450\n"
ANNOTATION_TYPES = """\
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%mat = OpTypeMatrix %vec4 4
%four = OpConstant %int 4
%spec = OpSpecConstant %int 4
%spec3 = OpConstant %int 3
%array = OpTypeArray %float %four
%S = OpTypeStruct %float %mat
%T = OpTypeStruct %float
%private = OpTypePointer Private %float
%input = OpTypePointer Input %float
%output = OpTypePointer Output %vec4
%variable = OpVariable %private Private
%in = OpVariable %input Input
%out = OpVariable %output Output
"""


def annotation_module(annotations: str, more: str = "", capabilities: str = "", extensions: str = "") -> str:
    """A library with annotations of the types and variables above."""
    declared = "".join(f"OpCapability {name}\n" for name in capabilities.split())
    named = "".join(f'OpExtension "{name}"\n' for name in extensions.split())
    return f"{ANNOTATION_HEAD}{declared}{named}{ANNOTATION_MODEL}{annotations}\n{ANNOTATION_TYPES}{more}"


ANNOTATION_ROUNDED = "%half = OpTypeFloat 16\n%ptr = OpTypePointer Output {}\n%o = OpVariable %ptr Output"
