"""A module of an open document: its text, what it says, and what was found in it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from spvls.diagnostic import Diagnostic, Position, Range
from spvls.host.findings import holding
from spvls.host.languages import SPIRV
from spvls.host.span import ModuleSpan
from spvls.ide.features.tokens import WIDTH as TOKEN_WIDTH
from spvls.ide.source.source_module import ReadModule, SourceModule
from spvls.ide.transform.specialization_preview import preview_of, unreachable_blocks
from spvls.module.specialization import Specialization
from spvls.server.convert import Converter, Json, PlacedConverter
from spvls.server.settings import Settings
from spvls.server.time_slicing import Subject
from spvls.steps import Steps, completed
from spvls.validate.config import Config
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import report_steps

if TYPE_CHECKING:
    from spvls.server.host_document import HostDocument


class Session(Subject):
    """A module of a document that the client has open.

    `moves` counts how often its beginning was moved in the document. `generation` counts whatever may change what is found, or
    where it is: edits of the document, and settings. Positions are the client's outside, and code points of the module in
    `source_module`; `convert` knows both.
    """

    def __init__(self, document: HostDocument, span: ModuleSpan, index: int, read: ReadModule | None = None) -> None:
        """`read` is the text of the module, where it has been read already."""
        self.document = document
        self.span = span
        self.index = index
        self.source_module = SourceModule(document.host.module_text(span) if read is None else read, *self._target())
        self.moves = 0
        self._convert: Converter | None = None
        self._was_whole = self.is_whole
        self.generation = document.generation
        self._changes = 0
        self._found: list[Diagnostic] = []
        self._found_at = -1
        self.serial = 0
        self._preview: Mapping[str, str] | None = None
        self._previewed: tuple[int, Specialization] | None = None
        self._check_anew()

    @property
    def uri(self) -> str:
        return self.document.uri

    @property
    def version(self) -> int | None:
        return self.document.version

    @property
    def settings(self) -> Settings:
        return self.document.settings

    @property
    def lines(self) -> Sequence[str]:
        return self.source_module.document.lines

    @property
    def is_whole(self) -> bool:
        """Whether the document is this module and nothing else."""
        span, host = self.span, self.document.host
        return host.language.name == SPIRV and span.first == 0 and span.end == len(host.lines)

    def units(self, line: int, column: int) -> int:
        """The client's column of a code point in a line of the module, were it a document of its own. For a module that is
        joined from literals, the code point itself."""
        return column if self.span.quoted else self.document.codec.to_units(self.lines[line], column)

    def placed_tokens(self, data: array[int]) -> array[int]:
        """Semantic tokens of the module (LSP 3.17, relative to each other) with the first of them at its place in the
        document, and for a module that is joined from literals each of them."""
        placed = array("I", data)
        if not self.span.quoted:
            if not placed[0]:
                host = self.document.host.lines[self.span.first]
                placed[1] += self.document.codec.to_units(host, self.span.column)
            placed[0] += self.span.first
            return placed
        line = column = last_line = last_column = 0
        for at in range(0, len(data), TOKEN_WIDTH):
            column = data[at + 1] + (0 if data[at] else column)
            line += data[at]
            span = Range(Position(line, column), Position(line, column + data[at + 2]))
            place = self.convert.to_range(span)
            start, end = place["start"], place["end"]
            placed[at] = start["line"] - last_line
            placed[at + 1] = start["character"] - (0 if placed[at] else last_column)
            placed[at + 2] = max(0, end["character"] - start["character"]) if end["line"] == start["line"] else 0
            last_line, last_column = start["line"], start["character"]
        return placed

    @property
    def reference(self) -> Json:
        """What names this module in the data of an answer that the client sends back."""
        return {"uri": self.uri, "module": self.index}

    # Changes

    def edit(self, edits: list[tuple[Range, str]]) -> None:
        """Follow edits of lines of the module, which stays where it is in the document."""
        self.source_module.edit(edits)
        self._changed()

    def replace(self) -> None:
        """Take the text that the document has for this module now."""
        text = self.document.host.module_text(self.span)
        if text != self.source_module.text:  # where only comments differ no instruction does, and yet places do
            self.source_module.replace(text)
            self._changed()

    def move(self, span: ModuleSpan, index: int) -> bool:
        """Take note of where the module is in the document now, and of what; whether other things may be found in it."""
        self.index = index
        before, self.span = self.span, span
        if span == before and not span.quoted and self._was_whole == self.is_whole:
            return False
        changes = self._changes
        self._convert = None
        self._was_whole = self.is_whole
        if span.quoted or (before.first, before.column) != (span.first, span.column):
            self.moves += 1
        if (before.environment, before.default) != (span.environment, span.default):
            self.source_module.choose(*self._target())
            self._changed()
        elif (before.form, before.is_closed) != (span.form, span.is_closed):
            self._changes += 1
        return self._changes != changes

    def configure(self) -> None:
        """Take the settings of the document as they are now."""
        self.source_module.choose(*self._target())
        self._changes += 1
        self._check_anew()

    def _changed(self) -> None:
        self._changes += 1
        if self._checker.module is not self.source_module.module:
            self._check_anew()

    def _target(self) -> tuple[str | None, str | None]:
        """None, since a comment of the text comes before all settings; and the environment to take where the text names none."""
        document, span = self.document, self.span
        return None, span.environment or document.settings.target_env or document.config.target_env or span.default

    @property
    def decided_by(self) -> str:
        """What the environment is taken from: "comment" of the text, "host" around it, "setting" of the editor, "project" file, or
        "module", which says its version or nothing."""
        document, span, header = self.document, self.span, self.source_module.header
        if header.target is not None:
            return "comment"
        told = {"host": span.environment, "setting": document.settings.target_env, "project": document.config.target_env}
        return next((name for name, value in told.items() if value), "host" if span.default else "module")

    @property
    def convert(self) -> Converter:
        """Places of the module as the client has them, and back."""
        if self._convert is None:
            codec, host = self.document.codec, self.document.host
            if self.is_whole:
                self._convert = Converter(codec, host.lines)
            else:
                self._convert = PlacedConverter(codec, host.lines, host.placement(self.span))
        return self._convert

    def _check_anew(self) -> None:
        config, settings = self.document.config, self.document.settings
        options = Options.of({"advice": True, **config.options, **settings.options})
        self._rules = Config(rules={**config.rules, **settings.rules})
        self._checker = Checker(self.source_module.module, options)
        self.source_module.follow = self._checker.update

    # Specialization

    @property
    def preview_values(self) -> Mapping[str, str] | None:
        """The values of specialization constants that are shown; None where the preview is off."""
        return self._preview

    def preview(self, values: Mapping[str, str] | None) -> None:
        """Show what the module is with these values, or as it is (None)."""
        self._preview = values
        self._previewed = None
        self._changes += 1

    def previewed(self) -> Specialization | None:
        """The module with the values that are shown, as its text is now."""
        if self._preview is None:
            return None
        if self._previewed is None or self._previewed[0] != self._changes:
            self._previewed = self._changes, preview_of(self.source_module, self._preview)
        return self._previewed[1]

    # Findings

    def check_steps(self) -> Iterator[None]:
        """Bring the findings up to date, in short steps."""
        for chunk in self._checker.pending():
            yield from self._checker.steps(chunk)
        yield from self._checker.module_steps()
        yield from self._report_steps()

    def findings(self) -> list[Diagnostic]:
        """What was found, in the order of the text; what is not yet checked is checked now."""
        completed(self._report_steps())
        return self._found

    def _report_steps(self) -> Steps[None]:
        if self._found_at != self._changes:
            all_found = yield from report_steps(self._checker, self.source_module.document)
            text = self.source_module.text if self.span.form is not self.span.form.MODULE else ""
            found = self._rules.applied(list(holding(all_found, self.span, text)))
            preview = self.previewed()
            if preview is not None:
                found += yield from unreachable_blocks(self.source_module, preview)
            outdated: list[Diagnostic] = []
            if (yield from _differ(found, self._found)):
                outdated = [*self._found]
                self._found = found
                self.serial += 1
            self._found_at = self._changes
            while outdated:  # to free many at once takes long
                del outdated[-_COMPARED:]
                yield

    def known_findings(self) -> list[Diagnostic]:
        """What was found, if that is known for the text as it is now."""
        return self._found if self._found_at == self._changes else []


_COMPARED = 4096
"""Findings that are compared in one step."""


def _differ(found: list[Diagnostic], known: list[Diagnostic]) -> Steps[bool]:
    """Whether findings are others than those that are known."""
    if len(found) != len(known):
        return True
    for at in range(0, len(found), _COMPARED):
        if found[at : at + _COMPARED] != known[at : at + _COMPARED]:
            return True
        yield
    return False
