"""Files that nobody would write: each has its message, and none a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spvls
from spvls.cli.invalid_bytes import findings as octet_findings
from spvls.diagnostic import Severity
from spvls.text.lines import split_lines
from tests.cli.conftest import Done, Run
from tests.corpus import FIXTURES, text_of

BINARY = FIXTURES / "binaries" / "transform.vert.spv"
SOUND = text_of(FIXTURES / "shaders" / "transform.vert.spvasm")
UNCOMMENTED = "\n".join(line for line in SOUND.split("\n") if not line.startswith(";"))


def with_source(source: bytes) -> bytes:
    """A sound module with a string of these bytes in it."""
    return SOUND.encode().replace(b"OpSource GLSL 450", b'%text = OpString "' + source + b'"\nOpSource GLSL 450')


def rules(done: Done) -> list[tuple[str, int]]:
    """The rules of the findings of a report in JSON, with their line from 1."""
    return [(finding["rule"], finding["range"]["start"]["line"] + 1) for finding in json.loads(done.out)["findings"]]


def lint(run: Run, data: bytes) -> Done:
    Path("a.spvasm").write_bytes(data)
    return run("lint", "a.spvasm", "--format=json", "--target-env=vulkan1.0")


def test_an_empty_file_assembles_to_a_header_and_is_no_module(run: Run) -> None:
    done = lint(run, b"")
    assert done.code == 1
    assert [rule for rule, _ in rules(done)] == ["module/memory-model-is-declared-once"]
    assert run("as", "a.spvasm", "-o", "a.spv").code == 0
    assert len(Path("a.spv").read_bytes()) == 20
    assert run("dis", "-", stdin=b"") == (2, "", "spvls: <stdin>: the file is empty\n")


@pytest.mark.parametrize(
    "data",
    [
        SOUND.rstrip("\n").encode(),
        SOUND.replace("\n", "\r\n").encode(),
        with_source("a\u2028b\u2029c\x85d\x0be\x0cf".encode()),
        with_source(b"x" * 65_000),
        with_source(b"first\nsecond\r\nthird"),
    ],
    ids=["no line break at the end", "carriage returns", "other line breaks", "a long line", "lines in a string"],
)
def test_what_looks_odd_and_is_sound(run: Run, data: bytes) -> None:
    assert (lint(run, data).code, rules(lint(run, data))) == (0, [])


def test_a_carriage_return_alone_is_white_space_and_ends_a_line_for_editors(run: Run) -> None:
    faulty = UNCOMMENTED.replace("OpStore %out_size", "OpStor %out_size").replace("\n", "\r")
    done = lint(run, faulty.encode())
    assert rules(done) == [("syntax/unknown-opcode", faulty[: faulty.index("OpStor ")].count("\r") + 1)]
    assert spvls.assemble(UNCOMMENTED.replace("\n", "\r")) == spvls.assemble(UNCOMMENTED)


def test_a_text_that_ends_inside_a_string(run: Run) -> None:
    done = lint(run, SOUND.encode() + b'OpName %main "ma')
    assert rules(done) == [("syntax/string", SOUND.count("\n") + 1)]


def test_a_byte_order_mark(run: Run) -> None:
    done = lint(run, b"\xef\xbb\xbf" + UNCOMMENTED.encode())
    assert ("syntax/expected-instruction", 1) in rules(done)
    assert "byte order mark" in done.out


def test_a_form_feed_is_no_white_space(run: Run) -> None:
    done = lint(run, SOUND.replace("OpReturn\n", "\x0cOpReturn\n").encode())
    assert done.code == 1
    assert "\x0c" not in run("lint", "a.spvasm").out


def test_behind_a_nul_nothing_is_read_and_the_text_says_so(run: Run) -> None:
    done = lint(run, SOUND.encode() + b"\0OpBogus")
    assert (done.code, rules(done)) == (0, [("text/nul", SOUND.count("\n") + 1)])
    assert run("lint", "a.spvasm", "--strict").code == 1


def test_octets_that_are_not_utf8_have_a_finding_with_their_place(run: Run) -> None:
    done = lint(run, with_source(b"gr\xfc\xdfe") + b"; \xa9 someone\n")
    assert done.code == 1
    in_string, in_comment = json.loads(done.out)["findings"]
    assert (in_string["rule"], in_string["severity"]) == ("text/not-utf-8", "error")
    assert in_string["range"]["end"]["column"] - in_string["range"]["start"]["column"] == 2
    assert in_string["message"].startswith("0xFC 0xDF is not UTF-8")
    assert in_string["instruction"] == 4
    assert (in_comment["severity"], in_comment["instruction"]) == ("warning", None)
    text = run("lint", "a.spvasm").out
    assert '%text = OpString "gr\\xfc\\xdfe"' in text


def test_octets_of_strings_go_into_the_binary_and_back(run: Run) -> None:
    Path("a.spvasm").write_bytes(with_source(b"gr\xfc\xdfe"))
    assert run("as", "a.spvasm", "-o", "a.spv").code == 0
    assert b"gr\xfc\xdfe" in Path("a.spv").read_bytes()
    assert run("dis", "a.spv", "-o", "b.spvasm").code == 0
    assert b"gr\xfc\xdfe" in Path("b.spvasm").read_bytes()


def test_octets_are_told_from_where_they_stand() -> None:
    lines = split_lines('OpName %a "\udcff\udcfe" \udc80 ; \udc80\nOpNop')
    found = octet_findings(lines)
    assert [(finding.severity, finding.range and finding.range.start.column) for finding in found] == [
        (Severity.ERROR, 11),
        (Severity.ERROR, 15),
        (Severity.WARNING, 19),
    ]
    assert octet_findings(split_lines("OpNop é\n")) == []


def test_utf16_is_named(run: Run) -> None:
    done = run("lint", "-", stdin=SOUND.encode("utf-16"))
    assert (done.code, done.err) == (2, "spvls: <stdin>: this is UTF-16; save it as UTF-8\n")


def test_a_binary_given_as_text_and_a_text_given_as_binary(run: Run) -> None:
    done = run("as", BINARY)
    assert done.code == 2
    assert done.err == f"spvls: {BINARY}: this is a binary module already; `spvls dis` lists it as text\n"
    done = run("dis", "-", stdin=SOUND.encode())
    assert done == (2, "", "spvls: <stdin>: this is a text already; `spvls as` makes a binary of it\n")


def test_octets_of_any_kind_have_findings(run: Run) -> None:
    done = lint(run, bytes(range(256)) * 3)
    assert done.code == 1
    assert run("lint", "a.spvasm").err == ""


def test_a_line_of_ten_megabytes(run: Run) -> None:
    done = lint(run, SOUND.encode() + b"OpName %main " + b"x" * 10_000_000)
    assert rules(done) == [("syntax/operand-kind", SOUND.count("\n") + 1)]
    assert len(run("lint", "a.spvasm").out) < 1000


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("OpNop ", "function/body-is-made-of-blocks"),
        ("OpBogus ", "syntax/unknown-opcode"),
        ("%a = OpTypeVoid ", "id/is-defined-once"),
    ],
)
def test_a_long_line_of_instructions(run: Run, word: str, found: str) -> None:
    done = lint(run, SOUND.encode() + word.encode() * (300_000 // len(word)))
    assert done.code == 1
    assert (found, SOUND.count("\n") + 1) in rules(done)
    assert run("fmt", "a.spvasm", "--check").code == 1


def test_a_hundred_thousand_errors(run: Run) -> None:
    done = lint(run, SOUND.encode() + b"OpNopp\n" * 100_000)
    assert json.loads(done.out)["errors"] == 100_000


def test_the_deepest_folder_name_and_a_name_that_is_not_text(run: Run) -> None:
    name = b"caf\xe9.spvasm".decode("utf-8", "surrogateescape")
    try:
        Path(name).write_text("OpNopp\n")
    except OSError:  # a file system whose names are text: there is no such file to lint
        return
    done = run("lint", ".")
    assert (done.code, done.err) == (1, "")
    assert "caf\\xe9.spvasm:1:1:" in done.out
