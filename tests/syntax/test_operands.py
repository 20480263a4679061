"""Words to operands, and what is said of words that are none."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.syntax.instruction import OPCODE, RESULT, TYPE, UNKNOWN, ContextDependent, Instruction
from spvls.syntax.scanner import scan


def read(line: str) -> Instruction:
    """The one instruction of a line."""
    [(_, record)] = scan([line])
    return record


def enumerant(kind: str, name: str) -> int:
    found = tables.kind(kind).get(name)
    assert found is not None
    return found.value


@pytest.mark.parametrize(
    ("line", "type_", "result", "operands"),
    [
        ("OpNop", None, None, ()),
        ("%void = OpTypeVoid", None, "void", ()),
        ("%a = OpFAdd %float %x %y", "float", "a", ("x", "y")),
        ("OpCapability Shader", None, None, (enumerant("Capability", "Shader"),)),
        ("%i = OpTypeInt 32 1", None, "i", (32, 1)),
        ("%c = OpConstant %int -5", "int", "c", (ContextDependent("-5"),)),
        ('OpName %main "ma\\"in\\\\"', None, None, ("main", b'ma"in\\')),
        ('OpName %main "a""b"', None, None, ("main", b'a""b')),
        ('OpName %m "\udcff\N{GREEK SMALL LETTER PI}"', None, None, ("m", b"\xff\xcf\x80")),
        ("OpStore %p %v Volatile|Aligned 4", None, None, ("p", "v", 3, 4)),
        ("OpStore %p %v Aligned|Volatile 4", None, None, ("p", "v", 3, 4)),
        ("OpStore %p %v None", None, None, ("p", "v", 0)),
        ("OpDecorate %x Location 3", None, None, ("x", enumerant("Decoration", "Location"), 3)),
        ("OpDecorate %x BuiltIn Position", None, None, ("x", enumerant("Decoration", "BuiltIn"), 0)),
        ("OpSwitch %s %d 0 %a 1 %b", None, None, ("s", "d", ContextDependent("0"), "a", ContextDependent("1"), "b")),
        ("%p = OpPhi %t %a %b %c", "t", "p", ("a", "b", "c")),
        ('%e = OpExtInst %t %set Sqrt %x "s" 5', "t", "e", ("set", ContextDependent("Sqrt"), "x", b"s", ContextDependent("5"))),
        ("%s = OpSpecConstantOp %t IAdd %a %b", "t", "s", (128, "a", "b")),
        ("OpExecutionMode %m LocalSize 1 2 0x3", None, None, ("m", enumerant("ExecutionMode", "LocalSize"), 1, 2, 3)),
        ('OpSource GLSL 450 %f "t"', None, None, (enumerant("SourceLanguage", "GLSL"), 450, "f", b"t")),
        ("%x = OpConstant %int !42", "int", "x", (42,)),
        ("%x = OpConstant !1 %int 2.5", None, "x", (1, "x", "int", 0x40200000)),
        ('OpUnknown(4095, 3) %a "b"', None, None, ("a", b"b")),
        ('OpUnknown(4095, 4) %a "long"', None, None, ("a", b"long")),
        ("OpUnknown ( 0x0 , 1 )", None, None, ()),
        ("!1 !0x20 %a", None, None, (1, 32, "a")),
    ],
)
def test_operands(line: str, type_: str | None, result: str | None, operands: tuple[object, ...]) -> None:
    record = read(line)
    assert record.faults == ()
    assert (record.type, record.result, record.operands) == (type_, result, operands)
    assert record.raw == ("!" in line or "OpUnknown" in line)


def test_words_of_a_statement_are_not_those_of_the_instruction_before() -> None:
    (_, capability), (_, statement) = scan(["%r = OpCapability Linkage\n", "!5 %void\n"])
    assert capability.operands == (enumerant("Capability", "Linkage"),)
    assert statement.operands == (5, "void")


def test_a_literal_word_after_the_words_of_an_instruction_is_a_statement() -> None:
    (_, name), (_, statement) = scan(['OpUnknown(5, 4) %a "long" !5'])
    assert (name.operands, name.faults) == (("a", b"long"), ())
    assert statement.operands == (5,)


def test_names_of_an_opcode_are_one() -> None:
    assert read("OpDecorateStringGOOGLE %a UserSemantic \"x\"").opcode is tables.opcode("OpDecorateString")
    assert read("OpUnknown(0, 1)").opcode is tables.opcode("OpNop")
    assert read("OpUnknown(65535, 1)").opcode.value == 65535


@pytest.mark.parametrize(
    ("line", "rule", "part", "suggestion"),
    [
        ("OpNopp", "syntax/unknown-opcode", "OpNopp", "OpNop"),
        ("OpXyzzy %a", "syntax/unknown-opcode", "OpXyzzy", None),
        ("OpCapability Shadr", "syntax/unknown-enumerant", "Shadr", "Shader"),
        ("OpCapability 1", "syntax/unknown-enumerant", "1", None),
        ("OpStore %p %v Volatil|Aligned 4", "syntax/unknown-enumerant", "Volatil", "Volatile"),
        ("OpStore %p", "syntax/missing-operand", "%p", None),
        ("OpStore %p %v Aligned", "syntax/missing-operand", "Aligned", None),
        ("OpStore %p %v Volatile 4", "syntax/surplus-operand", "4", None),
        ("OpStore %p 5", "syntax/operand-kind", "5", None),
        ("%v = OpStore %p %v", "syntax/surplus-result", "%v", None),
        ("OpTypeVoid", "syntax/missing-result", "OpTypeVoid", None),
        ("OpTypeVoid !2", "syntax/missing-result", "OpTypeVoid", None),
        ("OpTypeInt !2 32 0", "syntax/missing-result", "OpTypeInt", None),
        ("%é = OpTypeVoid", "syntax/id", "%é", None),
        ("OpName %a-b \"x\"", "syntax/id", "%a-b", None),
        ("OpName %a x", "syntax/operand-kind", "x", None),
        ("OpName %a \"x\"y", "syntax/string", "\"x\"y", None),
        ("%i = OpTypeInt 32 -1", "syntax/number", "-1", None),
        ("%i = OpTypeInt 4294967296 0", "syntax/number", "4294967296", None),
        ("%s = OpSpecConstantOp %t Iad %a %b", "syntax/unknown-opcode", "Iad", "IAdd"),
        ("OpUnknown(0, 0)", "syntax/op-unknown", "0", None),
        ("OpUnknown(0, 3) %a", "syntax/op-unknown", "%a", None),
        ('OpUnknown(5, 3) %a "long"', "syntax/op-unknown", '"long"', None),
        ("OpUnknown 0", "syntax/op-unknown", "0", None),
        ("%a = OpUnknown(0, 1)", "syntax/surplus-result", "%a", None),
        ("OpNop !1 Shader", "syntax/operand-kind", "Shader", None),
        ("OpNop !1 1e3", "syntax/operand-kind", "1e3", None),
        ("OpNop !1 0x1p3", "syntax/operand-kind", "0x1p3", None),
        ("OpNop !1 08", "syntax/operand-kind", "08", None),
        ("OpStore !1 !-1", "syntax/number", "!-1", None),
        ("%1=OpNop", "syntax/expected-instruction", "%1=OpNop", None),
        ("\ufeff; a comment", "syntax/expected-instruction", "\ufeff", None),
        ("nop", "syntax/expected-instruction", "nop", None),
        ("OpStore %p %v =", "syntax/operand-kind", "=", None),
    ],
)
def test_faults(line: str, rule: str, part: str, suggestion: str | None) -> None:
    faults = [(line[record.start :], fault) for _, record in scan([line]) for fault in record.faults]
    assert [(one.rule, text[one.start : one.end], one.suggestion) for text, one in faults] == [(rule, part, suggestion)]


def test_one_fault_an_instruction_and_its_ids_still_count() -> None:
    record = read("%r = OpFAdd %float 5 6 %b %c")
    assert len(record.faults) == 1
    assert record.result == "r"
    assert record.uses() == ["float", "b", "c"]


def test_an_alias_of_an_enumerant_is_the_enumerant() -> None:
    assert read("OpCapability StorageBuffer16BitAccess").operands == read("OpCapability StorageUniformBufferBlock16").operands


@pytest.mark.parametrize(
    ("line", "place", "part"),
    [
        ("  %a = OpFAdd %f %x %y ; c", RESULT, "%a"),
        ("  %a = OpFAdd %f %x %y ; c", OPCODE, "OpFAdd"),
        ("  %a = OpFAdd %f %x %y ; c", TYPE, "%f"),
        ("  %a = OpFAdd %f %x %y ; c", 0, "%x"),
        ("  %a = OpFAdd %f %x %y ; c", 1, "%y"),
        ("OpStore %p %v", RESULT, "OpStore"),
        ("OpStore %p %v", 1, "%v"),
        ("OpStore %p %v", 9, "OpStore"),
        ('OpName %a "b ; c"', 1, '"b ; c"'),
    ],
)
def test_places_lead_to_the_words_that_say_them(line: str, place: int, part: str) -> None:
    record = read(line)
    start, end = record.span(place)
    assert record.text[start:end] == part


def test_words_that_belong_to_nothing_are_an_instruction_of_no_opcode() -> None:
    record = read("Shader %a")
    assert record.opcode is UNKNOWN
    assert record.uses() == ["a"]
