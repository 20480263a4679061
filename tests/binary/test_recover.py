"""Damaged modules to text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.assemble import assemble
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.preserved_ids import read_preserved
from spvls.binary.recover import recover
from tests.binary.building import FLOAT, GLSL, INT, VOID, instruction, module, string
from tests.strategies import damaged_modules, modules

BEFORE = [instruction("OpCapability", 1), instruction("OpMemoryModel", 0, 1), VOID]
AFTER = [
    instruction("OpTypeFunction", 10, 1),
    instruction("OpFunction", 1, 11, 0, 10),
    instruction("OpLabel", 12),
    instruction("OpReturn"),
    instruction("OpFunctionEnd"),
]


def body(data: bytes) -> list[str]:
    """The lines of the listing below its header, without their indentation."""
    return [line.strip() for line in recover(data).splitlines() if not line.startswith(";")]


def assert_assembles_to(text: str, data: bytes) -> None:
    assert assemble(text, preserve_numeric_ids=True)[20:] == data[20 : len(data) & ~3]


@pytest.mark.parametrize(
    ("damage", "lines"),
    [
        ([instruction(0xFFFE, 5, 6)], ["OpUnknown(65534, 3) 5 6  ; word 12: there is no opcode 65534"]),
        ([instruction("OpCapability", 0xFFFF)], ["OpUnknown(17, 2) 65535  ; word 13: OpCapability has 65535, which is not a value of Capability"]),
        ([instruction("OpTypeVoid", 1)], ["OpUnknown(19, 2) 1  ; word 13: id 1 is the result of an earlier instruction"]),
        ([instruction("OpName", 1, 0x64636261)], ["OpUnknown(5, 3) 1 1684234849  ; word 14: the string"]),
        ([[0, 7]], ["!0x00000000 !0x00000007  ; word 12: an instruction has at least one word"]),
        ([instruction(0xFFFE), [0xFFFF0013, 7]], ["!0x0001fffe !0xffff0013 !0x00000007  ; word 12: there is no opcode 65534"]),
        ([instruction("OpName", 1, 0x62610061)], ["OpUnknown(5, 3) 1 1650524257  ; word 12: as text, "]),
        (
            [INT, instruction("OpPhi", 2, 30, 1, 2), [0, 7]],
            [
                "%2 = OpTypeInt 32 1",
                "!0x000500f5 !0x00000002 !0x0000001e !0x00000001 !0x00000002  ; word 16: %30 = OpPhi %2 %1 %2",
                "!0x00000000 !0x00000007  ; word 21: ",
            ],
        ),
        ([instruction("OpTypeBool", 0xFFFFFFFF)], ["OpUnknown(20, 2) 4294967295  ; word 12: an id is less than the bound"]),
        (
            [instruction("OpTypeFloat", 2, 16, 4214), instruction("OpConstant", 2, 3, 7)],
            ["OpUnknown(22, 4) 2 16 4214  ; word 12: ", "OpUnknown(43, 4) 2 3 7  ; word 16: "],
        ),
    ],
)
def test_what_cannot_be_read_stands_as_words(damage: list[list[int]], lines: list[str]) -> None:
    data = module(*BEFORE, *damage, *AFTER)
    shown = body(data)
    assert shown[:3] == ["OpCapability Shader", "OpMemoryModel Logical GLSL450", "%1 = OpTypeVoid"]
    assert shown[-5:] == [
        "%10 = OpTypeFunction %1", "%11 = OpFunction %1 None %10", "%12 = OpLabel", "OpReturn", "OpFunctionEnd",
    ]  # fmt: skip
    assert len(shown) == 8 + len(lines)
    for line, begins in zip(shown[3:-5], lines, strict=True):
        assert line.startswith(begins)
    assert_assembles_to(recover(data), data)


def test_a_word_count_that_swallows_what_follows_is_not_believed() -> None:
    swallowing = [0x00060013, 20]
    data = module(*BEFORE, swallowing, *AFTER)
    assert "%10 = OpTypeFunction %1" in body(data)
    assert_assembles_to(recover(data), data)


def test_a_module_that_is_cut_off_keeps_its_last_words() -> None:
    data = module(*BEFORE, *AFTER)[:-6]
    text = recover(data)
    assert text.splitlines()[-1].endswith(": 0xfd 0x00")
    assert_assembles_to(text, data)


def test_an_impossible_version_is_told() -> None:
    text = recover(module(VOID, version=0x00010900))
    assert "; word 1: 0x00010900 is not a version of SPIR-V" in text
    assert "%1 = OpTypeVoid" in text


def test_bytes_without_a_header_are_refused() -> None:
    with pytest.raises(DisassembleError) as caught:
        recover(b"OpCapability Shader")
    assert caught.value.word == 0


def test_the_header_is_kept() -> None:
    kept = read_preserved(recover(module(VOID, bound=77)).splitlines())
    assert (kept.generator, kept.bound, kept.schema, kept.ids) == (0x00070000, 77, 0, {})


@given(modules())
def test_a_sound_module_reads_as_ever(data: bytes) -> None:
    lines = [line for line in recover(data).splitlines() if not line.startswith("; spvls:")]
    assert lines == disassemble(data, friendly_names=False).splitlines()


@given(damaged_modules())
def test_the_text_of_a_damaged_module_assembles_to_its_words(data: bytes) -> None:
    try:
        text = recover(data)
    except DisassembleError:
        return
    words = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4)) if data.startswith(b"\x07") else data
    assert_assembles_to(text, words)


HALF = instruction("OpTypeFloat", 4, 16)
E4M3_TOO_WIDE = instruction("OpTypeFloat", 5, 16, 4214)
PRINTF = instruction("OpExtInstImport", 6, "NonSemantic.DebugPrintf")


@pytest.mark.parametrize(
    ("instructions", "given_up"),
    [
        # one of a shape is lost by its value, the others are not
        ([HALF, instruction("OpConstant", 4, 7, 0x10001), instruction("OpConstant", 4, 8, 1)], ["OpUnknown(43, 4) 4 7 65537"]),
        ([instruction("OpName", 1, 0x01000061), instruction("OpName", 2, "a")], ["OpUnknown(5, 3) 1 16777313"]),
        ([instruction("OpTypeInt", 7, 128, 0), instruction("OpConstant", 7, 8, 1, 2, 3, 4)], ["OpUnknown(43, 7) 7 8 1 2 3 4"]),
        # what a type declares is lost with it
        ([E4M3_TOO_WIDE, instruction("OpConstant", 5, 7, 1)], ["OpUnknown(22, 4) 5 16 4214", "OpUnknown(43, 4) 5 7 1"]),
        (
            [instruction("OpTypeFloat", 5, 32), [0, 7], instruction("OpConstant", 5, 7, 1), instruction("OpConstant", 5, 8, 2)],
            ["!0x00030016 !0x00000005 !0x00000020", "!0x00000000 !0x00000007", "OpUnknown(43, 4) 5 7 1", "OpUnknown(43, 4) 5 8 2"],
        ),
        (
            [INT, instruction("OpUndef", 2, 7), [0, 7], instruction("OpSwitch", 7, 8, 1, 9), instruction("OpSwitch", 7, 8)],
            ["!0x00000000 !0x00000007"],
        ),
        # words that follow a float type would be its encoding, and it is lost, and then what it declares
        (
            [
                instruction("OpTypeFloat", 5, 32), [*E4M3_TOO_WIDE[:1], 9, 16, 4214], [0, 7],
                instruction("OpNop"), instruction("OpNop"), instruction("OpConstant", 5, 7, 1),
            ],
            [
                "!0x00030016 !0x00000005 !0x00000020", "!0x00040016 !0x00000009 !0x00000010 !0x00001076",
                "!0x00000000 !0x00000007", "OpUnknown(43, 4) 5 7 1",
            ],
        ),
        # instructions of a set are each of their own
        ([PRINTF, instruction("OpExtInst", 1, 7, 6, 1), instruction("OpExtInst", 1, 8, 6, 0xFFFFFFFF)], []),
        ([GLSL, FLOAT, instruction("OpExtInst", 3, 7, 4, 31, 8), instruction("OpExtInst", 3, 8, 4, 32, 7)], []),
    ],
)  # fmt: skip
def test_no_more_is_given_up_than_text_cannot_say(instructions: list[list[int]], given_up: list[str]) -> None:
    data = module(*BEFORE, *instructions, *AFTER)
    shown = [line.partition("  ;")[0] for line in body(data) if line.startswith(("!", "OpUnknown"))]
    assert shown == given_up
    assert_assembles_to(recover(data), data)


def test_opcodes_that_the_version_does_not_have_are_given_up() -> None:
    copies = [instruction("OpCopyLogical", 1, at, 2) for at in (30, 31)]
    data = module(VOID, *copies, version=0x00010000)
    _, *shown = body(data)
    assert [line.partition(":")[0] for line in shown] == ["OpUnknown(400, 4) 1 30 2  ; word 7", "OpUnknown(400, 4) 1 31 2  ; word 11"]
    assert all("requires SPIR-V 1.4" in line for line in shown)
    assert_assembles_to(recover(data), data)


@given(st.lists(st.binary(min_size=1, max_size=12).map(lambda data: data.replace(b"\0", b"\n")), max_size=6))
def test_strings_of_any_bytes_are_kept(strings: list[bytes]) -> None:
    data = module(*[instruction("OpName", at, *string(data)) for at, data in enumerate(strings, 1)], VOID)
    assert "OpUnknown" not in recover(data)
    assert_assembles_to(recover(data), data)


_FRAMED = st.builds(
    lambda opcode, operands: [len(operands) + 1 << 16 | opcode, *operands],
    st.one_of(st.integers(0, 420), st.sampled_from([5, 21, 22, 23, 32, 43, 50, 71, 245, 251, 12, 11, 0xFFF0])),
    st.lists(st.one_of(st.integers(0, 24), st.integers(0, 0xFFFFFFFF), st.just(0x61)), max_size=6),
)


@given(st.lists(st.one_of(_FRAMED, _FRAMED, st.lists(st.integers(0, 0xFFFFFFFF), max_size=3)), max_size=40))
def test_instructions_without_sense_assemble_to_their_words(instructions: list[list[int]]) -> None:
    data = module(GLSL, VOID, INT, FLOAT, [*HALF[:1], 40, 16], *instructions)
    assert_assembles_to(recover(data), data)
