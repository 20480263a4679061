"""The incremental document: lines, the instructions that start on them, and the chunks these make.

An edit marks the lines it touched. From the second instruction before the first of them the text is scanned again until an
instruction starts where one started before; all beyond that point stands as it was. Instructions whose text is unchanged
stay the same objects.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter

from spvls.diagnostic import Position, Range
from spvls.grammar import spv
from spvls.record import NamedTuple
from spvls.steps import PORTION, Steps, completed
from spvls.syntax.fast_path import forget_words
from spvls.syntax.instruction import Instruction
from spvls.syntax.scanner import LONG_LINE, read_ahead, scan, scan_runs
from spvls.text.lines import position_in, splice, split_lines
from spvls.typed import Final

ADDRESS = "spvls:"
"""What a comment that is meant for spvls begins with."""


_MANY = 1 << 12
"""Lines of a text whose words are not worth remembering for the edits that may follow."""


class Chunk:
    """A run of instructions that is checked as one: what stands before the first function, or one function.

    `first` is the line of its first instruction. A function's chunk runs to the next OpFunction.
    """

    __slots__ = ("first", "records")

    def __init__(self, first: int, records: list[Instruction]) -> None:
        self.first = first
        self.records = records

    @property
    def is_function(self) -> bool:
        return bool(self.records) and self.records[0].opcode.value == spv.OpFunction

    def __repr__(self) -> str:
        return f"<Chunk at line {self.first}, {len(self.records)} instructions>"


def chunks_of(records: list[Instruction]) -> list[Chunk]:
    """Instructions that no document holds, in chunks: the global ones, then one a function."""
    chunks = [Chunk(0, [])]
    for record in records:
        if record.opcode.value == spv.OpFunction:
            chunks.append(Chunk(0, []))
        chunks[-1].records.append(record)
    return chunks


class Change(NamedTuple):
    """What an edit did to a chunk; each chunk has one at most. A chunk that is gone has all its instructions among `removed`, and
    none left."""

    chunk: Chunk
    removed: list[Instruction]
    added: list[Instruction]


class _Touched:
    """Stands on lines whose instructions are to be found anew."""


_TOUCHED: Final = _Touched()
_Row = Instruction | tuple[Instruction, ...] | _Touched | None


class Document:
    """A text, kept as instructions under edits.

    `lines` are the lines with their ends; `chunks` the instructions in order, the module's global part first (present
    even when empty); `directives` the numbers of the lines that address spvls, as its comments do. Equal texts give equal
    documents, however they came to be.
    """

    __slots__ = ("_low", "_rows", "_tail", "chunks", "directives", "lines")

    def __init__(self, text: str = "") -> None:
        completed(self._read(text))

    @classmethod
    def steps(cls, text: str) -> Steps[Document]:
        """The document of a text, made in short steps."""
        made = cls.__new__(cls)
        yield from made._read(text)
        return made

    def _read(self, text: str) -> Steps[None]:
        self.lines = split_lines(text)
        self.directives = _directives(self.lines, 0, len(self.lines)) if ADDRESS in text else []
        yield
        self._rows: list[_Row] = []
        self.chunks = [Chunk(0, [])]
        read = 0
        several: list[Instruction] = []  # those on the last row
        if len(text) > LONG_LINE and len(max(self.lines, key=len)) > LONG_LINE:
            yield from read_ahead(self.lines)
        for line, run in scan_runs(self.lines):
            if line < len(self._rows):
                several += filter(None, run)
            elif not isinstance(run, tuple):
                self._set_last_row(several)
                several = list(filter(None, run[-1:]))
                self._rows += [None] * (line - len(self._rows))
                self._rows += run
            self._take(line, run)
            read += len(run)
            if read >= PORTION:
                read = 0
                yield
        yield
        self._set_last_row(several)
        self._rows += [None] * (len(self.lines) - len(self._rows))
        # Touched lines lie between line `_low` and the last `_tail` lines.
        self._low = self._tail = len(self._rows)
        if len(self._rows) > _MANY:
            forget_words()

    def _set_last_row(self, several: list[Instruction]) -> None:
        if len(several) > 1:
            self._rows[-1] = tuple(several)

    def _take(self, line: int, run: Sequence[Instruction | None]) -> None:
        """Put what stands on `line` and the lines after it, or on it alone, at the end of the last chunk, and begin one with each
        function."""
        records = self.chunks[-1].records
        if isinstance(run, tuple) and run[0].opcode.value != spv.OpFunction:
            records += run
            return
        step = not isinstance(run, tuple)
        for record in run:
            if record is not None:
                if record.opcode.value == spv.OpFunction:
                    records = []
                    self.chunks.append(Chunk(line, records))
                records.append(record)
            line += step

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def replace(self, text: str) -> list[Change]:
        """Take another text in the place of the whole; what both begin and end with is kept."""
        new = split_lines(text)
        old = self.lines
        head = 0
        for before, after in zip(old, new):  # noqa: B905 the shorter one decides
            if before != after:
                break
            head += 1
        tail = 0
        for before, after in zip(reversed(old[head:]), reversed(new[head:])):  # noqa: B905
            if before != after:
                break
            tail += 1
        old_end, new_end = len(old) - tail, len(new) - tail
        if head == old_end and head == new_end:
            return []
        if head == new_end:  # lines went and none came: what stands beside the gap marks it
            if tail:
                old_end, new_end = old_end + 1, new_end + 1
            else:
                head -= 1
        old[head:old_end] = new[head:new_end]
        self._mark(head, old_end - head, new_end - head)
        return completed(self._rescan())

    def edit(self, edits: Iterable[tuple[Range, str]]) -> list[Change]:
        """Apply edits one after the other, each to the text that the one before it left."""
        for span, text in edits:
            self._mark(*splice(self.lines, span, text))
        return completed(self._rescan())

    # Where things are

    def records(self) -> Iterator[Instruction]:
        """All instructions in order."""
        for chunk in self.chunks:
            yield from chunk.records

    def records_on(self, line: int) -> tuple[Instruction, ...]:
        """The instructions that start on a line."""
        row = self._rows[line]
        return row if isinstance(row, tuple) else (row,) if isinstance(row, Instruction) else ()

    def record_at(self, position: Position) -> tuple[int, Instruction] | None:
        """The instruction whose text covers a position or ends at it, and the line it starts on."""
        line = min(position.line, len(self.lines) - 1)
        while line >= 0:
            found = self.records_on(line)
            at = len(found) if position.line > line else bisect_right(found, position.column, key=lambda record: record.start)
            if at:
                record = found[at - 1]
                return (line, record) if position <= position_in(record.text, record.end, line) else None
            line -= 1
        return None

    def chunk_at(self, line: int) -> Chunk:
        """The chunk that a line belongs to."""
        index = bisect_right(self.chunks, line, key=attrgetter("first")) - 1
        return self.chunks[max(index, 0)]

    def line_of(self, record: Instruction, chunk: Chunk | None = None) -> int:
        """The line that an instruction of this document starts on; faster when its chunk is given."""
        first = chunk.first if chunk is not None else 0
        try:
            return self._rows.index(record, first)
        except ValueError:
            for line in range(first, len(self._rows)):
                row = self._rows[line]
                if isinstance(row, tuple) and record in row:
                    return line
        raise ValueError(f"{record} is not of this document")

    def starts_on(self, line: int, record: Instruction) -> bool:
        """Whether an instruction starts on a line."""
        row = self._rows[line] if line < len(self._rows) else None
        if not isinstance(row, tuple):
            return row is record
        at = bisect_left(row, record.start, key=lambda other: other.start)
        return at < len(row) and row[at] is record

    def lines_of(self, chunk: Chunk) -> dict[int, int]:
        """The lines that the instructions of a chunk start on, by `id()`."""
        count = len(chunk.records)
        rows, line = self._rows, chunk.first
        if line + count < len(rows) and rows[line] is None and count:
            line = self.line_of(chunk.records[0], chunk)
        if rows[line : line + count] == chunk.records:  # one on each line, as compilers write
            return dict(zip(map(id, chunk.records), range(line, line + count), strict=True))
        found: dict[int, int] = {}
        members = set(map(id, chunk.records))
        while len(found) < len(members):
            row = rows[line]
            if isinstance(row, tuple):
                found.update(dict.fromkeys(members.intersection(map(id, row)), line))
            elif id(row) in members:
                found[id(row)] = line
            line += 1
        return found

    def range_of(self, record: Instruction, start: int, end: int, line: int) -> Range:
        """The range of `record.text[start:end]`, where the record starts on `line`."""
        return Range(position_in(record.text, start, line), position_in(record.text, end, line))

    # Editing

    def _mark(self, first: int, old: int, new: int) -> None:
        """Lines were replaced: mark the new ones, and move the chunks after them."""
        self._rows[first : first + old] = [_TOUCHED] * new
        self._low = min(self._low, first)
        self._tail = min(self._tail, len(self._rows) - first - new)
        shift = new - old
        low, high = bisect_left(self.directives, first), bisect_left(self.directives, first + old)
        following = self.directives[high:]
        self.directives[low:] = _directives(self.lines, first, first + new)
        self.directives += [line + shift for line in following] if shift else following
        if shift:
            for chunk in reversed(self.chunks[1:]):
                if chunk.first >= first + old:
                    chunk.first += shift
                elif chunk.first > first:
                    chunk.first = first
                else:
                    break

    def _rescan(self) -> Steps[list[Change]]:
        changes: list[Change] = []
        line, end = self._low, len(self._rows) - self._tail
        while line < end:
            try:
                line = self._rows.index(_TOUCHED, line, end)
            except ValueError:
                break
            line = yield from self._rescan_from(self._anchor(line), changes)
        self._low = self._tail = len(self._rows)
        return _merged(changes)

    def _anchor(self, line: int) -> int:
        """Where to scan from when `line` was touched: two instructions earlier, at one that starts its line."""
        steps = 2
        for earlier in range(line - 1, -1, -1):
            row = self._rows[earlier]
            first = row[0] if isinstance(row, tuple) else row
            if isinstance(first, Instruction) and not self.lines[earlier][: first.start].strip(" \t"):
                steps -= 1
                if not steps:
                    return earlier
        return 0

    def _rescan_from(self, begin: int, changes: list[Change]) -> Steps[int]:
        """Scan from a line on until all is as before; the line where that is."""
        rows = self._rows
        found: list[tuple[int, Instruction]] = []
        touched = rows.index(_TOUCHED, begin)
        meeting: Instruction | None = None
        end = len(rows)
        for line, record in scan(self.lines, begin):
            before = rows[line]
            first = before[0] if isinstance(before, tuple) else before
            if isinstance(first, Instruction) and first.start == record.start:
                if line > touched and (not found or found[-1][0] != line):
                    meeting, end = first, line
                    break
                if first.end == record.end and first.text == record.text:
                    record = first
            found.append((line, record))
            if not len(found) % PORTION:
                yield
        yield
        opening = rows[begin]
        if isinstance(opening, tuple):
            opening = opening[0]
        self._place(begin, end, found)
        yield
        self._rechunk(begin, opening if isinstance(opening, Instruction) else None, found, meeting, changes)
        return end

    def _place(self, begin: int, end: int, found: list[tuple[int, Instruction]]) -> None:
        rows: list[_Row] = [None] * (end - begin)
        for line, several in groupby(found, key=itemgetter(0)):
            first, *others = (record for _, record in several)
            rows[line - begin] = (first, *others) if others else first
        self._rows[begin:end] = rows

    def _rechunk(
        self,
        begin: int,
        opening: Instruction | None,
        found: list[tuple[int, Instruction]],
        meeting: Instruction | None,
        changes: list[Change],
    ) -> None:
        """Put what was found from line `begin` on in the place of the instructions from `opening` up to `meeting`."""
        chunks = self.chunks
        index = bisect_right(chunks, begin, key=attrgetter("first")) - 1 if begin else 0
        while index and opening not in chunks[index].records:
            index -= 1  # several functions start on this line
        at = chunks[index].records.index(opening) if opening is not None and begin else 0
        if index and not at:
            index -= 1
            at = len(chunks[index].records)
        last, until = len(chunks) - 1, len(chunks[-1].records)
        if meeting is not None:
            for last in range(index, len(chunks)):
                if meeting in chunks[last].records:
                    until = chunks[last].records.index(meeting)
                    break
        groups: list[list[Instruction]] = [[]]
        firsts = [chunks[index].first]
        for line, record in found:
            if record.opcode.value == spv.OpFunction:
                groups.append([])
                firsts.append(line)
            groups[-1].append(record)
        if last == index and len(groups) == 1:
            old = chunks[index].records[at:until]
            chunks[index].records[at:until] = groups[0]
            _note(chunks[index], old, groups[0], changes)
            return
        involved = chunks[index : last + 1]
        before = [chunk.records for chunk in involved]
        groups[0][:0] = before[0][:at]
        if until or last == index:
            groups[-1].extend(before[-1][until:])
        else:
            involved.pop()
            before.pop()
        by_head = {id(records[0]): chunk for chunk, records in zip(involved[1:], before[1:], strict=True)}
        renewed = [involved[0]]
        for records, first in zip(groups[1:], firsts[1:], strict=True):
            chunk = by_head.pop(id(records[0]), None) or Chunk(first, [])
            chunk.first = first
            renewed.append(chunk)
        chunks[index : index + len(involved)] = renewed
        old_records = {id(chunk): records for chunk, records in zip(involved, before, strict=True)}
        for chunk in by_head.values():
            chunk.records = []
            _note(chunk, old_records[id(chunk)], [], changes)
        for chunk, records in zip(renewed, groups, strict=True):
            chunk.records = records
            _note(chunk, old_records.get(id(chunk), []), records, changes)


def _directives(lines: list[str], first: int, end: int) -> list[int]:
    return [line for line in range(first, end) if ADDRESS in lines[line]]


def _note(chunk: Chunk, old: list[Instruction], new: list[Instruction], changes: list[Change]) -> None:
    """Add what of `old` is gone and what of `new` has come, if anything, to `changes`."""
    if not old or not new:
        removed, added = list(old), list(new)
    else:
        kept = {id(record) for record in old} & {id(record) for record in new}
        removed = [record for record in old if id(record) not in kept]
        added = [record for record in new if id(record) not in kept]
    if removed or added:
        changes.append(Change(chunk, removed, added))


def _merged(changes: list[Change]) -> list[Change]:
    """One change for each chunk, of what an edit in several places took from it and gave it in the end."""
    by_chunk: dict[int, list[Change]] = {}
    for change in changes:
        by_chunk.setdefault(id(change.chunk), []).append(change)
    if len(by_chunk) == len(changes):
        return changes
    merged: list[Change] = []
    for several in by_chunk.values():
        gained: dict[int, int] = {}
        records: dict[int, Instruction] = {}
        for _, removed, added in several:
            for step, part in ((-1, removed), (1, added)):
                for record in part:
                    records[id(record)] = record
                    gained[id(record)] = gained.get(id(record), 0) + step
        gone = [record for key, record in records.items() if gained[key] < 0]
        come = [record for key, record in records.items() if gained[key] > 0]
        if gone or come:
            merged.append(Change(several[0].chunk, gone, come))
    return merged
