"""Host texts under edits: equal to those read afresh, and places that go both ways."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.host import line_class
from spvls.host.host_text import HostText
from spvls.host.languages import LANGUAGES, language_of
from spvls.host.line_class import at_a_glance, read_listing
from spvls.host.listing import Listing
from spvls.host.literals import Literals
from spvls.text.lines import position_in
from tests.bench.modules import module_text
from tests.corpus import FIXTURES
from tests.strategies import FRAGMENTS

HOSTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((FIXTURES / "hosts").iterdir())}

#: What opens, closes and joins blocks, and what looks like it.
BORDERS = (
    "SHADER compute a SPIRV-ASM\n", "SHADER vertex b SPIRV-ASM TARGET_ENV spv1.3\n", "SHADER compute c GLSL\n", "END\n", "END",
    "[fragment shader spirv]\n", "[test]\n", "```spirv\n", "```\n", "~~~~spvasm\n", "~~~\n", "spirv_asm {\n", "}\n",
    'R"(', 'R"x(', ')"', ')x"', 'r#"', '"#', '"""', "'''", '"', "'", "\\", '"OpNop\\n"\n', '"OpReturn\\n";\n', '"a" + \n', " << \n",
    "/*", "*/", "// c\n", "# c\n", "// spvls: target-env=vulkan1.1\n", "; RUN: spirv-as --target-env spv1.2\n",
    "; SPIR-V\n", "; IR before pass a\n", "//--- b\n", "SKIP: x\n", "warning: y\n", "\n", "\r\n", "\r", "\0", "é", "\U0001f600",
    "OpCapability Shader\n", "OpMemoryModel Logical GLSL450\n", "%f = OpFunction %v None %t\n", "OpFunctionEnd\n", "OpNop\n",
    "OpEntryPoint GLCompute %f \"f\"\n", "OpString \"", "%", "Op", "${x}", "{}",
)  # fmt: skip

WHOLE = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%f = OpFunction %v None %t\nOpFunctionEnd\n"


def host_texts() -> st.SearchStrategy[str]:
    rubble = st.lists(st.sampled_from((*BORDERS, WHOLE)), max_size=25).map("".join)
    return st.one_of(rubble, st.sampled_from(list(HOSTS.values())))


def host_edits() -> st.SearchStrategy[tuple[Range, str]]:
    position = st.builds(Position, st.integers(0, 60), st.integers(0, 40))
    text = st.one_of(st.just(""), st.sampled_from(BORDERS), st.lists(st.sampled_from(BORDERS), max_size=4).map("".join))

    def edit(start: Position, lines: int, columns: int, text: str) -> tuple[Range, str]:
        return Range(start, Position(start.line + lines, max(0, start.column + columns))), text

    return st.builds(edit, position, st.sampled_from((0, 0, 0, 1, 2, 30)), st.integers(-20, 20), text)


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=host_texts(), edits=st.lists(host_edits(), max_size=6))
def test_edited_is_as_read_afresh(name: str, text: str, edits: list[tuple[Range, str]]) -> None:
    language = LANGUAGES[name]
    host = HostText(text, language)
    for span, new in edits:
        before = host.spans
        splice = host.edit(span, new)
        if not splice.is_recut:
            assert host.spans == before and splice.old == splice.new
        if splice.module >= 0:
            assert len(before) == len(host.spans)
            assert before[splice.module].first <= splice.first <= splice.first + splice.old <= before[splice.module].end
        fresh = HostText(host.text, language)
        assert host.lines == fresh.lines
        assert host.spans == fresh.spans
        assert [host.module_text(one) for one in host.spans] == [fresh.module_text(one) for one in fresh.spans]


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=host_texts())
def test_modules_stand_in_order_and_share_no_text(name: str, text: str) -> None:
    host = HostText(text, LANGUAGES[name])
    last = Position(0, 0)
    for span in host.spans:
        assert last <= span.start and span.first <= span.end <= len(host.lines)
        last = Position(span.end, 0) if span.end_column is None else Position(span.end - 1, span.end_column)


@pytest.mark.parametrize("name", LANGUAGES)
@given(text=host_texts())
def test_places_go_both_ways(name: str, text: str) -> None:
    """A character of a module is that of its place in the host, unless the host writes it as an escape sequence."""
    host = HostText(text, LANGUAGES[name])
    for span in host.spans:
        module = host.module_text(span)
        placement = host.placement(span)
        for offset, character in enumerate(module[:400]):
            inside = position_in(module, offset)
            if character in "\r\n":
                continue
            there = placement.to_host(inside)
            assert host.lines[there.line][there.column] in (character, "\\")
            assert placement.to_module(there) == inside
            end = placement.to_host_range(Range(inside, Position(inside.line, inside.column + 1))).end
            written = host.lines[there.line][there.column : end.column]
            assert end.line == there.line and (written == character or written.startswith("\\"))


@pytest.mark.parametrize("name", HOSTS)
def test_deleting_and_typing_a_line_again_brings_back_what_was(name: str) -> None:
    """Each line in turn, so also each border."""
    host = HostText(HOSTS[name], language_of(name))
    before, text = host.spans, host.text
    for line in range(len(host.lines) - 1):
        gone = host.lines[line]
        host.edit(Range(Position(line, 0), Position(line + 1, 0)), "")
        for column, character in enumerate(gone):
            host.edit(Range(Position(line, column), Position(line, column)), character)
        assert (host.text, host.spans) == (text, before)


def test_typing_inside_a_module_reads_its_line_alone() -> None:
    """Also where the text has many modules: nothing is cut again."""
    reads: list[str] = []
    language = LANGUAGES["cpp"]
    host = HostText(('x = R"(\n' + WHOLE + ')";\nint y;\n') * 50, language)
    read = language.reader.read

    class Counting:
        borders = language.reader.borders
        ordinary = language.reader.ordinary
        cut = None

        @staticmethod
        def read(state: str, line: str) -> tuple[str, str]:
            reads.append(line)
            return read(state, line)

    host.language = type("", (), {"reader": Counting})  # type: ignore[assignment]
    spans = host.spans
    assert not host.edit(Range(Position(3, 2), Position(3, 2)), "x").is_recut
    assert not host.edit(Range(Position(6, 5), Position(6, 5)), "z").is_recut
    assert len(reads) == 2
    assert host.spans is spans


@given(st.lists(st.sampled_from((*BORDERS, *FRAGMENTS, *WHOLE.splitlines(True))), max_size=20).map("".join))
@example('%a = OpFunction %b\n%a =OpFunction %b\n%a=OpNop=OpFunction %b\nOpFunctionParameter\nOpName %a "b;c" ; "d"\n')
@example('OpNop "\nOpNop"\nOpNop ; "\nOpNop \\" ; c\nOpNop\0\nOpNop\n')
def test_ordinary_lines_are_those_that_are_read_one_by_one(text: str) -> None:
    quick = HostText(text, LANGUAGES["spirv"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Listing, "ordinary", lambda self, text, at: at)
        slow = HostText(text, LANGUAGES["spirv"])
    assert (quick._classes, quick._states, quick.spans) == (slow._classes, slow._states, slow.spans)


def test_ordinary_lines_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[str] = []
    read = Listing.read

    def counted(self: Listing, state: str, line: str) -> tuple[str, str]:
        reads.append(line)
        return read(self, state, line)

    monkeypatch.setattr(Listing, "read", counted)
    text = module_text(lines=1000)
    assert len(HostText(text, LANGUAGES["spirv"]).spans) == 1
    assert len(reads) < 0.1 * text.count("\n")


@pytest.mark.parametrize(
    ("old", "new", "is_cut_again"),
    [
        ("int b;\n", "int b;\n\n", False),
        ("int b;\n", "int\nb;\n", False),
        ("int b;\n", "\n\n", True),
        ("\n\n", "\n", False),
        ("int b;\n", "int b; // spvls: target-env=vulkan1.1\n\n", True),
    ],
)
def test_lines_of_the_host_alone_move_modules(monkeypatch: pytest.MonkeyPatch, old: str, new: str, is_cut_again: bool) -> None:
    string = f'const char *a = R"(\n{WHOLE})";\n'
    host = HostText(f"{string}int b;\n\n\n{string}", LANGUAGES["cpp"])
    cuts: list[int] = []
    cut = Literals.cut
    monkeypatch.setattr(Literals, "cut", lambda *given: cuts.append(1) or cut(*given))
    at = host.text.index(old)
    start, end = position_in(host.text, at), position_in(host.text, at + len(old))
    before = host.spans
    splice = host.edit(Range(start, end), new)
    assert bool(cuts) == is_cut_again
    assert (host.spans[0] is before[0]) != is_cut_again and splice.is_recut
    assert host.spans == HostText(host.text, LANGUAGES["cpp"]).spans


PARTS_OF_LINES = (
    "%", "a", "=", "Op", "OpFunction", "OpFoo", "OpFunctionEnd", "OpCapability", "OpConditionalCapabilityINTEL", '"', ";", " ", "\t",
    "\n", "\r", "\r\n", "\f", "\x1c", "\0", "\\", "RUN:", "---", "; SPIR-V", "IR before pass", "_", "é", "OP", "opA", "/", "OpMemoryModel",
)  # fmt: skip


@given(st.lists(st.sampled_from(PARTS_OF_LINES), max_size=9).map("".join))
@example("% = OpFunction %a\n")
@example("%a=b = OpFunction %a\n")
@example("%a=OpFunction = OpFoo\n")
@example('%"a = OpFunction"\n')
@example("\x1cOpFunction\n")
@example("; SPIR-V \x1f\n")
@example(";--- a\n")
def test_a_glance_gives_the_class_that_the_expression_gives(line: str) -> None:
    found = at_a_glance(line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_class, "at_a_glance", lambda line: None)
        assert found is None or read_listing("", line) == ("", found)


@pytest.mark.parametrize(
    ("line", "found"),
    [("; c\n", "c"), ("; SPIR-V\n", "h"), ("\n", "b"), ('OpEntryPoint Vertex %a "a"\n', "N"), ("  %a = OpTypeFloat 32\n", "I")],
)
def test_common_lines_need_no_expression(line: str, found: str) -> None:
    assert at_a_glance(line) == found
