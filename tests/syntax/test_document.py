"""The document under edits is the document read afresh, and what an edit leaves alone is not read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spvls.binary.encode import encode
from spvls.diagnostic import Position, Range
from spvls.syntax.document import Change, Document
from spvls.syntax.instruction import Instruction
from spvls.text.lines import position_in
from tests.bench.modules import module_text
from tests.strategies import Edit, edit_batches, excerpts, texts

State = list[tuple[int, list[tuple[object, ...]]]]


def said(record: Instruction) -> tuple[object, ...]:
    """All that an instruction says, its words included."""
    words = tuple(record.text[start:end] for start, end in record.words())
    head = record.opcode.name, record.opcode.value, record.type, record.result
    return *head, record.operands, record.faults, record.raw, record.text, record.start, record.end, words


def state(document: Document) -> State:
    """Every chunk with its line and its instructions."""
    return [(chunk.first, [said(record) for record in chunk.records]) for chunk in document.chunks]


def rows(document: Document) -> list[list[tuple[object, ...]]]:
    return [[said(record) for record in document.records_on(line)] for line in range(len(document.lines))]


def here(position: Position) -> Range:
    return Range(position, position)


def follow(held: Counter[int], changes: Iterable[Change]) -> None:
    for _, removed, added in changes:
        held.update(map(id, added))
        held.subtract(map(id, removed))


@given(texts(), edit_batches())
@example("%v = OpTypeVoid !65536\n!7", [[(here(Position(0, 0)), "OpNop\n")]])
@example('OpName %a "x\n"\nOpNop', [[(Range(Position(0, 10), Position(0, 11)), "")], [(here(Position(0, 10)), '"')]])
@example("OpFunction\nOpFunction\n", [[(Range(Position(0, 0), Position(1, 0)), "")]])
@example(
    "= OpFunction %f\n\n\nOpR\n",
    [[(Range(Position(1, 36), Position(2, 30)), ""), (Range(Position(15, 9), Position(15, 13)), "")]],
)
@example(
    'Shader OpCapability Linkage\n!65536 Logical\n%text\n= OpString "s"\nOpNop\n',
    [[(Range(Position(3, 0), Position(4, 0)), "line line\n")]],
)
def test_edited_is_as_read_afresh(text: str, batches: list[list[Edit]]) -> None:
    document = Document(text)
    held = Counter(map(id, document.records()))
    kept_alive = list(document.records())  # so that no new instruction takes the identity of one that is gone
    for batch in batches:
        changes = document.edit(batch)
        assert len({id(change.chunk) for change in changes}) == len(changes)
        kept_alive += [record for change in changes for record in change.added]
        fresh = Document(document.text)
        assert document.lines == fresh.lines
        assert state(document) == state(fresh)
        assert rows(document) == rows(fresh)
        follow(held, changes)
        assert +held == Counter(map(id, document.records()))
        assert all(count >= 0 for count in held.values())


@given(excerpts(), edit_batches())
def test_words_after_edits_are_those_of_the_text(text: str, batches: list[list[Edit]]) -> None:
    document = Document(text)
    for batch in batches:
        document.edit(batch)
        edited = encode(list(document.records()), (1, 6))
        fresh = encode(list(Document(document.text).records()), (1, 6))
        assert (edited.words, edited.offsets, edited.numbering) == (fresh.words, fresh.offsets, fresh.numbering)
        assert edited.faults == fresh.faults


@given(texts(), texts())
@example("OpNop\nOpReturn\nOpNop\n", "OpNop\nOpNop\n")
@example("OpNop\n", "")
def test_another_text_in_the_place_of_the_whole(before: str, after: str) -> None:
    document = Document(before)
    held = Counter(map(id, document.records()))
    kept_alive = list(document.records())
    changes = document.replace(after)
    assert kept_alive is not None
    assert document.text == after
    assert state(document) == state(Document(after))
    follow(held, changes)
    assert +held == Counter(map(id, document.records()))


@given(texts())
def test_the_same_text_again_changes_nothing(text: str) -> None:
    document = Document(text)
    before = list(document.records())
    assert document.replace(text) == []
    assert [id(record) for record in document.records()] == [id(record) for record in before]


MODULE = module_text(functions=12)
LINES = MODULE.split("\n")


def new_records(document: Document, edits: list[Edit]) -> tuple[int, list[Change]]:
    """How many instructions an edit made anew, and what it changed."""
    before = set(map(id, document.records()))
    alive = list(document.records())
    changes = document.edit(edits)
    return sum(id(record) not in before for record in document.records()) if alive else 0, changes


@given(st.integers(0, len(LINES) - 2), st.data())
def test_typing_in_a_line_makes_only_its_own_instruction_anew(row: int, data: st.DataObject) -> None:
    document = Document(MODULE)
    column = data.draw(st.integers(0, len(LINES[row])))
    made, _ = new_records(document, [(here(Position(row, column)), data.draw(st.sampled_from("x %7;")))])
    assert made <= 2  # its own, and the one before where the line goes on with that now


@given(st.integers(1, len(LINES) - 1))
def test_lines_that_only_move_are_not_made_anew(row: int) -> None:
    document = Document(MODULE)
    made, _ = new_records(document, [(here(Position(row - 1, 999)), "\n\n; a comment")])
    assert made <= 1  # the one whose line was touched
    assert len(list(document.records())) == len(list(Document(MODULE).records()))


@given(st.integers(0, len(LINES) - 2), st.integers(0, 40))
def test_lines_that_go_take_no_other_instruction_along(row: int, count: int) -> None:
    document = Document(MODULE)
    kept = LINES[:row] + LINES[row + count :]
    before = {id(record): record for record in document.records()}
    document.replace("\n".join(kept))
    made = sum(id(record) not in before for record in document.records())
    assert made <= 1


def test_an_edit_is_told_of_its_own_chunk_alone() -> None:
    document = Document(MODULE)
    row = next(row for row, line in enumerate(LINES) if "OpFAdd" in line)
    chunk = document.chunk_at(row)
    _, changes = new_records(document, [(Range(Position(row, 0), Position(row, 2)), "%")])
    assert [change.chunk for change in changes] == [chunk]
    assert chunk.is_function


def test_functions_that_an_edit_makes_and_unmakes_are_chunks() -> None:
    document = Document("OpNop\nOpFunction\nOpLabel\nOpFunctionEnd\n")
    assert [chunk.first for chunk in document.chunks] == [0, 1]
    [first, second] = document.chunks
    changes = document.edit([(here(Position(3, 0)), "OpFunction\nOpReturn\n")])
    assert [(c.first, len(c.records)) for c in document.chunks] == [(0, 1), (1, 2), (3, 3)]
    assert document.chunks[:2] == [first, second]
    assert {id(change.chunk) for change in changes} == {id(second), id(document.chunks[2])}
    changes = document.edit([(Range(Position(1, 0), Position(5, 0)), "")])
    assert [(c.first, len(c.records)) for c in document.chunks] == [(0, 2)]
    assert {id(change.chunk) for change in changes} >= {id(first), id(second)}


def test_five_thousand_edits_in_one_notification() -> None:
    document = Document(MODULE)
    edits = [(here(Position(row % len(LINES), 0)), " ") for row in range(5000)]
    document.edit(edits)
    assert state(document) == state(Document(document.text))


@given(texts())
def test_instructions_are_found_by_place(text: str) -> None:
    document = Document(text)
    for chunk in document.chunks:
        for record in chunk.records:
            line = document.line_of(record, chunk)
            assert any(record is other for other in document.records_on(line))
            assert document.line_of(record) == line
            start = position_in(record.text, record.start, line)
            assert document.chunk_at(line) is chunk or len(document.records_on(line)) > 1
            found = document.record_at(start)
            assert found is not None and found[1] is record


@pytest.mark.parametrize(
    ("position", "opcode"),
    [
        (Position(0, 0), "OpNop"),
        (Position(0, 5), "OpNop"),
        (Position(1, 0), "OpName"),
        (Position(2, 1), "OpName"),
        (Position(2, 4), None),
        (Position(3, 0), None),
        (Position(9, 9), None),
    ],
)
def test_the_instruction_at_a_place_reaches_from_its_first_character_to_behind_its_last(
    position: Position, opcode: str | None
) -> None:
    found = Document('OpNop\nOpName %a "x\ny" ; c\n').record_at(position)
    assert (found[1].opcode.name if found else None) == opcode


def test_an_instruction_of_another_text_has_no_line() -> None:
    [record] = Document("OpNop").records()
    with pytest.raises(ValueError, match="not of this document"):
        Document("OpNop").line_of(record)


@pytest.mark.parametrize("text", ["OpNop\nOpNop\n", "; a comment\n\nOpNop\nOpNop", "OpNop OpNop\n\nOpReturn", "", "\nOpNop\n; x\nOpNop"])
def test_lines_of_a_chunk_are_those_of_its_instructions(text: str) -> None:
    document = Document(text)
    (chunk,) = document.chunks
    assert document.lines_of(chunk) == {id(record): document.line_of(record, chunk) for record in chunk.records}
