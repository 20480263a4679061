"""Text to words without instructions between them: the way of the assembler for texts with nothing wrong in them.

A line whose operands are its words, whatever the module declares, becomes its words as it is read; any other becomes an
instruction first. A text with a fault is left to the encoder, which knows what to say of it.
"""

from __future__ import annotations

from array import array

from spvls.binary.encode import GENERATOR, MAX_INSTRUCTION_WORDS, Encoder, Open
from spvls.binary.text_context import TextContext
from spvls.binary.words import MAGIC
from spvls.grammar.records import Version
from spvls.record import NamedTuple
from spvls.syntax.fast_path import Converter, fast_path, id_name, ids
from spvls.syntax.instruction import Instruction
from spvls.syntax.scanner import plain_words, row, scan_runs

_Row = list[Open] | Instruction | None


class _Shape(NamedTuple):
    """What lines with one opcode and one number of words have in common; `converters` are empty where all operands are ids."""

    first: int
    has_type: bool
    has_result: bool
    converters: tuple[Converter, ...]


class _UnsettledError(Exception):
    """Instructions would have to be in order to say what an id is."""


class _Context(TextContext):
    """What a text declares, the types of the values in `lines` included."""

    __slots__ = ("_known", "_lines_known", "lines", "typed")

    def __init__(self) -> None:
        super().__init__()
        #: The lines that became words directly, and the opcodes among them whose results have types.
        self.lines: list[list[Open]] = []
        self.typed: set[int] = set()
        self._known: dict[str, str] = {}
        self._lines_known = 0

    def value_type(self, name: str) -> str | None:
        for words in self.lines[self._lines_known :]:
            if int(words[0]) & 0xFFFF in self.typed:
                self._known[str(words[2])] = str(words[1])[1:]
        self._lines_known = len(self.lines)
        here, elsewhere = self._known.get("%" + name), self.value_types.get(name)
        if here is not None and elsewhere is not None:
            raise _UnsettledError
        return here or elsewhere


class _Numbers(dict[str, int]):
    """The numbers of ids by their words, in the order in which they are asked for; KeyError for a word that is no id."""

    def __missing__(self, word: str) -> int:
        _ = ids[word]
        number = self[word] = len(self) + 1
        return number


class _Assembler:
    def __init__(self, version: Version) -> None:
        self.encoder = Encoder(version)
        self.context = _Context()
        self._shapes: dict[tuple[str, int], _Shape | None] = {}

    def rows(self, lines: list[str]) -> list[_Row]:
        """As `scanner.rows`, with the words of each line where they are known, and the words of ids for their numbers."""
        found: list[_Row] = []
        shapes = self._shapes
        for line, words in zip(lines, plain_words(lines), strict=True):
            if not words:
                found.append(None if words is not None else row(line))
                continue
            key = (words[2] if len(words) > 2 and words[1] == "=" else words[0], len(words))
            shape = shapes[key] if key in shapes else self._learn(*key)
            if shape is None or shape.has_result is not (words[0][0] == "%"):
                found.append(row(line, words))
                continue
            first, has_type, has_result, converters = shape
            head = (3 if has_result else 1) + has_type
            if converters:
                try:
                    operands = [convert(word) for convert, word in zip(converters, words[head:], strict=True)]
                except (KeyError, ValueError):
                    found.append(row(line, words))
                    continue
            else:
                operands = words[head:]  # type: ignore[assignment]
            if has_type:
                found.append([first, words[3], words[0], *operands])  # type: ignore[list-item]
            elif has_result:
                found.append([first, words[0], *operands])  # type: ignore[list-item]
            else:
                found.append([first, *operands])  # type: ignore[list-item]
        return found

    def _learn(self, name: str, count: int) -> _Shape | None:
        """The shape of lines with an opcode and a number of words, where their operands are their words."""
        path = fast_path(name)
        shape: _Shape | None = None
        if path is not None and count <= MAX_INSTRUCTION_WORDS and self.encoder.is_direct(path.opcode):
            converters = path.converters(count)
            if converters is not None:
                words = count - 1 if path.has_result else count
                shape = _Shape(
                    words << 16 | path.opcode.value,
                    path.has_type,
                    path.has_result,
                    tuple([str if converter is id_name else converter for converter in converters]),
                )
                if path.has_type:
                    self.context.typed.add(path.opcode.value)
        self._shapes[name, count] = shape
        return shape

    def words(self, lines: list[str]) -> list[Open] | None:
        """The words of all instructions; None where a text has faults."""
        words: list[Open] = []
        records: list[Instruction] = []
        for _, run in scan_runs(lines, rows_of=self.rows):
            for found in run:
                if isinstance(found, list):
                    if records and not self._append(records, words):
                        return None
                    words += found
                    self.context.lines.append(found)
                elif found is not None:
                    records.append(found)
        return words if self._append(records, words) else None

    def _append(self, records: list[Instruction], words: list[Open]) -> bool:
        """Append the words of instructions; whether these are without faults."""
        open_words: list[Open] = []
        encoded = self.encoder.append(records, self.context, open_words)
        words += [word if isinstance(word, int) else "%" + word for word in open_words]
        records.clear()
        return not encoded.faults


def assemble_directly(lines: list[str], version: Version) -> tuple[array[int], dict[str, int]] | None:
    """The words of a module of SPIR-V `version`, header first, and the numbers of its ids by name; None where it has faults."""
    try:
        open_words = _Assembler(version).words(lines)
        if open_words is None:
            return None
        numbers = _Numbers()
        words = array("I", (MAGIC, version[0] << 16 | version[1] << 8, GENERATOR, 0, 0))
        words.extend([word if word.__class__ is int else numbers[word] for word in open_words])  # type: ignore[index]
    except (KeyError, _UnsettledError):
        return None
    words[3] = len(numbers) + 1
    return words, {word[1:]: number for word, number in numbers.items()}
