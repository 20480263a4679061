"""The words of one chunk of a text, with the ids still open, and which words each token became."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from spvls.binary.encode import Encoder, Open, result_among_operands
from spvls.binary.operand_codecs import word_count
from spvls.binary.text_context import TextContext
from spvls.record import NamedTuple
from spvls.syntax.instruction import UNKNOWN, Fault, Instruction, Operand, Span


class EncodingError(NamedTuple):
    """Why an instruction, by its position in the chunk, has no words."""

    at: int
    fault: Fault


class Token(NamedTuple):
    """A stretch of an instruction's text, and the words it became, counted from the instruction's first."""

    span: Span
    word: int
    length: int


class _Names(set[str]):
    """Names declared in a chunk, and those declared before it that were asked for."""

    def __init__(self, outer: set[str]) -> None:
        super().__init__()
        self.outer = outer
        self.asked: dict[str, bool] = {}

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        answer = self.asked[str(name)] = name in self.outer
        return answer


class _Facts(dict[str, object]):
    """What a chunk declares by name, and what was asked of the text before it."""

    def __init__(self, outer: Mapping[str, object]) -> None:
        super().__init__()
        self.outer = outer
        self.asked: dict[str, object] = {}

    def get(self, name: str, default: object = None) -> object:
        if super().__contains__(name):
            return self[name]
        answer = self.asked[name] = self.outer.get(name)
        return answer

    def __contains__(self, name: object) -> bool:
        return self.get(str(name)) is not None


class ChunkContext(TextContext):
    """What the instructions of a chunk say of ids, on top of the text before it."""

    __slots__ = ("_facts", "_names")

    def __init__(self, outer: TextContext) -> None:
        super().__init__()
        self._names = _Names(outer.types)
        self._facts = (_Facts(outer.numeric), _Facts(outer.value_types), _Facts(outer.imports))
        self.types = self._names
        self.numeric, self.value_types, self.imports = self._facts  # type: ignore[assignment]

    def holds(self, outer: TextContext) -> bool:
        """Whether the text before the chunk still answers as it did."""
        types = outer.types
        if any((name in types) is not answer for name, answer in self._names.asked.items()):
            return False
        befores: tuple[Mapping[str, object], ...] = (outer.numeric, outer.value_types, outer.imports)
        return all(
            before.get(name) == answer
            for facts, before in zip(self._facts, befores, strict=True)
            for name, answer in facts.asked.items()
        )

    def join(self, outer: TextContext) -> None:
        """Add what the chunk declares to the text before it, for the chunks after it."""
        outer.types.update(self.types)
        outer.numeric.update(self.numeric)
        outer.value_types.update(self.value_types)
        outer.imports.update(self.imports)


class EncodedChunk:
    """A chunk's instructions as words.

    `offsets` is where each instruction begins, and at the end where the chunk ends, in words from its start; one with an
    error has no words. `names` are the ids in the order in which the words first refer to them.
    """

    __slots__ = ("_fill", "_pool", "_resolved", "context", "errors", "names", "offsets", "records")

    def __init__(self, records: Sequence[Instruction], encoder: Encoder, outer: TextContext) -> None:
        self.records = list(records)
        self.context = ChunkContext(outer)
        template: list[Open] = []
        encoded = encoder.append(self.records, self.context, template)
        self.offsets = encoded.offsets
        self.errors = [EncodingError(at, fault) for at, fault in encoded.faults]
        self._resolved = encoded.resolved
        distinct: dict[Open, None] = dict.fromkeys(template)
        self.names = [word for word in distinct if isinstance(word, str)]
        constants = [word for word in distinct if isinstance(word, int)]
        pool: list[Open] = [*constants, *self.names]
        at = {word: position for position, word in enumerate(pool)}
        places = [at[word] for word in template]
        self._pool = constants
        self._fill: Callable[[list[int]], Sequence[int]] = _filler(places)

    def words(self, numbers: Sequence[int]) -> array[int]:
        """The words, with `numbers` for its names."""
        return array("I", self._fill([*self._pool, *numbers]))

    def operands(self, at: int) -> tuple[Operand, ...]:
        """The operands of an instruction, by its position, with context-dependent ones read."""
        return self._resolved.get(at, self.records[at].operands)


def _filler(places: list[int]) -> Callable[[list[int]], Sequence[int]]:
    if len(places) < 2:
        return lambda pool: [pool[place] for place in places]
    return itemgetter(*places)


def tokens(record: Instruction, operands: tuple[Operand, ...]) -> list[Token]:
    """Which words each token of an encoded instruction became, in the order of the words."""
    spans = record.words()
    text = record.text
    found: list[Token] = []
    at = 0
    named = len(spans) > 2 and text[spans[1].start : spans[1].end] == "="
    opcode = 2 if named else 0
    rest = iter(spans[opcode + 1 :])
    if record.opcode is not UNKNOWN:
        span = spans[opcode]
        if text.startswith("OpUnknown", span.start):
            for _ in range(4):
                closing = next(rest)
            span = Span(span.start, next(rest, closing).end)
        found.append(Token(span, 0, 1))
        at = 1
    else:
        rest = iter(spans)
    if record.type is not None:
        found.append(Token(next(rest), at, 1))
        at += 1
    pending = result_among_operands(record)
    if record.result is not None and not pending:
        found.append(Token(spans[0], at, 1))
        at += 1
    for index, operand in enumerate(operands):
        if pending and index == 1:
            span = spans[0]
        else:
            span = next(rest)
        count = word_count(operand)
        found.append(Token(span, at, count))
        at += count
    return found
