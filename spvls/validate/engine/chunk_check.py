"""The check of the work items of a chunk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spvls.grammar import spv
from spvls.grammar.traits import VARIABLES
from spvls.module.context_dependent import EXTENDED
from spvls.module.dependencies import Askers, Dependencies, Facts
from spvls.module.module import Module
from spvls.module.shapes import Shape
from spvls.module.signature import Signature, SignatureReader
from spvls.record import cached_property
from spvls.steps import PORTION
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import UNKNOWN, ContextDependent, Fault, Instruction
from spvls.typed import Any, TypeVar
from spvls.validate.engine.finding import LONG, MANY, PAUSE, is_long
from spvls.validate.engine.rule import Family, Groups, RuleContext, RuleFinding, failed
from spvls.validate.engine.verdicts import FUNCTIONS, Example, Families, Found, Rules, Verdict, Verdicts

Kept = TypeVar("Kept")

_OFTEN_ALIKE = VARIABLES | {spv.OpEntryPoint}
"""Instructions before the functions that many modules have several of which differ in their results at most."""

_STEP = 8
"""Work items that are done in a step, unless a rule pauses or `is_long` says that each rule has a step of its own; a portion of
them, where the module is not edited, and so nobody waits to edit it."""


class ChunkResults:
    """What was found in a chunk, by work item: faults of the text, findings of rules, and which facts they depend on.

    A work item is the check of one instruction, by its number in the chunk; after these the choice of what is asked about the
    function as a whole, and then the check of the function by the rules of one module. Facts about the ids that a function itself
    defines are not among those: when one of these changes, all of the function is checked again. `doubtful` are the instructions
    that had an id in doubt when the chunk was first checked. `records` are the instructions of the chunk before the first function.
    """

    __slots__ = ("dependencies", "doubtful", "faults_of", "found_by", "records")

    def __init__(self) -> None:
        self.faults_of: dict[int, tuple[Fault, ...]] = {}
        self.found_by: dict[int, tuple[RuleFinding, ...]] = {}
        self.dependencies = Dependencies()
        self.doubtful: set[int] = set()
        self.records: list[Instruction] = []

    @property
    def faults(self) -> Iterator[tuple[int, Fault]]:
        """The faults, each with the number of its instruction, in the order of these."""
        return ((item, fault) for item in sorted(self.faults_of) for fault in self.faults_of[item])

    @property
    def found(self) -> list[tuple[int, RuleFinding]]:
        """The findings of rules, each with its work item, in the order of these."""
        return [(item, finding) for item in sorted(self.found_by) for finding in self.found_by[item]]


class ChunkCheck:
    """Runs the rules on a chunk. What they read is recorded in `module.reads`, and then kept with the results; `meanwhile` takes
    what others read between two steps. With `askers`, which also take what was read, work items are checked again. Of a module
    that is not `edited`, nothing of what they read is kept."""

    def __init__(
        self,
        chunk: Chunk,
        context: RuleContext,
        checked: ChunkResults,
        verdicts: Verdicts,
        meanwhile: Facts,
        askers: Askers | None = None,
        *,
        edited: bool = True,
    ) -> None:
        self.shared_state: set[str] = set()
        self._chunk = chunk
        self._context = context
        self._module = context.module
        self._checked = checked
        self._verdicts = verdicts
        self._function = context.function
        self._facts, self._meanwhile = Facts(), meanwhile
        self._scope = context.module.ids.scope(chunk)
        self._own = self._scope.definitions
        self._askers = askers
        self._again = again = askers is not None
        self._edited = edited
        self._is_function = context.is_in_function
        #: The last instruction without a result on which nothing was found for its signature, and the verdict that said so.
        self._silent: Instruction | None = None
        self._silence: Verdict[Groups]
        self._known_rules: Families | None = None
        settles = not context.module.has_recursive_types
        self._signatures = SignatureReader(context.module, chunk, in_order=again) if settles else None
        self._shapes = verdicts.shapes(context) if settles else None

    def run(self, items: Iterable[int]) -> Iterator[None]:
        """Check work items, which are in order, some in each step."""
        module, facts, count = self._module, self._facts, len(self._chunk.records)
        groups, record, own, edited = facts.groups(), self._checked.dependencies.record, self._own, self._edited
        definitions, types, named, values, decorations, state = groups
        step = _STEP if edited else PORTION
        module.reads = facts
        waiting = iter(items)
        while (item := next(waiting, -1)) >= 0:
            if item < count:
                steps = self._check_instruction(item)
            elif item > count:
                steps = self._check_family(item)
            else:
                waiting = iter([*self._families()])
                steps = ()
            for _ in steps:
                module.reads = self._meanwhile
                yield
                module.reads = facts
            if edited and (definitions or types or named or values or decorations or state):
                self.shared_state |= facts.chunk_state
                if self._is_function:
                    facts.without(own)
                if self._askers is not None:
                    self._askers.add(id(self._chunk), groups)
                record(item, groups)
            if not item % step:
                if not edited:
                    facts.clear()
                module.reads = self._meanwhile
                yield
                module.reads = facts
        module.reads = self._meanwhile

    def _check_instruction(self, item: int) -> Iterable[None]:
        """Check an instruction; returns the steps of what is not done at once."""
        record = self._chunk.records[item]
        silent = self._silent
        if silent is not None and record.operands is silent.operands and _repeats(record, silent):
            if self._edited:
                self._note(item, self._silence)
            return ()
        if len(record.operands) >= LONG:
            return self._check_long(item, record)
        faults, inst = readable(record, self._module)
        if faults or self._checked.faults_of:
            _keep(self._checked.faults_of, item, faults)
        if inst is None:
            self._pass(record)
            found: Found = ()
        else:
            verdict = self._verdict(inst, item)
            groups, found = verdict.left, verdict.found
            assert groups is not None
            if groups != _NONE:
                return self._ask(item, inst, record, groups)
        if found:
            self._checked.found_by[item] = tuple([RuleFinding(rule, finding, record) for rule, finding in found])
        elif self._again:
            self._checked.found_by.pop(item, None)
        return ()

    def _check_long(self, item: int, record: Instruction) -> Iterator[None]:
        yield
        faults, inst = readable(record, self._module)
        _keep(self._checked.faults_of, item, faults)
        self._pass(record)
        yield
        if inst is not None:
            yield from self._ask(item, inst, record, self._context.selection.on(inst.opcode.value))
        else:
            self._checked.found_by.pop(item, None)

    def _pass(self, record: Instruction) -> None:
        if self._signatures is not None:
            self._signatures.passed(record)

    def _verdict(self, inst: Instruction, item: int) -> Verdict[Groups]:
        """Which rules must be asked on an instruction."""
        doubtful = self._checked.doubtful
        reader = self._signatures if not self._again or item not in doubtful else None
        settled = False
        signature: Signature | None = None
        if reader is not None and self._is_function:
            signature = reader.read(inst)
            record = self._chunk.records[item]
            verdict = self._verdicts.on(signature, record) if signature is not None else None
            if verdict is not None:
                if self._edited:
                    self._note(item, verdict)
                if verdict.left is None:
                    verdict.example = Example(self._chunk, self._checked, item)
                    self._verdicts.find(verdict, inst, self._context, self._scope)
                if inst.result is None and not self._again:
                    self._silent = record if verdict.left == _NONE and not verdict.found else None
                    self._silence = verdict
                return verdict
            settled = signature is not None
            if settled and self._edited:
                self._facts.types.update(inst.uses())  # that they are not in doubt
        elif reader is not None:
            settled = reader.is_settled(inst)
            if self._edited:
                self._facts.types.update(inst.uses())  # that they are as much in doubt
                if inst.result is not None:
                    self._facts.types.add(inst.result)
        if not settled and not self._again:
            doubtful.add(item)
        verdict = self._verdicts.on_kind(inst, self._context, settled=settled)
        shape = self._shape(inst, signature, verdict) if settled and self._shapes is not None else None
        shared = self._verdicts.on_shape(verdict, shape, inst, self._context, self._scope) if shape is not None else None
        if shared is not None:
            return shared
        if self._may_be_alike(inst, settled=settled):
            verdict = self._verdicts.on_alike(verdict, inst, self._chunk.records[item], self._context)
        if self._edited:
            self._note(item, verdict)
        return verdict

    def _shape(self, inst: Instruction, signature: Signature | None, kind: Verdict[Groups]) -> Shape | None:
        """The shape of an instruction, unless the verdict on its kind says that no rule is left."""
        shapes = self._shapes
        assert shapes is not None
        if signature is None:
            return shapes.add(inst)
        return shapes.of(signature) if kind.left != _NONE else None

    def _may_be_alike(self, inst: Instruction, *, settled: bool) -> bool:
        """Whether there may be many instructions that differ from one in their results alone, and use nothing of a function."""
        if self._is_function:
            return inst.result is not None and not settled and self._own.keys().isdisjoint(inst.uses())
        return settled and inst.opcode.value in _OFTEN_ALIKE

    def _note(self, item: int, verdict: Verdict[Any]) -> None:
        """A work item of an edited module depends on a verdict."""
        self._checked.dependencies.note(item, verdict)
        if self._askers is not None:
            self._askers.note(id(self._chunk), verdict)

    def holds(self, verdict: Verdict[Any]) -> bool:
        """Whether a verdict that this chunk has the example of is what it was, though a fact that it depends on has changed. It is
        found out anew, unless it was on other instructions than the example is one of now."""
        example, before = verdict.example, (verdict.left, verdict.found)
        assert example is not None
        if verdict.key == FUNCTIONS:
            verdict.left = None
            return (self._verdicts.on_functions(self._context).left, ()) == before
        if self._signatures is None or example.item in self._checked.doubtful:
            return False
        _, inst = readable(self._chunk.records[example.item], self._module)
        if inst is None or self._signatures.read(inst) != verdict.key:
            return False
        self._verdicts.find(verdict, inst, self._context, self._scope)
        return (verdict.left, verdict.found) == before

    @property
    def _rules(self) -> Families:
        """The rules that must be asked on the function as a whole, by family; no others find anything in the module."""
        known = self._known_rules
        if known is None:
            known = self._known_rules = self._verdicts.on_functions(self._context).left
            assert known is not None
        return known

    def _families(self) -> Iterator[int]:
        """Look at the function as a whole: returns the work items of the families of rules that must be asked on it."""
        function, after, found_by = self._function, len(self._chunk.records) + 1, self._checked.found_by
        for item in [item for item in found_by if item >= after] if found_by else ():
            del found_by[item]
        facts, verdicts = self._facts.module, self._verdicts
        verdict = verdicts.on_functions(self._context)
        verdict.example = Example(self._chunk, self._checked, len(self._chunk.records))
        facts.add(verdict)
        if function is None or function.damaged:
            return
        on_form, edited = self._on_form, self._edited
        for number, family in verdicts.families(function.opcodes, self._rules):
            known = on_form.get(number) if family.of_form and on_form is not None else None
            if known is None or known.left != ():
                yield after + number
            elif edited:
                facts.add(known)

    @cached_property
    def _on_form(self) -> dict[int, Verdict[Rules]] | None:
        """The verdicts on functions of the form of this one; None where it has no form."""
        form = self._function.form if self._function is not None else None
        return self._verdicts.on_form(form) if form is not None else None

    def _check_family(self, item: int) -> Iterator[None]:
        """Check the function as a whole by the rules of one module."""
        number, function = item - len(self._chunk.records) - 1, self._function
        assert function is not None
        family = self._rules.get(number, _NO_FAMILY)
        if not self._edited and family.of_form:
            self._facts.clear()
        self._context.begin()
        pauses, module = is_long(function.records), self._module
        derived = module.derived
        found: list[RuleFinding] = []
        for rule in family.rules:
            if rule.opcodes and function.opcodes.isdisjoint(rule.opcodes):
                continue
            try:
                for finding in rule.check(function, self._context):
                    if finding is not PAUSE:
                        found.append(RuleFinding(rule, finding, finding.record))
                    if finding is PAUSE or not len(found) % MANY:
                        yield
            except Exception as error:
                found.append(failed(rule, function.record, error))
            if pauses or module.derived != derived:
                derived = module.derived
                yield
        _keep(self._checked.found_by, item, found)
        if family.of_form and self._on_form is not None and item not in self._checked.found_by:
            self._verdicts.learn(self._verdicts.of_family(self._on_form, number), self._facts, self._own)

    def _ask(self, item: int, inst: Instruction, record: Instruction, groups: Groups) -> Iterator[None]:
        """Keep what rules find on an instruction, which stands in the module as `record`; pauses where they do."""
        context = self._context
        context.begin(record, item)
        found: list[RuleFinding] = []
        for rule, finding in context.selection.findings(inst, context, groups):
            if finding is PAUSE or not (len(found) + 1) % MANY:
                yield
            if finding is PAUSE:
                continue
            if finding.record is inst or finding.record is record:
                found.append(RuleFinding(rule, finding, record))
            elif not finding.record.faults:
                found.append(RuleFinding(rule, finding, finding.record, elsewhere=True))
        _keep(self._checked.found_by, item, found)


_NONE: Groups = (), ()
_NO_FAMILY = Family((), frozenset(), of_form=False)


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


def _repeats(record: Instruction, other: Instruction) -> bool:
    """Whether an instruction has the words of one without a result."""
    return (
        record.opcode is other.opcode
        and record.operands is other.operands
        and record.type is other.type
        and record.result is None
        and not record.faults
        and not record.raw
    )


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
