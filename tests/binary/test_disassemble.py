"""Binary modules to text, as a whole."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.assemble import assemble
from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.preserved_ids import read_preserved
from tests.binary.building import VOID, instruction, module
from tests.strategies import damaged_modules, modules

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
