"""What rules say of instructions of one signature, found out once.

Most rules look at the opcode of an instruction, its types, its literals and at what stands before the first function. Where one of
these finds nothing on an instruction, it finds nothing on any other of the same signature. Which rules these are is not
declared: a rule is run once while all that it reads is recorded, and a rule that read anything else is asked each time.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from itertools import chain

from spvls.grammar import spv, tables
from spvls.grammar.records import Opcode
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.context_dependent import EXTENDED
from spvls.module.decorations import DECORATES, MEMBER_DECORATES
from spvls.module.dependencies import Dependencies, Facts
from spvls.module.functions import Form
from spvls.module.ids import Scope
from spvls.module.module import Module
from spvls.module.shapes import Shapes
from spvls.record import NamedTuple
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import Instruction
from spvls.typed import Any, Generic, TypeVar
from spvls.validate.engine.finding import PAUSE, Finding
from spvls.validate.engine.kinds import ANY_FUNCTION, Alike, Asked, Kinds, Operands, Probe, comparable, kinds_of
from spvls.validate.engine.rule import About, Family, Groups, Ordered, Rule, RuleContext

Left = TypeVar("Left")
Rules = tuple[Rule, ...]
Families = dict[int, Family]
"""Function rules by the number of their family in `Selection.functions`."""

FUNCTIONS = "functions"
"""The key of the verdict on all functions."""

_KIND = "kind"

DECIDING = {
    **dict.fromkeys((*DECORATES, spv.OpExecutionMode, spv.OpExecutionModeId), 1), **dict.fromkeys(MEMBER_DECORATES, 2)
}  # fmt: skip
"""The operand that says what an annotation or an execution mode is about, by opcode."""

_COMMON = 10
"""How often a verdict must be asked for before it is found out anew as soon as it may be another one."""

_TRIED = 50
"""How many verdicts are found out anew after an edit."""

_RARE = 3
"""So many times the instructions of a signature are checked like any others: to find out their verdict takes longer than that."""

_SPARE = 10_000
"""Verdicts beyond the number of instructions that edits may leave before all are made anew."""


Found = tuple[tuple[Rule, Finding], ...]


class Example(NamedTuple):
    """A work item that a verdict was found out by, with the results of its chunk, which tell whether it still stands."""

    chunk: Chunk
    results: object
    item: int


class Verdict(Generic[Left]):
    """`left` are the rules that must be asked about each of what the verdict is on; None where that is not known. Where none is,
    `found` is what they find on each, as they have found it on the `example`. `key` is the signature of instructions, or another
    name. `asked` counts how often a verdict that has an example was asked for."""

    __slots__ = ("asked", "example", "found", "key", "left", "number")

    def __init__(self, number: int, key: Hashable = None) -> None:
        self.number = number
        self.key = key
        self.left: Left | None = None
        self.found: Found = ()
        self.asked = 0
        self.example: Example | None = None


class Verdicts:
    """The verdicts of a module under edits; of one that is not `edited` less is kept. A verdict is a fact of the module, which work
    items depend on."""

    def __init__(self, module: Module, *, edited: bool = True) -> None:
        self._edited = edited
        self._kinds: Kinds | None = None
        self._shapes: Shapes | None = None
        #: What the module declares of facts that modules are compared by.
        self._values: dict[Hashable, Hashable] = {}
        self._most = _SPARE + sum(len(chunk.records) for chunk in module.chunks)
        #: How many instructions were met of each signature, by its hash, and the last of them, by `id()`.
        self._met: dict[int, tuple[int, int]] = {}
        self._known: dict[Hashable, Verdict[Any]] = {}
        self._forms: dict[Form, dict[int, Verdict[Rules]]] = {}
        #: Which of the families of rules may be asked on functions, by the opcodes of these.
        self._families: tuple[dict[frozenset[int], list[tuple[int, Family]]], Families] = {}, {}
        self._all: list[Verdict[Any]] = []
        self._dependencies = Dependencies()

    @property
    def is_full(self) -> bool:
        """Whether edits have left too many; whoever keeps them must begin with new ones, and check all again."""
        return len(self._all) > self._most

    def on_alike(self, kind: Verdict[Groups], inst: Instruction, record: Instruction, context: RuleContext) -> Verdict[Groups]:
        """The verdict on instructions of a kind that differ from `inst` in their results alone; while few were met, on the kind."""
        found = self.on((kind.number, inst.type, inst.operands), record)
        if found is None or kind.left is None:
            return kind
        if found.left is None:
            facts, trial, probe = Facts(), context.for_trial(), Alike(inst)
            facts.module.add(kind)
            every, named = (_left([(rule, True) for rule, _ in group], probe, trial, facts, Facts()) for group in kind.left)
            found.left = _grouped(every, named)
            self.note(found, facts)
        return found

    def shapes(self, context: RuleContext) -> Shapes | None:
        """The shapes of the instructions of a module that is not edited, where others may have had the same ones."""
        if self._shapes is None and not self._edited and self._kinds_in(context).modules > 1:
            self._shapes = Shapes(context.module, self._kinds_in(context).numbers)
        return self._shapes

    def on_shape(
        self, kind: Verdict[Groups], shape: Hashable, inst: Instruction, context: RuleContext, own: Scope
    ) -> Verdict[Groups] | None:
        """The verdict on instructions of a kind and a shape, in modules that declare the same; None for the first one of a shape.
        `own` are the ids of the chunk of `inst`."""
        key = kind.key, shape
        found = self._known.get(key)
        if found is None:
            kinds, module = self._kinds_in(context), context.module
            declared = kinds.declared(key, module, self._values)
            if declared is None and kinds.is_new(key):
                return None
            if declared is not None:
                silent: frozenset[str] = declared.left
            else:
                facts = Facts()
                silent = self._silent_on_shape(kind, inst, context, own, facts)
                kinds.learn(key, module, facts, facts, silent, self._values)
            assert kind.left is not None
            every, named = kind.left
            found = self._made(key)
            found.left = _others(every, silent), _others(named, silent)
        return found

    def _silent_on_shape(
        self, kind: Verdict[Groups], inst: Instruction, context: RuleContext, own: Scope, facts: Facts
    ) -> frozenset[str]:
        """The ids of rules that find nothing on instructions of the shape of `inst`; what decides about that goes to `facts`."""
        module, trial = context.module, context.for_trial()
        made_of = _made_of(inst, module)
        if made_of is None:
            return frozenset()
        definitions = own.definitions if context.is_in_function else {}
        used = inst.uses() if inst.result is None else {*inst.uses(), inst.result}
        named = {name: own.definition(name).opcode for name in used if name in definitions}
        asker, reads = module.reads, Facts()
        silent: list[str] = []
        for rule, _ in chain.from_iterable(kind.left or ()):
            module.reads = reads  # a rule that raises may leave others
            is_vain = _findings(rule, inst, trial) == () and not trial.is_particular and _is_shared(reads, named, definitions)
            if is_vain and reads.is_about(made_of) and comparable(reads.module, module, self._values):
                facts.module |= reads.module
                silent.append(rule.id)
            reads.clear()
        module.reads = asker
        return frozenset(silent)

    def on(self, signature: Hashable, record: Instruction) -> Verdict[Groups] | None:
        """The verdict on instructions of a signature, such as `record`; None for one that few others were met of."""
        found = self._known.get(signature)
        if found is None:
            key = hash(signature)
            times, last = self._met.get(key, (0, 0))
            is_other = last != id(record)
            if times < _RARE or not is_other:
                if len(self._met) >= self._most:
                    self._met.clear()
                self._met[key] = times + is_other, id(record)
                return None
            found = self._made(signature)
        found.asked += 1
        return found

    def on_form(self, form: Form) -> dict[int, Verdict[Rules]]:
        """The verdicts on functions of a form, by the numbers of the families of rules."""
        return self._forms.setdefault(form, {})

    def of_family(self, on_form: dict[int, Verdict[Rules]], family: int) -> Verdict[Rules]:
        """The one of those that `on_form` returns for a family."""
        found = on_form.get(family)
        if found is None:
            found = on_form[family] = self._new()
        return found

    def on_functions(self, context: RuleContext) -> Verdict[Families]:
        """The verdict on all functions: no rule is left that finds nothing, whatever the function."""
        found: Verdict[Families] = self._known.get(FUNCTIONS) or self._made(FUNCTIONS)
        found.asked += 1
        if found.left is None:

            def ask(kinds: Kinds, decisive: Facts, read: Facts) -> Families:
                trial = context.for_trial()
                families = kinds.asked(FUNCTIONS, context.selection.functions, ANY_FUNCTION, context)
                kept = [_left(asked, ANY_FUNCTION, trial, decisive, read) for asked in families]
                return {number: Family.of(rules) for number, rules in enumerate(kept) if rules}

            self._find_out(found, FUNCTIONS, context, ask)
        return found

    def families(self, opcodes: frozenset[int], rules: Families) -> list[tuple[int, Family]]:
        """Those of the families that may be asked on functions with these opcodes, after their numbers."""
        of_opcodes, known = self._families
        if rules is not known:
            of_opcodes = {}
            self._families = of_opcodes, rules
        found = of_opcodes.get(opcodes)
        if found is None:
            found = of_opcodes[opcodes] = [
                (number, family)
                for number, family in rules.items()
                if family.opcodes is None or not opcodes.isdisjoint(family.opcodes)
            ]
        return found

    def on_kind(self, inst: Instruction, context: RuleContext, *, settled: bool) -> Verdict[Groups]:
        """The verdict on all instructions of the kind of `inst`, in functions or outside, with ids in doubt or without: no rule is
        left that finds nothing, whatever the instruction. A kind is an opcode, and for decorations and execution modes also which
        one it is, with how many operands; of an extended instruction its set counts too, of others whether there are operands."""
        opcode = inst.opcode
        count, at = len(inst.operands), DECIDING.get(opcode.value, 0)
        decided = (inst.operands[at], count) if 0 < at < count else (None, 0) if not count else None
        about = _about(inst, context.module)
        key = _KIND, opcode.value, decided, context.is_in_function, settled, about  # a signature is never equal
        found: Verdict[Groups] = self._known.get(key) or self._made(key)
        if found.left is None:

            def ask(kinds: Kinds, decisive: Facts, read: Facts) -> Groups:
                trial, probe = context.for_trial(), Probe(opcode, Operands(at, *decided) if decided is not None else None)
                groups = (context.selection.on_settled if settled else context.selection.on)(opcode.value, about)
                asked = kinds.asked(key, [[rule for rule, _ in group] for group in groups], probe, context)
                every, named = (_left(each, probe, trial, decisive, read) for each in asked)
                return _grouped(every, named)

            self._find_out(found, key, context, ask)
        return found

    def _kinds_in(self, context: RuleContext) -> Kinds:
        """What is known of kinds, and from now on of what the module declares."""
        if self._kinds is None:
            module = context.module
            self._kinds = kinds_of(context.selection, module.environment.name, module.version, context.options)
            self._kinds.modules += 1
            self._values = {}
        return self._kinds

    def _find_out(
        self, verdict: Verdict[Left], kind: Hashable, context: RuleContext, ask: Callable[[Kinds, Facts, Facts], Left]
    ) -> None:
        """What is left of a kind: as in a module that declares the same, or what `ask` finds out."""
        if self._edited:
            self._kinds = None
        facts, kinds, values = Facts(), self._kinds_in(context), self._values
        declared = kinds.declared(kind, context.module, values)
        if declared is not None:
            verdict.left = declared.left
            facts.module |= declared.decisive
        else:
            read = Facts()
            verdict.left = ask(kinds, facts, read)
            kinds.learn(kind, context.module, read, facts, verdict.left, values)
        self.note(verdict, facts)

    def _made(self, key: Hashable) -> Verdict[Any]:
        made = self._known[key] = self._new(key)
        return made

    def _new(self, key: Hashable = None) -> Verdict[Any]:
        made: Verdict[Any] = Verdict(len(self._all), key)
        self._all.append(made)
        return made

    def note(self, verdict: Verdict[Any], facts: Facts) -> None:
        """A verdict depends on these facts, which are cleared."""
        if self._edited:
            self._dependencies.record(verdict.number, facts.groups())

    def find(self, verdict: Verdict[Groups], inst: Instruction, context: RuleContext, own: Scope) -> None:
        """Find out a verdict by the rules on `inst`, where `own` are the ids of its function."""
        module = context.module
        asker, facts = module.reads, Facts()
        used = inst.uses()
        definitions = own.definitions
        facts.types.update(name for name in used if name not in definitions)
        named = {name: own.definition(name).opcode for name in used if name in definitions}
        if inst.result is not None:
            named[inst.result] = inst.opcode
        trial = context.for_trial()
        left: list[Ordered] = []
        said: dict[Rule, tuple[Finding, ...]] = {}
        groups = context.selection.on_settled(inst.opcode.value, _about(inst, module))
        for group in groups:
            kept: list[tuple[Rule, tuple[str, ...]]] = []
            for rule, after in group:
                reads = module.reads = Facts()
                findings = _findings(rule, inst, trial)
                is_shared = not trial.is_particular and _is_shared(reads, named, definitions)
                if is_shared and findings == ():
                    facts.add(reads)
                    continue
                kept.append((rule, after))
                if is_shared and findings is not None and all(_is_of_any(finding, inst, named) for finding in findings):
                    said[rule] = findings
                    facts.add(reads)
            left.append(tuple(kept))
        module.reads = asker
        self.note(verdict, facts)
        verdict.left, verdict.found = (left[0], left[1]), ()
        if said and len(said) == len(left[0]) + len(left[1]):
            verdict.left, verdict.found = ((), ()), _in_turn(verdict.left, said)

    def learn(self, verdict: Verdict[Rules], facts: Facts, own: Container[str]) -> None:
        """A family has found nothing on a function with the ids `own`, and has read these facts: unless some are about the
        function, it finds nothing on any other of that form."""
        if facts.chunk_state or any(name in own for name in facts.of_ids()):
            return
        reads = Facts()
        reads.add(facts)
        reads.module.add(self._known[FUNCTIONS])
        verdict.left = ()
        self.note(verdict, reads)

    def invalidate(self, changed: Facts, holds: Callable[[Verdict[Any]], bool]) -> None:
        """Forget the verdicts that depend on facts that changed, and add them to these. Of those that were asked for most, `holds`
        finds out anew whether they are what they were: then nothing that depends on them has changed."""
        stale = changed
        while numbers := self._dependencies.invalidate(stale):
            stale = Facts()
            verdicts = [self._all[number] for number in numbers]
            common = [verdict for verdict in verdicts if verdict.asked >= _COMMON and verdict.left is not None]
            tried = sorted(common, key=lambda verdict: verdict.asked, reverse=True)[:_TRIED]
            kept = {verdict for verdict in tried if holds(verdict)}
            for verdict in verdicts:
                if verdict not in kept:
                    verdict.left = None
                    stale.module.add(verdict)
            changed.module |= stale.module


def _about(inst: Instruction, module: Module) -> About:
    """The extended set, decoration or execution mode that an instruction is about, if it is about one."""
    at = DECIDING.get(inst.opcode.value)
    if at is not None:
        decided = inst.operands[at] if at < len(inst.operands) else None
        return decided if isinstance(decided, int) else None
    if inst.opcode.value not in EXTENDED or not inst.operands:
        return None
    named = inst.operands[0]
    import_name = module.import_name(named) if isinstance(named, str) else None
    known = tables.extended_set(import_name) if import_name is not None else None
    return known.name if known is not None else ""


def _left(asked: Iterable[Asked], probe: Probe, trial: RuleContext, decisive: Facts, read: Facts) -> Rules:
    """The rules that find something on a kind in the module of the trial. What decides that others do not is added to `decisive`,
    and all that was asked of the module to `read`."""
    module = trial.module
    asker, reads = module.reads, Facts()
    module.reads = reads
    left = []
    for rule, by_module in asked:
        if by_module and _is_vain(rule, probe, trial) and not reads.chunk_state:
            decisive.add(reads)
        else:
            left.append(rule)
        if by_module:
            read.add(reads)
            reads.clear()
            module.reads = reads  # a rule that raises may leave others
    module.reads = asker
    return tuple(left)


def _grouped(every: Rules, named: Rules) -> Groups:
    return tuple((rule, rule.after) for rule in every), tuple((rule, rule.after) for rule in named)


def _is_vain(rule: Rule, probe: Probe, trial: RuleContext) -> bool:
    """Whether a rule finds nothing without a look at what it is asked about."""
    trial.begin()
    try:
        return next(rule.check(probe, trial), None) is None and not trial.is_particular
    except Exception:  # it has looked, or it is asked each time and then named
        return False


def _findings(rule: Rule, inst: Instruction, trial: RuleContext) -> tuple[Finding, ...] | None:
    """What a rule finds on an instruction; None where it pauses or fails, and then it is asked each time, and named."""
    trial.begin(inst)
    try:
        found = tuple(rule.check(inst, trial))
    except Exception:
        return None
    return None if PAUSE in found or trial.has_undefined_operand else found


def _others(group: Ordered, silent: frozenset[str]) -> Ordered:
    return tuple([entry for entry in group if entry[0].id not in silent])


_MOST_MADE_OF = 64
"""Ids that an instruction of a shared shape may be made of."""


def _made_of(inst: Instruction, module: Module) -> set[str] | None:
    """The ids of an instruction with all that these are made of; None for too many."""
    found = set(inst.uses())
    rest = list(found)
    while rest:
        definition = module.ids.definition(rest.pop())
        more = set(definition.uses()) - found if definition is not None else ()
        found.update(more)
        rest += more
        if len(found) > _MOST_MADE_OF:
            return None
    if inst.result is not None:
        found.add(inst.result)
    return found


def _is_of_any(finding: Finding, inst: Instruction, own: Iterable[str]) -> bool:
    """Whether a finding on an instruction names none of the ids of its function: so it is one on any of its signature."""
    if finding.record is not inst or finding.notes or finding.fixes:
        return False
    return not any(name in finding.message for name in own)


def _in_turn(groups: Groups, said: Mapping[Rule, tuple[Finding, ...]]) -> Found:
    """What rules find that run in an order, and are skipped after others."""
    found: list[tuple[Rule, Finding]] = []
    ids: set[str] = set()
    for rule, after in chain.from_iterable(groups):
        if ids.isdisjoint(after):
            ids.add(rule.id)
            found += [(rule, finding) for finding in said[rule]]
    return tuple(found)


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
