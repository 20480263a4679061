"""Shapes: instructions of modules that are made in the same way have the same ones, whatever their ids."""

from __future__ import annotations

import pytest

from spvls.module.shapes import Numbers, Shape, Shapes
from spvls.module.signature import SignatureReader
from spvls.syntax.document import Document
from spvls.validate.engine.chunk_check import readable
from spvls.validate.validator import module_of_text

_TYPES = """\
%int = OpTypeInt 32 1
%pair = OpTypeStruct %int %int
%other = OpTypeStruct %int %int
%to = OpTypePointer Private %pair
%one = OpConstant %int 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%at = OpTypePointer Private %int
%object = OpVariable %to Private
"""
_BODY = """\
%callee = OpFunction %void None %fn
%first = OpLabel
OpReturn
OpFunctionEnd
%main = OpFunction %void None %fn
%entry = OpLabel
%member = OpAccessChain %at %object %one
%read = OpLoad %int %member
OpStore %member %read
%called = OpFunctionCall %void %callee
OpReturn
OpFunctionEnd
"""


def _read(text: str, numbers: Numbers) -> list[Shape | None]:
    """The shapes of the instructions of a module, in their order."""
    module = module_of_text(Document(text), None)
    shapes, found = Shapes(module, numbers), []
    for chunk in module.chunks:
        reader = SignatureReader(module, chunk, in_order=False)
        for record in chunk.records:
            _, inst = readable(record, module)
            assert inst is not None
            signature = reader.read(inst) if chunk.is_function else None
            found.append(shapes.add(inst) if not chunk.is_function else shapes.of(signature) if signature is not None else None)
    return found


def _renamed(text: str) -> str:
    return text.replace("%", "%renamed_")


def test_names_are_of_no_matter() -> None:
    numbers, text = Numbers(), _TYPES + _BODY
    first, second = _read(text, numbers), _read(_renamed(text), numbers)
    assert first == second
    assert sum(shape is not None for shape in first) == text.count("\n")


@pytest.mark.parametrize(
    "old, new",
    [
        ("%int = OpTypeInt 32 1", "%int = OpTypeInt 32 0"),
        ("Private %pair", "Workgroup %pair"),
        ("OpConstant %int 1", "OpConstant %int 0"),
        ("Private %pair", "Private %other"),
        ("%int = OpTypeInt", "OpDecorate %object Aliased\n%int = OpTypeInt"),
        ("%int = OpTypeInt", "OpMemberDecorate %pair 0 Offset 4\n%int = OpTypeInt"),
    ],
)
def test_all_that_an_instruction_is_made_of_counts(old: str, new: str) -> None:
    text = _TYPES + _BODY
    assert text.replace(old, new, 1) != text
    at = text.split("\n").index("%member = OpAccessChain %at %object %one")
    numbers = Numbers()
    assert _read(text, numbers)[at] != _read(text.replace(old, new, 1), numbers)[at - text.count("\n")]


def test_ids_that_are_made_of_the_same_have_numbers_of_their_own() -> None:
    numbers = Numbers()
    one, other = _read(_TYPES, numbers), _read(_TYPES.replace("Private %pair", "Private %other"), numbers)
    assert one[1] == one[2]
    assert one[3] != other[3]


def test_what_a_group_decorates_has_no_shape_and_no_number() -> None:
    text = "OpDecorate %group Aliased\n%group = OpDecorationGroup\nOpGroupDecorate %group %object\n" + _TYPES + _BODY
    whole = _read(text, Numbers())
    assert whole[2 + _TYPES.count("\n")] is None
    assert whole[text.split("\n").index("%member = OpAccessChain %at %object %one")] is None


def test_no_number_is_given_twice() -> None:
    numbers = Numbers()
    given = numbers["one"]
    numbers.clear()
    assert numbers["other"] != given
