"""What rules say of instructions that are alike is found out once, and is what they would say of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path

import pytest

from spvls.diagnostic import Diagnostic, Position, Range
from spvls.grammar import spv, tables
from spvls.grammar.environments import environment
from spvls.module.dependencies import Dependencies, Facts
from spvls.module.module import Module
from spvls.module.signature import SignatureReader
from spvls.syntax.document import Document
from spvls.syntax.instruction import UNKNOWN, Instruction
from spvls.validate.engine import checker as checking
from spvls.validate.engine import kinds, verdicts
from spvls.validate.engine import rule as registry
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics
from spvls.validate.engine.rule import Findings, Rule, RuleContext
from spvls.validate.engine.verdicts import Verdicts
from spvls.validate.validator import module_of_text
from tests.bench.modules import module_text
from tests.bench.worst_cases import entry_points_of_one_name, redefined_in_functions, unlisted_variables
from tests.validate.cases import Case, case_files, read_cases, settings

_name = re.compile(r"%[A-Za-z0-9_.]+")


def repeated(text: str, times: int = 3) -> str:
    """The text with each function so many times more, with ids of its own: its instructions have the same signatures."""
    functions = [chunk.records for chunk in Document(text).chunks if chunk.is_function]
    parts = [text]
    for time in range(times):
        for records in functions:
            own = {f"%{record.result}" for record in records if record.result is not None}
            lines = "\n".join(record.text[record.start : record.end] for record in records)
            parts.append(_name.sub(lambda name: f"{name[0]}.{time}" if name[0] in own else name[0], lines))  # noqa: B023
    return "\n".join([*parts, ""])


def findings(text: str, case: Case, *, once: bool) -> list[Diagnostic]:
    """What is found in a text with the options of a case: by verdicts, or, unless rules are asked `once`, without."""
    document = Document(text)
    checker = Checker(module_of_text(document, None), Options.of(settings(case.text).options))
    with pytest.MonkeyPatch.context() as patch:
        if not once:
            patch.setattr(SignatureReader, "read", lambda reader, inst: None)
            patch.setattr(SignatureReader, "is_settled", lambda reader, inst: False)
            patch.setattr(Verdicts, "learn", lambda verdicts, verdict, facts, own: None)
            patch.setattr(verdicts, "_is_vain", lambda rule, probe, trial: False)
            patch.setattr(kinds, "_asked", lambda rule, probe, trial: (rule, True))
            patch.setattr(verdicts, "kinds_of", lambda *_: kinds.Kinds())
        return diagnostics(checker, document)


def differing(path: Path) -> list[str]:
    """The cases of a file that have other findings by verdicts than without, where their functions are repeated."""
    texts = [(case, repeated(case.text)) for case in read_cases(path)]
    return [case.title for case, text in texts if findings(text, case, once=True) != findings(text, case, once=False)]


_FOLDERS = ("control_flow", "memory", "id")


@pytest.mark.parametrize("folder", _FOLDERS)
def test_verdicts_change_no_finding(folder: str) -> None:
    assert {path.stem: wrong for path in case_files() if path.parent.name == folder and (wrong := differing(path))} == {}


@pytest.mark.parametrize("folder", ("block_layout", "interface", "memory", "entry_point", "execution_model", "function", "id"))
def test_verdicts_on_what_differs_in_its_result_change_no_finding(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they are found out by the first variable, entry point or function."""
    monkeypatch.setattr(verdicts, "_RARE", 0)
    cases = [case for path in case_files() if path.parent.name == folder for case in read_cases(path)]
    assert cases
    assert [case.title for case in cases if findings(case.text, case, once=True) != findings(case.text, case, once=False)] == []


@pytest.mark.parametrize("folder", ("block_layout", "capability", "constant", "decoration", "interface", "memory", "pointer", "type"))
def test_what_modules_share_changes_no_finding(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of modules that are not edited, those after the first one of an environment share what was found out about shapes."""

    def judged(case: Case) -> list[Diagnostic]:
        document = Document(case.text)
        options = Options.of(settings(case.text).options)
        return diagnostics(Checker(module_of_text(document, None), options, edited=False), document)

    cases = [case for path in case_files() if path.parent.name == folder for case in read_cases(path)]
    shared = [judged(case) for _ in range(2) for case in cases][len(cases) :]
    monkeypatch.setattr(verdicts, "kinds_of", lambda *_: kinds.Kinds())
    assert [case.title for case, found in zip(cases, shared, strict=True) if judged(case) != found] == []


class Calls:
    """Counts how often rules are asked, by their ids."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.of: Counter[str] = Counter()
        made = {rule.id: rule._replace(check=self._counted(rule)) for rule in registry.rules().values()}
        monkeypatch.setattr(registry, "rule_named", made.__getitem__)
        monkeypatch.setattr(checking, "selection_of", registry.Selection)

    def _counted(self, rule: Rule) -> Callable[..., Findings]:
        @wraps(rule.check)
        def check(*arguments: object) -> Findings:
            self.of[rule.id] += 1
            return rule.check(*arguments)

        return check

    def while_(self, work: Callable[[], object]) -> Counter[str]:
        """The calls while something is done."""
        before = self.of.copy()
        work()
        return self.of - before


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return Calls(monkeypatch)


def opened(text: str, env: str = "vulkan1.1") -> tuple[Document, Checker]:
    document = Document(text)
    checker = Checker(Module(document.chunks, environment(env)))
    diagnostics(checker, document)
    return document, checker


def test_modules_that_declare_the_same_share_what_kinds_need(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another capability changes is asked about anew; then both are known."""
    monkeypatch.setattr(checking, "selection_of", cache(registry.Selection))
    other = module_text(functions=1).replace("OpCapability Shader", "OpCapability Shader\nOpCapability Int8", 1)
    texts = [module_text(functions=1), other]
    first, added, again, both = (
        sum(calls.while_(lambda: opened(text)).values()) for text in (texts[0], texts[1], texts[0], texts[1])  # noqa: B023
    )
    assert first > added > both
    assert first - again > 500, (first, again)


def test_modules_that_declare_other_opcodes_do_not_share_what_kinds_need() -> None:
    body = "%f = OpFunction %t None %fn\n%l = OpLabel\n%again = OpTypeVoid\nOpReturn\nOpFunctionEnd\n"
    for void in ("", "%void = OpTypeVoid\n"):
        document = Document(f"OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n{void}{body}")
        found = diagnostics(Checker(Module(document.chunks, environment("vulkan1.1"))), document)
        assert ("type/non-aggregate-type-is-unique" in [said.rule for said in found]) == bool(void)


def edited(document: Document, checker: Checker, line: str, new: str) -> list[Diagnostic]:
    """The findings once a line has become another one."""
    at = document.lines.index(line + "\n")
    checker.update(document.edit([(Range(Position(at, 0), Position(at, len(line))), new)]))
    return diagnostics(checker, document)


def replaced(document: Document, checker: Checker, line: str, new: str) -> None:
    """A line becomes another one, and all is checked that is to be checked again."""
    found = edited(document, checker, line, new)
    fresh = Document(document.text)
    assert found == diagnostics(Checker(Module(fresh.chunks, checker.module.environment)), fresh)


def test_few_rules_are_asked_about_an_instruction(calls: Calls) -> None:
    """Of functions that are alike, those after the first ones cost less than one call an instruction, and 13 without verdicts."""
    few, many = (calls.while_(lambda: opened(module_text(functions=functions))).total() for functions in (20, 60))  # noqa: B023
    instructions = module_text(functions=60).count("\n") - module_text(functions=20).count("\n")
    assert (many - few) / instructions < 0.6


def test_few_rules_are_asked_about_a_variable(calls: Calls) -> None:
    """Of variables alike, each costs seven calls, and 42 where its type and storage class do not decide; its uses cost 27."""
    few, many = (calls.while_(lambda: opened(unlisted_variables(number))).total() for number in (20, 60))  # noqa: B023
    assert (many - few) / 40 < 36


def test_few_rules_are_asked_about_an_entry_point_of_one_name(calls: Calls) -> None:
    """Of entry points that say the same, each after the first ones costs two calls, and 21 where the first does not decide."""
    few, many = (calls.while_(lambda: opened(entry_points_of_one_name(number))).total() for number in (20, 60))  # noqa: B023
    assert (many - few) / 40 < 3


def test_few_rules_are_asked_about_a_function_of_one_name(calls: Calls) -> None:
    """Of functions that have one id and type, each after the first ones costs eleven calls with its body, and 19 where the first
    does not decide."""
    few, many = (calls.while_(lambda: opened(redefined_in_functions(number))).total() for number in (20, 60))  # noqa: B023
    assert (many - few) / 40 < 13


def test_what_rules_say_of_a_kind_in_any_module_is_found_out_once(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of modules that are alike, the second one costs two thirds of the calls of the first one."""
    monkeypatch.setattr(checking, "selection_of", cache(registry.Selection))
    text = module_text(functions=2)
    first, second = (calls.while_(lambda: opened(text)).total() for _ in range(2))
    assert second < 0.7 * first


def test_what_rules_say_of_a_shape_is_found_out_once(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of modules that are alike but for their names, the fourth one costs a fifth of the calls of the first one: the second meets
    shapes, and of those met again it is found out what rules say."""
    monkeypatch.setattr(checking, "selection_of", cache(registry.Selection))

    def judge(text: str) -> None:
        document = Document(text)
        diagnostics(Checker(Module(document.chunks, environment("vulkan1.1")), edited=False), document)

    text = module_text(functions=2)
    first, *_, fourth = (calls.while_(lambda: judge(text.replace("%", f"%{n}_"))).total() for n in "abcd")  # noqa: B023
    assert fourth < 0.25 * first


def test_a_rule_is_in_vain_on_a_kind_for_its_opcode_or_for_the_module() -> None:
    """What a rule looks at first decides: the kind alone, the module, or the instruction."""

    def of_the_kind(inst: Instruction, context: RuleContext) -> Findings:
        if inst.opcode.value != spv.OpLoad:
            yield Finding(inst, 0, "")

    def of_the_module(inst: Instruction, context: RuleContext) -> Findings:
        if context.module.header is None or context.module.type(inst.type) is None:
            yield Finding(inst, 0, "")

    def of_the_instruction(inst: Instruction, context: RuleContext) -> Findings:
        if context.module.type(inst.type) is None:
            yield Finding(inst, 0, "")

    def of_the_options(inst: Instruction, context: RuleContext) -> Findings:
        if not context.options.advice and context.module.environment.api:
            yield Finding(inst, 0, "")

    _, checker = opened(module_text(functions=1))
    context = RuleContext(checker.module, Options(), registry.Selection("vulkan"))
    some = next(iter(registry.rules().values()))
    probe = kinds.Probe(tables.opcode("OpLoad"))
    said = {}
    for check in (of_the_kind, of_the_module, of_the_instruction, of_the_options):
        rule = some._replace(check=check)
        (asked,) = kinds.Kinds().asked("kind", [[rule]], probe, context)
        said[check.__name__] = [by_module for _, by_module in asked]
    assert said == {"of_the_kind": [], "of_the_module": [True], "of_the_instruction": [False], "of_the_options": [False]}


def test_rules_on_the_form_of_a_function_are_asked_once_a_form(calls: Calls) -> None:
    asked = calls.while_(lambda: opened(module_text(functions=20)))
    of_form = [rule.id for rule in registry.rules().values() if rule.of_form]
    assert len(of_form) > 15
    assert max(asked[rule] for rule in of_form) <= 4  # a form, main, and whether it finds anything without a function


def test_annotations_are_asked_only_what_concerns_their_decoration(calls: Calls) -> None:
    def text(decoration: str, count: int) -> str:
        lines = "".join(f"OpDecorate %v{at} {decoration}\n" for at in range(count))
        types = "%float = OpTypeFloat 32\n%p = OpTypePointer Private %float\n"
        variables = "".join(f"%v{at} = OpVariable %p Private\n" for at in range(count))
        return f"OpCapability Shader\nOpMemoryModel Logical GLSL450\n{lines}{types}{variables}"

    for decoration, most in (("RelaxedPrecision", 10), ("Restrict", 11), ("Aliased", 11)):
        few, many = (calls.while_(lambda: opened(text(decoration, count))) for count in (10, 30))  # noqa: B023
        annotating = [rule.id for rule in registry.rules().values() if spv.OpDecorate in (rule.opcodes or ()) or rule.opcodes is None]
        assert sum(many[rule] - few[rule] for rule in annotating) / 20 <= 2 * most


def test_facts_about_own_ids_of_functions_are_not_recorded() -> None:
    _, checker = opened(module_text(functions=4))
    for chunk in checker.module.chunks:
        checked = checker.check(chunk)
        own = {record.result for record in chunk.records}
        recorded: tuple[set[object], ...] = Facts().groups()
        for span in checked.dependencies.facts():
            for group, names in zip(recorded, span, strict=True):
                group.update(names)
        definitions, types, module, *others = recorded
        if chunk.is_function:
            assert not own & {*definitions, *types, *(name for names in others for name in names)}
            assert len(module) < 1.5 * len(chunk.records)


def test_an_id_that_is_defined_elsewhere_too_concerns_the_function_that_defines_it() -> None:
    document, checker = opened(module_text(functions=4))
    replaced(document, checker, "%scaled_2 = OpFMul %v4float %old_2 %tint_2", "%scaled_1 = OpFMul %v4float %old_2 %tint_2")
    replaced(document, checker, "%scaled_1 = OpFMul %v4float %old_2 %tint_2", "%scaled_2 = OpFMul %v4float %old_2 %tint_2")


def test_a_keystroke_in_a_function_concerns_those_who_look_at_its_body(monkeypatch: pytest.MonkeyPatch) -> None:
    document, checker = opened(module_text(functions=20))
    asked: list[object] = []

    def invalidated(_: Dependencies, groups: list[tuple[int, set[object]]]) -> set[int]:
        asked.extend(name for _, names in groups for name in names)
        return set()

    monkeypatch.setattr(Dependencies, "invalidate_groups", invalidated)
    line = "%low_7 = OpFOrdLessThan %bool %x_7 %float_1"
    at = document.lines.index(line + "\n")
    checker.update(document.edit([(Range(Position(at, 0), Position(at, len(line))), line.replace("%x_7", "%x_7 "))]))
    assert {*asked} <= {"%shade_7"}
    assert len(checker.pending()) == 1


def test_what_verdicts_depend_on_makes_them_anew() -> None:
    document, checker = opened(module_text(functions=20))
    replaced(document, checker, "%bool = OpTypeBool", "%bool = OpTypeInt 32 0")
    replaced(document, checker, "%bool = OpTypeInt 32 0", "%bool = OpTypeBool")
    replaced(document, checker, "OpCapability Shader", "OpCapability Kernel")
    replaced(document, checker, "OpCapability Kernel", "OpCapability Shader")
    replaced(document, checker, "%int_0 = OpConstant %int 0", "%int_0 = OpConstant %int 7")
    replaced(document, checker, "%int_0 = OpConstant %int 7", "%int_0 = OpConstant %int 0")
    replaced(document, checker, "OpDecorate %Block Block", "OpDecorate %Block BufferBlock")
    replaced(document, checker, "%base_3 = OpFunctionParameter %v4float", "%base_3 = OpFunctionParameter %v2float")


def test_a_function_in_the_place_of_a_value_is_the_fault_wherever_it_stands() -> None:
    names = ("%kind_0", "%kind_1", "%kind_2")
    text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    uses = "".join(f"{name} = OpCopyObject %void %late\n" for name in names)
    text += f"%f = OpFunction %void None %fn\n%e = OpLabel\n{uses}OpReturn\nOpFunctionEnd\n"
    text += "%late = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n"
    document, checker = opened(text)
    found = [diagnostic.rule for diagnostic in diagnostics(checker, document)]
    assert found.count("id/operand-is-value") == len(names)
    assert "id/is-defined-before-use" not in found


_MET_ONCE = """\
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%void = OpTypeVoid
%u4 = OpConstant %u32 4
%float_1 = OpConstant %f32 1
%variable = OpExtInst %void %debug DebugLocalVariable %name %float %source %u1 %u1 %described %u4
%expression = OpExtInst %void %debug DebugExpression
%main = OpFunction %void None %main_type
%local = OpVariable %local_type Function
%d = OpExtInst %void %debug 32 %variable %local %expression %float_1
"""


def test_an_instruction_that_is_met_once_depends_on_its_ids() -> None:
    document = Document(_MET_ONCE)
    checker = Checker(module_of_text(document, None), Options())
    diagnostics(checker, document)
    checker.update(document.edit([(Range(Position(3, 9), Position(3, 10)), "%expression")]))
    fresh = Document(document.text)
    assert diagnostics(checker, document) == diagnostics(Checker(module_of_text(fresh, None), Options()), fresh)


def test_a_signature_is_never_a_kind() -> None:
    """The operands of OpMemoryModel are equal to False and True, which a kind is known by."""
    document = Document("OpMemoryModel Logical GLSL450\n")
    module = module_of_text(document, None)
    (inst,) = module.chunks[0].records
    known = Verdicts(module)
    signature = inst.opcode.value, None, *inst.operands
    known.on(signature, inst)
    context = registry.RuleContext(module, Options(), registry.Selection(""))
    others = [record for _ in range(3) for record in Document(document.text).records()]
    verdict = [known.on(signature, other) for other in others][-1]
    assert verdict is not None and verdict is not known.on_kind(inst, context, settled=True)


def asked_after(calls: Calls, line: str, new: str, functions: int) -> Counter[str]:
    """How often each rule is asked when a line becomes another one, the second time."""
    document, checker = opened(module_text(functions=functions))
    replaced(document, checker, line, new)
    replaced(document, checker, new, line)
    return calls.while_(lambda: edited(document, checker, line, new))


def test_verdicts_that_are_what_they_were_spare_the_instructions_that_depend_on_them(calls: Calls) -> None:
    few, many = (asked_after(calls, "%v4float = OpTypeVector %float 4", "%v4float = OpTypeVector %float 3", n) for n in (15, 30))
    assert (many.total() - few.total()) / 15 < 16
    assert many["computation/float-operands-match-result"] == few["computation/float-operands-match-result"]


def test_findings_that_name_no_id_of_their_function_are_found_once(calls: Calls) -> None:
    few, many = (asked_after(calls, "%int_0 = OpConstant %int 0", "%int_0 = OpConstant %int 7", n) for n in (15, 30))
    assert many == few


def test_literals_before_the_first_function_concern_those_who_ask_for_them(calls: Calls) -> None:
    few, many = (asked_after(calls, "%float_1 = OpConstant %float 1", "%float_1 = OpConstant %float 2", n) for n in (15, 30))
    assert many == few and many["module/strings-are-utf-8"] == 0


def test_a_verdict_is_made_for_what_is_met_often() -> None:
    """Most instructions of a short module are met a few times: to ask about these is cheaper than to find out what need not be asked."""
    found = Verdicts(module_of_text(Document(module_text(functions=1)), None))
    first, second, third, fourth = (Instruction(UNKNOWN, None, None, ()) for _ in range(4))
    known = [found.on(("a signature",), record) is not None for record in (first, first, second, third, third, fourth, fourth)]
    assert known == [False, False, False, False, False, True, True]
