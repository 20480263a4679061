"""Modules for the tests of refactorings of functions, and what refactorings make of them."""

from __future__ import annotations

import spvls
from spvls.diagnostic import Position
from spvls.ide.refactor.offers import edits_of, refactorings
from spvls.ide.source.source_module import SourceModule
from spvls.text.edits import edited

_SHADER = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
{annotations}
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%local_float = OpTypePointer Function %float
%in = OpVariable %in_float Input
%out = OpVariable %out_float Output
%true = OpConstantTrue %bool
%zero = OpConstant %float 0
%one = OpConstant %float 1
{declarations}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
{functions}
"""


def shader(body: str, declarations: str = "", annotations: str = "", functions: str = "") -> str:
    """A fragment shader. `«` and `»` around whole lines of the body mark a selection, `‸` the cursor."""
    text = _SHADER.format(body=body, declarations=declarations, annotations=annotations, functions=functions)
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def _read(text: str) -> tuple[str, Position, Position | None]:
    """A text without its marks, and what is selected in it."""
    places: dict[str, Position] = {}
    lines = text.split("\n")
    for number in range(len(lines)):
        for mark in "«‸»":
            if mark in lines[number]:
                places[mark] = Position(number, lines[number].index(mark))
                lines[number] = lines[number].replace(mark, "")
    if "‸" in places:
        return "\n".join(lines), places["‸"], None
    return "\n".join(lines), places["«"], places["»"]


def keys(text: str) -> set[str]:
    """What is offered."""
    plain, start, end = _read(text)
    return {found.key for found in refactorings(SourceModule(plain), start, end)}


def done(text: str, key: str) -> str:
    """A sound text after a refactoring; it is sound then as well."""
    plain, start, end = _read(text)
    assert [found.message for found in spvls.validate(plain)] == []
    edits = edits_of(SourceModule(plain), start, key, end)
    assert edits
    after = edited(plain, edits)
    assert [f"{found.message}\n{after}" for found in spvls.validate(after)] == []
    return after


def changed(text: str, key: str) -> tuple[list[str], list[str]]:
    """The lines that a refactoring takes away, and those that it adds."""
    before, after = _read(text)[0].split("\n"), done(text, key).split("\n")
    return [line for line in before if line not in after], [line for line in after if line not in before]


def body(text: str, key: str, function: str = "main") -> list[str]:
    """The lines of a function after a refactoring."""
    lines = done(text, key).split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(f"%{function} = OpFunction "))
    return lines[first : lines.index("OpFunctionEnd", first) + 1]
