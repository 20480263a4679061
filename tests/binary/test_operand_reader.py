"""All who read an instruction read the same operands: what the walk asks for is written, scanned, encoded and decoded."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from spvls.binary.decode import decode
from spvls.binary.encode import encode
from spvls.grammar import tables
from spvls.grammar.operand_walk import (
    CONTEXT_DEPENDENT_NUMBER,
    EXTENDED_INSTRUCTION,
    INNER_OPCODE,
    OperandDecl,
    OperandWalk,
    text_decls,
)
from spvls.grammar.records import Opcode
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.ide.source.operand_decls import word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.syntax.operand_decls import declared_operands
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_PRELUDE = """\
%set = OpExtInstImport "OpenCL.DebugInfo.100"
%type = OpTypeInt 64 0
%id = OpUndef %type
"""
_REFUSED = {"syntax/unavailable-opcode", "syntax/encoding"}
"""What the assembler refuses beside what it cannot read."""

_LITERALS = {"LiteralInteger": "7", "LiteralFloat": "1.5", "LiteralString": '"NonSemantic.x"', CONTEXT_DEPENDENT_NUMBER: "5"}

_VARIED = [
    opcode
    for opcode in tables.opcodes()
    if any(decl.deciding or decl.parts or decl.kind.name == EXTENDED_INSTRUCTION for decl in text_decls(opcode))
]
"""Opcodes whose operands depend on other operands."""


class Example(NamedTuple):
    opcode: Opcode
    decls: list[OperandDecl]
    words: list[str]

    @property
    def text(self) -> str:
        head = f"%result = {self.opcode.name}" if self.opcode.has_result else self.opcode.name
        return " ".join([head, *self.words]) + "\n"


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """An instruction with any operands that the grammar allows."""
    opcode = draw(st.one_of(st.sampled_from(_VARIED), st.sampled_from(tables.opcodes())))
    walk = OperandWalk(text_decls(opcode))
    decls: list[OperandDecl] = []
    words: list[str] = []
    while walk.missing() is not None or (len(words) < 12 and draw(st.booleans())):
        decl = walk.next()
        if decl is None:
            break
        decls.append(decl)
        words.append(_word(draw, walk, decl))
    return Example(opcode, decls, words)


def _word(draw: st.DrawFn, walk: OperandWalk, decl: OperandDecl) -> str:
    """A word that an operand can have; the walk is told of it."""
    if decl.kind.category == "id":
        return "%type" if decl.kind.name == "IdResultType" else "%set" if walk.awaits_instruction else "%id"
    if decl.kind.name == EXTENDED_INSTRUCTION:
        set_ = tables.extended_set("OpenCL.DebugInfo.100")
        assert set_ is not None
        instruction = draw(st.sampled_from(set_.all))
        walk.extended(set_, instruction)
        return instruction.name
    if decl.kind.name == INNER_OPCODE:
        inner = tables.opcode_by_value(draw(st.sampled_from(sorted(SPECIALIZABLE))))
        assert inner is not None
        walk.read(decl, inner.value)
        return inner.name.removeprefix("Op")
    if decl.kind.category == "literal":
        return _LITERALS[decl.kind.name]
    chosen = draw(st.lists(st.sampled_from(decl.kind.all), min_size=1, max_size=3 if decl.is_mask else 1))
    value = 0
    for enumerant in chosen:
        value |= enumerant.value
    walk.read(decl, value)
    return "|".join([enumerant.name for enumerant in chosen])


@given(examples())
def test_every_reader_takes_what_the_walk_asks_for(example: Example) -> None:
    text = _PRELUDE + example.text
    records = [record for _, record in scan(split_lines(text))]
    record = records[-1]
    assert record.faults == ()
    encoding = encode(records, (1, 6))
    assume(not any(fault.rule in _REFUSED for _, fault in encoding.faults))
    assert encoding.faults == []
    binary = decode(encoding.data())
    decoded = binary.instructions[-1]
    names = {str(number): name for name, number in encoding.numbering.items()}
    ids = [names[operand] for operand in decoded.operands if isinstance(operand, str)]
    assert ids == [operand for operand in record.operands if isinstance(operand, str)]
    assert len(decoded.operands) == len(record.operands)
    assert encode(binary.instructions, (1, 6), preserve_numeric_ids=True).words[5:] == encoding.words[5:]


@given(examples())
def test_words_stand_for_the_operands_that_the_walk_asks_for(example: Example) -> None:
    module = SourceModule(_PRELUDE).module
    kinds = [decl.kind for decl in example.decls]
    found = word_decls(example.opcode, example.words, module).words
    assert [decl and decl.kind for decl in found] == kinds
    record = next(record for _, record in scan([example.text]))
    if not any(decl.kind.name == EXTENDED_INSTRUCTION for decl in example.decls):
        declared = [declared.kind for declared, _ in declared_operands(record)]
        assert declared == [kind.name for kind in kinds[example.opcode.has_type :]]
