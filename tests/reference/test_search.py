"""The edits that search makes of a module; no reference is asked."""

from __future__ import annotations

from random import Random

import spvls
from tests.fuzz.words import HEADER, Words, made, name_of
from tests.reference.search import EDGES, Item, Seed, edits, mutants

WORDS = spvls.assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\n%u = OpTypeInt 32 0\n%x = OpConstant %u 7\n")
PLACE = len(WORDS)


def _new(*extra: Item) -> Seed:
    return Seed("test", "spv1.6", WORDS, extra, PLACE)


def _words_of(*instructions: list[int]) -> bytes:
    return Words([0] * HEADER, list(instructions)).data()[4 * HEADER :]


def test_edits_change_one_place_each() -> None:
    found = list(edits(_new(), {}, Random(1), 10_000))
    assert len(found) == len({*found}) > len(EDGES)
    for words in found:
        assert words != WORDS
        assert len(Words.parse(words).code) in (3, 4, 5)


def test_the_same_edit_of_the_same_operand_is_made_so_often() -> None:
    done: dict[object, int] = {}
    counts = [len(list(edits(_new(), done, Random(1), 10_000))) for _ in range(4)]
    assert counts[0] >= counts[1] > counts[2] == counts[3]


def test_an_item_of_the_palette_comes_with_its_definition() -> None:
    bound = Words.parse(WORDS).header[3]
    item = Item("f32", bound, _words_of(made("OpTypeFloat", bound, 32)))
    last = PLACE - 4 * 4  # OpConstant
    module = Words.parse(_new(item).with_item(item, last + 4))
    assert [name_of(words) for words in module.code[-2:]] == ["OpConstant", "OpTypeFloat"]
    assert module.code[-2][1] == item.id
    assert module.header[3] == bound + 1


def test_mutants_are_drawn_by_chance() -> None:
    first, again = (list(mutants(_new(), Random(5), 10)) for _ in range(2))
    assert first == again
    assert len({*first}) > 1
