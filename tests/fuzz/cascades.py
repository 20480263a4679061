"""How many errors one mutation brings, beside how many instructions the reference reports one after the other.

The reference stops at the first error. So the instruction that it names is made good in a way that does not depend on what
is wrong with it (`made_good`), and the module is validated again, until it is accepted or there is no such way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import mean, quantiles

from spvls.grammar import spv
from spvls.grammar.traits import TERMINATORS, VARIABLES
from tests.fuzz.words import Instruction, Words, made, opcode_of
from tests.reference.driver import Driver
from tests.reference.ours import Verdict

MOST_STEPS = 30
"""So often the reference is asked about a module."""

_DEBUG_SETS = ("DebugInfo", "OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo")
_DEBUG_INFO_NONE = 0
_KEPT = frozenset({spv.OpCapability, spv.OpExtension, spv.OpMemoryModel, spv.OpFunctionEnd})
"""Instructions without a result that the rest of a module depends on."""

_PARTS = frozenset({spv.OpFunction, spv.OpFunctionParameter})
"""Instructions with a result type in the place of which OpUndef cannot be."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """`rules` has the rule of each of our errors, `reported` counts the instructions that the reference reports one after the
    other, and `is_whole` says that it accepts what is left."""

    rules: tuple[str, ...]
    reported: int
    is_whole: bool


def cascade_of(driver: Driver, words: bytes, env: str, found: Verdict) -> Cascade:
    """What comes of a module that both sides refuse, where `found` is our verdict."""
    reported, is_whole = instructions_reported(driver, words, env)
    return Cascade(tuple(sorted(one.rule for one in found.errors)), reported, is_whole)


def instructions_reported(driver: Driver, words: bytes, env: str) -> tuple[int, bool]:
    """How many instructions the reference reports one after the other, and whether it accepts what is left. One that cannot be
    made good counts, and is the last; so does an error without an instruction."""
    module = Words.parse(words)
    reported: list[Instruction] = []  # by identity
    for _ in range(MOST_STEPS):
        answer = driver.validate(module.data(), env)
        if answer.ok is not False:
            return len(reported), answer.ok is True
        number = answer.error.instruction if answer.error is not None else None
        if number is None or number > len(module.code):
            return len(reported) + 1, False
        instruction = module.code[number - 1]
        is_new = not any(one is instruction for one in reported)
        if is_new:
            reported.append(instruction)
        if not is_new or not made_good(module, number - 1):
            return len(reported), False
    return len(reported), False


def made_good(module: Words, place: int) -> bool:
    """Make an instruction one that nothing can be wrong with, or remove it; False where there is no such way.

    In a function, one with a result becomes an OpUndef of its type, and a terminator an OpUnreachable; constants become an OpUndef as
    well, and what a set of debug information describes becomes DebugInfoNone. Any other without a result is removed.
    """
    instruction = module.code[place]
    opcode = opcode_of(instruction)
    if opcode is None:
        del module.code[place]
    elif not opcode.has_result:
        if opcode.value in _KEPT or opcode.value == spv.OpUnreachable:
            return False
        if opcode.value in TERMINATORS:
            instruction[:] = made("OpUnreachable")
        else:
            del module.code[place]
    elif _debug_set(module, instruction) and len(instruction) > 4:
        instruction[4:] = [_DEBUG_INFO_NONE]
    elif not opcode.has_type or len(instruction) < 3 or not _can_be_undefined(module, place):
        return False
    else:
        instruction[:] = made("OpUndef", *instruction[1:3])
    module.survey()
    return True


def _debug_set(module: Words, instruction: Instruction) -> bool:
    known = module.sets.get(instruction[3]) if instruction[0] & 0xFFFF == spv.OpExtInst and len(instruction) > 3 else None
    return known is not None and known.name.startswith(_DEBUG_SETS)


def _can_be_undefined(module: Words, place: int) -> bool:
    instruction = module.code[place]
    typed = module.maker.get(instruction[1])
    if typed is None or module.code[typed][0] & 0xFFFF == spv.OpTypeVoid:
        return False
    opcode = instruction[0] & 0xFFFF
    if opcode in VARIABLES:
        return any(words[0] & 0xFFFF == spv.OpFunction for words in module.code[:place])
    return opcode not in _PARTS


@dataclass(slots=True)
class Cascades:
    """Gathers them, with where each comes from."""

    errors: list[int] = field(default_factory=list)
    reported: list[int] = field(default_factory=list)
    whole: int = 0
    combinations: Counter[tuple[str, ...]] = field(default_factory=Counter)
    examples: dict[tuple[str, ...], str] = field(default_factory=dict)

    def add(self, cascade: Cascade, origin: str) -> None:
        self.errors.append(len(cascade.rules))
        self.reported.append(cascade.reported)
        self.whole += cascade.is_whole
        if len(cascade.rules) > 1:
            rules = tuple(sorted(set(cascade.rules)))
            self.combinations[rules] += 1
            self.examples.setdefault(rules, f"{len(cascade.rules)} errors: {origin}")

    def summary(self, most: int) -> list[str]:
        """Lines with the counts, and the `most` frequent combinations of rules with an example of each."""
        if len(self.errors) < 2:
            return []
        whole = f"then accepted: {100 * self.whole / len(self.errors):.0f} %"
        return [
            f"errors of single mutations: {_figures(self.errors)}",
            f"instructions that the reference reports in turn: {_figures(self.reported)}; {whole}",
            f"errors to instructions: {mean(self.errors) / mean(self.reported):.2f}",
            *(
                f"{count:6}  {' + '.join(rules)}\n        {self.examples[rules]}"
                for rules, count in self.combinations.most_common(most)
            ),
        ]


def _figures(numbers: Iterable[int]) -> str:
    numbers = list(numbers)
    cuts = quantiles(numbers, n=100)
    shares = ", ".join(f"{number}: {count}" for number, count in sorted(Counter(numbers).items()))
    return f"{len(numbers)}, mean {mean(numbers):.2f}, median {cuts[49]:.0f}, p95 {cuts[94]:.0f}, most {max(numbers)} ({shares})"
