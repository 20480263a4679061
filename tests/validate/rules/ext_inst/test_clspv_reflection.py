"""Rules of `ext_inst/clspv_reflection`: ClspvReflection: instructions and operands in general."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import spvls
from spvls.grammar import tables
from spvls.grammar.records import ExtendedInstruction

_NEWEST = 7
_TEXT = """\
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%r = OpExtInstImport "NonSemantic.ClspvReflection.{version}"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %variable
OpEntryPoint GLCompute %other "other" %variable
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %other LocalSize 1 1 1
%name = OpString "main"
%title = OpString "other"
%string = OpString "s"
%hex = OpString "0a1b"
%format = OpString "%d"
OpDecorate %sized SpecId 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%private = OpTypePointer Private %uint
%zero = OpConstant %uint 0
%four = OpConstant %uint 4
%small = OpConstant %float 0
%sized = OpSpecConstant %uint 1
%variable = OpVariable %private Private
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
%other = OpFunction %void None %fn
%first = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpExtInst %void %r Kernel %other %title{kernel}
%info = OpExtInst %void %r ArgumentInfo %name
%tested = OpExtInst %{result} %r {instruction}
%late = OpExtInst %void %r ArgumentInfo %name
"""

_SET = tables.extended_set(f"NonSemantic.ClspvReflection.{_NEWEST}")
_INSTRUCTIONS = _SET.all
_ROLES = {
    "Decl": "%kernel", "Kernel": "%kernel", "Name": "%name", "Type Name": "%string", "Data": "%hex", "FormatString": "%format",
    "Attributes": "%string", "ArgInfo": "%info", "ArgumentSizes": "%four", "Variable": "%variable",
}  # fmt: skip
_QUALIFIERS = frozenset({"Address Qualifier", "Access Qualifier"})


assert _SET is not None


def _operands(instruction: ExtendedInstruction, revision: int = _NEWEST) -> list[str]:
    """Sound operands, all that the revision has."""
    found = []
    for at, operand in enumerate(instruction.operands):
        if instruction.operands_since[at] > revision:
            break
        found.append("%main" if instruction.name == "Kernel" and at == 0 else _ROLES.get(operand.name, "%zero"))
        if operand.name in _QUALIFIERS:
            found.pop()
            break  # zero is none of these, and they may be left out
    return found


def _found(instruction: str, operands: Sequence[str], version: int = _NEWEST, result: str = "void") -> list[str]:
    kernel = " %four %zero %string" if version >= 5 else ""
    line = " ".join((instruction, *operands))
    text = _TEXT.format(version=version, instruction=line, kernel=kernel, result=result)
    return [diagnostic.rule for diagnostic in spvls.validate(text, target_env="spv1.5")]


def _named(instruction: ExtendedInstruction) -> str:
    return instruction.name


_EACH_OPERAND = [
    pytest.param(instruction, at, id=f"{instruction.name}-{instruction.operands[at].name}")
    for instruction in _INSTRUCTIONS
    for at in range(len(instruction.operands))
]


@pytest.mark.parametrize("instruction", _INSTRUCTIONS, ids=_named)
def test_with_sound_operands_nothing_is_found(instruction: ExtendedInstruction) -> None:
    assert _found(instruction.name, _operands(instruction)) == []


@pytest.mark.parametrize(("instruction", "at"), _EACH_OPERAND)
def test_an_operand_of_another_kind_is_found(instruction: ExtendedInstruction, at: int) -> None:
    operands = _operands(instruction)
    operands += ["%zero"] * (at + 1 - len(operands))
    for wrong in ("%small", "%entry"):  # neither a string nor an instruction, nor an integer; and no value at all
        operands[at] = wrong
        assert "ext-inst/clspv-operands-have-required-kind" in _found(instruction.name, operands), wrong


@pytest.mark.parametrize(("instruction", "at"), _EACH_OPERAND)
def test_an_operand_is_never_a_forward_reference(instruction: ExtendedInstruction, at: int) -> None:
    operands = _operands(instruction)
    operands += ["%zero"] * (at + 1 - len(operands))
    operands[at] = "%late"
    assert "ext-inst/operands-are-defined-first" in _found(instruction.name, operands)


@pytest.mark.parametrize("instruction", _INSTRUCTIONS, ids=_named)
def test_an_operand_too_few_is_found(instruction: ExtendedInstruction) -> None:
    needed = sum(not operand.quantifier for operand in instruction.operands)
    assert _found(instruction.name, _operands(instruction)[: needed - 1]) == ["syntax/missing-operand"]


@pytest.mark.parametrize(
    "instruction", [i for i in _INSTRUCTIONS if not any(o.quantifier == "*" for o in i.operands)], ids=_named
)
def test_an_operand_too_many_is_found(instruction: ExtendedInstruction) -> None:
    operands = _operands(instruction)
    operands += ["%four"] * (len(instruction.operands) - len(operands))
    assert "ext-inst/clspv-operand-count-is-declared" in _found(instruction.name, [*operands, "%zero"])
    assert "ext-inst/clspv-operand-count-is-declared" not in _found(instruction.name, operands)


@pytest.mark.parametrize("instruction", [i for i in _INSTRUCTIONS if i.since > 1], ids=_named)
def test_an_instruction_of_a_later_revision_is_found(instruction: ExtendedInstruction) -> None:
    before = instruction.since - 1
    assert "ext-inst/clspv-instruction-fits-revision" in _found(instruction.name, _operands(instruction), before)
    assert _found(instruction.name, _operands(instruction, instruction.since), instruction.since) == []


@pytest.mark.parametrize("instruction", _INSTRUCTIONS, ids=_named)
def test_a_result_other_than_void_is_found(instruction: ExtendedInstruction) -> None:
    assert _found(instruction.name, _operands(instruction), result="uint") == ["ext-inst/clspv-result-is-void"]


def test_operands_of_a_later_revision_are_found() -> None:
    assert _found("Kernel", ["%main", "%name"], 4) == []
    for count in range(3, 6):
        operands = ["%main", "%name", "%zero", "%zero", "%string"][:count]
        assert _found("Kernel", operands, 4) == ["ext-inst/clspv-instruction-fits-revision"]
        assert _found("Kernel", operands, 5) == ([] if count == 5 else ["ext-inst/clspv-kernel-is-complete"])
