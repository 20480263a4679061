"""Cases of a switch: what they branch to, and the order they are listed in (SPIR-V 2.11)."""

from __future__ import annotations

from collections import Counter

from spvls.module.constructs import Construct, Structure
from spvls.module.functions import Function
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.validate.engine.finding import Finding, Note


def switch_fault(
    function: Function, structure: Structure, construct: Construct, switch: Instruction
) -> Finding | None:
    """The first thing wrong with the cases of a switch."""
    targets = [str(target) for target in switch.operands[1::2]]
    default, listed = targets[0], targets[1:]
    cases = {target for target in targets if target != construct.exit}
    dominators = function.structural_dominators
    falls: dict[str, str | None] = {}
    for target in targets:
        if target == construct.exit or target in falls:
            continue
        if dominators.reaches(target) and not dominators.dominates(construct.header, target):
            label = function.blocks[construct.header].label
            note = Note(function.blocks[target].label, OPCODE, "the case begins here")
            return Finding(
                label, OPCODE, f"the switch in %{construct.header} does not structurally dominate its case %{target}", (note,)
            )
        next_case = _fall_through(function, structure, construct, target, cases)
        if isinstance(next_case, Finding):
            return next_case
        falls[target] = next_case
    return _check_order(function, switch, default, listed, falls) or _check_targets(function, falls)


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
            message = f"the case %{target} branches to %{name}, which is neither another case nor a way out of the switch"
            return Finding(label, OPCODE, message)
        if found is None and name != target:
            found = name
        elif found not in (None, name):
            message = f"the case %{target} falls through to both %{found} and %{name}, and only one is allowed"
            return Finding(label, OPCODE, message)
    return found


def _check_order(
    function: Function, switch: Instruction, default: str, listed: list[str], falls: dict[str, str | None]
) -> Finding | None:
    default_falls = falls.get(default)
    for at, target in enumerate(listed):
        next_case = falls.get(target)
        if next_case == default and default not in listed:
            next_case = default_falls
        if next_case is None:
            continue
        last = at
        while last + 1 < len(listed) and listed[last + 1] == target:
            last += 1
        if last + 1 >= len(listed) or listed[last + 1] != next_case:
            message = f"the case %{target} falls through to %{next_case}, and so has to be listed right before it"
            return Finding(switch, 3 + 2 * at, message)
    return None


def _check_targets(function: Function, falls: dict[str, str | None]) -> Finding | None:
    into = Counter(next_case for next_case in falls.values() if next_case is not None)
    for target, count in into.items():
        if count > 1:
            notes = tuple(
                Note(function.blocks[name].label, OPCODE, "this case does") for name, to in falls.items() if to == target
            )
            message = f"{count} cases fall through to the case %{target}, and only one may"
            return Finding(function.blocks[target].label, OPCODE, message, notes)
    return None
