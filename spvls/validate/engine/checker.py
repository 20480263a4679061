"""Running the rules, again and again as the module is edited.

What was found in a chunk stands until an edit changes its instructions. An edit elsewhere may change facts that were read
while it was checked: then the work items that depend on these are run again, and no others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from spvls.module.dependencies import Askers, Facts
from spvls.module.module import Module
from spvls.syntax.document import Change, Chunk
from spvls.validate.engine.chunk_check import ChunkCheck, ChunkResults
from spvls.validate.engine.finding import HEADER, MANY, PAUSE, is_long
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import RuleContext, selection_of
from spvls.validate.engine.rule_finding import RuleFinding, failed
from spvls.validate.engine.verdicts import Verdicts


class Checker:
    """The findings of a module under edits."""

    def __init__(self, module: Module, options: Options | None = None) -> None:
        self.module = module
        self.options = options or Options()
        self._selection = selection_of(module.environment.api)
        self._checked: dict[int, tuple[Chunk, ChunkResults]] = {}
        self._stale: dict[int, set[int]] = {}
        self._with_findings: set[int] = set()
        self._module_found: list[RuleFinding] | None = None
        self._verdicts = Verdicts(module)
        self._asked = Askers()
        #: What is read when it is of no matter who asks.
        self._meanwhile = Facts()

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit: forget what may no longer hold. The module is brought up to date as well."""
        changes = list(changes)
        self._module_found = None
        self.module.reads = self._meanwhile = Facts()
        changed = self.module.update(changes)
        for chunk, _, _ in changes:
            self._forget(chunk)
        for name in changed.of_ids():
            for chunk, _ in self.module.ids.definitions(name):
                self._forget(chunk)
        if self._verdicts.is_full:
            self._verdicts = Verdicts(self.module)
            self._checked.clear()
            self._stale.clear()
            self._with_findings.clear()
            self._asked = Askers()
        self._verdicts.invalidate(changed)
        groups, only = self._asked.take(changed)
        if groups:
            for key in self._checked.keys() if only is None else only & self._checked.keys():
                items = self._checked[key][1].dependencies.invalidate_groups(groups)
                if items:
                    self._stale.setdefault(key, set()).update(items)

    def _forget(self, chunk: Chunk) -> None:
        """What was found in a chunk no longer holds."""
        self._checked.pop(id(chunk), None)
        self._stale.pop(id(chunk), None)
        self._with_findings.discard(id(chunk))

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
        key = id(chunk)
        known = self._checked.get(key)
        if known is None:
            checked = ChunkResults()
            yield from self._run(chunk, checked, range(len(chunk.records) + chunk.is_function))
            self._checked[key] = chunk, checked
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
        with_findings = self._with_findings
        for chunk in [chunk for chunk in self.module.chunks if id(chunk) in with_findings] if with_findings else ():
            yield chunk, self._checked[id(chunk)][1]

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
            dependencies.forget_state(items)
            shared_state = yield from self._run(chunk, checked, sorted(items), again=True)
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
        if chunk.is_function and is_long(chunk.records):
            yield from module.function_steps(chunk)
        function = module.function(chunk) if chunk.is_function else None
        context = RuleContext(module, self.options, self._selection, function, chunk.records)
        check = ChunkCheck(chunk, context, checked, self._verdicts, self._meanwhile, again=again)
        yield from check.run(items)
        self._asked.add(id(chunk), checked.dependencies)
        return check.shared_state
