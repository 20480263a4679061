"""What only the words of a binary can say of literals and of the header, and what is too long for a small module."""

from __future__ import annotations

import struct

import pytest

import spvls

_TEXT = """\
OpCapability Shader
OpCapability Int16
OpCapability Float16
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %main "abc"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%ushort = OpTypeInt 16 0
%short = OpTypeInt 16 1
%half = OpTypeFloat 16
%u = OpConstant %ushort 4660
%s = OpConstant %short -2
%h = OpConstant %half 1
%main = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpSwitch %u %end 4661 %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""
_SCHEMA, _NAME = 4, b"abc\0"


def _words() -> list[int]:
    data = spvls.assemble(_TEXT, target_env="spv1.0")
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def _found(words: list[int]) -> list[str]:
    return [diagnostic.rule for diagnostic in spvls.validate(struct.pack(f"<{len(words)}I", *words))]


def _with(old: int, new: int) -> list[str]:
    words = _words()
    assert words.count(old) == 1
    words[words.index(old)] = new
    return _found(words)


def test_as_it_is_nothing_is_found() -> None:
    assert _found(_words()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(4660, 0x00011234, id="an unsigned number"),
        pytest.param(0xFFFFFFFE, 0x0000FFFE, id="a negative number without its sign"),
        pytest.param(0xFFFFFFFE, 0xFFFF7FFE, id="the sign of a negative number above another one"),
        pytest.param(0x3C00, 0x80003C00, id="a float"),
        pytest.param(4661, 0x00011235, id="a case of a switch"),
    ],
)
def test_bits_above_a_narrow_literal(old: int, new: int) -> None:
    assert _with(old, new) == ["physical/literal-bits"]


def test_the_reserved_word_of_the_header() -> None:
    words = _words()
    words[_SCHEMA] = 1
    assert _found(words) == ["physical/schema-zero"]


def test_octets_behind_the_end_of_a_string() -> None:
    name = int.from_bytes(_NAME, "little")
    assert _with(name, int.from_bytes(b"ab\0c", "little")) == ["physical/string-zero-padding"]


def test_octets_that_are_no_text() -> None:
    name = int.from_bytes(_NAME, "little")
    assert _with(name, int.from_bytes(b"a\xffc\0", "little")) == ["physical/string-utf8"]


@pytest.mark.parametrize(("length", "expected"), [(65535, []), (65536, ["limit/string-length"])])
def test_the_length_of_a_string(length: int, expected: list[str]) -> None:
    text = _TEXT.replace('"abc"', f'"{"x" * length}"')
    assert [diagnostic.rule for diagnostic in spvls.validate(text)] == expected


def test_a_string_is_measured_in_characters() -> None:
    text = _TEXT.replace('"abc"', f'"{"ä" * 65535}"')
    assert spvls.validate(text) == []


@pytest.mark.parametrize(("count", "expected"), [(254, False), (255, True)])
def test_the_number_of_execution_modes(count: int, expected: bool) -> None:
    mode = "OpExecutionMode %main LocalSize 1 1 1\n"
    more = "".join(f"OpExecutionMode %main DenormPreserve {width}\n" for width in range(count))
    found = {diagnostic.rule for diagnostic in spvls.validate(_TEXT.replace(mode, mode + more))}
    assert ("limit/execution-modes" in found) is expected
