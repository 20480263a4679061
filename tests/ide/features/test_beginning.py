"""What completion offers where an instruction begins."""

from __future__ import annotations

import pytest

from spvls.diagnostic import Position, Range
from spvls.ide.features.candidate import REQUIRED, WHOLE, Candidate, CandidateKind
from spvls.ide.features.completion import complete
from spvls.ide.features.skeleton import skeletons
from spvls.ide.source.source_module import SourceModule
from spvls.validate.validator import validate
from tests.ide.marked import marked
from tests.ide.modules import SHADER


def offered(text: str) -> dict[str, Candidate]:
    """What is offered at the cursor, by label."""
    source, cursor, _ = marked(text)
    found = complete(source, cursor)
    assert found is not None
    return {candidate.label: candidate for candidate in found.candidates}


def required(text: str) -> set[str]:
    """The labels of what the module lacks there."""
    return {label for label, candidate in offered(text).items() if candidate.rank == REQUIRED}


_ENVIRONMENTS = {
    "fragment shader": ("vulkan1.0", "vulkan1.1", "vulkan1.3", "vulkan1.4", "opengl4.5", "spv1.0", "spv1.6"),
    "vertex shader": ("vulkan1.0", "vulkan1.1", "vulkan1.3", "vulkan1.4", "opengl4.5", "spv1.0", "spv1.6"),
    "compute shader": ("vulkan1.0", "vulkan1.1", "vulkan1.3", "vulkan1.4", "spv1.0", "spv1.6"),
    "mesh shader": ("vulkan1.3", "vulkan1.4", "spv1.6"),
    "ray generation shader": ("vulkan1.2", "vulkan1.4", "spv1.6"),
    "OpenCL kernel": ("opencl1.2", "opencl2.2", "spv1.0", "spv1.6"),
    "library": ("spv1.0", "spv1.6"),
}


def test_a_skeleton_for_each_kind_of_module() -> None:
    assert {skeleton.title for skeleton in skeletons()} == set(_ENVIRONMENTS)


@pytest.mark.parametrize(("title", "environment"), [(title, one) for title, all_ in _ENVIRONMENTS.items() for one in all_])
def test_a_skeleton_is_valid(title: str, environment: str) -> None:
    found = offered(f"; spvls: target-env={environment}\n‸\n")[title]
    assert found.kind is CandidateKind.SKELETON
    assert found.snippet is not None
    assert "$0" in found.snippet
    assert "$" not in found.text
    assert found.rank == (WHOLE if environment.startswith("opencl") is (title == "OpenCL kernel") else 0)
    assert validate(found.text, target_env=environment) == []


def test_skeletons_are_for_empty_texts() -> None:
    assert "fragment shader" in offered("; a comment\n‸")
    assert "fragment shader" not in offered("OpCapability Shader\n‸")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Op‸", {"OpCapability"}),
        ("OpCapability Shader\n‸", {"OpMemoryModel"}),
        ("OpCapability Shader\nOpMemoryModel Logical GLSL450\n‸", {"OpEntryPoint", "OpTypeVoid", "OpTypeFunction"}),
    ],
)
def test_what_is_missing_comes_first(text: str, expected: set[str]) -> None:
    assert {label for label in required(text) if label.startswith("Op") and " " not in label} == expected


def test_a_function_for_an_entry_point_without_one() -> None:
    head = SHADER.partition("%main = OpFunction")[0]
    assert required(f"{head}‸") == {"OpFunction", "%main"}
    assert offered(f"{head}‸")["OpFunction"].snippet == "%main = OpFunction %void None %fn"


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("OpCapability Shader\n‸\nOpMemoryModel Logical GLSL450\n", {"OpExtension", "OpExtInstImport"}, {"OpName", "OpTypeVoid", "OpLoad"}),
        ("OpName %a \"a\"\n‸\n%float = OpTypeFloat 32\n", {"OpDecorate", "OpTypeVoid"}, {"OpCapability", "OpLoad", "OpFunction"}),
        ("%f = OpFunction %void None %fn\n‸", {"OpFunctionParameter", "OpLabel"}, {"OpLoad", "OpTypeVoid"}),
        ("%f = OpFunction %void None %fn\n%e = OpLabel\n‸", {"OpPhi", "OpVariable", "OpReturn"}, {"OpLabel", "OpTypeVoid", "OpFunction"}),
        ("%f = OpFunction %void None %fn\n%e = OpLabel\nOpNop\n‸", {"OpFAdd"}, {"OpPhi"}),
        ("%f = OpFunction %void None %fn\n%e = OpLabel\nOpReturn\n‸", {"OpLabel", "OpFunctionEnd"}, {"OpFAdd", "OpReturn"}),
        ("%f = OpFunction %void None %fn\nOpFunctionEnd\n‸", {"OpFunction"}, {"OpTypeVoid", "OpLabel"}),
    ],
)  # fmt: skip
def test_what_a_section_forbids_is_left_out(text: str, some: set[str], none: set[str]) -> None:
    labels = set(offered(text))
    assert some <= labels
    assert labels.isdisjoint(none)


def test_a_block_that_is_closed_after_the_cursor_lacks_a_terminator() -> None:
    text = "%f = OpFunction %void None %fn\n%e = OpLabel\n‸\nOpFunctionEnd\n"
    assert {"OpReturn", "OpBranch"} <= required(text)


def test_ids_that_are_used_and_undefined() -> None:
    text = "OpCapability Shader\n%‸\n%f = OpFunction %void None %fn\n%e = OpLabel\n%x = OpFAdd %v2float %a %b\n"
    found = offered(text)
    assert {label: candidate.text for label, candidate in found.items()} == {
        "%void": "%void = OpTypeVoid",
        "%fn": "%fn = ",
        "%v2float": "%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2",
        "%a": "%a = ",
        "%b": "%b = ",
    }
    assert found["%a"].continues
    assert not found["%void"].continues


def test_labels_that_are_missing_in_a_function() -> None:
    text = "%f = OpFunction %void None %fn\n%e = OpLabel\nOpBranch %next\n%‸\n"
    assert offered(text)["%next"].text == "%next = "


def test_the_obvious_is_filled_in() -> None:
    shader = "OpCapability Shader\n"
    assert offered(f"{shader}‸")["OpMemoryModel"].snippet == "OpMemoryModel Logical GLSL450"
    assert offered(f"{shader}‸")["OpExtInstImport"].snippet == '%${1:glsl} = OpExtInstImport "${2:GLSL.std.450}"'
    kernel = "OpCapability Kernel\nOpCapability Addresses\n"
    assert offered(f"{kernel}‸")["OpMemoryModel"].snippet == "OpMemoryModel ${1|Physical64,Physical32|} OpenCL"
    point = offered(f"{shader}OpMemoryModel Logical GLSL450\n‸")["OpEntryPoint"].snippet
    assert point == 'OpEntryPoint ${1|Fragment,Vertex,GLCompute|} %${2:main} "${3:main}" $0'
    entry = f'{shader}OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main "main"\n‸'
    assert offered(entry)["OpExecutionMode"].snippet == "OpExecutionMode %main $1"


def test_suggestions_follow_an_open_hole() -> None:
    function = "%f = OpFunction %void None %fn\n%e = OpLabel\n"
    assert offered(f"{function}‸")["OpStore"].continues
    assert not offered(f"{function}‸")["OpFAdd"].continues
    assert not offered(f"{function}‸")["OpReturn"].continues


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("OpDecorate %b Location ‸", "4"),
        ("OpDecorate %out Location ‸", "0"),
        ("OpDecorate %u Binding ‸", "0"),
        ("OpDecorate %u DescriptorSet ‸", "1"),
        ("OpDecorate %k SpecId ‸", "8"),
    ],
)
def test_the_next_number(line: str, number: str) -> None:
    head = (
        "OpDecorate %a Location 0\nOpDecorate %t DescriptorSet 1\nOpDecorate %t Binding 2\n"
        "OpDecorate %u DescriptorSet 1\nOpDecorate %j SpecId 7\n"
    )
    types = (
        "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%mat = OpTypeMatrix %v4 4\n%pm = OpTypePointer Input %mat\n"
        "%po = OpTypePointer Output %v4\n%a = OpVariable %pm Input\n%b = OpVariable %pm Input\n%out = OpVariable %po Output\n"
    )
    assert set(offered(f"{head}{line.replace(' DescriptorSet ‸', ' DescriptorSet ‸')}\n{types}")) == {number}


def test_what_the_module_lacks_is_first_while_its_first_letters_are_typed() -> None:
    """A word that is no opcode yet is read as an operand of the instruction before it, and still counts as none."""
    for typed in ("m", "O", "OpMem"):
        line = Position(1, len(typed))
        found = complete(SourceModule(f"OpCapability Kernel\n{typed}"), line)
        assert found is not None and found.range == Range(Position(1, 0), line)
        required = [(one.label, one.snippet) for one in found.candidates if one.rank == REQUIRED]
        assert required == [("OpMemoryModel", "OpMemoryModel ${1|Physical64,Physical32|} OpenCL")]


def test_results_of_arithmetic_are_no_pointers() -> None:
    text = "%float = OpTypeFloat 32\n%p = OpTypePointer Function %float\n%f = OpFunction %v None %fn\n%a = OpLabel\n"
    found = complete(SourceModule(f"{text}OpReturn\nOpFunctionEnd\n"), Position(4, 0))
    assert found is not None
    snippets = {one.label: one.snippet for one in found.candidates}
    assert snippets["OpFAdd"] == "%$1 = OpFAdd ${2|%float|} %$3 %$4"
    assert snippets["OpLoad"] == "%$1 = OpLoad ${2|%float,%p|} %$3"
