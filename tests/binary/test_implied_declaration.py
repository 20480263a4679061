"""Names say what they declare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.binary.friendly_names import type_name
from spvls.binary.implied_declaration import implied_declarations
from spvls.ide.source.source_module import SourceModule


def declared(name: str, text: str = "") -> list[str]:
    return list(implied_declarations(name, SourceModule(text).module))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("void", ["%void = OpTypeVoid"]),
        ("v2float", ["%float = OpTypeFloat 32", "%v2float = OpTypeVector %float 2"]),
        ("u32", ["%u32 = OpTypeInt 32 0"]),
        ("int_n1", ["%int = OpTypeInt 32 1", "%int_n1 = OpConstant %int -1"]),
        ("float_0_5", ["%float = OpTypeFloat 32", "%float_0_5 = OpConstant %float 0.5"]),
        ("true", ["%bool = OpTypeBool", "%true = OpConstantTrue %bool"]),
        (
            "_ptr_Function__arr_float_uint_4",
            [
                "%float = OpTypeFloat 32",
                "%uint = OpTypeInt 32 0",
                "%uint_4 = OpConstant %uint 4",
                "%_arr_float_uint_4 = OpTypeArray %float %uint_4",
                "%_ptr_Function__arr_float_uint_4 = OpTypePointer Function %_arr_float_uint_4",
            ],
        ),
        ("int_0_5", []),
        ("_ptr_Nowhere_float", []),
        ("color", []),
        ("v2color", []),
    ],
)
def test_what_a_name_declares(name: str, lines: list[str]) -> None:
    assert declared(name) == lines


def test_what_the_module_has_is_used() -> None:
    text = "%f32 = OpTypeFloat 32\n%Light = OpTypeStruct %f32\n"
    assert declared("v4float", text) == ["%v4float = OpTypeVector %f32 4"]
    assert declared("float", text) == []
    assert declared("_ptr_Uniform_Light", text) == ["%_ptr_Uniform_Light = OpTypePointer Uniform %Light"]


@given(st.sampled_from(["void", "mat4v4float", "v3uint", "_ptr_Input_v4float", "_runtimearr_uint", "_arr_v2half_uint_8"]))
def test_the_name_of_what_is_declared_is_the_name(name: str) -> None:
    module = SourceModule("\n".join(declared(name))).module
    definition = module.definition(name)
    assert definition is not None
    assert type_name(definition) == name


@given(st.text("_arpmtvu0123456789floatingxX", max_size=300))
def test_any_name_is_read(name: str) -> None:
    for line in declared(name):
        assert line.startswith("%")
