"""The edits of one refactoring, put together from the steps that quick fixes are made of, and from lines that move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from spvls.diagnostic import Edit, Position, Range
from spvls.ide.refactor.refactoring import indent
from spvls.ide.source.global_part import of_globals
from spvls.ide.source.source_module import SourceModule
from spvls.ide.source.word import id_of, texts
from spvls.module.decorations import about
from spvls.module.module import Module
from spvls.module.sections import SOURCE_LINES, Section, section_of
from spvls.syntax.document import Chunk
from spvls.syntax.instruction import OPCODE, Instruction
from spvls.syntax.report import range_in
from spvls.text.edits import edited
from spvls.validate.engine.finding import HEADER, Delete, InsertAfter, InsertBefore, Step
from spvls.validate.engine.report import Places, step_edits

Names = Mapping[str, str]
"""New names of ids, by the old ones."""


class Rewrite:
    """Collects edits; all are meant for the text as it is."""

    def __init__(self, source: SourceModule, near: Chunk | None = None) -> None:
        """`near` is the chunk that most of the edits are in."""
        self.source = source
        self.module = source.module
        self._places = Places(source.module, source.document)
        self._places.near = near
        self._column = of_globals(source.module, "column of opcodes", _opcode_column)
        self._edits: list[Edit] = []
        self._declared: dict[Section, list[str]] = {}
        self._taken: set[str] = set()
        self._made: dict[str, str] = {}
        self._is_possible = True

    def edits(self) -> list[Edit]:
        """The edits in the order of the text; none where the text has no place for one of them."""
        for section in sorted(self._declared):
            self.do(at_end_of(section, "\n".join(self._declared[section]), self.module))
        self._declared.clear()
        return sorted(self._edits, key=lambda edit: edit.range) if self._is_possible else []

    def fresh(self, wanted: str) -> str:
        """A name that no id has, and that was not given before: the wanted one, or with a number after it."""
        name, count = wanted, 0
        while name in self._taken or self.module.ids.is_known(name):
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name)
        return name

    def once(self, what: str, make: Callable[[], str]) -> str:
        """The id for something that several edits need, made when it is first asked for."""
        if what not in self._made:
            self._made[what] = make()
        return self._made[what]

    def do(self, *steps: Step) -> None:
        """Take the steps."""
        made = step_edits(steps, self._places)
        if made is None:
            self._is_possible = False
        else:
            self._edits += map(self._in_columns, made)

    def declare(self, section: Section, *lines: str) -> None:
        """Put lines at the end of a section of the global part."""
        if lines:
            self._declared.setdefault(section, []).extend(lines)

    def name(self, name: str, called: str) -> None:
        """Say by OpName what an id is called."""
        self.declare(Section.NAMES, f'OpName %{name} "{called}"')

    def rename(self, records: Iterable[Instruction], names: Names) -> None:
        """Put other ids in the place of some in instructions."""
        for record in dict.fromkeys(records):
            line = self._places.line(record)
            if line is not None:
                self._edits += _renaming(record, line, names)

    def replace(self, record: Instruction, text: str) -> None:
        """Put instructions on lines of their own in the place of another one."""
        whole = self.source.range_of(record, None, self.line(record))
        if self._column and not record.text[: record.start].strip():
            whole = Range(Position(whole.start.line, 0), whole.end)
            self._edits.append(Edit(whole, "\n".join(map(self._line_in_columns, text.split("\n")))))
        else:
            self._edits.append(Edit(whole, text.replace("\n", f"\n{indent(record)}")))

    def remove(self, record: Instruction) -> None:
        """Take an instruction away, with its line where it has that to itself; what names and decorates it stays."""
        self.do(Delete(record))

    def cut(self, first: int, last: int) -> None:
        """Take lines away."""
        self._edits.append(Edit(Range(Position(first, 0), Position(last + 1, 0)), ""))

    def put(self, records: Sequence[Instruction], lines: Iterable[str]) -> None:
        """Put lines in the place of those of instructions that follow each other."""
        first, last = self.extent(records)
        margin = indent(records[0])
        laid_out = [self._line_in_columns(line) if self._column else f"{margin}{line}" for line in lines]
        self._edits.append(Edit(Range(Position(first, 0), Position(last + 1, 0)), "".join(f"{line}\n" for line in laid_out)))

    # Columns

    def _in_columns(self, edit: Edit) -> Edit:
        """An edit that puts lines before or after an instruction, in the columns of an aligned text."""
        (line, column), text = edit.range.start, edit.text
        if not self._column or edit.range.start != edit.range.end or "\n" not in text:
            return edit
        if text.startswith("\n"):
            return Edit(edit.range, "\n" + "\n".join(map(self._line_in_columns, text[1:].split("\n"))))
        if self.source.document.lines[line][:column].strip():
            return edit
        lines = text.rstrip(" \t").removesuffix("\n").split("\n")
        start = Position(line, 0)
        return Edit(Range(start, start), "".join(f"{self._line_in_columns(one)}\n" for one in lines))

    def _line_in_columns(self, line: str) -> str:
        line = line.strip()
        name, _, rest = line.partition(" = ") if line.startswith("%") else ("", "", "")
        before = self._column - len(name) - 3 if rest else self._column
        return f"{' ' * max(before, 0)}{line}" if line else ""

    def extent(self, records: Sequence[Instruction]) -> tuple[int, int]:
        """The first and the last line of instructions that follow each other."""
        last = records[-1]
        return self.line(records[0]), self.source.range_of(last, None, self.line(last)).end.line

    def lines(self, records: Sequence[Instruction], names: Names) -> str:
        """The lines that instructions which follow each other have to themselves, with other ids."""
        first, last = self.extent(records)
        moved: list[Edit] = []
        for record in records:
            line = self._places.line(record)
            if line is not None:
                for where, text in _renaming(record, line - first, names):
                    moved.append(Edit(where, text))
        lines = [line.rstrip("\r\n") for line in self.source.document.lines[first : last + 1]]
        return edited("\n".join(lines), moved) + "\n"

    def line(self, record: Instruction) -> int:
        """The line that an instruction starts on."""
        found = self._places.line(record)
        return self.source.document.line_of(record) if found is None else found


def _opcode_column(declarations: Sequence[Instruction]) -> int:
    """The column of the opcodes in a text where those with and without a result are aligned, as `spvls fmt` does; 0 in others."""
    records = [record for record in declarations if "\n" not in record.text[: record.end]]
    first = next((record for record in records if record.result is None), None)
    other = next((record for record in records if record.result is not None), None)
    if first is None or other is None or first.span(OPCODE).start != other.span(OPCODE).start:
        return 0
    return first.start


def _renaming(record: Instruction, line: int, names: Names) -> list[Edit]:
    spans = record.words()
    return [
        Edit(range_in(record, line, *span), f"%{new}")
        for span, word in zip(spans, texts(record, spans), strict=True)
        if (new := names.get(id_of(word) or "")) is not None
    ]


def written(record: Instruction, names: Names) -> str:
    """An instruction as it stands in the text, with other ids."""
    spans = record.words()
    return " ".join(f"%{names.get(name, name)}" if (name := id_of(word)) else word for word in texts(record, spans))


def at_end_of(section: Section, text: str, module: Module) -> Step:
    """Puts text after all instructions of a section of the global part, or where they would stand."""
    records = module.chunks[0].records
    for record in reversed(records):
        if section_of(record.opcode) <= section and record.opcode.value not in SOURCE_LINES:
            return InsertAfter(record, text)
    return InsertBefore(records[0] if records else HEADER, text)


def leaves(name: str, inside: set[int], module: Module) -> bool:
    """Whether an instruction other than those `inside`, by `id()`, uses an id; what names and decorates it does not count."""
    named = {id(record) for record in about(name, module)}
    return any(id(use) not in inside and id(use) not in named for _, use in module.ids.uses(name))
