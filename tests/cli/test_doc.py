"""`spvls doc`."""

from __future__ import annotations

import pytest

from spvls.cli.doc import WIDTH
from spvls.cli.main import main
from spvls.cli.markdown import render
from spvls.diagnostic import Severity
from spvls.grammar import tables
from spvls.ide.documentation.docs_markdown import docs_markdown
from spvls.validate.validator import validate


def test_an_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "OpFAdd"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "OpFAdd",
        "",
        "    %result = OpFAdd %Result_Type %Operand_1 %Operand_2",
        "",
        "Adds two floating-point values component by component.",
    ]
    assert lines[-1].startswith("https://") and lines[-1].endswith("#OpFAdd")


def test_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "OpFAdd", "Header.Bound"]) == 0
    out = capsys.readouterr().out
    assert out.index("OpFAdd") < out.index("Header.Bound")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("FAdd", "OpFAdd"),
        ("Private", "StorageClass.Private"),
        ("Sqrt", "GLSL.std.450.Sqrt"),
        ("String", "Syntax.String"),
        ("OpDecorateStringGOOGLE", "OpDecorateString"),
        ("opload", "OpLoad"),
        ("load", "OpLoad"),
        ("storageclass.private", "StorageClass.Private"),
        ("glsl.std.450.SQRT", "GLSL.std.450.Sqrt"),
        ("header.bound", "Header.Bound"),
    ],
)
def test_names_for_short(name: str, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", name]) == 0
    assert key in capsys.readouterr().out.splitlines()


def test_a_name_that_two_families_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "Workgroup"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "StorageClass.Workgroup" in lines and "Scope.Workgroup" in lines


def test_a_name_that_many_families_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "None"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("- `LoopControl.None`: ") for line in lines)


def test_a_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "Header"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[2:]] == [
        f"- `Header.{field}`" for field in ("Magic", "Version", "Generator", "Bound", "Schema")
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("OpFad", "nothing is known of 'OpFad'; did you mean OpFAdd?"),
        ("opfad", "nothing is known of 'opfad'; did you mean OpFAdd?"),
        ("StorageClass.Privat", "nothing is known of 'StorageClass.Privat'; did you mean StorageClass.Private?"),
        ("Privat", "nothing is known of 'Privat'; did you mean StorageClass.Private?"),
        ("xyzzy", "nothing is known of 'xyzzy'"),
        ("WorkgroupLocal", "WorkgroupLocal is now StorageClass.Workgroup"),
        ("InputTarget", "InputTarget is now Capability.InputAttachment or Dim.SubpassData"),
        ("OpAsyncGroupCopy", "OpAsyncGroupCopy is now OpGroupAsyncCopy"),
    ],
)
def test_what_is_not_known(name: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", name]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"spvls: {message}\n"


def test_what_is_known_is_shown_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "xyzzy", "OpFAdd"]) == 2
    assert "Adds two" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["OpFAdd", "FAdd", "BuiltIn.FragCoord", "TraceRayKHR", "TOSA.001000.1.ADD"])
def test_an_example_as_a_module(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "--module", name]) == 0
    text = capsys.readouterr().out
    assert text.startswith("; spvls: target-env=") and name.rpartition(".")[2] in text
    assert [finding for finding in validate(text) if finding.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["OpFAdd", "OpFSub"], "--module takes one NAME"),
        (["OpFad"], "nothing is known of 'OpFad'; did you mean OpFAdd?"),
        (["Scope.Device"], "Scope.Device has no example"),
        (["Header.Magic"], "Header.Magic has no example"),
        (["Volatile"], "Volatile is ambiguous; write MemoryAccess.Volatile or Decoration.Volatile"),
    ],
)
def test_what_is_no_module(names: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "--module", *names]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"spvls: {message}\n")


TEXT = "# Title\n\nSome *emphasis* and\n`code * 2 * 3` here.\n\n- one two three\n- four\n\n```spirv\n%a = OpLabel\n```\n\nEnd."


LINKED = "~~Old~~ use [`New`](https://a.b/#New) and **all**.\n\n[New in the book](https://a.b/#New)"


def test_rendering_links_and_what_is_struck_through() -> None:
    assert render(LINKED, 80, color=False).split("\n\n") == ["~~Old~~ use `New` and **all**.", "https://a.b/#New"]
    assert "\x1b[9mOld\x1b[0m use \x1b[36mNew\x1b[0m and \x1b[1mall\x1b[0m." in render(LINKED, 80, color=True)


def test_it_is_the_text_of_hover(capsys: pytest.CaptureFixture[str]) -> None:
    opcode = tables.opcode("OpKill")
    assert opcode is not None
    assert main(["doc", "OpKill"]) == 0
    text = render(f"# OpKill\n\n{docs_markdown(opcode, with_signature=False)}", WIDTH, color=False)
    assert capsys.readouterr().out.split() == text.split()


def test_rendering_without_colour() -> None:
    assert render(TEXT, 12, color=False).split("\n") == [
        *("Title", "", "Some", "*emphasis*", "and `code *", "2 * 3` here."),
        *("", "- one two", "  three", "- four", "", "    %a = OpLabel", "", "End."),
    ]


def test_rendering_with_colour() -> None:
    shown = render(TEXT, 80, color=True)
    assert "\x1b[1mTitle\x1b[0m" in shown
    assert "\x1b[3memphasis\x1b[0m" in shown
    assert "\x1b[36mcode * 2 * 3\x1b[0m" in shown
    assert "    \x1b[36m%a = OpLabel\x1b[0m" in shown


@pytest.mark.parametrize(
    ("name", "title", "text"),
    [
        ("structurally dominates", "Structurally dominate (2.2.5)", "structured control-flow path"),
        ("tangled instruction", "Tangled instruction (2.2.5)", "OpControlBarrier"),
        ("code motion", "Code motion (2.20)", "derivative"),
        ("limits", "Limit", "- `Limit.StructureMembers`: An `OpTypeStruct` may have up to 16,383 members."),
        ("structurenesting", "Limit.StructureNesting", "255"),
        ("storageclass", "StorageClass", "- `StorageClass.Private`: "),
    ],
)
def test_terms_and_limits(name: str, title: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", name]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[0] == title and text in shown


def test_a_term_that_is_also_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "block"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Block (2.2.5)" in lines and "Decoration.Block" in lines
    assert main(["doc", "Block"]) == 0
    assert "Block (2.2.5)" not in capsys.readouterr().out.splitlines()


def test_a_misspelt_term(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doc", "merge blok"]) == 2
    assert "did you mean merge block?" in capsys.readouterr().err
