"""Findings under edits are those of a validation from scratch."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.validate.checker import Checker
from spvls.validate.report import diagnostics

_SHADER = """OpCapability Shader
OpCapability Int64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %colour %in
OpExecutionMode %main OriginUpperLeft
OpName %main "main"
OpName %colour "colour"
OpName %Block "Block"
OpDecorate %colour Location 0
OpDecorate %in Location 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %v RelaxedPrecision
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%v4 = OpTypeVector %float 4
%three = OpConstant %uint 3
%arr = OpTypeArray %float %three
%Block = OpTypeStruct %float
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%pf = OpTypePointer Function %float
%in = OpVariable %pin Input
%colour = OpVariable %pout Output
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%c = OpConstantComposite %v4 %f0 %f1 %f0 %f1
%ffn = OpTypeFunction %float %float
%helper = OpFunction %float None %ffn
%p = OpFunctionParameter %float
%hl = OpLabel
%hv = OpVariable %pf Function
OpStore %hv %p
%hr = OpFAdd %float %p %f1
OpReturnValue %hr
OpFunctionEnd
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpLoad %v4 %in
%w = OpFAdd %v4 %v %c
%x = OpCompositeExtract %float %w 0
%y = OpFunctionCall %float %helper %x
%s = OpExtInst %float %glsl Sqrt %y
%cond = OpFOrdLessThan %bool %s %f1
OpSelectionMerge %end None
OpBranchConditional %cond %then %end
%then = OpLabel
OpStore %colour %w
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""

_PIECES = [
    "", " ", "\n", "%", "%v4", "%float", "%int", "%f1", "%c", "%main", "%helper", "OpReturn\n", "OpFunctionEnd\n", "0", "1", "x",
    "OpCapability Float64\n", "OpCapability Kernel\n", "%q = OpConstant %float 2\n", "OpDecorate %c RelaxedPrecision\n",
    "%then = OpLabel\n", "OpBranch %end\n", "OpMemberDecorate %Block 0 Offset 4\n", "%float = OpTypeFloat 64\n", '"', "; ",
]  # fmt: skip


def _key(document: Document, checker: Checker) -> list[tuple[object, ...]]:
    found = diagnostics(checker, document)
    return [(d.range, d.rule, d.message, d.instruction, d.vuid, d.related, d.fixes) for d in found]


def _random_edit(document: Document, chance: random.Random) -> tuple[Range, str]:
    line = chance.randrange(len(document.lines))
    kind = chance.randrange(4)
    if kind == 0:  # a line goes
        return Range(Position(line, 0), Position(line + 1, 0)), ""
    if kind == 1:  # a line moves here
        return Range(Position(line, 0), Position(line, 0)), chance.choice(document.lines)
    start = chance.randrange(len(document.lines[line]) + 1)
    end = min(start + chance.choice([0, 0, 1, 3, 8]), len(document.lines[line]))
    return Range(Position(line, start), Position(line, end)), chance.choice(_PIECES)


@given(st.integers(0, 2**32), st.sampled_from(["spv1.6", "vulkan1.2"]))
def test_incremental_is_from_scratch(seed: int, env: str) -> None:
    chance = random.Random(seed)
    target = environment(env)
    document = Document(_SHADER)
    checker = Checker(Module(document.chunks, target))
    diagnostics(checker, document)
    for _ in range(6):
        edits = [_random_edit(document, chance) for _ in range(chance.choice([1, 1, 2]))]
        checker.update(document.edit(edits))
        fresh = Document(document.text)
        assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, target))), (seed, edits)
