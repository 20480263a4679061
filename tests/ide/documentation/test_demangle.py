"""Mangled names as people write them."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.ide.documentation.demangle import LONGEST, demangled

NAMES = {
    "_Z3dotDv4_fS_": "dot(float4, float4)",
    "_Z5frexpDv2_fPU3AS0Dv2_i": "frexp(float2, private int2*)",
    "_Z13get_global_idj": "get_global_id(unsigned int)",
    "_Z6vload4mPU3AS1Kf": "vload4(unsigned long, global const float*)",
    "_Z6vload4mPU8CLglobalKf": "vload4(unsigned long, global const float*)",
    "_Z1fPU4AS99f": "f(__attribute__((address_space(99))) float*)",
    "_Z7barrierv": "barrier()",
    "_Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_i": "read_imagef(ocl_image2d_array_ro, ocl_sampler, int4)",
    "_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event": "async_work_group_copy(local float*, global const float*, unsigned long, ocl_event)",
    "_Z17__spirv_ocl_u_maxDv2_hS_": "__spirv_ocl_u_max(uchar2, uchar2)",
    "_Z1fDhDv8_DhS_": "f(half, half8, half8)",
    "_ZN3foo3barEv": "foo::bar()",
    "_ZNK3foo3bar3bazEiS0_": "foo::bar::baz(int, foo::bar) const",
    "_Z3addIfET_S0_S0_": "float add<float>(float, float)",
    "_Z3maxILj4ELb1ELin2EEvv": "void max<4u, true, -2>()",
    "_ZN4sycl3_V12idILi1EEC1Ev": "sycl::_V1::id<1>::id()",
    "_ZN1AD1Ev": "A::~A()",
    "_ZN3FooIiE3barERKS0_": "Foo<int>::bar(const Foo<int>&)",
    "_ZNSt6vectorIiSaIiEE9push_backERKi": "std::vector<int, std::allocator<int>>::push_back(const int&)",
    "_ZStplIcEvv": "void std::operator+<char>()",
    "_ZN12_GLOBAL__N_13fooEv": "(anonymous namespace)::foo()",
    "_Z1fPFivE": "f(int (*)())",
    "_Z1fPA4_i": "f(int (*)[4])",
    "_Z1fPKcS0_": "f(const char*, const char*)",
    "_Z1fPcPPc": "f(char*, char**)",
    "_ZTS10kernelName": "typeinfo name for kernelName",
    "_ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_EUlvE_": (
        "typeinfo name for main::{lambda(sycl::_V1::handler&)#1}::operator()(sycl::_V1::handler&) const::{lambda()#1}"
    ),
    "_Z4sinhDv16_d.1": "sinh(double16) (.1)",
    "_Z3foo": "foo",
}
NOT_MANGLED = ["", "main", "_Z", "Z3dotDv4_fS_", "_Z0v", "_Z9short", "_Z3dotDv4_fS0_", "_Z1fS_", "_Z1fT_", "_ZN1fv", "_Z1fX", "_Z1fIXadL_Z1gvEEEvv", "_Z1f99999999999999999999999v", "_ZNE", "_Z1fKE", "_Z1fvé"]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), NAMES.items())
def test_names(name: str, text: str) -> None:
    assert demangled(name) == text


@pytest.mark.parametrize("name", NOT_MANGLED)
def test_other_names_are_left_alone(name: str) -> None:
    assert demangled(name) is None


def test_hostile_names_are_left_alone() -> None:
    assert demangled("_Z1f" + "P" * 60 + "i") is None
    assert demangled("_Z1f" + "1A" * LONGEST) is None
    doubling = "".join(f"S_IS{known}_S{known}_E" for known in "0123456789AB")
    assert demangled("_Z1f1AIiiE" + doubling[:20]) is not None
    assert demangled("_Z1f1AIiiE" + doubling) is None


PARTS = ["_Z", "N", "E", "I", "S_", "S0_", "S1_", "St", "T_", "P", "K", "Dv4_", "f", "i", "v", "3foo", "1A", "U3AS1", "L", "j", "Ul", "_", "Z", "C1", "F", "A2_", "é", "."]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=60).map(lambda parts: "_Z" + "".join(parts)) | st.text(max_size=40).map("_Z".__add__))
def test_any_name_has_a_short_spelling_or_none(name: str) -> None:
    text = demangled(name)
    assert text is None or len(text) <= LONGEST + len(name)


def plain(text: str) -> str:
    """A spelling without what the two sides write differently: spaces, vectors, address spaces, and where `const` stands."""
    text = re.sub(r"(unsigned |signed )?(char|short|int|long|float|double|half) vector\[(\d+)\]", lambda found: ("u" if found[1] == "unsigned " else "") + found[2] + found[3], text)
    return re.sub(r"\s|const|AS\d|private|global|constant|local|generic|'lambda\d*'|\{lambda|#\d+\}", "", text)


@given(st.lists(st.sampled_from([*"fijdcsP", "PK", "Dv4_f", "Dv2_j", "S_", "S0_", "1A", "N1A1BE", "PU3AS1"]), min_size=1, max_size=8))
def test_parameters_are_those_of_llvm(parts: list[str]) -> None:
    tool = shutil.which("llvm-cxxfilt")
    if tool is None:
        pytest.skip("llvm-cxxfilt is not installed")
    name = "_Z1f" + "".join(parts)
    theirs = subprocess.run([tool, name], capture_output=True, text=True, check=True).stdout.strip()
    assert plain(demangled(name) or name) == plain(theirs)
