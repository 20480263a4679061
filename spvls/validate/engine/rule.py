"""Rules and their registry.

A rule is a generator function; what it yields are its findings, and where it takes long, `PAUSE` now and then. The first line
of its docstring says what it checks, the paragraphs after it say why: `spvls explain` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain

from spvls.diagnostic import RULE_FAILED, Severity
from spvls.grammar import sections, spv, tables
from spvls.grammar.records import Opcode
from spvls.grammar.sections import Section
from spvls.grammar.traits import TERMINATORS, VARIABLES
from spvls.module.functions import Block, Function
from spvls.module.module import Module
from spvls.record import Enum, NamedTuple, cached_property
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.typed import Any, TypeVar
from spvls.validate.engine.finding import LONG, PAUSE, Finding, is_long
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule_index import ABOUT, EVERY, FUNCTION, MODULE, NEEDS, PICKED, RULES, SETS, Need

Findings = Iterator[Finding]
Value = TypeVar("Value")
Check = TypeVar("Check", bound=Callable[..., Findings])
Vuids = Callable[[], Iterable[str]]


_BORDERS = TERMINATORS | {spv.OpLabel, spv.OpFunctionEnd}

_CONTINUED = {
    spv.OpCompositeConstruct: spv.OpCompositeConstructContinuedINTEL,
    spv.OpConstantComposite: spv.OpConstantCompositeContinuedINTEL,
    spv.OpSpecConstantComposite: spv.OpSpecConstantCompositeContinuedINTEL,
}


class RuleContext:
    """What a rule sees: the module, the options, and where it is called.

    `selection` has the rules that run. `function` is the function of the instruction at hand, None in the global part;
    `record` is that instruction as it stands in the module, where its context-dependent operands are not read yet.
    `defined_ids` are the ids that the chunk has defined so far, `announced_ids` those of forward pointers.
    `has_undefined_operand` is set where the instruction uses an id that nothing defines before it, or has a result type that
    is none: the rules of its opcode could only guess.
    `is_particular` says that a rule has asked for the function, the instruction, its neighbor or the ids before it; whether there
    is a function at all, `is_in_function` says.
    """

    __slots__ = (
        "_announced", "_announced_ids", "_at", "_chunk_state", "_defined_ids", "_function", "_memo", "_passed", "_record",
        "_records", "has_undefined_operand", "is_in_function", "is_particular", "module", "options", "selection",
    )  # fmt: skip

    def __init__(
        self,
        module: Module,
        options: Options,
        selection: Selection,
        function: Function | None = None,
        records: Sequence[Instruction] = (),
    ) -> None:
        self.module = module
        self.selection = selection
        self.options = options
        self.is_in_function = function is not None
        self.has_undefined_operand = False
        self.is_particular = False
        self._function = function
        self._record: Instruction | None = None
        self._records = records
        self._passed = self._announced = self._at = 0
        self._announced_ids: set[str] = set()
        self._defined_ids: set[str] = set()
        self._memo: dict[str, Any] = {}
        self._chunk_state: dict[str, Any] = {}

    def begin(self, record: Instruction | None = None, at: int = 0) -> None:
        """The next instruction, which stands at a place of the `records` of its chunk, or the function for the next family of rules
        on it, is at hand."""
        self._record, self._at = record, at
        self.has_undefined_operand = False
        self.is_particular = False
        if self._memo:
            self._memo = {}

    def for_trial(self) -> RuleContext:
        """One of the same place, with a state of its own."""
        return RuleContext(self.module, self.options, self.selection, self._function)

    @property
    def function(self) -> Function | None:
        self.is_particular = True
        return self._function

    @property
    def record(self) -> Instruction | None:
        self.is_particular = True
        return self._record

    @property
    def block(self) -> Block | None:
        """The block that the instruction stands in, found by its label; None outside of blocks, and where another block before has
        the same label."""
        self.is_particular = True
        function, records = self._function, self._records
        if function is None:
            return None
        for at in range(min(self._at, len(records) - 1), -1, -1):
            record = records[at]
            opcode = record.opcode.value
            if record.faults or opcode not in _BORDERS:
                continue
            if opcode == spv.OpLabel:
                block = function.blocks.get(record.result or "")
                return block if block is not None and block.label is record else None
            if at < self._at:
                return None
        return None

    @property
    def following(self) -> Instruction | None:
        """The next instruction of the chunk that could be read."""
        self.is_particular = True
        rest = range(self._at + 1, len(self._records))
        return next((self._records[at] for at in rest if not self._records[at].faults), None)

    @property
    def is_continued(self) -> bool:
        """Whether the next instruction continues the list of operands of the one at hand."""
        self.is_particular = True
        pair = [record.opcode.value for record in self._records[self._at : self._at + 2]]
        return len(pair) == 2 and _CONTINUED.get(pair[0]) == pair[1]

    @property
    def defined_ids(self) -> set[str]:
        self.is_particular = True
        if self._passed < self._at:
            self._defined_ids.update([r.result for r in self._records[self._passed : self._at] if r.result is not None])
            self._passed = self._at
        return self._defined_ids

    @property
    def announced_ids(self) -> set[str]:
        self.is_particular = True
        if self._announced < self._at:
            passed = self._records[self._announced : self._at]
            forward = [r for r in passed if r.opcode.value == spv.OpTypeForwardPointer and r.operands]
            self._announced_ids.update([str(r.operands[0]) for r in forward])
            self._announced = self._at
        return self._announced_ids

    def memo(self, key: str, compute: Callable[[], Value]) -> Value:
        """Return what `compute` gives, computed once for the instruction or function at hand; rules share it by `key`."""
        if key not in self._memo:
            self._memo[key] = compute()
        value: Value = self._memo[key]
        return value

    def chunk_state(self, key: str, make: Callable[[], Value]) -> Value:
        """Return state that the instructions of a chunk share, made by `make`; a rule may change it for the instructions that
        follow.

        All who ask for a key are checked again when one of them is; so ask only where there is something to say.
        """
        self.module.reads.chunk_state.add(key)
        if key not in self._chunk_state:
            self._chunk_state[key] = make()
        value: Value = self._chunk_state[key]
        return value


class RuleTarget(Enum):
    """What a rule is run on: each instruction of its opcodes, each function, or the module as a whole."""

    INSTRUCTION = "instruction"
    FUNCTION = "function"
    MODULE = "module"


class Rule(NamedTuple):
    """`apis` are the client APIs that the rule belongs to, none for rules of SPIR-V itself, and `excepted` those where it does
    not run; `opcodes` is None for a rule that looks at every instruction, or at those whose opcode `where` picks. `section` is
    of the SPIR-V specification. `tags` are those of its findings. `after` are the ids of the rules after which it is skipped:
    it does not run on an instruction where one of these ran and found something. `vuids` gives the valid usages that the findings
    can have besides `vuid` and those that the code of the rule names, where it takes them from tables. A `doubtful` rule runs only
    on instructions with an id in doubt: one that is not defined just once, before the instruction or where that may name it, in
    the same function or before the first one. A rule with `sets` is on extended instructions of these sets alone. A function rule
    `of_form` looks at the form of the function alone, see `Function.form`; if it names `opcodes`, it runs on functions with one of
    these only."""

    id: str
    target: RuleTarget
    check: Callable[..., Findings]
    section: Section
    severity: Severity
    vuid: str | None
    opcodes: tuple[int, ...] | None
    apis: frozenset[str]
    where: Callable[[Opcode], bool] | None = None
    tags: tuple[str, ...] = ()
    excepted: frozenset[str] = frozenset()
    after: tuple[str, ...] = ()
    vuids: Vuids | None = None
    doubtful: bool = False
    of_form: bool = False
    sets: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module of the rule, without that of all rules."""
        return self.check.__module__.removeprefix(f"{FOLDERS}.")

    @property
    def folder(self) -> str:
        """The part of the id that names the folder of the rule."""
        return self.id.partition("/")[0]

    @property
    def documentation(self) -> str:
        """The docstring of the rule; an installed package has it beside its facts."""
        from spvls.validate.engine.rule_facts import page_of

        return self.check.__doc__ or page_of(self.id)

    @property
    def title(self) -> str:
        """The first sentence of the documentation."""
        return self.documentation.strip().partition("\n")[0]


class Family(NamedTuple):
    """Rules on functions that are of one module. `opcodes` are those that a function must have one of to be of concern, None where
    any function is; `of_form` says that all rules are."""

    rules: tuple[Rule, ...]
    opcodes: frozenset[int] | None
    of_form: bool

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Family:
        """The family of some rules."""
        rules = tuple(rules)
        named = frozenset(chain.from_iterable(rule.opcodes or () for rule in rules))
        return cls(rules, named if all(rule.opcodes for rule in rules) else None, all(rule.of_form for rule in rules))


FOLDERS = "spvls.validate.rules"
"""The package of all rules."""

AVAILABILITY = ("capability/uses-are-enabled", "capability/uses-exist-in-version")
"""The rules on what a module must declare for an instruction and its enumerants. Where these have found something, what else is
wrong with the use of the same enumerant is of no matter yet."""

_OF_TYPES = VARIABLES | {spv.OpTypePointer}
"""The opcodes of what brings types into memory, whose rules go through these types."""

_RULES: dict[str, Rule] = {}
_IDS: dict[Callable[..., Findings], str] = {}


def _register(
    target: RuleTarget,
    id_: str,
    section: Section,
    severity: Severity,
    vuid: str | None,
    opcodes: Iterable[int] | None,
    apis: str,
    where: Callable[[Opcode], bool] | None = None,
    tags: str = "",
    after: Iterable[Callable[..., Findings] | str] = (),
    vuids: Vuids | None = None,
    doubtful: bool = False,
    of_form: bool = False,
    sets: Iterable[str] = (),
) -> Callable[[Check], Check]:
    def add(check: Check) -> Check:
        if id_ in _RULES:
            raise ValueError(f"two rules are called {id_}")
        values = None if opcodes is None else tuple(opcodes)
        earlier = tuple(rule if isinstance(rule, str) else _IDS[rule] for rule in after)
        only, excepted = _of_apis(apis)
        _RULES[id_] = Rule(
            id_, target, check, section, severity, vuid, values, only, where, tuple(tags.split()), excepted, earlier, vuids,
            doubtful, of_form, tuple(sets),
        )  # fmt: skip
        _IDS[check] = id_
        return check

    return add


@cache
def _of_apis(apis: str) -> tuple[frozenset[str], frozenset[str]]:
    """The client APIs that a rule is for, and those that it is not for."""
    names = apis.split()
    return (
        frozenset(name for name in names if not name.startswith("!")),
        frozenset(name[1:] for name in names if name.startswith("!")),
    )


def instruction_rule(
    id_: str,
    *opcodes: int,
    section: Section,
    severity: Severity = Severity.ERROR,
    vuid: str | None = None,
    apis: str = "",
    every: bool = False,
    where: Callable[[Opcode], bool] | None = None,
    tags: str = "",
    after: Iterable[Callable[..., Findings] | str] = (),
    vuids: Vuids | None = None,
    doubtful: bool = False,
    sets: Iterable[str] = (),
) -> Callable[[Check], Check]:
    """A rule on instructions of the given opcodes, on `every` one, or on those with opcodes that `where` picks, which is asked once
    for each opcode that occurs: `check(inst, context)`. `apis` names client APIs that it is for, or with `!` before the name is
    not for. It is skipped on an instruction where a rule of `after` has found something, whatever becomes of that finding; a rule
    that was skipped itself has found nothing, and one that is named by its id is not loaded for this. Its findings have the
    `tags`. A `doubtful` rule is on the ids of instructions, and runs only where one of these may be at fault. One with `sets`
    finds something in extended instructions of these sets alone, by the names that the tables have for them."""
    named = None if every or where is not None else opcodes
    target = RuleTarget.INSTRUCTION
    return _register(target, id_, section, severity, vuid, named, apis, where, tags, after, vuids, doubtful, sets=sets)


def function_rule(
    id_: str,
    *opcodes: int,
    section: Section,
    severity: Severity = Severity.ERROR,
    vuid: str | None = None,
    apis: str = "",
    tags: str = "",
    vuids: Vuids | None = None,
    of_form: bool = False,
) -> Callable[[Check], Check]:
    """A rule on whole functions, or on those with one of the opcodes: `check(function, context)`. Its findings have the `tags`. A
    rule `of_form` looks at nothing of the function but its form, as `Function.form` says."""
    return _register(RuleTarget.FUNCTION, id_, section, severity, vuid, opcodes, apis, None, tags, (), vuids, of_form=of_form)


def module_rule(
    id_: str,
    *,
    section: Section,
    severity: Severity = Severity.ERROR,
    vuid: str | None = None,
    apis: str = "",
    tags: str = "",
    vuids: Vuids | None = None,
) -> Callable[[Check], Check]:
    """A rule on the module as a whole: `check(context)`. It runs after every edit: let it read summaries, not bodies. Its
    findings have the `tags`."""
    return _register(RuleTarget.MODULE, id_, section, severity, vuid, (), apis, None, tags, (), vuids)


@cache
def rules() -> dict[str, Rule]:
    """All rules by id, in the order that they run in: that of their ids, but each after those that its `after` names. Loads all
    of `spvls.validate.rules`; to ask whether there is a rule, `RULES` is enough."""
    return {id_: rule_named(id_) for id_ in RULES}


def registered() -> dict[str, Rule]:
    """The rules whose modules are loaded, by id."""
    return _RULES


def rule_named(id_: str) -> Rule:
    """The rule of that id, whose module is loaded if it is not yet; KeyError where there is none."""
    if id_ not in _RULES:
        load(RULES[id_][0])
    return _RULES[id_]


def find_rule(id_: str) -> Rule | None:
    """As `rule_named`; None where there is none."""
    return rule_named(id_) if id_ in RULES else None


def load(module: str) -> None:
    """Import a module of rules, by its name below `FOLDERS`."""
    import_module(f"{FOLDERS}.{module}")


def folder_title(folder: str) -> str:
    """What the rules of a folder are about, in a line."""
    from ast import get_docstring, parse
    from importlib.util import find_spec

    spec: Any = find_spec(f"{FOLDERS}.{folder.replace('-', '_')}")
    return get_docstring(parse(spec.loader.get_source(spec.name))) or ""


About = str | int | None
"""What instructions are about besides their opcode: the name of an extended set, "" for one that is not known, or the value of a
decoration or an execution mode."""


class Selection:
    """The rules that one environment calls for, by what they are run on; those on functions by the modules that they are of.

    Which rules these are, the index says. Rules that need a capability or an option, and have none among those that are `present`,
    are left out; no rule is where these are not known. A rule is loaded with its module when the first instruction of its opcodes,
    the first function or the module as a whole is checked.
    """

    def __init__(self, api: str, present: frozenset[Need] | None = None) -> None:
        self._on_functions: list[str] = []
        self._on_module: list[str] = []
        self._on_many: list[str] = []
        self._named: dict[int, list[str]] = {}
        called = {FUNCTION: self._on_functions, MODULE: self._on_module, EVERY: self._on_many, PICKED: self._on_many}
        for id_, (_, called_for, apis, opcodes) in RULES.items():
            if apis and not is_for(api, apis):
                continue
            if present is not None and id_ in NEEDS and present.isdisjoint(NEEDS[id_]):
                continue
            if called_for in called:
                called[called_for].append(id_)
                continue
            for opcode in opcodes:
                self._named.setdefault(opcode, []).append(id_)
        self._by_opcode: dict[tuple[int, About], Groups] = {}
        self._on_settled: dict[tuple[int, About], Groups] = {}

    @cached_property
    def functions(self) -> tuple[tuple[Rule, ...], ...]:
        """The rules on functions, those of a module together."""
        families: dict[str, list[Rule]] = {}
        for rule in map(rule_named, self._on_functions):
            families.setdefault(rule.module, []).append(rule)
        return tuple(map(tuple, families.values()))

    @cached_property
    def modules(self) -> tuple[Rule, ...]:
        """The rules on the module as a whole."""
        return tuple(map(rule_named, self._on_module))

    def findings(
        self, inst: Instruction, context: RuleContext, groups: Groups | None = None
    ) -> Iterator[tuple[Rule, Finding]]:
        """What the rules on an instruction find, in their order: first those on many opcodes, then, unless the instruction uses
        an id that nothing defines, those on its own; or of these the ones in `groups`. Also the pauses of rules, and one after each
        rule that made the module derive something, on a long instruction, and on one that brings types into memory where these may
        be long."""
        found: set[str] = set()
        module, derived = context.module, context.module.derived
        is_of_long_type = inst.opcode.value in _OF_TYPES and module.most_operands_declared >= LONG
        pauses = is_of_long_type or is_long(inst.operands)
        for group in groups or self.on(inst.opcode.value):
            for rule, after in () if context.has_undefined_operand else group:
                if after and not found.isdisjoint(after):
                    continue
                try:
                    for finding in rule.check(inst, context):
                        if finding is not PAUSE:
                            found.add(rule.id)
                        yield rule, finding
                except Exception as error:
                    yield failure(rule, inst, error)
                if pauses or module.derived != derived:
                    derived = module.derived
                    yield rule, PAUSE

    def findings_of(
        self, wanted: Callable[[Rule], bool], inst: Instruction, context: RuleContext
    ) -> Iterator[tuple[Rule, Finding]]:
        """What some of the rules on the opcode of an instruction find on it, for a rule that made the instruction. The rules
        that these are skipped after run as well, and their findings are dropped."""
        found: set[str] = set()
        _, named = self.on(inst.opcode.value)
        needed = _with_earlier(named, wanted)
        for rule, after in named:
            if rule.id in needed and found.isdisjoint(after):
                for finding in rule.check(inst, context):
                    if finding is PAUSE:
                        continue
                    found.add(rule.id)
                    if wanted(rule):
                        yield rule, finding

    def on_settled(self, opcode: int, about: About = None) -> Groups:
        """As `on`, of instructions none of whose ids is in doubt."""
        key = opcode, about
        found = self._on_settled.get(key)
        if found is None:
            every, named = self.on(opcode, about)
            found = self._on_settled[key] = tuple(entry for entry in every if not entry[0].doubtful), named
        return found

    def on(self, opcode: int, about: About = None) -> Groups:
        """The rules on instructions of an opcode: those on many opcodes, and those on this one. Rules that are on other extended
        sets, decorations or execution modes alone than the instructions are `about` are left out."""
        key = opcode, about
        found = self._by_opcode.get(key)
        if found is None:
            many = [id_ for id_ in self._on_many if RULES[id_][1] is EVERY or _picks(id_, opcode)]
            named = self._named.get(opcode, [])
            if isinstance(about, str):
                named = [id_ for id_ in named if about in SETS.get(id_, (about,))]
            elif about is not None and tables.are_shipped():
                named = [id_ for id_ in named if about in ABOUT.get(id_, (about,))]
            found = self._by_opcode[key] = _ordered(many), _ordered(named)
        return found


@lru_cache(maxsize=64)
def selection_of(api: str, present: frozenset[Need]) -> Selection:
    """The rules that the environments of a client API call for, "" for those of SPIR-V itself, where these of the capabilities and
    options are present without which some rules find nothing."""
    return Selection(api, present)


_NEEDED = frozenset(chain.from_iterable(NEEDS.values()))
_NEEDED_OPTIONS = [need for need in _NEEDED if isinstance(need, str)]


def present_in(module: Module, options: Options) -> frozenset[Need]:
    """The capabilities of a module, and the options that are set, without which some rules find nothing."""
    return (_NEEDED & module.declarations.capabilities).union([name for name in _NEEDED_OPTIONS if getattr(options, name)])


tables.on_replace(selection_of.cache_clear)


def is_for(api: str, apis: str) -> bool:
    """Whether a rule of these `apis`, as `instruction_rule` takes them, runs in the environments of a client API, "" for those of
    SPIR-V itself."""
    names = apis.split()
    return f"!{api}" not in names and (api in names or names[0].startswith("!"))


def _picks(id_: str, opcode: int) -> bool:
    """Whether a rule picks an opcode; with another grammar than the shipped one the rule itself says so."""
    if tables.are_shipped():
        return opcode in _picked(id_)
    known, where = tables.opcode_by_value(opcode), rule_named(id_).where
    return known is not None and where is not None and where(known)


@cache
def _picked(id_: str) -> frozenset[int]:
    return frozenset(RULES[id_][3])


Ordered = tuple[tuple[Rule, tuple[str, ...]], ...]
"""Rules in the order that they run in, each with the ids of those that it is skipped after."""

Groups = tuple[Ordered, Ordered]
"""Rules on many opcodes, and rules on one."""


def _ordered(ids: Iterable[str]) -> Ordered:
    return tuple((rule, rule.after) for rule in map(rule_named, ids))


def _with_earlier(ordered: Ordered, wanted: Callable[[Rule], bool]) -> set[str]:
    """The ids of the wanted rules, and of all that decide whether these are skipped."""
    needed: set[str] = set()
    for rule, after in reversed(ordered):
        if rule.id in needed or wanted(rule):
            needed.update((rule.id, *after))
    return needed


_FAILED = Rule(
    RULE_FAILED, RuleTarget.MODULE, lambda: iter(()), sections.UNIVERSAL_VALIDATION_RULES, Severity.ERROR, None, (), frozenset()
)


def failure(rule: Rule, record: Instruction, error: Exception) -> tuple[Rule, Finding]:
    """What is found where `rule` raises on an instruction, or on what begins with it."""
    kind = type(error).__name__
    message = f"the rule {rule.id} failed here ({kind}: {error}), so its findings may be missing; please report this to spvls"
    return _FAILED, Finding(record, OPCODE, message)


class RuleFinding(NamedTuple):
    """A finding of a rule. `record` of the finding may be a resolved twin; `origin` is the one of the module.

    `elsewhere` says that the finding is on another instruction than the one whose check it comes from.
    """

    rule: Rule
    finding: Finding
    origin: Instruction
    elsewhere: bool = False


def failed(rule: Rule, record: Instruction, error: Exception) -> RuleFinding:
    """What is found where `rule` raises on what begins with an instruction."""
    return RuleFinding(*failure(rule, record, error), record)
