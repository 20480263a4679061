"""The documentation of an opcode, an enumerant or an extended instruction, with its conditions, as Markdown.

Hover, completion, signature help and `spvls doc` all show these.
"""

from __future__ import annotations

from collections.abc import Sequence

from spvls.grammar import docs, glossary, tables
from spvls.grammar.history import changes
from spvls.grammar.keys import Subject
from spvls.grammar.records import Entity, Enumerant, ExtendedInstruction, ExtendedSet, Opcode
from spvls.grammar.records import Operand as Declared
from spvls.grammar.reference import client_facts, identity
from spvls.grammar.traits import TANGLED, TANGLED_CLASSES
from spvls.ide.documentation import links
from spvls.ide.documentation.availability import conditions, deprecation_text
from spvls.module.module import Module
from spvls.text.escaping import code_block, code_span, emphasis, link

_QUANTIFIERS = {"": "", "?": "optional", "*": "any number"}


def docs_markdown(
    entity: Entity,
    module: Module | None = None,
    known: ExtendedSet | None = None,
    *,
    with_signature: bool = True,
    with_kinds: bool = True,
) -> str:
    """All of it: how it is written, what it does, its operands, its conditions, where it is specified.

    `known` is the extended set of an extended instruction, or of an enumerant that only that set has. What `module` declares
    is ticked. `with_signature` is False where the signature is shown beside. `with_kinds` shows the kinds of the operands in the
    grammar.
    """
    key = key_of(entity, known)
    entry = docs.lookup(key)
    parts = [code_block(signature(entity, known, module), "spirv")] if with_signature else []
    deprecated = deprecation_text(key, entity.name, module)
    if deprecated is not None:
        parts.append(deprecated)
    if entry is not None:
        parts.extend(glossary.linked((entry.summary, *entry.paragraphs)))
    declared_operands = operands_of(entity)
    operands = [
        _operand_line(operand, phrase_of(operand, key, declared_operands[:at].count(operand)), with_kinds=with_kinds)
        for at, operand in enumerate(declared_operands)
        if operand.kind != "IdResultType"
    ]
    if operands:
        parts.append("\n".join(operands))
    if entry is not None and entry.example is not None:
        parts.append(code_block(entry.example.code, entry.example.language))
    history = [f"SPIR-V {version}: {what}" for version, what in changes(key)]
    facts = [*_identity(entity, key, known), *conditions(entity, module), *history, *client_facts(key), *_tangled(entity)]
    parts.append("\n".join(f"- {fact}" for fact in facts))
    declared = module.declarations.extensions if module is not None else ()
    address = links.of_entity(entity, known, declared)
    if address is not None:
        parts.append(link(f"{entity.name} in the specification", address))
    return "\n\n".join(parts)


_IS_TANGLED = "Tangled instruction: the result depends on which invocations execute it together; it must stay in its control flow"


def _tangled(entity: Entity) -> Sequence[str]:
    """That invocations communicate by an instruction."""
    if isinstance(entity, Opcode) and (entity.value in TANGLED or entity.class_ in TANGLED_CLASSES):
        return glossary.linked((_IS_TANGLED,))
    return ()


def key_of(entity: Entity, known: ExtendedSet | None = None) -> str:
    """The key of an entry, see `spvls.grammar.keys`."""
    if isinstance(entity, Enumerant):
        own = known is not None and entity.kind in known.kinds
        return f"{known.name}.{entity.kind}.{entity.name}" if known and own else f"{entity.kind}.{entity.name}"
    own = known is not None and isinstance(entity, ExtendedInstruction)
    return f"{known.name}.{entity.name}" if known and own else entity.name


def operands_of(entity: Entity) -> tuple[Declared, ...]:
    """What follows an entry in the text, the result type included."""
    if isinstance(entity, Opcode):
        return tuple(operand for operand in entity.operands if operand.kind != "IdResult")
    if isinstance(entity, Enumerant):
        return entity.parameters
    return entity.operands if isinstance(entity, ExtendedInstruction) else ()


def signature(entity: Entity, known: ExtendedSet | None = None, module: Module | None = None) -> str:
    """How an entry is written, with the purposes of its operands in their places.

    An extended instruction of the set `known` is written with what imports the set in `module`.
    """
    return " ".join([head(entity, known, module), *(placeholder(operand) for operand in operands_of(entity))])


def head(entity: Entity, known: ExtendedSet | None = None, module: Module | None = None) -> str:
    """What a signature begins with: the name, and the result in front of an opcode that makes one."""
    if isinstance(entity, ExtendedInstruction) and known is not None:
        imports = module.declarations.imports if module is not None else {}
        name = next((name for name, imported in imports.items() if tables.extended_set(imported) is known), "Set")
        return f"%result = OpExtInst %Result_Type %{name} {entity.name}"
    return f"%result = {entity.name}" if isinstance(entity, Opcode) and entity.has_result else entity.name


def placeholder(operand: Declared) -> str:
    """An operand as signatures show it: ids with %, optional ones in brackets, repeated ones with an ellipsis."""
    name = operand.name or operand.kind
    if operand.kind == "IdResultType":
        word = "%Result_Type"
    elif _category(operand.kind) == "id":
        word = "%" + "_".join(name.replace("'", "").split(",")[0].split())
    elif operand.kind == "LiteralString":
        word = f'"{name}"'
    else:
        word = f"<{name}>"
    if operand.quantifier == "*":
        return f"[{word} …]"
    return f"[{word}]" if operand.quantifier else word


def phrase_of(operand: Declared, key: str, before: int = 0) -> str:
    """What the documentation of the entry that takes an operand says of it; nothing where it is silent.

    `before` is how many operands of the entry come before it that are declared alike.
    """
    entry = docs.lookup(key)
    name = operand.name or operand.kind
    phrases = [phrase for known, phrase in entry.operands if known == name] if entry is not None else []
    return phrases[min(before, len(phrases) - 1)] if phrases else ""


def operand_name(operand: Declared) -> str:
    """What an operand is called in prose."""
    return "Result Type" if operand.kind == "IdResultType" else operand.name or operand.kind


def _operand_line(operand: Declared, phrase: str, *, with_kinds: bool) -> str:
    """An operand as an item of a list."""
    quantifier = "" if phrase.startswith(("optional", "at least")) else _QUANTIFIERS[operand.quantifier]
    facts = ", ".join(filter(None, (code_span(operand.kind) if with_kinds else "", quantifier)))
    return f"- {emphasis(operand_name(operand))}{f' ({facts})' if facts else ''}{': ' + phrase if phrase else ''}"


def _category(kind: str) -> str:
    try:
        return tables.kind(kind).category
    except KeyError:  # a kind that only an extended set has
        return "value"


def _identity(entity: Entity, key: str, known: ExtendedSet | None) -> Sequence[str]:
    """The number of an entry, what it is one of, its other names."""
    assert isinstance(entity, Opcode | Enumerant | ExtendedInstruction)
    return identity(Subject(key, entity, known))
