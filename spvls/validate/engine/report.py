"""Findings of rules as diagnostics: places in the text, numbers of instructions, edits of quick fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

from spvls.diagnostic import RULE_FAILED, SHOWN_IN_FULL, Diagnostic, Edit, Fix, Position, Range, Related, Severity, SourceLine
from spvls.grammar.records import Version
from spvls.module.module import Module
from spvls.module.sections import SOURCE_LINES, Section, section_of
from spvls.record import NamedTuple
from spvls.steps import PORTION, Steps, completed
from spvls.syntax.document import Chunk, Document
from spvls.syntax.header import raised
from spvls.syntax.instruction import OPCODE, Fault, Instruction
from spvls.syntax.report import diagnostic as fault_diagnostic
from spvls.syntax.report import range_in
from spvls.typed import TYPE_CHECKING
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.chunk_check import ChunkResults, readable
from spvls.validate.engine.finding import (
    AFTER_ANNOTATIONS,
    AFTER_DECLARATIONS,
    HEADER,
    MANY,
    Append,
    BumpVersion,
    FindingFix,
    InsertAfter,
    InsertBefore,
    Replace,
    Step,
    is_long,
)
from spvls.validate.engine.rule import RuleFinding

if TYPE_CHECKING:
    from spvls.module.source_place import Cover, Covers

_FEW = 8


class Reported(NamedTuple):
    """A finding of the report, on the operand of an instruction of the text that `operand_index` names, once it is read."""

    diagnostic: Diagnostic
    record: Instruction
    operand_index: int


class Places:
    """Where instructions stand: lines in a document, and numbers in the order of the module.

    Without a document, as for a binary, there are numbers alone. `lines` has the lines of instructions that were made of
    a document's words, by `id()`. `near` is the chunk that instructions are looked for in first, and `near_at` the place in it
    that they are looked for at. `reference_verdicts` is the option of that name. With `lists` no edits are made, and notes
    for the first of those `made` alone: others are `unfinished`.
    """

    def __init__(
        self,
        module: Module,
        document: Document | None,
        lines: dict[int, int] | None = None,
        *,
        reference_verdicts: bool = False,
        lists: bool = False,
    ) -> None:
        self.lists = lists
        self.unfinished: dict[int, tuple[Diagnostic, RuleFinding, Chunk | None]] = {}
        self.made: Counter[str] = Counter()
        self._lines = lines
        self.module = module
        self.reference_verdicts = reference_verdicts
        self._chunks = module.chunks
        self._ids = module.ids
        self._document = document
        self.near: Chunk | None = None
        self.near_at = 0
        self._near_line = 0
        self._numbered = 0
        self._firsts: dict[int, int] = {}
        self._counted: Counter[int] = Counter()
        self._positions: dict[int, dict[int, int]] = {}
        self._asked: Counter[int] = Counter()
        self._known_lines: dict[int, dict[int, int]] = {}
        self._noted: dict[tuple[int, int], Range | None] = {}
        self._homes: dict[str, dict[int, Chunk]] = {}
        #: The instruction that was looked for last, and where it was found: it is asked for several times in a row.
        self._found: Instruction | None = None
        self._found_in: Chunk | None = None
        self._has_sources = module.source_files.has_names
        self._covers: Covers | None = None
        self._covers_of: dict[int, list[Cover]] = {}
        self._asked_source: Counter[int] = Counter()

    def number(self, record: Instruction, chunk: Chunk | None = None) -> int | None:
        """The position of an instruction in the module, from 1."""
        home = chunk or self._chunk_of(record)
        at = self._position(record, home) if home is not None else None
        if home is None or at is None:
            return None
        self._numbered += 1
        if self._numbered <= _FEW:
            return sum([len(other.records) for other in self._chunks[: self._chunks.index(home)]], 1) + at
        if not self._firsts:
            counts = [len(other.records) for other in self._chunks]
            self._firsts = dict(zip(map(id, self._chunks), accumulate(counts, initial=1), strict=False))
        return self._firsts[id(home)] + at

    def _position(self, record: Instruction, chunk: Chunk) -> int | None:
        """The position of an instruction in a chunk, from 0; None where it is not one of its."""
        if self._is_near(record, chunk):
            return self.near_at
        known = self._positions.get(id(chunk))
        if known is None:
            self._counted[id(chunk)] += 1
            if self._counted[id(chunk)] <= _FEW:
                return chunk.records.index(record) if record in chunk.records else None
            known = self._positions[id(chunk)] = {id(other): at for at, other in enumerate(chunk.records)}
        return known.get(id(record))

    def _is_near(self, record: Instruction, chunk: Chunk) -> bool:
        """Whether an instruction of a chunk stands where instructions are looked for first."""
        return chunk is self.near and self.near_at < len(chunk.records) and chunk.records[self.near_at] is record

    def line(self, record: Instruction, chunk: Chunk | None = None) -> int | None:
        """The line that an instruction starts on; None for one of a binary, or of a text that has changed since."""
        if self._lines is not None:
            return self._lines.get(id(record))
        home = chunk or self._chunk_of(record)
        if self._document is None or home is None or not record.text:
            return None
        if self._is_near(record, home):
            for line in (home.first + self.near_at, self._near_line):  # each instruction has a line of its own, or all have one
                if self._document.starts_on(line, record):
                    self._near_line = line
                    return line
        line = self._line_in(home, record, self._document)
        if home is self.near:
            self._near_line = line
        return line

    def _line_in(self, home: Chunk, record: Instruction, document: Document) -> int:
        """The line that an instruction of a chunk starts on."""
        known = self._known_lines.get(id(home))
        if known is not None:
            return known[id(record)]
        self._asked[id(home)] += 1
        if self._asked[id(home)] > _FEW:  # looking each one up would cost as much as all of them
            self._known_lines[id(home)] = document.lines_of(home)
        return document.line_of(record, home)

    def range(self, record: Instruction, operand_index: int, chunk: Chunk | None = None) -> Range | None:
        """Where an operand, or another place of an instruction, stands."""
        if record is HEADER:
            return self._header_range()
        line = self.line(record, chunk)
        return range_in(record, line, *record.span(operand_index)) if line is not None else None

    def source(self, record: Instruction, chunk: Chunk | None = None) -> SourceLine | None:
        """The line of a source that an instruction comes from."""
        if not self._has_sources or record is HEADER:
            return None
        home = chunk or self._chunk_of(record)
        at = self._position(record, home) if home is not None else None
        if home is None or at is None:
            return None
        from spvls.module.source_place import Covers, source_line  # few modules name sources

        covers = self._covers = self._covers or Covers(self.module)
        known = self._covers_of.get(id(home))
        if known is None:
            self._asked_source[id(home)] += 1
            if self._asked_source[id(home)] <= _FEW:
                return source_line(self.module, covers.of(home, at))
            known = self._covers_of[id(home)] = list(covers.of_chunk(home))
        return source_line(self.module, known[at])

    def noted(self, record: Instruction, operand_index: int) -> Range | None:
        """Where an operand of what an instruction is now stands, for one that many findings speak of."""
        key = id(record), operand_index
        if key not in self._noted:
            home = self._chunk_of(record)
            self._noted[key] = self.range(self.current(record) if home is None else record, operand_index, home)
        return self._noted[key]

    def _header_range(self) -> Range | None:
        """Where a text says what version it is, else its start."""
        header = self.module.header
        if self._document is None:
            return None
        if header is None or header.version is None:
            return Range(Position(0, 0), Position(0, 0))
        line = self._document.lines[header.version_line]
        start = len(line) - len(line.lstrip())
        return Range(Position(header.version_line, start), Position(header.version_line, len(line.rstrip())))

    def is_here(self, step: Step) -> bool:
        """Whether a step is on the instruction of the text at which instructions are looked for first."""
        near, record = self.near, step.record
        return near is not None and self._is_near(record, near) and bool(record.text) and not isinstance(step, BumpVersion)

    def has_place(self, step: Step, record: Instruction) -> bool:
        """Whether the text has a place for a step."""
        if isinstance(step, BumpVersion):
            return self.header_raised(step.version) is not None
        return bool(record.text) and self._chunk_of(record) is not None

    def expanded(self, step: Step, record: Instruction) -> Iterator[tuple[Instruction, Step]]:
        """The plain steps that a step stands for in the module as it is now."""
        from spvls.validate.engine.expansion import expanded  # for findings with fixes alone

        return expanded(step, record, self.module)

    def header_raised(self, version: Version) -> Edit | None:
        """The edit after which a text is of a version of SPIR-V; None where it is not the text that chooses."""
        header = self.module.header
        if self._document is None or header is None:
            return None
        return raised(header, self._document.lines, version, self.module.environment)

    def current(self, record: Instruction) -> Instruction:
        """The instruction that stands for `record` now: an edit may have made it anew without changing what it says."""
        if record is HEADER or self._chunk_of(record) is not None:
            return record
        if record.result is not None:
            return self._ids.definition(record.result) or record
        alike = (other for other in self._chunks[0].records if other.opcode is record.opcode)
        return next((other for other in alike if other.operands == record.operands), record)

    def anchor(self, record: Instruction) -> Instruction:
        """The instruction that a step of a quick fix goes by: for the header, the first one of the module."""
        if record is HEADER:
            return next((first for chunk in self._chunks for first in chunk.records), HEADER)
        if record is AFTER_ANNOTATIONS:
            records = (found for chunk in self._chunks for found in chunk.records)
            return next((found for found in records if _is_behind_annotations(found)), HEADER)
        if record is AFTER_DECLARATIONS:
            return next((chunk.records[0] for chunk in self._chunks if chunk.is_function and chunk.records), HEADER)
        return self.current(record)

    def _chunk_of(self, record: Instruction) -> Chunk | None:
        """The chunk that an instruction is in; None where it is in none now."""
        if record is not self._found:
            self._found, self._found_in = record, self._look_for(record)
        return self._found_in

    def _look_for(self, record: Instruction) -> Chunk | None:
        if record is HEADER:
            return None
        near = self.near
        if near is not None and self._position(record, near) is not None:
            return near
        if record.result is not None:
            homes = self._homes.get(record.result)
            if homes is None:
                homes = {id(other): chunk for chunk, other in self._ids.definitions(record.result)}
                self._homes[record.result] = homes
            return homes.get(id(record))
        used = record.type or next((operand for operand in record.operands if isinstance(operand, str)), None)
        chunks = self._ids.using_chunks(used) if used is not None else self._chunks
        return next((chunk for chunk in chunks if self._position(record, chunk) is not None), None)


def _is_behind_annotations(record: Instruction) -> bool:
    return section_of(record.opcode) > Section.ANNOTATIONS or record.opcode.value in SOURCE_LINES


def diagnostics(checker: Checker, document: Document | None, most_faults: int | None = None) -> list[Diagnostic]:
    """All findings of a module, in the order of the text. With `most_faults` they are to be listed: fixes have no edits, what is
    not shown in full has no notes, and of faults of one rule, the last one made stands for those after the first so many."""
    return completed(report_steps(checker, document, most_faults))


def report_steps(
    checker: Checker, document: Document | None, most_faults: int | None = None
) -> Steps[list[Diagnostic]]:
    """The same, in short steps where the checker is done. Give them up when the module is edited."""
    if document is not None and (notation := other_notation(document)) is not None:
        return [notation]
    verdicts = checker.options.reference_verdicts
    lists = document is not None and most_faults is not None
    places = Places(checker.module, document, reference_verdicts=verdicts, lists=lists)
    not_encoded: list[Diagnostic] = []
    if document is not None and checker.module.has_raw:
        from spvls.validate.engine.raw import read_raw  # the assembler and the decoder, for few texts

        raw = read_raw(document, checker.module)
        if isinstance(raw, Diagnostic):
            return [raw]
        if isinstance(raw, list):
            not_encoded = raw
        else:
            checker = Checker(raw.module, checker.options, edited=False)
            places = Places(raw.module, document, raw.lines, reference_verdicts=verdicts)
    found: list[Diagnostic] = []
    reported: list[Reported] = []
    if document is not None and document.directives:
        most_faults = None  # each of them may be set aside
    for diagnostic in _each_failure_once(_of(checker, places, reported, most_faults)):
        if diagnostic is not None:
            found.append(diagnostic)
        if diagnostic is None or not len(found) % MANY:
            yield
    found = yield from _in_order(found)
    if document is not None and document.directives:
        from spvls.validate.engine.suppression import settle

        found = yield from settle(found, document, checker.module.environment.api, checker.options)
    if len(found) > 1:
        from spvls.validate.engine.consequences import without_consequences  # for modules with more than one fault

        def read(record: Instruction) -> Instruction:
            return readable(record, places.module)[1] or record

        found = yield from without_consequences(found, reported, read)
    seen: Counter[str] = Counter()
    places.made.clear()
    for at, diagnostic in enumerate(found if places.unfinished else ()):
        seen[diagnostic.rule] += 1
        unfinished = places.unfinished.get(id(diagnostic))
        if unfinished is not None and seen[diagnostic.rule] <= SHOWN_IN_FULL:
            _, item, chunk = unfinished
            found[at] = yield from _diagnostic(item, chunk, places)
    return sorted([*found, *not_encoded], key=_order) if not_encoded else found


def other_notation(document: Document) -> Diagnostic | None:
    """The one finding about a text that is a listing, not assembly. Assembly begins with a comment or an instruction."""
    first = next((line for line in document.lines if line.strip()), "")
    if first.lstrip().startswith((";", "Op", "%")):
        return None
    from spvls.binary.paper_listing import notation_finding  # for few texts

    return notation_finding(document.lines)


class _Made:
    """Faults and findings that were made diagnostics of: how many of a rule, and the last ones with a fix and without."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count: Counter[str] = Counter()
        self._last: dict[tuple[str, bool], Diagnostic] = {}
        #: The rules of which findings were met that are elsewhere than on the instruction that was checked.
        self._scattered: set[str] = set()

    def for_another(self, fault: Fault) -> Diagnostic | None:
        """What stands for a further fault, once there are many of its rule."""
        self._count[fault.rule] += 1
        return self._last.get((fault.rule, fault.suggestion is None)) if self._count[fault.rule] > self._most else None

    def add(self, fault: Fault, made: Diagnostic) -> None:
        self._last[fault.rule, fault.suggestion is None] = made

    def for_finding(self, item: RuleFinding, record: Instruction | None) -> Diagnostic | None:
        """The same of a finding without fixes on the instruction that was checked, `record`, from which nothing follows, and which
        follows from nothing: such findings are made in the order of the text."""
        rule = item.rule.id
        if item.origin is not record or rule in self._scattered:
            self._scattered.add(rule)
            return None
        self._count[rule] += 1
        if self._count[rule] <= self._most or item.finding.fixes:
            return None
        from spvls.validate.engine.consequences import stands_alone  # for modules with very many findings

        return self._last.get((rule, True)) if stands_alone(rule) else None

    def add_finding(self, item: RuleFinding, made: Diagnostic) -> None:
        if not item.finding.fixes:
            self._last[item.rule.id, True] = made


def _of(
    checker: Checker, places: Places, reported: list[Reported], most_faults: int | None
) -> Iterator[Diagnostic | None]:
    """The findings of chunk after chunk, then those of the module as a whole; None is a pause. What they are about is added to
    `reported`."""
    faults = _Made(most_faults) if most_faults is not None else None
    for chunk, checked in checker.found():
        yield from _chunk_diagnostics(chunk, checked, places, reported, faults)
    places.near = None
    for item in checker.module_findings():
        made = yield from _diagnostic(item, None, places)
        reported.append(Reported(made, item.origin, item.finding.operand_index))
        yield made


def _in_order(found: list[Diagnostic]) -> Steps[list[Diagnostic]]:
    """The findings in the order of the text."""
    runs: list[list[Diagnostic]] = []
    for start in range(0, len(found), _RUN):
        run = sorted(found[start : start + _RUN], key=_order)
        yield
        if runs and _order(runs[-1][-1]) > _order(run[0]):
            runs.append(run)
        elif runs:
            runs[-1].extend(run)
        else:
            runs.append(run)
    if len(runs) < 2:
        return runs[0] if runs else []
    from heapq import merge

    ordered: list[Diagnostic] = []
    for diagnostic in merge(*runs, key=_order):
        ordered.append(diagnostic)
        if not len(ordered) % _RUN:
            yield
    return ordered


_EARLY = 4 * _FEW
"""Findings of a chunk while which tables of its places are made, one of them each time."""

_RUN = 4096
"""Findings that are sorted in one step."""


def _order(diagnostic: Diagnostic) -> tuple[Range, int]:
    return diagnostic.range or _BEFORE_ALL, diagnostic.instruction or 0


_BEFORE_ALL = Range(Position(-1, 0), Position(-1, 0))


def _each_failure_once(found: Iterable[Diagnostic | None]) -> Iterator[Diagnostic | None]:
    """The findings, and of those that the same rule has failed only the first."""
    seen: set[str] = set()
    for diagnostic in found:
        if diagnostic is not None and diagnostic.rule == RULE_FAILED:
            rule = diagnostic.message.partition(" (")[0]
            if rule in seen:
                continue
            seen.add(rule)
        yield diagnostic


def _chunk_diagnostics(
    chunk: Chunk, checked: ChunkResults, places: Places, reported: list[Reported], faults: _Made | None
) -> Iterator[Diagnostic | None]:
    places.near = chunk
    pauses = is_long(chunk.records)
    if pauses:
        yield None
    for at, fault in checked.faults:
        another = faults.for_another(fault) if faults is not None else None
        record = chunk.records[at]
        if another is not None:
            if record.operands or record.result is not None:  # else nothing follows from it
                reported.append(Reported(another, record, OPCODE))
            yield another
            continue
        places.near_at = at
        made = fault_diagnostic(record, fault, places.line(record, chunk), places.number(record, chunk))
        source = places.source(record, chunk)
        made = made if source is None else made._replace(source=source)
        if faults is not None:
            faults.add(fault, made)
        reported.append(Reported(made, record, OPCODE))
        yield made
    if pauses:
        yield None
    found, records = checked.found, chunk.records
    counts = faults if not places.reference_verdicts else None
    for number, (at, item) in enumerate(found):
        another = counts.for_finding(item, records[at] if at < len(records) else None) if counts is not None else None
        if another is not None:
            yield another
            continue
        places.near_at = at
        if (pauses and number < _EARLY) or is_long(item.finding.record.operands):
            yield None
        made = yield from _diagnostic(item, None if item.elsewhere else chunk, places)
        reported.append(Reported(made, item.origin, item.finding.operand_index))
        if counts is not None:
            counts.add_finding(item, made)
        yield made


def _diagnostic(item: RuleFinding, chunk: Chunk | None, places: Places) -> Steps[Diagnostic]:
    rule, finding, origin, elsewhere = item
    if elsewhere:
        origin = places.current(origin)
    places.made[rule.id] += 1
    is_brief = places.lists and places.made[rule.id] > SHOWN_IN_FULL
    related: tuple[Related, ...] = ()
    if finding.notes and not is_brief:
        noted = [(places.noted(note.record, note.operand_index), note.message) for note in finding.notes]
        related = tuple([Related(where, message) for where, message in noted if where is not None])
    fixes: list[Fix] = []
    for fix in finding.fixes:
        made = (yield from _fix(fix, origin, finding.record, places)) if fix.preferred or not is_brief else None
        if made is not None:
            fixes.append(made)
    diagnostic = Diagnostic(
        rule.id,
        _severity(item, places),
        finding.message,
        places.range(origin, finding.operand_index, chunk),
        places.number(origin, chunk),
        finding.vuid or rule.vuid,
        related,
        tuple(fixes),
        rule.tags,
        None if is_brief else places.source(origin, chunk),
    )
    if is_brief:
        places.unfinished[id(diagnostic)] = diagnostic, item, chunk
    return diagnostic


def _severity(item: RuleFinding, places: Places) -> Severity:
    severity = item.rule.severity
    if places.reference_verdicts and severity is Severity.ERROR:
        from spvls.validate.reference_verdicts import accepts

        if accepts(item.rule.id, item.origin, places.module):
            return Severity.WARNING
    return severity


def _fix(fix: FindingFix, origin: Instruction, twin: Instruction, places: Places) -> Steps[Fix | None]:
    steps = [step._replace(record=origin) if step.record is twin else step for step in fix.steps]
    edits = yield from _edits_of(steps, places)
    return Fix(fix.title, tuple(edits), fix.preferred) if edits is not None else None


def step_edits(steps: Iterable[Step], places: Places) -> list[Edit] | None:
    """The edits of steps that are done together; None where the text has no place for one of them."""
    return completed(_edits_of(steps, places))


def _edits_of(steps: Iterable[Step], places: Places) -> Steps[list[Edit] | None]:
    edits: list[Edit] = []
    for at, step in enumerate(steps, 1):
        if not at % PORTION:
            yield
        if places.lists and places.is_here(step):
            continue
        record = places.anchor(step.record)
        if places.lists and places.has_place(step, record):
            continue
        made = _edits(step, record, places)
        if not made:
            return None
        edits.extend(made)
    return edits


def _edits(step: Step, record: Instruction, places: Places) -> list[Edit]:
    """The edits of a step; none where the text has no place for them."""
    edits: list[Edit] = []
    if isinstance(step, BumpVersion):
        found = places.header_raised(step.version)
        if found is None:
            return []
        edits.append(found)
    for other, single in places.expanded(step, record):
        line = places.line(other)
        if line is None:
            return []
        edits.append(_edit(single, other, line))
    edits.sort(key=lambda edit: edit.range)  # the uses of an id come in no order
    return edits


def _edit(step: Step, record: Instruction, line: int) -> Edit:
    whole = range_in(record, line, record.start, record.end)
    indent = record.text[: record.start].rpartition("\n")[2]
    indent = indent if not indent.strip() else ""
    match step:
        case Replace(_, operand_index, text):
            start, end = record.span(operand_index)
            while not text and record.text[start - 1] in " \t":  # the blanks before an operand are removed with it
                start -= 1
            return Edit(range_in(record, line, start, end), text)
        case Append(_, text):
            return Edit(Range(whole.end, whole.end), f" {text}")
        case InsertBefore(_, text):
            return Edit(Range(whole.start, whole.start), f"{text}\n".replace("\n", f"\n{indent}"))
        case InsertAfter(_, text):
            after = _after_comment(record, whole.end)
            return Edit(Range(after, after), f"\n{text}".replace("\n", f"\n{indent}"))
        case _:
            return Edit(_with_line(record, whole), "")


def _after_comment(record: Instruction, end: Position) -> Position:
    """The end of an instruction, or of the comment on its line."""
    rest = record.text[record.end :].rstrip()
    return Position(end.line, end.column + len(rest)) if rest.lstrip().startswith(";") else end


def _with_line(record: Instruction, whole: Range) -> Range:
    """The range of an instruction, with its line where it has that to itself."""
    alone = not record.text[: record.start].strip() and not record.text[record.end :].strip()
    if alone and record.text.endswith(("\n", "\r")):
        return Range(Position(whole.start.line, 0), Position(whole.end.line + 1, 0))
    return whole



