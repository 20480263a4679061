"""Names of ids to numbers."""

from __future__ import annotations

import pytest

from spvls.binary.assemble import assemble_with_ids
from spvls.binary.numbering import Numbering


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("7", 7),
        ("0x1F", 31),
        ("0X1f", 31),
        ("017", 15),
        ("0", 0),
        ("4294967295", 0xFFFFFFFF),
        ("4294967296", 1),
        ("08", 1),
        ("0x", 1),
        ("0o7", 1),
        ("1_0", 1),
        ("0x1_0", 1),
        ("x", 1),
        ("9" * 5000, 1),
    ],
)
def test_names_that_read_as_numbers_have_them(name: str, number: int) -> None:
    assert Numbering([name])[name] == number


def test_other_names_take_the_numbers_that_are_left() -> None:
    numbering = Numbering(["2", "a", "b"], {"c": 1})
    assert [numbering[name] for name in ("a", "2", "b", "c")] == [3, 2, 4, 1]
    assert numbering.bound == 5


def test_a_long_name_assembles_with_numeric_ids_preserved() -> None:
    name = "9" * 5000
    assert assemble_with_ids(f"%{name} = OpTypeVoid\n", preserve_numeric_ids=True)[1] == {name: 1}
