"""Lines to instructions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import spvls
from spvls.syntax import fast_path, scanner
from spvls.syntax.fast_path import _MANY
from spvls.syntax.instruction import Instruction
from spvls.syntax.scanner import LONG_LINE, UNUSUAL, read_ahead, row, rows, scan
from spvls.text.lines import split_lines
from tests.bench.modules import module_text
from tests.strategies import texts


def shape(text: str) -> list[tuple[int, str, int]]:
    """Of each instruction: its line, its text from its first word to its last, and how many words it has."""
    return [(line, r.text[r.start : r.end], len(r.words())) for line, r in scan(split_lines(text))]


@pytest.mark.parametrize(
    ("text", "instructions"),
    [
        ("", []),
        ("; only\n\n  ; comments", []),
        ("OpNop", [(0, "OpNop", 1)]),
        ("OpNop\r\n\tOpNop ; c\rOpNop\n", [(0, "OpNop", 1), (1, "OpNop", 1)]),
        (";\rOpNop\nOpNop", [(2, "OpNop", 1)]),
        ("OpNop\r ; c\rOpNop\nOpNop", [(0, "OpNop", 1), (3, "OpNop", 1)]),
        ("OpNop OpNop\n OpNop", [(0, "OpNop", 1), (0, "OpNop", 1), (1, "OpNop", 1)]),
        ("%a\n=\nOpTypeVoid", [(0, "%a\n=\nOpTypeVoid", 3)]),
        ("%a = OpTypeVoid %b = OpTypeVoid", [(0, "%a = OpTypeVoid", 3), (0, "%b = OpTypeVoid", 3)]),
        ("OpStore %a ; ends\n  %b", [(0, "OpStore %a ; ends\n  %b", 3)]),
        ('OpName %a "x\ny" OpNop', [(0, 'OpName %a "x\ny"', 3), (1, "OpNop", 1)]),
        ('OpName %a "OpNop ; x"', [(0, 'OpName %a "OpNop ; x"', 3)]),
        ('OpName %a "x\nOpNop', [(0, 'OpName %a "x\nOpNop', 3)]),
        ("OpNop\0OpNop", [(0, "OpNop", 1)]),
        ("%a %b\nOpNop", [(0, "%a %b", 2), (1, "OpNop", 1)]),
        ("OpUnknown(1,2)%a", [(0, "OpUnknown(1,2)%a", 7)]),
        ("%v = OpTypeVoid !65536\n!7", [(0, "%v = OpTypeVoid", 3), (0, "!65536\n!7", 2)]),
        ("OpNop\n!7", [(0, "OpNop", 1), (1, "!7", 1)]),
        ("OpNop\x0cOpNop", [(0, "OpNop\x0cOpNop", 1)]),
        ("OpNop\u2028OpNop", [(0, "OpNop\u2028OpNop", 1)]),
        ("Opnop OpNop", [(0, "Opnop", 1), (0, "OpNop", 1)]),
    ],
)
def test_where_instructions_begin_and_end(text: str, instructions: list[tuple[int, str, int]]) -> None:
    assert shape(text) == instructions


def test_reading_starts_at_any_line_that_an_instruction_starts_on() -> None:
    lines = split_lines('OpNop\nOpName %a "x\ny"\nOpReturn\nOpNop')
    assert [(line, record.opcode.name) for line, record in scan(lines, 3)] == [(3, "OpReturn"), (4, "OpNop")]


def test_an_instruction_is_given_out_when_the_next_begins() -> None:
    """Whoever has what they want has not paid for the rest."""
    read: list[str] = []

    class Lines(list[str]):
        def __getitem__(self, index):  # type: ignore[no-untyped-def]
            lines = super().__getitem__(index)
            read.extend(lines)
            return lines

    found = scan(Lines(["OpNop\n"] * 100))
    next(found)
    next(found)
    assert len(read) == 4


def test_an_instruction_over_thousands_of_lines_is_one() -> None:
    source = "\n".join(f"line {number}" for number in range(5000))
    text = f'%f = OpString "{source}"\nOpNop\n'
    (first, record), (second, _) = scan(split_lines(text))
    assert (first, second) == (0, 5000)
    assert record.operands == (source.encode(),)


@pytest.mark.parametrize("line", ["OpNop " * 9, "!1 OpNop !2 " * 9, '%a = OpString "x" OpBogus ' * 9])
def test_instructions_of_one_line_share_its_text(line: str) -> None:
    lines = ["OpNop\n", line]
    records = [record for at, record in scan(lines) if at == 1]
    assert len(records) > 8
    assert all(record.text is line for record in records)


@pytest.mark.parametrize("space", ["\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000"])
def test_words_are_parted_by_the_spaces_of_the_grammar_alone(space: str) -> None:
    alone = f"OpBranch %none{space}\n"
    ((_, quick),) = scan([alone])
    (_, (_, slow)) = scan([f"OpNop {alone}"])
    assert quick.faults
    assert (quick.operands, [fault.message for fault in quick.faults]) == (slow.operands, [f.message for f in slow.faults])


def test_a_string_that_is_not_closed_is_one_finding() -> None:
    head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
    (found,) = spvls.validate(f'{head}OpSourceExtension "GL_EXT_never_closed\nOpNop\n')
    assert (found.rule, found.range and found.range.start) == ("syntax/string", (3, 18))


@given(st.lists(texts().map(lambda text: text.split("\n")[0] + "\n"), max_size=8))
@example(['OpName %a "b"\r\n', '\tOpName %a "b;c" \n', 'OpName %a"b"\n', 'OpName %a "b" "c"\n', '"b"\n'])
@example(["%a = OpNop\n", "a = OpLabel\n", "% = OpLabel\n", "%a =OpLabel\n", "  %a  =\tOpLabel\r", "%a = OpConstant %b OpNop\n"])
@example(["%a = OpConstant %b =\n", "%a = OpConstant %b x,y\n", "%a = OpConstant %b x\\\n", "OpNop\x1cOpNop\n", "OpNop\0OpNop\n"])
def test_a_line_that_is_split_holds_what_the_grammar_says(lines: list[str]) -> None:
    for line, quick in zip(lines, rows(lines), strict=True):
        slow = row(line)
        if quick is None or quick is UNUSUAL or slow is None or slow is UNUSUAL:
            # Only a lone \r is an end that the expression for a line of its own does not know.
            assert quick is slow or line.endswith("\r")
        else:
            assert parts(quick) == parts(slow)


def parts(record: Instruction) -> list[object]:
    return [getattr(record, name) for name in Instruction.__slots__]


_ENTRIES = ("OpNop", "OpFoo", "OpFoo %a", "%a", "%v = OpTypeVoid", 'OpString "a"', "OpLabel", "!1", "=")
_TAILS = ("", "x", " %a", " =", "\n", ' "', "\tOpNop ; OpNop OpNop OpNop", "%")


def test_no_expression_is_matched_with_a_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    matched: list[str] = []
    text = module_text(lines=1000) + '; a comment\n%1 = OpUndef %2\nOpName %a "b c" ; d\n'
    monkeypatch.setattr(scanner, "fast_paths", {})  # the first line of an opcode is as plain as others
    match = scanner._LINE.match

    def counted(line: str) -> Any:
        matched.append(line)
        return match(line)

    monkeypatch.setattr(scanner, "_LINE", SimpleNamespace(match=counted))
    assert len(list(scan(split_lines(text)))) == text.count("\n") - 1
    # Among the others are a string in the middle of a line, and enumerants with parameters.
    assert matched == ['OpName %a "b c" ; d\n']


def test_what_is_written_alike_in_one_line_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    entry = scanner._entry

    def counted(*arguments: Any) -> Instruction:
        read.append(arguments[1])
        return entry(*arguments)

    monkeypatch.setattr(scanner, "_entry", counted)
    line = "OpNop OpFoo %a " * 500
    records = [record for _, record in scan([line])]
    assert len(records) == 1000 and len(read) == 2
    assert records[-1].start == line.rindex("OpFoo") and records[-1].faults is records[1].faults
    assert all(parts(record) == parts(entry_at(line, record)) for record in records[:: 99])


@given(st.lists(st.tuples(st.sampled_from(_ENTRIES), st.integers(1, 9)), min_size=1, max_size=6), st.sampled_from(_TAILS))
@example([("OpNop", 500)], "x")
@example([("OpFoo  %a", 9), ("%b", 1)], "")
def test_what_is_repeated_in_one_line_is_read_as_any_other(repeated: list[tuple[str, int]], tail: str) -> None:
    line = " ".join(entry for entry, count in repeated for _ in range(count)) + tail
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanner, "_certain", lambda window, unit, at: at)
        plain = [parts(record) for _, record in scan([line])]
    assert [parts(record) for _, record in scan([line])] == plain


def entry_at(line: str, record: Instruction) -> Instruction:
    """What is read of one instruction of a line alone, moved to where it stands in the line."""
    ((_, alone),) = scan([line[record.start : record.end]])
    return alone.moved(line, record.start)


@pytest.mark.parametrize(
    "line",
    [
        "OpSwitch %x %end" + "".join(f" {at} %case" for at in range(_MANY)),
        "OpSwitch %x %end" + "".join(f" {at} %case" for at in range(_MANY)) + " 7",
        "OpSwitch %x %end" + "".join(f" {at} %case" for at in range(_MANY)) + " 1.5 %!",
        "%p = OpPhi %t" + "".join(f" %v{at} %b{at}" for at in range(_MANY)),
        "%p = OpPhi %t" + "".join(f" %v{at} %b{at}" for at in range(_MANY)) + " OpNop",
    ],
)
def test_a_line_of_very_many_words_is_read_as_any_other(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = [parts(record) for _, record in scan([f"{line}\n", "OpReturn\n"])]
    monkeypatch.setattr(fast_path, "_MANY", 1 << 30)
    monkeypatch.setattr(scanner, "plain_words", lambda lines: [None] * len(lines))
    assert read == [parts(record) for _, record in scan([f"{line}\n", "OpReturn\n"])]



def test_empty_lines_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many lines without an instruction follow each other."""
    text = ["OpNop\n", *["; nothing\n"] * 5000, "OpReturn\n"]
    assert [(line, record.opcode.name) for line, record in scan(text)] == [(0, "OpNop"), (5001, "OpReturn")]
    looked = 0
    last = scanner._last

    def counted(run: list[object], held: int) -> int:
        nonlocal looked
        looked += len(run) - held
        return last(run, held)

    monkeypatch.setattr(scanner, "_last", counted)
    list(scan(text))
    assert 0 < looked <= len(text)


_LONG = "OpSwitch %a %b " + " ".join(f"{at} %case_{at % 3}" for at in range(10_000)) + "\n"


def test_a_long_line_that_was_read_ahead_is_the_same_and_is_read_once() -> None:
    assert len(_LONG) > LONG_LINE
    (wanted,) = rows([_LONG])
    assert wanted is not None
    for _ in read_ahead(["OpNop\n", _LONG]):
        pass
    first, second = rows([_LONG, _LONG])
    assert first is not second
    for found in (first, second):
        assert isinstance(found, Instruction)
        assert (found.operands, found.start, found.end) == (wanted.operands, 0, len(_LONG) - 1)


@pytest.mark.parametrize("line", [_LONG.replace("9 ", "+ "), _LONG.replace(" %b", ""), f"%x = {_LONG}", "; " + _LONG, _LONG[:-2]])
def test_a_long_line_that_no_fast_path_takes_is_not_read_ahead(line: str) -> None:
    expected = shape(line)
    for _ in read_ahead([line]):
        pass
    assert shape(line) == expected


def test_reading_ahead_is_done_in_steps() -> None:
    assert sum(1 for _ in read_ahead([_LONG])) >= 5


def test_a_long_line_is_read_when_it_is_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[str]] = []

    def noted(lines: list[str]) -> list[Any]:
        read.append(lines)
        return rows(lines)

    lines = ["OpNop\n"] * 3 + [_LONG] + ["OpNop\n"] * 30
    assert sum(len(run) for _, run in scanner.scan_runs(lines, 0, noted)) == len(lines)
    assert [_LONG] in read
    assert all(_LONG not in batch or len(batch) == 1 for batch in read)
    found = scanner.scan_runs(lines, 0, noted)
    read.clear()
    next(found)
    assert not any(_LONG in batch for batch in read)
