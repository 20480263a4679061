"""Keys: one string that names an entry of the tables, whichever table it stands in.

    OpFAdd                                      an instruction
    StorageClass.Private                        an enumerant of an operand kind
    GLSL.std.450.Sqrt                           an instruction of an extended set
    DebugInfo.DebugInfoFlags.FlagIsPublic       an enumerant of a kind that only this set has

A set is named by its name or by any string that imports it. Aliases stand for what they are aliases of.
"""

from __future__ import annotations

from spvls.grammar import tables
from spvls.grammar.records import Enumerant, ExtendedInstruction, ExtendedSet, Opcode
from spvls.record import NamedTuple


class Subject(NamedTuple):
    """What a key names; `key` is the canonical one and `set` the extended set that has the record."""

    key: str
    record: Opcode | Enumerant | ExtendedInstruction
    set: ExtendedSet | None = None


def resolve(key: str) -> Subject | None:
    """What the key names, None when no table has it. Upper and lower case differ."""
    if "." not in key:
        opcode = tables.opcode(key)
        return None if opcode is None else Subject(opcode.name, opcode)
    kind, _, name = key.partition(".")
    if "." not in name and (enumerant := _enumerant(kind, name)) is not None:
        return Subject(f"{kind}.{enumerant.name}", enumerant)
    parts = key.split(".")
    for length in range(1, len(parts)):
        known = _set(".".join(parts[:length]))
        subject = None if known is None else _of_set(known, parts[length:])
        if subject is not None:
            return subject
    return None


def keys() -> tuple[str, ...]:
    """The canonical key of every entry of the tables."""
    found = [opcode.name for opcode in tables.opcodes()]
    found += [f"{kind.name}.{name}" for kind in tables.kinds() for name in kind.entries]
    for known in tables.extended_sets():
        found += [f"{known.name}.{name}" for name in known.entries]
        found += [f"{known.name}.{kind.name}.{name}" for kind in known.kinds.values() for name in kind.entries]
    return tuple(found)


def _enumerant(kind: str, name: str) -> Enumerant | None:
    try:
        return tables.kind(kind).get(name)
    except KeyError:
        return None


def _set(name: str) -> ExtendedSet | None:
    """The set of that name; a set in revisions is also found by the name that its import strings begin with."""
    return tables.extended_set(name) or tables.extended_set(f"{name}.")


def _of_set(known: ExtendedSet, parts: list[str]) -> Subject | None:
    record: Enumerant | ExtendedInstruction | None = None
    if len(parts) == 1:
        record = known.get(parts[0])
    elif len(parts) == 2 and parts[0] in known.kinds:
        record = known.kinds[parts[0]].get(parts[1])
    if record is None:
        return None
    return Subject(".".join([known.name, *parts[:-1], record.name]), record, known)
