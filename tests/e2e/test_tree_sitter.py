"""The tree-sitter grammar: it and the scanner read every text alike, and its queries fit the editors.

SPVLS_CONFORMANCE names a folder of recorded texts, `*.jsonl.xz` with a field `text` and perhaps `env`; those that the assembler
accepts must have trees without anything broken. SPVLS_TREE_SITTER names the command-line tool; else it is `tree-sitter`.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import tree_sitter_cpp
import tree_sitter_rust
from hypothesis import example, given
from tree_sitter import Language, Node, Parser, Query, QueryCursor

import spvls
from spvls.grammar import tables
from spvls.grammar.traits import TERMINATORS
from spvls.syntax.peg import pattern
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from tests.corpus import RULES, TEXTS, is_faulty, name_of, text_of
from tests.e2e.editor_support import ROOT, SHADER, Terminal
from tests.e2e.tree_sitter_support import GRAMMAR, broken, captures, compile_to, parse, parser, query_of, utf8
from tests.strategies import Edit, any_text, edits, texts

TOOL = os.environ.get("SPVLS_TREE_SITTER", "tree-sitter")
OPCODES = [opcode.name for opcode in tables.opcodes()]
QUERIES = sorted(path.stem for path in (GRAMMAR / "queries").glob("*.scm"))


def _run_tool(*arguments: str, cache: Path) -> str:
    if shutil.which(TOOL) is None:
        pytest.skip(f"the command-line tool of tree-sitter ({TOOL}) is not installed")
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDG_CONFIG_HOME": str(cache), "NO_COLOR": "1"}
    done = subprocess.run([TOOL, *arguments], cwd=GRAMMAR, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_own_tests_of_the_grammar(tmp_path: Path) -> None:
    output = _run_tool("test", cache=tmp_path)
    for path in [*(GRAMMAR / "test" / "corpus").glob("*.txt")]:
        assert f"{path.stem}:" in output, output
    assert "assertions)" in output, output


def test_generated_files_are_those_of_the_grammar(tmp_path: Path) -> None:
    # parser.c is made with them; its text depends on the version of the tool.
    _run_tool("generate", "--abi", "14", "--output", str(tmp_path / "src"), cache=tmp_path)
    for name in ("grammar.json", "node-types.json"):
        assert (tmp_path / "src" / name).read_text() == (GRAMMAR / "src" / name).read_text(), name


def test_parser_has_the_version_that_all_supported_editors_read() -> None:
    assert re.search(r"^#define LANGUAGE_VERSION 14$", (GRAMMAR / "src" / "parser.c").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in TEXTS if not is_faulty(path)], ids=name_of)
def test_fixtures_have_nothing_broken(path: Path) -> None:
    assert not broken(parse(text_of(path)))


def test_fixtures_of_rules_have_nothing_broken() -> None:
    accepted = [path for path in sorted(RULES.glob("**/*.spvasm")) if _assembles(text_of(path))]
    assert len(accepted) > 500
    for path in accepted:
        assert not broken(parse(text_of(path))), path


@pytest.mark.parametrize("end", ["\r\n", "\r", "  \n\n"])
def test_line_ends_are_white_space(end: str) -> None:
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450 \n%f = OpFunction %v None %t\n%l =\nOpLabel\nOpReturn\nOpFunctionEnd\n"
    assert str(parse(text.replace("\n", end))) == str(parse(text))


def _recorded(folder: Path) -> Iterator[tuple[str, str | None]]:
    for path in sorted(folder.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                text = case.get("text")
                if text is None:
                    continue
                with suppress(UnicodeError):
                    text = text.encode("latin-1").decode("utf-8")
                yield text, case.get("env")


def test_recorded_texts_have_nothing_broken() -> None:
    folder = os.environ.get("SPVLS_CONFORMANCE")
    if folder is None:
        pytest.skip("SPVLS_CONFORMANCE names no folder of recorded texts")
    seen = 0
    for text, environment in dict.fromkeys(_recorded(Path(folder))):
        seen += 1
        tree = parse(text)
        assert not tree.has_error, text
        assert not broken(tree) or not _assembles(text, environment), text
    assert seen, f"{folder} has no texts"


def _assembles(text: str, environment: str | None = None) -> bool:
    try:
        spvls.assemble(text, target_env=environment)
    except spvls.AssembleError:
        return False
    return True


#: The class of a word by the expressions of the shared grammar; the first one that fits counts.
CLASSES = {
    "id": "id",
    "string": "string",
    "raw": "literal_word",
    "integer": "integer",
    "float": "float",
    "name": "enumerant",
    "mask": "mask",
}


def _class_of(word: str) -> str:
    if re.match(r"Op[A-Z]", word):
        return "opcode"
    return next((name for rule, name in CLASSES.items() if pattern(rule).fullmatch(word)), "malformed_word")


def by_scanner(text: str) -> list[tuple[str, str]]:
    """The words of a text with their classes."""
    lines = split_lines(text)
    words = []
    for line, record in scan(lines):
        rest = "".join(lines[line:])
        words += [rest[start:end] for start, end in record.words()]
    return [(_class_of(word), word) for word in words]


WORD_NODES = {*CLASSES.values(), "opcode", "malformed_word", "unclosed_string"}


def by_tree(text: str) -> list[tuple[str, str]]:
    """The same from the tree. What is a mark of its own there is a word of no class for the scanner."""
    found = []
    pending = [parse(text)]
    while pending:
        node = pending.pop()
        if node.type in WORD_NODES or (not node.is_named and node.type in ("=", ",", "(", ")", "OpUnknown")):
            kind = node.type if node.type in WORD_NODES else "opcode" if node.type == "OpUnknown" else "malformed_word"
            found.append((kind, utf8(text)[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")))
        elif node.type != "rest":
            pending.extend(reversed(node.children))
    return found


def _spans_lines_oddly(word: str) -> bool:
    """Whether a broken word spans lines, or a string is not closed: there the tree keeps the harm to one line."""
    return _class_of(word) != "string" and ("\n" in word or "\r" in word or '"' in _without_closed(word))


def _without_closed(word: str) -> str:
    return re.sub(r'"[^"\\\x00]*(?:\\[^\x00][^"\\\x00]*)*"|\\[^\x00]?', "", word)


@given(texts())
@example('OpName %a "x\ny"OpNop')
@example('OpName %a "x"OpNop "a"b"c"')
@example('OpName %a "\\"b""')
@example("%a = ; c\nOp ;\n OpNop")
@example("OpNop\x00OpNop")
@example("OpUnknown(0, 1) OpUnknown(0 OpUnknown (\n0x1,;\n2)")
@example('OpA\\ \\"a" OpB"c d" A|B A|B| |A Op|A OpA|B %a|b "a"\\"')
@example("08 1 1e3 1D +1 -0x1 0x1.8p+3 .5 5. !1 !+0x1 !-1 ! % %% = =1")
def test_words_are_those_of_the_scanner(text: str) -> None:
    text = text.lstrip("\ufeff")  # tree-sitter passes over it
    words = by_scanner(text)
    if not any(_spans_lines_oddly(word) for _, word in words):
        assert by_tree(text) == words


@given(any_text() | texts())
def test_any_text_has_a_tree_without_errors(text: str) -> None:
    assert not parse(text).has_error


def test_a_broken_line_does_no_harm_to_its_neighbors() -> None:
    path = next(path for path in TEXTS if path.name == "structure.frag.spvasm")
    lines = [line for line in text_of(path).split("\n") if line]
    expected = [match[1] for text in lines if (match := re.match(r"\s*(?:%\w+\s*=\s*)?(Op[A-Z]\w*)", text))]
    for at in range(len(lines)):
        for line in ('OpName %a "open', "%a =", "OpStore %a-b, %c (", "OpUnknown(1", "%a = Load %b", "OpNop = =", "%a=OpNop"):
            tree = parse("\n".join([*lines[:at], line, *lines[at:]]))
            opcodes = [node for node in captures("(opcode) @opcode", tree)["opcode"] if node.start_point.row != at]
            assert [_text(node) for node in sorted(opcodes, key=lambda node: node.start_byte)] == expected, (at, line)


def _text(node: Node) -> str:
    assert node.text is not None
    return node.text.decode()


@given(texts(), edits())
def test_edited_is_as_parsed_afresh(text: str, edit: Edit) -> None:
    lines = utf8(text).split(b"\n")
    where, insert = edit
    start, end = sorted(_offset(lines, position.line, position.column) for position in (where.start, where.end))
    before = utf8(text)
    after = before[:start] + utf8(insert) + before[end:]
    old = parser().parse(before)
    old.edit(start, end, start + len(utf8(insert)), _point(before, start), _point(before, end), _point(after, start + len(utf8(insert))))
    assert str(parser().parse(after, old).root_node) == str(parser().parse(after).root_node)


def _offset(lines: list[bytes], line: int, column: int) -> int:
    line = min(line, len(lines) - 1)
    return sum(len(text) + 1 for text in lines[:line]) + min(column, len(lines[line]))


def _point(data: bytes, offset: int) -> tuple[int, int]:
    return data.count(b"\n", 0, offset), offset - (data.rfind(b"\n", 0, offset) + 1)


def test_blocks_end_where_the_module_ends_them() -> None:
    for opcode in tables.opcodes():
        block = parse(f"%a = OpLabel\n{opcode.name} %x\nOpNop").children[0]
        ends = block.type == "block" and block.child_by_field_name("terminator") is not None
        assert ends == (opcode.value in TERMINATORS), opcode.name


@pytest.mark.parametrize("name", QUERIES)
def test_queries_fit_the_grammar(name: str) -> None:
    text = "".join(text_of(path) for path in TEXTS) + 'OpSource GLSL 450 %f "void main() {}"\n'
    assert captures(query_of(name), parse(text))


def test_every_opcode_has_one_highlight() -> None:
    query = query_of("highlights")
    for name in OPCODES:
        tree = parse(f"{name} %a %b %c")
        opcode = tree.descendant_for_byte_range(0, len(name))
        assert [kind for kind, nodes in captures(query, tree).items() if opcode in nodes and kind[0] != "_"] != [], name
        assert len([kind for kind, nodes in captures(query, tree).items() if opcode in nodes]) == 1, name


def test_queries_of_other_editors_are_made_from_those_of_the_grammar() -> None:
    command = [sys.executable, str(GRAMMAR / "queries" / "export.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("host", "grammar", "text"),
    [
        ("cpp", tree_sitter_cpp, 'auto a = R"(\nOpCapability Shader\n)"; auto b = R"spirv(OpNop)spirv"; auto c = R"(SELECT 1)";'),
        ("rust", tree_sitter_rust, 'const A: &str = r#"; SPIR-V\nOpNop"#; const B: &str = r"OpMemoryModel Logical GLSL450"; const C: &str = r"[a-z]";'),
    ],
)  # fmt: skip
def test_raw_strings_of_a_host_are_injected(host: str, grammar: object, text: str) -> None:
    language = Language(grammar.language())  # type: ignore[attr-defined]
    query = (ROOT / "editors" / "neovim" / "after" / "queries" / host / "injections.scm").read_text()
    root = Parser(language).parse(text.encode()).root_node
    compiled = Query(language, query)
    found = QueryCursor(compiled).captures(root)["injection.content"]
    assert len(found) == 2 and all(b"Op" in (node.text or b"") for node in found)


@pytest.mark.parametrize("nvim", os.environ.get("SPVLS_NVIM", "nvim").split(os.pathsep))
def test_neovim_highlights_and_folds(nvim: str, tmp_path: Path) -> None:
    if shutil.which(nvim) is None:
        pytest.skip(f"{nvim} is not installed")
    if subprocess.run([nvim, "--headless", "--clean", "-c", "if has('nvim-0.10') | qall! | endif | cquit 1"], timeout=60).returncode:
        pytest.skip(f"{nvim} is older than 0.10, which has another way with parsers")
    (tmp_path / "parser").mkdir()
    compile_to(tmp_path / "parser" / "spirv.so")
    (tmp_path / "a.spvasm").write_text(SHADER)
    plugin = ROOT / "editors" / "neovim"
    bundled = Path(nvim).parent.parent / "usr" / "lib" / "nvim"  # the parsers of a Neovim that is unpacked, not installed
    paths = f"set runtimepath^={plugin},{tmp_path} runtimepath+={bundled},{plugin / 'after'}"
    command = [nvim, "--headless", "--clean", "--cmd", paths, "--cmd", "set noswapfile", "a.spvasm"]
    check = Path(__file__).parent / "tree_sitter_check.lua"
    done = subprocess.run([*command, "-c", f"luafile {check}"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stdout + done.stderr


def test_helix_builds_the_grammar_and_highlights(tmp_path: Path) -> None:
    helix = os.environ.get("SPVLS_HELIX", "hx")
    if shutil.which(helix) is None:
        pytest.skip(f"Helix ({helix}) is not installed")
    configuration = tmp_path / "helix"
    shutil.copytree(ROOT / "editors" / "helix" / "queries", configuration / "runtime" / "queries")
    (configuration / "runtime" / "grammars").mkdir()
    languages = (ROOT / "editors" / "helix" / "languages.toml").read_text()
    languages = languages.replace("/path/to/editors", str(ROOT / "editors"))
    (configuration / "languages.toml").write_text(f'use-grammars = {{ only = ["spirv"] }}\n{languages}')
    (configuration / "config.toml").write_text('theme = "onedark"\n')
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "COLORTERM": "truecolor"}
    build = [helix, "--grammar", "build"]
    done = subprocess.run(build, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "1 grammars built" in done.stdout, done.stdout + done.stderr

    (tmp_path / "a.spvasm").write_text(SHADER)
    terminal = Terminal([helix, str(tmp_path / "a.spvasm")], tmp_path, environment)
    try:
        terminal.wait_for("OpFAdd")
        styles = _styles(terminal.colored_screen())
    finally:
        terminal.close()
    assert len({styles[word] for word in ("OpFAdd", "Shader", "%sum", '"main"', "OpTypeFloat", "OpReturn")}) == 6, styles


def _styles(screen: str) -> dict[str, str]:
    """The color of each word of a screen."""
    found = {}
    color = ""
    for code, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", screen):
        color = match[0] if (match := re.search(r"38;2;\d+;\d+;\d+", code)) else color
        found.update(dict.fromkeys(text.split(), color))
    return found
