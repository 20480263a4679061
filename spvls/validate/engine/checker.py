"""Running the rules, again and again as the module is edited.

What was found in a chunk stands until an edit changes its instructions. An edit elsewhere may change facts that were read
while it was checked: then the work items that depend on these are run again, and no others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from operator import attrgetter, is_

from spvls.grammar import spv
from spvls.module.dependencies import Askers, Facts
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import Instruction
from spvls.typed import Any
from spvls.validate.engine.chunk_check import ChunkCheck, ChunkResults
from spvls.validate.engine.finding import HEADER, MANY, PAUSE, is_long
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import RuleContext, RuleFinding, failed, present_in, selection_of
from spvls.validate.engine.verdicts import Verdict, Verdicts

_CAPABILITIES = (spv.OpCapability, spv.OpConditionalCapabilityINTEL)


class Checker:
    """The findings of a module under edits; of one that is not `edited`, `update` must not be called, and less is kept."""

    def __init__(self, module: Module, options: Options | None = None, *, edited: bool = True) -> None:
        self.module = module
        self._edited = edited
        self.options = options or Options()
        self._present = present_in(module, self.options)
        self._selection = selection_of(module.environment.api, self._present)
        self._unchecked = {id(chunk): chunk for chunk in module.chunks}
        self._checked: dict[int, tuple[Chunk, ChunkResults]] = {}
        self._stale: dict[int, set[int]] = {}
        self._with_findings: set[int] = set()
        self._module_found: list[RuleFinding] | None = None
        self._verdicts = Verdicts(module, edited=edited)
        self._asked = Askers()
        #: Results that no longer hold; to free them takes long, and waits until the chunk is checked again.
        self._outdated: list[tuple[Chunk, ChunkResults]] = []
        #: What is read when it is of no matter who asks.
        self._meanwhile = Facts()

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit: forget what may no longer hold. The module is brought up to date as well."""
        changes = list(changes)
        self._module_found = None
        self.module.reads = self._meanwhile = Facts()
        changed = self.module.update(changes)
        main = self.module.chunks[0]
        again = self._literals_changed(main) if any(chunk is main for chunk, _, _ in changes) else None
        for chunk, _, _ in changes:
            if chunk is not main or again is None:
                self._forget(chunk)
        for chunk in self.module.ids.defining_chunks(changed.of_ids()):
            if chunk is not main or again is None:
                self._forget(chunk)
        if again is not None:
            self._stale.setdefault(id(main), set()).update(again)
        calls_others = any(chunk is main and _declare_capabilities(removed, added) for chunk, removed, added in changes)
        if (calls_others and self._select()) or self._verdicts.is_full:
            self._verdicts = Verdicts(self.module)
            self._unchecked = {id(chunk): chunk for chunk in self.module.chunks}
            self._checked.clear()
            self._stale.clear()
            self._with_findings.clear()
            self._asked = Askers()
        self._verdicts.invalidate(changed, self._holds)
        groups, only = self._asked.take(changed)
        if groups:
            for key in self._checked.keys() if only is None else only & self._checked.keys():
                items = self._checked[key][1].dependencies.invalidate_groups(groups)
                if items:
                    self._stale.setdefault(key, set()).update(items)

    def _select(self) -> bool:
        """Whether the capabilities that the module declares call for other rules than before."""
        before, self._present = self._present, present_in(self.module, self.options)
        if self._present != before:
            self._selection = selection_of(self.module.environment.api, self._present)
        return self._present != before

    def _literals_changed(self, main: Chunk) -> list[int] | None:
        """The numbers of the instructions before the first function that an edit has made into others, where these differ in
        literals alone; None where more is different, or where findings name instructions that may be gone."""
        _, checked = self._checked.get(id(main), (main, None))
        if checked is None or checked.found_by or checked.faults_of or len(checked.records) != len(main.records):
            return None
        others = [at for at, same in enumerate(map(is_, checked.records, main.records)) if not same]
        if not all(_alike(checked.records[at], main.records[at]) for at in others):
            return None
        for at in others:
            checked.records[at] = main.records[at]
        return others

    def _forget(self, chunk: Chunk) -> None:
        """What was found in a chunk no longer holds; one that is gone is not checked again."""
        if chunk.records or chunk is self.module.chunks[0]:
            self._unchecked[id(chunk)] = chunk
        else:
            self._unchecked.pop(id(chunk), None)
        outdated = self._checked.pop(id(chunk), None)
        if outdated is not None and is_long(chunk.records):
            self._outdated.append(outdated)
        self._stale.pop(id(chunk), None)
        self._with_findings.discard(id(chunk))

    def pending(self) -> list[Chunk]:
        """The chunks that are still to be checked, by the lines of a text that they begin on."""
        waiting = [*self._unchecked.values(), *(self._checked[key][0] for key in self._stale)]
        return sorted(waiting, key=attrgetter("first"))

    def check(self, chunk: Chunk) -> ChunkResults:
        """What there is to find in a chunk; run now as far as it is not known."""
        for _ in self.steps(chunk):
            pass
        return self._checked[id(chunk)][1]

    def steps(self, chunk: Chunk) -> Iterator[None]:
        """Check a chunk in short steps, as far as it is not known what there is to find in it.

        The module may be asked anything between two steps. Give the rest of the steps up when it is edited.
        """
        key = id(chunk)
        known = self._checked.get(key)
        if known is None:
            checked = ChunkResults()
            yield from self._run(chunk, checked, range(len(chunk.records) + chunk.is_function))
            if not chunk.is_function:
                checked.records = chunk.records.copy()
            self._checked[key] = chunk, checked
            self._unchecked.pop(key, None)
        elif key in self._stale:
            checked = known[1]
            yield from self._check_again(chunk, checked, self._stale[key])
            self._stale.pop(key, None)
        else:
            return
        if checked.found_by or checked.faults_of:
            self._with_findings.add(key)
        else:
            self._with_findings.discard(key)

    def found(self) -> Iterator[tuple[Chunk, ChunkResults]]:
        """The chunks in which something was found, in order, with what that is; what is pending is checked."""
        for chunk in self.pending():
            self.check(chunk)
        keys = self._with_findings
        if len(keys) > 1:  # in the order of the module
            yield from [self._checked[id(chunk)] for chunk in self.module.chunks if id(chunk) in keys]
        else:
            yield from [self._checked[key] for key in keys]

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
        self.module.reads = self._meanwhile
        found: list[RuleFinding] = []
        for rule in self._selection.modules:
            try:
                for finding in rule.check(context):
                    if finding is PAUSE or not (len(found) + 1) % MANY:
                        yield
                    if finding is not PAUSE and not finding.record.faults:
                        found.append(RuleFinding(rule, finding, finding.record))
            except Exception as error:
                found.append(failed(rule, HEADER, error))
            yield
        self._module_found = found

    def _check_again(self, chunk: Chunk, checked: ChunkResults, items: set[int]) -> Iterator[None]:
        """Check some work items of a chunk that is as it was, and all that share state with them, which are added to these."""
        dependencies = checked.dependencies
        while True:
            while shared := dependencies.state_of(items):
                more = dependencies.sharing(shared)
                if more <= items:
                    break
                items |= more
            if shared:
                dependencies.forget_state(items)
            shared_state = yield from self._run(chunk, checked, sorted(items), again=True)
            yield
            others = dependencies.sharing(shared_state) - items if shared_state else None
            if not others:
                return
            items |= others

    def _run(
        self, chunk: Chunk, checked: ChunkResults, items: Iterable[int], *, again: bool = False
    ) -> Generator[None, None, set[str]]:
        """Check work items, which are in order, some in each step; returns the names of the state that they share."""
        module = self.module
        module.reads = self._meanwhile
        if self._outdated:
            self._outdated.clear()
            yield
        is_function = chunk.is_function
        if is_function and is_long(chunk.records):
            yield from module.function_steps(chunk)
        elif chunk is module.chunks[0]:
            yield from module.declaration_steps()
            yield from module.annotation_steps()
        function = None
        if is_function:
            yield from module.callgraph_steps()
            function = module.function(chunk)
        check = self._check_of(chunk, checked, function, again=again)
        yield from check.run(items)
        for groups in checked.dependencies.facts() if not again else ():
            self._asked.add(id(chunk), groups)
            yield
        return check.shared_state

    def _check_of(self, chunk: Chunk, checked: ChunkResults, function: Function | None, *, again: bool) -> ChunkCheck:
        context = RuleContext(self.module, self.options, self._selection, function, chunk.records)
        askers = self._asked if again else None
        return ChunkCheck(chunk, context, checked, self._verdicts, self._meanwhile, askers, edited=self._edited)

    def _holds(self, verdict: Verdict[Any]) -> bool:
        """Whether a verdict is what it was, though a fact that it depends on has changed; not where its example is gone."""
        example = verdict.example
        known = self._checked.get(id(example.chunk)) if example is not None else None
        if example is None or known is None or known[1] is not example.results:
            return False
        chunk, checked = known
        return self._check_of(chunk, checked, self.module.function(chunk), again=True).holds(verdict)


def _declare_capabilities(*parts: list[Instruction]) -> bool:
    return any(record.opcode.value in _CAPABILITIES for part in parts for record in part)


def _alike(old: Instruction, new: Instruction) -> bool:
    """Whether two instructions differ at most in literals."""
    if old.faults or new.faults or old.raw or new.raw:
        return False
    return old.opcode is new.opcode and old.result == new.result and old.type == new.type and old.uses() == new.uses()
