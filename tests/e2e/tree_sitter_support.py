"""The grammar of `editors/tree-sitter-spirv`, compiled, and its queries."""

from __future__ import annotations

import ctypes
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from tests.e2e.editor_support import ROOT, require

GRAMMAR = ROOT / "editors" / "tree-sitter-spirv"
BROKEN = ("ERROR", "MISSING", "incomplete_instruction", "malformed_word", "stray_words", "unclosed_string")


def compile_to(library: Path) -> None:
    """Make the shared library that editors load; skips the test where there is no C compiler."""
    compiler = require("cc")
    sources = [GRAMMAR / "src" / name for name in ("parser.c", "scanner.c")]
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-I", GRAMMAR / "src", "-o", library, *sources], check=True, timeout=120)


@cache
def language() -> Language:
    """The language, as `compile_to` makes it."""
    with TemporaryDirectory() as folder:
        library = Path(folder) / "spirv.so"
        compile_to(library)
        entry = ctypes.CDLL(str(library)).tree_sitter_spirv
    entry.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(capsule(entry(), b"tree_sitter.Language", None))


@cache
def parser() -> Parser:
    return Parser(language())


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def parse(text: str) -> Node:
    """The tree of a text, from its root."""
    return parser().parse(utf8(text)).root_node


def captures(query: str, node: Node) -> dict[str, list[Node]]:
    """What a query finds under a node."""
    return QueryCursor(_compiled(query)).captures(node)


@cache
def _compiled(query: str) -> Query:
    return Query(language(), query)


def broken(node: Node) -> list[Node]:
    """The nodes of what the assembler refuses for its words, and errors if there were any."""
    return captures(" ".join(f"({name}) @broken" for name in BROKEN), node).get("broken", [])


def query_of(name: str) -> str:
    """The text of a query of the grammar."""
    return (GRAMMAR / "queries" / f"{name}.scm").read_text(encoding="utf-8")
