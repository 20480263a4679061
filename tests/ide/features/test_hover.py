"""Hover says what stands under the cursor."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given

from spvls.diagnostic import Position
from spvls.grammar import tables
from spvls.ide.documentation.docs_markdown import docs_markdown
from spvls.ide.features.hover import hover
from spvls.ide.source.source_module import SourceModule
from spvls.ide.words.encoding import LiveEncoding
from tests.ide.modules import SHADER
from tests.strategies import positions, texts

_ASSEMBLY = SourceModule(SHADER)


def _at(word: str, line: str) -> Position:
    """The last place of `word` on the line that begins with `line`."""
    lines = SHADER.split("\n")
    number = next(at for at, text in enumerate(lines) if text.startswith(line))
    return Position(number, lines[number].rindex(word))


def said(word: str, line: str) -> str:
    """What hover says, and checks that it is about that word."""
    position = _at(word, line)
    found = hover(_ASSEMBLY, position)
    assert found is not None
    start, end = found.range
    assert SHADER.split("\n")[start.line][start.column : end.column] == word
    return found.markdown


@pytest.mark.parametrize(
    ("word", "line", "parts"),
    [
        ("OpLoad", "%a =", ["%result = OpLoad %Result_Type %Pointer [<MemoryAccess>]", "Opcode 61", "SPIRV.html#OpLoad"]),
        ("Aligned", "%a =", ["MemoryAccess 2", "Since SPIR-V 1.0", "*LiteralInteger*"]),
        ("Volatile", "%a =", ["MemoryAccess 1", "Memory_Operands"]),
        ("Sqrt", "%b =", ["Instruction 31 of `GLSL.std.450`", "%result = OpExtInst %Result_Type %glsl Sqrt %x"]),
        ("Shader", "OpCapability", ["Declared in this module", "Implies `Matrix`", "Capability 1"]),
        ("Location", "OpDecorate %in", ["Enabled by `Shader` ✓", "Decoration 30 (`0x1e`)"]),
        ("%in", "OpDecorate", ["OpVariable %pin Input", "Type `ptr<Input, vec4<f32>>`", "`Location 3`", "3 uses"]),
        ("%colour", "OpStore", ["Named `out_colour`", "4 uses"]),
        ("%half", "%half", ["Type `f32`", "Value 0.5", "no uses"]),
        ("0.5", "%half", ["`f32` 0.5", "`0x3f000000`"]),
        ("4", "%a =", ["`u32` 4", "words `00000004`"]),
        ('"lit.frag"', "%file", ["8 bytes of UTF-8", "3 words"]),
        ('"GLSL.std.450"', "%glsl", ["81 instructions", "GLSL.std.450.html"]),
        ("%scope", "OpMemoryBarrier", ["Scope `Device`", "Value 1"]),
        ("%acquire", "OpMemoryBarrier", ["MemorySemantics `AcquireRelease|UniformMemory`", "Value 72 (`0x48`)"]),
        ("%main", "OpExecutionMode", ["Entry point `main` (Fragment)", "`fn() → void`"]),
        ("Version", "; Version", ["version of SPIR-V"]),
    ],
)  # fmt: skip
def test_what_is_said(word: str, line: str, parts: Sequence[str]) -> None:
    markdown = said(word, line)
    assert [part for part in parts if part not in markdown] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SPV_KHR_expect_assume", "- Instructions: `OpAssumeTrueKHR`, `OpExpectKHR`"),
        ("SPV_INTEL_inline_assembly", "Extension `SPV_INTEL_inline_assembly`"),
        ("SPV_KHR_nothing", "`SPV_KHR_nothing` is not a registered extension"),
    ],
)
def test_extensions(name: str, said: str) -> None:
    found = hover(SourceModule(f'OpExtension "{name}"\n'), Position(0, 15))
    assert found is not None and said in found.markdown


def test_conditions_that_the_module_lacks_are_not_ticked() -> None:
    source = SourceModule("; Version: 1.0\nOpCapability Kernel\n%x = OpGroupNonUniformElect %b %s\n")
    found = hover(source, Position(2, 7))
    assert found is not None
    assert "Enabled by `GroupNonUniform`" in found.markdown
    assert "✓" not in found.markdown
    assert "Since SPIR-V 1.3 (this module: 1.0)" in found.markdown


def test_the_binary_is_part_of_what_is_said_of_an_id() -> None:
    live = LiveEncoding(_ASSEMBLY)
    live.refresh()
    found = hover(_ASSEMBLY, _at("%half", "%half"), lambda: live)
    assert found is not None
    number = live.number("half")
    assert f"`%{number}` in the binary" in found.markdown
    assert f"words `0004002b {live.number('float'):08x} {number:08x} 3f000000`" in found.markdown


def test_undefined_ids_are_said_to_be() -> None:
    found = hover(SourceModule("OpStore %p %v\n"), Position(0, 9))
    assert found is not None
    assert found.markdown.split("\n\n")[1] == "`%p` is not defined; 1 use"


@pytest.mark.parametrize(
    ("word", "line", "role"),
    [
        ("%colour", "OpStore", "**Pointer** of [`OpStore`](…): pointer to write through."),
        ("%b", "OpStore", "**Object** of [`OpStore`](…): value to store."),
        ("Volatile", "%a =", "**MemoryAccess** of [`OpLoad`](…): optional memory operands, `None` if absent."),
        ("4", "%a =", "**LiteralInteger** of [`OpLoad`](…): "),
        ("%v4", "%a =", "**Result Type** of [`OpLoad`](…)"),
        ("%a", "%b =", "**x** of [`OpExtInst`](…): "),
        ('"main"', "OpEntryPoint", "**Name** of [`OpEntryPoint`](…): "),
        ("%colour", "OpEntryPoint", "**Interface** of [`OpEntryPoint`](…): variables of the interface."),
    ],
)
def test_what_the_operand_is_comes_first(word: str, line: str, role: str) -> None:
    first = re.sub(r"\(http.*?\)", "(…)", said(word, line).split("\n")[0])
    assert first.startswith(role)


def test_kinds_of_operands_are_shown_with_the_binary() -> None:
    assert "- *Pointer*: pointer to write through.\n- *Object*: value to store." in said("OpStore", "OpStore")
    found = hover(_ASSEMBLY, _at("OpStore", "OpStore"), lambda: None)
    assert found is not None
    assert "- *Pointer* (`IdRef`): pointer to write through.\n- *Object* (`IdRef`): value to store." in found.markdown
    found = hover(_ASSEMBLY, _at("%colour", "OpStore"), lambda: None)
    assert found is not None
    assert ", `IdRef`: pointer to write through." in found.markdown.split("\n")[0]


def test_members_of_structures() -> None:
    text = (
        'OpMemberName %s 1 "size"\nOpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 1 Offset 16\nOpMemberDecorate %s 1 NonWritable\n'
        "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%s = OpTypeStruct %v4 %float\n"
    )
    found = hover(SourceModule(text), Position(6, 1))
    assert found is not None
    assert "- 0 `vec4<f32>` at 0\n- 1 `size: f32` at 16\n\n- member 1: `NonWritable`" in found.markdown


_FLOW = """\
%f = OpFunction %v None %t
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
%r = OpFunctionCall %v %f
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (6, "From `%entry`, `%then`"), (6, "Merge block of `%entry`"), (4, "From `%entry`"), (0, "3 blocks, 1 call"),
        (6, "Dominated by `%entry`"), (4, "Post dominated by `%end`"), (1, "Post dominated by `%end`"),
    ],
)
def test_blocks_and_functions_in_the_flow_of_control(line: int, part: str) -> None:
    found = hover(SourceModule(_FLOW), Position(line, 1))
    assert found is not None
    assert part in found.markdown


def test_structural_dominance_is_said_where_it_differs() -> None:
    text = _FLOW.replace("OpBranch %end", "OpKill").replace("OpBranchConditional %c %then %end", "OpBranch %then")
    found = hover(SourceModule(text), Position(6, 1))
    assert found is not None
    assert "Structurally dominated by `%entry`" in found.markdown
    assert "\nDominated by" not in found.markdown


def test_there_is_nothing_to_say_between_instructions() -> None:
    for position in (Position(0, 0), Position(1, 0), Position(7, 3)):
        assert hover(SourceModule("; a comment\n\nOpNop\n"), position) is None


@pytest.mark.parametrize("number", range(0, 800, 37))
def test_every_opcode_has_a_card(number: int) -> None:
    opcode = tables.opcodes()[number % len(tables.opcodes())]
    assert opcode.name in docs_markdown(opcode, _ASSEMBLY.module)


@given(texts(), positions())
def test_hover_takes_any_text(text: str, position: Position) -> None:
    source = SourceModule(text)
    live = LiveEncoding(source)
    live.refresh()
    found = hover(source, position, lambda: live)
    if found is not None:
        clamped = source.clamp(position)
        assert found.range.start <= clamped <= found.range.end
        assert found.markdown


_MANGLED = """\
OpName %k "_Z5scalePU3AS1ff"
OpDecorate %dot LinkageAttributes "_Z3dotDv4_fS_" Import
%k = OpFunction %void None %fn
%_Z6squaref = OpFunction %float None %fn
%dot = OpFunction %float None %fn
"""


@pytest.mark.parametrize(
    ("line", "word", "text"),
    [
        (0, "%k", "Demangled `scale(global float*, float)`"),
        (0, '"_Z5', "Demangled `scale(global float*, float)` · 16 bytes"),
        (1, "%dot", "Demangled `dot(float4, float4)`"),
        (3, "%_Z6", "Demangled `square(float)`"),
    ],
)
def test_mangled_names_are_spelled_out(line: int, word: str, text: str) -> None:
    found = hover(SourceModule(_MANGLED), Position(line, _MANGLED.split("\n")[line].index(word)))
    assert found is not None and text in found.markdown


def test_prose_links_the_terms_of_the_specification() -> None:
    opcode = tables.opcode("OpLoopMerge")
    assert opcode is not None and "/reference/glossary/#continue-target)" in docs_markdown(opcode)


def test_changes_of_versions_are_said() -> None:
    opcode = tables.opcode("OpAtomicCompareExchangeWeak")
    assert opcode is not None
    assert "- SPIR-V 1.2, revision 4: deprecated\n- SPIR-V 1.4: removed\n" in docs_markdown(opcode)
