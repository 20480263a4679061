"""Completion: what an instruction can begin with, and what each operand can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from spvls.diagnostic import Edit, Position, Range
from spvls.grammar import spv, tables
from spvls.grammar.keys import resolve
from spvls.grammar.operand_walk import EXTENDED_INSTRUCTION, INNER_OPCODE, OperandDecl
from spvls.grammar.specialization import SPECIALIZABLE
from spvls.ide.documentation.docs_markdown import docs_markdown, operands_of
from spvls.ide.documentation.id_markdown import id_markdown, type_text
from spvls.ide.features.beginning import beginnings
from spvls.ide.features.candidate import Candidate, CandidateKind, entity_candidate
from spvls.ide.features.candidate_fit import misfits
from spvls.ide.features.completion_context import CompletionContext, completion_context_at
from spvls.ide.features.expected_operand import ExpectedOperand, Role, expected_operand
from spvls.ide.features.requirements import enabling_edits, requirement
from spvls.ide.features.snippet import Snippets
from spvls.ide.source.global_part import of_globals
from spvls.ide.source.operand_decls import word_decls
from spvls.ide.source.source_module import SourceModule
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.decorations import DECORATES
from spvls.module.module import Module
from spvls.module.next_number import IN_TURN, next_number
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction


class Completion(NamedTuple):
    """The candidates for what stands in `range`."""

    range: Range
    candidates: list[Candidate]


class Description(NamedTuple):
    """What is shown of a candidate when it is selected: Markdown, and edits that it needs elsewhere."""

    markdown: str
    edits: tuple[Edit, ...]


def complete(source: SourceModule, position: Position) -> Completion | None:
    """What can be typed at a position; None where nothing is known."""
    context = completion_context_at(source, position)
    if context is None:
        return None
    if context.opcode is None:
        return Completion(context.range, list(beginnings(_before_typing(source, context), context, position)))
    decl = word_decls(context.opcode, context.operand_words, source.module).following
    if decl is None:
        return None
    span = context.range
    if context.in_string:
        return Completion(span, list(_strings(source.module, context, decl)))
    if decl.is_mask and "|" in context.prefix:
        cut = context.prefix.rindex("|") + 1
        span = Range(Position(span.start.line, span.start.column + cut), span.end)
    return Completion(span, list(_operands(source, context, decl, position)))


def _before_typing(source: SourceModule, context: CompletionContext) -> SourceModule:
    """The text without the word that is being typed, which until it is an opcode belongs to the instruction on the lines before;
    the text itself where it is long, or no word is."""
    lines = source.document.lines
    start, end = context.range
    if not context.prefix or len(lines) > _LONG or source.document.records_on(start.line):
        return source
    without = [*lines[: start.line], lines[start.line][: start.column] + lines[start.line][end.column :], *lines[start.line + 1 :]]
    return SourceModule("".join(without), source.environment.name)


_LONG = 5000
"""Lines of a text that is not read once more for an answer."""


def describe(source: SourceModule, key: str) -> Description | None:
    """What there is to say of the candidate with that key."""
    if key.startswith("%"):
        return Description(id_markdown(source, key[1:]), ())
    subject = resolve(key)
    if subject is None:
        return None
    needed = requirement(source.module, subject.record)
    edits = enabling_edits(source, needed) if needed is not None else ()
    return Description(docs_markdown(subject.record, source.module, subject.set), edits)


# Operands


def _operands(source: SourceModule, context: CompletionContext, decl: OperandDecl, position: Position) -> Iterable[Candidate]:
    module = source.module
    opcode = context.opcode
    assert opcode is not None
    match decl.kind.category:
        case "id":
            return _ids(source, context, expected_operand(module, opcode, decl, context.operand_words), position)
        case "value" | "mask":
            return _enumerants(module, decl, context.prefix)
    if decl.kind.name == EXTENDED_INSTRUCTION:
        return _extended(module, decl)
    if decl.kind.name == INNER_OPCODE:
        return _inner_opcodes(module)
    if decl.kind.name == "LiteralString":
        return _quoted(_strings(module, context, decl))
    return _literals(module, context)


def _literals(module: Module, context: CompletionContext) -> Iterator[Candidate]:
    """The number that comes next where numbers are given in turn: locations, bindings, SpecIds."""
    words = context.operand_words
    opcode = context.opcode.value if context.opcode is not None else -1
    at = 2 if opcode == spv.OpMemberDecorate else 1
    known = tables.kind("Decoration").get(words[at]) if len(words) == at + 1 and opcode in DECORATES else None
    if known is None or known.value not in IN_TURN:
        return
    number = next_number(module, words[0].removeprefix("%"), known.value)
    yield Candidate(str(number), CandidateKind.LITERAL, f"next {known.name}", str(number), known.name)


def _enumerants(module: Module, decl: OperandDecl, prefix: str) -> Iterator[Candidate]:
    chosen = set(prefix.split("|")[:-1])
    snippets = Snippets(module)
    for enumerant in decl.kind.all:
        if enumerant.name in chosen or (chosen and enumerant.value == 0):
            continue
        needed = requirement(module, enumerant)
        if needed is not None and not needed.can_be_met:
            continue
        snippet = snippets.call(enumerant.name, enumerant.parameters)
        yield entity_candidate(
            module, enumerant, CandidateKind.ENUMERANT, decl.kind.name, needed, snippet=snippet, known=decl.set
        )


def _extended(module: Module, decl: OperandDecl) -> Iterator[Candidate]:
    if decl.set is None:
        return
    snippets = Snippets(module)
    for instruction in decl.set.all:
        snippet = snippets.call(instruction.name, operands_of(instruction))
        needed = requirement(module, instruction)
        yield entity_candidate(
            module, instruction, CandidateKind.EXTENDED, decl.set.name, needed, snippet=snippet, known=decl.set
        )


def _inner_opcodes(module: Module) -> Iterator[Candidate]:
    snippets = Snippets(module)
    known = [opcode for value in SPECIALIZABLE if (opcode := tables.opcode_by_value(value)) is not None]
    for opcode in sorted(known, key=lambda opcode: opcode.name):
        name = opcode.name.removeprefix("Op")
        snippet = snippets.call(name, opcode.arguments)
        needed = requirement(module, opcode)
        yield entity_candidate(module, opcode, CandidateKind.OPCODE, opcode.class_, needed, snippet=snippet, name=name)


def _strings(module: Module, context: CompletionContext, decl: OperandDecl) -> Iterator[Candidate]:
    """What can stand between the quotes."""
    opcode = context.opcode.value if context.opcode is not None else -1
    if opcode == spv.OpExtension:
        declared = module.declarations.extensions
        for extension in sorted(tables.extension_names()):
            rank = 1 if extension in declared else 0
            yield Candidate(extension, CandidateKind.MODULE, "extension", extension, extension, rank)
    elif opcode == spv.OpExtInstImport:
        for known in tables.extended_sets():
            for import_name in known.import_names:
                yield Candidate(import_name, CandidateKind.MODULE, "instruction set", import_name, import_name)
    elif opcode in (spv.OpName, spv.OpEntryPoint) and decl.label == "Name":
        for word in context.operand_words:
            if word.startswith("%"):
                yield Candidate(word[1:], CandidateKind.MODULE, "name of the id", word[1:], word)


def _quoted(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    for candidate in candidates:
        text = f'"{candidate.text}"'
        yield candidate._replace(label=text, text=text)


# Ids


def _ids(source: SourceModule, context: CompletionContext, wanted: ExpectedOperand, position: Position) -> Iterator[Candidate]:
    module = source.module
    found = [
        (_rank(wanted, role, record, near, module), role, record)
        for role, record, near in _visible(source, position, wanted.role)
        if record is not context.record
    ]
    found.sort(key=itemgetter(0))  # the rules are asked about the first kinds only
    refused = misfits(source, context, position, (record for _, _, record in found))
    details: dict[str, str] = {}
    for rank, role, record in found:
        name = record.result or ""
        kind = name if role is Role.FUNCTION or record.type is None else record.type
        detail = details.get(kind)
        if detail is None:
            detail = details[kind] = type_text(module, name) or ""
        text = f"%{name}"
        if name in refused:
            rank, detail = _MISFIT, f"{detail} · does not fit here".removeprefix(" · ")
        yield Candidate(text, _KINDS[role], detail, text, text, rank)


_KINDS = {
    Role.TYPE: CandidateKind.TYPE,
    Role.CONSTANT: CandidateKind.CONSTANT,
    Role.VALUE: CandidateKind.VALUE,
    Role.LABEL: CandidateKind.LABEL,
    Role.FUNCTION: CandidateKind.FUNCTION,
    Role.IMPORT: CandidateKind.MODULE,
    Role.STRING: CandidateKind.MODULE,
    Role.ANY: CandidateKind.VALUE,
}


def _visible(source: SourceModule, position: Position, wanted: Role) -> Iterator[tuple[Role, Instruction, bool]]:
    """The instructions that define ids which can be meant at a position and play a role, with what each is, and whether they are
    of the same function.

    Of other functions that is the function alone; OpName and decorations may mean any id, and come before all of them.
    """
    chunks = source.document.chunks
    here = source.document.chunk_at(position.line)
    for role, record in of_globals(source.module, "roles of declarations", _roles):
        if _plays(role, wanted):
            yield role, record, False
    others = chunks[1:] if _plays(Role.FUNCTION, wanted) else [here] if here is not chunks[0] else []
    for chunk in others:
        for role, record in _roles(chunk.records if chunk is here else chunk.records[:1]):
            if _plays(role, wanted):
                yield role, record, chunk is here


def _roles(records: Sequence[Instruction]) -> list[tuple[Role, Instruction]]:
    """The instructions that define ids, with what these stand for."""
    return [(role_of(record), record) for record in records if record.result is not None]


def role_of(record: Instruction) -> Role:
    """What the id that an instruction defines stands for."""
    opcode = record.opcode.value
    if record.opcode.is_type:
        return Role.TYPE
    if opcode == spv.OpLabel:
        return Role.LABEL
    if opcode == spv.OpFunction:
        return Role.FUNCTION
    if opcode == spv.OpExtInstImport:
        return Role.IMPORT
    if opcode == spv.OpString:
        return Role.STRING
    if record.opcode.value in CONSTANT_OPCODES:
        return Role.CONSTANT
    return Role.VALUE if record.type is not None else Role.ANY


def _plays(role: Role, wanted: Role) -> bool:
    if wanted is Role.ANY:
        return role is not Role.IMPORT
    if wanted is Role.VALUE:
        return role in (Role.VALUE, Role.CONSTANT, Role.ANY)
    return role is wanted


_MISFIT = 4


def _rank(wanted: ExpectedOperand, role: Role, record: Instruction, near: bool, module: Module) -> int:
    if wanted.fits is not None and not wanted.fits(module.type(record.result if role is Role.TYPE else record.type)):
        return 3
    return 0 if near else 1
