"""The check of the work items of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from spvls.module.context_dependent import EXTENDED
from spvls.module.dependencies import Dependencies, Facts
from spvls.module.module import Module
from spvls.module.signature import SignatureReader
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import UNKNOWN, ContextDependent, Fault, Instruction
from spvls.validate.engine.finding import PAUSE, is_long
from spvls.validate.engine.rule import Groups, Rule, RuleContext
from spvls.validate.engine.rule_finding import RuleFinding, failed
from spvls.validate.engine.verdicts import Verdicts

Kept = TypeVar("Kept")

_STEP = 8
"""Work items that are done in a step, unless a rule pauses or `is_long` says that each rule has a step of its own."""


class ChunkResults:
    """What was found in a chunk, by work item: faults of the text, findings of rules, and which facts they depend on.

    A work item is the check of one instruction, by its number in the chunk, or after these the check of the function as a
    whole by the rules of one module. Facts about the ids that the chunk itself defines are not among those: when one of these
    changes, all of the chunk is checked again.
    """

    __slots__ = ("dependencies", "faults_of", "found_by")

    def __init__(self) -> None:
        self.faults_of: dict[int, tuple[Fault, ...]] = {}
        self.found_by: dict[int, tuple[RuleFinding, ...]] = {}
        self.dependencies = Dependencies()

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """The faults, each with the number of its instruction, in the order of these."""
        return [(item, fault) for item in sorted(self.faults_of) for fault in self.faults_of[item]]

    @property
    def found(self) -> list[RuleFinding]:
        """The findings of rules in the order of their work items."""
        return [finding for item in sorted(self.found_by) for finding in self.found_by[item]]


class ChunkCheck:
    """Runs the rules on a chunk. What they read is recorded in `module.reads`, and then kept with the results."""

    def __init__(self, chunk: Chunk, context: RuleContext, checked: ChunkResults, verdicts: Verdicts) -> None:
        self.shared_state: set[str] = set()
        self._chunk = chunk
        self._context = context
        self._module = context.module
        self._checked = checked
        self._verdicts = verdicts
        self._facts, self._meanwhile = Facts(), Facts()
        self._own = context.module.ids.scope(chunk).definitions
        settles = chunk.is_function and not context.module.has_recursive_types
        self._signatures = SignatureReader(context.module, chunk) if settles else None

    def run(self, items: Iterable[int]) -> Iterator[None]:
        """Check work items, which are in order, some in each step."""
        module, facts, records = self._module, self._facts, self._chunk.records
        count, passed = len(records), 0
        groups, note, own = facts.groups(), self._checked.dependencies.record, self._own
        module.reads = facts
        for item in items:
            if passed < item:
                self._pass_by(records[passed:item])
                passed = item
            if item < count:
                steps = self._check_instruction(item)
            else:
                steps = self._check_function(item)
            for _ in steps:
                module.reads = self._meanwhile
                yield
                module.reads = facts
            if facts.chunk_state:
                self.shared_state |= facts.chunk_state
            facts.without(own)
            note(item, groups)
            if not item % _STEP:
                module.reads = self._meanwhile
                yield
                module.reads = facts
        module.reads = Facts()

    def _pass_by(self, records: Sequence[Instruction]) -> None:
        """Some instructions stand before the next work item: what they define may be used by it."""
        names = [record.result for record in records if record.result is not None]
        self._context.define(names)
        if self._signatures is not None:
            for name in names:
                self._signatures.pass_by(name)

    def _check_instruction(self, item: int) -> Iterable[None]:
        """Check an instruction; returns the steps of what is not done at once."""
        record = self._chunk.records[item]
        self._context.begin(record)
        if is_long(record.operands):
            return self._check_long(item, record)
        faults, inst = readable(record, self._module)
        self._keep_faults(item, faults)
        groups: Groups | None = None
        if inst is not None and self._signatures is not None:
            groups = self._left(inst)
            if groups == _NONE:
                inst = None
        if inst is None:
            _keep(self._checked.found_by, item, ())
            return ()
        return self._kept(item, self._instruction_findings(inst, record, groups))

    def _check_long(self, item: int, record: Instruction) -> Iterator[None]:
        yield
        faults, inst = readable(record, self._module)
        self._keep_faults(item, faults)
        yield
        yield from self._kept(item, self._instruction_findings(inst, record) if inst is not None else iter(()))

    def _left(self, inst: Instruction) -> Groups | None:
        """The rules that must be asked on an instruction; None for all."""
        assert self._signatures is not None
        signature = self._signatures.read(inst)
        verdict = self._verdicts.of(signature) if signature is not None else None
        if verdict is None:
            return None
        self._facts.module.add(verdict)
        if verdict.left is not None:
            return verdict.left
        return self._verdicts.find(verdict, inst, self._context, self._own)

    def _check_function(self, item: int) -> Iterator[None]:
        """Check the function as a whole by the rules of one module."""
        self._context.begin()
        rules = self._context.selection.functions[item - len(self._chunk.records)]
        return self._kept(item, self._function_findings(rules))

    def _kept(self, item: int, steps: Iterator[RuleFinding | None]) -> Iterator[None]:
        """Keep what a work item finds; pauses where it does."""
        found: list[RuleFinding] = []
        for finding in steps:
            if finding is not None:
                found.append(finding)
            else:
                yield
        _keep(self._checked.found_by, item, found)

    def _keep_faults(self, item: int, faults: tuple[Fault, ...]) -> None:
        if faults or self._checked.faults_of:
            _keep(self._checked.faults_of, item, faults)

    def _instruction_findings(
        self, inst: Instruction, record: Instruction, groups: Groups | None = None
    ) -> Iterator[RuleFinding | None]:
        """What rules find on an instruction, which stands in the module as `record`; None is a pause."""
        for rule, finding in self._context.selection.findings(inst, self._context, groups):
            if finding is PAUSE:
                yield None
            elif finding.record is inst or finding.record is record:
                yield RuleFinding(rule, finding, record)
            elif not finding.record.faults:
                yield RuleFinding(rule, finding, finding.record, elsewhere=True)

    def _function_findings(self, rules: tuple[Rule, ...]) -> Iterator[RuleFinding | None]:
        """What rules of a family find on the function at hand as a whole; None is a pause."""
        function = self._context.function
        if function is None or function.damaged:
            return
        pauses = is_long(function.records)
        for rule in rules:
            try:
                for finding in rule.check(function, self._context):
                    yield RuleFinding(rule, finding, finding.record) if finding is not PAUSE else None
            except Exception as error:
                yield failed(rule, function.record, error)
            if pauses:
                yield None


_NONE: Groups = (), ()


def readable(record: Instruction, module: Module) -> tuple[tuple[Fault, ...], Instruction | None]:
    """The faults of an instruction's text, or else the instruction as rules are given it, if they are."""
    if record.faults:
        return record.faults, None
    if record.opcode is UNKNOWN or record.raw:
        return module.resolved(record).faults if ContextDependent in map(type, record.operands) else (), None
    if record.opcode.value in EXTENDED or ContextDependent in map(type, record.operands):
        reading = module.resolved(record)
        if reading.faults:
            return reading.faults, None
        if reading.operands is not record.operands:
            return (), resolved(record, reading.operands)
    return (), record


def _keep(table: dict[int, tuple[Kept, ...]], item: int, items: Sequence[Kept]) -> None:
    """Replace what was found by a work item; nothing is kept where there is nothing."""
    if items:
        table[item] = tuple(items)
    elif item in table:
        del table[item]


def resolved(record: Instruction, operands: tuple[object, ...]) -> Instruction:
    """`record` with its context-dependent operands read."""
    return Instruction(
        record.opcode, record.type, record.result, operands, record.text, record.start, record.end  # type: ignore[arg-type]
    )
