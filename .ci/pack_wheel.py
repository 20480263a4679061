"""What a wheel has of the documentation and of `grammar/`: the data of the tables, most of it in one file, and what is read for
documentation alone, compressed: the entries in one file, and the facts about rules with their pages, which are docstrings in the
repository. The lines of these, of the texts on private names, of all texts in `INTERNAL` folders, and of comments are empty in a
wheel. An entry of a wheel costs two hundred bytes by itself. In what is compressed the words that take most room are one byte or
two, and paragraphs are not broken, which takes a tenth off.

Where the environment variable SPVLS_SMALL_WHEEL is set, as for a release, the wheel is compressed again by zopfli, of the package
zopflipy, which takes half a minute and a thirtieth off.
"""

from __future__ import annotations

import ast
import bz2
import io
import json
import os
import re
import tempfile
import tokenize
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "spvls/grammar/data"
RULE_FACTS = "rule_facts.json"
FOLDERS = ("instructions", "enumerants", ".", "extended")
"""The order of the documentation, the largest file of a folder first. Extended sets resemble each other; in one block of bz2 they
take a thirtieth less."""

Documented = ast.FunctionDef | ast.ClassDef
"""What may have a docstring."""

_WORD = re.compile(r"[a-z]+|[^\x00-\x7f]")
CAPITAL = "\x01"
PAGE = range(128, 256)
CODES = [bytes((code,)) for code in (*range(14, 32), *PAGE)]
PAIRS = [bytes((lead, code)) for lead in range(2, 9) for code in PAGE]

INTERNAL = (
    *("spvls/ide/features/", "spvls/ide/flow/", "spvls/ide/refactor/", "spvls/server/handlers/"),
    *("spvls/validate/checks/", "spvls/validate/fixes/", "spvls/validate/rules/"),
)
"""Folders of what the package alone calls."""

LARGE = ("opcodes.json", "operand_kinds.json", "spvasm.peg")
"""What is a file of its own, as in the tree."""


class PackGrammar(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return  # an editable installation reads the repository
        grammar = Path(self.root) / "grammar"
        self.folder = tempfile.TemporaryDirectory()
        docs = [
            path
            for folder in FOLDERS
            for path in sorted((grammar / "docs" / folder).glob("*.md"), key=lambda path: (-path.stat().st_size, path))
        ]
        self._compress("docs.md", _packed(grammar / "docs", docs), build_data)
        facts = json.loads((grammar / RULE_FACTS).read_text(encoding="utf-8"))
        for path in sorted((Path(self.root) / "spvls").rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            module = ast.parse(source)
            rules = dict(_rules(module))
            for id_, rule in rules.items():
                facts.setdefault(id_, {})["page"] = _unbroken(ast.get_docstring(rule) or "")
            name = path.relative_to(self.root).as_posix()
            internal = name.startswith(INTERNAL)
            left_out = [node.body[0] for node in (*rules.values(), *_left_out(module, internal=internal))]
            if internal and path.name != "__init__.py" and ast.get_docstring(module):  # whose text `spvls rules` shows
                left_out.append(module.body[0])
            left_out += _on_private_values(module)
            comments = _lone_comments(source)
            if left_out or comments:
                self._include(name, _without(source, left_out, comments).encode(), build_data, name)
        self._compress(RULE_FACTS, json.dumps(facts, ensure_ascii=False), build_data)
        for name in LARGE:
            build_data["force_include"][str(grammar / name)] = f"{TARGET}/{name}"
        others = [path for path in sorted((*grammar.glob("*.json"), *grammar.glob("*/*"))) if path.parent.name != "docs"]
        small = [path for path in others if path.name not in (*LARGE, RULE_FACTS)]
        self._include("packed.txt", _packed(grammar, _by_likeness(small)).encode(), build_data)

    def _compress(self, name: str, text: str, build_data: dict[str, Any]) -> None:
        self._include(f"{name}.bz2", bz2.compress(_coded(text)), build_data)

    def _include(self, name: str, contents: bytes, build_data: dict[str, Any], target: str = "") -> None:
        written = Path(self.folder.name) / name
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_bytes(contents)
        build_data["force_include"][str(written)] = target or f"{TARGET}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version == "standard":
            self.folder.cleanup()
            if os.environ.get("SPVLS_SMALL_WHEEL"):
                _compress(Path(artifact_path))


def _packed(folder: Path, files: list[Path]) -> str:
    """Several files in one: each after a form feed and its name."""
    return "".join(f"\f{path.relative_to(folder).as_posix()}\n{_unwrapped(path)}" for path in files)


def _unwrapped(path: Path) -> str:
    """The text of a file; in one of the documentation, each paragraph and each item of a list is a line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        return text
    lines = [""]
    fenced = False
    for line in text.split("\n"):
        fence = line.startswith("```")
        if line and lines[-1] and not (fenced or line.startswith(("#", "- ", "```")) or lines[-1].startswith(("#", "```"))):
            lines[-1] += f" {line.lstrip()}"
        else:
            lines.append(line)
        fenced ^= fence
    return "\n".join(lines[1:])


def _rules(module: ast.Module) -> Iterator[tuple[str, Documented]]:
    """The rules of a module by their ids, which are first arguments of decorators."""
    for function in module.body:
        if isinstance(function, ast.FunctionDef) and ast.get_docstring(function):
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("_rule"):
                    yield ast.literal_eval(decorator.args[0]), function


def _unbroken(page: str) -> str:
    """A docstring with each of its paragraphs on one line, as it is shown."""
    return "\n\n".join(" ".join(part.split()) for part in page.replace("\nGood:", "\n\nGood:").split("\n\n"))


def _left_out(module: ast.Module, *, internal: bool) -> Iterator[Documented]:
    """What has a docstring beside a body, and a name or a place that says that it is not for others."""
    for node in ast.walk(module):
        is_private = isinstance(node, Documented) and node.name.startswith("_") and not node.name.endswith("__")
        if (is_private or (internal and isinstance(node, Documented))) and len(node.body) > 1 and ast.get_docstring(node):
            yield node


def _on_private_values(module: ast.Module) -> Iterator[ast.stmt]:
    """The texts after assignments to private names."""
    for node, text in pairwise(module.body):
        if isinstance(node, ast.Assign):
            names = node.targets
        elif isinstance(node, ast.AnnAssign):
            names = [node.target]
        else:
            continue
        is_private = all(isinstance(name, ast.Name) and name.id.startswith("_") for name in names)
        if is_private and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
            yield text


def _lone_comments(source: str) -> list[int]:
    """The numbers of the lines, from 1, that hold a comment and nothing else."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.start[0] for token in tokens if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")]


def _without(source: str, left_out: Iterable[ast.stmt], comments: Iterable[int]) -> str:
    """A module with empty lines for these docstrings and comments, so that each other line is where it was."""
    lines = source.split("\n")
    for number in comments:
        lines[number - 1] = ""
    for docstring in left_out:
        end = docstring.end_lineno or docstring.lineno
        lines[docstring.lineno - 1 : end] = [""] * (end - docstring.lineno + 1)
    return "\n".join(lines)


def _coded(text: str) -> bytes:
    """What `spvls.grammar.data_text` reads as the text: a line with words, and the text with a byte of `CODES` for each of these,
    then two of `PAIRS` for each rarer one, in the order of the alphabet, which takes less room; and `CAPITAL` and a small letter
    for a capital one before small ones. Every character outside of ASCII is one of the first words."""
    small = re.sub("[A-Z](?=[a-z])", lambda found: CAPITAL + found[0].lower(), text)
    counts = Counter(_WORD.findall(small))
    words = sorted(counts, key=lambda word: (word.isascii(), (1 - len(word)) * counts[word], word))
    rare = [word for word in words[len(CODES) :] if len(word) > 2 and counts[word] > 2]
    rare = sorted(rare, key=lambda word: ((2 - len(word)) * counts[word], word))[: len(PAIRS)]
    listed = [*words[: len(CODES)], *sorted(rare)]
    codes = {word: code.decode("latin-1") for word, code in zip(listed, [*CODES, *PAIRS], strict=False)}
    coded = _WORD.sub(lambda found: codes.get(found[0], found[0]), small)
    return f"{' '.join(listed)}\n".encode() + coded.encode("latin-1")


def _by_likeness(files: list[Path]) -> list[Path]:
    """Each file after the one that it repeats most of; the compression of a wheel looks back 32 kB only."""
    left = {path: path.read_bytes() for path in files}
    ordered = [files[0]]
    before = left.pop(files[0])
    while left:
        alone = {path: len(zlib.compress(data)) for path, data in left.items()}
        chosen = min(left, key=lambda path: len(zlib.compress(before + left[path])) - alone[path])
        ordered.append(chosen)
        before = left.pop(chosen)
    return ordered


def _compress(wheel: Path) -> None:
    import zopfli

    small = wheel.with_suffix(".small")
    with zipfile.ZipFile(wheel) as loose, zopfli.ZipFile(small, "w", zipfile.ZIP_DEFLATED, iterations=60) as tight:
        for entry in loose.infolist():
            tight.writestr(entry, loose.read(entry))
    small.replace(wheel)
