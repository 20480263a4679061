"""Specialization of a text: constants that are given values become plain ones, and what is made of them is folded.

Nothing else changes (SPIR-V 2.12). A result that no single literal states gets the constants that it is made of, those that there
are before it, or new ones. The SpecId of what is no longer a specialization constant goes.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping

from spvls.binary.float_text import float_text, number_text
from spvls.diagnostic import Edit
from spvls.grammar import spv, tables
from spvls.grammar.enumerants import Decoration
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.rewriting import GONE, Rewritten, rewriting
from spvls.module.constants import Constant, Value
from spvls.module.decorations import decoration_value
from spvls.module.module import Module
from spvls.module.specialization import PLAIN, Specialization
from spvls.module.specialization_values import Given, SpecializationError
from spvls.module.types import Type
from spvls.record import NamedTuple
from spvls.syntax.instruction import OPCODE, Instruction, Span, shown
from spvls.syntax.number import FLOAT_FORMATS

_STRUCTURAL = frozenset(
    {spv.OpCompositeExtract, spv.OpCompositeInsert, spv.OpVectorShuffle, spv.OpSelect, spv.OpBitcast, spv.OpCopyObject}
)
"""Operations that keep the bits of a NaN, which numbers here do not have."""


class Specialized(NamedTuple):
    """The edits, and the operations of the constants that were to be plain and have no value: a division by zero, an address."""

    edits: list[Edit]
    unfolded: tuple[str, ...]


def specialize(source: SourceModule, given: Mapping[str, Given], *, full: bool) -> Specialized:
    """Give constants values: those in `given` by id, and with `full` all others their defaults.

    Raises SpecializationError where a decoration group gives a SpecId to constants of which only some are plain.
    """
    return _Specializing(source, given, full).result()


class _Specializing:
    def __init__(self, source: SourceModule, given: Mapping[str, Given], full: bool) -> None:
        self._source = source
        self._module: Module = source.module
        self._given = given
        values = {name: found.value for name, found in given.items()}
        self._constants = Specialization(self._module, values, full=full).constants
        #: Plain constants that nothing decorates, by their instructions without results.
        self._known: dict[str, str] = {}
        self._plain: set[str] = set()
        self._new: set[str] = set()
        self._unfolded: list[str] = []

    def result(self) -> Specialized:
        wanted: dict[int, Rewritten] = {}
        for record in self._module.chunks[0].records:
            name = record.result or ""
            constant = self._constants.get(name)
            if constant is None or constant.record is not record:
                continue
            if not record.opcode.is_specialization:
                self._remember(constant, name)
            elif (new := self._rewritten(constant, name) if self._is_plain(constant) else None) is not None:
                wanted[id(record)] = new
            else:
                continue
            self._plain.add(name)
        wanted |= {id(record): GONE for record in self._spec_ids()}
        return Specialized(rewriting(self._source, wanted), tuple(self._unfolded))

    def _is_plain(self, constant: Constant) -> bool:
        """Whether a constant is no longer one that can be specialized, or made of one that stays so."""
        parts = [operand for operand in constant.record.operands if isinstance(operand, str)]
        return not constant.specialized and all(part in self._plain or part not in self._constants for part in parts)

    def _rewritten(self, constant: Constant, name: str) -> Rewritten | None:
        record = constant.record
        opcode = record.opcode.value
        if opcode in PLAIN:
            given = self._given.get(name)
            return Rewritten(_in_place(record, given, constant.type, self._module))
        if opcode != spv.OpSpecConstantOp:
            return None
        before: list[str] = []
        said = self._said(constant.value, constant.type, name, before) if _is_exact(constant) else None
        if said is None:
            self._unfolded.append(name)
            return None
        return Rewritten(f"%{name} = {said}", tuple(before))

    def _said(self, value: Value | None, type_: Type | None, name: str, before: list[str], depth: int = 0) -> str | None:
        """The instruction of a value, without its result; the constants that it takes and that are missing go `before` it."""
        if type_ is None or value is None or depth > _DEEPEST:
            return None
        if not isinstance(value, tuple):
            return literal_of(value, type_)
        parts = []
        for at, inner in enumerate(value):
            part = self._part(inner, type_.member(at) if type_.is_struct else type_.element, name, before, depth)
            if part is None:
                return None
            parts.append(f"%{part}")
        return f"OpConstantComposite %{type_.id} {' '.join(parts)}"

    def _part(self, value: Value | None, type_: Type | None, name: str, before: list[str], depth: int) -> str | None:
        """The id of a constant: one that there is before it, or a new one."""
        said = self._said(value, type_, name, before, depth + 1)
        if said is None:
            return None
        known = self._known.get(said)
        if known is None:
            known = self._known[said] = self._unused(name)
            before.append(f"%{known} = {said}")
        return known

    def _unused(self, name: str) -> str:
        number = 0
        while (made := f"{name}_{number}") in self._new or self._module.ids.is_known(made):
            number += 1
        self._new.add(made)
        return made

    def _remember(self, constant: Constant, name: str) -> None:
        """Take note of a constant that results may be made of."""
        record, type_ = constant.record, constant.type
        if type_ is None or constant.value is None or self._module.decorations(name) or _has_nan(constant.value):
            return
        if record.opcode.value == spv.OpConstantComposite:
            said: str | None = f"OpConstantComposite %{type_.id} {' '.join(map(shown, record.operands))}"
        else:
            said = literal_of(constant.value, type_)
        if said is not None:
            self._known.setdefault(said, name)

    # Decorations

    def _spec_ids(self) -> Iterator[Instruction]:
        """The decorations with SpecId of constants that are plain now."""
        for record in self._module.declarations.records(spv.OpDecorate):
            if decoration_value(record) != Decoration.SpecId:
                continue
            target = record.operands[0]
            uses = [use for _, use in self._module.ids.uses(str(target)) if use.opcode.value == spv.OpGroupDecorate]
            targets = [name for use in uses for name in use.operands[1:]] or [target]
            plain = [name for name in targets if name in self._plain]
            if len(plain) == len(targets):
                yield record
            elif plain:
                group = shown(target)
                raise SpecializationError(f"{shown(plain[0])} has its SpecId from the group {group}, as other constants have")


def literal_of(value: Value, type_: Type) -> str | None:
    """The instruction of a scalar constant, without its result."""
    words = _literal(value, type_)
    return None if words is None else " ".join([tables.opcode_name(words[0]), f"%{type_.id}", *words[1:]])


def _literal(value: Value, type_: Type) -> tuple[int] | tuple[int, str] | None:
    if isinstance(value, bool) and type_.is_bool:
        return (spv.OpConstantTrue if value else spv.OpConstantFalse,)
    if isinstance(value, int) and type_.is_int:
        return spv.OpConstant, str(value)
    if isinstance(value, int | float) and type_.is_float and type_.encoding is None:
        format_, code = FLOAT_FORMATS.get((type_.width, "")), _CODES.get(type_.width)
        if format_ is not None and code is not None:
            return spv.OpConstant, float_text(int.from_bytes(struct.pack(code, value), "little"), format_)
    return None


_CODES = {16: "<e", 32: "<f", 64: "<d"}


def _is_exact(constant: Constant) -> bool:
    """Whether a value has all the bits that the operation makes."""
    return constant.record.operands[0] not in _STRUCTURAL or not _has_nan(constant.value)


def _has_nan(value: Value | None, depth: int = 0) -> bool:
    """Whether a value has a NaN in it, or composites too deep to search."""
    if isinstance(value, tuple):
        return depth >= _DEEPEST or any(_has_nan(part, depth + 1) for part in value)
    return isinstance(value, float) and math.isnan(value)


_DEEPEST = 4
"""Composites in composites that are written out."""


def _in_place(record: Instruction, given: Given | None, type_: Type | None, module: Module) -> str:
    """An instruction with the opcode of a plain constant, and with another literal where one is given."""
    opcode = PLAIN[record.opcode.value]
    changes: dict[Span, str] = {}
    if given is not None and isinstance(given.literal, bool):
        opcode = spv.OpConstantTrue if given.literal else spv.OpConstantFalse
    elif given is not None and type_ is not None:
        numeric = module.numeric_type(type_.id)
        words = record.words()[record.first_operand_word() :]
        if numeric is not None and words:
            changes[Span(words[0].start, words[-1].end)] = number_text(numeric, given.literal)
    changes[record.span(OPCODE)] = tables.opcode_name(opcode)
    text = record.text
    pieces, at = [], record.start
    for span in sorted(changes):
        pieces += [text[at : span.start], changes[span]]
        at = span.end
    return "".join([*pieces, text[at : record.end]])
