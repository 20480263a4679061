"""Where modules begin and end in files, and what is asked for them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from spvls.diagnostic import Position, Range, Severity
from spvls.host.findings import UNCLOSED, in_host
from spvls.host.host_text import HostText, cut
from spvls.host.languages import LANGUAGES, language_by_id, language_of
from spvls.host.span import Form, ModuleSpan
from spvls.validate.validator import validate
from tests.corpus import FIXTURES, ROOT, TEXTS, text_of

HOSTS = sorted((FIXTURES / "hosts").iterdir())

MODULE, FRAGMENT, DIALECT = Form.MODULE, Form.FRAGMENT, Form.DIALECT

#: Of each file the first line, form, environment and name of its modules, lines from 1.
EXPECTED = {
    "clear.amber": [(7, MODULE, "spv1.3", "first"), (25, MODULE, None, "second")],
    "draw.shader_test": [(5, MODULE, None, "compute")],
    "embedded.cpp": [
        (10, MODULE, "vulkan1.1", ""),
        (25, MODULE, "vulkan1.1", ""),
        (37, FRAGMENT, "vulkan1.1", ""),
        (41, FRAGMENT, "vulkan1.1", ""),
    ],
    "embedded.py": [(4, MODULE, "vulkan1.2", "")],
    "embedded.rs": [(2, MODULE, "spv1.3", "")],
    "inline.slang": [(4, DIALECT, None, "")],
    "modules_and_warnings.txt": [(6, MODULE, None, ""), (25, MODULE, None, "")],
    "notes.md": [(4, MODULE, "vulkan1.1", ""), (19, FRAGMENT, None, "")],
    "passes.txt": [(1, MODULE, None, ""), (12, MODULE, None, ""), (24, MODULE, None, "")],
    "run_lines.txt": [(1, MODULE, "spv1.3", "")],
}

FIRST = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%f = OpFunction %v None %t\nOpFunctionEnd\n"
HEADER = "; SPIR-V\n; Version: 1.3\n"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def firsts(text: str) -> list[tuple[int, int]]:
    return [(span.first, span.end) for span in cut(text, "spirv")]


def test_every_fixture_is_expected() -> None:
    assert [path.name for path in HOSTS] == sorted(EXPECTED)


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.name)
def test_the_modules_of_a_fixture(path: Path) -> None:
    spans = HostText(read(path), language_of(path.name)).spans
    assert [(span.first + 1, span.form, span.environment, span.name) for span in spans] == EXPECTED[path.name]


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.name)
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_findings_are_at_their_places_in_the_host(path: Path, line_break: str) -> None:
    """Each fixture has ids that nothing defines; these and nothing else are found, where they stand."""
    host = HostText(read(path).replace("\n", line_break), language_of(path.name))
    found = []
    for span in host.spans:
        text = host.module_text(span)
        found += in_host(validate(text, target_env=span.environment), host, span, text)
    wrong = [word for line in host.lines for word in ("%missing", "OpTypeFlaot") if word in line]
    assert [slice_of(host, finding.range) for finding in found] == wrong


def slice_of(host: HostText, span: Range | None) -> str:
    assert span is not None and span.start.line == span.end.line
    return host.lines[span.start.line][span.start.column : span.end.column]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_text_with_one_module_is_that_module(path: Path) -> None:
    text = text_of(path)
    assert cut(text, "spirv") == (ModuleSpan(0, len(HostText(text, LANGUAGES["spirv"]).lines)),)


def test_the_rule_fixtures_are_one_module_each() -> None:
    for path in sorted((FIXTURES / "rules").rglob("*.spvasm")):
        text = text_of(path)
        spans = cut(text, "spirv")
        assert len(spans) == 1 and (spans[0].first, spans[0].end) == (0, len(HostText(text, LANGUAGES["spirv"]).lines)), path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, 1)]),
        ("; a comment\n", [(0, 2)]),
        ("O", [(0, 1)]),
        ("OpCapabilty Shader\n", [(0, 2)]),
        ("Capability Shader\n", [(0, 2)]),
        ("void = OpTypeVoid\n", [(0, 2)]),
        ("SKIP: FAILED\n", []),
        ("SKIP: FAILED\n\nexit status 1\n", []),
        (FIRST + FIRST, [(0, 4), (4, 9)]),
        (FIRST + "\n; next\n" + FIRST, [(0, 4), (4, 11)]),
        (HEADER + FIRST + HEADER + FIRST, [(0, 6), (6, 13)]),
        (HEADER + FIRST + "; vert\n" + HEADER + FIRST, [(0, 6), (6, 14)]),
        ("warning: x\n\n" + HEADER + FIRST + "done\n" + HEADER + FIRST + "failed\n", [(1, 8), (9, 15)]),
        ("; IR before pass a\n" + FIRST + "\n; IR after last pass\n" + FIRST, [(0, 5), (5, 12)]),
        (FIRST + "//--- second.spvasm\n" + FIRST, [(0, 4), (4, 10)]),
        # Headers that no instruction separates are of one module.
        (HEADER + HEADER + FIRST, [(0, 9)]),
        # Instructions at the wrong place do not make a module.
        (FIRST + "OpCapability Kernel\n", [(0, 6)]),
        (FIRST + "OpMemoryModel Logical GLSL450\n", [(0, 6)]),
        (FIRST + "OpCapability Kernel\n%g = OpFunction %v None %t\nOpFunctionEnd\n", [(0, 8)]),
        ("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpCapability Int8\nOpMemoryModel Logical GLSL450\n", [(0, 5)]),
        # What stands between instructions is the module's, whatever it is.
        ("OpCapability Shader\nnonsense\nOpMemoryModel Logical GLSL450\n", [(0, 4)]),
        ("A title\nOpCapability Shader\n", [(0, 3)]),
        # A string over lines hides what looks like instructions; a header ends one that is not closed.
        ('OpCapability Shader\nOpMemoryModel Logical GLSL450\n%s = OpString "\nOpFunctionEnd\n' + FIRST + '"\n', [(0, 10)]),
        ('OpCapability Shader\n%s = OpString "\n' + HEADER + FIRST, [(0, 2), (2, 9)]),
        ("OpNop\0\n" + HEADER + FIRST, [(0, 8)]),
    ],
)
def test_where_a_module_of_an_assembly_text_begins(text: str, expected: list[tuple[int, int]]) -> None:
    assert firsts(text) == expected


def test_amber_ends_a_shader_at_the_first_end_wherever_it_stands() -> None:
    text = "SHADER compute a SPIRV-ASM\nOpNop\n%x END OpNop\nEND\nSHADER compute b SPIRV-ASM # c\nEND\n"
    host = HostText(text, LANGUAGES["amber"])
    assert [host.module_text(span) for span in host.spans] == ["OpNop\n%x ", ""]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("amber", "SHADER compute a SPIRV-ASM\n" + FIRST),
        ("markdown", "```spirv\n" + FIRST),
        ("cpp", 'x = R"(\n' + FIRST),
        ("rust", 'x = r#"\n' + FIRST + '"\n'),
        ("python", 'x = """\n' + FIRST),
    ],
)
def test_a_block_that_is_not_closed_is_said_so_and_is_not_judged(language: str, text: str) -> None:
    host = HostText(text, LANGUAGES[language])
    (span,) = host.spans
    module = host.module_text(span)
    found = in_host(validate(module), host, span, module)
    assert [(one.rule, one.severity, one.range and one.range.start.line) for one in found] == [(UNCLOSED, Severity.WARNING, 0)]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ('R"(\n' + FIRST + ')"', [MODULE]),
        ('R"d(\n' + FIRST + ')" )d";', [MODULE]),
        ('R"too-long-a-delimiter(\n' + FIRST + ')too-long-a-delimiter"', []),
        ('// R"(\n' + FIRST + '// )"', []),
        ('/* R"(\n' + FIRST + ')" */', []),
        ("'\"' R\"(\n" + FIRST + ')"', [MODULE]),
        ('"R\\"(" R"(\n' + FIRST + ')"', [MODULE]),
        ('a + R"(\n' + FIRST + ')"', [FRAGMENT]),
        ('a +\n\n R"(\n' + FIRST + ')"', [FRAGMENT]),
        ('s << R"(\n' + FIRST + ')"\n  << b', [FRAGMENT]),
        ('R"(\n' + FIRST.replace("%t", "%${type}") + ')"', [FRAGMENT]),
        ('R"(\nOpReturn\nOpFunctionEnd\n)"', [FRAGMENT]),
        ('R"(\nOpReturn\n)"', []),
        ('R"asm(\nOpReturn\n)asm"', [FRAGMENT]),
        ('R"(\nsome text\nof OpNop\n)"', []),
        ('printf("%d items\\n"\n       "%s\\n", a);', []),
        ('"OpReturn\\n"', []),
        ('"OpReturn\\n"\n\n"OpFunctionEnd\\n"', [FRAGMENT]),
        ('x = "OpCapability Shader\\n"\n"OpMemoryModel Logical GLSL450\\n";', [MODULE]),
    ],
)
def test_literals_of_cpp(text: str, forms: list[Form]) -> None:
    assert [span.form for span in cut(text, "cpp")] == forms


@pytest.mark.parametrize("fence", ["", "-", "x_", "a+b", "}{", "#", "0123456789abcdef", "'", ")", 'a"b', "a b", "0123456789abcdefg"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_odd_delimiters_of_raw_strings(fence: str, line_break: str) -> None:
    """Those of at most 16 characters but spaces, parentheses, quotation marks and backslashes open a raw string (C++ 5.13.5)."""
    is_one = len(fence) <= 16 and not set(fence) & set(' ()\\"')
    text = f'a = R"{fence}(\n{FIRST})" ){fence}";\nint b;\n'.replace("\n", line_break)
    host = HostText(text, LANGUAGES["cpp"])
    if not is_one:
        assert host.spans == ()
        return
    (span,) = host.spans
    assert span.is_closed
    module = host.module_text(span)
    undefined = [one for one in in_host(validate(module), host, span, module) if one.rule == "id/is-defined-before-use"]
    assert [slice_of(host, one.range) for one in undefined] == ["%v", "%t"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_module_that_is_cut_in_the_middle(line_break: str) -> None:
    """What stands before the END is a module without its end, and what follows is no SPIR-V."""
    first, rest = FIRST[: FIRST.index("OpFunctionEnd")], "OpReturn\nOpFunctionEnd\nOpNop %missing\n"
    host = HostText(f"SHADER compute a SPIRV-ASM\n{first}END\n{rest}END\n".replace("\n", line_break), LANGUAGES["amber"])
    (span,) = host.spans
    assert (span.first, span.end) == (1, 1 + first.count("\n"))
    module = host.module_text(span)
    found = in_host(validate(module), host, span, module)
    assert "function/ends-with-function-end" in {one.rule for one in found}
    assert all(one.range is None or one.range.end.line < span.end for one in found)


def test_what_quoted_lines_say() -> None:
    text = 'f("%s = OpString \\"a\\\\\\\\b\\"\\n" /* c */ "OpNop" // d\n  "OpNop\\x41\\n\\101\\tOp\\n");\n'
    host = HostText("x =\n" + text, LANGUAGES["cpp"])
    (span,) = host.spans
    assert host.module_text(span) == '%s = OpString "a\\\\b"\nOpNopOpNopA\nA\tOp\n'
    placement = host.placement(span)
    assert slice_of(host, placement.to_host_range(Range(Position(0, 14), Position(0, 20)))) == '\\"a\\\\\\\\b\\"'
    assert slice_of(host, placement.to_host_range(Range(Position(1, 0), Position(1, 5)))) == "OpNop"
    assert placement.to_module(Position(1, 5)) == Position(0, 2)
    assert placement.to_module(Position(0, 0)) is None
    assert placement.to_host_text('OpName %a "b"\nOpNop') == 'OpName %a \\"b\\"\\n"\n  "OpNop'


def test_languages_by_name_and_by_what_editors_call_them() -> None:
    assert [language_of(name).name for name in ("a.CPP", "a.spvasm", "a", "x/b.amber", "a.md")] == [
        *("cpp", "spirv", "spirv", "amber", "markdown")
    ]
    assert language_by_id("rust", "a.cpp").name == "rust"
    assert language_by_id(None, "a.cpp").name == language_by_id("plaintext", "a.cpp").name == "cpp"


def test_ten_thousand_blocks() -> None:
    text = ('x = R"(\n' + FIRST + ')";\n') * 10_000
    assert len(cut(text, "cpp")) == 10_000
    assert len(cut(FIRST * 10_000, "spirv")) == 10_000
    assert len(cut(f"SHADER compute a SPIRV-ASM\n{FIRST}END\n" * 10_000, "amber")) == 10_000
    assert len(cut("SHADER compute a SPIRV-ASM\n" * 10_000, "amber")) == 1
    assert len(cut(HEADER * 10_000 + FIRST, "spirv")) == 1


def test_files_of_this_project_have_the_modules_that_they_seem_to_have() -> None:
    assert [span.form for span in cut(read(ROOT / "README.md"), "markdown")] == []
