"""Malformed binaries are read as far as their word counts allow."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.binary.decode import DecodeError, decode
from spvls.binary.partial import decode_partly

_TEXT = """OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%1 = OpTypeVoid
%2 = OpTypeInt 32 0
%3 = OpTypeFunction %1
%4 = OpConstant %2 7
%5 = OpFunction %1 None %3
%6 = OpLabel
%7 = OpIAdd %2 %4 %4
OpReturn
OpFunctionEnd
"""
_WORDS = list(struct.unpack("<39I", spvls.assemble(_TEXT, target_env="spv1.0", preserve_numeric_ids=True)))


def _binary(words: list[int]) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def _changed(words: list[int], opcode: int, place: int, word: int) -> bytes:
    """A binary with another word in its first instruction of an opcode."""
    at = 5
    while words[at] & 0xFFFF != opcode:
        at += words[at] >> 16
    return _binary([*words[: at + place], word, *words[at + place + 1 :]])


def _errors(data: bytes) -> list[tuple[str, int | None]]:
    return [(found.rule, found.instruction) for found in spvls.validate(data, target_env="spv1.0") if found.severity.value == "error"]


@pytest.mark.parametrize(
    ("opcode", "place", "word", "errors"),
    [
        (43, 2, 2, [("id/is-defined-once", 7)]),
        (43, 1, 1, [("physical/malformed", 7)]),
        (128, 0, 4 << 16 | 128, [("physical/malformed", 10)]),
        (128, 0, 60_000 << 16 | 128, [("physical/malformed", 10)]),
        (128, 0, 5 << 16 | 9999, [("physical/malformed", 10)]),
    ],
)
def test_the_faulty_instruction_is_named(opcode: int, place: int, word: int, errors: list[tuple[str, int | None]]) -> None:
    found = _errors(_changed(_WORDS, opcode, place, word))
    assert found[: len(errors)] == errors


def test_the_rest_of_a_malformed_module_is_checked() -> None:
    words = list(struct.unpack("<39I", _changed(_WORDS, 43, 1, 1)))
    assert ("type/integer-width-is-enabled", 5) in _errors(_changed(words, 21, 2, 64))


def test_a_type_that_nothing_declares_is_one_fault() -> None:
    words = list(_WORDS)
    at = words.index(4 << 16 | 43)
    gone = _binary([*words[:5], *words[5:at], 4 << 16 | 43, 9, 10, 1, 4 << 16 | 43, 9, 11, 2, *words[at:]])
    assert _errors(gone) == [("physical/malformed", 7)]


def test_what_depends_on_a_faulty_instruction_has_no_fault_of_its_own() -> None:
    text = _TEXT.replace("OpMemoryModel", '%9 = OpExtInstImport "NonSemantic.x"\nOpMemoryModel').replace(
        "%7 = OpIAdd %2 %4 %4", "%8 = OpExtInst %1 %9 1"
    )
    data = spvls.assemble(text, target_env="spv1.6", preserve_numeric_ids=True).replace(b"NonSemantic.x", b"NoSemantics.x")
    assert [found.instruction for found in spvls.validate(data) if found.rule == "physical/malformed"] == [3]


def test_a_continued_source_without_its_text_continues_nothing() -> None:
    truncated_type, surplus = [3 << 16 | 21, 9, 8], [4 << 16 | 2, 9, 0, 0]
    data = _binary([*_WORDS[:5], *truncated_type, *surplus, *_WORDS[5:]])
    assert [found.instruction for found in spvls.validate(data) if found.rule == "physical/malformed"] == [1]


@given(st.lists(st.tuples(st.integers(5, len(_WORDS) - 1), st.integers(0, 0xFFFFFFFF) | st.integers(0, 70)), max_size=4))
def test_any_words_are_read(edits: list[tuple[int, int]]) -> None:
    words = list(_WORDS)
    for at, word in edits:
        words[at] = word
    data = _binary(words)
    partial = decode_partly(data)
    assert len(partial.binary.instructions) == len(partial.binary.offsets) == len(partial.binary.codecs)
    assert all(found.rule != "internal/rule-failed" for found in spvls.validate(data))
    try:
        whole = decode(data)
    except DecodeError:
        return
    assert partial.is_whole
    assert list(map(repr, partial.binary.instructions)) == list(map(repr, whole.instructions))


def test_without_a_header_there_is_no_module() -> None:
    with pytest.raises(DecodeError):
        decode_partly(b"abcd" * 5)
    assert _errors(b"abcd" * 5) == [("physical/malformed", None)]


def _inserted(opcode: int, place: int, *operands: int) -> bytes:
    """A binary with another instruction before the first one of an opcode."""
    at = 5
    while _WORDS[at] & 0xFFFF != opcode:
        at += _WORDS[at] >> 16
    words = [*_WORDS[:at], (1 + len(operands)) << 16 | place, *operands, *_WORDS[at:]]
    words[3] = 60
    return _binary(words)


def test_an_unknown_opcode_is_one_instruction_and_the_rest_is_read() -> None:
    data = _inserted(128, 60_000, 2, 50, 1234)
    partial = decode_partly(data)
    assert partial.is_whole
    assert len(partial.binary.instructions) == len(decode(_binary(_WORDS)).instructions) + 1
    assert _errors(data) == [("physical/malformed", 10)]


@pytest.mark.parametrize("operands", [(2, 50, 1234), (50, 1234), (50,)])
def test_an_unknown_opcode_defines_an_id_that_is_used(operands: tuple[int, ...]) -> None:
    words = list(struct.unpack(f"<{len(_inserted(128, 60_000, *operands)) // 4}I", _inserted(128, 60_000, *operands)))
    data = _changed(words, 128, 3, 50)
    assert ("id/is-defined-before-use", 11) not in _errors(data)
    assert [error for error in _errors(data) if error[1] == 10] == [("physical/malformed", 10)]


def test_an_unknown_opcode_does_not_define_what_others_define() -> None:
    data = _inserted(128, 60_000, 2, 4)
    assert _errors(data) == [("physical/malformed", 10)]
