"""`spvls/validate/engine/rule_index.py`: which module has a rule, and what it is called for, so that none is loaded in vain."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import Any, cast

from spvls.grammar import spv, tables
from spvls.validate.checks.limits import LIMITS, LimitMaker
from spvls.validate.engine.kinds import ANY_FUNCTION, Operands, Probe, SeenError
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import FOLDERS, Rule, RuleContext, RuleTarget, registered
from spvls.validate.engine.verdicts import DECIDING
from tests.corpus import ROOT

PATH = ROOT / "spvls" / "validate" / "engine" / "rule_index.py"

_HEAD = """\
\"\"\"What is known of rules before any of them is loaded, by id and in the order that they run in.

Made by `python -m tests.shipped` from what the rules are registered with; do not edit.
\"\"\"

from spvls.typed import Final

Listed = tuple[str, str, str, tuple[int, ...]]
\"\"\"The module of a rule, below `spvls.validate.rules`; what it is called for; its `apis`, as it is registered with them; its
opcodes, those of the shipped grammar where it picks them.\"\"\"

Need = int | str

NAMED: Final = "named"  # instructions of its opcodes
PICKED: Final = "picked"  # instructions of the opcodes that it picks
EVERY: Final = "every"  # every instruction
FUNCTION: Final = "function"
MODULE: Final = "module"

"""
_SETS = '''"""The extended instruction sets of the rules that are on these alone."""'''
_ABOUT = '''"""The decorations or execution modes of the rules that find nothing in instructions about another one."""'''
_NEEDS = '''"""The capabilities, and the options by name, of which rules need one: without, they find nothing in any module."""'''
_LIMITING = '''"""By opcode, the modules that say which entry points may reach its instructions (`spvls.validate.checks.limits`)."""'''


def index_text() -> str:
    """What the file has to hold."""
    lines = [f"    {_quoted(rule.id)}: ({_listed(rule)})," for rule in _in_order(_all())]
    sets = [f"    {_quoted(rule.id)}: ({', '.join(map(_quoted, rule.sets))},)," for rule in _in_order(_all()) if rule.sets]
    about = [f"    {_quoted(rule.id)}: ({', '.join(map(str, of))},)," for rule in _in_order(_all()) if (of := _about(rule))]
    needs = [f"    {_quoted(rule.id)}: ({', '.join(map(_shown, of))},)," for rule in _in_order(_all()) if (of := _needs(rule))]
    limiting = [f"    {opcode}: ({_modules(makers)},)," for opcode, makers in sorted(LIMITS.items())]
    return "\n".join([
        f"{_HEAD}RULES: Final[dict[str, Listed]] = {{", *lines, "}", "",
        "SETS: Final[dict[str, tuple[str, ...]]] = {", *sets, "}", _SETS, "",
        "ABOUT: Final[dict[str, tuple[int, ...]]] = {", *about, "}", _ABOUT, "",
        "NEEDS: Final[dict[str, tuple[Need, ...]]] = {", *needs, "}", _NEEDS, "",
        "LIMITING: Final[dict[int, tuple[str, ...]]] = {", *limiting, "}", _LIMITING, "",
    ])  # fmt: skip


def _modules(makers: list[LimitMaker]) -> str:
    return ", ".join(sorted({_quoted(maker.__module__.removeprefix(f"{FOLDERS}.")) for maker in makers}))


def _listed(rule: Rule) -> str:
    apis = " ".join([*sorted(rule.apis), *(f"!{api}" for api in sorted(rule.excepted))])
    opcodes = _runs(_opcodes(rule))
    listed = ",".join(opcodes) + "," * (len(opcodes) == 1)
    return f"{_quoted(rule.module)},{_called_for(rule)},{_quoted(apis)},({listed})"


def _runs(numbers: list[int]) -> list[str]:
    """The numbers, those that follow each other by their first and last: the wheel is smaller by a kilobyte."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [
        part for run in runs for part in ([f"*range({run[0]},{run[-1] + 1})"] if len(run) > _RUN else map(str, run))
    ]  # fmt: skip


_RUN = 3
"""So many numbers in a row are written one by one."""


def _called_for(rule: Rule) -> str:
    if rule.target is not RuleTarget.INSTRUCTION:
        return rule.target.name
    if rule.where is not None:
        return "PICKED"
    return "EVERY" if rule.opcodes is None else "NAMED"


def _opcodes(rule: Rule) -> list[int]:
    if rule.where is None:
        return sorted({*(rule.opcodes or ())})
    return sorted(opcode.value for opcode in tables.opcodes() if rule.where(opcode))


def _about(rule: Rule) -> list[int]:
    """The decorations or execution modes that a rule looks closer at; none where these may be all."""
    kinds = {"ExecutionMode" if opcode in _MODES else "Decoration" for opcode in DECIDING.keys() & {*(rule.opcodes or ())}}
    if len(kinds) != 1:
        return []
    (kind,) = kinds
    values = [enumerant.value for enumerant in tables.kind(kind).all]
    found = sorted({value for value in (*values, _UNKNOWN) if not _is_vain(rule, value)})
    return found if _UNKNOWN not in found and len(found) <= _MOST else []


def _is_vain(rule: Rule, value: int) -> bool:
    """Whether a rule finds nothing in instructions about a decoration or execution mode, however many operands they have, without a
    look at them, at the module or at the options."""
    context = RuleContext(cast(Any, _Unseen()), cast(Any, _Unseen()), cast(Any, _Unseen()))
    for opcode in {*(rule.opcodes or ())} & DECIDING.keys():
        place = DECIDING[opcode]
        for count in range(place + 1, place + _COUNTS):
            context.begin()
            try:
                found = next(rule.check(Probe(tables.opcode_by_value(opcode), Operands(place, value, count)), context), None)
            except Exception:
                return False
            if found is not None or context.is_particular:
                return False
    return True


class _Unseen:
    def __getattr__(self, name: str) -> Any:
        raise SeenError


def _needs(rule: Rule) -> list[int | str]:
    """The capabilities and options without which a rule finds nothing, as it asks for them before all else; none where it looks at
    something else first."""
    module, options = _WithoutCapabilities(), _WithoutOptions()
    for is_in_function in (False, True):
        context = RuleContext(cast(Any, module), cast(Any, options), cast(Any, _Unseen()))
        context.is_in_function = is_in_function
        for probe in _probes(rule):
            try:
                found = next(rule.check(*probe, context), None)
            except Exception:
                return []
            if found is not None or context.is_particular:
                return []
    return [*sorted(module.asked), *sorted(options.asked)]


def _probes(rule: Rule) -> list[tuple[Probe, ...]]:
    if rule.target is RuleTarget.MODULE:
        return [()]
    if rule.target is RuleTarget.FUNCTION:
        return [(ANY_FUNCTION,)]
    return [(Probe(tables.opcode_by_value(opcode)),) for opcode in _opcodes(rule)]


class _WithoutCapabilities(_Unseen):
    def __init__(self) -> None:
        self.asked: set[int] = set()

    def has_capability(self, capability: int) -> bool:
        self.asked.add(capability)
        return False


class _WithoutOptions(_Unseen):
    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        default = Options._field_defaults.get(name)
        if default not in (False, ""):
            raise SeenError
        self.asked.add(name)
        return default


def _shown(need: int | str) -> str:
    return _quoted(need) if isinstance(need, str) else str(need)


_MODES = (spv.OpExecutionMode, spv.OpExecutionModeId)
_UNKNOWN = 0x7FFF_FFF0
"""A value that is none of the grammar."""

_MOST, _COUNTS = 16, 12
"""So many values are listed, and so many numbers of operands are tried."""


def _all() -> dict[str, Rule]:
    """All rules that there are, whatever the index says."""
    for module in walk_packages(import_module(FOLDERS).__path__, FOLDERS + "."):
        import_module(module.name)
    return registered()


def _in_order(known: dict[str, Rule]) -> list[Rule]:
    """By id, but each after those that its `after` names."""
    ordered: dict[str, Rule] = {}

    def add(rule: Rule) -> None:
        if rule.id not in ordered:
            for earlier in sorted(rule.after):
                add(known[earlier])
            ordered[rule.id] = rule

    for _, rule in sorted(known.items()):
        add(rule)
    return list(ordered.values())


def _quoted(text: str) -> str:
    return f'"{text}"'
