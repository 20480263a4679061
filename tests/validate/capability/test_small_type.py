"""Rules of `capability/small_type`: 8- and 16-bit numbers that are stored only."""

from __future__ import annotations

import pytest

import spvls
from tests.validate.check import check
from tests.validate.shaders import shader


def test_numbers_that_may_only_be_stored_are_not_computed_with() -> None:
    declarations = "%half = OpTypeFloat 16\n%vec2h = OpTypeVector %half 2\n%ptr = OpTypePointer StorageBuffer %half\n"
    declarations += "%S = OpTypeStruct %half\n%ptrS = OpTypePointer StorageBuffer %S\n%buffer = OpVariable %ptrS StorageBuffer"
    annotations = "OpDecorate %S Block\nOpMemberDecorate %S 0 Offset 0"
    body = "%p = OpAccessChain %ptr %buffer %zero\n%h = OpLoad %half %p\n"

    def text(use: str) -> str:
        made = shader(body + use, declarations, annotations=annotations, capabilities="StorageBuffer16BitAccess")
        return made.replace('"main"', '"main" %buffer')

    check(text("%wide = OpFConvert %float %h\nOpStore %p %h"))
    diagnostics = spvls.validate(text("OpStore %p %h\nOpReturnValue %h"))
    assert "capability/small-values-are-only-stored" in {d.rule for d in diagnostics}


def test_constants_are_not_made_of_numbers_that_may_only_be_stored() -> None:
    text = "OpCapability Shader\nOpCapability Linkage\nOpCapability {}\nOpMemoryModel Logical GLSL450\n%half = OpTypeFloat 16\n"
    text += "%v = OpTypeVector %half 2\n%h = OpConstant %half 1\n%c = OpConstantComposite %v %h %h"
    assert "capability/small-constituents-are-enabled" in {d.rule for d in spvls.validate(text.format("StorageBuffer16BitAccess"))}
    check(text.format("Float16"))


def test_small_constants_need_their_capability() -> None:
    lines = "%half = OpTypeFloat 16\n%k = OpConstant %half 1"
    check(shader("", lines, capabilities="Float16"))
    text = shader(
        "",
        f"{lines} ; error: capability/small-constants-are-enabled `%half`",
        capabilities="StorageBuffer16BitAccess",
        extensions="SPV_KHR_16bit_storage",
    )
    check(text)


def test_small_numbers_are_not_copied_in_memory() -> None:
    declarations = """
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer StorageBuffer %s
        %to = OpVariable %p StorageBuffer
        %from = OpVariable %p StorageBuffer
    """
    annotations = "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0"
    line = "OpCopyMemory %to %from"
    check(shader(line, declarations, capabilities="Float16", annotations=annotations), env="spv1.3")
    text = shader(
        f"{line} ; error: capability/small-copies-are-enabled `%to`",
        declarations,
        capabilities="StorageBuffer16BitAccess",
        annotations=annotations,
    )
    check(text, env="spv1.3")


@pytest.mark.parametrize(
    ("storage", "comment"),
    [
        ("StorageBuffer", ""),
        ("Workgroup", " ; error: capability/small-variables-are-enabled `Workgroup`"),
        ("Private", " ; error: capability/small-variables-are-enabled `Private`"),
    ],
)
def test_small_numbers_in_variables(storage: str, comment: str) -> None:
    lines = f"""
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer {storage} %s
        %x = OpVariable %p {storage}{comment}
    """
    annotations = "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0" if storage == "StorageBuffer" else ""
    small = shader("", lines, capabilities="StorageBuffer16BitAccess", annotations=annotations)
    check(small, env="spv1.4")


def test_small_structures_are_loaded_by_members() -> None:
    declarations = """
        %half = OpTypeFloat 16
        %s = OpTypeStruct %half
        %p = OpTypePointer StorageBuffer %s
        %q = OpTypePointer StorageBuffer %half
        %x = OpVariable %p StorageBuffer
    """
    body = """
        %y = OpLoad %s %x ; error: capability/small-loads-are-not-aggregate `%s`
        %m = OpAccessChain %q %x %zero
        %z = OpLoad %half %m
    """
    text = shader(
        body,
        declarations,
        capabilities="StorageBuffer16BitAccess",
        annotations="OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0",
    )
    check(text, env="spv1.3")
