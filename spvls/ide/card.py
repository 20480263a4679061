"""Cards: what there is to know of an opcode, an enumerant or an extended instruction, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spvls.grammar import docs, tables
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.grammar.reference import client_facts
from spvls.ide import links
from spvls.ide.availability import conditions
from spvls.module.module import Module

_QUANTIFIERS = {"": "", "?": ", optional", "*": ", any number"}


def card(entity: Entity, module: Module, known: ExtendedSet | None = None) -> str:
    """All of it: how it is written, what it does, its operands, its conditions, where it is specified.

    `known` is the extended set of an extended instruction, or of an enumerant that only that set has.
    """
    key = key_of(entity, known)
    entry = docs.lookup(key)
    parts = [f"```spirv\n{signature(entity)}\n```"]
    if entry is not None:
        parts.append("\n\n".join((entry.summary, *entry.paragraphs)))
    phrases = dict(entry.operands) if entry is not None else {}
    operands = _operand_lines(operands_of(entity), phrases)
    if operands:
        parts.append("\n".join(operands))
    if entry is not None and entry.example is not None:
        parts.append(f"```spirv\n{entry.example.code.rstrip()}\n```")
    facts = [*_identity(entity, known), *conditions(entity, module)]
    facts += client_facts(key)
    if entity.aliases:
        facts.append("Also " + ", ".join(f"`{name}`" for name in entity.aliases))
    parts.append("  \n".join(facts))
    address = links.of_entity(entity) or (links.of_set(known, known.name) if known is not None else None)
    if address is not None:
        parts.append(f"[Specification]({address})")
    return "\n\n".join(parts)


def key_of(entity: Entity, known: ExtendedSet | None = None) -> str:
    """The key of an entry, see `spvls.grammar.keys`."""
    if isinstance(entity, Enumerant):
        own = known is not None and entity.kind in known.kinds
        return f"{known.name}.{entity.kind}.{entity.name}" if known and own else f"{entity.kind}.{entity.name}"
    return f"{known.name}.{entity.name}" if known is not None else entity.name


def operands_of(entity: Entity) -> tuple[Declared, ...]:
    """What follows an entry in the text, the result type included."""
    if isinstance(entity, Opcode):
        return tuple(operand for operand in entity.operands if operand.kind != "IdResult")
    if isinstance(entity, Enumerant):
        return entity.parameters
    return entity.operands if isinstance(entity, ExtendedInstruction) else ()


def signature(entity: Entity) -> str:
    """How an entry is written, with the purposes of its operands in their places."""
    head = entity.name
    if isinstance(entity, Opcode) and entity.has_result:
        head = f"%result = {head}"
    return " ".join([head, *(placeholder(operand) for operand in operands_of(entity))])


def placeholder(operand: Declared) -> str:
    """An operand as signatures show it: ids with %, optional ones in brackets, repeated ones with an ellipsis."""
    name = operand.name or operand.kind
    if operand.kind == "IdResultType":
        word = "%result_type"
    elif _category(operand.kind) == "id":
        word = "%" + "_".join(name.replace("'", "").lower().split(",")[0].split())
    elif operand.kind == "LiteralString":
        word = f'"{name}"'
    else:
        word = f"<{name}>"
    if operand.quantifier == "*":
        return f"[{word} …]"
    return f"[{word}]" if operand.quantifier else word


def _category(kind: str) -> str:
    try:
        return tables.kind(kind).category
    except KeyError:  # a kind that only an extended set has
        return "value"


def _operand_lines(operands: Sequence[Declared], phrases: dict[str, str]) -> Iterable[str]:
    lines: list[str] = []
    for operand in operands:
        if operand.kind == "IdResultType":
            continue
        name = operand.name or operand.kind
        kind = f"`{operand.kind}`{_QUANTIFIERS[operand.quantifier]}"
        phrase = phrases.get(name)
        lines.append(f"- *{name}* ({kind}){': ' + phrase if phrase else ''}")
    return lines


def _identity(entity: Entity, known: ExtendedSet | None) -> list[str]:
    """The number of an entry, and what it is one of."""
    if isinstance(entity, Opcode):
        group = entity.class_.replace("_", " ").replace("-", " ").lower()
        return [f"Opcode {entity.value}" + (f" ({group})" if group and group != "reserved" else "")]
    if isinstance(entity, Enumerant):
        return [f"{entity.kind} {entity.value} (`0x{entity.value:x}`)" if entity.value > 9 else f"{entity.kind} {entity.value}"]
    return [f"{known.name if known else 'Extended'} instruction {entity.value}"]
