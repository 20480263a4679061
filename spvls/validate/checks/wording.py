"""Words that messages of several families share."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar.enumerants import Capability
from spvls.syntax.instruction import Instruction, shown
from spvls.syntax.operand_decls import capability_names


def listed(names: Sequence[str], last: str = "or") -> str:
    """Names in a row: `a`, `a or b`, `a, b or c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def operand(inst: Instruction, at: int) -> str:
    """An operand as messages name it: `operand Pointer (%x)`."""
    declared = inst.opcode.arguments
    name, of = declared[min(at, len(declared) - 1)].name if declared else "", shown(inst.operands[at])
    return named(name, of)


def named(name: str, of: str) -> str:
    """The same by the operand's name in the grammar."""
    if not name or "," in name:
        return f"operand {of}"
    return f"{'' if name.partition(' ')[0] == 'Operand' else 'operand '}{name} ({of})"


def made_by(definition: Instruction) -> str:
    """What an id is: `the result of OpLabel`."""
    return f"the result of {definition.opcode.name or 'an unknown instruction'}"


def the_capabilities(needed: Sequence[int]) -> str:
    """Several in a row: `the capabilities Int8 and Int16`."""
    return f"the capabilit{'y' if len(needed) == 1 else 'ies'} {listed(capability_names(needed), 'and')}"


_SMALL = {Capability.Int8: "8-bit integers", Capability.Int16: "16-bit integers", Capability.Float16: "16-bit floats"}


def small_numbers(needed: Sequence[int]) -> str:
    """The numbers that a module may compute with only if it declares these capabilities."""
    return listed([_SMALL.get(capability, "such numbers") for capability in needed], "and")


_CONVERSIONS = {
    "OpUConvert": {Capability.Int8, Capability.Int16},
    "OpSConvert": {Capability.Int8, Capability.Int16},
    "OpFConvert": {Capability.Float16},
}
"""The conversions that a number which is only stored may have, by the capabilities to compute with it."""


def only_stored(needed: Sequence[int]) -> str:
    """What a module may do with numbers that it may compute with only if it declares these capabilities."""
    ways = [way for way, capabilities in _CONVERSIONS.items() if not capabilities.isdisjoint(needed)]
    may = f"the module may only load, store and copy {small_numbers(needed)}, and convert them with {listed(ways)}"
    return f"without {the_capabilities(needed)}, {may}"


def counted(count: int, noun: str) -> str:
    """A number and what it counts: `1 member`, `2 members`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def are_given(count: int, noun: str = "") -> str:
    """How many there are: `1 is given`, `2 are given`, `2 variables are given`."""
    return f"{counted(count, noun) if noun else count} {'is' if count == 1 else 'are'} given"
