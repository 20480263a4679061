"""Where ids come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spvls.diagnostic import Position, Range
from spvls.ide.features.definition import Definition, definition, implementation, type_definition
from spvls.ide.source.source_module import SourceModule
from tests.ide.marked import check, marked

Feature = Callable[[SourceModule, Position], list[Definition]]


def _selections(feature: Feature) -> Callable[[SourceModule, Position], Iterator[tuple[str, Range]]]:
    return lambda source, position: (("", place.selection) for place in feature(source, position))


def test_an_id_leads_to_its_definition() -> None:
    check(
        """\
 %float = OpTypeFloat 32
;^^^^^^
 %half = OpConstant %fl‸oat 0.5
""",
        _selections(definition),
    )


def test_all_of_several_definitions_are_found() -> None:
    check(
        """\
 %a = OpTypeVoid
;^^
 %a = OpTypeBool
;^^
 %f = OpTypeFunction ‸%a
""",
        _selections(definition),
    )


def test_an_extended_instruction_leads_to_the_import_of_its_set() -> None:
    check(
        """\
 %glsl = OpExtInstImport "GLSL.std.450"
;^^^^^
 %b = OpExtInst %v4 %glsl Sq‸rt %a
""",
        _selections(definition),
    )


def test_the_definition_is_the_whole_instruction() -> None:
    source, cursor, _ = marked("  %a = OpTypeVoid ; void\n%f = OpTypeFunction %‸a\n")
    (place,) = definition(source, cursor)
    assert place.range == Range(Position(0, 2), Position(0, 17))
    assert place.origin == Range(Position(1, 20), Position(1, 22))


def test_undefined_ids_and_names_of_the_grammar_lead_nowhere() -> None:
    for text in ("OpStore %‸a %b\n", "OpCapa‸bility Shader\n", "OpCapability Sha‸der\n", "; com‸ment\n", "‸"):
        source, cursor, _ = marked(text)
        assert definition(source, cursor) == []


def test_the_type_of_a_value() -> None:
    check(
        """\
 %float = OpTypeFloat 32
;^^^^^^
 %half = OpConstant %float 0.5
 OpStore %p %ha‸lf
""",
        _selections(type_definition),
    )


def test_the_type_of_a_pointer_is_what_it_points_to() -> None:
    check(
        """\
 %float = OpTypeFloat 32
;^^^^^^
 %pin = OpTypePointer Input %float
 %in = OpVariable %pin Input
 %x = OpLoad %float %i‸n
""",
        _selections(type_definition),
    )


def test_the_type_of_a_type_is_what_it_is_made_of() -> None:
    check(
        """\
 %float = OpTypeFloat 32
;^^^^^^
 %v4 = OpTypeVector %float 4
 %x = OpUndef %v‸4
""",
        _selections(type_definition),
    )


def test_a_function_type_is_implemented_by_its_functions() -> None:
    check(
        """\
 %void = OpTypeVoid
 %fn = OpTypeFunction %void
 %other = OpTypeFunction %void %void
 %a = OpFunction %void None %f‸n
;^^
 OpFunctionEnd
 %b = OpFunction %void None %other
 OpFunctionEnd
 %c = OpFunction %void None %fn
;^^
 OpFunctionEnd
""",
        _selections(implementation),
    )
