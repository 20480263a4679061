"""What is shown of an id, as Markdown: what defines it, its type and value, its decorations, its uses, its place in the binary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.ide.documentation.demangle import demangled
from spvls.ide.documentation.value_text import value_text
from spvls.ide.source.source_module import SourceModule
from spvls.module.decorations import AppliedDecoration
from spvls.module.dominance import Dominators
from spvls.module.functions import Function, declared_targets
from spvls.module.module import Module
from spvls.syntax.instruction import ContextDependent, Instruction, Operand
from spvls.syntax.operand_decls import enumerants
from spvls.text.escaping import code_block, code_span, visible
from spvls.typed import Protocol

MAX_DEFINITION = 400
"""Characters of a definition that are shown at most."""

MAX_MEMBERS = 32
"""Members of a structure that are listed at most."""


MAX_DOMINATORS = 6
"""Blocks that dominate another that are listed at most."""


class Encoded(Protocol):
    """What ids and instructions are in the binary."""

    def number(self, name: str) -> int | None:
        """The number of an id."""

    def words(self, record: Instruction) -> Sequence[int]:
        """The words of an instruction that defines an id; none where it has no encoding."""

    def offset(self, record: Instruction) -> int | None:
        """The first word of an instruction, counted from the start of the module; None where it has no encoding."""


def id_markdown(source: SourceModule, name: str, encoded: Encoded | None = None) -> str:
    """All that is known of an id, as Markdown."""
    module = source.module
    definition = module.ids.definition(name)
    if definition is None:
        return f"{code_span(f'%{name}')} is not defined; {uses_phrase(module, name)}"
    parts = [code_block(shown(definition), "spirv")]
    facts = _facts(module, name, definition)
    if facts:
        parts.append("  \n".join(facts))
    if definition.opcode.value == spv.OpTypeStruct:
        parts.append("\n".join(_members(module, name)))
    decorations = [decoration_text(one) for one in module.decorations(name) if one.value != Decoration.Offset]
    if decorations:
        parts.append("\n".join(f"- {text}" for text in decorations))
    last = [uses_phrase(module, name)]
    number = encoded.number(name) if encoded is not None else None
    if encoded is not None and number is not None:
        last.append(f"{code_span(f'%{number}')} in the binary")
        words = encoded.words(definition)
        if words:
            some = " ".join(f"{word:08x}" for word in words[:16])
            last.append(f"words {code_span(f'{some} …' if len(words) > 16 else some)}")
    parts.append(" · ".join(last))
    return "\n\n".join(parts)


def shown(record: Instruction) -> str:
    """An instruction on one line, all that its strings hold visible, without comments."""
    words = [record.text[start:end] for start, end in record.words()]
    text = visible(" ".join(word.replace("\r\n", "⏎").replace("\n", "⏎") for word in words))
    return text if len(text) <= MAX_DEFINITION else text[:MAX_DEFINITION] + " …"


def _facts(module: Module, name: str, definition: Instruction) -> list[str]:
    facts: list[str] = []
    called = module.declarations.names.get(name)
    if called is not None and called != name:
        facts.append(f"Named {code_span(called)}")
    spoken = demangled_name(module, name)
    if spoken is not None:
        facts.append(f"Demangled {code_span(spoken)}")
    spelled = type_text(module, name)
    if spelled is not None:
        facts.append(f"Type {code_span(spelled)}")
    constant = module.constant(name)
    if constant is not None and constant.value is not None:
        word = "Default value" if constant.specialized else "Value"
        facts.append(f"{word} {value_text(constant)}")
    facts += _flow_facts(module, name, definition)
    for point in module.declarations.entry_points:
        if point.function == name:
            model = enumerants("ExecutionModel", point.model)
            shown_name = code_span(point.name.decode("utf-8", "replace"))
            facts.append(f"Entry point {shown_name} ({model[0].name if model else point.model})")
    return facts


def _members(module: Module, name: str) -> Iterator[str]:
    """The members of a structure: name, type and offset in bytes."""
    struct = module.type(name)
    members = struct.members if struct is not None else ()
    for at, member in enumerate(members[:MAX_MEMBERS]):
        offset = next((one for one in module.decorations(name) if one.member == at and one.value == Decoration.Offset), None)
        called = module.declarations.member_names.get((name, at))
        spelled = module.spell(member, brief=True)
        place = f" at {operand_text(offset.params[0], '')}" if offset is not None and offset.params else ""
        yield f"- {at} {code_span(f'{called}: {spelled}' if called else spelled)}{place}"
    if len(members) > MAX_MEMBERS:
        yield f"- … {len(members) - MAX_MEMBERS} more"


def demangled_name(module: Module, name: str) -> str | None:
    """The spelling of a mangled name that OpName or linkage gives to an id, or that the id itself is."""
    linkage = module.decoration(name, Decoration.LinkageAttributes)
    linked = linkage.params[0] if linkage is not None and linkage.params else None
    given = [linked.decode("utf-8", "replace")] if isinstance(linked, bytes) else []
    candidates = (*given, module.declarations.names.get(name, ""), name)
    return next((spoken for candidate in candidates if (spoken := demangled(candidate)) is not None), None)


def _flow_facts(module: Module, name: str, definition: Instruction) -> list[str]:
    """What is to be said of a block, or of a function, in the flow of control."""
    chunk = module.ids.defining_chunk(name)
    if chunk is None or not chunk.is_function:
        return []
    function = module.function(chunk)
    if definition is function.record:
        calls = sum(record.opcode.value == spv.OpFunctionCall for _, record in module.ids.uses(name))
        blocks = len(function.blocks)
        return [f"{blocks} block{'' if blocks == 1 else 's'}, {calls} call{'' if calls == 1 else 's'}"]
    if definition.opcode.value != spv.OpLabel:
        return []
    facts = []
    before = function.predecessors.get(name, [])
    if before:
        facts.append("From " + ", ".join(code_span(f"%{block}") for block in before))
    for block in function.blocks.values():
        targets = declared_targets(block)
        for role, target in zip(("Merge block", "Continue target"), targets, strict=False):
            if target == name:
                facts.append(f"{role} of {code_span(f'%{block.name}')}")
    return [*facts, *_dominance_facts(function, name)]


def _dominance_facts(function: Function, name: str) -> Iterator[str]:
    """What dominates and post dominates a block, the nearest first; structurally too where that differs (SPIR-V 2.2.5)."""
    for word, along_branches, structural in (
        ("dominated", function.dominators, function.structural_dominators),
        ("post dominated", function.post_dominators, function.structural_post_dominators),
    ):
        plain, declared = _above(along_branches, name), _above(structural, name)
        if plain:
            yield f"{word.capitalize()} by {_listed(plain)}"
        if declared != plain:
            yield f"Structurally {word} by {_listed(declared) if declared else 'no other block'}"


def _above(dominators: Dominators, name: str) -> list[str]:
    """The strict dominators of a block, the nearest first, without the virtual exit."""
    if not dominators.reaches(name):
        return []
    return [block for block in dominators.chain(name) if block not in (name, "")]


def _listed(blocks: Sequence[str]) -> str:
    some = ", ".join(code_span(f"%{block}") for block in blocks[:MAX_DOMINATORS])
    return f"{some} and {len(blocks) - MAX_DOMINATORS} more" if len(blocks) > MAX_DOMINATORS else some


def type_text(module: Module, name: str) -> str | None:
    """The type that an id declares, or the type of its value, spelled out."""
    declared = module.type(name) or module.type_of(name)
    function = module.function_named(name)
    if function is not None:
        declared = module.type(function.type_id)
    return module.spell(declared) if declared is not None else None


def decoration_text(decoration: AppliedDecoration) -> str:
    """A decoration as it is written, with the member that it is on, as Markdown."""
    member = f"member {decoration.member}: " if decoration.member is not None else ""
    return member + code_span(plain_decoration(decoration))


def plain_decoration(decoration: AppliedDecoration) -> str:
    """A decoration with its operands as the text has them: `Location 3`."""
    entry = tables.kind("Decoration").by_value(decoration.value)
    params = entry.parameters if entry is not None else ()
    words = [
        operand_text(operand, params[at].kind if at < len(params) else "")
        for at, operand in enumerate(decoration.params)
    ]
    return " ".join([decoration.name or "unknown decoration", *words])


def operand_text(operand: Operand, kind: str) -> str:
    """An operand as the text has it."""
    if isinstance(operand, str):
        return f"%{operand}"
    if isinstance(operand, bytes):
        return '"' + operand.decode("utf-8", "replace") + '"'
    if isinstance(operand, ContextDependent):
        return operand.text
    if isinstance(operand, int) and kind:
        names = [enumerant.name for enumerant in enumerants(kind, operand)]
        return "|".join(names) or str(operand)
    return str(operand)


def uses_phrase(module: Module, name: str) -> str:
    """How often an id is used."""
    count = len(module.ids.uses(name))
    return f"{count} use{'' if count == 1 else 's'}" if count else "no uses"
