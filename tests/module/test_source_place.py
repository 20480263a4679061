"""Lines of the source that instructions come from, on the fixtures that show each form of line information."""

from __future__ import annotations

import pytest

from spvls.diagnostic import SourceLine
from spvls.ide.source.source_module import SourceModule
from spvls.module import source_place
from spvls.module.source_place import Covers, source_line
from tests.corpus import FIXTURES

_COLOUR = "  color = vec4(tone(1.0));"
_SUM = "  uint b = a + a;"

_PLACES = {
    "lines.frag": {
        "OpVariable": ("shaders/fade.frag:2:27", "layout(location = 0) out vec4 color;"),
        "%half": None,
        "%main =": ("shaders/fade.frag:20:1", "void main() {"),
        "OpFunctionCall": ("shaders/fade.frag:21:17", _COLOUR),
        "OpStore": ("shaders/fade.frag:21:12", _COLOUR),
        "OpBranch": None,
        "%end = OpLabel": None,
        "%tone =": ("tone.h:1:1", None),
        "OpReturnValue": ("tone.h:1:1", None),
        "%void =": None,
    },
    "debug.comp": {
        "DebugLine": ("add.hlsl:3:12", "  uint n = 1 + 2;"),
        "%n =": ("add.hlsl:3:12", "  uint n = 1 + 2;"),
        "%entry =": None,
        "DebugNoLine": None,
        "%twice": None,
    },
    "kernel.cl": {"%b =": ("/build/sum.cl:2:14", _SUM), "OpReturn": ("/build/sum.cl:2:14", _SUM), "OpFunctionEnd": None},
    "named.cl": {"OpReturn": ("copy.cl:3", None), "%entry": None},
}


def _module(name: str) -> SourceModule:
    return SourceModule((FIXTURES / "sources" / f"{name}.spvasm").read_text())


def _lines(source: SourceModule) -> list[tuple[str, SourceLine | None]]:
    """Each instruction with its line, as it is found among all and by itself."""
    found = []
    covers, others = Covers(source.module), Covers(source.module)
    for chunk in source.module.chunks:
        for index, (record, cover) in enumerate(zip(chunk.records, covers.of_chunk(chunk), strict=True)):
            assert others.of(chunk, index) == cover, record.text
            found.append((record.text, source_line(source.module, cover)))
    return found


@pytest.mark.parametrize("name", sorted(_PLACES))
def test_instructions_come_from_lines(name: str) -> None:
    lines = _lines(_module(name))
    for word, expected in _PLACES[name].items():
        line = next(line for text, line in lines if word in text)
        assert (None if line is None else (line.place, line.text)) == expected, word


def test_every_fixture_is_looked_at() -> None:
    assert {path.name.removesuffix(".spvasm") for path in (FIXTURES / "sources").iterdir()} == _PLACES.keys()


def test_the_text_of_a_source_is_that_of_all_its_parts() -> None:
    file = _module("lines.frag").module.source_files.files[0]
    assert (file.name, file.language) == (b"shaders/fade.frag", "GLSL")
    assert file.text is not None and file.text.startswith(b"// written") and file.text.endswith(b"1.0));\n}\n")
    assert [file.row(number) for number in (0, 1, 2, 20, 21, 23, 99)] == [None, 2, 3, 7, 8, 10, None]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (b"a\nb", {1: 0, 2: 1, 3: None, 0: None}),
        (b"#line 7\na\r\nb", {7: 1, 8: 2, 1: None}),
        (b'# 1 "<built-in>"\nx\n# 5 "/src/a.cl" 1 3\na\n', {5: 3, 1: None}),
        (b"#line 1\na\n#line 1\nb", {1: 3}),
        (b"#version 450\n#define line 3\na", {1: 0, 3: 2}),
        (b"", {1: 0, 2: None}),
    ],
)
def test_numbers_of_lines_follow_directives(text: bytes, rows: dict[int, int | None]) -> None:
    escaped = text.decode().replace("\\", "\\\\").replace('"', '\\"')
    module = SourceModule(f'%a = OpString "a.cl"\nOpSource OpenCL_C 120 %a "{escaped}"\n').module
    (file,) = module.source_files.files
    assert {line: file.row(line) for line in rows} == rows


def test_an_edit_of_what_a_source_is_made_of_is_followed() -> None:
    from spvls.diagnostic import Position, Range

    source = _module("kernel.cl")
    assert dict(_lines(source))  # which is known from now on
    number = next(at for at, line in enumerate(source.document.lines) if "sum.cl" in line)
    column = source.document.lines[number].index("sum.cl")
    source.edit([(Range(Position(number, column), Position(number, column + 3)), "add")])
    line = next(line for text, line in _lines(source) if "%b =" in text)
    assert line is not None and line.place == "/build/add.cl:2:14"


@pytest.mark.parametrize(
    "text",
    ["OpLine %none 1 1\nOpNop\n", '%a = OpString "a"\nOpLine %a\nOpNop\n', '%a = OpString "a"\nOpLine %a 0 0\nOpNop\n', "%a = OpTypeVoid\nOpLine %a 1 1\n"],
)
def test_faulty_line_information_says_nothing(text: str) -> None:
    assert all(line is None for _, line in _lines(SourceModule(text)))


def test_files_have_their_place_whenever_they_are_asked_for() -> None:
    text = '%a = OpString "a.h"\n%b = OpString "b.c"\n%c = OpString "c.h"\nOpSource GLSL 450 %b "void main() {}"\n'
    files = SourceModule(text).module.source_files
    assert [file.name for file in files.files] == [b"b.c"]
    late = [files.of("c"), files.of("a")]
    assert [file.number for file in late if file is not None] == [1, 2]
    assert [(file.name, file.number) for file in files.files] == [(b"b.c", 0), (b"c.h", 1), (b"a.h", 2)]


def test_functions_without_an_end_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = "".join(f"%f{number} = OpFunction %void None %fn\n" for number in range(50))
    module = SourceModule(f"%file = OpString \"a.cl\"\nOpLine %file 1 1\n%void = OpTypeVoid\n{functions}").module
    looked = []
    at_end_of = source_place._at_end_of
    monkeypatch.setattr(source_place, "_at_end_of", lambda chunk: looked.append(chunk) or at_end_of(chunk))
    covers = Covers(module)
    found = [covers.of(chunk, 0).line for chunk in reversed(module.chunks[1:])]
    assert len(found) == 50 and len({*found}) == 1 and found[0] is not None
    assert len(looked) == 50
