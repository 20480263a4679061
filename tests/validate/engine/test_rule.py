"""The registry: ids, functions, folders and the order of rules agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

import spvls
from spvls.diagnostic import Severity
from spvls.grammar import spv, tables
from spvls.grammar.environments import environment
from spvls.module.module import Module
from spvls.syntax.document import Document
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.engine import rule as registry
from spvls.validate.engine.finding import PAUSE, Finding
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Findings, Rule, RuleContext, RuleTarget, Selection, folder_title, is_for, rules
from spvls.validate.engine.rule_index import NAMED

_ID = re.compile(r"[a-z]+(-[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")


@pytest.mark.parametrize("rule", rules().values(), ids=rules())
def test_a_rule_stands_in_its_folder_under_its_name(rule: Rule) -> None:
    assert _ID.fullmatch(rule.id)
    folder, _, phrase = rule.id.replace("-", "_").partition("/")
    assert rule.check.__module__.split(".")[:-1] == ["spvls", "validate", "rules", folder]
    assert rule.check.__name__ == phrase


def test_rules_run_in_the_order_of_their_ids_but_after_those_that_they_name() -> None:
    order = {id_: at for at, id_ in enumerate(rules())}
    early = [(rule.id, earlier) for rule in rules().values() for earlier in rule.after if order[rule.id] < order[earlier]]
    assert early == []
    free = [rule.id for rule in rules().values() if not rule.after and not any(rule.id in r.after for r in rules().values())]
    assert free == sorted(free)


def test_a_rule_is_skipped_after_rules_on_the_same_instructions() -> None:
    wrong = [
        f"{rule.id} after {earlier}"
        for rule in rules().values()
        for earlier in rule.after
        if rule.target is not RuleTarget.INSTRUCTION or not {*(rule.opcodes or ())} & {*(rules()[earlier].opcodes or rule.opcodes or ())}
    ]
    assert wrong == []
    assert sum(bool(rule.after) for rule in rules().values()) > 30


def _rules_named_in_functions(path: Path, module: str) -> Iterator[str]:
    """The rules that the bodies of a module's functions name; decorators are where `after` names them."""
    functions = {(rule.check.__module__, rule.check.__name__) for rule in rules().values()}
    tree = ast.parse(path.read_text("utf-8"))
    known = {name: (module, name) for name in dir(import_module(module))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            known.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and known.get(node.id) in functions:
                        yield f"{path.name}:{node.lineno}: {function.name} names {node.id}"


def test_no_rule_runs_another() -> None:
    package = Path(spvls.__file__).parent
    found = [
        fault
        for path in sorted((package / "validate").rglob("*.py"))
        for fault in _rules_named_in_functions(
            path, ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        )
    ]
    assert found == []


def _made(id_: str, speaks: bool, *after: str, severity: Severity = Severity.ERROR) -> Rule:
    def check(inst: Instruction, context: RuleContext) -> Findings:
        if speaks:
            yield Finding(inst, OPCODE, id_)

    return Rule(id_, RuleTarget.INSTRUCTION, check, "1", severity, None, (spv.OpReturn,), frozenset(), after=after)


def _found_by(made: list[Rule], monkeypatch: pytest.MonkeyPatch, wanted: Callable[[Rule], bool] | None = None) -> list[str]:
    monkeypatch.setattr(registry, "_RULES", {rule.id: rule for rule in made})
    monkeypatch.setattr(registry, "RULES", {rule.id: ("", NAMED, "", rule.opcodes) for rule in made})
    selection = Selection("")
    context = RuleContext(Module(Document("").chunks, environment("spv1.6")), Options(), selection)
    inst = Instruction(tables.opcode_by_value(spv.OpReturn), None, None, ())
    found = selection.findings(inst, context) if wanted is None else selection.findings_of(wanted, inst, context)
    return [rule.id for rule, finding in found if finding is not PAUSE]


def test_a_rule_that_was_skipped_has_found_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = [_made("a/a", True), _made("a/b", True, "a/a"), _made("a/c", True, "a/b"), _made("a/d", True, "a/a", "a/c")]
    assert _found_by(chain, monkeypatch) == ["a/a", "a/c"]
    silent = [_made("a/a", False), _made("a/b", True, "a/a"), _made("a/c", True, "a/b"), _made("a/d", True, "a/a", "a/c")]
    assert _found_by(silent, monkeypatch) == ["a/b", "a/d"]


def test_delegation_keeps_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [_made("a/a", True, severity=Severity.WARNING), _made("a/b", True, "a/a"), _made("a/c", True), _made("a/d", True, "a/b")]
    assert _found_by(made, monkeypatch, lambda rule: rule.severity is Severity.ERROR) == ["a/c", "a/d"]


def test_a_finding_that_is_set_aside_still_skips_the_later_rule() -> None:
    text = """\
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical32 OpenCL
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%ptr = OpTypePointer Workgroup %uint
%v = OpVariable %ptr Workgroup
%f = OpFunction %void None %fn
%l = OpLabel
OpLifetimeStart %v 4{}
OpReturn
OpFunctionEnd
"""
    assert [d.rule for d in spvls.validate(text.format(""))] == ["memory/lifetime-is-of-local-variable"]
    assert spvls.validate(text.format(" ; spvls: ignore[memory/lifetime-is-of-local-variable]")) == []


def test_a_rule_may_except_a_client_api() -> None:
    rule = rules()["memory/initializer-fits-storage-class"]
    assert rule.excepted == {"vulkan"}
    assert [is_for(api, "!vulkan") for api in ("", "opencl", "vulkan")] == [True, True, False]
    vulkan = rules()["memory/initializer-fits-vulkan-class"]
    assert vulkan.apis == {"vulkan"}
    assert [is_for(api, "vulkan") for api in ("", "vulkan")] == [False, True]


def test_every_folder_says_what_it_is_about() -> None:
    titles = {rule.folder: folder_title(rule.folder) for rule in rules().values()}
    assert all(title and "\n" not in title for title in titles.values())
    assert len(set(titles.values())) == len(titles)
