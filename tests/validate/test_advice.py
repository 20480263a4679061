"""Hints on what is deprecated, unused or never reached, for those who want advice."""

from __future__ import annotations

import spvls
from tests.validate.check import check

ADVICE = {"advice": True}

FUNCTION = """\
OpCapability Shader
{more}
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
{names}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%pointer = OpTypePointer Function %float
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
"""


def _function(body: str, *, more: str = "", names: str = "") -> str:
    return FUNCTION.format(body=body, more=more, names=names)


def test_an_instruction_is_deprecated_by_an_extension() -> None:
    body = "%v = OpVariable %pointer Function\n%u = OpUndef %float{found}\nOpStore %v %u"
    check(_function(body.format(found="")), options=ADVICE)
    declared = 'OpExtension "SPV_KHR_poison_freeze"'
    hint = " ; hint: deprecation/opcode `OpUndef`"
    (found,) = check(_function(body.format(found=hint), more=declared), options=ADVICE)
    assert found.tags == ("deprecated",)
    assert found.message == "OpUndef is deprecated by SPV_KHR_poison_freeze; use OpPoisonKHR with OpFreezeKHR"


def test_enumerants_are_deprecated() -> None:
    check(
        _function(
            "%v = OpVariable %pointer Function\n%sum = OpFAdd %float %one %one\nOpStore %v %sum",
            names="OpDecorate %sum NoContraction ; hint: deprecation/enumerant `NoContraction`",
            more='OpExtension "SPV_KHR_float_controls2"',
        ),
        options=ADVICE,
    )


def test_a_replacement_must_be_there() -> None:
    text = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %S BufferBlock{found}
OpMemberDecorate %S 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%S = OpTypeStruct %float
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"""
    check(text.format(found=""), env="spv1.0", options=ADVICE)
    check(text.format(found=" ; hint: deprecation/enumerant `BufferBlock`"), env="spv1.3", options=ADVICE)


def test_extended_instructions_are_deprecated_by_extensions() -> None:
    text = """\
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
{more}
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
%float = OpTypeFloat 32
%fn = OpTypeFunction %float %float
%f = OpFunction %float None %fn
%x = OpFunctionParameter %float
%entry = OpLabel
%r = OpExtInst %float %cl fma %x %x %x{found}
OpReturnValue %r
OpFunctionEnd
"""
    hint = " ; hint: deprecation/extended-instruction `fma`"
    check(text.format(more="", found=""), options=ADVICE)
    check(text.format(more='OpExtension "SPV_KHR_fma"', found=hint), options=ADVICE)


def test_a_value_that_nothing_uses() -> None:
    body = "%sum = OpFAdd %float %one %one{found}"
    (found,) = check(_function(body.format(found=" ; hint: unnecessary/result `%sum`")), options=ADVICE)
    assert found.tags == ("unnecessary",)
    check(_function(body.format(found=" ; hint: unnecessary/result `%sum`"), names='OpName %sum "sum"'), options=ADVICE)
    check(_function("%v = OpVariable %pointer Function\n%read = OpLoad %float %v Volatile"), options=ADVICE)
    check(
        _function("%v = OpVariable %pointer Function\n%read = OpLoad %float %v ; hint: unnecessary/result `%read`"),
        options=ADVICE,
    )


def test_a_block_that_nothing_leads_to() -> None:
    body = "OpReturn\n%late = OpLabel{found}"
    check(_function(body.format(found=" ; hint: unnecessary/block `%late`")), options=ADVICE)
    merge = """\
OpSelectionMerge %end None
OpBranchConditional %true %left %right
%left = OpLabel
OpReturn
%right = OpLabel
OpReturn
%end = OpLabel
OpUnreachable
%more = OpLabel ; hint: unnecessary/block `%more`"""
    text = _function(merge).replace("%void = OpTypeVoid\n", "%void = OpTypeVoid\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n")
    check(text, options=ADVICE)


def test_only_who_asks_is_given_advice() -> None:
    assert spvls.validate(_function("%sum = OpFAdd %float %one %one")) == []
