"""What single quick fixes write. That fixes remove their findings and add no errors, `test_cases` checks for all cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

import spvls
from spvls.diagnostic import Diagnostic
from tests.validate.fixes import applied, broken
from tests.validate.shaders import kernel, shader


def fixed(
    text: str, rule: str, title: str | None = None, *, env: str | None = None, options: Mapping[str, Any] | None = None
) -> str:
    """A text after the fix of that title, or the first one, of the first finding of a rule."""
    found = spvls.validate(text, target_env=env, options=options)
    assert not list(broken(text, found, env=env, options=options))
    diagnostic = next(diagnostic for diagnostic in found if diagnostic.rule == rule)
    fix = next(fix for fix in diagnostic.fixes if title in (None, fix.title))
    return applied(text, fix.edits)


def fixed_lines(text: str, rule: str, title: str | None = None, **more: Any) -> list[str]:
    """The lines that a fix adds or changes, without their white space."""
    before = {line.strip() for line in text.split("\n")}
    return [line.strip() for line in fixed(text, rule, title, **more).split("\n") if line.strip() not in before]


def preferred(diagnostic: Diagnostic) -> list[str]:
    return [fix.title for fix in diagnostic.fixes if fix.preferred]


# Resources and interfaces


_IMAGE = """\
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%ptr_sampled = OpTypePointer UniformConstant %sampled
%a = OpVariable %ptr_sampled UniformConstant
%c = OpVariable %ptr_sampled UniformConstant"""


def test_a_resource_gets_the_first_free_binding_of_its_set() -> None:
    given = "OpDecorate %a DescriptorSet 1\nOpDecorate %a Binding 0\nOpDecorate %c DescriptorSet 1"
    text = shader("", _IMAGE, annotations=given)
    assert fixed_lines(text, "memory/resource-has-set-and-binding", env="vulkan1.2") == ["OpDecorate %c Binding 1"]
    text = shader("", _IMAGE, annotations="OpDecorate %a DescriptorSet 0\nOpDecorate %a Binding 0")
    assert fixed_lines(text, "memory/resource-has-set-and-binding", env="vulkan1.2") == [
        "OpDecorate %c DescriptorSet 0",
        "OpDecorate %c Binding 1",
    ]


_OUTPUTS = """\
%out_mat = OpTypePointer Output %mat2x2
%out_f = OpTypePointer Output %float
%m = OpVariable %out_mat Output
%x = OpVariable %out_f Output"""


def test_an_output_gets_the_location_behind_all_others() -> None:
    text = shader("", _OUTPUTS, model="Vertex", interface="%m %x", annotations="OpDecorate %m Location 3")
    assert fixed_lines(text, "interface/locations-are-distinct", env="vulkan1.2") == ["OpDecorate %x Location 5"]


def test_the_first_decoration_stands_before_the_types() -> None:
    declarations = "%in_u = OpTypePointer Input %uint\n%index = OpVariable %in_u Input"
    text = shader("", declarations, model="Fragment", interface="%index", annotations="")
    mended = fixed(text, "interface/interpolation-fits-stage", env="vulkan1.2")
    assert "OpDecorate %index Flat\n%void = OpTypeVoid" in mended


def test_interpolation_that_has_no_place_is_taken_away() -> None:
    declarations = "%in_f = OpTypePointer Input %float\n%x = OpVariable %in_f Input"
    annotations = "OpDecorate %x Location 0\nOpDecorate %x Centroid"
    text = shader("", declarations, model="Vertex", interface="%x", annotations=annotations)
    assert fixed(text, "interface/interpolation-fits-stage", env="vulkan1.2") == text.replace("OpDecorate %x Centroid\n", "")


def test_the_interface_is_completed_at_once() -> None:
    body = "%p = OpLoad %float %x\n%q = OpLoad %float %y"
    declarations = "%in_f = OpTypePointer Input %float\n%x = OpVariable %in_f Input\n%y = OpVariable %in_f Input"
    text = shader(body, declarations, model="Fragment")
    found = [d for d in spvls.validate(text) if d.rule == "interface/used-variables-are-listed"]
    assert [preferred(d) for d in found] == [["List all that is missing: %x, %y"]] * 2
    mended = fixed(text, "interface/used-variables-are-listed", "List all that is missing: %x, %y")
    assert spvls.validate(mended) == []


# Layout

_BLOCK = """\
{types}
%Block = OpTypeStruct {members}
%ptr = OpTypePointer {storage} %Block
%block = OpVariable %ptr {storage}"""


def block(types: str, members: str, annotations: str = "", storage: str = "Uniform") -> str:
    more = "" if storage == "PushConstant" else "OpDecorate %block DescriptorSet 0\nOpDecorate %block Binding 0\n"
    return shader("", _BLOCK.format(types=types, members=members, storage=storage), annotations=more + annotations)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, [0, 16, 32]),
        ({"uniform_buffer_standard_layout": True}, [0, 16, 28]),
        ({"scalar_block_layout": True}, [0, 4, 16]),
    ],
)
def test_a_block_is_laid_out_by_the_chosen_rules(options: dict[str, Any], wanted: list[int]) -> None:
    text = block("%array = OpTypeArray %float %two", "%float %vec3 %array", "OpDecorate %Block Block")
    mended = fixed(text, "block-layout/layout-follows-storage-class", env="vulkan1.2", options=options)
    assert [int(offset) for offset in re.findall(r"OpMemberDecorate %Block \d Offset (\d+)", mended)] == wanted
    stride = 16 if not options else 4
    assert f"OpDecorate %array ArrayStride {stride}" in mended
    assert spvls.validate(mended, target_env="vulkan1.2", options=options) == []


def test_matrices_get_their_stride_and_order() -> None:
    text = block("", "%float %mat2x3", "OpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0")
    assert fixed_lines(text, "block-layout/layout-follows-storage-class", env="vulkan1.2") == [
        "OpMemberDecorate %Block 1 ColMajor",
        "OpMemberDecorate %Block 1 MatrixStride 16",
        "OpMemberDecorate %Block 1 Offset 16",
    ]


def test_good_offsets_stay_and_others_move() -> None:
    given = "OpDecorate %Block Block\n" + "\n".join(f"OpMemberDecorate %Block {n} Offset {at}" for n, at in enumerate((32, 36, 64)))
    text = block("", "%float %vec4 %float", given)
    found = [d for d in spvls.validate(text, target_env="vulkan1.2") if d.rule == "block-layout/layout-follows-storage-class"]
    assert preferred(found[0]) == []
    lines = fixed_lines(text, "block-layout/layout-follows-storage-class", "Lay %Block out by the extended (std140) rules", env="vulkan1.2")
    assert lines == ["OpMemberDecorate %Block 1 Offset 48"]


def test_nested_types_are_laid_out_along() -> None:
    types = "%Inner = OpTypeStruct %vec2 %float\n%inners = OpTypeRuntimeArray %Inner"
    text = block(types, "%uint %inners", "OpDecorate %Block Block", storage="StorageBuffer")
    mended = fixed(text, "block-layout/layout-follows-storage-class", env="vulkan1.2")
    assert spvls.validate(mended, target_env="vulkan1.2") == []
    for line in ("%Inner 1 Offset 8", "%inners ArrayStride 16", "%Block 1 Offset 8"):
        assert line in mended


def test_a_block_that_is_none_is_decorated_and_laid_out() -> None:
    text = block("", "%float %vec4", storage="PushConstant")
    assert fixed_lines(text, "block-layout/buffer-struct-is-block", env="vulkan1.2") == [
        "OpDecorate %Block Block",
        "OpMemberDecorate %Block 0 Offset 0",
        "OpMemberDecorate %Block 1 Offset 16",
    ]


# Types


@pytest.mark.parametrize(
    ("body", "rule", "added"),
    [
        ("%x = OpIAdd %int %i %i\nOpStore %pu %x", "memory/store-matches-pointee", "%x_as_uint = OpBitcast %uint %x"),
        ("OpStore %pu %l", "memory/store-matches-pointee", "%l_as_uint = OpUConvert %uint %l"),
        ("OpStore %pu %f", "memory/store-matches-pointee", "%f_as_uint = OpConvertFToU %uint %f"),
        ("%x = OpFAdd %float %f %i", "computation/float-operands-match-result", "%i_as_float = OpConvertSToF %float %i"),
        ("%x = OpFAdd %vec2 %v2 %u2", "computation/float-operands-match-result", "%u2_as_vec2 = OpConvertUToF %vec2 %u2"),
        ("%x = OpFOrdLessThan %bool %f %d", "computation/compared-operands-match", "%d_as_float = OpFConvert %float %d"),
        ("%x = OpFunctionCall %void %helper %u", "function/argument-types-match-parameters", "%u_as_float = OpConvertUToF %float %u"),
    ],
)
def test_conversions(body: str, rule: str, added: str) -> None:
    declarations = """\
%pf = OpTypePointer Private %uint
%pu = OpVariable %pf Private
%double = OpTypeFloat 64
%d = OpUndef %double
%fn_f = OpTypeFunction %void %float"""
    functions = "%helper = OpFunction %void None %fn_f\n%given = OpFunctionParameter %float\n%in = OpLabel\nOpReturn\nOpFunctionEnd"
    text = shader(body, declarations, capabilities="Float64", functions=functions)
    assert added in fixed_lines(text, rule)


@pytest.mark.parametrize("body", ["OpStore %pu %b", "OpStore %pu %v2", "OpStore %pu %m2x2"])
def test_no_conversion_where_none_is_sure(body: str) -> None:
    text = shader(body, "%pf = OpTypePointer Private %uint\n%pu = OpVariable %pf Private")
    (found,) = (d for d in spvls.validate(text) if d.rule == "memory/store-matches-pointee")
    assert found.fixes == ()


def test_kernels_have_integers_without_sign() -> None:
    text = kernel("OpStore %p %f", "%ptr = OpTypePointer CrossWorkgroup %uint\n%p = OpVariable %ptr CrossWorkgroup")
    (found,) = (d for d in spvls.validate(text) if d.rule == "memory/store-matches-pointee")
    assert [(fix.title, fix.preferred) for fix in found.fixes] == [("Take the bits of %f by OpBitcast", False)]


def test_a_store_converts_by_value_or_by_bits() -> None:
    text = shader("OpStore %pu %f", "%pf = OpTypePointer Private %uint\n%pu = OpVariable %pf Private")
    rule = "memory/store-matches-pointee"
    assert "%f_as_uint = OpConvertFToU %uint %f" in fixed_lines(text, rule)
    assert "%f_as_uint = OpBitcast %uint %f" in fixed_lines(text, rule, "Take the bits of %f by OpBitcast")


# Bounds


def test_an_index_out_of_bounds_becomes_the_last_one() -> None:
    assert fixed_lines(shader("%x = OpCompositeExtract %float %v2 2"), "computation/indexes-lead-to-part") == [
        "%x = OpCompositeExtract %float %v2 1"
    ]
    declarations = "%seven = OpConstant %uint 7\n%pv = OpTypePointer Private %vec2\n%pf = OpTypePointer Private %float\n%p = OpVariable %pv Private"
    text = shader("%x = OpAccessChain %pf %p %seven", declarations)
    assert fixed_lines(text, "pointer/access-chain-stays-in-bounds")[-1] == "%x = OpAccessChain %pf %p %one"
    text = shader("%x = OpVectorExtractDynamic %float %v2 %seven", declarations)
    assert fixed_lines(text, "computation/vector-index-is-in-bounds")[-1] == "%x = OpVectorExtractDynamic %float %v2 %one"


# Order


def order(text: str, rule: str, title: str, *words: str) -> list[str]:
    """Which of some words begin a line after a fix, in order."""
    lines = [line.split() for line in fixed(text, rule, title).split("\n") if line.strip()]
    return [line[0] for line in lines if line[0] in words]


def test_a_declaration_moves_before_its_use_or_the_use_after_it() -> None:
    declarations = "%array = OpTypeArray %float %seven\n%seven = OpConstant %uint 7\n%ptr = OpTypePointer Private %array"
    text, rule = shader("", declarations), "id/is-defined-before-use"
    titles = "Move the definition of %seven before its use", "Move %array after the definition of %seven"
    for title in titles:
        assert order(text, rule, title, "%array", "%seven", "%ptr") == ["%seven", "%array", "%ptr"]
    (found,) = (d for d in spvls.validate(text) if d.rule == rule)
    assert [fix.title for fix in found.fixes] == list(titles)
    assert preferred(found) == [titles[0]]


def test_a_use_that_cannot_move_stays() -> None:
    declarations = "%array = OpTypeArray %float %seven\n%ptr = OpTypePointer Private %array\n%seven = OpConstant %uint 7"
    (found,) = (d for d in spvls.validate(shader("", declarations)) if d.rule == "id/is-defined-before-use")
    assert [fix.title for fix in found.fixes] == ["Move the definition of %seven before its use"]


def test_an_instruction_moves_before_its_use_where_its_operands_are_known() -> None:
    text, rule = shader("%x = OpFAdd %float %y %f\n%y = OpFMul %float %f %f"), "id/is-defined-before-use"
    for title in ("Move the definition of %y before its use", "Move %x after the definition of %y"):
        assert order(text, rule, title, "%x", "%y") == ["%y", "%x"]
    body = "%x = OpFAdd %float %y %f\n%z = OpFMul %float %f %f\n%y = OpFMul %float %z %z"
    (found,) = (d for d in spvls.validate(shader(body)) if d.rule == rule)
    assert [fix.title for fix in found.fixes] == ["Move %x after the definition of %y"]


def test_a_definition_moves_to_the_block_that_dominates_its_use() -> None:
    body = """\
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
%y = OpFMul %float %f %f
OpBranch %end
%end = OpLabel
%x = OpFAdd %float %y %f"""
    text = shader(body)
    (found,) = (d for d in spvls.validate(text) if d.rule == "id/definition-dominates-uses")
    (fix,) = found.fixes
    assert order(text, found.rule, fix.title, "%y", "OpSelectionMerge", "%then", "%x") == ["%y", "OpSelectionMerge", "%then", "%x"]


def test_one_fault_has_one_finding() -> None:
    def found(text: str) -> list[str]:
        return [d.rule for d in spvls.validate(text, target_env="vulkan1.1")]

    assert found(shader("%x = OpFAdd %late %f %f\n%late = OpFMul %float %f %f")) == ["id/result-type-is-type"]
    text = shader("").replace("OpEntryPoint GLCompute %main", "OpEntryPoint GLCompute %float")
    at_entry_point = [d.rule for d in spvls.validate(text, target_env="vulkan1.1") if d.range is not None and d.range.start.line == 5]
    assert at_entry_point == ["entry-point/function-is-void-without-parameters"]


def test_the_id_of_a_conversion_is_new() -> None:
    text = shader("%i_as_float = OpUndef %float\n%x = OpFAdd %float %i %f")
    assert "%i_as_float_1 = OpConvertSToF %float %i" in fixed_lines(text, "computation/float-operands-match-result")


def test_a_comparison_gives_bool() -> None:
    assert fixed_lines(shader("%x = OpIEqual %uint %u %u"), "computation/compared-operands-match") == ["%x = OpIEqual %bool %u %u"]
    assert fixed_lines(shader("%x = OpIEqual %uint %u2 %u2"), "computation/compared-operands-match") == ["%x = OpIEqual %bvec2 %u2 %u2"]


def test_a_chain_gets_a_pointer_type_that_is_declared_for_it() -> None:
    declarations = "%ptr = OpTypePointer Private %vec4\n%v = OpVariable %ptr Private\n%wrong = OpTypePointer Function %float"
    text = shader("%x = OpAccessChain %wrong %v %zero", declarations)
    assert fixed_lines(text, "pointer/access-chain-keeps-storage-class") == [
        "%_ptr_Private_float = OpTypePointer Private %float",
        "%x = OpAccessChain %_ptr_Private_float %v %zero",
    ]


def test_a_type_that_is_declared_again_gives_way_to_the_first() -> None:
    text = """\
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %again "again"
%int = OpTypeInt 32 1
%again = OpTypeInt 32 1
%vec = OpTypeVector %again 2
%five = OpConstant %again 5
%fn = OpTypeFunction %again %vec
%f = OpFunction %again None %fn
%p = OpFunctionParameter %vec
%b = OpLabel
OpReturnValue %five
OpFunctionEnd
"""
    mended = fixed(text, "type/non-aggregate-type-is-unique")
    assert "again" not in mended
    assert spvls.validate(mended) == []


# Memory

_PHYSICAL = """\
%ptr = OpTypePointer PhysicalStorageBuffer %uint
%ptr_ptr = OpTypePointer Private %ptr
%p = OpVariable %ptr_ptr Private"""


@pytest.mark.parametrize(
    ("mask", "wanted"),
    [
        ("", "Aligned 4"),
        (" None", "Aligned 4"),
        (" Volatile", "Volatile|Aligned 4"),
        (" MakePointerVisible|NonPrivatePointer %two", "MakePointerVisible|NonPrivatePointer|Aligned 4 %two"),
        (" Aligned 2", "Aligned 4"),
    ],
)
def test_the_alignment_of_an_address(mask: str, wanted: str) -> None:
    text = shader(
        f"%a = OpLoad %ptr %p\n%x = OpLoad %uint %a{mask}",
        _PHYSICAL,
        capabilities="PhysicalStorageBufferAddresses VulkanMemoryModel VulkanMemoryModelDeviceScope",
        memory_model="Vulkan",
        annotations="OpDecorate %p AliasedPointer",
    ).replace("OpMemoryModel Logical", "OpMemoryModel PhysicalStorageBuffer64")
    assert fixed_lines(text, "memory/alignment-fits-access") == [f"%x = OpLoad %uint %a {wanted}"]


# Versions


def test_the_version_is_raised_where_the_text_says_it() -> None:
    body = "%s = OpUndef %S\n%t = OpCopyLogical %T %s"
    declarations = "%S = OpTypeStruct %float\n%T = OpTypeStruct %float"
    module = shader(body, declarations)
    for head, wanted in (
        ("; SPIR-V\n; Version: 1.3", "; Version: 1.4"),
        ("; spvls: target-env=spv1.2", "; spvls: target-env=spv1.4"),
        ("; spvls: target-env=vulkan1.1", "; spvls: target-env=vulkan1.1spv1.4"),
    ):
        lines = fixed_lines(f"{head}\n{module}", "capability/uses-exist-in-version", "Raise the version to SPIR-V 1.4")
        assert lines == [wanted]
    found = [d for d in spvls.validate(module, target_env="spv1.3") if d.rule == "capability/uses-exist-in-version"]
    assert [d.fixes for d in found] == [()]


def test_a_version_that_wants_a_whole_interface_gets_it() -> None:
    declarations = "%ptr = OpTypePointer Private %float\n%x = OpVariable %ptr Private\n%y = OpVariable %ptr Private"
    text = f"; Version: 1.3\n{shader('OpCopyMemory %x %y Aligned 4 Volatile', declarations)}"
    assert fixed_lines(text, "memory/second-mask-fits-version") == ["; Version: 1.4", 'OpEntryPoint GLCompute %main "main" %x %y']


# Ids


def test_a_label_is_no_value_and_a_value_no_label() -> None:
    text = shader("OpBranch %nexts\n%next = OpLabel")
    (found,) = [d for d in spvls.validate(text) if d.rule == "id/is-defined-before-use"]
    assert preferred(found) == ["Change to %next"]
    text = shader("%nexts = OpIAdd %uint %u %u\nOpBranch %next\n%last = OpLabel")
    found = next(d for d in spvls.validate(text) if d.rule == "id/is-defined-before-use")
    assert found.fixes == ()


# Undefined ids


_UNDECLARED = """\
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%v4float = OpTypeVector %f32 4
  %main = OpFunction %void None %fn
%entry = OpLabel
"""


def test_a_name_says_what_is_to_be_declared() -> None:
    text = f"{_UNDECLARED}%a = OpCompositeConstruct %v2float %float_0_5 %float_0_5\nOpReturn\nOpFunctionEnd\n"
    found = spvls.validate(text)
    assert [(one.message, preferred(one)) for one in found] == [
        ("%v2float is not defined; did you mean %v4float?", ["Declare %v2float = OpTypeVector %f32 2"]),
        ("%float_0_5 is not defined", ["Declare %float_0_5 = OpConstant %f32 0.5"]),
    ]
    assert fixed_lines(text, "id/is-defined-before-use") == ["%v2float = OpTypeVector %f32 2"]
    assert "\n  %v2float = OpTypeVector %f32 2\n  %main = OpFunction" in fixed(text, "id/is-defined-before-use")


def test_a_name_may_be_that_of_a_type_with_another_id() -> None:
    text = f"{_UNDECLARED}%a = OpUndef %float\nOpReturn\nOpFunctionEnd\n"
    (found,) = spvls.validate(text)
    assert [fix.title for fix in found.fixes] == ["Change to %f32"]


def test_a_variable_is_declared_by_how_it_is_used() -> None:
    text = shader("%a = OpLoad %vec4 %color\nOpStore %color %a", model="Fragment")
    (found,) = spvls.validate(text)
    assert [fix.title for fix in found.fixes] == ["Declare %color as a variable of the function"]
    assert fixed_lines(text, found.rule, "Declare %color as a variable of the function") == [
        "%_ptr_Function_vec4 = OpTypePointer Function %vec4",
        "%color = OpVariable %_ptr_Function_vec4 Function",
    ]
    loaded = shader("%a = OpLoad %vec4 %color", model="Fragment")
    after = fixed(loaded, found.rule, "Declare %color as an input variable", env="vulkan1.2")
    assert spvls.validate(after, target_env="vulkan1.2") == []
    assert "OpDecorate %color Location 0\n" in after
    counted = shader("%a = OpLoad %uint %count", model="Fragment")
    after = fixed(counted, found.rule, "Declare %count as an input variable", env="vulkan1.2")
    assert spvls.validate(after, target_env="vulkan1.2") == []


# Phis


_PHI = """\
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
%local = OpFAdd %float %f1 %f1
OpBranch %end
%end = OpLabel
%phi = OpPhi %float PAIRS"""
_NAMES_EACH = "control-flow/phi-names-each-predecessor-once"


def _phi(pairs: str) -> str:
    constants = "%f1 = OpConstant %float 1\n%f2 = OpConstant %float 2\n%bool = OpTypeBool\n%true = OpConstantTrue %bool"
    return shader(_PHI.replace("PAIRS", pairs), constants)


@pytest.mark.parametrize(
    ("pairs", "title", "line"),
    [
        ("%f1 %then", "Take %f1 from %entry", "%phi = OpPhi %float %f1 %then %f1 %entry"),
        ("%local %then", "Take an undefined value from %entry", "%phi = OpPhi %float %local %then %f %entry"),
        ("%f1 %entry %f1 %then %f1 %then", "Remove %f1 from %then", "%phi = OpPhi %float %f1 %entry %f1 %then"),
        ("%f1 %entry %f2 %then %f1 %end", "Remove %f1 from %end", "%phi = OpPhi %float %f1 %entry %f2 %then"),
        ("%f1 %then %f2 %end", "Let %f2 come from %entry", "%phi = OpPhi %float %f1 %then %f2 %entry"),
    ],
)
def test_a_phi_gets_a_pair_for_each_predecessor(pairs: str, title: str, line: str) -> None:
    assert " ".join(fixed_lines(_phi(pairs), _NAMES_EACH, title)[-1].split()) == line


def test_an_undefined_value_is_declared() -> None:
    text = _phi("%local %then").replace("%f = OpUndef %float", "%f = OpConstant %float 3")
    added = fixed_lines(text, _NAMES_EACH, "Take an undefined value from %entry")
    assert [" ".join(line.split()) for line in added] == [
        "%undef_float = OpUndef %float", "%phi = OpPhi %float %local %then %undef_float %entry"
    ]  # fmt: skip


def test_a_value_is_not_taken_from_where_it_is_not_there() -> None:
    (found,) = (found for found in spvls.validate(_phi("%local %then")) if found.rule == _NAMES_EACH)
    assert [fix.title for fix in found.fixes] == ["Take an undefined value from %entry"]
    assert preferred(found) == []


# Interfaces


def test_what_an_interface_must_not_list_is_removed_with_the_blank_before_it() -> None:
    text = shader("", "%ptr = OpTypePointer Private %float\n%p = OpVariable %ptr Private").replace(" \n", "\n")
    entry = next(line for line in text.split("\n") if line.startswith("OpEntryPoint"))
    rule = "interface/listed-variables-are-global"
    surplus = text.replace(entry, f"{entry} %p")
    assert fixed(surplus, rule, env="spv1.3") == text
    twice = text.replace(entry, f"{entry} %p %p")
    assert fixed(twice, rule, env="spv1.4") == surplus


# Widths of types


@pytest.mark.parametrize(
    ("declaration", "capability"),
    [
        ("OpTypeInt 8 0", "Int8"), ("OpTypeInt 16 1", "Int16"), ("OpTypeInt 64 0", "Int64"),
        ("OpTypeFloat 16", "Float16"), ("OpTypeFloat 64", "Float64"),
    ],
)  # fmt: skip
def test_the_capability_of_a_width_is_declared(declaration: str, capability: str) -> None:
    kind = "integer" if "Int" in declaration else "float"
    text = f"OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%wide = {declaration}\n"
    assert fixed_lines(text, f"type/{kind}-width-is-enabled") == [f"OpCapability {capability}"]
