"""Specialization: what becomes of constants, of what is made of them, and of their decorations."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spvls
from spvls.cli.main import main
from spvls.diagnostic import Severity
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.specialize import specialize
from spvls.module.specialization import Specialization
from spvls.module.specialization_values import SpecializationError, given_values
from spvls.text.edits import edited
from tests.corpora.specialized import REFUSED, compare, computed, tool
from tests.corpus import FIXTURES, RULES, TEXTS, is_faulty, name_of, text_of
from tests.strategies import texts

_FIXTURE = FIXTURES / "transform" / "specialized.comp.spvasm"

_TYPES = """\
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%vec2 = OpTypeVector %float 2
%one = OpConstant %uint 1
"""


def specialized(text: str, *, full: bool = False, **values: str) -> str:
    source = SourceModule(text)
    pairs = [(key.removeprefix("_"), value) for key, value in values.items()]
    return edited(text, specialize(source, given_values(source.module, pairs), full=full).edits)


def lines(declarations: str, *, full: bool = False, **values: str) -> list[str]:
    """What becomes of declarations after `_TYPES`."""
    return specialized(_TYPES + declarations, full=full, **values).removeprefix(_TYPES).splitlines()


def named(number: int, name: str) -> str:
    return f'OpDecorate %{name} SpecId {number}\nOpName %{name} "{name}"\n'


def test_only_given_constants_become_plain() -> None:
    text = named(0, "a") + named(1, "b") + "%int = OpTypeInt 32 1\n%a = OpSpecConstant %int 3 ; three\n%b = OpSpecConstant %int 4\n"
    after = specialized(text, _0="-7")
    assert after == text.replace("OpDecorate %a SpecId 0\n", "").replace("%a = OpSpecConstant %int 3", "%a = OpConstant %int -7")
    assert specialized(text, a="-7") == after


def test_a_full_specialization_takes_defaults_as_they_are_written() -> None:
    assert lines("%a = OpSpecConstant   %float 0x1.8p+128\n%b = OpSpecConstantTrue %bool\n", full=True) == [
        "%a = OpConstant   %float 0x1.8p+128",
        "%b = OpConstantTrue %bool",
    ]


def test_what_is_made_of_plain_constants_is_folded_in_turn() -> None:
    made = """\
%a = OpSpecConstant %uint 3
%sum = OpSpecConstantOp %uint IAdd %a %one
%is = OpSpecConstantOp %bool IEqual %sum %one
%b = OpSpecConstant %uint 5
%mixed = OpSpecConstantOp %uint IMul %sum %b
"""
    assert lines(named(9, "a") + made, _9="0") == [
        'OpName %a "a"',
        "%a = OpConstant %uint 0",
        "%sum = OpConstant %uint 1",
        "%is = OpConstantTrue %bool",
        "%b = OpSpecConstant %uint 5",
        "%mixed = OpSpecConstantOp %uint IMul %sum %b",
    ]


def test_a_composite_is_made_of_constants_that_there_are_or_of_new_ones() -> None:
    made = """\
%half_one = OpConstant %float 0.5
%a = OpSpecConstant %float 2
%pair = OpSpecConstantComposite %vec2 %a %half_one
     %swapped = OpSpecConstantOp %vec2 VectorShuffle %pair %pair 1 0
"""
    assert lines(made, full=True) == [
        "%half_one = OpConstant %float 0.5",
        "%a = OpConstant %float 2",
        "%pair = OpConstantComposite %vec2 %a %half_one",
        "     %swapped_0 = OpConstant %float 2",
        "     %swapped = OpConstantComposite %vec2 %half_one %swapped_0",
    ]


@pytest.mark.parametrize(
    "operation",
    ["%uint UDiv %one %zero", "%int IAdd %one %real", "%uint CompositeExtract %one 0", "%float IAdd %real %real", "%bool IEqual %one %real"],
)
def test_what_has_no_value_stays(operation: str) -> None:
    made = f"%zero = OpConstant %uint 0\n%real = OpConstant %float 1\n%x = OpSpecConstantOp {operation}\n"
    source = SourceModule(_TYPES + made)
    done = specialize(source, {}, full=True)
    assert done == ([], ("x",))


def test_a_nan_keeps_its_bits() -> None:
    made = """\
%nan = OpConstant %float 0x1.8123p+128
%yes = OpSpecConstantTrue %bool
%same = OpSpecConstantOp %float Select %yes %nan %nan
"""
    assert lines(made, full=True)[-1] == "%same = OpSpecConstantOp %float Select %yes %nan %nan"


def test_spec_ids_of_groups() -> None:
    text = "OpDecorate %g SpecId 1\n%g = OpDecorationGroup\nOpGroupDecorate %g %a %b\n" + _TYPES
    text += "%a = OpSpecConstant %int 1\n%b = OpSpecConstant %int 2\n"
    assert "SpecId" not in specialized(text, full=True)
    source = SourceModule(text)
    with pytest.raises(SpecializationError, match="from the group %g"):
        specialize(source, given_values(source.module, [("%a", "4")]), full=False)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([("8", "1")], "there is no specialization constant 8; the module has 0 (width)"),
        ([("nothing", "1")], "there is no specialization constant nothing"),
        ([("0", "-1")], "0: `-1` has a sign, but the type is a 32-bit unsigned integer"),
        ([("0", "4294967296")], "0: `4294967296` does not fit"),
        ([("scale", "1e60")], "scale: `1e60` is beyond the largest 32-bit float"),
        ([("fast", "perhaps")], "fast: `perhaps` is not a truth value"),
        ([("0", "1"), ("%width", "2")], "%width is given two values"),
        ([("%one", "2")], "there is no specialization constant %one"),
    ],
)
def test_values_that_are_not_taken(pairs: list[tuple[str, str]], said: str) -> None:
    module = SourceModule(text_of(_FIXTURE)).module
    with pytest.raises(SpecializationError) as caught:
        given_values(module, pairs)
    assert said in str(caught.value)


def test_two_constants_of_one_name_need_a_number() -> None:
    text = 'OpName %a "n"\nOpName %b "n"\n%int = OpTypeInt 32 1\n%a = OpSpecConstant %int 1\n%b = OpSpecConstant %int 1\n'
    module = SourceModule(text).module
    with pytest.raises(SpecializationError, match="n is the name of %a and %b; give the SpecId or the id"):
        given_values(module, [("n", "1")])
    assert given_values(module, [("%b", "0x10")])["b"].value == 16


def test_constants_with_the_same_number_have_the_same_value() -> None:
    text = _TYPES + "%a = OpSpecConstant %uint 1\n%b = OpSpecConstant %int 1\n%c = OpSpecConstant %int 1\n"
    text = "OpDecorate %a SpecId 0\nOpDecorate %b SpecId 0\nOpDecorate %c SpecId 1\n" + text
    module = SourceModule(text).module
    assert {name: found.value for name, found in given_values(module, [("0", "7")]).items()} == {"a": 7, "b": 7}
    with pytest.raises(SpecializationError, match="0: `-7` has a sign"):
        given_values(module, [("0", "-7")])
    with pytest.raises(SpecializationError, match="%b is given two values; the second is %b=2"):
        given_values(module, [("0", "7"), ("%b", "2")])


@pytest.mark.parametrize(("text", "value"), [("true", True), ("FALSE", False), ("0", False), ("-2", True), ("00", False)])
def test_truth_values_are_words_or_numbers(text: str, value: bool) -> None:
    module = SourceModule(text_of(_FIXTURE)).module
    assert given_values(module, [("fast", text)])["fast"].value is value


def test_blocks_that_constants_leave_no_branch_to() -> None:
    source = SourceModule(text_of(_FIXTURE))
    (function,) = source.module.functions()

    def unreachable(**values: bool | int) -> list[str]:
        found = Specialization(source.module, values, full=True).unreachable(function)
        return [block.name for block in found]

    assert unreachable() == ["quick", "second"]
    assert unreachable(fast=True, mode=2) == ["slow", "wide", "join", "first"]
    assert unreachable(width=4, mode=0) == ["quick", "wide", "first", "second"]
    assert [block.name for block in Specialization(source.module, {"mode": 2}, full=False).unreachable(function)] == ["first"]


@given(texts(), st.booleans())
def test_any_text_is_specialized_once(text: str, full: bool) -> None:
    source = SourceModule(text)
    once = edited(text, specialize(source, {}, full=full).edits)
    assert edited(once, specialize(SourceModule(once), {}, full=full).edits) == once


_MODULES = [path for path in [*TEXTS, *sorted(RULES.glob("**/*.clean.spvasm"))] if "OpSpec" in text_of(path) and not is_faulty(path)]


@pytest.mark.parametrize("path", _MODULES, ids=name_of)
def test_a_full_specialization_adds_no_error(path: Path) -> None:
    text = text_of(path)

    def errors(module: str) -> set[str]:
        return {finding.rule for finding in spvls.validate(module) if finding.severity is Severity.ERROR}

    assert errors(specialized(text, full=True)) <= errors(text)


# The reference


@pytest.mark.skipif(tool() is None, reason="spirv-opt is not installed")
def test_values_are_those_of_the_reference() -> None:
    results = Counter(compare(spvls.assemble(text_of(path))) for path in _MODULES)
    assert set(results) <= {"", REFUSED} and results[""] > 8, results


_NUMBERS = (1, 2, 7, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
_OVERFLOWING = (0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
"""Divisors with which signed quotients are undefined, or the reference adds beyond 32 bits."""

_RESULT_TYPES = {
    "uint": "IAdd ISub IMul UDiv SDiv UMod SRem SMod BitwiseOr BitwiseXor BitwiseAnd Not SNegate",
    "bool": "IEqual INotEqual ULessThan SLessThan UGreaterThan SGreaterThan ULessThanEqual SLessThanEqual UGreaterThanEqual",
}


@pytest.mark.skipif(tool() is None, reason="spirv-opt is not installed")
def test_integer_operations_are_those_of_the_reference(tmp_path: Path) -> None:
    made = [f"%n{at} = OpSpecConstant %uint {value}" for at, value in enumerate(_NUMBERS)]
    results = []
    for type_, operations in _RESULT_TYPES.items():
        for operation in operations.split():
            for left in range(len(_NUMBERS)):
                for right in range(len(_NUMBERS)):
                    if operation in ("SDiv", "SRem", "SMod") and _NUMBERS[right] in _OVERFLOWING:
                        continue
                    operands = f"%n{left}" if operation in ("Not", "SNegate") else f"%n{left} %n{right}"
                    results.append(f"%r{len(results)} = OpSpecConstantOp %{type_} {operation} {operands}")
    for operation in ("ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"):
        for left in range(len(_NUMBERS)):
            results += [f"%s{operation}{left}{right} = OpSpecConstantOp %uint {operation} %n{left} %n{right}" for right in range(4)]
    names = [line.partition(" ")[0] for line in results]
    head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n"
    used = [f"%u{at} = OpCopyObject %{'uint' if ' %uint ' in results[at] else 'bool'} {name}" for at, name in enumerate(names)]
    body = ["%void = OpTypeVoid", "%fn = OpTypeFunction %void", "%f = OpFunction %void None %fn", "%l = OpLabel", *used]
    text = head + "\n".join([*made, *results, *body, "OpReturn", "OpFunctionEnd", ""])
    before, theirs, ours = (tmp_path / name for name in ("given.spv", "theirs.spv", "ours.spv"))
    before.write_bytes(spvls.assemble(text))
    flags = ["--freeze-spec-const", "--fold-spec-const-op-composite"]
    subprocess.run([str(tool()), *flags, str(before), "-o", str(theirs)], check=True)
    assert main(["specialize", str(before), "--full", "-o", str(ours)]) == 0
    assert "OpSpec" not in spvls.disassemble(ours.read_bytes())
    assert "OpSpec" not in spvls.disassemble(theirs.read_bytes())
    assert list(computed(ours.read_bytes())) == list(computed(theirs.read_bytes()))
