"""Words to instructions."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.binary.decode import DecodeError, Decoder, decode
from spvls.binary.words import read_words
from spvls.grammar import tables
from spvls.syntax.instruction import Instruction
from tests.binary.building import FLOAT, GLSL, INT, VOID, instruction, module, opcode, string, words_of
from tests.strategies import damaged_modules, modules


def read(*instructions: list[int]) -> list[Instruction]:
    return decode(module(*instructions)).instructions


def last(*instructions: list[int]) -> Instruction:
    return read(*instructions)[-1]


def test_a_module_is_its_header_its_instructions_and_where_they_begin() -> None:
    binary = decode(module(VOID, INT, bound=7))
    assert binary.header == (0x00010600, 0x00070000, 7, 0, "little")
    assert [record.opcode.name for record in binary.instructions] == ["OpTypeVoid", "OpTypeInt"]
    assert binary.offsets == [5, 7]
    assert len(binary.codecs) == 2


def test_type_and_result_stand_apart_from_the_operands() -> None:
    record = last(instruction("OpIAdd", 2, 7, 5, 6))
    assert (record.opcode, record.type, record.result, record.operands) == (tables.opcode("OpIAdd"), "2", "7", ("5", "6"))
    assert (record.text, record.start, record.end, record.faults, record.raw) == ("", 0, 0, (), False)


@pytest.mark.parametrize(
    ("instructions", "operands"),
    [
        ([instruction("OpReturn")], ()),
        ([instruction("OpName", 1, "main")], ("1", b"main")),
        ([instruction("OpName", 1, 0x00006261)], ("1", b"ab")),
        ([instruction("OpName", 1, 0x64006261)], ("1", b"ab")),
        ([instruction("OpName", 1, *string(b"\xff\xfe"))], ("1", b"\xff\xfe")),
        ([instruction("OpMemberName", 1, 3, "x")], ("1", 3, b"x")),
        ([instruction("OpEntryPoint", 4, 1, "main", 2, 3)], (4, "1", b"main", "2", "3")),
        ([instruction("OpSource", 2, 450)], (2, 450)),
        ([instruction("OpSource", 2, 450, 1, "text")], (2, 450, "1", b"text")),
        ([instruction("OpDecorate", 1, 0)], ("1", 0)),
        ([instruction("OpDecorate", 1, 30, 5)], ("1", 30, 5)),
        ([instruction("OpDecorate", 1, 41, "f", 0)], ("1", 41, b"f", 0)),
        ([instruction("OpMemberDecorate", 1, 2, 35, 16)], ("1", 2, 35, 16)),
        ([instruction("OpExecutionMode", 1, 17, 8, 4, 2)], ("1", 17, 8, 4, 2)),
        ([instruction("OpStore", 1, 2)], ("1", "2")),
        ([instruction("OpStore", 1, 2, 0)], ("1", "2", 0)),
        ([instruction("OpStore", 1, 2, 3, 16)], ("1", "2", 3, 16)),
        ([instruction("OpCopyMemory", 1, 2, 2, 4, 3, 8)], ("1", "2", 2, 4, 3, 8)),
        ([instruction("OpImageSampleExplicitLod", 9, 8, 1, 2, 6, 3, 4, 5)], ("1", "2", 6, "3", "4", "5")),
        ([instruction("OpLoopMerge", 1, 2, 0x108, 7, 4)], ("1", "2", 0x108, 7, 4)),
        ([instruction("OpPhi", 9, 8, 1, 2, 3, 4)], ("1", "2", "3", "4")),
        ([instruction("OpPhi", 9, 8, 1)], ("1",)),
        ([instruction("OpGroupMemberDecorate", 1, 2, 0, 3, 1)], ("1", "2", 0, "3", 1)),
        ([instruction("OpSpecConstantOp", 9, 8, opcode("OpIAdd"), 1, 2)], (opcode("OpIAdd"), "1", "2")),
        ([instruction("OpSpecConstantOp", 9, 8, opcode("OpCompositeExtract"), 1, 2)], (opcode("OpCompositeExtract"), "1", 2)),
        ([INT, instruction("OpConstant", 2, 9, 0xFFFFFFFF)], (0xFFFFFFFF,)),
        ([FLOAT, instruction("OpConstant", 3, 9, 0x3F800000)], (0x3F800000,)),
        ([instruction("OpTypeInt", 1, 64, 0), instruction("OpConstant", 1, 9, 5, 6)], ((5, 6),)),
        ([instruction("OpTypeInt", 1, 128, 0), instruction("OpSpecConstant", 1, 9, 5, 6, 7, 8)], ((5, 6, 7, 8),)),
        ([instruction("OpSwitch", 1, 2)], ("1", "2")),
        ([INT, instruction("OpUndef", 2, 9), instruction("OpSwitch", 9, 5, 7, 6, 8, 6)], ("9", "5", 7, "6", 8, "6")),
        (
            [instruction("OpTypeInt", 1, 64, 0), instruction("OpUndef", 1, 9), instruction("OpSwitch", 9, 5, 7, 1, 6)],
            ("9", "5", (7, 1), "6"),
        ),
        (
            [instruction("OpTypeInt", 1, 0, 0), instruction("OpUndef", 1, 9), instruction("OpSwitch", 9, 5, 6)],
            ("9", "5", (), "6"),
        ),
        ([GLSL, instruction("OpExtInst", 3, 9, 4, 31, 5)], ("4", 31, "5")),
        ([instruction("OpExtInstImport", 1, "NonSemantic.New"), instruction("OpExtInst", 3, 9, 1, 7, 5)], ("1", 7, "5")),
        (
            [instruction("OpExtInstImport", 1, "NonSemantic.DebugPrintf"), instruction("OpExtInst", 3, 9, 1, 1)],
            ("1", 1),
        ),
        (
            [
                instruction("OpExtInstImport", 1, "NonSemantic.Shader.DebugInfo.100"),
                instruction("OpExtInst", 3, 9, 1, 2, 5, 6, 7, 8, 5, 6),
            ],
            ("1", 2, "5", "6", "7", "8", "5", "6"),
        ),
        (
            [instruction("OpExtInstImport", 1, "OpenCL.DebugInfo.100"), instruction("OpExtInst", 3, 9, 1, 2, 5, 6, 4)],
            ("1", 2, "5", "6", 4),
        ),
    ],
)
def test_operands(instructions: list[list[int]], operands: tuple[object, ...]) -> None:
    assert last(*instructions).operands == operands


@pytest.mark.parametrize(
    ("instructions", "operands"),
    [
        ([instruction("OpName", 1, "a"), instruction("OpName", 2, "bc")], ("2", b"bc")),
        ([instruction("OpName", 1, "a"), instruction("OpName", 2, 0x01000062)], ("2", b"b")),
        ([instruction("OpMemberName", 1, 0, "abcd"), instruction("OpMemberName", 2, 7, "efgh")], ("2", 7, b"efgh")),
        ([instruction("OpString", 1, "abcd"), instruction("OpString", 2, "efghijk")], (b"efghijk",)),
        ([instruction("OpEntryPoint", 5, 1, "main"), instruction("OpEntryPoint", 5, 2, "m", 3)], (5, "2", b"m", "3")),
        ([instruction("OpSource", 2, 450, 1, "abcd"), instruction("OpSource", 3, 1, 2, "efgh")], (3, 1, "2", b"efgh")),
    ],
)
def test_operands_of_a_shape_that_was_read_before(instructions: list[list[int]], operands: tuple[object, ...]) -> None:
    assert last(*instructions).operands == operands


@pytest.mark.parametrize(
    ("instructions", "word", "says"),
    [
        ([[0x00000013]], 5, "word count here is 0"),
        ([VOID, [0x00040021, 2, 1]], 7, "has 4 words, but the module ends after 3"),
        ([[0x0001FFFE]], 5, "no opcode 65534"),
        ([instruction("OpTypeVoid", 1, 2)], 7, "OpTypeVoid has 2 words here, but its word count is 3"),
        ([instruction("OpIAdd", 1, 2, 3)], 5, "without its operand Operand 2"),
        ([instruction("OpTypeVoid", 0)], 6, "the result id of OpTypeVoid is 0, which is not an id"),
        ([instruction("OpUndef", 0, 1)], 6, "the result type of OpUndef is 0, which is not an id"),
        ([instruction("OpIAdd", 1, 2, 3, 0)], 9, "Operand 2 of OpIAdd is 0, which is not an id"),
        ([VOID, instruction("OpTypeBool", 1)], 8, "id 1 is the result of an earlier instruction"),
        ([instruction("OpCapability", 0xFFFF)], 6, "OpCapability has 65535, which is not a value of Capability"),
        ([instruction("OpStore", 1, 2, 0x80000001)], 8, "OpStore has the bit 0x80000000, which is not a bit of MemoryAccess"),
        ([instruction("OpStore", 1, 2, 2)], 5, "without its operand"),
        ([instruction("OpName", 1, 0x64636261)], 7, "NUL"),
        ([instruction("OpName", 1), VOID], 5, "without its operand Name"),
        ([instruction("OpName", 1, "abc"), instruction("OpName", 1, 0x64636261)], 10, "NUL"),
        ([instruction("OpName", 1, "abcd"), instruction("OpName", 1, 0x61, 7)], 12, "OpName has 3 words here"),
        ([instruction("OpName", 1, "abc"), instruction("OpName", 0, "abc")], 9, "operand Target of OpName is 0, which is not an id"),
        ([instruction("OpExtInstImport", 1, "GLSL.std.451")], 7, 'no extended instruction set "GLSL.std.451"'),
        ([GLSL, instruction("OpExtInst", 3, 9, 5, 31, 5)], 14, "id 5 is not the result of an earlier OpExtInstImport"),
        ([GLSL, instruction("OpExtInst", 3, 9, 4, 9999, 5)], 15, "GLSL.std.450 has no instruction 9999"),
        ([GLSL, instruction("OpExtInst", 3, 9, 4, 31, 5, 6)], 17, "OpExtInst has 6 words here"),
        ([GLSL, instruction("OpExtInst", 3, 9, 4, 31)], 11, "without its operand x"),
        ([instruction("OpSpecConstantOp", 1, 2, opcode("OpLoad"), 3)], 8, "OpLoad is not an operation"),
        ([instruction("OpSpecConstantOp", 1, 2, 9999, 3)], 8, "opcode 9999 is not an operation"),
        ([instruction("OpConstant", 1, 2, 3)], 6, "no type before it has the id 1"),
        ([VOID, instruction("OpConstant", 1, 2, 3)], 8, "the type with id 1 is neither"),
        ([instruction("OpTypeInt", 1, 64, 0), instruction("OpConstant", 1, 2, 3)], 12, "a 64-bit literal takes 2 words"),
        ([instruction("OpTypeInt", 1, 0xFFFFFFFF, 0), instruction("OpConstant", 1, 2, 3)], 12, "4294967295-bit"),
        ([instruction("OpTypeInt", 1, 0, 0), instruction("OpConstant", 1, 2)], 9, "without its operand Value"),
        ([instruction("OpSwitch", 1, 2, 3, 4)], 6, "id 1 is not"),
        ([INT, instruction("OpSwitch", 2, 5, 3, 4)], 10, "id 2 is not"),
        ([FLOAT, instruction("OpUndef", 3, 9), instruction("OpSwitch", 9, 5, 7, 6)], 12, "id 9 is not"),
        ([INT, instruction("OpUndef", 2, 9), instruction("OpSwitch", 9, 5, 7)], 12, "without its operand Target"),
        ([instruction("OpGroupMemberDecorate", 1, 2)], 5, "without its operand"),
    ],
)
def test_faults_name_the_word_and_what_is_wrong_there(instructions: list[list[int]], word: int, says: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(*instructions)
    assert says in caught.value.message
    assert caught.value.word == word


@pytest.mark.parametrize(
    "instructions",
    [
        [instruction("OpCapability", 1), instruction("OpCapability", 0xFFFF)],
        [instruction("OpDecorate", 1, 30, 5), instruction("OpDecorate", 2, 30, 6), instruction("OpDecorate", 2, 9999, 6)],
        [GLSL, instruction("OpExtInst", 3, 9, 4, 31, 5), instruction("OpExtInst", 3, 10, 4, 9999, 5)],
        [instruction("OpStore", 1, 2, 1), instruction("OpStore", 1, 2, 0x40000000)],
    ],
)
def test_what_was_read_before_does_not_hide_a_fault(instructions: list[list[int]]) -> None:
    with pytest.raises(DecodeError, match=r" which is not a |has no "):
        read(*instructions)


def test_an_instruction_is_read_alike_however_often_it_comes() -> None:
    stores = [instruction("OpStore", 1, number, 2, number) for number in (2, 4, 8)]
    loads = [instruction("OpLoad", 9, number, 1, 2, 8) for number in (20, 21)]
    names = [instruction("OpDecorate", 1, 41, name, 0) for name in ("f", "g", "longer")]
    assert [record.operands for record in read(*stores, *loads, *names)] == [
        ("1", "2", 2, 2), ("1", "4", 2, 4), ("1", "8", 2, 8), ("1", 2, 8), ("1", 2, 8),
        ("1", 41, b"f", 0), ("1", 41, b"g", 0), ("1", 41, b"longer", 0),
    ]  # fmt: skip


def test_ids_at_and_beyond_the_bound_are_read() -> None:
    assert last(instruction("OpTypeArray", 0xFFFFFFFF, 200, 300)).result == "4294967295"
    assert decode(module(VOID, bound=0xFFFFFFFF)).header.bound == 0xFFFFFFFF


@pytest.mark.parametrize(
    "words",
    [
        instruction(0xFFFE, 42, 99),
        instruction(0xFFFE),
        instruction("OpCapability", 0xFFFF),
        instruction("OpFunction", 1, 2, 0x80000000, 3),
        instruction("OpExtInst", 2, 3, 4, 0xFFFF),
    ],
)
def test_unknown_values_can_be_kept_as_words(words: list[int]) -> None:
    binary = decode(module(GLSL, words, VOID), keep_unknown=True)
    kept = binary.instructions[1]
    assert kept.raw
    assert kept.opcode.value == words[0] & 0xFFFF
    assert (kept.type, kept.result, kept.operands) == (None, None, tuple(words[1:]))
    assert binary.instructions[2].result == "1"


@pytest.mark.parametrize("words", [[0], [0x0003FFFE, 1], instruction("OpTypeVoid", 0), instruction("OpStore", 1)])
def test_other_faults_are_never_kept(words: list[int]) -> None:
    with pytest.raises(DecodeError):
        decode(module(words), keep_unknown=True)


def test_a_decoder_goes_on_behind_a_fault() -> None:
    decoder = Decoder(read_words(module(VOID, instruction("OpTypeBool", 0), INT)))
    with pytest.raises(DecodeError):
        decoder.run()
    assert decoder.at == 7
    decoder.at = 9
    decoder.run()
    assert [record.opcode.name for record in decoder.binary.instructions] == ["OpTypeVoid", "OpTypeInt"]


@given(modules())
def test_instructions_lie_one_behind_the_other(data: bytes) -> None:
    words = read_words(data).words
    binary = decode(data)
    ends = [at + (words[at] >> 16) for at in binary.offsets]
    assert [*binary.offsets, len(words)] == [5, *ends]


@given(modules())
def test_both_byte_orders_decode_alike(data: bytes) -> None:
    swapped = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    here, there = decode(data), decode(swapped)
    assert [repr(record) for record in here.instructions] == [repr(record) for record in there.instructions]


@given(damaged_modules())
def test_any_bytes_decode_or_raise_decode_error(data: bytes) -> None:
    try:
        binary = decode(data, keep_unknown=True)
    except DecodeError as error:
        assert 0 <= error.word <= len(data) // 4
        assert error.message
    else:
        assert len(binary.instructions) == len(binary.offsets) == len(binary.codecs)
        assert words_of(data)[0] in (0x07230203, 0x03022307)
