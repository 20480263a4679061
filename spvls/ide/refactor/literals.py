"""Constants from numbers: a literal where an id must be is declared, a constant is named after its value or made specializable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Capability, Decoration
from spvls.ide.refactor.naming import renaming
from spvls.ide.refactor.refactoring import EXTRACT, REWRITE, Refactoring
from spvls.ide.refactor.rewrite import Rewrite, leaves
from spvls.ide.refactor.site import Site
from spvls.ide.source.word import Word, id_of, opcode_index, word_at
from spvls.module.module import Module
from spvls.module.next_number import next_number
from spvls.module.sections import Section
from spvls.module.types import Type
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.text.pattern import pattern
from spvls.validate.engine.finding import Replace

_NUMBER = pattern(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?")
_INTEGER = pattern(r"-?\d+")

_SPECIALIZED = {
    spv.OpConstant: spv.OpSpecConstant,
    spv.OpConstantTrue: spv.OpSpecConstantTrue,
    spv.OpConstantFalse: spv.OpSpecConstantFalse,
}
_COMPUTING = frozenset({"Arithmetic", "Bit", "Relational_and_Logical"})
"""Classes of instructions that take values of any kind, constants or not."""


def literal_refactorings(site: Site) -> Iterator[Refactoring]:
    """Of the literal or the constant at the cursor."""
    if site.record is None:
        yield from _extracting(site)
    elif site.is_global and site.record.opcode.value in _SPECIALIZED and site.record.result is not None:
        yield from _naming(site, site.record)
        yield from _specializing(site, site.record)


# A literal where an id must be


def _extracting(site: Site) -> Iterator[Refactoring]:
    word = word_at(site.source, site.start)
    if word is None or _NUMBER.fullmatch(word.text) is None or not site.chunk.is_function:
        return
    type_ = _wanted_type(word, site.module)
    if type_ is None or not type_.is_numeric or (type_.is_int and _INTEGER.fullmatch(word.text) is None):
        return
    if type_.is_int and not type_.signed and word.text.startswith("-"):
        return
    yield Refactoring("extract-constant", f"Declare {word.text} as a constant", EXTRACT, lambda: _extracted(site, word, type_))


def _wanted_type(word: Word, module: Module) -> Type | None:
    """The type of the id that should stand where a word does."""
    at = opcode_index(word.words)
    opcode = tables.opcode(word.words[at]) if at is not None else None
    if opcode is None or at is None or word.at <= at + 1:
        return None
    first = id_of(word.words[at + 1])
    if opcode.value == spv.OpStore and word.at == at + 2:
        pointer = module.type_of(first)
        return pointer.pointee if pointer is not None else None
    return module.type(first) if opcode.has_result and opcode.class_ in ("Arithmetic", "Bit") else None


def _extracted(site: Site, word: Word, type_: Type) -> list[Edit]:
    rewrite = Rewrite(site.source)
    known = _constant(site.module, type_, word.text)
    if known is None:
        known = rewrite.fresh(_name(type_.id, word.text))
        rewrite.declare(Section.TYPES, f"%{known} = OpConstant %{type_.id} {word.text}")
    return [Edit(word.range, f"%{known}"), *rewrite.edits()]


def _constant(module: Module, type_: Type, literal: str) -> str | None:
    """A constant of a type with a value."""
    wanted = float(literal)
    for _, use in module.ids.uses(type_.id):
        constant = module.constant(use.result) if use.opcode.value == spv.OpConstant and use.type == type_.id else None
        if constant is not None and constant.value == wanted:
            return use.result
    return None


def _name(type_: str, literal: str) -> str:
    """The name of a constant, as the disassembler gives it: `%float_n0_5`."""
    return re.sub(r"[^A-Za-z0-9_]", "_", f"{type_}_{literal.replace('-', 'n')}")


# A constant that is there


def _naming(site: Site, record: Instruction) -> Iterator[Refactoring]:
    module, name = site.module, str(record.result)
    type_ = module.type(record.type)
    if type_ is None or not name.isdecimal():
        return
    value = {spv.OpConstantTrue: "true", spv.OpConstantFalse: "false"}.get(record.opcode.value)
    wanted = value or _name(_scalar_name(type_), record.text[slice(*record.span(0))])
    if not module.ids.is_known(wanted):
        title = f"Rename %{name} to %{wanted}, after its value"
        yield Refactoring("name-constant", title, REWRITE, lambda: renaming(site.source, {name: wanted}))


def _scalar_name(type_: Type) -> str:
    if not type_.id.isdecimal():
        return type_.id
    if type_.is_float:
        return {16: "half", 32: "float", 64: "double"}.get(type_.width, f"f{type_.width}")
    return f"{'' if type_.signed else 'u'}{ {8: 'char', 16: 'short', 32: 'int', 64: 'long'}.get(type_.width, 'int') }"


def _specializing(site: Site, record: Instruction) -> Iterator[Refactoring]:
    module, name = site.module, str(record.result)
    if module.has_capability(Capability.Kernel) or module.has_decoration(name, Decoration.SpecId):
        return
    users = [use for _, use in module.ids.uses(name) if use.opcode.class_ in _COMPUTING or use.opcode.value == spv.OpStore]
    if not users or leaves(name, {id(use) for use in users}, module):
        return
    title = f"Make %{name} a specialization constant"
    yield Refactoring("specialize-constant", title, REWRITE, lambda: _specialized(site, record))


def _specialized(site: Site, record: Instruction) -> list[Edit]:
    rewrite = Rewrite(site.source)
    name = str(record.result)
    number = next_number(site.module, name, Decoration.SpecId)
    rewrite.declare(Section.ANNOTATIONS, f"OpDecorate %{name} SpecId {number}")
    rewrite.do(Replace(record, OPCODE, tables.opcode_name(_SPECIALIZED[record.opcode.value])))
    return rewrite.edits()
