"""Rules of `capability/deprecation`: what versions and extensions deprecate."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.advice import ADVICE, advice_function
from tests.validate.sources.annotation import ANNOTATION_ROUNDED, annotation_module


def test_an_instruction_is_deprecated_by_an_extension() -> None:
    body = "%v = OpVariable %pointer Function\n%u = OpUndef %float{found}\nOpStore %v %u"
    check(advice_function(body.format(found="")), options=ADVICE)
    declared = 'OpExtension "SPV_KHR_poison_freeze"'
    hint = " ; hint: capability/opcode-is-not-deprecated `OpUndef`"
    (found,) = check(advice_function(body.format(found=hint), more=declared), options=ADVICE)
    assert found.tags == ("deprecated",)
    assert found.message == "OpUndef is deprecated by SPV_KHR_poison_freeze; use OpPoisonKHR with OpFreezeKHR"


def test_enumerants_are_deprecated() -> None:
    check(
        advice_function(
            "%v = OpVariable %pointer Function\n%sum = OpFAdd %float %one %one\nOpStore %v %sum",
            names="OpDecorate %sum NoContraction ; hint: capability/enumerant-is-not-deprecated `NoContraction`",
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
    check(text.format(found=" ; hint: capability/enumerant-is-not-deprecated `BufferBlock`"), env="spv1.3", options=ADVICE)


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
    hint = " ; hint: capability/extended-instruction-is-not-deprecated `fma`"
    check(text.format(more="", found=""), options=ADVICE)
    check(text.format(more='OpExtension "SPV_KHR_fma"', found=hint), options=ADVICE)


def test_only_who_asks_is_given_advice() -> None:
    assert spvls.validate(advice_function("%sum = OpFAdd %float %one %one")) == []


@pytest.mark.parametrize(
    "line",
    [
        "OpDecorate %T Block",
        "OpDecorate %int Block ; error: decoration/fits-target-opcode `%int`",
        "OpDecorate %array ArrayStride 16",
        "OpDecorate %int ArrayStride 16 ; error: decoration/fits-target-opcode `%int`",
        "OpDecorate %spec SpecId 1",
        "OpDecorate %four SpecId 1 ; error: decoration/fits-target-opcode `%four`",
        "OpDecorate %in Flat",
        "OpDecorate %four Flat ; error: decoration/fits-target-opcode `%four`",
        "OpDecorate %in Location 0",
        "OpDecorate %float Location 0 ; error: decoration/fits-target-opcode `%float`",
        "OpDecorate %in BuiltIn PointSize",
        "OpDecorate %float BuiltIn PointSize ; error: decoration/fits-target-opcode `%float`",
        "OpDecorate %in BuiltIn WorkgroupSize ; error: decoration/fits-target-opcode `%in`",
        "OpMemberDecorate %S 1 ColMajor",
        "OpMemberDecorate %S 2 ColMajor ; error: decoration/member-exists-and-fits `2`",
        "OpMemberDecorate %int 0 ColMajor ; error: decoration/member-exists-and-fits `%int`",
        "OpMemberDecorate %S 0 Block ; error: decoration/member-exists-and-fits `Block`",
        "OpDecorate %variable RowMajor ; error: decoration/matrix-decoration-is-on-member `RowMajor`",
        "OpDecorate %group RelaxedPrecision\n%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
        "OpGroupDecorate %group %in %out ; warning: capability/core-use-is-not-deprecated",
        "%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
        "OpGroupDecorate %group %group ; error: decoration/group-decorate-names-group ; warning: capability/core-use-is-not-deprecated",
        '%str = OpString "s"\nOpGroupDecorate %str %in ; error: decoration/group-decorate-names-group `%str` ; warning: capability/core-use-is-not-deprecated',
        "%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
        "OpGroupMemberDecorate %group %S 0 ; warning: capability/core-use-is-not-deprecated",
        "%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
        "OpGroupMemberDecorate %group %S 2 ; error: decoration/group-decorate-names-group `2` ; warning: capability/core-use-is-not-deprecated",
        "%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated\n"
        "OpGroupMemberDecorate %group %int 0 ; error: decoration/group-decorate-names-group `%int` ; warning: capability/core-use-is-not-deprecated",
        "OpMemberDecorate %group 0 Offset 0\n%group = OpDecorationGroup ; error: decoration/group-users-are-permitted `%group` ; warning: capability/core-use-is-not-deprecated",
        'OpName %group "g"\n%group = OpDecorationGroup ; warning: capability/core-use-is-not-deprecated',
        'OpMemberName %S 1 "m"',
        'OpMemberName %S 2 "m" ; error: module/member-name-names-member `2`',
        'OpMemberName %int 0 "m" ; error: module/member-name-names-member `%int`',
    ],
)
def test_annotations(line: str) -> None:
    check(annotation_module(line), env="spv1.3")


@pytest.mark.parametrize(("mode", "fits"), [("RTE", True), ("RTP", False)])
def test_rounding_modes_in_vulkan(mode: str, fits: bool) -> None:
    text = shader(
        "%r = OpFConvert %half %f\nOpStore %o %r",
        ANNOTATION_ROUNDED.format("%half"),
        annotations=f"OpDecorate %r FPRoundingMode {mode}\nOpDecorate %o Location 0",
        capabilities="Float16 StorageInputOutput16",
        model="Vertex",
    ).replace('"main"', '"main" %o')
    found = [d.vuid for d in spvls.validate(text, target_env="vulkan1.3")]
    assert found == ([] if fits else ["VUID-StandaloneSpirv-FPRoundingMode-04675"])
