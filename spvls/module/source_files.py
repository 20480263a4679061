"""The source files that debug information names, with their texts where the module carries these.

The forms are OpString with OpSource and OpSourceContinued (SPIR-V 3.3.2), and DebugSource with DebugSourceContinued of the sets
NonSemantic.Shader.DebugInfo, OpenCL.DebugInfo.100 and DebugInfo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from spvls.grammar import spv
from spvls.grammar.operand_index import OpSource_File, OpSource_Source, OpSource_SourceLanguage, OpSourceContinued_ContinuedSource
from spvls.module.context_dependent import EXTENDED
from spvls.record import cached_property
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import enumerants
from spvls.text.pattern import pattern

Named = Callable[[Instruction], tuple[str, str] | None]
"""Gives the set and the name of the instruction that an OpExtInst runs."""

FILE, TEXT, CONTINUED_TEXT = 2, 3, 2
"""Operands of the OpExtInst of a DebugSource and of a DebugSourceContinued."""

#: What preprocessors write to say which line of which file comes next.
_DIRECTIVE = pattern(rb'[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]{1,9})(?:[ \t]+(?:"([^"\r\n]*)"|[0-9]+))?[0-9 \t\r]*\Z')


class SourceFile:
    """A file by the name that the module has for it, and its place among the files. `text` is None where the module does not
    carry it; `language` is "" where nothing says it."""

    def __init__(self, name: bytes, number: int) -> None:
        self.name = name
        self.number = number
        self.language = ""
        self._parts: list[bytes] | None = None

    @property
    def text(self) -> bytes | None:
        return b"".join(self._parts) if self._parts is not None else None

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines of the text, without their ends; none where it is not there."""
        text = self.text
        return [] if text is None else [line.removesuffix(b"\r") for line in text.split(b"\n")]

    def row(self, line: int) -> int | None:
        """Where in `lines` the line of a number, from 1, stands; None where the text does not have it. `#line` and the line
        markers of preprocessors count: of lines with one number the last one is meant."""
        if self._rows is not None:
            return self._rows.get(line)
        return line - 1 if 0 < line <= len(self.lines) else None

    @cached_property
    def _rows(self) -> dict[int, int] | None:
        """The lines by their numbers; None where they are counted through."""
        rows: dict[int, int] = {}
        number, is_own, has_directive = 1, True, False
        for row, line in enumerate(self.lines):
            found = _DIRECTIVE.match(line) if b"#" in line else None
            if found is not None:
                has_directive = True
                number, named = int(found[1]), found[2]
                is_own = named is None or _base(named) == _base(self.name)
                continue
            if is_own:
                rows[number] = row
            number += 1
        return rows if has_directive else None


class SourceFiles:
    """The files of a module in the order of their texts, then of their names. `by_id` has them by the ids that line information
    uses: of OpString, and of DebugSource."""

    def __init__(self, records: Iterable[Instruction], named: Named, string: Callable[[str], bytes | None]) -> None:
        self._string = string
        self._by_name: dict[bytes, SourceFile] = {}
        self.by_id: dict[str, SourceFile] = {}
        self._debug_texts: dict[str, list[bytes]] = {}
        self._debug_lines: dict[str, list[bytes]] = {}
        #: The parts of the text that the next continuation goes on with; of no file where none is begun.
        self._open: list[bytes] = []
        #: Whether there is a name that line information can use.
        self.has_names = False
        for record in records:
            if record.faults:
                continue
            opcode = record.opcode.value
            if opcode == spv.OpString:
                self.has_names = True
            elif opcode == spv.OpSource:
                self._source(record)
            elif opcode == spv.OpSourceContinued and record.operands:
                part = record.operands[OpSourceContinued_ContinuedSource]
                self._continue(part if isinstance(part, bytes) else None)
            elif opcode in EXTENDED:
                found = named(record)
                if found is not None and found[1] in _DEBUG:
                    _DEBUG[found[1]](self, record)
        for number, file in enumerate(sorted(self._by_name.values(), key=lambda file: file._parts is None)):
            file.number = number

    @property
    def files(self) -> list[SourceFile]:
        """All files."""
        return sorted(self._by_name.values(), key=lambda file: file.number)

    def of(self, name: str) -> SourceFile | None:
        """The file that an OpString or a DebugSource of an id names."""
        found = self.by_id.get(name)
        if found is None:
            text = self._string(name)
            if text is not None:
                found = self.by_id[name] = self._named(text)
        return found

    def debug_lines(self, source: str) -> list[bytes] | None:
        """The lines of the text of the DebugSource of an id, without their ends; None where it carries none."""
        if source not in self._debug_texts:
            return None
        if source not in self._debug_lines:
            *begun, last = self._debug_texts[source]
            self._debug_lines[source] = b"".join([*(part.removesuffix(b"\r") for part in begun), last]).splitlines()
        return self._debug_lines[source]

    def _named(self, name: bytes) -> SourceFile:
        found = self._by_name.get(name)
        if found is None:
            found = self._by_name[name] = SourceFile(name, len(self._by_name))
        return found

    def _text(self, record: Instruction, at: int) -> bytes | None:
        operand = record.operands[at] if at < len(record.operands) else None
        return self._string(operand) if isinstance(operand, str) else None

    def _source(self, record: Instruction) -> None:
        self._open = []
        operands = record.operands
        name = operands[OpSource_File] if len(operands) > OpSource_File else None
        file = self.of(name) if isinstance(name, str) else None
        if file is None:
            return
        language = operands[OpSource_SourceLanguage]
        if not file.language and isinstance(language, int):
            file.language = _language(language)
        text = operands[OpSource_Source] if len(operands) > OpSource_Source else None
        if isinstance(text, bytes):
            self._begin(file, text)

    def _begin(self, file: SourceFile | None, text: bytes) -> list[bytes]:
        """A text begins; of several for one file the first one holds."""
        self._open = [text]
        if file is not None and file._parts is None:
            file._parts = self._open
        return self._open

    def _continue(self, text: bytes | None) -> None:
        if text is not None:
            self._open.append(text)

    def _debug_source(self, record: Instruction) -> None:
        self._open = []
        name, text = self._text(record, FILE), self._text(record, TEXT)
        file = self._named(name) if name is not None else None
        if record.result is not None and file is not None:
            self.by_id[record.result] = file
        if text is not None:
            parts = self._begin(file, text)
            if record.result is not None:
                self._debug_texts[record.result] = parts

    def _debug_continued(self, record: Instruction) -> None:
        self._continue(self._text(record, CONTINUED_TEXT))


_DEBUG: dict[str, Callable[[SourceFiles, Instruction], None]] = {
    "DebugSource": SourceFiles._debug_source,
    "DebugSourceContinued": SourceFiles._debug_continued,
}


def _language(value: int) -> str:
    found = enumerants("SourceLanguage", value)
    return found[0].name if found and value else ""


def _base(name: bytes) -> bytes:
    return name.replace(b"\\", b"/").rpartition(b"/")[2]
