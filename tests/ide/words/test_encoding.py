"""The words of an open text are those that the assembler makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.binary.encode import encode
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoding import LiveEncoding
from tests.strategies import texts


def _live(source: SourceModule) -> tuple[list[int], list[str]]:
    encoding = LiveEncoding(source)
    encoding.refresh()
    errors = [error.fault.message for placed in encoding.parts for error in placed.encoded.errors]
    return list(encoding.all_words()), errors


@given(texts())
def test_words_and_errors_are_those_of_the_assembler(text: str) -> None:
    source = SourceModule(text)
    whole = encode(list(source.document.records()), source.module.version)
    words, errors = _live(source)
    assert errors == [fault.message for _, fault in whole.faults]
    if not errors and "spvls:" not in text:
        assert words == list(whole.words)


@pytest.mark.parametrize(
    "line",
    [
        "%x = OpExtInst %t %glsl FMix !5 %b %c",
        "%x = OpExtInst %t %glsl !46 %b %c",
        "%x = OpExtInst !7 %glsl 46 %b",
        "%c = OpConstant %t !5 !6",
        "!0x20003 !1",
        "OpUnknown(43, 4) %t %x 5",
    ],
)
def test_literal_words_have_words(line: str) -> None:
    source = SourceModule(f'%glsl = OpExtInstImport "GLSL.std.450"\n%t = OpTypeInt 32 0\n{line}\n')
    whole = encode(list(source.document.records()), source.module.version)
    assert (whole.faults, list(whole.words)) == ([], _live(source)[0])


def test_what_is_too_long_is_reported_in_the_same_words() -> None:
    source = SourceModule(f'OpName %a "{"x" * 300_000}"\n')
    whole = encode(list(source.document.records()), source.module.version)
    ((_, fault),) = whole.faults
    assert fault.rule == "syntax/too-long"
    assert _live(source)[1] == [fault.message]
