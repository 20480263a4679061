"""The order of sections, of what functions and blocks are made of; the header; universal limits."""

from __future__ import annotations

import struct

import pytest

import spvls
from tests.validate.check import check

HEAD = "OpCapability Shader\nOpCapability Linkage\n"
MODEL = "OpMemoryModel Logical GLSL450\n"
TYPES = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
FUNCTION = "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"


@pytest.mark.parametrize(
    "text",
    [
        MODEL + 'OpName %void "v"\nOpDecorate %s SpecId 1\n' + TYPES + "%s = OpSpecConstantTrue %bool",
        MODEL + TYPES + 'OpName %void "v" ; error: layout/section-order `OpName`\nOpName %bool "b"\n',
        MODEL + "%void = OpTypeVoid\nOpCapability Int64 ; error: layout/section-order `OpCapability`",
        'OpName %void "v" ; error: layout/section-order `OpName`\n' + MODEL + TYPES,
        MODEL + TYPES + "OpReturn ; error: layout/section-order `OpReturn`",
        MODEL + TYPES + "%l = OpLabel ; error: layout/section-order `OpLabel`",
    ],
)
def test_sections_stand_in_their_order(text: str) -> None:
    check(HEAD + text)


def test_an_instruction_is_moved_to_its_section() -> None:
    text = HEAD + MODEL + '%void = OpTypeVoid\nOpName %void "v"\n'
    (diagnostic,) = spvls.validate(text)
    (fix,) = diagnostic.fixes
    assert [(edit.range.start.line, edit.text) for edit in fix.edits] == [(3, 'OpName %void "v"\n'), (4, "")]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + MODEL,
        "OpCapability Linkage ; error: layout/memory-model-exactly-one",
        HEAD + "%void = OpTypeVoid ; error: layout/memory-model-exactly-one `OpTypeVoid`\n%bool = OpTypeBool",
        HEAD + MODEL + "OpMemoryModel Logical GLSL450 ; error: layout/memory-model-exactly-one",
    ],
)
def test_there_is_one_memory_model(text: str) -> None:
    check(text)


def test_an_empty_text_lacks_its_memory_model_at_its_beginning() -> None:
    (diagnostic,) = spvls.validate("; nothing")
    assert diagnostic.rule == "layout/memory-model-exactly-one"
    assert diagnostic.range is not None
    assert diagnostic.range.start == (0, 0)


def test_the_addressing_mode_of_samplers_is_set_once() -> None:
    text = HEAD + 'OpCapability BindlessTextureNV\nOpExtension "SPV_NV_bindless_texture"\n' + MODEL
    check(text + "OpSamplerImageAddressingModeNV 32")
    once = "OpSamplerImageAddressingModeNV 32\nOpSamplerImageAddressingModeNV 32 ; error: layout/sampler-addressing-once"
    check(text + once)


@pytest.mark.parametrize(
    "text",
    [
        FUNCTION,
        "%f = OpFunction %void None %fn\nOpReturn ; error: layout/function-definition-shape\n%l = OpLabel\nOpReturn\n"
        "OpFunctionEnd",
        "%f = OpFunction %void None %fn\n%l = OpLabel\nOpFunctionEnd ; error: layout/function-definition-shape",
        "%f = OpFunction %void None %fn\n%l = OpLabel\n%m = OpLabel ; error: layout/function-definition-shape\nOpReturn\n"
        "OpFunctionEnd",
        FUNCTION + "OpReturn ; error: layout/function-definition-shape",
        FUNCTION + "%int = OpTypeInt 32 0 ; error: layout/function-definition-shape",
        FUNCTION + "OpFunctionEnd ; error: layout/function-definition-shape",
        FUNCTION + "%l = OpLabel ; error: layout/function-definition-shape\nOpReturn",
    ],
)
def test_a_function_is_made_of_blocks(text: str) -> None:
    check(HEAD + MODEL + TYPES + text)


def test_parameters_stand_before_the_first_block() -> None:
    declared = "%int = OpTypeInt 32 0\n%fi = OpTypeFunction %void %int\n%f = OpFunction %void None %fi\n"
    parameter, label = "%p = OpFunctionParameter %int", "%l = OpLabel\n"
    end = "OpReturn\nOpFunctionEnd"
    check(HEAD + MODEL + TYPES + declared + parameter + "\n" + label + end)
    late = f"{declared}{label}{parameter} ; error: layout/function-definition-shape\n{end}"
    found = {(d.rule, d.range.start.line) for d in spvls.validate(HEAD + MODEL + TYPES + late) if d.range}
    assert ("layout/function-definition-shape", 11) in found


def test_functions_are_closed() -> None:
    open_function = "%f = OpFunction %void None %fn{}\n%l = OpLabel\nOpReturn\n"
    check(HEAD + MODEL + TYPES + open_function.format(" ; error: layout/function-end"))
    other = "%g = OpFunction %void None %fn ; error: layout/function-end\n%m = OpLabel\nOpReturn\nOpFunctionEnd"
    check(HEAD + MODEL + TYPES + open_function.format("") + other)


def test_declarations_stand_before_definitions() -> None:
    imported = 'OpDecorate %g LinkageAttributes "g" Import\n'
    declaration = "%g = OpFunction %void None %fn\nOpFunctionEnd"
    check(HEAD + MODEL + imported + TYPES + declaration + "\n" + FUNCTION)
    check(HEAD + MODEL + imported + TYPES + FUNCTION + declaration + " ; error: layout/function-declarations-first")


SELECTION = (
    "%f = OpFunction %void None %fn\n%entry = OpLabel\nOpSelectionMerge %end None\nOpBranchConditional %true %a %b\n"
    "%a = OpLabel\nOpBranch %end\n%b = OpLabel\nOpBranch %end\n%end = OpLabel\n{}\nOpReturn\nOpFunctionEnd"
)
PHI = "%r = OpPhi %bool %true %a %true %b"


@pytest.mark.parametrize(
    "lines",
    [
        PHI,
        f"OpNoLine\n{PHI}",
        f"OpNop\n{PHI} ; error: layout/phi-first",
        f"{PHI}\nOpNop\n{PHI[:2]}2{PHI[2:]} ; error: layout/phi-first",
    ],
)
def test_phis_come_first(lines: str) -> None:
    check(HEAD + MODEL + TYPES + SELECTION.format(lines))


def test_the_first_block_has_no_phi() -> None:
    phi = "%r = OpPhi %bool ; error: layout/phi-first"
    check(HEAD + MODEL + TYPES + f"%f = OpFunction %void None %fn\n%entry = OpLabel\n{phi}\nOpReturn\nOpFunctionEnd")


@pytest.mark.parametrize(
    "lines",
    [
        "%v = OpVariable %ptr Function\nOpNoLine\n%w = OpVariable %ptr Function\nOpStore %v %true",
        "%v = OpVariable %ptr Function\nOpStore %v %true\n"
        "%w = OpVariable %ptr Function ; error: layout/function-variable-leading",
        "OpBranch %next\n%next = OpLabel\n%v = OpVariable %ptr Function ; error: layout/function-variable-leading",
    ],
)
def test_variables_come_first(lines: str) -> None:
    pointer = "%ptr = OpTypePointer Function %bool\n"
    found = {
        (d.range.start.line, d.rule)
        for d in spvls.validate(HEAD + MODEL + TYPES + pointer + FUNCTION.replace("OpReturn", f"{lines}\nOpReturn"))
        if d.rule == "layout/function-variable-leading" and d.range
    }
    marked = [at for at, line in enumerate(lines.split("\n")) if "error" in line]
    assert found == {(10 + at, "layout/function-variable-leading") for at in marked}


def test_a_merge_stands_directly_before_its_branch() -> None:
    text = SELECTION.format("")
    check(HEAD + MODEL + TYPES + text)
    late = text.replace("%end None\n", "%end None\nOpNop\n", 1)
    assert "cfg/merge-second-to-last" in {d.rule for d in spvls.validate(HEAD + MODEL + TYPES + late)}


def test_limits_on_variables_and_cases() -> None:
    pointer = "%ptr = OpTypePointer Private %bool\n%a = OpVariable %ptr Private\n%b = OpVariable %ptr Private"
    check(HEAD + MODEL + TYPES + pointer, options={"max_global_variables": 2})
    check(HEAD + MODEL + TYPES + pointer + " ; error: limit/global-variables", options={"max_global_variables": 1})
    local = "%ptr = OpTypePointer Function %bool\n" + FUNCTION.replace(
        "OpReturn", "%a = OpVariable %ptr Function\n%b = OpVariable %ptr Function{}\nOpReturn"
    )
    check(HEAD + MODEL + TYPES + local.format(""), options={"max_local_variables": 2})
    check(HEAD + MODEL + TYPES + local.format(" ; error: limit/local-variables"), options={"max_local_variables": 1})
    switch = "%int = OpTypeInt 32 0\n%zero = OpConstant %int 0\n" + SELECTION.format("").replace(
        "OpBranchConditional %true %a %b", "OpSwitch %zero %end 1 %a 2 %b{}"
    )
    check(HEAD + MODEL + TYPES + switch.replace("{}", ""), options={"max_switch_branches": 2})
    check(HEAD + MODEL + TYPES + switch.replace("{}", " ; error: limit/switch-pairs `2`"), options={"max_switch_branches": 1})


def test_the_limit_on_nesting() -> None:
    nested = (
        "OpSelectionMerge %end1 None\nOpBranchConditional %true %in1 %end1\n%in1 = OpLabel{}\nOpBranch %end1\n%end1 = OpLabel"
    )
    text = HEAD + MODEL + TYPES + FUNCTION.replace("OpReturn", nested + "\nOpReturn")
    check(text.format(""), options={"max_control_flow_nesting_depth": 1})
    check(text.format(" ; error: limit/control-flow-nesting"), options={"max_control_flow_nesting_depth": 0})


def test_the_bound_of_ids() -> None:
    text = HEAD + MODEL + "%void = OpTypeVoid\n%bool = OpTypeBool"
    check(text, options={"max_id_bound": 3})
    check("; error: limit/id-bound\n" + text, options={"max_id_bound": 2})
    module = bytearray(spvls.assemble(text))
    assert not spvls.validate(bytes(module))
    module[12:16] = struct.pack("<I", 2)
    (diagnostic,) = spvls.validate(bytes(module))
    assert (diagnostic.rule, diagnostic.instruction) == ("physical/bound-exceeds-ids", 5)
    assert [d.rule for d in spvls.validate(f"{text}\n!0x20013 !9")] == ["physical/bound-exceeds-ids"]
    assert not spvls.validate(f'{HEAD}{MODEL}OpName %void "v"\n%bool = OpTypeBool\n!0x20013 !1')


@pytest.mark.parametrize(("env", "takes"), [("vulkan1.1", False), ("vulkan1.2", True), ("spv1.4", False), ("spv1.6", True)])
def test_an_environment_takes_versions_up_to_its_own(env: str, takes: bool) -> None:
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n" + 'OpEntryPoint Vertex %f "main"\n' + TYPES + FUNCTION
    found = spvls.validate(spvls.assemble(text, target_env="spv1.5"), target_env=env)
    assert [d.rule for d in found] == ([] if takes else ["version/environment"])
