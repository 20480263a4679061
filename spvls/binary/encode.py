"""Instructions to words (SPIR-V 2.3), ids to numbers."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from spvls.binary.kept_numbers import NOTHING_KEPT, Kept
from spvls.binary.words import MAGIC
from spvls.grammar import tables
from spvls.grammar.records import Version
from spvls.module.context_dependent import EXTENDED, numeric_type, read
from spvls.syntax.fast_path import fast_path
from spvls.syntax.instruction import OPCODE, RESULT, UNKNOWN, Fault, Instruction, Late, Operand
from spvls.syntax.nearest import Spelling
from spvls.syntax.number import NumericType, misfit

GENERATOR = 0x00070000
MAX_INSTRUCTION_WORDS = 0xFFFF

_NUMERIC = re.compile(r"0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*").fullmatch


class Numbering(dict[str, int]):
    """Ids' names to numbers: 1, 2, 3 … in the order in which they are first asked for.

    With `preserved` names, each of these that reads as a number (decimal, 0x…, octal) stands for it, and the others fill
    the gaps; `kept` gives names numbers of their own.
    """

    def __init__(self, preserved: Iterable[str] = (), kept: Mapping[str, int] | None = None) -> None:
        self._kept = {name: value for name in preserved if (value := _number(name)) is not None} | dict(kept or {})
        self._taken = set(self._kept.values())
        self._last = 0

    def __missing__(self, name: str) -> int:
        number = self._kept.get(name)
        if number is None:
            number = self._last + 1
            while number in self._taken:
                number += 1
            self._last = number
        self[name] = number
        return number

    @property
    def bound(self) -> int:
        """One more than the largest number; a largest one of 32 ones counts for nothing, as it has no successor."""
        return max(((number + 1) & 0xFFFFFFFF for number in self.values()), default=0) or 1


def _number(name: str) -> int | None:
    if _NUMERIC(name) is None:
        return None
    base = 16 if name[:2] in ("0x", "0X") else 8 if name.startswith("0") else 10
    value = int(name, base)
    return value if value <= 0xFFFFFFFF else None


class TextContext:
    """What the instructions so far say of ids, as the text is read from top to bottom."""

    __slots__ = ("imports", "numeric", "types", "value_types")

    def __init__(self) -> None:
        self.types: set[str] = set()
        self.numeric: dict[str, NumericType] = {}
        self.value_types: dict[str, str] = {}
        self.imports: dict[str, str] = {}

    def numeric_type(self, name: str) -> NumericType | None:
        return self.numeric.get(name)

    def value_type(self, name: str) -> str | None:
        return self.value_types.get(name)

    def import_name(self, name: str) -> str | None:
        return self.imports.get(name)

    def follow(self, record: Instruction) -> Fault | None:
        """Take note of what `record` declares; a fault where the assembler cannot take it."""
        name = record.result
        if name is None or record.faults:
            return None
        if record.type is not None:
            self.value_types[name] = record.type
            return None
        opcode = record.opcode.name
        if opcode.startswith("OpType"):
            if name in self.types:
                message = f"%{name} declares a type already; a second one needs an id of its own"
                return Fault("id/unique-definition", message, *record.span(RESULT))
            self.types.add(name)
            type_ = numeric_type(record)
            if type_ is not None:
                self.numeric[name] = type_
                return _encoding_fault(record, type_)
        elif opcode == "OpExtInstImport" and record.operands and isinstance(record.operands[0], bytes):
            set_name = record.operands[0].decode("utf-8", "replace")
            if name in self.imports:
                message = f"%{name} imports a set already; a second import needs an id of its own"
                return Fault("id/unique-definition", message, *record.span(RESULT))
            self.imports[name] = set_name
            if not set_name.startswith("NonSemantic.") and tables.extended_set(set_name) is None:
                near = Spelling(known.name for known in tables.extended_sets()).nearest(set_name)
                hint = f"; did you mean {near}?" if near else ""
                message = f"there is no extended instruction set {set_name!r}{hint}"
                return Fault("syntax/extended-set", message, *record.span(0), f'"{near}"' if near else None)
        return None


class Encoding(NamedTuple):
    """The words of a module, header first, little-endian in `data`; where each instruction begins; what went wrong.

    `faults` pairs the position of an instruction, from 0, with a fault of it; such an instruction has no words.
    """

    words: array[int]
    offsets: array[int]
    numbering: Numbering
    faults: list[tuple[int, Fault]]

    def data(self) -> bytes:
        """The binary, little-endian."""
        if sys.byteorder == "little":
            return self.words.tobytes()
        swapped = array("I", self.words)
        swapped.byteswap()
        return swapped.tobytes()


def encode(
    records: list[Instruction], version: Version, *, preserve_numeric_ids: bool = False, kept: Kept = NOTHING_KEPT
) -> Encoding:
    """The words of a module of SPIR-V `version`; what the comments of its text keep goes into header and numbers."""
    preserved: Iterable[str] = ()
    if preserve_numeric_ids or kept.ids:
        preserved = {name for record in records for name in (record.result, *record.uses()) if name}
    numbering = Numbering(preserved, kept.ids)
    number = numbering.__getitem__
    context = TextContext()
    words = array("I", (MAGIC, version[0] << 16 | version[1] << 8, kept.generator or GENERATOR, 0, kept.schema or 0))
    offsets = array("I")
    faults: list[tuple[int, Fault]] = []
    available: dict[int, bool] = {}
    follow = context.follow
    extend, append = words.extend, words.append
    for index, record in enumerate(records):
        at = len(words)
        offsets.append(at)
        opcode = record.opcode
        operands = record.operands
        found = record.faults
        if not found and not record.raw:
            if not _available(opcode.value, version, available):
                found = (_unavailable(record, version),)
            elif Late in map(type, operands) or opcode.name in EXTENDED:
                operands, found = read(record, context)
        elif not found and Late in map(type, operands):
            operands, found = read(record, context)
        if record.result is not None and not found:
            fault = follow(record)
            if fault is not None:
                found = (fault,)
        if found:
            faults.extend([(index, fault) for fault in found])
            continue
        if opcode is not UNKNOWN:
            append(0)
        if record.type is not None:
            append(number(record.type))
            if record.result is not None:
                append(number(record.result))
        elif record.result is not None and not (record.raw and opcode.has_type):
            append(number(record.result))
        path = fast_path(opcode.name)
        if path is not None and path.ids and not record.raw:
            extend(map(number, operands))  # type: ignore[arg-type]
        else:
            for operand in operands:
                kind = operand.__class__
                if kind is str:
                    append(number(operand))  # type: ignore[arg-type]
                elif kind is int:
                    append(operand)  # type: ignore[arg-type]
                else:
                    extend(words_of(operand))
        count = len(words) - at
        if count > MAX_INSTRUCTION_WORDS and opcode is not UNKNOWN:
            del words[at:]
            message = f"this instruction takes {count} words, and {MAX_INSTRUCTION_WORDS} are the most that one can have"
            faults.append((index, Fault("syntax/too-long", message, *record.span(OPCODE))))
        elif opcode is not UNKNOWN:
            words[at] = count << 16 | opcode.value
    offsets.append(len(words))
    words[3] = max(numbering.bound, kept.bound or 0)
    return Encoding(words, offsets, numbering, faults)


def _encoding_fault(record: Instruction, type_: NumericType) -> Fault | None:
    """What is wrong with the floating-point encoding of a type."""
    if len(record.operands) < 2 or type_.kind != "float":
        return None
    if not type_.encoding:
        return Fault("syntax/encoding", "this is no known floating-point encoding", *record.span(1))
    wanted = misfit(type_)
    if wanted is None:
        return None
    message = f"the encoding {type_.encoding} has {wanted} bits, and this type has {type_.width}"
    return Fault("syntax/encoding", message, *record.span(0), str(wanted))


def words_of(operand: Operand) -> tuple[int, ...]:
    """The words of an operand that is a string or a number of several words (SPIR-V 2.2.1)."""
    if isinstance(operand, bytes):
        padded = operand + b"\0" * (4 - len(operand) % 4)
        return tuple(int.from_bytes(padded[at : at + 4], "little") for at in range(0, len(padded), 4))
    if isinstance(operand, tuple):
        return operand
    raise TypeError(f"{operand!r} has no words of its own")


def _available(value: int, version: Version, known: dict[int, bool]) -> bool:
    """Whether the assembler takes an opcode: a version that has it, or anything at all that enables it."""
    answer = known.get(value)
    if answer is None:
        opcode = tables.opcode_by_value(value)
        answer = known[value] = opcode is None or bool(
            (opcode.version is not None and opcode.version <= version and version <= (opcode.last_version or version))
            or opcode.capabilities
            or opcode.extensions
        )
    return answer


def _unavailable(record: Instruction, version: Version) -> Fault:
    opcode = record.opcode
    have = f"SPIR-V {version[0]}.{version[1]}"
    if opcode.version is not None and opcode.version > version:
        message = f"{opcode.name} exists since SPIR-V {opcode.version[0]}.{opcode.version[1]}, and this module is {have}"
    else:
        message = f"{opcode.name} is not part of {have}"
    return Fault("version/opcode", message, *record.span(OPCODE))
