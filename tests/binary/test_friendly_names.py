"""Names that say what ids are."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.binary.decode import decode
from spvls.binary.friendly_names import friendly_names
from tests.binary.building import FLOAT, INT, VOID, instruction, module
from tests.strategies import modules


def names(*instructions: list[int]) -> dict[str, str]:
    return friendly_names(decode(module(*instructions)).instructions)


def last_name(*instructions: list[int]) -> str:
    return list(names(*instructions).values())[-1]


@pytest.mark.parametrize(
    ("instructions", "name"),
    [
        ([VOID], "void"),
        ([instruction("OpTypeBool", 1)], "bool"),
        ([instruction("OpTypeInt", 1, 8, 0)], "uchar"),
        ([instruction("OpTypeInt", 1, 16, 1)], "short"),
        ([instruction("OpTypeInt", 1, 64, 0)], "ulong"),
        ([instruction("OpTypeInt", 1, 24, 1)], "i24"),
        ([instruction("OpTypeInt", 1, 24, 0)], "u24"),
        ([instruction("OpTypeFloat", 1, 16)], "half"),
        ([instruction("OpTypeFloat", 1, 64)], "double"),
        ([instruction("OpTypeFloat", 1, 24)], "fp24"),
        ([instruction("OpTypeFloat", 1, 16, 0)], "bfloat16"),
        ([instruction("OpTypeFloat", 1, 8, 4214)], "fp8e4m3"),
        ([instruction("OpTypeFloat", 1, 32, 4214)], "fp8e4m3"),
        ([instruction("OpTypeFloat", 1, 8, 4215)], "fp8e5m2"),
        ([FLOAT, instruction("OpTypeVector", 9, 3, 4)], "v4float"),
        ([FLOAT, instruction("OpTypeVector", 9, 3, 4), instruction("OpTypeMatrix", 8, 9, 2)], "mat2v4float"),
        ([FLOAT, INT, instruction("OpConstant", 2, 8, 3), instruction("OpTypeArray", 9, 3, 8)], "_arr_float_int_3"),
        ([FLOAT, instruction("OpTypeRuntimeArray", 9, 3)], "_runtimearr_float"),
        ([FLOAT, instruction("OpTypePointer", 9, 1, 3)], "_ptr_Input_float"),
        ([instruction("OpTypePointer", 9, 7, 50)], "_ptr_Function_50"),
        ([instruction("OpTypeUntypedPointerKHR", 9, 12)], "_ptr_StorageBuffer"),
        ([instruction("OpTypeStruct", 9, 1, 2)], "_struct_9"),
        ([instruction("OpTypeOpaque", 9, "a.b")], "Opaque_a_b"),
        ([instruction("OpTypePipe", 9, 1)], "PipeWriteOnly"),
        ([instruction("OpTypeEvent", 9)], "Event"),
        ([instruction("OpConstantTrue", 1, 9)], "true"),
        ([instruction("OpConstantFalse", 1, 9)], "false"),
        ([INT, instruction("OpConstant", 2, 9, 0xFFFFFFFF)], "int_n1"),
        ([FLOAT, instruction("OpConstant", 3, 9, 0x3F000000)], "float_0_5"),
        ([FLOAT, instruction("OpConstant", 3, 9, 0xBF000000)], "float_n0_5"),
        ([FLOAT, instruction("OpConstant", 3, 9, 0x7F800000)], "float_0x1p_128"),
        ([instruction("OpTypeInt", 1, 128, 0), instruction("OpConstant", 1, 9, 1, 2, 3, 4)], "u128_"),
        ([INT, instruction("OpSpecConstant", 2, 9, 3)], "9"),
        ([instruction("OpUndef", 1, 9)], "9"),
        ([instruction("OpDecorate", 9, 11, 0)], "gl_Position"),
        ([instruction("OpDecorate", 9, 11, 28)], "gl_GlobalInvocationID"),
        ([instruction("OpDecorate", 9, 11, 36)], "SubgroupSize"),
        ([instruction("OpDecorate", 9, 11, 4416)], "SubgroupEqMaskKHR"),
        ([instruction("OpName", 9, "main")], "main"),
        ([instruction("OpName", 9, "f(vf4;é")], "f_vf4___"),
        ([instruction("OpName", 9, "")], "_"),
    ],
)
def test_what_an_id_is_called(instructions: list[list[int]], name: str) -> None:
    assert last_name(*instructions) == name


def test_the_first_name_stays() -> None:
    given_twice = [instruction("OpName", 1, "a"), instruction("OpName", 1, "b"), instruction("OpDecorate", 1, 11, 0), VOID]
    assert names(*given_twice) == {"1": "a"}


def test_builtins_without_a_name_and_other_decorations_give_none() -> None:
    assert names(instruction("OpDecorate", 9, 11, 4424), instruction("OpDecorate", 9, 0)) == {}


def test_a_name_that_is_taken_is_numbered() -> None:
    taken = [instruction("OpName", at, "x") for at in (1, 2, 3)]
    assert names(*taken, instruction("OpName", 4, "x_1"), instruction("OpName", 5, "x")) == {
        "1": "x", "2": "x_0", "3": "x_1", "4": "x_1_0", "5": "x_2",
    }  # fmt: skip


def test_a_number_that_is_taken_is_no_name_for_another_id() -> None:
    assert names(instruction("OpName", 1, "2"), instruction("OpUndef", 9, 2)) == {"1": "2", "2": "2_0"}


def test_kept_instructions_name_nothing() -> None:
    kept = decode(module(instruction("OpTypePointer", 9, 9999, 3), VOID), keep_unknown=True)
    assert friendly_names(kept.instructions) == {"1": "void"}


def test_names_made_of_names_end_somewhere() -> None:
    doubling = [instruction("OpTypeArray", at + 1, at, at) for at in range(1, 200)]
    found = names(VOID, *doubling)
    assert max(map(len, found.values())) < 10_000
    assert len(set(found.values())) == len(found)


def test_long_names_that_are_used_often_are_left_to_the_number() -> None:
    long, longer = "a" * 100, "b" * 256
    named = [instruction("OpName", 1, long), instruction("OpName", 2, longer), instruction("OpName", 3, "2"), VOID]
    used = [instruction("OpReturnValue", at) for at in (1, *[2] * 70_000)]
    assert names(*named, *used[:10]) == {"1": long, "2": longer, "3": "2"}
    assert names(*named, *used) == {"1": long, "2": "2_0", "3": "2"}


@pytest.mark.parametrize(("length", "is_kept"), [(256, True), (257, False)])
def test_names_longer_than_256_characters_are_left_to_the_number(length: int, is_kept: bool) -> None:
    name = "a" * length
    assert names(instruction("OpName", 1, name), VOID)["1"] == (name if is_kept else "1")


def test_names_made_of_names_have_an_end_together() -> None:
    nested = [instruction("OpTypeVector", at + 1, at, 4) for at in range(1, 20_000)]
    found = names(VOID, *nested)
    assert len(set(found.values())) == len(found) == 20_000
    assert sum(len(name) for name in found.values()) < 20 << 20


@given(modules())
def test_no_two_ids_share_a_name(data: bytes) -> None:
    found = friendly_names(decode(data).instructions)
    assert len(set(found.values())) == len(found)
    assert all(name.isascii() and name.replace("_", "a").isalnum() for name in found.values())
