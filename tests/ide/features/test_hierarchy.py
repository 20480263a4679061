"""Who calls whom, what types are built of; linked editing and links."""

from __future__ import annotations

from hypothesis import given

from spvls.diagnostic import Position, Range
from spvls.ide.features.document_links import document_links
from spvls.ide.features.hierarchy import (
    Call,
    Item,
    built_of,
    built_with,
    incoming_calls,
    outgoing_calls,
    prepare_calls,
    prepare_types,
)
from spvls.ide.features.linked import linked_ranges
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import check, marked
from tests.strategies import positions, texts

_CALLS = """\
OpEntryPoint Vertex %main "start"
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%pv4 = OpTypePointer Input %v4
%s = OpTypeStruct %float %v4 %float
%help = OpFunction %void None %fn
%l1 = OpLabel
OpReturn
OpFunctionEnd
%main = OpFunction %void None %fn
%l2 = OpLabel
%a = OpFunctionCall %void %help
%b = OpFunctionCall %void %help
OpReturn
OpFunctionEnd
"""


def _names(calls: list[Call]) -> list[tuple[str, int]]:
    return [(call.item.name, len(call.ranges)) for call in calls]


def test_callers_and_callees() -> None:
    source = SourceModule(_CALLS)
    assert _names(incoming_calls(source, "help")) == [("%main", 2)]
    assert _names(incoming_calls(source, "main")) == [("start", 1)]
    assert _names(outgoing_calls(source, "main")) == [("%help", 2)]
    assert outgoing_calls(source, "help") == []
    (call,) = incoming_calls(source, "help")
    assert call.ranges[0] == Range(Position(11, 26), Position(11, 31))


def test_a_function_is_prepared_from_its_name_and_from_within() -> None:
    source = SourceModule(_CALLS)
    by_name = prepare_calls(source, Position(11, 28))
    assert by_name is not None
    assert (by_name.id, by_name.range) == ("help", Range(Position(5, 0), Position(8, 13)))
    within = prepare_calls(source, Position(13, 2))
    assert within is not None
    assert within.id == "main"
    assert prepare_calls(source, Position(1, 0)) is None


def _ids(items: list[Item]) -> list[str]:
    return [item.id for item in items]


def test_what_types_are_built_of() -> None:
    source = SourceModule(_CALLS)
    assert _ids(built_of(source, "s")) == ["float", "v4"]
    assert _ids(built_with(source, "v4")) == ["pv4", "s"]
    assert built_of(source, "float") == []
    found = prepare_types(source, Position(2, 22))
    assert found is not None
    assert (found.id, found.detail) == ("float", "f32")


def test_an_id_of_one_function_is_edited_everywhere_at_once() -> None:
    check(
        """\
 %f = OpFunction %v None %t
 %l = OpLabel
;^^
 OpBranch %‸l
;         ^^
 OpFunctionEnd
""",
        lambda source, position: (("", span) for span in linked_ranges(source, position)),
    )


def test_an_id_that_others_know_is_not() -> None:
    for text in ("%‸f = OpFunction %v None %t\n%l = OpLabel\n", 'OpName %l "l"\n%f = OpFunction %v None %t\n%‸l = OpLabel\n'):
        source, cursor, _ = marked(text)
        assert linked_ranges(source, cursor) == []


def test_links_to_specifications_and_files() -> None:
    text = '%g = OpExtInstImport "GLSL.std.450"\nOpExtension "SPV_KHR_ray_query"\n%s = OpString "a.glsl"\nOpName %s "x"\n'
    found = list(document_links(SourceModule(text)))
    assert [(link.range.start.line, link.range.start.column, link.range.end.column) for link in found] == [
        (0, 22, 34),
        (1, 13, 30),
        (2, 15, 21),
    ]
    assert found[0].address is not None
    assert found[0].address.endswith("/GLSL.std.450.html")
    assert found[1].address is not None
    assert found[1].address.endswith("/KHR/SPV_KHR_ray_query.html")
    assert (found[2].address, found[2].file) == (None, "a.glsl")


@given(texts(), positions())
def test_hierarchies_and_links_take_any_text(text: str, position: Position) -> None:
    source = SourceModule(text)
    item = prepare_calls(source, position)
    if item is not None:
        incoming_calls(source, item.id)
        outgoing_calls(source, item.id)
    kind = prepare_types(source, position)
    if kind is not None:
        built_of(source, kind.id)
        built_with(source, kind.id)
    linked_ranges(source, position)
    list(document_links(source))


def test_what_an_edit_made_anew_is_found_all_the_same() -> None:
    source = SourceModule(_CALLS)
    assert prepare_types(source, Position(2, 22)) is not None
    source.edit([(Range(Position(1, 6), Position(1, 7)), "  ")])
    found = prepare_types(source, Position(2, 22))
    assert found is not None
    assert found.range == Range(Position(1, 0), Position(1, 24))
