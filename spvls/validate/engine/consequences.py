"""Findings that follow from another one: one fault is one finding.

What else there is to say of an operand whose own definition is at fault is of no matter until that is corrected. So the
report leaves out a finding where an error that it may follow from is on the same instruction, on the definition of what it uses,
or on the entry point that it is about. That error stays: it is one that no comment sets aside, and that is not left out, or
follows itself from one that stays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from spvls.diagnostic import Diagnostic, Severity
from spvls.grammar import spv
from spvls.steps import PORTION, Steps
from spvls.syntax.instruction import UNKNOWN, Instruction
from spvls.typed import Any, TypeVar
from spvls.validate.engine.report import Reported
from spvls.validate.engine.rule import AVAILABILITY
from spvls.validate.engine.rule_patterns import patterns_of

Key = TypeVar("Key")
Causes = frozenset[str]

_CLASSES = frozenset({*AVAILABILITY, "memory/storage-class-exists-in-vulkan", "memory/variable-class-matches-place"})
"""That a storage class is another than it should be."""

_MISMATCHED = _CLASSES | {"memory/variable-class-matches-type"}
_AVAILABLE = frozenset(AVAILABILITY)
_UNDEFINED = frozenset({"id/is-defined-before-use"})
_NO_VALUE = frozenset({"id/operand-is-value"})

ON_INSTRUCTION: Mapping[str, Causes] = {
    "block-layout/buffer-struct-is-block": _MISMATCHED,
    "computation/*": _NO_VALUE,
    "constant/constituent-types-match": _AVAILABLE,
    "control-flow/local-variables-come-first": _MISMATCHED,
    "decoration/*": _MISMATCHED,
    "entry-point/mode-form-matches-operands": _AVAILABLE,
    "entry-point/one-exclusive-mode-is-set": _AVAILABLE,
    "interface/built-in-fits-storage-class": _MISMATCHED,
    "interface/listed-variables-are-global": _MISMATCHED,
    "memory/availability-fits-access": _AVAILABLE,
    "memory/initializer-fits-storage-class": _MISMATCHED,
    "memory/initializer-fits-vulkan-class": _MISMATCHED,
    "memory/non-private-memory-is-shared": _AVAILABLE,
    "memory/resource-type-fits-class": _MISMATCHED,
    "memory/runtime-array-is-in-resource": _MISMATCHED,
    "memory/variable-class-is-not-generic": _AVAILABLE,
    "memory/variable-class-matches-place": _AVAILABLE,
    "memory/variable-class-matches-type": _CLASSES,
    "module/addressing-model-fits-vulkan": _AVAILABLE,
    "pointer/logical-operand-is-permitted": frozenset(
        {
            "constant/spec-operation-is-allowed",
            "constant/spec-operands-are-constant",
            "synchronization/group-types-match",
            "tensor/per-element-function-matches",
            "computation/vector-operands-match",
        }
    ),
    "pointer/logical-result-is-permitted": frozenset({"memory/load-matches-pointee", "computation/indexes-lead-to-part"}),
    "tensor/transpose-decorates-conversion": _AVAILABLE,
}
"""By rule, or folder, the rules that its findings follow from on the same instruction."""

ON_OPERAND: Mapping[str, Causes] = {
    **dict.fromkeys(
        ("control-flow/*", "ext-inst/*", "function/*", "image/*", "memory/*", "pointer/*", "synchronization/*"), _NO_VALUE
    ),
    "id/operand-is-value": _UNDEFINED,
    "type/struct-members-are-declared-first": frozenset({"id/operand-is-type"}),
    "type/vector-components-are-scalar": frozenset({"id/operand-is-type"}),
}
"""The same for rules whose findings must be on the same operand."""

_MISTYPED = frozenset(
    {
        "syntax/*", "physical/*", "id/is-defined-before-use", "id/operand-is-type", "id/result-type-is-type",
        "computation/*", "constant/*", "control-flow/phi-values-match-result", "ext-inst/glsl-types-match",
        "ext-inst/opencl-types-match", "function/call-result-matches-function", "function/parameters-match-function-type",
        "image/access-fits-image", "image/query-fits-image", "memory/load-matches-pointee", "memory/variable-class-matches-type",
        "memory/variable-has-pointer-type", "pointer/access-chain-base-is-pointer", "pointer/access-chain-gives-pointer",
        "pointer/access-chain-keeps-storage-class", "pointer/access-chain-reaches-result-type", "pointer/conversion-types-match",
        "type/struct-members-are-declared-first", "type/vector-components-are-scalar",
    }
)  # fmt: skip
"""That a result is of another type than it should be, or that it cannot be read what it is."""

_KINDS = _AVAILABLE | {"module/sections-are-in-order", "syntax/*", "physical/*"}
"""That an instruction is likely of another opcode than it should be."""

ON_DEFINITION: Mapping[str, Causes] = {
    **dict.fromkeys(
        (
            "block-layout/layout-is-absent-outside-buffers", "computation/*", "constant/*",
            "control-flow/branch-condition-is-bool", "control-flow/phi-values-match-result",
            "control-flow/switch-selector-is-integer", "ext-inst/glsl-types-match", "ext-inst/opencl-types-match",
            "function/argument-types-match-parameters", "function/returned-value-matches-function", "image/access-fits-image",
            "image/query-fits-image", "memory/copied-pointees-match",
            "memory/initializer-type-matches-variable", "memory/load-matches-pointee", "memory/store-matches-pointee",
            "pointer/*", "synchronization/*", "type/array-length-is-constant",
        ),
        _MISTYPED,
    ),
    **dict.fromkeys(
        (
            "block-layout/buffer-struct-is-block", "interface/built-in-fits-storage-class", "interface/listed-variables-are-global",
            "memory/resource-type-fits-class", "memory/runtime-array-is-in-resource", "memory/stored-class-is-writable",
            "memory/variable-class-matches-type",
        ),
        _MISMATCHED,
    ),
    "execution-model/supports-reached-instructions": _AVAILABLE,
    "memory/access-takes-pointer": _MISTYPED | {"pointer/*", "function/*", "control-flow/*"},
    "pointer/access-chain-keeps-storage-class": _MISTYPED | _MISMATCHED,
    "ext-inst/debug-operands-have-required-kind": _KINDS | {"ext-inst/debug-operands-have-required-kind"},
    "ext-inst/debug-result-is-void": _KINDS,
    "function/result-matches-function-type": _UNDEFINED | {"id/operand-is-type"},
    "id/operand-is-type": _KINDS,
    "id/result-type-is-type": _KINDS,
    "module/line-file-is-string": _KINDS,
    "module/member-name-names-member": _KINDS,
    "function/call-result-matches-function": _MISTYPED,
    **dict.fromkeys(("decoration/fits-target-object", "decoration/fits-vulkan-storage-class"), _AVAILABLE),
}  # fmt: skip
"""By rule, or folder, the rules that its findings follow from on the definition of the operand that they are on, or of any that the
instruction has, its type among them, where they are on none."""

ON_ENTRY_POINT: Mapping[str, Causes] = dict.fromkeys(
    (
        "entry-point/mode-fits-execution-model", "entry-point/one-exclusive-mode-is-set", "entry-point/workgroup-size-is-set",
        "execution-model/supports-reached-instructions",
    ),
    _AVAILABLE,
)  # fmt: skip
"""The same for errors on the entry point of a function that the instruction defines or uses."""

ON_ID: Mapping[str, Callable[[Instruction], object]] = {
    "syntax/extended-set": lambda record: record.operands[0],
    "syntax/number-type": lambda record: record.type if record.opcode.has_type else record.operands[0],
}
"""By rule, the id that it finds unfit: the first finding about an id is enough."""


def without_consequences(
    found: list[Diagnostic], reported: Sequence[Reported], read: Callable[[Instruction], Instruction]
) -> Steps[list[Diagnostic]]:
    """`found` without what follows from other errors in it; `reported` says what its findings, and others, are about, and `read`
    gives an instruction with the operands that depend on other instructions."""
    causing = _causing({diagnostic.rule for diagnostic in found}) if len(found) > 1 else None
    if not causing:
        return found
    known: set[int] = set()
    for start in range(0, len(found), PORTION):
        yield
        known.update(map(id, found[start : start + PORTION]))
    errors = _Errors(read)
    for at, one in enumerate(reported, 1):
        if not at % PORTION:
            yield
        diagnostic = one.diagnostic
        if diagnostic.rule in causing and diagnostic.severity is Severity.ERROR and id(diagnostic) in known:
            errors.add(one)
    left_out: set[int] = set()
    pinned: set[int] = set()
    for at, one in enumerate(reported if errors.are_any else (), 1):
        if not at % PORTION:
            yield
        key = id(one.diagnostic)
        cause = None if key in pinned or key not in known else errors.cause_of(one)
        if cause is not None:
            left_out.add(key)
            pinned.add(id(cause))
    kept: list[Diagnostic] = []
    for start in range(0, len(found), PORTION):
        yield
        kept += [diagnostic for diagnostic in found[start : start + PORTION] if id(diagnostic) not in left_out]
    return kept


Table = defaultdict[Key, dict[str, Diagnostic]]
"""The first error of each rule in a place."""


_Keys = Callable[[Reported], Iterable[object]]
_Way = tuple[defaultdict[Any, dict[str, Diagnostic]], set[str], _Keys]
"""Errors by where they are, the rules of those that a finding may follow from, and where these are for it."""


class _Errors:
    """What other findings may follow from, by where it is."""

    def __init__(self, read: Callable[[Instruction], Instruction]) -> None:
        self._read = read
        self._records: dict[int, Instruction] = {}
        self._rules: set[str] = set()
        self._ways: dict[str, tuple[_Way, ...]] = {}
        self._on_instruction: Table[int | None] = defaultdict(dict)
        self._on_operand: Table[tuple[int | None, int]] = defaultdict(dict)
        self._on_definition: Table[str] = defaultdict(dict)
        self._on_entry_point: Table[str] = defaultdict(dict)
        self._on_id: Table[object] = defaultdict(dict)

    @property
    def are_any(self) -> bool:
        return bool(self._rules)

    def add(self, error: Reported) -> None:
        found, record = error.diagnostic, error.record
        self._rules.add(found.rule)
        if found.instruction is not None:
            self._on_instruction[found.instruction].setdefault(found.rule, found)
            self._on_operand[found.instruction, error.operand_index].setdefault(found.rule, found)
        if record.result is not None and record.opcode is not UNKNOWN:  # what that one defines, its uses say
            self._on_definition[record.result].setdefault(found.rule, found)
        if record.opcode.value in _ENTRY_POINTS and found.rule in _AVAILABLE:
            for name in record.uses():
                self._on_entry_point[name].setdefault(found.rule, found)
        if found.rule in ON_ID:
            self._on_id[ON_ID[found.rule](record)].setdefault(found.rule, found)

    def cause_of(self, reported: Reported) -> Diagnostic | None:
        """An error that a finding follows from; asked once all errors are known."""
        found = reported.diagnostic
        ways = self._ways.get(found.rule)
        if ways is None:
            ways = self._ways[found.rule] = tuple(self._ways_of(found.rule))
        for errors, causes, keys in ways:
            for key in keys(reported):
                for rule, cause in errors.get(key, _NONE).items():
                    if cause is not found and rule in causes:
                        return cause
        if found.rule in ON_ID:
            first = self._on_id[ON_ID[found.rule](reported.record)].get(found.rule)
            return first if first is not found else None
        return None

    def _ways_of(self, rule: str) -> Iterator[_Way]:
        """How findings of a rule may follow from the errors that there are."""
        places: tuple[tuple[Mapping[str, Causes], Table[Any], _Keys], ...] = (
            (ON_INSTRUCTION, self._on_instruction, lambda found: [found.diagnostic.instruction]),
            (ON_OPERAND, self._on_operand, lambda found: [(found.diagnostic.instruction, found.operand_index)]),
            (ON_DEFINITION, self._on_definition, self._about),
            (ON_ENTRY_POINT, self._on_entry_point, self._named),
        )
        for follows, errors, keys in places:
            causes = [follows[pattern] for pattern in patterns_of(rule) if pattern in follows]
            there = {other for other in self._rules if any(pattern in each for each in causes for pattern in patterns_of(other))}
            if there:
                yield errors, there, keys

    def _about(self, found: Reported) -> Iterable[str]:
        """The id of the operand that a finding is on; else all that its instruction uses."""
        record = self._reading(found.record)
        operands = record.operands
        operand = operands[found.operand_index] if 0 <= found.operand_index < len(operands) else None
        return [operand] if isinstance(operand, str) else record.uses()

    def _named(self, found: Reported) -> Iterable[str | None]:
        return found.record.result, *self._reading(found.record).uses()

    def _reading(self, record: Instruction) -> Instruction:
        """An instruction with all its operands, of which one may have many findings."""
        known = self._records.get(id(record))
        if known is None:
            known = self._records[id(record)] = self._read(record)
        return known


_NONE: dict[str, Diagnostic] = {}


@cache
def stands_alone(rule: str) -> bool:
    """Whether no finding of a rule follows from another one, nor another one from it."""
    tables = ON_INSTRUCTION, ON_OPERAND, ON_DEFINITION, ON_ENTRY_POINT
    linked = {pattern for table in tables for pattern in (*table, *chain.from_iterable(table.values()))}
    return rule not in ON_ID and linked.isdisjoint(patterns_of(rule))


def _causing(rules: set[str]) -> set[str]:
    """Those of some rules whose findings others of these rules may follow from."""
    causes: set[str] = set()
    for table in (ON_INSTRUCTION, ON_OPERAND, ON_DEFINITION, ON_ENTRY_POINT):
        causes.update(*(table[pattern] for rule in rules for pattern in patterns_of(rule) if pattern in table))
    return {rule for rule in rules if rule in ON_ID or not causes.isdisjoint(patterns_of(rule))}


_ENTRY_POINTS = frozenset({spv.OpEntryPoint, spv.OpConditionalEntryPointINTEL})
