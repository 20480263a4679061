"""What rules say of instructions of one signature, found out once.

Most rules look at the opcode of an instruction, its types, its literals and at what stands before the first function. Where one of
these finds nothing on an instruction, it finds nothing on any other of the same signature. Which rules these are is not
declared: a rule is run once while all that it reads is recorded, and a rule that read anything else is asked each time.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from spvls.grammar.records import Opcode
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.dependencies import Dependencies, Facts
from spvls.module.module import Module
from spvls.module.signature import Signature
from spvls.syntax.instruction import Instruction
from spvls.validate.engine.rule import Groups, Ordered, Rule, RuleContext

_SPARE = 10_000
"""Verdicts beyond the number of instructions that edits may leave before all are made anew."""


class Verdict:
    """`left` are the rules that must be asked on each instruction of the signature; None where that is not known."""

    __slots__ = ("left", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.left: Groups | None = None


class Verdicts:
    """The verdicts of a module under edits. A verdict is a fact of the module, which work items depend on."""

    def __init__(self, module: Module) -> None:
        self._most = _SPARE + sum(len(chunk.records) for chunk in module.chunks)
        self._met: set[int] = set()
        self._known: dict[Signature, Verdict] = {}
        self._all: list[Verdict] = []
        self._dependencies = Dependencies()

    @property
    def is_full(self) -> bool:
        """Whether edits have left too many; whoever keeps them must begin with new ones, and check all again."""
        return len(self._all) > self._most

    def of(self, signature: Signature) -> Verdict | None:
        """The verdict on a signature; None for one that is met for the first time, and may never be met again."""
        found = self._known.get(signature)
        if found is None:
            key = hash(signature)
            if key not in self._met:
                if len(self._met) >= self._most:
                    self._met.clear()
                self._met.add(key)
                return None
            found = self._known[signature] = Verdict(len(self._all))
            self._all.append(found)
        return found

    def find(self, verdict: Verdict, inst: Instruction, context: RuleContext, own: Mapping[str, list[Instruction]]) -> Groups:
        """Find out a verdict by the rules on `inst`, where `own` are the definitions of its function; returns the rules that are
        left."""
        module = context.module
        asker, facts = module.reads, Facts()
        used = inst.uses()
        facts.types.update(name for name in used if name not in own)
        named = {name: own[name][0].opcode for name in used if name in own}
        if inst.result is not None:
            named[inst.result] = inst.opcode
        trial = context.for_trial()
        left: list[Ordered] = []
        for group in context.selection.on_settled(inst.opcode.value):
            kept: list[tuple[Rule, tuple[str, ...]]] = []
            for rule, after in group:
                reads = module.reads = Facts()
                if _is_silent(rule, inst, trial) and not trial.is_particular and _is_shared(reads, named, own):
                    facts.add(reads)
                else:
                    kept.append((rule, after))
            left.append(tuple(kept))
        module.reads = asker
        self._dependencies.record(verdict.number, facts.groups())
        verdict.left = left[0], left[1]
        return verdict.left

    def invalidate(self, changed: Facts) -> None:
        """Forget the verdicts that depend on facts that changed, and add them to these."""
        for number in self._dependencies.invalidate(changed):
            verdict = self._all[number]
            verdict.left = None
            changed.module.add(verdict)


def _is_silent(rule: Rule, inst: Instruction, trial: RuleContext) -> bool:
    """Whether a rule finds nothing on an instruction, nor pauses."""
    trial.begin(inst)
    try:
        return next(rule.check(inst, trial), None) is None
    except Exception:
        return False  # it is asked each time, and then named


def _is_shared(reads: Facts, named: Mapping[str, Opcode], own: Container[str]) -> bool:
    """Whether what a rule read on an instruction is the same for all instructions of its signature.

    `named` are the opcodes of the ids of the function that the instruction names, and `own` are all ids of the function. The
    signature says of what opcode and type the former are, and which decorations they have: mostly none. So it says also that
    they have no value, unless they are constants or types.
    """
    if reads.chunk_state or any(name in own for name in reads.definitions):
        return False
    if any(name in own and name not in named for name in reads.types | reads.decorations | reads.values):
        return False
    if any(named[name].value in CONSTANT_OPCODES or named[name].is_type for name in reads.values if name in named):
        return False
    return not any(isinstance(fact, str) and fact[0] == "%" and fact[1:] in own for fact in reads.module)
