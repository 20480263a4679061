"""Binary modules to text, as a whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.assemble import AssembleError, assemble
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.preserved_ids import read_preserved
from tests.binary.building import FLOAT, GLSL, VOID, instruction, module, words_of
from tests.strategies import altered_modules, damaged_modules, modules

OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in (
            "friendly_names", "indent", "header", "color", "offsets", "comment", "nested_indent", "reorder_blocks",
            "handle_unknown_opcodes", "keep_ids",
        )
    },
)  # fmt: skip


def little_endian(data: bytes) -> bytes:
    return b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4)) if data.startswith(b"\x07") else data


@given(modules(), st.booleans(), st.booleans(), st.booleans())
def test_the_text_assembles_to_the_same_words(data: bytes, comment: bool, offsets: bool, nested: bool) -> None:
    text = disassemble(data, friendly_names=False, comment=comment, offsets=offsets, nested_indent=nested)
    assert assemble(text, preserve_numeric_ids=True)[20:] == little_endian(data)[20:]


@given(modules())
def test_friendly_names_give_the_same_listing_again(data: bytes) -> None:
    once = disassemble(assemble(disassemble(data)))
    assert disassemble(assemble(once)) == once


@given(modules())
def test_kept_numbers_name_every_id_that_is_not_called_by_its_number(data: bytes) -> None:
    text = disassemble(data, keep_ids=True)
    kept = read_preserved(text.splitlines())
    numbers = {f"%{name}": f"%{number}" for name, number in kept.ids.items()}
    body = re.sub(r'"(?:[^"\\]|\\.)*"|%\w+', lambda word: numbers.get(word[0], word[0]), text)
    assert assemble(body, preserve_numeric_ids=True)[20:] == little_endian(data)[20:]
    header = [int.from_bytes(little_endian(data)[at : at + 4], "little") for at in (8, 12, 16)]
    assert [kept.generator, kept.bound, kept.schema] == header


def assert_words_come_back(data: bytes, text: str) -> None:
    """The words of a module that its text keeps; the bound is at least one more than the largest id."""
    made, words = words_of(assemble(text)), words_of(little_endian(data))
    assert (*made[:3], *made[4:]) == (*words[:3], *words[4:])
    assert made[3] >= words[3]


@given(st.one_of(altered_modules(), damaged_modules()), st.booleans(), st.booleans())
def test_a_text_that_keeps_ids_keeps_all_words(data: bytes, friendly: bool, unknown: bool) -> None:
    try:
        text = disassemble(data, keep_ids=True, friendly_names=friendly, handle_unknown_opcodes=unknown)
    except DisassembleError:
        return
    assert_words_come_back(data, text)


@given(altered_modules())
def test_no_word_is_lost_without_a_trace(data: bytes) -> None:
    try:
        text = disassemble(data, friendly_names=False)
    except DisassembleError:
        return
    try:
        made = assemble(text, preserve_numeric_ids=True)
    except AssembleError:
        return  # it is said
    assert made[20:] == little_endian(data)[20:]


SHORT = instruction("OpTypeInt", 5, 16, 0)
PADDING = "as text, the bytes after the end of a string are 0, and here they are not"
DIGITS = "as text, no literal stands for the words that are here"


@pytest.mark.parametrize(
    ("instructions", "line"),
    [
        ([SHORT, instruction("OpConstant", 5, 9, 65543)], f"%9 = OpConstant %5 !0x00010007  ; 65543: {DIGITS}"),
        ([instruction("OpName", 1, 0x41000061)], f'OpName %1 !0x41000061  ; %1 "a": {PADDING}'),
        (
            [[*instruction("OpEntryPoint", 4, 1, "main", 3)[:4], 0x01000000, 3]],
            f'OpEntryPoint Fragment %1 !0x6e69616d !0x01000000 %3  ; Fragment %1 "main" %3: {PADDING}',
        ),
        (
            [[*GLSL[:-1], 0x01000000], FLOAT, instruction("OpExtInst", 3, 9, 4, 13, 8)],
            "%9 = OpExtInst %3 %4 !0x0000000d %8  ; %4 Sin %8: as text, this is read by what %4 declares, which is shown as words",
        ),
        ([instruction("OpString", 1, 0x41000A0A)], f'%1 = OpString !0x41000a0a  ; "\ufffd\ufffd": {PADDING}'),
    ],
    ids=range(5),
)
@pytest.mark.parametrize("keep", [False, True])
def test_literals_that_text_cannot_say_stand_as_words(instructions: list[list[int]], line: str, keep: bool) -> None:
    data = module(*instructions, bound=10)
    text = disassemble(data, friendly_names=False, indent=False, keep_ids=keep)
    assert text.split("\n")[-2] == line
    assert assemble(text, preserve_numeric_ids=True)[20:] == data[20:]
    if keep:
        assert_words_come_back(data, text)


def test_ids_and_types_that_text_cannot_say_stand_as_words_where_ids_are_kept() -> None:
    beyond = instruction("OpName", 0xFFFFFFFF, "a")
    wide = instruction("OpTypeFloat", 5, 16, 4214)
    for instructions, lines in (
        ([beyond], ["OpUnknown(5, 3) 4294967295 97"]),
        ([wide, instruction("OpConstant", 5, 7, 1)], ["OpUnknown(22, 4) 5 16 4214", "%7 = OpConstant %5 !0x00000001"]),
        ([instruction("OpCopyLogical", 1, 30, 2)], ["OpUnknown(400, 4) 1 30 2"]),
    ):
        data = module(*instructions, version=0x00010000)
        text = disassemble(data, friendly_names=False, indent=False, keep_ids=True)
        assert [line.partition("  ;")[0] for line in text.split("\n")[6:-1]] == lines
        assert_words_come_back(data, text)


def test_raw_ids_that_are_kept_stay() -> None:
    data = module(instruction("OpTypeVoid", 7), instruction("OpTypePointer", 3, 1, 7))
    text = disassemble(data, friendly_names=False, keep_ids=True)
    assert "spvls: ids" not in text
    assert assemble(text) == data
    assert assemble(disassemble(data[:8] + bytes(4) + data[12:], keep_ids=True))[8:12] == bytes(4)
    assert assemble(text + "%new = OpTypeVoid\n")[-4:] == b"\1\0\0\0"


@given(modules(), OPTIONS)
def test_every_option_lists_every_instruction(data: bytes, options: dict[str, Any]) -> None:
    def opcodes(text: str) -> list[str]:
        return sorted(re.findall(r"(?m)^(?:\S* *%\w+\S* = +| *)(Op\w+)", text))

    assert opcodes(disassemble(data, **options)) == opcodes(disassemble(data))


@given(damaged_modules(), OPTIONS)
def test_damaged_modules_are_listed_or_refused(data: bytes, options: dict[str, Any]) -> None:
    try:
        text = disassemble(data, **options)
    except DisassembleError as error:
        assert 0 <= error.word <= len(data) // 4
        assert str(error).startswith(f"word {error.word}: ")
    else:
        assert text.endswith("\n") or not text


@given(st.binary(max_size=200), OPTIONS)
def test_any_bytes_behind_a_header_are_listed_or_refused(data: bytes, options: dict[str, Any]) -> None:
    try:
        disassemble(module() + data, **options)
    except DisassembleError as error:
        assert error.word >= 5


def test_what_is_no_module_is_refused_with_its_word() -> None:
    with pytest.raises(DisassembleError, match="word 7: ") as caught:
        disassemble(module(VOID, [0x00000013]))
    assert caught.value.word == 7


def test_no_instruction_gives_the_header_alone() -> None:
    assert disassemble(module()).count("\n") == 5
    assert disassemble(module(), header=False) == ""


def test_an_environment_changes_nothing_and_must_exist() -> None:
    data = module(instruction("OpCapability", 1))
    assert disassemble(data, target_env="vulkan1.1") == disassemble(data)
    with pytest.raises(ValueError, match=r"vulkan9\.9"):
        disassemble(data, target_env="vulkan9.9")
