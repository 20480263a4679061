"""Rules of `pointer/comparison`: comparing pointers."""

from __future__ import annotations

import pytest

from tests.validate.check import check
from tests.validate.shaders import shader
from tests.validate.sources.pointer import pointer_module


@pytest.mark.parametrize(
    "line",
    [
        "%r = OpPtrEqual %bool %m %n",
        "%r = OpPtrDiff %int %m %n ; warning: pointer/difference-counts-array-elements `%m`",
        "%r = OpPtrEqual %uint %m %n ; error: pointer/compared-types-match `%uint`",
        "%r = OpPtrDiff %bool %m %n ; error: pointer/compared-types-match `%bool`",
        "%r = OpPtrEqual %bool %m %o ; error: pointer/compared-types-match `%o`",
        "%r = OpPtrEqual %bool %m %u ; error: pointer/compared-types-match `%u`",
        "%r = OpPtrEqual %bool %w %w ; error: pointer/comparison-fits-storage-class `%w`",
        "%r = OpPtrEqual %bool %v %v ; error: pointer/comparison-fits-storage-class `%v`",
    ],
)
def test_comparisons(line: str) -> None:
    check(pointer_module(line), env="spv1.4")


def test_addresses_are_not_compared() -> None:
    declarations = "%p = OpTypePointer PhysicalStorageBuffer %uint\n%q = OpUndef %p"
    line = "%r = OpPtrEqual %bool %q %q ; error: pointer/comparison-fits-storage-class `%q`"
    text = shader(line, declarations, capabilities="PhysicalStorageBufferAddresses VariablePointers")
    check(text.replace("Logical", "PhysicalStorageBuffer64"), env="spv1.5")


def test_all_variable_pointers_choose_between_variables() -> None:
    check(pointer_module("%r = OpSelect %to_uint %b %m %k", "VariablePointers"), env="spv1.4")
