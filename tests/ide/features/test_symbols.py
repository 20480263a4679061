"""The outline of a module."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given

from spvls.ide.features.symbols import Symbol, SymbolKind, document_symbols
from spvls.ide.source.source_module import SourceModule
from tests.corpus import FIXTURES, text_of
from tests.ide.modules import SHADER
from tests.strategies import texts

_OUTLINE = """\
Capabilities: section 1
  Shader: capability
Imports: section 1
  GLSL.std.450: import %glsl
Memory model: section 1
Entry points: section 1
  main: entry point Fragment
Execution modes: section 1
Debug: section 3
Annotations: section 2
Types, constants and variables: section 12
  %void: type void
  %fn: type fn() → void
  %float: type f32
  %uint: type u32
  %v4: type vec4<f32>
  %pin: type ptr<Input, vec4<f32>>
  %pout: type ptr<Output, vec4<f32>>
  %in: variable ptr<Input, vec4<f32>> · location 3
  %colour out_colour: variable ptr<Output, vec4<f32>> · location 0
  %half: constant f32 = 0.5
  %scope: constant u32 = 1
  %acquire: constant u32 = 72
%main: function fn() → void
  %entry: block OpReturn
"""


def _lines(symbols: Iterable[Symbol], depth: int = 0) -> Iterable[str]:
    for symbol in symbols:
        yield f"{'  ' * depth}{symbol.name}: {symbol.kind.value} {symbol.detail}".rstrip() + "\n"
        yield from _lines(symbol.children, depth + 1)


def test_the_outline_of_a_shader() -> None:
    assert "".join(_lines(document_symbols(SourceModule(SHADER)))) == _OUTLINE


_LOOP = """\
%main = OpFunction %void None %fn
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %done %next None
OpBranchConditional %yes %body %done
%body = OpLabel
OpSelectionMerge %next None
OpBranchConditional %yes %next %next
%next = OpLabel
OpBranch %head
%done = OpLabel
OpReturn
OpFunctionEnd
"""


def test_blocks_show_what_merges_make_of_them() -> None:
    (function,) = document_symbols(SourceModule(_LOOP))
    assert [f"{block.name} {block.kind.value}: {block.detail}" for block in function.children] == [
        "%entry block: OpBranch",
        "%head loop header: loop header · OpBranchConditional",
        "%body selection header: selection header · OpBranchConditional",
        "%next continue target: continue target · merge block · OpBranch",
        "%done merge block: merge block · OpReturn",
    ]


def test_a_block_after_the_end_of_the_function_is_in_its_range() -> None:
    _nested(document_symbols(SourceModule(f"{_LOOP}%late = OpLabel\nOpReturn\n")))


def test_sections_follow_the_text() -> None:
    text = "OpCapability Shader\nOpExtension \"a\"\nOpCapability Kernel\n"
    assert [symbol.name for symbol in document_symbols(SourceModule(text))] == ["Capabilities", "Extensions", "Capabilities"]


def _nested(symbols: Iterable[Symbol]) -> None:
    for symbol in symbols:
        assert symbol.name
        assert symbol.range.start <= symbol.selection.start <= symbol.selection.end <= symbol.range.end
        for child in symbol.children:
            assert symbol.range.start <= child.range.start <= child.range.end <= symbol.range.end
        _nested(symbol.children)


@given(texts())
def test_ranges_lie_within_each_other(text: str) -> None:
    _nested(document_symbols(SourceModule(text)))


def test_an_entry_point_shows_its_demangled_name() -> None:
    (section,) = document_symbols(SourceModule('OpEntryPoint Kernel %main "_ZTS5scale"\n'))
    assert [symbol.detail for symbol in section.children] == ["Kernel · typeinfo name for scale"]


def test_a_function_shows_its_demangled_name() -> None:
    source = SourceModule("%_Z6squaref = OpFunction %float None %fn\n%entry = OpLabel\nOpFunctionEnd\n")
    (function,) = (symbol for symbol in document_symbols(source) if symbol.kind is SymbolKind.FUNCTION)
    assert function.detail.startswith("square(float)")


def test_kernels_have_their_arguments() -> None:
    source = SourceModule(text_of(FIXTURES / "kernels" / "reflected.spvasm"))
    listed = "".join(_lines(document_symbols(source)))
    assert listed.endswith(
        "Kernels: section 2\n"
        "  _Z5scalePfi: kernel scale(float*, int)\n"
        "    0 data: argument float* · storage buffer · set 0 binding 0\n"
        "    1 count: argument int · pod push constant · offset 12 4 bytes\n"
        "  clear: kernel\n"
        "    1: argument workgroup · SpecId 0 elements of 4 bytes\n"
    )


def test_a_reflection_that_ends_after_its_set_is_left_out() -> None:
    text = text_of(FIXTURES / "kernels" / "reflected.spvasm").replace("%clspv Kernel %clear %clear_name %u2 %u0 %none", "%clspv")
    listed = "".join(_lines(document_symbols(SourceModule(text))))
    assert "kernel scale(float*, int)" in listed
    assert "  clear: kernel\n" not in listed
