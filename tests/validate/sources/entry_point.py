"""Parts of modules for the tests of several subjects: entry point."""

from __future__ import annotations

ENTRY_POINT_TYPES = """\
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%half = OpTypeFloat 16
"""
ENTRY_POINT_MAIN = "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"


def entry_point_module(
    model: str, modes: str = "", *, capabilities: str = "Shader", at_entry: str = "", extensions: str = "", more: str = ""
) -> str:
    """A module with an entry point of a model and its modes; `at_entry` stands at the end of its line."""
    declared = "".join(f"OpCapability {name}\n" for name in f"{capabilities} Float16".split())
    named = "".join(f'OpExtension "{name}"\n' for name in extensions.split())
    memory = "Physical32 OpenCL" if "Kernel" in capabilities else "Logical GLSL450"
    heading = f'{declared}{named}OpMemoryModel {memory}\nOpEntryPoint {model} %main "main"{at_entry}\n'
    return f"{heading}{modes}\n{ENTRY_POINT_TYPES}{more}{ENTRY_POINT_MAIN}"


ENTRY_POINT_ORIGIN = "OpExecutionMode %main OriginUpperLeft"
