"""Running the rules, again and again as the module is edited.

What was found in a chunk stands until an edit changes its instructions. An edit elsewhere may change facts that were read
while it was checked: then the work items that depend on these are run again, and no others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TypeVar

from spvls.module.context_dependent import EXTENDED
from spvls.module.dependencies import Dependencies, Facts
from spvls.module.module import Module
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import UNKNOWN, ContextDependent, Fault, Instruction
from spvls.validate.engine.finding import HEADER, PAUSE, is_long
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Rule, RuleContext, selection_of
from spvls.validate.engine.rule_finding import RuleFinding, failed

Kept = TypeVar("Kept")

_STEP = 8
"""Work items that are done in a step, unless a rule pauses or `is_long` says that each rule has a step of its own."""


class ChunkResults:
    """What was found in a chunk, by work item: faults of the text, findings of rules, and which facts they depend on.

    A work item is the check of one instruction, by its number in the chunk, or after these the check of the function as a
    whole by the rules of one module.
    """

    __slots__ = ("dependencies", "faults_of", "found_by")

    def __init__(self, items: int) -> None:
        self.faults_of: dict[int, tuple[Fault, ...]] = {}
        self.found_by: dict[int, tuple[RuleFinding, ...]] = {}
        self.dependencies = Dependencies(items)

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """The faults, each with the number of its instruction, in the order of these."""
        return [(item, fault) for item in sorted(self.faults_of) for fault in self.faults_of[item]]

    @property
    def found(self) -> list[RuleFinding]:
        """The findings of rules in the order of their work items."""
        return [finding for item in sorted(self.found_by) for finding in self.found_by[item]]


class Checker:
    """The findings of a module under edits."""

    def __init__(self, module: Module, options: Options | None = None) -> None:
        self.module = module
        self.options = options or Options()
        self._selection = selection_of(module.environment.api)
        self._checked: dict[int, tuple[Chunk, ChunkResults]] = {}
        self._stale: dict[int, set[int]] = {}
        self._module_found: list[RuleFinding] | None = None

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit: forget what may no longer hold. The module is brought up to date as well."""
        changes = list(changes)
        self._module_found = None
        changed = self.module.update(changes)
        for chunk, _, _ in changes:
            self._checked.pop(id(chunk), None)
            self._stale.pop(id(chunk), None)
        groups = [(kind, names) for kind, names in enumerate(changed.groups()) if names]
        if groups:
            for key, (_, checked) in self._checked.items():
                items = checked.dependencies.invalidate_groups(groups)
                if items:
                    self._stale.setdefault(key, set()).update(items)

    def pending(self) -> list[Chunk]:
        """The chunks that are still to be checked."""
        checked, stale = self._checked, self._stale
        return [chunk for chunk in self.module.chunks if id(chunk) not in checked or id(chunk) in stale]

    def check(self, chunk: Chunk) -> ChunkResults:
        """What there is to find in a chunk; run now as far as it is not known."""
        for _ in self.steps(chunk):
            pass
        return self._checked[id(chunk)][1]

    def steps(self, chunk: Chunk) -> Iterator[None]:
        """Check a chunk in short steps, as far as it is not known what there is to find in it.

        The module may be asked anything between two steps. Give the rest of the steps up when it is edited.
        """
        known = self._checked.get(id(chunk))
        if known is None:
            items = len(chunk.records) + (len(self._selection.functions) if chunk.is_function else 0)
            checked = ChunkResults(items)
            yield from self._run(chunk, checked, range(items))
            self._checked[id(chunk)] = chunk, checked
        elif id(chunk) in self._stale:
            yield from self._check_again(chunk, known[1], self._stale[id(chunk)])
            self._stale.pop(id(chunk), None)

    def results(self) -> Iterator[tuple[Chunk, ChunkResults]]:
        """All chunks with what was found in them, in order; what is pending is checked."""
        for chunk in self.module.chunks:
            yield chunk, self.check(chunk)

    def module_findings(self) -> list[RuleFinding]:
        """What the rules on the module as a whole find; run now unless it is known."""
        for _ in self.module_steps():
            pass
        assert self._module_found is not None
        return self._module_found

    def module_steps(self) -> Iterator[None]:
        """Run the rules on the module as a whole, unless that is done, in short steps; for these holds what `steps` says."""
        if self._module_found is not None:
            return
        context = RuleContext(self.module, self.options, self._selection)
        self.module.reads = Facts()
        found: list[RuleFinding] = []
        for rule in self._selection.modules:
            try:
                for finding in rule.check(context):
                    if finding is PAUSE:
                        yield
                    elif not finding.record.faults:
                        found.append(RuleFinding(rule, finding, finding.record))
            except Exception as error:
                found.append(failed(rule, HEADER, error))
            yield
        self._module_found = found

    def _check_again(self, chunk: Chunk, checked: ChunkResults, items: set[int]) -> Iterator[None]:
        """Check some work items of a chunk that is as it was, and all that share state with them, which are added to these."""
        dependencies = checked.dependencies
        while True:
            shared = dependencies.state_of(items)
            while shared.chunk_state:
                items |= dependencies.invalidate(shared)
                shared = dependencies.state_of(items)
            dependencies.forget(items)
            shared_state = yield from self._run(chunk, checked, sorted(items))
            others = dependencies.sharing(shared_state) - items if shared_state else None
            if not others:
                return
            items |= others

    def _run(self, chunk: Chunk, checked: ChunkResults, items: Iterable[int]) -> Generator[None, None, set[str]]:
        """Check work items, which are in order, some in each step; returns the names of the state that they share."""
        module = self.module
        facts, meanwhile = Facts(), Facts()
        module.reads = meanwhile
        groups = facts.groups()
        shared_state: set[str] = set()
        context = RuleContext(module, self.options, self._selection)
        if chunk.is_function:
            context.function = module.function(chunk)
            if is_long(chunk.records):
                yield
                yield from context.function.dominance_steps()
        module.reads = facts
        records = chunk.records
        seen, passed = context.defined_ids, 0
        count, families = len(records), self._selection.functions
        faults_of, found_by, note = checked.faults_of, checked.found_by, checked.dependencies.record
        for item in items:
            while passed < item and passed < count:
                name = records[passed].result
                if name is not None:
                    seen.add(name)
                passed += 1
            context.begin()
            faults: tuple[Fault, ...] = ()
            found: list[RuleFinding] = []
            if item < count:
                faults, inst = self._readable(records[item])
                if is_long(records[item].operands):
                    module.reads = meanwhile
                    yield
                    module.reads = facts
                steps = self._instruction_findings(inst, records[item], context) if inst is not None else ()
            else:
                steps = self._function_findings(families[item - count], context)
            for finding in steps:
                if finding is not None:
                    found.append(finding)
                    continue
                module.reads = meanwhile
                yield
                module.reads = facts
            if faults or item in faults_of:
                _keep(faults_of, item, faults)
            if found or item in found_by:
                _keep(found_by, item, found)
            if facts.chunk_state:
                shared_state |= facts.chunk_state
            note(item, groups)
            if not item % _STEP or (item + 1 < count and is_long(records[item + 1].operands)):
                module.reads = meanwhile
                yield
                module.reads = facts
        module.reads = Facts()
        return shared_state

    def _readable(self, record: Instruction) -> tuple[tuple[Fault, ...], Instruction | None]:
        """The faults of an instruction's text, or else the instruction as rules are given it, if they are."""
        if record.faults:
            return record.faults, None
        opcode = record.opcode
        if opcode is UNKNOWN or record.raw:
            return self.module.resolved(record).faults if ContextDependent in map(type, record.operands) else (), None
        inst = record
        name = opcode.value
        if name in EXTENDED or ContextDependent in map(type, record.operands):
            reading = self.module.resolved(record)
            if reading.faults:
                return reading.faults, None
            if reading.operands is not record.operands:
                inst = resolved(record, reading.operands)
        return (), inst

    def _instruction_findings(
        self, inst: Instruction, record: Instruction, context: RuleContext
    ) -> Iterator[RuleFinding | None]:
        """What rules find on an instruction, which stands in the module as `record`; None is a pause."""
        context.record = record
        for rule, finding in self._selection.findings(inst, context):
            if finding is PAUSE:
                yield None
            elif finding.record is inst or finding.record is record:
                yield RuleFinding(rule, finding, record)
            elif not finding.record.faults:
                yield RuleFinding(rule, finding, finding.record, elsewhere=True)

    def _function_findings(self, rules: tuple[Rule, ...], context: RuleContext) -> Iterator[RuleFinding | None]:
        """What rules of a family find on the function at hand as a whole; None is a pause."""
        function = context.function
        if function is None or function.damaged:
            return
        pauses = is_long(function.records)
        for rule in rules:
            try:
                for finding in rule.check(function, context):
                    yield RuleFinding(rule, finding, finding.record) if finding is not PAUSE else None
            except Exception as error:
                yield failed(rule, function.record, error)
            if pauses:
                yield None


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
