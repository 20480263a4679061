"""Which declared operand each word stands for."""

from __future__ import annotations

import pytest
from hypothesis import given

from spvls.grammar import tables
from spvls.ide.source.operand_decls import word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import opcode_index, texts
from spvls.syntax.instruction import ContextDependent
from spvls.syntax.operand_decls import declared_operands
from tests.strategies import texts as any_texts

_MODULE = SourceModule('%glsl = OpExtInstImport "GLSL.std.450"\n').module


@pytest.mark.parametrize(
    ("line", "words", "rest"),
    [
        ("OpFAdd", [], ["IdResultType", "Operand 1", "Operand 2"]),
        ("OpFAdd %t %a", ["IdResultType", "Operand 1"], ["Operand 2"]),
        ("OpLoad %t %p Volatile|Aligned", ["IdResultType", "Pointer", "MemoryAccess"], ["LiteralInteger"]),
        ("OpDecorate %a BuiltIn", ["Target", "Decoration"], ["BuiltIn"]),
        ("OpExtInst %t %glsl FMix %x", ["IdResultType", "Set", "Instruction", "x"], ["y", "a"]),
        ("OpExtInst %t %none Foo %x", ["IdResultType", "Set", "Instruction", "Operand 1, Operand 2, ..."], ["Operand 1, Operand 2, ..."]),
        ("OpSpecConstantOp %t IAdd %a", ["IdResultType", "Opcode", "Operand 1"], ["Operand 2"]),
        ("OpSwitch %s %d 1 %a", ["Selector", "Default", "Target", "Target"], ["Target", "Target"]),
        ("OpNop %x", [None], []),
        ("OpFAdd %t !5 x", ["IdResultType", None, None], []),
    ],
)  # fmt: skip
def test_declarations_of_words(line: str, words: list[str | None], rest: list[str]) -> None:
    name, *written = line.split()
    opcode = tables.opcode(name)
    assert opcode is not None
    found = word_decls(opcode, written, _MODULE)
    assert [decl and decl.label for decl in found.words] == words
    assert [decl.label for decl in found.rest] == rest


@given(any_texts())
def test_declarations_agree_with_the_operands_that_were_read(text: str) -> None:
    source = SourceModule(text)
    for record in source.document.records():
        if record.faults or record.raw or any(isinstance(operand, ContextDependent) for operand in record.operands):
            continue
        if "ExtInst" in record.opcode.name:
            continue
        words = texts(record, record.words())
        at = opcode_index(words)
        assert at is not None
        found = word_decls(record.opcode, words[at + 1 :], source.module)
        kinds = [decl.kind.name for decl in found.words[record.opcode.has_type :] if decl is not None]
        assert kinds == [declared.kind for declared, _ in declared_operands(record)]
