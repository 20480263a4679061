"""What rules say of all instructions of a kind, found out by asking them about none.

A rule often finds nothing without a look at the instruction, for it is about another decoration, say, or about a capability that
the module lacks. So it is asked about a *probe*, which stands for any instruction of a kind and raises when the rule looks closer.
What it says in any module of an environment is found out once, and the modules after the first one share it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from types import FunctionType

from spvls.grammar import spv
from spvls.grammar.records import Opcode, Version
from spvls.module.availability import AVAILABILITY
from spvls.module.callgraph import CALL_FACTS
from spvls.module.declarations import CAPABILITIES, EXTENSIONS, SET_MODES, WORKGROUP_SIZES
from spvls.module.decorations import DECORATION
from spvls.module.dependencies import Facts
from spvls.module.module import BUILT_IN_VARIABLES, Module
from spvls.module.shapes import Numbers
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction, Operand
from spvls.typed import Any, cast
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Rule, RuleContext, Selection

_MOST = 10_000
"""Kinds that are remembered; then all are forgotten, as those of past edits and texts are among them."""

_MOST_DECLARED = 50_000
"""Kinds, and shapes of their instructions, of which is remembered what modules declare."""

_MOST_MET = 500_000
"""Kinds of which is remembered that somebody asked."""

_ALTERNATIVES = 32
"""Sets of facts that are remembered of a kind, and as many sets of what modules declare of each."""


class SeenError(Exception):
    """A rule looks at what it is asked about."""


class _ModuleSeenError(SeenError):
    """A rule looks at the module first."""


class _AnyId(str):
    """Stands for any id: who does more than to see that it is one has seen too much."""

    __slots__ = ()

    def _seen(self, *_: object) -> Any:
        raise SeenError

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = _seen
    __hash__ = __str__ = __repr__ = __format__ = __len__ = __bool__ = _seen
    __add__ = __radd__ = __mod__ = __rmod__ = __getitem__ = __iter__ = __contains__ = __getattribute__ = _seen


class Operands:
    """The operands of instructions of a kind: their number, the one at a place, and that the first one is an id. Who looks at more
    has seen too much."""

    def __init__(self, place: int, value: Operand, count: int) -> None:
        self._place = place
        self._value = value
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if index == self._place:
            return self._value
        if isinstance(index, slice) and range(*index.indices(self._count)) == range(self._place, self._place + 1):
            return (self._value,)
        if index == 0:
            return _AnyId()
        raise SeenError

    def __iter__(self) -> Iterator[Any]:
        raise SeenError


class Probe:
    """Stands for any function, or for any instruction of a kind: a rule that asks for more is not silent on all of them."""

    opcode: Opcode
    type: str | None
    result: str | None
    operands: Operands | tuple[Operand, ...]

    def __init__(self, opcode: Opcode | None = None, operands: Operands | None = None) -> None:
        if opcode is not None:
            self.opcode = opcode
            if not opcode.has_type:
                self.type = None
            if not opcode.has_result:
                self.result = None
        if operands is not None:
            self.operands = operands if len(operands) else ()

    def __getattr__(self, name: str) -> Any:
        raise SeenError


class Alike(Probe):
    """Stands for any instruction that differs from a given one in its result alone."""

    def __init__(self, inst: Instruction) -> None:
        self.opcode = inst.opcode
        self.type = inst.type
        self.operands = inst.operands
        self.result = _AnyId()


ANY_FUNCTION = Probe()


Asked = tuple[Rule, bool]
"""A rule, and whether it is in vain in some modules, without a look at the instruction."""


class _AnyModule:
    """Stands for any module of an environment and a version: who asks it for more has seen too much."""

    def __init__(self, module: Module) -> None:
        self.environment = module.environment
        self.version = module.version

    def __getattr__(self, name: str) -> Any:
        # What a method is asked about comes first: that may be the instruction.
        if isinstance(getattr(Module, name, None), FunctionType):
            return _seen
        raise _ModuleSeenError


def _seen(*_: object, **__: object) -> Any:
    raise _ModuleSeenError


def _for_any_module(context: RuleContext) -> RuleContext:
    """A context to ask rules in about any module of the same environment and version, with the same options."""
    trial = context.for_trial()
    trial.module = cast("Module", _AnyModule(context.module))
    return trial


def _asked(rule: Rule, probe: Probe, trial: RuleContext) -> Asked | None:
    """The rule, unless it finds nothing in any module, and whether the module decides about that. `trial` is `_for_any_module`."""
    trial.begin()
    try:
        vain = next(rule.check(probe, trial), None) is None and not trial.is_particular
    except _ModuleSeenError:
        return rule, True
    except Exception:  # it has looked, or it is asked each time and then named
        return rule, False
    return None if vain else (rule, False)


Values = dict[Hashable, Hashable]
"""What a module declares, by facts; None for a fact that modules are not compared by."""


class Declared(NamedTuple):
    """What was found out in a module that declares something: `decisive` facts left a rule out."""

    decisive: frozenset[Hashable]
    left: Any


Alternatives = dict[tuple[Hashable, ...], dict[tuple[Hashable, ...], Declared]]
"""By facts, and by what modules declare of these."""


class Kinds:
    """What rules say of kinds in any module of an environment and a version, with the same options. `modules` counts those that
    asked, and `numbers` are those of the `Shapes` of all of them."""

    def __init__(self) -> None:
        self.modules = 0
        self.numbers = Numbers()
        self._known: dict[Hashable, tuple[tuple[Asked, ...], ...]] = {}
        self._declared: dict[Hashable, Alternatives] = {}
        self._met: set[int] = set()

    def is_new(self, kind: Hashable) -> bool:
        """Whether nobody has asked this of a kind before, as far as is remembered."""
        key = hash(kind)
        if key in self._met:
            return False
        if len(self._met) >= _MOST_MET:
            self._met.clear()
        self._met.add(key)
        return True

    def declared(self, kind: Hashable, module: Module, values: Values) -> Declared | None:
        """What was found out about a kind in a module that declares the same as this one. More is added to `values`."""
        alternatives = self._declared.get(kind)
        if alternatives is not None:
            for facts, known in alternatives.items():
                found = known.get(_values(facts, module, values))
                if found is not None:
                    return found
        return None

    def learn(self, kind: Hashable, module: Module, read: Facts, decisive: Facts, left: Any, values: Values) -> None:
        """In this module these rules are left of a kind, by what was `read`; what is `decisive` made a rule be left out."""
        if any(names for names in decisive.groups() if names is not decisive.module):
            return
        facts = tuple(read.module)
        compared = {fact: value for fact, value in zip(facts, _values(facts, module, values), strict=True) if value is not None}
        if any(compared.get(fact, True) is True for fact in decisive.module):
            return  # which ids a decoration is on is another matter in each module
        if len(self._declared) >= _MOST_DECLARED:
            self._declared.clear()
        alternatives = self._declared.setdefault(kind, {})
        asked = next((facts for facts in alternatives if compared.keys() == {*facts}), None)
        if asked is None and len(alternatives) >= _ALTERNATIVES:
            del alternatives[next(iter(alternatives))]
        known = alternatives.setdefault(asked if asked is not None else tuple(compared), {})
        if len(known) >= _ALTERNATIVES:
            del known[next(iter(known))]
        known[tuple([compared[fact] for fact in asked or compared])] = Declared(frozenset(decisive.module), left)

    def asked(
        self, kind: Hashable, groups: Iterable[Iterable[Rule]], probe: Probe, context: RuleContext
    ) -> tuple[tuple[Asked, ...], ...]:
        """The rules of each group that find something on a kind in some module, which the probe stands for."""
        found = self._known.get(kind)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
                self._declared.clear()
            trial = _for_any_module(context)
            found = tuple(tuple(filter(None, (_asked(rule, probe, trial) for rule in rules))) for rules in groups)
            self._known[kind] = found
        return found


def _values(facts: tuple[Hashable, ...], module: Module, known: Values) -> tuple[Hashable, ...]:
    """What a module declares of each fact. They are kept as `known`."""
    try:
        return tuple(map(known.__getitem__, facts))
    except KeyError:
        asker, module.reads = module.reads, Facts()
        known.update({fact: _value(fact, module) for fact in facts if fact not in known})
        module.reads = asker
        return tuple(map(known.__getitem__, facts))


def comparable(facts: Iterable[Hashable], module: Module, known: Values) -> bool:
    """Whether two modules that declare the same of these facts are alike in them. What this one declares is kept as `known`."""
    return not any(value is None or value is True for value in _values(tuple(facts), module, known))


def _value(fact: Hashable, module: Module) -> Hashable:
    if fact == CAPABILITIES:
        return module.availability.capabilities
    if fact == AVAILABILITY:
        return module.availability.declared, module.availability.extensions
    if fact == EXTENSIONS:
        return module.availability.extensions
    if fact == spv.OpMemoryModel:
        return tuple([record.operands for record in module.declarations.records(spv.OpMemoryModel)])
    if fact == SET_MODES:
        return module.declarations.set_modes
    if isinstance(fact, str) and fact.startswith(DECORATION):
        return module.uses_decoration(int(fact[len(DECORATION) :]))
    if isinstance(fact, int):
        return () if fact not in CALL_FACTS and fact not in module.declarations.opcodes else None
    if fact == BUILT_IN_VARIABLES:
        return () if not module.built_in_variables() else None
    if fact == WORKGROUP_SIZES:
        return () if not module.declarations.workgroup_sizes else None
    return None


@lru_cache(maxsize=16)
def kinds_of(selection: Selection, environment: str, version: Version, options: Options) -> Kinds:
    """What is known of kinds by the rules of a selection, which is shared by modules."""
    return Kinds()


def forget_kinds() -> None:
    """Forget what is known of kinds: a module that is opened from now on has it found out anew."""
    kinds_of.cache_clear()
