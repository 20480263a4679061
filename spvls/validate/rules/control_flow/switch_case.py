"""Cases of a switch: what they branch to, and the order they are listed in (SPIR-V 2.11)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import groupby

from spvls.module.constructs import Construct, Structure
from spvls.module.functions import Function
from spvls.steps import PORTION, Steps
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.checks.wording import listed
from spvls.validate.engine.finding import Finding, Note


def switch_fault(
    function: Function, structure: Structure, construct: Construct, switch: Instruction
) -> Steps[Finding | None]:
    """The first thing wrong with the cases of a switch, in short steps; none where a target is written as a word."""
    targets = [target for target in switch.operands[1::2] if isinstance(target, str)]
    if 2 * len(targets) < len(switch.operands):
        return None
    default, listed = targets[0], targets[1:]
    cases = {target for target in targets if target != construct.exit}
    falls = yield from _sound_falls(function, construct, cases)
    if falls is None:
        walked = yield from _walked_falls(function, structure, construct, targets, cases)
        if isinstance(walked, Finding):
            return walked
        falls = walked
    ordered = {target: falls.get(target) for target in targets if target != construct.exit}
    yield
    found = _check_order(switch, default, listed, ordered)
    yield
    return found or _check_targets(function, ordered)


def _sound_falls(function: Function, construct: Construct, cases: set[str]) -> Steps[dict[str, str] | None]:
    """The case that each case falls through to, if it does; None where some case may be at fault, or the switch is not reached.

    What is in a case is not gone through: of a selection that is left in allowed ways only, a case ends at the blocks that are
    next below the header in the dominator tree.
    """
    dominators = function.structural_dominators
    header, merge = construct.header, construct.exit or ""
    if not function.dominators.reaches(header) or not all(dominators.dominates(header, case) for case in cases):
        return None
    yield
    starts = sorted(dominators.span(case)[0] for case in cases)
    falls: dict[str, str] = {}
    at, end = dominators.span(header)
    at += 1
    taken = 0
    while at < end:
        taken += 1
        if not taken % PORTION:
            yield
        child = dominators.tree[at]
        at = dominators.span(child)[1]
        for before in function.predecessors[child] if child != merge else ():
            if not function.dominators.reaches(before):
                continue
            position = dominators.span(before)[0]
            nearest = bisect_right(starts, position) - 1
            case = dominators.tree[starts[nearest]] if nearest >= 0 else ""
            if not dominators.dominates(case, before) or dominators.dominates(merge, before) or case == child:
                continue
            if child not in cases or falls.setdefault(case, child) != child:
                return None
    return falls


def _walked_falls(
    function: Function, structure: Structure, construct: Construct, targets: list[str], cases: set[str]
) -> Steps[dict[str, str] | Finding]:
    """The case that each case falls through to, if it does, or the first thing wrong with one."""
    dominators = function.structural_dominators
    falls: dict[str, str] = {}
    seen: set[str] = set()
    for at, target in enumerate(targets):
        if not at % PORTION:
            yield
        if target == construct.exit or target in seen:
            continue
        seen.add(target)
        if dominators.reaches(target) and not dominators.dominates(construct.header, target):
            label = function.blocks[construct.header].label
            note = Note(function.blocks[target].label, OPCODE, "the case begins here")
            header = f"%{construct.header}"
            message = f"%{target} is a case of the OpSwitch in block {header}, so {header} must structurally dominate %{target}"
            return Finding(label, OPCODE, message, (note,))
        next_case = _fall_through(function, structure, construct, target, cases)
        if isinstance(next_case, Finding):
            return next_case
        if next_case is not None:
            falls[target] = next_case
    return falls


def _fall_through(
    function: Function, structure: Structure, construct: Construct, target: str, cases: set[str]
) -> str | Finding | None:
    """The case that the case of `target` falls through to."""
    dominators = function.structural_dominators
    found: str | None = None
    seen: set[str] = set()
    waiting = [target]
    while waiting:
        name = waiting.pop()
        if name == construct.exit or name in seen:
            continue
        seen.add(name)
        if dominators.reaches(target) and dominators.dominates(target, name):
            waiting.extend(function.blocks[name].successors)
            continue
        label = function.blocks[target].label
        if name not in cases:
            if structure.is_structured_exit(construct, name):
                continue
            exits = listed(["another case", *(f"%{block}" for block in sorted(structure.structured_exits(construct)))])
            message = f"the case %{target} branches to %{name}; a branch out of a case must go to {exits}"
            return Finding(label, OPCODE, message)
        if found is None and name != target:
            found = name
        elif found not in (None, name):
            both = f"both %{found} and %{name}"
            message = f"the case %{target} falls through to {both}; a case may fall through to only one other case"
            return Finding(label, OPCODE, message)
    return found


def _check_order(
    switch: Instruction, default: str, listed: list[str], falls: dict[str, str | None]
) -> Finding | None:
    default_is_case = default in listed
    at = 0
    for target, repeated in groupby(listed):
        first, at = at, at + sum(1 for _ in repeated)
        next_case = falls.get(target)
        through_default = next_case == default and not default_is_case
        if through_default:
            next_case = falls.get(default)
        if next_case is not None and listed[at : at + 1] != [next_case]:
            through = f" (through the Default, %{default})" if through_default else ""
            place = f"must be listed directly before %{next_case}"
            message = f"the case %{target} falls through to the case %{next_case}{through} and {place}"
            return Finding(switch, 3 + 2 * first, message)
    return None


def _check_targets(function: Function, falls: dict[str, str | None]) -> Finding | None:
    into = Counter(next_case for next_case in falls.values() if next_case is not None)
    for target, count in into.items():
        if count > 1:
            notes = tuple(
                Note(function.blocks[name].label, OPCODE, f"%{name} falls through") for name, to in falls.items() if to == target
            )
            message = f"{count} cases fall through to the case %{target}; only one may"
            return Finding(function.blocks[target].label, OPCODE, message, notes)
    return None
