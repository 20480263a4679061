"""Running the rules, again and again as the module is edited.

What was found in a chunk stands until an edit changes its instructions or a fact that was read while it was checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spvls.module.facts import Facts
from spvls.module.late import EXTENDED
from spvls.module.module import Module
from spvls.syntax.document import Change, Chunk
from spvls.syntax.instruction import UNKNOWN, Fault, Instruction, Late
from spvls.validate.finding import Finding
from spvls.validate.options import Options
from spvls.validate.rule import Rule, Scene, Selection


class Found(NamedTuple):
    """A finding of a rule. `record` of the finding may be a resolved twin; `origin` is the one of the module.

    `elsewhere` says that the finding is on another instruction than the one whose check it comes from.
    """

    rule: Rule
    finding: Finding
    origin: Instruction
    elsewhere: bool = False


class Checked(NamedTuple):
    """What was found in a chunk: faults of the text with their instruction, findings of rules, and the facts read."""

    faults: list[tuple[Instruction, Fault]]
    found: list[Found]
    facts: Facts


class Checker:
    """The findings of a module under edits."""

    def __init__(self, module: Module, options: Options | None = None) -> None:
        self.module = module
        self.options = options or Options()
        self._selection = Selection(module.environment.api)
        self._checked: dict[int, tuple[Chunk, Checked]] = {}

    def update(self, changes: Iterable[Change]) -> None:
        """Follow an edit: forget what may no longer hold. The module is brought up to date as well."""
        changes = list(changes)
        changed = self.module.update(changes)
        for chunk, _, _ in changes:
            self._checked.pop(id(chunk), None)
        if not changed.is_empty():
            stale = [key for key, (_, checked) in self._checked.items() if checked.facts.touches(changed)]
            for key in stale:
                del self._checked[key]

    def pending(self) -> list[Chunk]:
        """The chunks that are still to be checked."""
        return [chunk for chunk in self.module.chunks if id(chunk) not in self._checked]

    def check(self, chunk: Chunk) -> Checked:
        """What there is to find in a chunk; run now unless it is known."""
        known = self._checked.get(id(chunk))
        if known is None:
            known = self._checked[id(chunk)] = chunk, self._run(chunk)
        return known[1]

    def results(self) -> Iterator[tuple[Chunk, Checked]]:
        """All chunks with what was found in them, in order; what is pending is checked."""
        for chunk in self.module.chunks:
            yield chunk, self.check(chunk)

    def module_findings(self) -> list[Found]:
        """What the rules on the module as a whole find."""
        scene = Scene(self.module, self.options)
        return [
            Found(rule, finding, finding.record)
            for rule in self._selection.modules
            for finding in rule.check(scene)
            if not finding.record.faults
        ]

    def _run(self, chunk: Chunk) -> Checked:
        module = self.module
        facts = module.reads = Facts()
        scene = Scene(module, self.options)
        faults: list[tuple[Instruction, Fault]] = []
        found: list[Found] = []
        if chunk.is_function:
            scene.function = module.function(chunk)
        on = self._selection.on
        seen = scene.seen
        for record in chunk.records:
            if record.faults:
                if record.result is not None:
                    seen.add(record.result)
                faults.extend([(record, fault) for fault in record.faults])
                continue
            opcode = record.opcode
            if opcode is UNKNOWN or record.raw:
                if record.result is not None:
                    seen.add(record.result)
                continue
            inst = record
            name = opcode.name
            if name in EXTENDED or Late in map(type, record.operands):
                reading = module.reading(record)
                if reading.faults:
                    if record.result is not None:
                        seen.add(record.result)
                    faults.extend([(record, fault) for fault in reading.faults])
                    continue
                if reading.operands is not record.operands:
                    inst = resolved(record, reading.operands)
            scene.record = record
            for rule in on(name):
                for finding in rule.check(inst, scene):
                    if finding.record is inst or finding.record is record:
                        found.append(Found(rule, finding, record))
                    elif not finding.record.faults:
                        found.append(Found(rule, finding, finding.record, elsewhere=True))
            if record.result is not None:
                seen.add(record.result)
        if scene.function is not None and not scene.function.damaged:
            for rule in self._selection.functions:
                for finding in rule.check(scene.function, scene):
                    found.append(Found(rule, finding, finding.record))
        module.reads = Facts()
        return Checked(faults, found, facts)


def resolved(record: Instruction, operands: tuple[object, ...]) -> Instruction:
    """`record` with its late operands read."""
    return Instruction(
        record.opcode, record.type, record.result, operands, record.text, record.start, record.end  # type: ignore[arg-type]
    )
