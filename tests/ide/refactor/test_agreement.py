"""A hint stands where, and only where, the action is offered that acts on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from spvls.diagnostic import Position
from spvls.grammar import spv
from spvls.ide.refactor.dead_code import dead_code_refactorings
from spvls.ide.refactor.loop_invariant import loop_invariant_refactorings
from spvls.ide.refactor.promote import promote_refactorings
from spvls.ide.refactor.refactoring import Refactoring
from spvls.ide.refactor.select import select_refactorings
from spvls.ide.refactor.site import Site
from spvls.ide.source.source_module import SourceModule
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from tests.bench.modules import module_text
from tests.corpus import RULES as FOLDERS
from tests.corpus import TEXTS, text_of

Place = tuple[str, Instruction]

OFFERS: tuple[Callable[[Site], Iterator[Refactoring]], ...] = (
    dead_code_refactorings,
    promote_refactorings,
    select_refactorings,
    loop_invariant_refactorings,
)

RULES = {
    "forward-copy": "computation/copy-is-needed",
    "remove-stores": "memory/variable-is-loaded",
    "variable-to-values": "memory/variable-is-needed",
    "if-to-select": "control-flow/branch-is-needed",
    "move-out-of-loop": "control-flow/instruction-depends-on-loop",
}
"""The rules by the actions that do what they advise."""


OPCODES = ("OpCopyObject", "OpLoopMerge", "OpPhi", " Function\n", " Function %")
"""Without any of these, in a text, there is nothing to advise, nor to offer."""


def offered(source: SourceModule) -> set[Place]:
    """The rules whose actions are offered at instructions of functions that could be read."""
    found: set[Place] = set()
    for chunk in source.module.chunks[1:]:
        if not source.module.function(chunk).is_sound:
            continue
        lines = source.document.lines_of(chunk)
        for record in chunk.records:
            if record.result is None and record.opcode.value != spv.OpBranchConditional:
                continue
            site = Site(source, Position(lines[id(record)], record.start))
            assert site.record is record
            found |= {(RULES[offer.key], record) for offers in OFFERS for offer in offers(site) if offer.key in RULES}
    return found


def hinted(source: SourceModule) -> set[Place]:
    """The rules that give hints on these instructions."""
    checker = Checker(source.module, Options(advice=True, simplifications=True))
    return {
        (one.rule.id, one.finding.record)
        for chunk, results in checker.found()
        if chunk.is_function and source.module.function(chunk).is_sound
        for _, one in results.found
        if one.rule.id in RULES.values()
    }


def agreed(text: str) -> set[str]:
    """The rules with hints in a text, where the actions are offered as well."""
    source = SourceModule(text)
    hints = hinted(source)
    assert hints == offered(source), text
    return {rule for rule, _ in hints}


def test_hints_of_fixtures_have_actions_and_actions_have_hints() -> None:
    found: set[str] = set()
    for text in map(text_of, [*TEXTS, *sorted(FOLDERS.glob("**/*.spvasm"))]):
        if any(opcode in text for opcode in OPCODES):
            found |= agreed(text)
    assert found == set(RULES.values())


def test_hints_of_a_long_module_have_actions() -> None:
    assert agreed(module_text(lines=1000)) >= {"memory/variable-is-needed", "control-flow/branch-is-needed"}
