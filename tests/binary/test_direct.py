"""What becomes words, or text, without instructions in between is what instructions make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spvls.binary import direct, direct_listing, disassemble
from spvls.binary.assemble import assemble
from spvls.binary.decode import DecodeError, Decoder
from spvls.binary.direct import assemble_directly
from spvls.binary.direct_listing import list_directly
from spvls.binary.encode import Encoder, encode
from spvls.binary.words import read_words
from spvls.syntax.instruction import Instruction
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from tests.bench.modules import module_text
from tests.corpus import BINARIES, TEXTS, name_of, text_of
from tests.strategies import modules, texts

VERSION = (1, 5)

SWITCH = """\
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%a = OpUndef %int
%b = OpUndef %long
OpSwitch %a %d 1 %c
OpSwitch %b %d 1 %c
"""
LATE = "%int = OpTypeInt 32 0\nOpSwitch %a %d 1 %c\n%a = OpUndef %int\n"
TWICE = "%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n%a = OpUndef %long\n%a = OpConstant %int 1\nOpSwitch %a %d 1 %c\n"


def same(text: str) -> bool:
    """Whether a text became words directly; these are those of its instructions."""
    lines = split_lines(text)
    made = assemble_directly(lines, VERSION)
    encoding = encode([record for _, record in scan(lines)], VERSION)
    if made is None:
        return False
    assert not encoding.faults
    assert made[0] == encoding.words
    assert list(made[1].items()) == list(encoding.numbering.items())
    return True


@given(texts())
@example(SWITCH)
@example(LATE)
@example(TWICE)
@example("OpNop %a\n")
@example("OpStore %a- %b\n")
@example("%a = OpLabel\n\x1c%b = OpLabel\n")
def test_words_are_those_of_the_instructions(text: str) -> None:
    same(text)


@given(st.lists(st.sampled_from([*SWITCH.splitlines(True), *module_text(lines=60).splitlines(True)]), max_size=20).map("".join))
def test_lines_in_any_order_have_the_words_of_their_instructions(text: str) -> None:
    same(text)


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_a_text_without_faults_becomes_words_directly(path: Path) -> None:
    text = text_of(path)
    encoding = encode([record for _, record in scan(split_lines(text))], VERSION)
    assert same(text) is not bool(encoding.faults)


def test_most_lines_become_words_without_an_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[Instruction] = []
    append = Encoder.append

    def counted(self: Encoder, records: list[Instruction], *arguments: Any) -> Any:
        encoded.extend(records)
        return append(self, records, *arguments)

    monkeypatch.setattr(Encoder, "append", counted)
    text = module_text(lines=1000)
    assert direct.assemble_directly(split_lines(text), VERSION) is not None
    assert len(encoded) < 0.12 * text.count("\n")


def listed(binary: bytes, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[str | None, str]:
    """A listing with what is written directly, and without it."""

    def text() -> str | None:
        try:
            return disassemble.disassemble(binary, **options)
        except disassemble.DisassembleError as error:
            return str(error)

    quick = text()
    with monkeypatch.context() as context:
        context.setattr(disassemble, "list_directly", lambda *_, **__: None)
        slow = text()
    return quick, str(slow)


@pytest.mark.parametrize("friendly", [True, False])
@given(binary=modules())
def test_a_listing_is_that_of_the_instructions(binary: bytes, friendly: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        quick, slow = listed(binary, patch, friendly_names=friendly)
    assert quick == slow


@pytest.mark.parametrize("path", BINARIES, ids=name_of)
def test_a_listing_of_a_fixture_is_that_of_its_instructions(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick, slow = listed(path.read_bytes(), monkeypatch)
    assert quick == slow


def test_a_name_that_is_the_number_of_another_id_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    binary = assemble('OpName %a "2"\n%a = OpTypeVoid\n%b = OpUndef %a\n')
    quick, slow = listed(binary, monkeypatch, header=False)
    assert quick == slow
    assert list_directly(read_words(binary), friendly_names=True, indent=True, visible=False) is None


@pytest.mark.parametrize("late", ['OpName %b "late"', "OpDecorate %b BuiltIn Position"])
def test_a_name_after_the_definition_of_its_id_comes_too_late(late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = assemble(f"%a = OpTypeVoid\n%b = OpUndef %a\n{late}\n")
    quick, slow = listed(binary, monkeypatch, header=False)
    assert quick == slow
    assert "%2 = OpUndef" in slow


def test_most_instructions_are_listed_without_being_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    run = Decoder.run

    def counted(self: Decoder, end: int | None = None) -> None:
        decoded.append(self.at)
        run(self, end)

    monkeypatch.setattr(Decoder, "run", counted)
    text = module_text(lines=1000)
    words = read_words(assemble(text))
    lines = direct_listing.list_directly(words, friendly_names=True, indent=True, visible=False)
    assert lines is not None and len(lines) == text.count("\n")
    assert len(decoded) < 0.12 * len(lines)


def test_a_faulty_instruction_is_where_the_decoder_says() -> None:
    data = assemble(module_text(lines=200))
    words = read_words(data[: len(data) - 4] + b"\x01\0\0\0")
    with pytest.raises(DecodeError) as skimmed:
        list_directly(words, friendly_names=True, indent=True, visible=False)
    with pytest.raises(DecodeError) as decoded:
        Decoder(words).run()
    assert str(skimmed.value) == str(decoded.value)
