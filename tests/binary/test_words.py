"""Bytes to words."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given

from spvls.binary.words import DecodeError, read_any_words, read_words
from tests.binary.building import MAGIC, VOID, module, words_of
from tests.strategies import modules

MODULE = module(VOID)
WORDS = list(words_of(MODULE))


def dump(format_: str, separator: str, values: list[int] | bytes) -> bytes:
    return separator.join(format_.format(value) for value in values).encode()


def test_both_byte_orders_give_the_same_words() -> None:
    little, big = read_words(MODULE), read_words(module(VOID, order=">"))
    assert little.words == big.words == WORDS
    assert little.data == big.data == MODULE
    assert (little.header.byte_order, big.header.byte_order) == ("little", "big")


def test_the_header_is_what_follows_the_magic_number() -> None:
    header = read_words(struct.pack("<5I", MAGIC, 0x00010300, 0x0008000B, 27, 5)).header
    assert header == (0x00010300, 0x0008000B, 27, 5, "little")


@pytest.mark.parametrize(
    "text",
    [
        dump("0x{:08x}", ", ", WORDS),
        dump("0x{:x}", ",", WORDS),
        dump("x{:X}", "\n", WORDS),
        dump("0X{:x}", " ,\t", WORDS) + b",\n",
        b"\n " + dump("0x{:08x}", " ", WORDS),
        dump("0x{:02x}", ", ", MODULE),
        dump("x{:x}", " ", MODULE),
        dump("{:02x}", " ", MODULE),
        dump("{:x}", " ", MODULE),
        dump("{:02X}", "", MODULE),
        dump("{:08x}", " ", WORDS),
        dump("{:08x}", "", WORDS),
        dump("{:02x}", ",", module(VOID, order=">")),
    ],
)
def test_dumps_give_the_words_that_they_show(text: bytes) -> None:
    assert read_words(text).words == WORDS


@pytest.mark.parametrize(
    ("data", "word", "says"),
    [
        (b"", 0, "0 bytes"),
        (b"\x03\x02\x23", 0, "3 bytes"),
        (MODULE[:19], 4, "header"),
        (MODULE[:-1], 6, "not a multiple of four"),
        (struct.pack("<5I", 0x07230204, 0x10000, 0, 1, 0), 0, "0x07230204"),
        (b"OpCapability Shader\n", 0, "first word"),
        (module(version=0x00010700), 1, "0x00010700"),
        (module(version=0x00020000), 1, "0x00020000"),
        (module(version=0x00010001), 1, "0x00010001"),
        (module(version=0), 1, "0x00000000"),
        (b"0x07230203, 0x10000, 7", 2, "`7`"),
        (b"0x07230203, 0x100000000", 1, "`0x100000000`"),
        (b"0x03 0x02 0x23 0x07 0x00 0x100", 1, "`0x100`"),
        (b"03022307 0001000", 1, "`0001000`"),
        (b"03 02 23 07 00 gg", 1, "`gg`"),
    ],
)
def test_what_is_no_module_is_refused_with_the_word_at_fault(data: bytes, word: int, says: str) -> None:
    with pytest.raises(DecodeError, match=says) as caught:
        read_words(data)
    assert caught.value.word == word
    assert str(caught.value) == f"word {word}: {caught.value.message}"


def test_any_version_and_half_a_word_can_be_asked_for() -> None:
    read = read_any_words(module(VOID, version=0x00010700) + b"ab")
    assert read.header.version == 0x00010700
    assert read.rest == b"ab"


@given(modules())
def test_a_dump_of_a_module_is_the_module(data: bytes) -> None:
    assert read_words(dump("0x{:02x}", " ", data)) == read_words(data)
