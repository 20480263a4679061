"""Which definitions an id has, and which is the first, does not hang on how the text came to be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.module.ids import SymbolTable
from spvls.syntax.document import Document

_PARTS = ["%a = OpTypeVoid\n", "%a = OpTypeBool\n", "%f = OpFunction %a None %t ", "%a = OpLabel ", "OpNop\n", "OpFunctionEnd\n"]


def _seen(table: SymbolTable) -> list[object]:
    first = table.definition("a")
    found = [(record.text, record.start) for _, record in table.definitions("a")]
    chunk = table.defining_chunk("a")
    return [found, first and (first.text, first.start), chunk and [record.text for record in chunk.records]]


@given(
    st.lists(st.sampled_from(_PARTS), max_size=12),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.lists(st.sampled_from(_PARTS), max_size=3)), max_size=8),
)
def test_definitions_are_in_the_order_of_the_text(parts: list[str], edits: list[tuple[int, int, list[str]]]) -> None:
    document = Document("".join(parts))
    table = SymbolTable(document.chunks)
    for first, last, new in edits:
        span = Range(Position(min(first, last), 0), Position(max(first, last), 0))
        table.update(document.edit([(span, "".join(new))]))
        afresh = SymbolTable(Document(document.text).chunks)
        assert _seen(table) == _seen(afresh)
        found = [id(record) for _, record in table.definitions("a")]
        assert found == [id(record) for record in document.records() if record.result == "a"]
        assert not found or table.definition("a") is table.definitions("a")[0][1]
