"""Findings under edits are those of a validation from scratch."""

from __future__ import annotations

import random
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spvls.diagnostic import Position, Range
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.syntax.instruction import Fault, Instruction
from spvls.validate.engine import chunk_check
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.chunk_check import readable
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics
from tests.bench.modules import module_text
from tests.bench.worst_cases import long_block
from tests.corpus import RULES, text_of

_SHADER = """OpCapability Shader
OpCapability Int64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %colour %in
OpExecutionMode %main OriginUpperLeft
OpName %main "main"
OpName %colour "colour"
OpName %Block "Block"
OpDecorate %colour Location 0
OpDecorate %in Location 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %v RelaxedPrecision
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %group RelaxedPrecision
%group = OpDecorationGroup
OpGroupDecorate %group %w %x
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%v4 = OpTypeVector %float 4
%three = OpConstant %uint 3
%arr = OpTypeArray %float %three
%Block = OpTypeStruct %float
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%pf = OpTypePointer Function %float
%in = OpVariable %pin Input
%colour = OpVariable %pout Output
%pblock = OpTypePointer Uniform %Block
%pmember = OpTypePointer Uniform %float
%buffer = OpVariable %pblock Uniform
%zero = OpConstant %int 0
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%c = OpConstantComposite %v4 %f0 %f1 %f0 %f1
%ffn = OpTypeFunction %float %float
%helper = OpFunction %float None %ffn
%p = OpFunctionParameter %float
%hl = OpLabel
%hv = OpVariable %pf Function
OpStore %hv %p
%hr = OpFAdd %float %p %f1
OpReturnValue %hr
OpFunctionEnd
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpLoad %v4 %in
%w = OpFAdd %v4 %v %c
%x = OpCompositeExtract %float %w 0
%y = OpFunctionCall %float %helper %x
%s = OpExtInst %float %glsl Sqrt %y
%cond = OpFOrdLessThan %bool %s %f1
OpSelectionMerge %end None
OpBranchConditional %cond %then %end
%then = OpLabel
OpStore %colour %w
%at = OpAccessChain %pmember %buffer %zero
%got = OpLoad %float %at
OpStore %colour %c
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""

_PIECES = [
    "", " ", "\n", "%", "%v4", "%float", "%int", "%f1", "%c", "%main", "%helper", "OpReturn\n", "OpFunctionEnd\n", "0", "1", "x",
    "OpCapability Float64\n", "OpCapability Kernel\n", "%q = OpConstant %float 2\n", "OpDecorate %c RelaxedPrecision\n",
    "%zero", "%zero = OpConstant %int 1\n", "%gone", "%x = OpFAdd %gone %gone %f1\n", "OpGroupDecorate %group %c\n",
    "; spvls: ignore[id/is-defined-before-use]\n", "; spvls: target-env=spv1.8\n",
    "%then = OpLabel\n", "OpBranch %end\n", "OpMemberDecorate %Block 0 Offset 4\n", "%float = OpTypeFloat 64\n", '"', "; ",
]  # fmt: skip


def _key(document: Document, checker: Checker) -> list[tuple[object, ...]]:
    found = diagnostics(checker, document)
    return [(d.range, d.rule, d.message, d.instruction, d.vuid, d.related, d.fixes) for d in found]


def _random_edit(document: Document, chance: random.Random) -> tuple[Range, str]:
    line = chance.randrange(len(document.lines))
    kind = chance.randrange(4)
    if kind == 0:  # a line goes
        return Range(Position(line, 0), Position(line + 1, 0)), ""
    if kind == 1:  # a line moves here
        return Range(Position(line, 0), Position(line, 0)), chance.choice(document.lines)
    start = chance.randrange(len(document.lines[line]) + 1)
    end = min(start + chance.choice([0, 0, 1, 3, 8]), len(document.lines[line]))
    return Range(Position(line, start), Position(line, end)), chance.choice(_PIECES)


@given(st.integers(0, 2**32), st.sampled_from(["spv1.6", "vulkan1.2"]))
def test_incremental_is_from_scratch(seed: int, env: str) -> None:
    chance = random.Random(seed)
    target = environment(env)
    document = Document(_SHADER)
    checker = Checker(Module(document.chunks, target))
    diagnostics(checker, document)
    for _ in range(6):
        edits = [_random_edit(document, chance) for _ in range(chance.choice([1, 1, 2]))]
        checker.update(document.edit(edits))
        if chance.randrange(2):  # the checks are begun, and given up when the next edit comes
            for chunk in checker.pending():
                for _ in islice(checker.steps(chunk), chance.randrange(4)):
                    checker.module.type("float")
            edits.append(_random_edit(document, chance))
            checker.update(document.edit(edits[-1:]))
        fresh = Document(document.text)
        assert document.directives == fresh.directives
        for edited in (True, False):
            assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, target), edited=edited)), (seed, edits)


def _opened(text: str) -> tuple[Document, Checker]:
    document = Document(text)
    checker = Checker(Module(document.chunks, environment("spv1.6")))
    diagnostics(checker, document)
    return document, checker


def _checked_by(document: Document, checker: Checker, line: str, new: str) -> list[str]:
    """The instructions of functions, as they stand there, that are checked again when a line becomes another one."""
    at = document.lines.index(line + "\n")
    checker.update(document.edit([(Range(Position(at, 0), Position(at, len(line))), new)]))
    again: list[str] = []

    outside = {id(record) for record in document.chunks[0].records}

    def read(record: Instruction, module: Module) -> tuple[tuple[Fault, ...], Instruction | None]:
        if id(record) not in outside:
            again.append(record.text.strip())
        return readable(record, module)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_check, "readable", read)
        found = _key(document, checker)
    fresh = Document(document.text)
    assert found == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))
    return again


def test_another_value_concerns_those_who_asked_for_it() -> None:
    document, checker = _opened(_SHADER)
    assert _checked_by(document, checker, "%f0 = OpConstant %float 0", "%f0 = OpConstant %float 2") == []
    again = _checked_by(document, checker, "%zero = OpConstant %int 0", "%zero = OpConstant %int 1")
    assert "%at = OpAccessChain %pmember %buffer %zero" in again
    assert set(again) <= {"%at = OpAccessChain %pmember %buffer %zero", "%got = OpLoad %float %at"}


def test_an_id_that_goes_concerns_those_who_name_it() -> None:
    document, checker = _opened(_SHADER)
    again = _checked_by(document, checker, "%f1 = OpConstant %float 1", "%f2 = OpConstant %float 1")
    named = {line.strip() for line in document.lines[document.lines.index("%helper = OpFunction %float None %ffn\n") :]}
    assert set(again) >= {line for line in named if "%f1" in line}
    assert len(again) < len(named) / 2


def test_what_is_told_once_is_told_by_the_first() -> None:
    first, second = "%x1 = OpFAdd %float %gone %p", "%x2 = OpFAdd %float %gone %f1"
    document, checker = _opened(_SHADER.replace("%hr = ", f"{first}\n{second}\n%hr = "))
    again = _checked_by(document, checker, "%f1 = OpConstant %float 1", "%f1 = OpConstant %uint 1")
    assert {first, second} <= set(again)  # both may tell of %gone


def test_what_the_first_tells_no_more_is_told_by_the_next() -> None:
    first, second = "%x1 = OpExtInst %float %glsl Sqrt %gone", "%x2 = OpFAdd %float %gone %p"
    document, checker = _opened(_SHADER.replace("%hr = ", f"{first}\n{second}\n%hr = "))
    again = _checked_by(document, checker, '%glsl = OpExtInstImport "GLSL.std.450"', '%glsl = OpString "GLSL.std.450"')
    assert {first, second} <= set(again)


def test_who_comes_to_tell_hears_what_was_told() -> None:
    first, second = "%x1 = OpFAdd %float %gone %p", "%x2 = OpExtInst %float %glsl Sqrt %gone"
    text = _SHADER.replace("%hr = ", f"{first}\n{second}\n%hr = ").replace('%glsl = OpExtInstImport', '%glsl = OpString')
    document, checker = _opened(text)
    again = _checked_by(document, checker, '%glsl = OpString "GLSL.std.450"', '%glsl = OpExtInstImport "GLSL.std.450"')
    assert {first, second} <= set(again)


def test_a_constant_in_a_function_hangs_on_its_type() -> None:
    text = _SHADER.replace("%hl = OpLabel\n", "%hl = OpLabel\n%inner = OpConstant %int 0\n").replace("%zero\n", "%inner\n")
    document, checker = _opened(text)
    again = _checked_by(document, checker, "%int = OpTypeInt 32 1", "%gone = OpTypeInt 32 1")
    assert "%at = OpAccessChain %pmember %buffer %inner" in again


def test_the_order_of_sections_hangs_on_the_types_that_constants_name() -> None:
    text = _SHADER.replace("%zero = OpConstant %int 0\n", "").replace("%zero\n", "%early\n")
    text = text.replace("OpMemoryModel", "%early = OpConstant %late 0\nOpMemoryModel").replace("%hl = OpLabel\n", "%hl = OpLabel\n%late = OpTypeBool\n")
    document, checker = _opened(text)
    assert not _of_rule("module/sections-are-in-order", document, checker)
    checker.update(document.edit([(_line(document, "%late = OpTypeBool"), "%late = OpTypeInt 32 1")]))
    fresh = Document(document.text)
    assert _of_rule("module/sections-are-in-order", document, checker)
    assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))


def test_a_cycle_of_types_in_functions_does_not_hang_on_their_order() -> None:
    text = _SHADER.replace("%hl = OpLabel\n", "%hl = OpLabel\n%twice = OpTypeArray %int %three\n")
    text += "%last = OpFunction %void None %fn\n%ll = OpLabel\n%twice = OpTypeArray %uint %three\nOpReturn\nOpFunctionEnd\n"
    document, checker = _opened(text)
    checker.update(document.edit([(_line(document, "%twice = OpTypeArray %int %three"), "%twice = OpTypeArray %twice %three")]))
    fresh = Document(document.text)
    assert _of_rule("type/is-not-recursive", document, checker)
    assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))


def test_a_fix_names_the_first_pointer_type_that_fits() -> None:
    text = _SHADER.replace("OpAccessChain %pmember", "OpAccessChain %pblock")
    text = text.replace("%pblock = ", "%early = OpTypePointer Uniform %uint\n%pblock = ")
    document, checker = _opened(text)
    checker.update(document.edit([(_line(document, "%early = OpTypePointer Uniform %uint"), "%early = OpTypePointer Uniform %float")]))
    fresh = Document(document.text)
    found = _key(document, checker)
    assert any(fix.title == "Make it %early" for *_, fixes in found if isinstance(fixes, tuple) for fix in fixes)
    assert found == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))


def test_a_definition_that_is_moved_concerns_those_who_ask_for_its_place() -> None:
    array, later = "%arr = OpTypeRuntimeArray %int\n", "%three = OpConstant %uint 3\n"
    text = _SHADER.replace("%arr = OpTypeArray %float %three\n", "").replace(later, f"{array}OpNop\n{later}OpUndef\n")
    text += "OpDecorateId %arr UniformId %three\n"
    document, checker = _opened(text)
    rule = "decoration/id-operands-precede-target"
    assert _of_rule(rule, document, checker)
    at, to = document.lines.index(array), document.lines.index("OpUndef\n")
    checker.update(document.edit([(_whole(to), array), (_whole(at), "OpUndef\n")]))
    assert not _of_rule(rule, document, checker)
    fresh = Document(document.text)
    assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))


def _whole(line: int) -> Range:
    return Range(Position(line, 0), Position(line + 1, 0))


def test_the_first_use_that_an_entry_point_reaches_is_at_fault() -> None:
    text = text_of(RULES / "entry-point/fast-math-default-fits-decorations.spvasm")
    text = text.replace("OpDecorate %r NoContraction", "OpDecorate %f NoContraction")
    sum_ = "          %r = OpFAdd %float %f %f"
    document, checker = _opened(text.replace(sum_, f"{sum_}\n          %s = OpFSub %float %f %f"))
    checker.update(document.edit([(_line(document, sum_), sum_.replace("FAdd", "FMul"))]))
    rule = "entry-point/fast-math-default-fits-decorations"
    [(place, _)] = _of_rule(rule, document, checker)
    assert document.lines[place.start.line].strip() == "%r = OpFMul %float %f %f"


def test_a_use_of_a_resource_concerns_its_declaration() -> None:
    text = _SHADER.replace("OpDecorate %buffer DescriptorSet 0\n", "")
    document = Document(text)
    checker = Checker(Module(document.chunks, environment("vulkan1.2")), Options(before_hlsl_legalization=True))
    rule = "memory/resource-has-set-and-binding"
    assert _of_rule(rule, document, checker)
    at = "%at = OpAccessChain %pmember %buffer %zero"
    checker.update(document.edit([(_line(document, at), "")]))
    assert not _of_rule(rule, document, checker)
    checker.update(document.edit([(_line(document, ""), at)]))
    assert _of_rule(rule, document, checker)


def _of_rule(rule: str, document: Document, checker: Checker) -> list[tuple[Range, object]]:
    return [(found.range, found.message) for found in diagnostics(checker, document) if found.rule == rule]


def test_a_decoration_of_a_group_concerns_its_members() -> None:
    chunk = "OpDecorate %group NonUniform"
    document, checker = _opened(_SHADER.replace("OpDecorate %group RelaxedPrecision", chunk))
    changed = checker.module.update(document.edit([(_line(document, chunk), "OpDecorate %group Restrict")]))
    assert changed.decorations >= {"group", "w", "x"}


def _line(document: Document, line: str) -> Range:
    at = document.lines.index(line + "\n")
    return Range(Position(at, 0), Position(at, len(line)))


def test_a_fix_before_the_first_instruction_follows_it() -> None:
    head, rest = "OpMemoryModel Logical GLSL450\n", _SHADER.partition('"main" %colour %in\n')[2]
    body = rest.replace("OpStore %colour %w\n", "OpStore %colour %w\nOpKill\n")
    for first in ("OpName %main \"main\"\n", "%name = OpString \"s\"\n", "OpNop\n"):
        document, checker = _opened(first + head + body)
        checker.update(document.edit([(Range(Position(0, 0), Position(1, 0)), "")]))
        fresh = Document(document.text)
        assert any(fix for *_, fix in _key(document, checker))
        assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, environment("spv1.6"))))


def test_a_fix_before_the_declarations_follows_them() -> None:
    dropped = ("OpDecorate", "OpGroup", "%group")
    text = "".join(line for line in _SHADER.splitlines(keepends=True) if not line.startswith(dropped))
    variable = "%buffer = OpVariable %pblock Uniform\n"
    text = text.replace("OpMemberDecorate %Block 0 Offset 0\n", "OpNoLine\n").replace(variable, "") + variable
    target = environment("vulkan1.2")
    document = Document(text)
    checker = Checker(Module(document.chunks, target))
    diagnostics(checker, document)
    at = document.lines.index("OpNoLine\n")
    checker.update(document.edit([(Range(Position(at, 0), Position(at + 1, 0)), "")]))
    found = _key(document, checker)
    assert any("DescriptorSet" in fix.title for *_, fixes in found if isinstance(fixes, tuple) for fix in fixes)
    fresh = Document(document.text)
    assert found == _key(fresh, Checker(Module(fresh.chunks, target)))


POINTERS = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffer
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpMemberDecorate %Block 0 ColMajor
OpMemberDecorate %Block 0 MatrixStride 16
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%m4 = OpTypeMatrix %v4 4
%Block = OpTypeStruct %m4
%p = OpTypePointer StorageBuffer %Block
%p_m4 = OpTypePointer StorageBuffer %m4
%buffer = OpVariable %p StorageBuffer
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%main = OpFunction %void None %fn
%l = OpLabel
%a = OpAccessChain %p_m4 %buffer %zero
%s = OpSelect %p_m4 %true %a %a
%m = OpLoad %m4 %s
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("capability", ["VariablePointersStorageBuffer", "MeshShadingEXT", "ShaderNonUniform", "Kernel"])
def test_a_capability_calls_for_the_rules_that_need_it(capability: str) -> None:
    """All is checked anew, with the rules that find nothing without the capability, and without them once it is gone."""
    document, checker = _opened(POINTERS)
    before = _key(document, checker)
    first = document.lines[0]
    line = f"OpCapability {capability}\n"
    for span, text in ((_whole(0), first + line), (Range(Position(1, 0), Position(2, 0)), "")):
        checker.update(document.edit([(span, text)]))
        fresh = Document(document.text)
        assert _key(document, checker) == _key(fresh, Checker(Module(fresh.chunks, checker.module.environment)))
    assert _key(document, checker) == before


def test_a_long_function_is_checked_in_short_steps() -> None:
    document = Document(long_block(4000))
    checker = Checker(Module(document.chunks, environment("spv1.6")))
    met: list[int] = []
    for chunk in checker.pending():
        count = sum(1 for _ in checker.steps(chunk))
        assert count >= len(chunk.records) // 8
        met.append(count)
    assert sum(met) >= 500
    assert checker.pending() == []


def test_a_keystroke_in_a_function_takes_as_many_calls_in_a_longer_module() -> None:
    few, many = (_calls_of_a_keystroke(functions) for functions in (10, 100))
    assert many - few < 10, (few, many)


def _calls_of_a_keystroke(functions: int) -> int:
    """The calls of functions, those of the interpreter too, from a letter typed after an operand to all findings, the second time."""
    document, checker = _opened(module_text(functions=functions))
    row = next(row for row, line in enumerate(document.lines) if line.startswith("%scaled_5 ="))
    end = len(document.lines[row]) - 1
    called = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    for old, new in (("", "x"), ("x", ""), ("", "x")):
        called = 0
        sys.setprofile(count)
        try:
            checker.update(document.edit([(Range(Position(row, end), Position(row, end + len(old))), new)]))
            found = diagnostics(checker, document)
        finally:
            sys.setprofile(None)
        assert any("%tint_5x" in one.message for one in found) is bool(new)
    return called
