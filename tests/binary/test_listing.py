"""Instructions to lines."""

from __future__ import annotations

import pytest

from spvls.binary.disassemble import disassemble
from tests.binary.building import FLOAT, GLSL, INT, VOID, instruction, module, opcode, string


def listing(*instructions: list[int], **options: bool) -> list[str]:
    shown = {"header": False, "indent": False, "friendly_names": False, **options}
    text = disassemble(module(*instructions), **shown)  # type: ignore[arg-type]
    assert text.endswith("\n") or not text
    return text.splitlines()


def last_line(*instructions: list[int], **options: bool) -> str:
    return listing(*instructions, **options)[-1]


@pytest.mark.parametrize(
    ("instructions", "line"),
    [
        ([instruction("OpReturn")], "OpReturn"),
        ([VOID], "%1 = OpTypeVoid"),
        ([instruction("OpIAdd", 2, 7, 5, 6)], "%7 = OpIAdd %2 %5 %6"),
        ([instruction("OpCapability", 1)], "OpCapability Shader"),
        ([instruction("OpEntryPoint", 4, 1, "main", 2)], 'OpEntryPoint Fragment %1 "main" %2'),
        ([instruction("OpName", 1, 'a"b\\c')], 'OpName %1 "a\\"b\\\\c"'),
        ([instruction("OpName", 1, *string(b"\xc3\xa9\xff"))], 'OpName %1 "é\udcff"'),
        ([instruction("OpFunction", 1, 2, 0, 3)], "%2 = OpFunction %1 None %3"),
        ([instruction("OpFunction", 1, 2, 5, 3)], "%2 = OpFunction %1 Inline|Pure %3"),
        ([instruction("OpStore", 1, 2, 7, 32)], "OpStore %1 %2 Volatile|Aligned|Nontemporal 32"),
        ([instruction("OpDecorate", 1, 11, 4416)], "OpDecorate %1 BuiltIn SubgroupEqMask"),
        ([instruction("OpTypeImage", 9, 3, 1, 0, 0, 0, 1, 0)], "%9 = OpTypeImage %3 2D 0 0 0 1 Unknown"),
        ([instruction("OpVectorShuffle", 1, 9, 2, 3, 0, 0xFFFFFFFF)], "%9 = OpVectorShuffle %1 %2 %3 0 4294967295"),
        ([GLSL, instruction("OpExtInst", 3, 9, 4, 31, 5)], "%9 = OpExtInst %3 %4 Sqrt %5"),
        (
            [instruction("OpExtInstImport", 1, "NonSemantic.New"), instruction("OpExtInst", 3, 9, 1, 31, 5)],
            "%9 = OpExtInst %3 %1 31 %5",
        ),
        (
            [instruction("OpExtInstImport", 1, "NonSemantic.DebugPrintf"), instruction("OpExtInst", 3, 9, 1, 1, 5)],
            "%9 = OpExtInst %3 %1 1 %5",
        ),
        ([instruction("OpSpecConstantOp", 1, 9, opcode("OpIAdd"), 2, 3)], "%9 = OpSpecConstantOp %1 IAdd %2 %3"),
        ([INT, instruction("OpConstant", 2, 9, 0xFFFFFFFF)], "%9 = OpConstant %2 -1"),
        ([FLOAT, instruction("OpConstant", 3, 9, 0x3F800000)], "%9 = OpConstant %3 1"),
        ([instruction("OpTypeInt", 1, 64, 1), instruction("OpConstant", 1, 9, 1, 1)], "%9 = OpConstant %1 4294967297"),
        ([instruction("OpTypeInt", 1, 128, 1), instruction("OpConstant", 1, 9, 1, 1, 1, 1)], "%9 = OpConstant %1 !0x00000001 !0x00000001 !0x00000001 !0x00000001  ; as text, no literal stands for the words that are here"),
        (
            [INT, instruction("OpUndef", 2, 9), instruction("OpSwitch", 9, 5, 0xFFFFFFFF, 6, 7, 8)],
            "OpSwitch %9 %5 -1 %6 7 %8",
        ),
        ([instruction("OpDecorate", 1, 40, 0x1F)], "OpDecorate %1 FPFastMathMode NotNaN|NotInf|NSZ|AllowRecip|Fast"),
    ],
)
def test_a_line_for_each_instruction(instructions: list[list[int]], line: str) -> None:
    assert last_line(*instructions) == line


def test_results_are_aligned_at_their_equals_sign() -> None:
    name = instruction("OpName", 2, "a_long_name_indeed")
    assert listing(name, VOID, INT, instruction("OpNop"), indent=True, friendly_names=True) == [
        '               OpName %a_long_name_indeed "a_long_name_indeed"',
        "       %void = OpTypeVoid",
        "%a_long_name_indeed = OpTypeInt 32 1",
        "               OpNop",
    ]


def test_the_header_says_what_the_words_do() -> None:
    data = module(VOID, bound=7, version=0x00010300)
    text = disassemble(data[:8] + (0x0008000B).to_bytes(4, "little") + data[12:])
    assert text.splitlines()[:5] == [
        "; SPIR-V",
        "; Version: 1.3",
        "; Generator: Khronos Glslang Reference Front End; 11",
        "; Bound: 7",
        "; Schema: 0",
    ]


def test_an_unregistered_generator_is_shown_by_number() -> None:
    data = module()
    assert "; Generator: Unknown(65535); 3\n" in disassemble(data[:8] + b"\x03\x00\xff\xff" + data[12:])


def test_colours_tell_the_roles_of_words() -> None:
    record = instruction("OpEntryPoint", 4, 1, "main", 2)
    assert last_line(record, color=True) == (
        'OpEntryPoint Fragment\x1b[0m \x1b[33m%1\x1b[0m "\x1b[32mmain\x1b[0m"\x1b[0m \x1b[33m%2\x1b[0m'
    )
    assert last_line(INT, instruction("OpConstant", 2, 9, 3), color=True) == (
        "\x1b[34m%9\x1b[0m = OpConstant \x1b[33m%2\x1b[0m \x1b[31m3\x1b[0m\x1b[0m"
    )
    assert "\x1b[31mSqrt\x1b[0m " in last_line(GLSL, instruction("OpExtInst", 3, 9, 4, 31, 5), color=True)
    assert last_line(VOID, color=True, offsets=True).endswith("; \x1b[1;30m0x00000014\x1b[0m")


def test_colours_do_not_count_for_the_place_of_comments() -> None:
    lines = [
        listing(INT, instruction("OpConstant", 2, 9, 3), offsets=True, color=color)[-1].split(";")[0] for color in (True, False)
    ]
    plain, colored = sorted(lines, key=len)
    assert len(colored) - len(plain) == len("\x1b[34m\x1b[0m\x1b[33m\x1b[0m\x1b[31m\x1b[0m\x1b[0m")


def test_offsets_are_in_bytes_from_the_start_of_the_file() -> None:
    assert listing(VOID, INT, offsets=True) == [
        "%1 = OpTypeVoid" + " " * 37 + "; 0x00000014",
        "%2 = OpTypeInt 32 1" + " " * 33 + "; 0x0000001c",
    ]


def test_comments_stay_behind_the_longest_line_above_but_not_for_ever() -> None:
    long, longer = instruction("OpName", 1, "x" * 100), instruction("OpName", 1, "x" * 300)
    columns = [line.rindex(";") for line in listing(VOID, long, [*VOID[:1], 5], longer, [*VOID[:1], 6], offsets=True)]
    assert columns == [52, 116, 116, 316, 256]


def test_a_line_without_a_comment_lets_the_column_go() -> None:
    names = [instruction("OpName", 1, "x" * 100), VOID, instruction("OpName", 1, "y")]
    assert [line.rfind("; id") for line in listing(*names, comment=True) if "OpName" in line] == [116, 52]


def test_length_is_in_bytes() -> None:
    ascii_, other = (listing(instruction("OpName", 1, text), comment=True)[-1] for text in ("aa" * 20, "é" * 20))
    assert ascii_.index("; id") - other.index("; id") == 20


def test_comments_title_sections_and_tell_of_ids() -> None:
    decorations = [instruction("OpDecorate", 9, 34, 0), instruction("OpDecorate", 9, 33, 2)]
    variable = instruction("OpVariable", 8, 9, 2)
    function = [instruction("OpFunction", 1, 7, 0, 6), instruction("OpFunctionEnd")]
    names = [instruction("OpName", 7, "main"), instruction("OpName", 9, "block")]
    lines = listing(*names, *decorations, VOID, INT, variable, *function, friendly_names=True, comment=True)
    assert [line.rstrip() for line in lines] == [
        "",
        "; Debug Information",
        'OpName %main "main"                                 ; id %7',
        'OpName %block "block"                               ; id %9',
        "",
        "; Annotations",
        "OpDecorate %block DescriptorSet 0",
        "OpDecorate %block Binding 2",
        "",
        "; Types, variables and constants",
        "%void = OpTypeVoid",
        "%int = OpTypeInt 32 1",
        "%block = OpVariable %8 Uniform                      ; DescriptorSet 0, Binding 2",
        "",
        "; Function main",
        "%main = OpFunction %void None %6",
        "OpFunctionEnd",
    ]


def test_offset_number_and_decorations_share_a_comment() -> None:
    lines = listing(
        instruction("OpName", 9, "x"), instruction("OpDecorate", 9, 30, 1), instruction("OpVariable", 8, 9, 1),
        offsets=True, comment=True,
    )  # fmt: skip
    comments = [line.partition("; 0x")[2] for line in lines if "; 0x" in line]
    assert comments == ["00000014, id %9", "00000020", "00000030, Location 1"]


FUNCTION = [
    instruction("OpFunction", 1, 20, 0, 6),
    instruction("OpLabel", 21),
    instruction("OpSelectionMerge", 23, 0),
    instruction("OpBranchConditional", 9, 22, 23),
    instruction("OpLabel", 23),
    instruction("OpReturn"),
    instruction("OpLabel", 22),
    instruction("OpUndef", 8, 30),
    instruction("OpBranch", 23),
    instruction("OpFunctionEnd"),
]


def test_blocks_are_indented_by_control_flow() -> None:
    assert listing(*FUNCTION, indent=True, nested_indent=True) == [
        "         %20 = OpFunction %1 None %6",
        "",
        "         %21 = OpLabel",
        "                 OpSelectionMerge %23 None",
        "                 OpBranchConditional %9 %22 %23",
        "",
        "         %23 = OpLabel",
        "                 OpReturn",
        "",
        "         %22 =     OpLabel",
        "         %30 =       OpUndef %8",
        "                     OpBranch %23",
        "               OpFunctionEnd",
    ]


def test_blocks_are_ordered_by_control_flow() -> None:
    labels = [line for line in listing(*FUNCTION, reorder_blocks=True) if "OpLabel" in line]
    assert labels == ["%21 = OpLabel", "%22 = OpLabel", "%23 = OpLabel"]
    assert "" not in listing(*FUNCTION, reorder_blocks=True)


def test_offsets_stay_with_their_instructions_when_blocks_move() -> None:
    straight = listing(*FUNCTION, offsets=True)
    moved = listing(*FUNCTION, offsets=True, reorder_blocks=True)
    assert sorted(straight) == sorted(moved)
    assert straight != moved


def test_a_function_without_blocks_and_one_without_an_end_are_listed() -> None:
    declared = [instruction("OpFunction", 1, 20, 0, 6), instruction("OpFunctionEnd")]
    assert len(listing(*declared, nested_indent=True, reorder_blocks=True)) == 2
    assert [line for line in listing(*FUNCTION[:-1], nested_indent=True) if line][-1].endswith("OpBranch %23")


def test_comments_of_blocks_stand_before_the_function_body() -> None:
    lines = listing(FUNCTION[0], instruction("OpLabel", 21), instruction("OpNoLine"), instruction("OpReturn"),
                    instruction("OpFunctionEnd"), comment=True, nested_indent=True)  # fmt: skip
    assert lines[:3] == ["", "", "; Function 20"]
    assert lines.index("; Debug Information") < lines.index("%21 = OpLabel")


def test_unknown_instructions_are_listed_as_words() -> None:
    lines = listing(instruction(0xFFFE, 42, 99), instruction("OpCapability", 0xFFFF), handle_unknown_opcodes=True, indent=True)
    assert [line.partition("  ;")[0] for line in lines] == [
        "               OpUnknown(65534, 3) 42 99",
        "               OpUnknown(17, 2) 65535",
    ]
