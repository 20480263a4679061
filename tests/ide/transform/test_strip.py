"""What is removed of a module, and what stays as it is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given

import spvls
from spvls.cli.main import main
from spvls.diagnostic import Position, Severity
from spvls.ide.refactor.offers import refactorings
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.strip import ALL, Part, strip
from spvls.text.edits import edited
from tests.corpus import FIXTURES, RULES, TEXTS, is_faulty, name_of, text_of
from tests.strategies import texts

_CARRIED = FIXTURES / "transform" / "carried.frag.spvasm"


def stripped(text: str, *parts: Part) -> str:
    source = SourceModule(text)
    return edited(text, strip(source, parts or ALL))


def lines_gone(*parts: Part) -> set[str]:
    """The opcode and last word of each line of the fixture that goes."""
    before, after = text_of(_CARRIED).splitlines(), stripped(text_of(_CARRIED), *parts).splitlines()
    return {line.partition(" = ")[2].strip() or line.strip() for line in before if line not in after}


def test_all_parts_leave_what_the_module_computes() -> None:
    after = stripped(text_of(_CARRIED))
    assert not spvls.validate(after)
    for word in ("OpString", "OpName", "OpSource", "OpLine", "OpNoLine", "NonSemantic", "GOOGLE", "OpDecorateString", "OpModuleProcessed"):
        assert word not in after
    assert "; the function begins here" in after and "; the output" in after
    assert [line for line in after.splitlines() if line in text_of(_CARRIED).splitlines()] == [
        line for line in after.splitlines() if line.strip() != "; the output"
    ]


def test_debug_information_leaves_strings_that_printf_uses() -> None:
    after = stripped(text_of(_CARRIED), Part.DEBUG)
    assert '%format = OpString "level %f"' in after and "level.hlsl" not in after
    assert "NonSemantic.Shader.DebugInfo" not in after and "SPV_KHR_non_semantic_info" in after and "UserSemantic" in after


def test_non_semantic_instructions_go_with_their_strings() -> None:
    after = stripped(text_of(_CARRIED), Part.NON_SEMANTIC)
    assert "level %f" not in after and 'OpString "level.hlsl"' in after  # OpLine uses the name of the file
    assert "NonSemantic" not in after and "SPV_KHR_non_semantic_info" not in after and "OpName" in after


def test_reflection_goes_with_its_extensions() -> None:
    assert lines_gone(Part.REFLECTION) == {
        'OpExtension "SPV_GOOGLE_decorate_string"',
        'OpExtension "SPV_GOOGLE_hlsl_functionality1"',
        'OpExtension "SPV_GOOGLE_user_type"',
        'OpDecorateString %color UserSemantic "SV_Target"',
        'OpDecorateString %level UserSemantic "LEVEL"',
        'OpMemberDecorateString %Light 0 UserTypeGOOGLE "float"',
    }


def test_what_something_else_uses_stays() -> None:
    text = """\
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Example"
%name = OpString "a"
%lost = OpString "b"
%void = OpTypeVoid
%used = OpExtInst %void %set 1 %name
%use = OpCopyObject %void %used
%other = OpExtInst %void %set 2 %lost
"""
    gone = '%lost = OpString "b"\n', "%other = OpExtInst %void %set 2 %lost\n"
    assert stripped(text) == text.replace(gone[0], "").replace(gone[1], "")


def test_names_and_decorations_of_what_is_removed_go_with_it() -> None:
    text = """\
%set = OpExtInstImport "NonSemantic.Example"
OpName %made "made"
OpName %void "void"
OpDecorate %made RelaxedPrecision
%void = OpTypeVoid
%made = OpExtInst %void %set 1 ; a
"""
    assert stripped(text, Part.NON_SEMANTIC) == 'OpName %void "void"\n%void = OpTypeVoid\n ; a\n'


def test_instructions_that_share_a_line_leave_the_others() -> None:
    assert stripped('OpName %a "a" %a = OpTypeVoid\r\nOpNoLine\r\nOpNop\r\n') == " %a = OpTypeVoid\r\nOpNop\r\n"


def test_editors_offer_what_there_is_to_remove() -> None:
    def kinds(text: str) -> list[str]:
        found = refactorings(SourceModule(text), Position(0, 0))
        return [refactoring.kind for refactoring in found if refactoring.kind.startswith("source.strip")]

    assert kinds("OpNop\n") == []
    assert kinds('OpName %a "a"\n%a = OpTypeVoid\n') == ["source.strip.debug"]
    assert kinds(text_of(_CARRIED)) == [
        "source.strip.debug", "source.strip.nonsemantic", "source.strip.reflect", "source.strip.all"
    ]  # fmt: skip


@pytest.mark.parametrize("path", [path for path in TEXTS if not is_faulty(path)], ids=name_of)
def test_fixtures_have_no_new_error(path: Path) -> None:
    text = text_of(path)

    def errors(module: str) -> set[str]:
        return {finding.rule for finding in spvls.validate(module) if finding.severity is Severity.ERROR}

    assert errors(stripped(text)) <= errors(text)


@given(texts())
def test_any_text_is_stripped_and_then_has_nothing_to_strip(text: str) -> None:
    once = stripped(text)
    assert stripped(once) == once


# The reference

_TOOL = shutil.which("spirv-opt")
_MODULES = [path for path in [*TEXTS, *sorted(RULES.glob("ext-inst/*.clean.spvasm"))] if not is_faulty(path)]


def _differs_on_purpose(line: str, *, ours: bool) -> bool:
    """Whether an instruction that only one side has left is one of the known differences."""
    if ours:
        # The reference drops OpNop. Before version 1.6 it looks for uses of strings only with the extension for non-semantic
        # instructions, and removes strings that instructions still use.
        return "OpNop" in line or "OpString" in line
    # The reference leaves what is no longer needed: the import and the extension of debug information, strings that only
    # non-semantic instructions used, OpNoLine after the last OpLine; and debug information in functions.
    return any(word in line for word in ("OpString", "OpExtInstImport", "SPV_KHR_non_semantic_info", "OpNoLine", " Debug"))


@pytest.mark.skipif(_TOOL is None, reason="spirv-opt is not installed")
@pytest.mark.parametrize("flags", [("debug",), ("nonsemantic", "reflect")], ids="-".join)
def test_the_words_that_stay_are_those_of_the_reference(flags: tuple[str, ...], tmp_path: Path) -> None:
    given, theirs, ours = (tmp_path / name for name in ("given.spv", "theirs.spv", "ours.spv"))
    compared = 0
    for path in _MODULES:
        given.write_bytes(spvls.assemble(text_of(path)))
        command = [str(_TOOL), f"--strip-{flags[0]}", str(given), "-o", str(theirs)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            continue  # newer than the tool
        assert main(["strip", str(given), "-o", str(ours), *(f"--{flag}" for flag in flags)]) == 0
        left = [
            spvls.disassemble(file.read_bytes(), friendly_names=False, header=False, handle_unknown_opcodes=True).splitlines()
            for file in (theirs, ours)
        ]
        common = set(left[0]) & set(left[1])
        for at, lines in enumerate(left):
            # A string may have several lines; where its first one differs, so do the others.
            starts = [line for line in lines if line not in common and " Op" in line]
            assert all(_differs_on_purpose(line, ours=bool(at)) for line in starts), (name_of(path), starts)
        kept = [[line for line in lines if line in common and "OpNoLine" not in line] for lines in left]
        assert kept[0] == kept[1]
        compared += 1
    assert compared > 30
