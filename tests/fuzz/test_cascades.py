"""What is counted of the errors that one fault brings; the reference is played by a stand-in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import spvls
from tests.fuzz.cascades import Cascade, Cascades, instructions_reported, made_good
from tests.fuzz.words import Words, name_of
from tests.reference.driver import Answer, Driver, Message

_TEXT = """\
OpCapability Shader
OpCapability Linkage
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
%name = OpString "file"
OpName %sum "sum"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%type = OpTypeFunction %void
%pointer = OpTypePointer Private %uint
%variable = OpVariable %pointer Private
%source = OpExtInst %void %debug DebugSource %name
%main = OpFunction %void None %type
%entry = OpLabel
%sum = OpIAdd %uint %one %one
OpStore %variable %sum
OpReturn
OpFunctionEnd
"""
_CODE = [name_of(words) for words in Words.parse(spvls.assemble(_TEXT)).code]


def _module() -> Words:
    return Words.parse(spvls.assemble(_TEXT))


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("OpName", ""), ("OpStore", ""), ("OpIAdd", "OpUndef"), ("OpConstant", "OpUndef"), ("OpReturn", "OpUnreachable"),
        ("OpExtInst", "OpExtInst"),
    ],
)  # fmt: skip
def test_what_is_reported_is_made_good(name: str, becomes: str) -> None:
    module, place = _module(), _CODE.index(name)
    assert made_good(module, place)
    assert [name_of(words) for words in module.code] == [*_CODE[:place], *([becomes] if becomes else []), *_CODE[place + 1 :]]
    assert not any(found.severity.value == "error" for found in spvls.validate(module.data()))


@pytest.mark.parametrize("name", ["OpCapability", "OpMemoryModel", "OpTypeInt", "OpVariable", "OpFunction", "OpLabel", "OpFunctionEnd"])
def test_what_others_depend_on_stays(name: str) -> None:
    module = _module()
    assert not made_good(module, _CODE.index(name))
    assert module.data() == spvls.assemble(_TEXT)


class _Reference(Driver):
    """Refuses a module at the instruction that a function gives."""

    def __init__(self, refuses: Callable[[list[str]], int | None]) -> None:
        self._refuses = refuses

    def validate(self, words: bytes, env: str, options: object = None) -> Answer:
        number = self._refuses([name_of(one) for one in Words.parse(words).code])
        return Answer(number is None, (Message(0, 0, 0, number, "wrong"),))


def _first(*names: str) -> Callable[[list[str]], int | None]:
    return lambda code: next((code.index(name) + 1 for name in names if name in code), None)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), (0, True)),
        (("OpStore", "OpIAdd"), (2, True)),
        (("OpIAdd", "OpFunction", "OpStore"), (2, False)),
        (("OpIAdd", "OpUndef"), (1, False)),
    ],
)
def test_instructions_are_counted_until_one_stays(names: tuple[str, ...], expected: tuple[int, bool]) -> None:
    assert instructions_reported(_Reference(_first(*names)), _module().data(), "spv1.6") == expected


def test_the_summary_has_the_share_and_the_most_frequent_combination() -> None:
    gathered = Cascades()
    assert gathered.summary(5) == []
    gathered.add(Cascade(("a/b",), 1, True), "one")
    gathered.add(Cascade(("a/b", "a/b", "c/d"), 1, False), "another")
    gathered.add(Cascade(("a/b", "c/d"), 2, False), "a third")
    errors, reported, share, combination, *rest = gathered.summary(1)
    assert "3, mean 2.00, median 2" in errors
    assert "(1: 2, 2: 1); then accepted: 33 %" in reported
    assert share.endswith("1.50")
    assert combination.splitlines() == ["     2  a/b + c/d", "        3 errors: another"]
    assert not rest
