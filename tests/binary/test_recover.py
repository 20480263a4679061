"""Damaged modules to text."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.binary.assemble import assemble
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.kept_numbers import read_kept
from spvls.binary.recover import recover
from tests.binary.building import INT, VOID, instruction, module
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
        ([instruction("OpCapability", 0xFFFF)], ["OpUnknown(17, 2) 65535  ; word 13: 65535 is no Capability in OpCapability"]),
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
    assert "; word 1: 0x00010900 is no version of SPIR-V" in text
    assert "%1 = OpTypeVoid" in text


def test_octets_without_a_header_are_refused() -> None:
    with pytest.raises(DisassembleError) as caught:
        recover(b"OpCapability Shader")
    assert caught.value.word == 0


def test_the_header_is_kept() -> None:
    kept = read_kept(recover(module(VOID, bound=77)).splitlines())
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
