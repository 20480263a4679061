"""The table of ids: who defines and who uses a name, the same after edits as from scratch."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given

from spvls.diagnostic import Position, Range
from spvls.module.ids import SymbolTable
from spvls.syntax.document import Chunk, Document
from spvls.syntax.instruction import Instruction
from tests.strategies import Edit, edit_batches, texts

Place = tuple[int, int]


def places(document: Document) -> dict[int, Place]:
    """Where each instruction stands: its chunk and its number in that, by identity."""
    return {
        id(record): (at, number)
        for at, chunk in enumerate(document.chunks)
        for number, record in enumerate(chunk.records)
    }


def table_of(document: Document, ids: SymbolTable) -> dict[str, tuple[object, ...]]:
    """All that the table knows of each name, in terms of places."""
    where = places(document)
    number = {id(chunk): at for at, chunk in enumerate(document.chunks)}

    def counted(found: list[tuple[Chunk, Instruction]]) -> Counter[Place]:
        for chunk, record in found:
            assert where[id(record)][0] == number[id(chunk)]
        return Counter(where[id(record)] for _, record in found)

    known: dict[str, tuple[object, ...]] = {}
    for name in ids.names():
        first = ids.definition(name)
        home = ids.defining_chunk(name)
        known[name] = (
            counted(ids.definitions(name)),
            counted(ids.uses(name)),
            where[id(first)] if first is not None else None,
            number[id(home)] if home is not None else None,
            sorted(number[id(chunk)] for chunk in ids.using_chunks(name)),
        )
    return known


@given(texts(), edit_batches())
@example(
    "OpNop\n%a = OpFunction %t None %f %b = OpLabel\n%a = OpFunction %t None %f",
    [[(Range(Position(0, 0), Position(1, 2)), "")]],
)
@example(
    "= OpFunction %f\n\n\nOpR\n",
    [[(Range(Position(1, 36), Position(2, 30)), ""), (Range(Position(15, 9), Position(15, 13)), "")]],
)
def test_the_table_after_edits_is_that_of_the_text(text: str, batches: list[list[Edit]]) -> None:
    document = Document(text)
    ids = SymbolTable(document.chunks)
    for batch in batches:
        ids.update(document.edit(batch))
        fresh = Document(document.text)
        assert table_of(document, ids) == table_of(fresh, SymbolTable(fresh.chunks))


@given(texts())
def test_every_word_that_is_an_id_is_a_definition_or_a_use(text: str) -> None:
    document = Document(text)
    ids = SymbolTable(document.chunks)
    uses: Counter[str] = Counter()
    definitions: Counter[str] = Counter()
    for record in document.records():
        uses.update(record.uses())
        definitions.update([record.result] if record.result is not None else [])
    assert {name: len(ids.uses(name)) for name in ids.names() if ids.uses(name)} == uses
    assert {name: len(ids.definitions(name)) for name in ids.names() if ids.definitions(name)} == definitions


def test_an_id_used_twice_by_an_instruction_is_used_twice() -> None:
    document = Document("%sum = OpFAdd %float %x %x\nOpStore %p %x")
    ids = SymbolTable(document.chunks)
    assert [record.opcode.name for _, record in ids.uses("x")] == ["OpFAdd", "OpFAdd", "OpStore"]
    assert [record.opcode.name for _, record in ids.uses("float")] == ["OpFAdd"]
    assert ids.definition("x") is None
    assert ids.definition("sum") is next(document.records())


def test_an_update_names_the_ids_that_gained_or_lost_a_definition() -> None:
    document = Document("%a = OpTypeVoid\n%b = OpTypeVoid\nOpName %a \"x\"\n")
    ids = SymbolTable(document.chunks)
    changes = document.edit([(Range(Position(0, 1), Position(0, 2)), "c")])
    assert ids.update(changes) == {"a", "c"}
    changes = document.edit([(Range(Position(2, 8), Position(2, 9)), "b")])
    assert ids.update(changes) == set()
    assert [len(ids.uses(name)) for name in ("a", "b")] == [0, 1]


def test_of_two_definitions_the_first_in_the_text_counts() -> None:
    document = Document("%a = OpTypeVoid\n%f = OpFunction %void None %t\n%a = OpLabel\nOpFunctionEnd\n")
    ids = SymbolTable(document.chunks)
    first = ids.definition("a")
    assert first is not None and first.opcode.name == "OpTypeVoid"
    assert ids.sole_definition("a") is None
    ids.update(document.edit([(Range(Position(0, 0), Position(1, 0)), "")]))
    second = ids.definition("a")
    assert second is not None and second.opcode.name == "OpLabel"
    assert ids.sole_definition("a") == (document.chunks[1], second)
