"""Running the rules, again and again as the module is edited.

What was found in a chunk stands until an edit changes its instructions. An edit elsewhere may change facts that were read
while it was checked: then the instructions that asked for these are checked again, and no others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from spvls.module.context_dependent import EXTENDED
from spvls.module.facts import Facts, Reads
from spvls.module.module import Module
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import UNKNOWN, ContextDependent, Fault, Instruction
from spvls.validate.engine.finding import Finding
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Rule, Scene, Selection

Kept = TypeVar("Kept")

_STEP = 8
"""Instructions that are checked in a step; families of rules on a function have steps of their own."""


class Found(NamedTuple):
    """A finding of a rule. `record` of the finding may be a resolved twin; `origin` is the one of the module.

    `elsewhere` says that the finding is on another instruction than the one whose check it comes from.
    """

    rule: Rule
    finding: Finding
    origin: Instruction
    elsewhere: bool = False


class Checked:
    """What was found in a chunk: faults of the text with their instruction, findings of rules, each by the unit that they
    come from, and which facts each unit read. A unit is the check of one instruction, by its number, or behind these that
    of a function as a whole by one family of rules."""

    __slots__ = ("faults_of", "found_by", "reads")

    def __init__(self, units: int) -> None:
        self.faults_of: dict[int, tuple[Fault, ...]] = {}
        self.found_by: dict[int, tuple[Found, ...]] = {}
        self.reads = Reads(units)

    @property
    def faults(self) -> list[tuple[int, Fault]]:
        """The faults, each with the number of its instruction, in the order of these."""
        return [(unit, fault) for unit, faults in sorted(self.faults_of.items()) for fault in faults]

    @property
    def found(self) -> list[Found]:
        """The findings of rules in the order of their units."""
        return [item for _, found in sorted(self.found_by.items()) for item in found]


class Checker:
    """The findings of a module under edits."""

    def __init__(self, module: Module, options: Options | None = None) -> None:
        self.module = module
        self.options = options or Options()
        self._selection = Selection(module.environment.api)
        self._checked: dict[int, tuple[Chunk, Checked]] = {}
        self._stale: dict[int, set[int]] = {}

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit: forget what may no longer hold. The module is brought up to date as well."""
        changes = list(changes)
        changed = self.module.update(changes)
        for chunk, _, _ in changes:
            self._checked.pop(id(chunk), None)
            self._stale.pop(id(chunk), None)
        if not changed.is_empty():
            for key, (_, checked) in self._checked.items():
                units = checked.reads.withdraw(changed)
                if units:
                    self._stale.setdefault(key, set()).update(units)

    def pending(self) -> list[Chunk]:
        """The chunks that are still to be checked."""
        checked, stale = self._checked, self._stale
        return [chunk for chunk in self.module.chunks if id(chunk) not in checked or id(chunk) in stale]

    def check(self, chunk: Chunk) -> Checked:
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
            units = len(chunk.records) + (len(self._selection.functions) if chunk.is_function else 0)
            checked = Checked(units)
            yield from self._run(chunk, checked, range(units))
            self._checked[id(chunk)] = chunk, checked
        elif id(chunk) in self._stale:
            yield from self._check_again(chunk, known[1], self._stale[id(chunk)])
            self._stale.pop(id(chunk), None)

    def results(self) -> Iterator[tuple[Chunk, Checked]]:
        """All chunks with what was found in them, in order; what is pending is checked."""
        for chunk in self.module.chunks:
            yield chunk, self.check(chunk)

    def module_findings(self) -> list[Found]:
        """What the rules on the module as a whole find."""
        scene = Scene(self.module, self.options, self._selection)
        self.module.reads = Facts()
        return [
            Found(rule, finding, finding.record)
            for rule in self._selection.modules
            for finding in rule.check(scene)
            if not finding.record.faults
        ]

    def _check_again(self, chunk: Chunk, checked: Checked, units: set[int]) -> Iterator[None]:
        """Check some units of a chunk that is as it was, and all that they hand things on to, which are added to these."""
        reads = checked.reads
        while True:
            shared = reads.shared_by(units)
            while shared.shared:
                units |= reads.withdraw(shared)
                shared = reads.shared_by(units)
            reads.drop(units)
            handed = yield from self._run(chunk, checked, sorted(units))
            others = reads.sharing(handed) - units if handed else None
            if not others:
                return
            units |= others

    def _run(self, chunk: Chunk, checked: Checked, units: Iterable[int]) -> Generator[None, None, set[str]]:
        """Check units, which are in order, some in each step; the names of what these hand on."""
        module = self.module
        facts = module.reads = Facts()
        groups = facts.groups()
        handed: set[str] = set()
        scene = Scene(module, self.options, self._selection)
        if chunk.is_function:
            scene.function = module.function(chunk)
        records = chunk.records
        seen, passed = scene.seen, 0
        count, families = len(records), self._selection.functions
        faults_of, found_by, take = checked.faults_of, checked.found_by, checked.reads.take
        for unit in units:
            while passed < unit and passed < count:
                name = records[passed].result
                if name is not None:
                    seen.add(name)
                passed += 1
            scene.begin()
            if unit < count:
                faults, found = self._check_instruction(records[unit], scene)
            else:
                faults, found = (), self._check_function(families[unit - count], scene)
            if faults or unit in faults_of:
                _keep(faults_of, unit, faults)
            if found or unit in found_by:
                _keep(found_by, unit, found)
            if facts.shared:
                handed |= facts.shared
            take(unit, groups)
            if unit >= count or not unit % _STEP:
                yield
                for names in groups:
                    names.clear()  # what was asked meanwhile
                module.reads = facts
        module.reads = Facts()
        return handed

    def _check_instruction(self, record: Instruction, scene: Scene) -> tuple[tuple[Fault, ...], list[Found]]:
        """The faults of an instruction's text, or else what rules find on it."""
        found: list[Found] = []
        if record.faults:
            return record.faults, found
        opcode = record.opcode
        if opcode is UNKNOWN or record.raw:
            return self.module.resolved(record).faults if ContextDependent in map(type, record.operands) else (), found
        inst = record
        name = opcode.value
        if name in EXTENDED or ContextDependent in map(type, record.operands):
            reading = self.module.resolved(record)
            if reading.faults:
                return reading.faults, found
            if reading.operands is not record.operands:
                inst = resolved(record, reading.operands)
        scene.record = record
        for rule, finding in self._selection.findings(inst, scene):
            if finding.record is inst or finding.record is record:
                found.append(Found(rule, finding, record))
            elif not finding.record.faults:
                found.append(Found(rule, finding, finding.record, elsewhere=True))
        return (), found

    def _check_function(self, rules: tuple[Rule, ...], scene: Scene) -> list[Found]:
        """What rules of a family find on the function at hand as a whole."""
        function = scene.function
        if function is None or function.damaged:
            return []
        return [
            Found(rule, finding, finding.record)
            for rule in rules
            for finding in rule.check(function, scene)
        ]


def _keep(table: dict[int, tuple[Kept, ...]], unit: int, items: Sequence[Kept]) -> None:
    """Put what there is of a unit, if anything, in the place of what there was."""
    if items:
        table[unit] = tuple(items)
    elif unit in table:
        del table[unit]


def resolved(record: Instruction, operands: tuple[object, ...]) -> Instruction:
    """`record` with its context-dependent operands read."""
    return Instruction(
        record.opcode, record.type, record.result, operands, record.text, record.start, record.end  # type: ignore[arg-type]
    )
