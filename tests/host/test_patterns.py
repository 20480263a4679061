"""One list of names for the command line and for editors."""

from __future__ import annotations

import json
from fnmatch import fnmatch

import pytest

from spvls.host.patterns import MODULES, SNIFFED, STAGES, TEXTS, is_assembly, is_named, is_sniffed, is_text_named
from tests.corpus import ROOT

NAMES = ["a.spvasm", "a.frag.spvasm", "a.spvasm.frag", "a.spvasm32", "a.spvasm64", "a.spvas", "a.spv", "a.spirv"]
NAMES += ["a.asm", "a.asm.frag", "a.asm.vk.comp", "a.txt", "a.glsl", "spvasm", ".spvasm", "a.spvasmx", "a.spvasm.b.c"]


@pytest.mark.parametrize("name", NAMES)
def test_patterns_say_what_the_functions_do(name: str) -> None:
    def matched(patterns: tuple[str, ...]) -> bool:
        return any(fnmatch(name, pattern) for pattern in patterns)

    if name.startswith(".") or name.count(".") > 2:
        return  # globs cannot say that a stem is there, and that one word follows
    assert is_text_named(name) == matched(TEXTS)
    assert is_named(name) == matched((*TEXTS, *MODULES))
    assert is_sniffed(name) == matched(SNIFFED)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"; SPIR-V\n", True),
        (b"; a comment\r\n  OpCapability Shader\r\n", True),
        (b'%1 = OpExtInstImport "GLSL.std.450"\n', True),
        (b"; IR before pass x\nOpMemoryModel Logical GLSL450\n", True),
        (b"#version 450\nvoid main() {}\n", False),
        (b"The OpCapability Shader is declared\n", False),
        (b"OpCapability Shader\n\0", False),
        (b"", False),
    ],
)
def test_what_begins_like_assembly(head: bytes, expected: bool) -> None:
    assert is_assembly(head) is expected


def test_editors_know_the_same_names() -> None:
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    (language,) = (entry for entry in manifest["contributes"]["languages"] if entry["id"] == "spirv")
    stages = f"*.asm.{{{','.join(STAGES)}}}"
    known = {f"*{extension}" for extension in language["extensions"]} | set(language["filenamePatterns"])
    assert known == {*TEXTS, *MODULES, stages}
    detect = (ROOT / "editors" / "neovim" / "ftdetect" / "spirv.lua").read_text(encoding="utf-8")
    assert [pattern for pattern in (*TEXTS, "*.spirv", stages) if f'"{pattern}"' not in detect] == []
