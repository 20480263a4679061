"""The walk over the operands of an instruction."""

from __future__ import annotations

import pytest

from spvls.grammar import tables
from spvls.grammar.operand_walk import OperandWalk, argument_decls, decls_of, enumerants, text_decls
from spvls.grammar.records import Opcode
from spvls.grammar.tables import shipped_source
from spvls.syntax.fast_path import fast_path


def opcode(name: str) -> Opcode:
    found = tables.opcode(name)
    assert found is not None
    return found


def walked(walk: OperandWalk, values: list[int | None]) -> list[str]:
    """The labels of the declarations that come while operands have these values, and those still to come after a bar."""
    labels = []
    for value in values:
        decl = walk.next()
        assert decl is not None
        labels.append(decl.label)
        if value is not None:
            walk.read(decl, value)
    return [*labels, "|", *(decl.label for decl in walk.rest())]


@pytest.mark.parametrize(
    ("name", "values", "labels"),
    [
        ("OpNop", [], ["|"]),
        ("OpStore", [None, None], ["Pointer", "Object", "|", "MemoryAccess"]),
        ("OpStore", [None, None, 3], ["Pointer", "Object", "MemoryAccess", "|", "LiteralInteger"]),
        # MakePointerAvailable 8, Aligned 2: parameters in the order of the bits
        ("OpStore", [None, None, 2 | 8, None], ["Pointer", "Object", "MemoryAccess", "LiteralInteger", "|", "IdScope"]),
        ("OpDecorate", [None, 11, 0], ["Target", "Decoration", "BuiltIn", "|"]),
        ("OpDecorate", [None, 41], ["Target", "Decoration", "|", "Name", "Linkage Type"]),
        ("OpDecorate", [None, 9999], ["Target", "Decoration", "|"]),
        ("OpSwitch", [None] * 4, ["Selector", "Default", "Target", "Target", "|", "Target", "Target"]),
        ("OpSwitch", [None] * 3, ["Selector", "Default", "Target", "|", "Target", "Target", "Target"]),
        ("OpSpecConstantOp", [None, None, 128], ["IdResultType", "IdResult", "Opcode", "|", "Operand 1", "Operand 2"]),
        ("OpSpecConstantOp", [None, None, 9999], ["IdResultType", "IdResult", "Opcode", "|"]),
        ("OpTypeStruct", [None] * 3, ["IdResult", *["Member 0 type, member 1 type, ..."] * 2, "|", "Member 0 type, member 1 type, ..."]),
    ],
)  # fmt: skip
def test_what_comes_next(name: str, values: list[int | None], labels: list[str]) -> None:
    assert walked(OperandWalk(decls_of(opcode(name))), values) == labels


def test_an_extended_instruction_brings_its_own_operands() -> None:
    set_ = tables.extended_set("GLSL.std.450")
    assert set_ is not None
    instruction = set_.get("FMix")
    assert instruction is not None
    walk = OperandWalk(argument_decls(opcode("OpExtInst")))
    assert walk.next() is not None
    assert walk.awaits_instruction
    assert walk.next() is not None
    assert not walk.awaits_instruction
    walk.extended(set_, instruction)
    found = list(walk.rest())
    assert [decl.label for decl in found] == ["x", "y", "a"]
    assert {(decl.owner, decl.set) for decl in found} == {(instruction, set_)}


def test_ids_may_follow_the_operands_of_an_instruction_with_references_forward() -> None:
    set_ = tables.extended_set("GLSL.std.450")
    assert set_ is not None
    instruction = set_.get("Sqrt")
    assert instruction is not None
    for name, kinds in (("OpExtInst", ["IdRef"]), ("OpExtInstWithForwardRefsKHR", ["IdRef", "IdRef"])):
        walk = OperandWalk(argument_decls(opcode(name))[2:])
        walk.extended(set_, instruction)
        assert [decl.declared.kind for decl in walk.rest()] == kinds


def test_parameters_of_the_kinds_of_a_set_belong_to_it() -> None:
    set_ = tables.extended_set("OpenCL.DebugInfo.100")
    assert set_ is not None
    instruction = set_.get("DebugOperation")
    assert instruction is not None
    walk = OperandWalk(())
    walk.extended(set_, instruction)
    decl = walk.next()
    assert decl is not None and decl.kind is set_.kinds["DebugOperation"]
    assert walk.read(decl, 4)  # BitPiece takes two literals
    assert [(decl.owner.name, decl.set) for decl in walk.rest()][:2] == [("BitPiece", set_)] * 2


def test_a_later_revision_of_a_non_semantic_set_may_have_more_operands() -> None:
    set_ = tables.extended_set("NonSemantic.Shader.DebugInfo.100")
    assert set_ is not None
    instruction = set_.get("DebugInfoNone")
    assert instruction is not None
    walk = OperandWalk(())
    walk.extended(set_, instruction)
    assert list(walk.rest()) == []
    beyond = walk.next()
    assert beyond is not None and beyond.kind.name == "IdRef" and beyond.repeats


@pytest.mark.parametrize(
    ("name", "count", "missing"),
    [
        ("OpStore", 0, "Pointer"),
        ("OpStore", 1, "Object"),
        ("OpStore", 2, None),
        ("OpSwitch", 2, None),
        ("OpSwitch", 3, "Target"),
        ("OpSwitch", 4, None),
        ("OpPhi", 3, None),  # a list of pairs of ids may end in the middle of one
        ("OpGroupMemberDecorate", 2, "Targets"),
        ("OpNop", 0, None),
    ],
)
def test_what_is_missing(name: str, count: int, missing: str | None) -> None:
    walk = OperandWalk(decls_of(opcode(name)))
    for _ in range(count):
        assert walk.next() is not None
    found = walk.missing()
    assert (found.label if found is not None else None) == missing


def test_the_parts_of_a_composite_never_come_as_a_whole() -> None:
    for known in tables.opcodes():
        walk = OperandWalk(decls_of(known))
        for _ in range(8):
            decl = walk.next()
            if decl is not None:
                assert decl.kind.category != "composite"


def test_text_has_all_operands_but_the_result() -> None:
    for known in tables.opcodes():
        kinds = [decl.declared.kind for decl in text_decls(known)]
        assert kinds == [operand.kind for operand in known.operands if operand.kind != "IdResult"]


def test_a_value_has_one_enumerant_and_a_mask_one_a_bit() -> None:
    assert [found.name for found in enumerants(tables.kind("Dim"), 2)] == ["3D"]
    assert enumerants(tables.kind("Dim"), 9999) == ()
    assert [found.name for found in enumerants(tables.kind("MemoryAccess"), 0x80000003)] == ["Volatile", "Aligned"]
    assert [found.name for found in enumerants(tables.kind("MemoryAccess"), 0)] == ["None"]
    assert enumerants(tables.kind("LiteralInteger"), 1) == ()


def test_declarations_are_made_once_and_follow_the_tables() -> None:
    shipped = shipped_source
    changed = shipped("opcodes.json")
    changed["OpNop"]["operands"] = ["IdRef More"]
    first = decls_of(opcode("OpLoad"))
    assert decls_of(opcode("OpLoad")) is first
    assert fast_path("OpNop") is fast_path("OpNop")
    try:
        tables.replace(lambda name: changed if name == "opcodes.json" else shipped(name))
        assert [decl.label for decl in text_decls(opcode("OpNop"))] == ["More"]
        path = fast_path("OpNop")
        record = path.instruction("OpNop %a", 0, 8, ["OpNop", "%a"]) if path is not None else None
        assert record is not None and record.operands == ("a",)
    finally:
        tables.replace(shipped)
    assert text_decls(opcode("OpNop")) == ()
